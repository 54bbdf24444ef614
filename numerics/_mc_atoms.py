"""Monte Carlo kernels for laws on finitely many atoms: alias tables and multinomial counts.

``thresholds`` and ``aliases`` are Walker's tables: cell i keeps its own atom with probability
``thresholds[i]``, else gives the atom ``aliases[i]``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import _vm as vm
from numerics._jit import inline, kernel
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


@inline
def _stirling(n: float) -> float:
    """Stirling's error, log n! - [(n + 1/2) log n - n + log(2 pi)/2] for n >= 1."""
    if n < 16.0:
        exact = math.lgamma(n + 1.0)
        return exact - ((n + 0.5) * math.log(n) - n + 0.9189385332046727)
    z = 1.0 / (n * n)
    return (1 / 12 - z * (1 / 360 - z * (1 / 1260 - z * (1 / 1680 - z / 1188)))) / n


@inline
def _deviance(x: float, m: float) -> float:
    """Deviance x log(x/m) + m - x >= 0, without cancellation where x is near m (Loader)."""
    if x == 0.0:
        return m
    d = x - m
    if abs(d) >= 0.1 * (x + m):
        return x * math.log(x / m) - d
    v = d / (x + m)
    total = d * v
    term = 2.0 * x * v
    for j in range(1, 40):
        term *= v * v
        more = total + term / (2 * j + 1)
        if more == total:
            break
        total = more
    return total


@kernel
def _log_pmf(x: float, n: float, p: float) -> float:
    """Logarithm of the binomial probability of x, plus log(2 pi)/2."""
    q = 1.0 - p
    if x == 0.0:
        return n * math.log1p(-p) + 0.9189385332046727
    if x == n:
        return n * math.log(p) + 0.9189385332046727
    return (
        _stirling(n)
        - _stirling(x)
        - _stirling(n - x)
        - _deviance(x, n * p)
        - _deviance(n - x, n * q)
        + 0.5 * math.log(n / (x * (n - x)))
    )


@kernel
def binomial(start: Any, step: Any, j: int, n: float, p: float) -> tuple[float, int]:
    """A binomial count from word j of a stream on, and the first word not used; n <= 2^53.

    Inversion where n p < 10, else Hormann's transformed rejection (BTRS).
    """
    if p <= 0.0 or n <= 0.0:
        return 0.0, j
    if p >= 1.0:
        return n, j
    if p > 0.5:
        rest, j = binomial(start, step, j, n, 1.0 - p)
        return n - rest, j
    if n * p < 10.0:
        first = math.exp(n * math.log1p(-p))
        while True:
            u = vm.uniform(start, step, j)
            j += 1
            x = 0.0
            mass = first
            while u > mass and x < n and mass > 0.0:
                u -= mass
                x += 1.0
                mass *= (n - x + 1.0) / x * (p / (1.0 - p))
            if u <= mass:
                return x, j
    spread = math.sqrt(n * p * (1.0 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    alpha = (2.83 + 5.1 / b) * spread
    top = _log_pmf(math.floor((n + 1.0) * p), n, p)
    while True:
        u = vm.uniform(start, step, j) - 0.5
        v = vm.uniform(start, step, j + 1)
        j += 2
        inside = 0.5 - abs(u)
        x = math.floor((2.0 * a / inside + b) * u + n * p + 0.5)
        if inside >= 0.07 and v <= 0.92 - 4.2 / b:
            return x, j
        if x < 0.0 or x > n:
            continue
        if math.log(v * alpha / (a / (inside * inside) + b)) <= _log_pmf(x, n, p) - top:
            return x, j


@kernel
def counts_sum(start: Any, step: Any, k: int, row: Floats, weights: Floats, tails: Floats) -> float:
    """The same sum from multinomial counts: cost in the number of atoms, not in k."""
    left = np.float64(k)
    total = 0.0
    j = 1
    for i in range(row.size):
        if left == 0.0:
            break
        count, j = binomial(start, step, j, left, weights[i] / tails[i])
        total += count * row[i]
        left -= count
    return total


@kernel
def tails_of(weights: Floats) -> Floats:
    """``tails[i]`` = the sum of ``weights[i:]``, from the end, so that the last ratio is 1."""
    tails = weights.copy()
    for i in range(weights.size - 2, -1, -1):
        tails[i] += tails[i + 1]
    return tails


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
