"""What a Monte Carlo kernel needs of a world: negatives' sums, positives, and exact moments.

Three kinds cover all worlds: the sphere (continuous), one row of atoms (hypercube and classes: the
same law for every anchor), and a cloud (finite worlds and embeddings: a row for each anchor).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

import mpmath
import numpy as np
from numpy.typing import NDArray

from numerics import _mc_atoms as atoms
from numerics import _mc_clouds as clouds
from numerics import _mc_kernels as kernels
from numerics import _vm as vm
from numerics.worlds import Classes, Embeddings, FiniteWorld, Hypercube, Sphere, World

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: An exact binomial count costs about as much as this many draws from an alias table.
COUNT_COST = 40


class Positives(NamedTuple):
    """Anchor a has the values ``values[rows[a]:rows[a + 1]]`` of exp((s_+ - 1)/tau)."""

    rows: Ints
    values: Floats
    weights: Floats


class Law(Protocol):
    """One world at one temperature and one number of negatives."""

    @property
    def cost(self) -> float:
        """Cost of one tuple, in draws."""

    @property
    def anchor_weights(self) -> Floats:
        """Probabilities of the anchors; a single 1 if all see the same laws."""

    def anchors(self, first: int, count: int, seed: Any) -> Ints:
        """The anchors of tuples first, .., first + count - 1."""

    def sums(self, first: int, seed: Any, anchors: Ints) -> Floats:
        """Their sums over the k negatives of exp((s - 1)/tau)."""

    def gaps(self, first: int, seed: Any, anchors: Ints) -> Floats:
        """Their s_+ - 1, drawn from the positives' laws."""

    def positives(self, anchors: Ints) -> Positives:
        """The laws of the positives of some anchors, as atoms."""

    def moments(self, low: int, high: int) -> Floats:
        """Mean of exp((s - 1)/tau) and kappa_j/mean^j, j = 2, 3, for anchors low, .., high - 1."""


@dataclass(frozen=True)
class _Same:
    """Every anchor sees the same laws."""

    k: int
    inverse_tau: float
    exact: tuple[float, float, float]
    atoms: Floats  # similarities - 1 that carry the positive
    positive: Floats  # their probabilities

    @property
    def anchor_weights(self) -> Floats:
        return np.ones(1)

    def anchors(self, first: int, count: int, seed: Any) -> Ints:
        return np.zeros(count, dtype=np.int64)

    def positives(self, anchors: Ints) -> Positives:
        kept = self.positive > 0
        values = np.exp(self.atoms[kept] * self.inverse_tau)
        return Positives(np.array([0, len(values)]), values, self.positive[kept])

    def moments(self, low: int, high: int) -> Floats:
        return np.array([self.exact])


@dataclass(frozen=True)
class SphereLaw(_Same):
    """Uniform negatives on S^{d-1}; von Mises-Fisher positive."""

    d: int
    conc: float

    @property
    def cost(self) -> float:
        return float(self.k if self.d <= 3 else 3 * self.k)

    def sums(self, first: int, seed: Any, anchors: Ints) -> Floats:
        out = np.empty(len(anchors))
        kernels.sphere_sums(out, first, seed, self.d, self.k, self.inverse_tau)
        return out

    def gaps(self, first: int, seed: Any, anchors: Ints) -> Floats:
        out = np.empty(len(anchors))
        kernels.sphere_positives(out, first, seed, self.d, self.conc)
        return out


@dataclass(frozen=True)
class RowLaw(_Same):
    """Negatives and positive on the same few atoms."""

    negative: Floats

    @property
    def cost(self) -> float:
        return float(min(self.k, COUNT_COST * len(self.negative)))

    def sums(self, first: int, seed: Any, anchors: Ints) -> Floats:
        out = np.empty(len(anchors))
        row = np.exp(self.atoms * self.inverse_tau)
        mode = atoms.COUNTS if self.k > COUNT_COST * len(row) else atoms.ALIAS
        tables = atoms.alias_tables(self.negative)
        atoms.law_sums(out, first, seed, self.k, row, self.negative, *tables, mode)
        return out

    def gaps(self, first: int, seed: Any, anchors: Ints) -> Floats:
        chosen = np.empty(len(anchors), dtype=np.int64)
        atoms.picks(chosen, first, seed, vm.POSITIVE, *atoms.alias_tables(self.positive))
        return self.atoms[chosen]


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
            values = np.exp(out * self.inverse_tau)
            return Positives(np.arange(len(values) + 1), values, np.ones(len(values)))
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


def law(world: World, tau: Fraction, k: int) -> Law:
    """The law of a world."""
    inverse_tau = float(1 / tau)
    if isinstance(world, Embeddings):
        others = world.anchor if world.negative is None else world.negative
        exclude = world.negative is None
        count = len(others) - exclude
        return CloudLaw(
            k=k,
            inverse_tau=inverse_tau,
            points=np.ascontiguousarray(world.anchor),
            anchor_weights=np.full(world.anchors, 1 / world.anchors),
            others=np.ascontiguousarray(others),
            weights=np.full(count, 1 / count),
            even=True,
            exclude=exclude,
            paired=np.ascontiguousarray(world.positive),
        )
    if isinstance(world, FiniteWorld):
        pi = world.pi / world.pi.sum()
        return CloudLaw(
            k=k,
            inverse_tau=inverse_tau,
            points=np.ascontiguousarray(world.phi),
            anchor_weights=pi,
            others=np.ascontiguousarray(world.phi),
            weights=pi,
            even=bool((pi == pi[0]).all()),
            exclude=False,
            laws=np.ascontiguousarray(world.positive),
        )
    if not isinstance(world, Sphere | Hypercube | Classes):
        raise TypeError(f"no sampler for {type(world).__name__}")
    with mpmath.workdps(60):
        mean, second, third = (world.moment(j, tau) for j in (1, 2, 3))
        exact = (
            float(mean * mpmath.exp(-mpmath.mpf(tau.denominator) / tau.numerator)),
            float(second / mean**2 - 1),
            float(third / mean**3 - 3 * second / mean**2 + 2),
        )
    (one,) = world.laws(float(tau))
    same = {"k": k, "inverse_tau": inverse_tau, "exact": exact, "atoms": one.s - 1.0}
    if isinstance(world, Sphere):
        return SphereLaw(**same, positive=one.m, d=world.d, conc=float(world.conc))  # type: ignore[arg-type]
    return RowLaw(**same, positive=one.m, negative=one.p)  # type: ignore[arg-type]
