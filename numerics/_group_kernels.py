"""Kernels of the pass over groups of negatives: power sums of exp(s/tau) for every anchor.

Five sums over a row of similarities: y, y^2, y^3, s y and s, where y is exp((s - 1)/tau) for
tau < 1, which spans many orders of magnitude, and expm1(s/tau) for tau >= 1, where it is small.
Sums run in 16 fixed lanes, so neither threads nor the width of vectors leave a trace.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from numerics import _vm as vm
from numerics._jit import inline, kernel
from numerics._mc_kernels import close_lanes

Floats = NDArray[np.float64]

SUMS = 5


@inline
def expm1(x: float) -> float:
    """e^x - 1 for -1.1 <= x <= 1.1: a Taylor polynomial, with an error below 1e-16 of the value."""
    total = 1.0
    for j in range(19, 1, -1):
        total = vm.fma(total, x / j, 1.0)
    return total * x


@kernel
def _shifted(row: Floats, similarities: Floats, inverse_tau: float) -> None:
    vm.wide_vectors()
    for j in range(row.size):
        row[j] = vm.exp((similarities[j] - 1.0) * inverse_tau)


@kernel
def _centred(row: Floats, similarities: Floats, inverse_tau: float) -> None:
    vm.wide_vectors()
    for j in range(row.size):
        row[j] = expm1(similarities[j] * inverse_tau)


@kernel
def _add(row: Floats, similarities: Floats, lanes: Floats) -> None:
    """Add the five sums to ``lanes`` (5 x 16); both rows have a multiple of 16 entries."""
    vm.wide_vectors()
    first, second, third, cross, plain = lanes[0], lanes[1], lanes[2], lanes[3], lanes[4]
    for j in range(0, row.size, 16):
        for lane in range(16):
            y = row[j + lane]
            s = similarities[j + lane]
            first[lane] += y
            second[lane] += y * y
            third[lane] += y * y * y
            cross[lane] += s * y
            plain[lane] += s


@kernel
def add_rows(
    tile: Floats, width: int, inverse_tau: float, shifted: bool, own: int, sums: Floats
) -> None:
    """Add the sums over ``tile[:, :width]`` to ``sums`` (rows x 5).

    ``shifted`` says which y: exp((s - 1)/tau) or expm1(s/tau).  The tile has a multiple of 16
    columns; those from ``width`` on hold zeros.  In row i the entry ``own + i`` is left out if it
    lies in the tile: the similarity of an anchor to itself.
    """
    lanes = np.empty((SUMS, 16))
    row = np.zeros(tile.shape[1])
    for i in range(tile.shape[0]):
        similarities = tile[i]
        if shifted:
            _shifted(row[:width], similarities[:width], inverse_tau)
        else:
            _centred(row[:width], similarities[:width], inverse_tau)
        lanes[:] = 0.0
        mine = own + i
        if 0 <= mine < width:
            kept = similarities[mine]
            similarities[mine] = 0.0
            row[mine] = 0.0
            _add(row, similarities, lanes)
            similarities[mine] = kept
        else:
            _add(row, similarities, lanes)
        for which in range(SUMS):
            sums[i, which] += close_lanes(lanes[which], 16)
