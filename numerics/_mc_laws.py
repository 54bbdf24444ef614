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


class Atoms(NamedTuple):
    """The laws of a homogeneous world; made once, where the run is started, for all who compute."""

    gaps: Floats  # s - 1
    values: Floats  # exp((s - 1)/tau)
    negative: Floats
    positive: Floats


def _atoms(world: World, tau: Fraction) -> Atoms:
    (one,) = world.laws(float(tau))
    return Atoms(one.s - 1.0, np.exp((one.s - 1.0) * float(1 / tau)), one.p, one.m)


@dataclass(frozen=True)
class _Same:
    """Every anchor sees the same laws."""

    world: World
    tau: Fraction
    k: int
    atoms: Atoms | None = None

    @property
    def inverse_tau(self) -> float:
        return float(1 / self.tau)

    @property
    def anchor_weights(self) -> Floats:
        return np.ones(1)

    def anchors(self, first: int, count: int, seed: Any) -> Ints:
        return np.zeros(count, dtype=np.int64)

    def positives(self, anchors: Ints) -> Positives:
        assert self.atoms is not None
        kept = self.atoms.positive > 0
        rows = np.array([0, np.count_nonzero(kept)])
        return Positives(rows, self.atoms.values[kept], self.atoms.positive[kept])

    def moments(self, low: int, high: int) -> Floats:
        with mpmath.workdps(60):
            mean, second, third = (self.world.moment(j, self.tau) for j in (1, 2, 3))
            shift = mpmath.exp(-mpmath.mpf(self.tau.denominator) / self.tau.numerator)
            kappas = second / mean**2 - 1, third / mean**3 - 3 * second / mean**2 + 2
            return np.array([[float(mean * shift), *map(float, kappas)]])


@dataclass(frozen=True)
class SphereLaw(_Same):
    """Uniform negatives on S^{d-1}; von Mises-Fisher positive."""

    world: Sphere

    @property
    def cost(self) -> float:
        return float(self.k if self.world.d <= 3 else 3 * self.k)

    def sums(self, first: int, seed: Any, anchors: Ints) -> Floats:
        out = np.empty(len(anchors))
        kernels.sphere_sums(out, first, seed, self.world.d, self.k, self.inverse_tau)
        return out

    def gaps(self, first: int, seed: Any, anchors: Ints) -> Floats:
        out = np.empty(len(anchors))
        kernels.sphere_positives(out, first, seed, self.world.d, float(self.world.conc))
        return out


@dataclass(frozen=True)
class RowLaw(_Same):
    """Negatives and positive on the same few atoms."""

    atoms: Atoms

    @property
    def cost(self) -> float:
        return float(min(self.k, COUNT_COST * len(self.atoms.gaps)))

    def sums(self, first: int, seed: Any, anchors: Ints) -> Floats:
        row, weights = self.atoms.values, self.atoms.negative
        out = np.empty(len(anchors))
        mode = atoms.COUNTS if self.k > COUNT_COST * len(row) else atoms.ALIAS
        tables = atoms.alias_tables(weights)
        atoms.law_sums(out, first, seed, self.k, row, weights, *tables, mode)
        return out

    def gaps(self, first: int, seed: Any, anchors: Ints) -> Floats:
        chosen = np.empty(len(anchors), dtype=np.int64)
        tables = atoms.alias_tables(self.atoms.positive)
        atoms.picks(chosen, first, seed, vm.POSITIVE, *tables)
        return self.atoms.gaps[chosen]


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


def law(world: World, tau: Fraction, k: int, positives: bool) -> Law:
    """The law of a world; ``positives`` if the positives' laws will be asked for as atoms."""
    if isinstance(world, Embeddings):
        others = world.anchor if world.negative is None else world.negative
        exclude = world.negative is None
        count = len(others) - exclude
        return CloudLaw(
            k=k,
            inverse_tau=float(1 / tau),
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
            inverse_tau=float(1 / tau),
            points=np.ascontiguousarray(world.phi),
            anchor_weights=pi,
            others=np.ascontiguousarray(world.phi),
            weights=pi,
            even=bool((pi == pi[0]).all()),
            exclude=False,
            laws=np.ascontiguousarray(world.positive),
        )
    if isinstance(world, Sphere):
        return SphereLaw(world, tau, k, _atoms(world, tau) if positives else None)
    if isinstance(world, Hypercube | Classes):
        return RowLaw(world, tau, k, _atoms(world, tau))
    raise TypeError(f"no sampler for {type(world).__name__}")
