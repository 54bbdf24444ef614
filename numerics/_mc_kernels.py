"""Monte Carlo kernels for one block of tuples: negatives, positives, losses and their moments.

A tuple is known by its index alone: whoever computes it, in whatever order, gets the same bits.
All exponentials are shifted by the largest possible exponent, 1/tau, so a term is exp((s - 1)/tau)
in [exp(-2/tau), 1]; the caller sees to it that 2/tau <= 700.

Sums run in lanes whose number depends on nothing but the number of terms, and the lanes are summed
by halving: the width of the machine's vectors leaves no trace.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import _vm as vm
from numerics._jit import inline, kernel

Floats = NDArray[np.float64]
LANES = 1024  # partial sums of one tuple: they stay in the first-level cache


@kernel
def open_lanes(lanes: Floats, terms: int) -> int:
    """Clear the lanes a sum needs, a power of two of them; term j goes to lane j mod 1024."""
    used = 1
    while used < LANES and used < terms:
        used *= 2
    lanes[:used] = 0.0
    return used


@kernel
def close_lanes(lanes: Floats, used: int) -> float:
    """The sum of the lanes, by halving."""
    vm.wide_vectors()
    half = used // 2
    while half > 0:
        for lane in range(half):
            lanes[lane] += lanes[lane + half]
        half //= 2
    return lanes[0]  # type: ignore[no-any-return]


# These step through a stream by addition: a product per word would not be strength-reduced.  They
# take the exponent to the base 2, 1/(tau log 2); its rounding moves a term by at most 2e-16/tau.


# Short passes over a buffer keep more of the processor busy than one long chain of operations.
#
# On the circle and on S^2 a similarity is smooth in one uniform number, and half a word is enough:
# midpoints of 2^32 cells in its place leave the mean of exp((s - 1)/tau) as it is to within
# (2^-32 2/tau)^2/24 < 2e-15 of itself (the midpoint rule; less still on the circle).


@kernel
def _fill_halves(buffer: Floats, count: int, word: Any, step: Any) -> None:
    vm.wide_vectors()
    words = (count + 1) // 2
    lower, upper = buffer[:words], buffer[words:]
    for i in range(words):
        bits = vm.mix(word)
        lower[i] = vm.lower_half(bits)
        upper[i] = vm.upper_half(bits)
        word += step


@kernel
def _add_circle(
    lanes: Floats, buffer: Floats, count: int, word: Any, step: Any, scale: float
) -> None:
    vm.wide_vectors()
    _fill_halves(buffer, count, word, step)
    for i in range(count):
        s = vm.sinpi(buffer[i] - 0.5)
        lanes[i] += vm.exp2((s - 1.0) * scale)


@kernel
def _add_sphere_2(
    lanes: Floats, buffer: Floats, count: int, word: Any, step: Any, scale: float
) -> None:
    vm.wide_vectors()
    _fill_halves(buffer, count, word, step)
    slope = 2.0 * scale  # s - 1 = 2 (u - 1)
    for i in range(count):
        lanes[i] += vm.exp2(vm.fma(buffer[i], slope, -slope))


@inline
def _radius(u: float, power: float) -> float:
    """Length of two coordinates of a uniform point of S^{d-1}, d >= 3; power = 2/(d - 2).

    The two are (r cos, r sin) of a uniform angle, with r^2 = 1 - U^{2/(d-2)}.
    """
    return math.sqrt(1.0 - vm.exp(power * vm.log(u)))


@kernel
def _add_sphere(
    lanes: Floats, buffer: Floats, count: int, word: Any, step: Any, scale: float, power: float
) -> None:
    vm.wide_vectors()
    other = word + step
    for i in range(count):
        buffer[i] = vm.to_unit(vm.mix(word))
        word += step + step
    for i in range(count):
        buffer[i] = power * vm.log(buffer[i])
    for i in range(count):
        buffer[i] = math.sqrt(1.0 - vm.exp(buffer[i]))
    for i in range(count):
        buffer[i] *= vm.sinpi(vm.to_unit(vm.mix(other)) - 0.5)  # now similarities
        other += step + step
    for i in range(count):
        lanes[i] += vm.exp2((buffer[i] - 1.0) * scale)


@kernel
def sphere_sums(out: Floats, first: int, seed: Any, d: int, k: int, inverse_tau: float) -> None:
    """``out[i]`` = sum over k uniform points of exp((s - 1)/tau), for tuple first + i."""
    vm.wide_vectors()
    lanes = np.empty(LANES)
    buffer = np.empty(LANES)
    scale = inverse_tau * vm.LOG2E
    power = 2.0 / (d - 2) if d > 2 else 0.0
    for i in range(out.size):
        start = vm.stream_start(seed, vm.NEGATIVES, first + i)
        step = vm.stream_step(start)
        word = start + step
        used = open_lanes(lanes, k)
        for j in range(0, k, LANES):
            count = min(LANES, k - j)
            words = (count + 1) // 2
            if d == 2:
                _add_circle(lanes, buffer, count, word, step, scale)
            elif d == 3:
                _add_sphere_2(lanes, buffer, count, word, step, scale)
            else:
                _add_sphere(lanes, buffer, count, word, step, scale, power)
                words = 2 * count
            word += step * np.uint64(words)
        out[i] = close_lanes(lanes, used)


@kernel
def sphere_positives(out: Floats, first: int, seed: Any, d: int, concentration: float) -> None:
    """``out[i]`` = s - 1, s the similarity of a von Mises-Fisher positive to its mean, the anchor.

    Wood's rejection for every d >= 2: a uniform coordinate t is moved by the Moebius map
    s = (x + t)/(1 + x t) and accepted with probability proportional to
    e^{conc s} (1 - x s)^{d-1}, which is largest at s = x.  Everything is written in 1 - s, so a
    large concentration loses no digits.
    """
    power = 2.0 / (d - 2) if d > 2 else 0.0
    b = (d - 1.0) / (2.0 * concentration + math.hypot(2.0 * concentration, d - 1.0))
    gap = 2.0 * b / (1.0 + b)  # 1 - x
    for i in range(out.size):
        start = vm.stream_start(seed, vm.POSITIVE, first + i)
        step = vm.stream_step(start)
        j = 1
        while True:
            t = vm.sinpi(vm.uniform(start, step, j + 1) - 0.5)
            if d > 2:
                t *= _radius(vm.uniform(start, step, j), power)
            short = gap * (1.0 - t) / (gap + (1.0 - gap) * (1.0 + t))  # 1 - s
            ratio = (gap + (1.0 - gap) * short) / (gap * (2.0 - gap))
            level = concentration * (gap - short) + (d - 1.0) * vm.log(ratio)
            if vm.log(vm.uniform(start, step, j + 2)) <= level:
                break
            j += 3
        out[i] = -short


@kernel
def losses(sums: Floats, gaps: Floats, k: float, inverse_tau: float, infonce: bool) -> None:
    """Overwrite ``sums`` by the losses of tuples whose positives have s - 1 = ``gaps``."""
    log_k = vm.log(k)
    for i in range(sums.size):
        positive = gaps[i] * inverse_tau
        total = sums[i] + vm.exp(positive) if infonce else sums[i]
        sums[i] = vm.log(total) - positive - log_k


@kernel
def exponentials(gaps: Floats, inverse_tau: float) -> None:
    """Overwrite s - 1 by exp((s - 1)/tau)."""
    for i in range(gaps.size):
        gaps[i] = vm.exp(gaps[i] * inverse_tau)


@kernel
def positive_part(total: float, values: Floats, weights: Floats, lanes: Floats) -> float:
    """E_+ log(1 + Y_+/total): what the positive adds to the logarithm of the negatives' sum."""
    vm.wide_vectors()
    used = open_lanes(lanes, values.size)
    for j in range(0, values.size, LANES):
        for i in range(min(LANES, values.size - j)):
            lanes[i] += weights[j + i] * vm.log1p(values[j + i] / total)
    return close_lanes(lanes, used)


