"""Kernels of the embedding pass: powers of exp((s - 1)/tau), summed over rows and columns.

Sums over a row run in 16 fixed lanes and sums over a column in the order of the rows, so neither
the number of threads nor the width of the machine's vectors leaves a trace.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import _vm as vm
from numerics._jit import kernel
from numerics._mc_kernels import close_lanes

Floats = NDArray[np.float64]


@kernel
def _exponentials(row: Floats, similarities: Any, inverse_tau: float) -> None:
    vm.wide_vectors()
    for j in range(row.size):
        row[j] = vm.exp((np.float64(similarities[j]) - 1.0) * inverse_tau)


@kernel
def _add_columns(row: Floats, first: Floats, second: Floats, third: Floats) -> None:
    vm.wide_vectors()
    for j in range(row.size):
        e = row[j]
        first[j] += e
        second[j] += e * e
        third[j] += e * e * e


@kernel
def _add_row(row: Floats, lanes: Floats) -> None:
    """Add a row and its powers to ``lanes`` (3 x 16); its length is a multiple of 16."""
    vm.wide_vectors()
    first, second, third = lanes[0], lanes[1], lanes[2]
    for j in range(0, row.size, 16):
        for lane in range(16):
            e = row[j + lane]
            first[lane] += e
            second[lane] += e * e
            third[lane] += e * e * e


@kernel
def add_tile(tile: Any, inverse_tau: float, own: bool, rows: Floats, columns: Floats) -> None:
    """Add a tile of similarities to sums over its rows and, if there are any, over its columns.

    ``rows`` is 3 x height (first, second and third powers), ``columns`` 3 x width or 3 x 0.  With
    ``own`` the diagonal is left out: it holds the similarity of each point to itself.
    """
    vm.wide_vectors()
    height, width = tile.shape
    row = np.zeros(width + (-width) % 16)
    lanes = np.empty((3, 16))
    for i in range(height):
        _exponentials(row[:width], tile[i], inverse_tau)
        if own:
            row[i] = 0.0
        if columns.shape[1] > 0:
            _add_columns(row[:width], columns[0], columns[1], columns[2])
        lanes[:] = 0.0
        _add_row(row, lanes)
        for power in range(3):
            rows[power, i] += close_lanes(lanes[power], 16)
