"""Monte Carlo kernels for laws on finitely many atoms: alias tables and sums of draws.

``thresholds`` and ``aliases`` are Walker's tables: cell i keeps its own atom with probability
``thresholds[i]``, else gives the atom ``aliases[i]``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import _vm as vm
from numerics._jit import inline, kernel
from numerics._mc_counts import counts_sum, tails_of
from numerics._mc_kernels import LANES

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ALIAS, COUNTS, DIRECT = 0, 1, 2


@kernel
def alias_tables(weights: Floats) -> tuple[Floats, Ints]:
    """Walker's tables of weights that sum to 1 (Vose's construction)."""
    n = weights.size
    share = weights * n
    thresholds = np.ones(n)
    aliases = np.arange(n)
    small = np.empty(n, np.int64)
    large = np.empty(n, np.int64)
    smalls = larges = 0
    for i in range(n):
        if share[i] < 1.0:
            small[smalls] = i
            smalls += 1
        else:
            large[larges] = i
            larges += 1
    while smalls > 0 and larges > 0:
        smalls -= 1
        i = small[smalls]
        j = large[larges - 1]
        thresholds[i] = share[i]
        aliases[i] = j
        share[j] = (share[j] + share[i]) - 1.0
        if share[j] < 1.0:
            larges -= 1
            small[smalls] = j
            smalls += 1
    return thresholds, aliases


@inline
def pick(u: float, thresholds: Floats, aliases: Ints) -> Any:
    """The atom of one uniform number: its leading part picks a cell, the rest decides."""
    x = u * thresholds.size
    i = np.int64(np.int32(x))
    return i if x - np.float64(i) < thresholds[i] else aliases[i]


@kernel
def fill_places(places: Floats, word: Any, step: Any, cells: int) -> None:
    """Uniform numbers on (0, cells)."""
    vm.wide_vectors()
    size = np.float64(cells)
    for i in range(places.size):
        places[i] = vm.to_unit(vm.mix(word)) * size
        word += step


@inline
def _looked_up(x: float, table: Floats, even: bool) -> Any:
    cell = np.int64(np.int32(x))
    if even:
        return table[cell]
    # Chosen by arithmetic: a branch on a random number would be mispredicted.
    return table[3 * cell + 1 + np.int64(x - np.float64(cell) >= table[3 * cell])]


@kernel
def alias_sum(start: Any, step: Any, k: int, table: Floats, cells: int, even: bool) -> float:
    """Sum of k draws from a table of (threshold, value, alias value), or of values if even.

    Four sums in registers, as memory written to might be the table for all the compiler knows.
    """
    places = np.empty(LANES)
    word = start + step
    a = b = c = d = 0.0
    for j in range(0, k, LANES):
        count = min(LANES, k - j)
        fill_places(places[:count], word, step, cells)
        word += step * np.uint64(count)
        full = count - count % 4
        for i in range(0, full, 4):
            a += _looked_up(places[i], table, even)
            b += _looked_up(places[i + 1], table, even)
            c += _looked_up(places[i + 2], table, even)
            d += _looked_up(places[i + 3], table, even)
        for i in range(full, count):
            a += _looked_up(places[i], table, even)
    return (a + b) + (c + d)


@kernel
def pack(table: Floats, row: Floats, thresholds: Floats, aliases: Ints) -> None:
    for i in range(row.size):
        table[3 * i] = thresholds[i]
        table[3 * i + 1] = row[i]
        table[3 * i + 2] = row[aliases[i]]


@kernel
def law_sums(
    out: Floats,
    first: int,
    seed: Any,
    k: int,
    row: Floats,
    weights: Floats,
    thresholds: Floats,
    aliases: Ints,
    mode: int,
) -> None:
    """``out[i]`` = sum of k draws of the values ``row``, one law for every anchor."""
    vm.wide_vectors()
    table = np.empty(3 * row.size)
    pack(table, row, thresholds, aliases)
    tails = tails_of(weights)
    for i in range(out.size):
        start = vm.stream_start(seed, vm.NEGATIVES, first + i)
        step = vm.stream_step(start)
        if mode == COUNTS:
            out[i] = counts_sum(start, step, k, row, weights, tails)
        else:
            out[i] = alias_sum(start, step, k, table, row.size, False)


@kernel
def picks(out: Ints, first: int, seed: Any, role: int, thresholds: Floats, aliases: Ints) -> None:
    """``out[i]`` = the atom that tuple first + i draws in a role."""
    for i in range(out.size):
        start = vm.stream_start(seed, role, first + i)
        out[i] = pick(vm.uniform(start, vm.stream_step(start), 1), thresholds, aliases)