@kernel
def known_part(
    out: Floats, means: Floats, rows: NDArray[np.int64], values: Floats, weights: Floats, k: float
) -> None:
    """``out[a]`` = the positive part of anchor a where the negatives' sum has its mean, k mean."""
    vm.wide_vectors()
    lanes = np.empty(LANES)
    for a in range(out.size):
        low, high = rows[a], rows[a + 1]
        out[a] = positive_part(k * means[a], values[low:high], weights[low:high], lanes)


@kernel
def control(
    out: Floats,
    sums: Floats,
    anchors: NDArray[np.int64],
    means: Floats,
    kappas: Floats,
    known: Floats,
    degrees: NDArray[np.int64],
    rows: NDArray[np.int64],
    values: Floats,
    weights: Floats,
    k: float,
    infonce: bool,
) -> None:
    """``out[i]`` = (value, X, X^2 - E X^2) of tuple i, the positive integrated out.

    X = sum/(k mean) - 1; given the anchor, E X = 0 and E X^2 = kappa/k exactly.  The whole value is
    log(1 + X) + E_+ log(1 + Y_+/sum), without the second term for DCL.  An anchor of degree 0 keeps
    it, with zeros for controls.  At degrees 1 and 2, X and X - X^2/2 are left out of log(1 + X),
    and ``known``, its value at X = 0, out of the positive's part; degree 1 has no second control.
    Anchor a has the positives ``values[rows[a]:rows[a + 1]]``.
    """
    vm.wide_vectors()
    lanes = np.empty(LANES)
    for i in range(sums.size):
        a = anchors[i]
        mean = k * means[a]
        x = (sums[i] - mean) / mean
        value = 0.0
        if infonce:
            low, high = rows[a], rows[a + 1]
            value = positive_part(sums[i], values[low:high], weights[low:high], lanes)
        if degrees[a] == 0:
            out[i, 0] = value + (vm.log1p(x) if x > -0.5 else vm.log(sums[i] / mean))
            out[i, 1] = 0.0
        else:
            out[i, 0] = vm.log1p_remainder(x) + (value - known[a])
            out[i, 1] = x
        out[i, 2] = 0.0
        if degrees[a] == 1:
            out[i, 0] -= 0.5 * x * x
        elif degrees[a] == 2:
            out[i, 2] = x * x - kappas[a] / k


@kernel
def moments(rows: Floats) -> Floats:
    """Count, means and sums of products of deviations of the columns, in a fixed order."""
    n, p = rows.shape
    out = np.zeros(1 + p + p * p)
    out[0] = n
    for i in range(n):
        for a in range(p):
            out[1 + a] += rows[i, a]
    for a in range(p):
        out[1 + a] /= n
    for i in range(n):
        for a in range(p):
            for b in range(p):
                out[1 + p + a * p + b] += (rows[i, a] - out[1 + a]) * (rows[i, b] - out[1 + b])
    return out
