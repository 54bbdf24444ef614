"""Monte Carlo law of worlds of finitely many vectors, where each anchor has its own row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import _mc_atoms as atoms
from numerics import _mc_clouds as clouds
from numerics import _mc_kernels as kernels
from numerics import _vm as vm
from numerics._mc_law import COUNT_COST, Positives

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class CloudLaw:
    """Finitely many anchors; the positives' laws are rows over the points, or one vector each."""

    k: int
    inverse_tau: float
    points: Floats
    anchor_weights: Floats
    others: Floats
    weights: Floats  # of the negatives; of all but the anchor if exclude
    even: bool
    exclude: bool
    laws: Floats | None = None
    paired: Floats | None = None
    columns: Floats = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", np.ascontiguousarray(self.others.T))

    @property
    def _mode(self) -> int:
        n, d = self.others.shape
        if self.k > COUNT_COST * n:
            return atoms.COUNTS
        return atoms.DIRECT if self.even and self.k * (2 * d + 60) < n * d else atoms.ALIAS

    @property
    def cost(self) -> float:
        n, d = self.others.shape
        cheap = self.k * d / 8 if self._mode == atoms.DIRECT else self.k + n * d / 16
        return float(min(cheap, COUNT_COST * n + n * d / 16))

    def anchors(self, first: int, count: int, seed: Any) -> Ints:
        out = np.empty(count, dtype=np.int64)
        atoms.picks(out, first, seed, vm.ANCHOR, *atoms.alias_tables(self.anchor_weights))
        return out

    def sums(self, first: int, seed: Any, anchors: Ints) -> Floats:
        out = np.empty(len(anchors))
        order = np.argsort(anchors, kind="stable")
        clouds.cloud_sums(
            out,
            first,
            seed,
            self.k,
            self.inverse_tau,
            self.points,
            self.others,
            self.columns,
            self.weights,
            *atoms.alias_tables(self.weights),
            self.even,
            self.exclude,
            self._mode,
            anchors,
            order,
        )
        return out

    def gaps(self, first: int, seed: Any, anchors: Ints) -> Floats:
        out = np.empty(len(anchors))
        if self.paired is not None:
            clouds.paired_gaps(out, self.points, self.paired, anchors)
        elif self.laws is not None:
            clouds.drawn_gaps(out, first, seed, self.points, self.laws, anchors)
        return out

    def positives(self, anchors: Ints) -> Positives:
        if self.paired is not None:
            out = np.empty(len(anchors))
            clouds.paired_gaps(out, self.points, self.paired, anchors)
            kernels.exponentials(out, self.inverse_tau)
            return Positives(np.arange(len(out) + 1), out, np.ones(len(out)))
        assert self.laws is not None
        row = np.empty(len(self.points))
        sizes, values_, weights = [0], [], []
        for a in anchors:
            kept = self.laws[a] > 0
            clouds.fill_row(row, self.points[a], self.columns, self.inverse_tau)
            values_.append(row[kept])
            weights.append(self.laws[a][kept] / self.laws[a].sum())
            sizes.append(int(kept.sum()))
        return Positives(np.cumsum(sizes), np.concatenate(values_), np.concatenate(weights))

    def moments(self, low: int, high: int) -> Floats:
        out = np.empty((high - low, 3))
        clouds.cloud_moments(
            out, low, self.inverse_tau, self.points, self.columns, self.weights, self.exclude
        )
        return out
