"""Sums over groups of negatives for every anchor and several temperatures, in one pass.

:mod:`numerics.gram` sums over all the negatives of an anchor.  To see how much such a sum owes to
chance one has to leave some of the negatives out again; so here the negatives are cut into groups,
and every anchor keeps its sums over each group.  The products of the vectors, which cost most, are
made once for all temperatures.  The bits are the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from numerics._group_kernels import SUMS, add_rows
from numerics._jit import source_digest
from numerics.drivers import Checkpoint, Progress, fold
from numerics.gram import SMALLEST_TAU, one_blas_thread
from numerics.parse import InputError

__all__ = ["Groups", "check_tau", "group_sums"]

Floats = NDArray[np.float64]

BLOCK = 256
WIDTH = 2048


@dataclass(frozen=True)
class Groups:
    """Which sums to take: one temperature, and where to cut the negatives.

    Attributes
    ----------
    tau : Fraction
        Temperature, at least 3/350.
    cuts : tuple of int
        Increasing, from 0 to the number of negatives: group g is rows cuts[g] to cuts[g + 1].
    """

    tau: Fraction
    cuts: tuple[int, ...]


def check_tau(tau: Fraction, argument: str = "tau") -> None:
    """Refuse a temperature at which float64 cannot hold the third powers.

    Raises
    ------
    InputError
        Naming the smallest usable temperature.
    """
    if tau < SMALLEST_TAU:
        rule = "must be at least 3/350 = 0.00857...: below, float64 cannot hold exp(-6/tau)"
        raise InputError(argument, float(tau), rule)


@dataclass(frozen=True)
class _Pass:
    anchor: Floats
    negative: Floats | None
    groups: tuple[Groups, ...]
    edges: tuple[int, ...]


def group_sums(
    anchor: Floats,
    groups: Sequence[Groups],
    negative: Floats | None = None,
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> list[Floats]:
    """Sums of y, y^2, y^3, s y and s over groups of negatives, for every anchor.

    Parameters
    ----------
    anchor : (N, d) array
        Unit rows.
    groups : sequence of Groups
        What to sum, each with its own temperature.
    negative : (M, d) array, optional
        The negatives; by default the other anchors (an anchor is no negative of its own).
    executor, threads, checkpoint, progress
        See :func:`numerics.drivers.fold`.

    Returns
    -------
    list of (N, G, 5) arrays
        One for each entry of ``groups``.  y is exp((s - 1)/tau) for tau < 1 and expm1(s/tau)
        for tau >= 1.

    Raises
    ------
    InputError
        If a temperature is below 3/350.

    Examples
    --------
    >>> (sums,) = group_sums(np.eye(3), [Groups(Fraction(1), (0, 3))])
    >>> sums.shape, float(abs(sums).max())  # all similarities are 0
    ((3, 1, 5), 0.0)
    """
    for each in groups:
        check_tau(each.tau)
    others = anchor if negative is None else negative
    edges = sorted({*range(0, len(others), WIDTH), *(c for g in groups for c in g.cuts)})
    given = _Pass(anchor, negative, tuple(groups), tuple(edges))
    kept = None
    if checkpoint is not None:
        kept = Checkpoint(checkpoint, ["groups", source_digest(), given])
    record = fold(
        _band,
        given,
        -(-len(anchor) // BLOCK),
        _below,
        executor=executor,
        threads=threads,
        checkpoint=kept,
        progress=progress,
    )[: len(anchor)]
    found, start = [], 0
    for each in groups:
        count = len(each.cuts) - 1
        part = record[:, start : start + count * SUMS]
        found.append(part.reshape(len(anchor), count, SUMS))
        start += count * SUMS
    return found


def _band(given: _Pass, band: int) -> Floats:
    """The sums of one band of anchors, a row for each; a last short band is filled with zeros."""
    first = band * BLOCK
    left = given.anchor[first : first + BLOCK].copy()
    others = given.anchor if given.negative is None else given.negative
    sums = [np.zeros((len(left), len(g.cuts) - 1, SUMS)) for g in given.groups]
    at = [0] * len(sums)
    buffer = np.empty(len(left) * (WIDTH + 16))
    for low, high in zip(given.edges, given.edges[1:], strict=False):
        width = high - low
        padded = width + (-width) % 16
        tile = buffer[: len(left) * padded].reshape(len(left), padded)
        with one_blas_thread():
            tile[:, :width] = left @ others[low:high].T
        tile[:, width:] = 0.0
        own = first - low if given.negative is None else -len(left) - 1
        for i, each in enumerate(given.groups):
            while each.cuts[at[i] + 1] <= low:
                at[i] += 1
            part = np.zeros((len(left), SUMS))
            add_rows(tile, width, float(1 / each.tau), each.tau < 1, own, part)
            sums[i][:, at[i]] += part
    flat = np.concatenate([s.reshape(len(left), -1) for s in sums], axis=1)
    return np.concatenate([flat, np.zeros((BLOCK - len(left), flat.shape[1]))])


def _below(done: Floats, more: Floats) -> Floats:
    return np.concatenate([done, more])
