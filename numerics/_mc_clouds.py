"""Monte Carlo kernels for clouds: finitely many anchors, each with its own row of similarities.

Anchors are rows of ``points``; negatives are rows of ``others`` (``columns`` is its transpose).
With ``exclude`` the two are the same cloud and anchor a is left out of its own negatives, which are
then uniform on the rest.  Tuples of a block are taken in ``order`` of their anchors, so a row is
computed once for all its tuples.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import _vm as vm
from numerics._jit import kernel
from numerics._mc_atoms import COUNTS, DIRECT, alias_sum, pack
from numerics._mc_counts import counts_sum, tails_of
from numerics._mc_kernels import LANES, close_lanes, open_lanes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def _dot(x: Floats, y: Floats, lanes: Floats) -> float:
    """Inner product in 16 lanes."""
    vm.wide_vectors()
    full = x.size - x.size % 16
    lanes[:] = 0.0
    for j in range(0, full, 16):
        for lane in range(16):
            lanes[lane] += x[j + lane] * y[j + lane]
    for j in range(full, x.size):
        lanes[j - full] += x[j] * y[j]
    return close_lanes(lanes, 16)


@kernel
def fill_row(row: Floats, point: Floats, columns: Floats, inverse_tau: float) -> None:
    """``row[j]`` = exp((<point, column j> - 1)/tau), a stretch of the cache at a time."""
    vm.wide_vectors()
    for low in range(0, row.size, 1024):
        high = min(row.size, low + 1024)
        part = row[low:high]
        part[:] = 0.0
        for i in range(point.size):
            x = point[i]
            column = columns[i, low:high]
            for j in range(part.size):
                part[j] += x * column[j]
        for j in range(part.size):
            part[j] = vm.exp((part[j] - 1.0) * inverse_tau)


@kernel
def _drop(row: Floats, a: int) -> None:
    """Close the gap that leaving out entry a makes."""
    for j in range(a, row.size - 1):
        row[j] = row[j + 1]


@kernel
def _direct_sum(
    start: Any, step: Any, k: int, a: int, exclude: bool, point: Floats, others: Floats, tau1: float
) -> float:
    """Sum of k even draws whose similarities are computed one by one: for k well below N."""
    lanes = np.empty(LANES)
    work = np.empty(16)
    size = np.float64(others.shape[0] - 1 if exclude else others.shape[0])
    used = open_lanes(lanes, k)
    for i in range(k):
        j = np.int64(vm.uniform(start, step, i + 1) * size)
        if exclude and j >= a:
            j += 1
        lanes[i % LANES] += vm.exp((_dot(point, others[j], work) - 1.0) * tau1)
    return close_lanes(lanes, used)


@kernel
def cloud_sums(
    out: Floats,
    first: int,
    seed: Any,
    k: int,
    inverse_tau: float,
    points: Floats,
    others: Floats,
    columns: Floats,
    weights: Floats,
    thresholds: Floats,
    aliases: Ints,
    even: bool,
    exclude: bool,
    mode: int,
    anchors: Ints,
    order: Ints,
) -> None:
    """``out[i]`` = sum over k negatives of the anchor ``anchors[i]``, for tuple first + i."""
    vm.wide_vectors()
    n = others.shape[0]
    cells = n - 1 if exclude else n
    full = np.empty(n)
    row = full[:cells]
    table = np.empty(0 if even else 3 * cells)
    tails = tails_of(weights)
    last = -1
    for t in range(order.size):
        i = order[t]
        a = anchors[i]
        start = vm.stream_start(seed, vm.NEGATIVES, first + i)
        step = vm.stream_step(start)
        if mode == DIRECT:
            out[i] = _direct_sum(start, step, k, a, exclude, points[a], others, inverse_tau)
            continue
        if a != last:
            fill_row(full, points[a], columns, inverse_tau)
            if exclude:
                _drop(full, a)
            if not even:
                pack(table, row, thresholds, aliases)
            last = a
        if mode == COUNTS:
            out[i] = counts_sum(start, step, k, row, weights, tails)
        else:
            out[i] = alias_sum(start, step, k, row if even else table, cells, even)


@kernel
def paired_gaps(out: Floats, points: Floats, positives: Floats, anchors: Ints) -> None:
    """``out[i]`` = s - 1 for the one positive of each anchor."""
    work = np.empty(16)
    for i in range(out.size):
        out[i] = _dot(points[anchors[i]], positives[anchors[i]], work) - 1.0


@kernel
def drawn_gaps(
    out: Floats, first: int, seed: Any, points: Floats, laws: Floats, anchors: Ints
) -> None:
    """``out[i]`` = s - 1 for a positive drawn from row ``anchors[i]`` of ``laws``, by inversion."""
    work = np.empty(16)
    for i in range(out.size):
        law = laws[anchors[i]]
        start = vm.stream_start(seed, vm.POSITIVE, first + i)
        left = vm.uniform(start, vm.stream_step(start), 1) * law.sum()
        chosen = 0
        for j in range(law.size):
            if law[j] > 0.0:
                chosen = j
                if left < law[j]:
                    break
                left -= law[j]
        out[i] = _dot(points[anchors[i]], points[chosen], work) - 1.0


@kernel
def cloud_moments(
    out: Floats,
    low: int,
    inverse_tau: float,
    points: Floats,
    columns: Floats,
    weights: Floats,
    exclude: bool,
) -> None:
    """``out[i]`` = mean, and cumulants kappa_2, kappa_3 over its powers, of anchor low + i."""
    full = np.empty(columns.shape[1])
    row = full[: weights.size]
    for i in range(out.shape[0]):
        fill_row(full, points[low + i], columns, inverse_tau)
        if exclude:
            _drop(full, low + i)
        mean = 0.0
        for j in range(row.size):
            mean += weights[j] * row[j]
        second = third = 0.0
        for j in range(row.size):
            x = row[j] / mean - 1.0
            second += weights[j] * x * x
            third += weights[j] * x * x * x
        out[i, 0] = mean
        out[i, 1] = second
        out[i, 2] = third
