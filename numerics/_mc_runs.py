"""A Monte Carlo run and the work of one of its blocks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import _mc_kernels as kernels
from numerics._mc_law import Law

Floats = NDArray[np.float64]

#: Anchors whose exact moments are computed together.
ANCHORS = 64


@dataclass(frozen=True)
class Controls:
    """Exact facts about each anchor that the controlled estimator uses."""

    means: Floats
    kappas: Floats
    known: Floats
    degrees: NDArray[np.int64]


@dataclass(frozen=True)
class Run:
    """All that determines the numbers of a run."""

    law: Law
    k: int
    inverse_tau: float
    tuples: int
    seed: int
    infonce: bool
    controls: Controls | None = None

    @property
    def block(self) -> int:
        """Tuples in a block: a power of two, about a millisecond of work or one tuple."""
        wanted = max(1.0, 2**21 / self.law.cost)
        return int(2 ** min(14, math.floor(math.log2(wanted))))

    @property
    def parts(self) -> int:
        return -(-self.tuples // self.block)


def known_rows(run: Run, part: int) -> Floats:
    """Mean, kappa_2, kappa_3 and known part of the positive of some anchors, one row each."""
    low = part * ANCHORS
    high = min(low + ANCHORS, len(run.law.anchor_weights))
    exact = run.law.moments(low, high)
    out = np.zeros(high - low)
    if run.infonce:
        positives = run.law.positives(np.arange(low, high))
        kernels.known_part(out, np.ascontiguousarray(exact[:, 0]), *positives, float(run.k))
    return np.column_stack([exact, out])


def block_sums(run: Run, part: int) -> tuple[int, Any, NDArray[np.int64], Floats]:
    """First tuple, seed, anchors and negatives' sums of a block."""
    first = part * run.block
    seed = np.uint64(run.seed)
    anchors = run.law.anchors(first, min(run.block, run.tuples - first), seed)
    return first, seed, anchors, run.law.sums(first, seed, anchors)


def plain(run: Run, part: int) -> Floats:
    """Moments of the losses of a block."""
    first, seed, anchors, sums = block_sums(run, part)
    gaps = run.law.gaps(first, seed, anchors)
    kernels.losses(sums, gaps, float(run.k), run.inverse_tau, run.infonce)
    record: Floats = kernels.moments(sums[:, None])
    return record


def controlled(run: Run, part: int) -> Floats:
    """Moments of (value, X, X^2 - E X^2) of a block."""
    assert run.controls is not None
    _, _, anchors, sums = block_sums(run, part)
    met, local = np.unique(anchors, return_inverse=True)
    own = run.controls
    out = np.empty((len(sums), 3))
    kernels.control(
        out,
        sums,
        local,
        own.means[met],
        own.kappas[met],
        own.known[met],
        own.degrees[met],
        *run.law.positives(met),
        float(run.k),
        run.infonce,
    )
    record: Floats = kernels.moments(out)
    return record
