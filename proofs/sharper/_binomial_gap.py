"""The Jensen gap of a logarithm over k two-point draws, exact for every k, in balls.

Y_1, .., Y_k are iid, e^{spread} with probability p and 1 otherwise (the gap does not change with
the scale of Y). With z = e^{spread} - 1 and mu = 1 + pz the mean of one draw,

    gap_k(p) = log mu - E log(1 + zJ/k),   J ~ Bin(k, p).

Two routes share the work: the sum over J where few terms matter, beyond that Taylor's formula with
the central moments of J and a remainder of one sign. Both return balls that hold the truth.

>>> gap(1, arb(0.5), Fraction(2)).str(10, radius=False)  # log cosh 1
'0.4337808305'
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from numerics.balls import precision

__all__ = ["gap", "mean", "mean_log", "relative_variance"]

Ball = Any


def _many(k: int, p: Ball, bits: int) -> bool:
    """Tell whether J varies enough for 32 moments to give the gap to that many bits."""
    return bool(p * (1 - p) * k > arb(2) ** ((bits + 75) / 15))


def _excess(spread: Fraction) -> Ball:
    """Return z = e^{spread} - 1 at the working precision."""
    return arb(fmpq(spread.numerator, spread.denominator)).expm1()


def mean(p: Ball, spread: Fraction) -> Ball:
    """Return mu = 1 + pz."""
    return 1 + p * _excess(spread)


def relative_variance(p: Ball, spread: Fraction) -> Ball:
    """Return Var(Y)/mu^2 of one draw."""
    ratio = _excess(spread) / mean(p, spread)
    return p * (1 - p) * ratio * ratio


def gap(k: int, p: Ball, spread: Fraction, bits: int = 53) -> Ball:
    """Return the gap, in nats, as a ball with at least `bits` correct bits.

    Parameters
    ----------
    k : int
        Number of draws, at least 1.
    p : Ball
        Probability of the larger value, an exact number in (0, 1).
    spread : Fraction
        Logarithm of the larger value over the smaller, positive.
    bits : int
        Relative accuracy; the working precision grows until it is reached.

    Raises
    ------
    ArithmeticError
        If the accuracy is out of reach.

    Examples
    --------
    >>> gap(10**9, arb(0.5), Fraction(1), 60).str(15, radius=False)  # near tanh(1/2)^2/(2k)
    '1.06776133551240e-10'
    """
    work = bits + 64 + k.bit_length()
    for factor in (1, 2, 4, 8, 16, 64):
        with precision(factor * work):
            if _many(k, p, bits):
                value = _gap_by_moments(k, p, spread)
            else:
                value = mean(p, spread).log() - mean_log(k, p, spread)
            if value.rel_accuracy_bits() >= bits:
                return value
    raise ArithmeticError(f"the gap was not enclosed to {bits} bits at k = {k}, p = {p}")


def mean_log(k: int, p: Ball, spread: Fraction) -> Ball:
    """Return a ball around E log(1 + zJ/k), J ~ Bin(k, p), for an exact p in [0, 1].

    It is concave in p: a Bernstein polynomial of a concave function.
    """
    z = _excess(spread)
    if p == 0 or p == 1:
        return p * arb(fmpq(spread.numerator, spread.denominator))
    if _many(k, p, ctx.prec // 2):
        return (1 + p * z).log() - _gap_by_moments(k, p, spread)
    if not 1 - p > 0:
        return arb("nan")  # too few bits to tell p from 1
    odds = p / (1 - p)
    start = int(((k + 1) * p).mid().floor().unique_fmpz())
    weight = _binomial_weight(k, min(start, k), p)
    return _upward(k, min(start, k), weight, odds, z) + _downward(k, min(start, k), weight, odds, z)


def _binomial_weight(k: int, j: int, p: Ball) -> Ball:
    """Return P(J = j), through the shorter of the two products."""
    few, chance, other = (j, p, 1 - p) if 2 * j <= k else (k - j, 1 - p, p)
    weight = ((k - few) * other.log()).exp()
    for i in range(few):
        weight = weight * (k - i) * chance / (i + 1)
    return weight


def _upward(k: int, j: int, weight: Ball, odds: Ball, z: Ball) -> Ball:
    """Return the sum over J >= j; beyond the last term a geometric series bounds it."""
    small = arb(2) ** (-ctx.prec - 8)
    total = weight * (z * j / k).log1p()
    while j < k:
        weight = weight * odds * (k - j) / (j + 1)
        j += 1
        term = weight * (z * j / k).log1p()
        total += term
        if not weight > 0:
            return arb("nan")  # too few bits for the weights
        ratio = odds * (k - j) / (j + 1)
        if ratio < 0.5 and term < small * total:
            # log(1 + zi/k) <= log(1 + zj/k) + (i - j)/j
            tail = term * ratio / (1 - ratio) + weight * ratio / ((1 - ratio) * (1 - ratio) * j)
            return total + arb(0).union(tail.upper())
    return total


def _downward(k: int, j: int, weight: Ball, odds: Ball, z: Ball) -> Ball:
    """Return the sum over J < j."""
    small = arb(2) ** (-ctx.prec - 8)
    total = arb(0)
    while j > 0:
        weight = weight * j / (odds * (k - j + 1))
        j -= 1
        term = weight * (z * j / k).log1p()
        total += term
        if not weight > 0:
            return arb("nan")
        ratio = arb(j) / (odds * (k - j + 1))
        if j > 0 and ratio < 0.5 and term < small * total:
            return total + arb(0).union((term * ratio / (1 - ratio)).upper())
    return total


def _gap_by_moments(k: int, p: Ball, spread: Fraction) -> Ball:
    """Return -E log(1 + D), D = (J - kp) z/(k mu), by Taylor's formula.

    -log(1 + D) is at least its Taylor polynomial of odd order r - 1, and exceeds it by at most
    G D^r with equality at the least D = 1/mu - 1 = -y: G = sum of y^i/(r + i) over i >= 0.
    """
    mu = mean(p, spread)
    step = _excess(spread) / (k * mu)
    y = 1 - 1 / mu
    for order in (8, 16, 32):
        moments = _central_moments(k, p, order)
        value = sum((moments[i] * (-step) ** i / i for i in range(2, order)), arb(0))
        excess = (mu.log() / y**order).min(mu / order)
        remainder = moments[order] * step**order * excess
        if remainder < arb(2) ** (-ctx.prec // 2) * value:
            break
    return value + arb(0).union(remainder.upper())


def _central_moments(k: int, p: Ball, order: int) -> list[Ball]:
    """Return E (J - kp)^i for i = 0 .. order, from the cumulants of one Bernoulli variable."""
    mgf, factorial = [arb(1)], 1
    for i in range(1, order + 1):
        factorial *= i
        mgf.append(p / factorial)
    cumulant = [arb(0)] * (order + 1)  # Taylor coefficients of log mgf, without the linear one
    full = list(cumulant)
    for i in range(1, order + 1):
        lower = sum((j * full[j] * mgf[i - j] for j in range(1, i)), arb(0))
        full[i] = mgf[i] - lower / i
        cumulant[i] = k * full[i] if i > 1 else arb(0)
    central = [arb(1)]
    for i in range(1, order + 1):
        central.append(sum((j * cumulant[j] * central[i - j] for j in range(1, i + 1)), arb(0)) / i)
    factorial = 1
    moments = [arb(1)]
    for i in range(1, order + 1):
        factorial *= i
        moments.append(central[i] * factorial)
    return moments
