"""Risk, limit and bias to any number of digits, correctly rounded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from numerics import wide
from numerics.balls import precision
from numerics.digits import decimal, magnitude
from numerics.exact import MAX_K, Loss, check_tau
from numerics.laws import World
from numerics.parse import InputError

__all__ = ["DecimalRisk", "evaluate_digits"]

MAX_DIGITS = 1000
#: Digits beyond those wanted, at first.
SPARE = 6
ATTEMPTS = 5


@dataclass(frozen=True)
class DecimalRisk:
    """One risk in nats, normalised by k: decimals without exponent, correctly rounded."""

    risk: str
    limit: str
    bias: str


def evaluate_digits(
    world: World, tau: Fraction, k: int, loss: Loss = "infonce", digits: int = 15
) -> DecimalRisk:
    """Risk, limit and bias = risk - limit, rounded half even to ``digits`` significant digits.

    Every number is evaluated at rising precision, each time with other nodes, until two successive
    values and ten times their distance round to the same decimal.  A number that is still not told
    from 0 after five more rounds (by then with some 190 digits to spare) is returned as 0.

    Parameters
    ----------
    world, tau, k, loss
        As in :func:`numerics.exact.evaluate`.
    digits : int
        From 1 to 1000.

    Raises
    ------
    InputError
        If tau, k or digits is out of range.

    Examples
    --------
    >>> from numerics.worlds import Classes
    >>> evaluate_digits(Classes(100), Fraction(1, 10), 10**12, "dcl", 30).bias
    '-0.0000000000490535629580808355003856648132'
    """
    check_tau(tau)
    if not 1 <= k <= MAX_K:
        raise InputError("k", k, f"must be between 1 and {MAX_K}")
    if not 1 <= digits <= MAX_DIGITS:
        raise InputError("digits", digits, f"must be between 1 and {MAX_DIGITS}")
    quick = _by_wide_floats(world, tau, k, loss, digits) if wide.suits(world, digits) else None
    if quick is not None:
        return quick
    work, step = digits + SPARE, SPARE
    before = _values(world, tau, k, loss, work)
    for _ in range(ATTEMPTS):
        work, step = max(work + step, digits + SPARE + _lost(before)), 2 * step
        now = _values(world, tau, k, loss, work)
        found = [_rounded(x, y, digits) for x, y in zip(before, now, strict=True)]
        if None not in found:
            break
        before = now
    if not all(x.is_finite() for x in before):
        raise ArithmeticError(f"no finite balls for {world.spec()}, tau = {tau}, k = {k}")
    return DecimalRisk(*(x or "0" for x in found))


def _by_wide_floats(
    world: World, tau: Fraction, k: int, loss: Loss, digits: int
) -> DecimalRisk | None:
    """The result from long doubles, unless a number is too close to a change of digits."""
    limit, dcl, gap = wide.wide_parts(world, tau, k)
    bias = dcl if loss == "dcl" else dcl + gap
    one, two = wide.errors(tau, dcl, gap)
    found = []
    for value, error in ((limit + bias, one + two), (limit, one), (bias, two)):
        low, high = decimal(value - error, digits), decimal(value + error, digits)
        if low != high:
            return None
        found.append(low)
    return DecimalRisk(*found)


def _values(world: World, tau: Fraction, k: int, loss: Loss, digits: int) -> tuple[Any, Any, Any]:
    """Risk, limit and bias as balls."""
    limit, dcl, gap = ball_parts(world, tau, k, digits)
    with precision(10 * digits + 4000):  # sums without rounding
        bias = dcl if loss == "dcl" else dcl + gap
        return limit + bias, limit, bias


def ball_parts(world: World, tau: Fraction, k: int, digits: int) -> tuple[Any, Any, Any]:
    """CE, the bias of DCL and R - Rt as balls of about ``digits`` digits.

    The balls hold rounding errors, not those of the rules, which are of that size too.
    """
    from flint import arb

    from numerics.ball_integrals import guard_bits, integrals
    from numerics.ball_laws import ball_laws

    nats = digits * math.log(10)
    bits = math.ceil(nats / math.log(2)) + guard_bits(world, float(tau), k)
    with precision(bits):
        limit, dcl, gap = arb(0), arb(0), arb(0)
        for law in ball_laws(world, tau, nats):
            one = integrals(law, tau, k, nats)
            limit += law.weight * one.limit
            dcl += law.weight * one.dcl
            gap += law.weight * one.gap
        return limit, dcl, gap


def _lost(values: tuple[Any, Any, Any]) -> int:
    """Digits that cancel in the smallest of the values, as far as they can be told from 0."""
    sizes = [_exact(x.abs_lower()) for x in values if x.is_finite()]
    some = [x for x in sizes if x > 0]
    return magnitude(max(some)) - magnitude(min(some)) if some else 0


def _rounded(before: Any, now: Any, digits: int) -> str | None:
    """The decimal that ``now`` rounds to, if its uncertainty leaves no other."""
    if not (before.is_finite() and now.is_finite()):
        return None
    old, new, radius = (_exact(x) for x in (before.mid(), now.mid(), now.rad()))
    slack = 10 * abs(new - old) + 2 * radius
    low, high = decimal(new - slack, digits), decimal(new + slack, digits)
    return low if low == high else None


def _exact(ball: Any) -> Fraction:
    """The rational at the centre of an exact ball."""
    mantissa, exponent = ball.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
