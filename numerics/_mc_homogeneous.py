"""Monte Carlo laws of worlds where all anchors see the same: sphere, hypercube and classes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import mpmath
import numpy as np
from numpy.typing import NDArray

from numerics import _mc_atoms as atoms
from numerics import _mc_kernels as kernels
from numerics import _vm as vm
from numerics._mc_law import COUNT_COST, Positives
from numerics.worlds import Sphere, World

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Atoms(NamedTuple):
    """The laws of a homogeneous world; made once, where the run is started, for all who compute."""

    gaps: Floats  # s - 1
    values: Floats  # exp((s - 1)/tau)
    negative: Floats
    positive: Floats


def atoms_of(world: World, tau: Fraction) -> Atoms:
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
