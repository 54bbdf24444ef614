"""Monte Carlo kernels for many draws from few atoms: exact binomial and multinomial counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import _vm as vm
from numerics._jit import inline, kernel

Floats = NDArray[np.float64]


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
