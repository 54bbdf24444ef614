"""c*(tau), the constant of `leading-constant`, and what simplices reach of it.

With t = 1/tau and u in (1, 2], a regular simplex of u/(u - 1) points has

    W(u) = u (u - 1 + e^{-2tu}) / (u - 1 + e^{-tu})^2,     lim k (CE - R_dcl) = (W - 1)/2,

and c* = max over real u of (W(u) - 1)/2. The derivative of W has the sign of 1 - h(u),

    h(u) = (u - 1) e^{tu} (1 - 2tu/(e^{tu} - 1)),

and h increases as soon as it is positive, so that W has one peak: the root of h = 1, or u = 2 (the
antipodal pair) if h(2) <= 1, that is if sinh(t)^2 <= t.

>>> leading_constant(Fraction(2)).str(12, radius=False)
'0.980193201640'
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, ctx, fmpq

from numerics.balls import precision

__all__ = ["crossing", "leading_constant", "peak", "ratio_constant", "simplex_constant"]

Ball = Any


def _h(v: Ball, t: Ball) -> Ball:
    """Return h(1 + v)."""
    L = t * (1 + v)
    return v * L.exp() * (1 - 2 * L / L.expm1())


def _constant(v: Ball, t: Ball) -> Ball:
    """Return (W(1 + v) - 1)/2."""
    decay = (-t * (1 + v)).exp()
    return ((1 + v) * (v + decay**2) / (v + decay) ** 2 - 1) / 2


def _ball(value: Fraction) -> Ball:
    return arb(fmpq(value.numerator, value.denominator))


def _bits(t: Fraction, digits: int) -> int:
    """Return a working precision: W - 1 vanishes with t, and grows like e^t."""
    return 64 + 4 * digits + 3 * int(t) + 2 * t.denominator.bit_length()


@lru_cache(maxsize=256)
def peak(t: Fraction, digits: int = 15) -> Ball:
    """Return v = u - 1 at the peak of W, as a ball; 1 + 1/v is the ideal number of points.

    Parameters
    ----------
    t : Fraction
        1/tau, positive.
    digits : int
        Significant digits of v; c* has twice as many.

    Examples
    --------
    >>> (1 + 1 / peak(Fraction(1))).str(6, radius=False)
    '2.39059'
    """
    with precision(_bits(t, digits)):
        slope = _ball(t)
        one = arb(1)
        if slope.sinh() ** 2 < slope:
            return one
        # In y = -log v: h < 1 at y = 2t + 1 (v e^{tu} < 1 there), and h > 1 at y = 0.
        low, high = arb(0), 2 * slope.mid() + 1
        if not _h((-high).exp(), slope) < 1:
            raise ArithmeticError("no bracket for the peak")
        for _ in range(8 * digits + 40):
            middle = ((low + high) / 2).mid()
            value = _h((-middle).exp(), slope)
            if value > 1:
                low = middle
            elif value < 1:
                high = middle
            else:
                break
        return (-low).exp().union((-high).exp()).min(one)


@lru_cache(maxsize=256)
def leading_constant(t: Fraction, digits: int = 15) -> Ball:
    """Return c* at 1/tau = t as a ball with `digits` correct digits.

    Raises
    ------
    ArithmeticError
        If the ball is wider than asked.

    Examples
    --------
    >>> leading_constant(Fraction(1, 2)).str(10, radius=False)
    '0.1067761335'
    """
    v = peak(t, digits)
    with precision(_bits(t, digits)):
        value = _constant(v, _ball(t))
        if value.rel_accuracy_bits() < 3.33 * digits:
            raise ArithmeticError(f"c* was not enclosed to {digits} digits at 1/tau = {t}")
        return value


def ratio_constant(t: Fraction, v: Fraction, digits: int = 15) -> Ball:
    """Return (W(1 + v) - 1)/2 for a simplex of the real number 1 + 1/v of points."""
    with precision(_bits(t, digits)):
        return _constant(_ball(v), _ball(t))


def simplex_constant(t: Fraction, points: int, digits: int = 15) -> Ball:
    """Return lim k (CE - R_dcl) for the regular simplex of that many points (2 or more).

    Examples
    --------
    >>> simplex_constant(Fraction(1), 2).str(8, radius=False)
    '0.29001283'
    """
    return ratio_constant(t, Fraction(1, points - 1), digits)


@lru_cache(maxsize=8)
def crossing(digits: int = 30) -> Ball:
    """Return the root t of sinh(t)^2 = t, up to which the antipodal pair is best.

    sinh(t)^2/t increases, so the root is unique and two signs enclose it.

    Examples
    --------
    >>> crossing(12).str(12, radius=False)
    '0.808068756887'
    """
    with precision(4 * digits + 64):
        low, high = arb("0.5"), arb(1)
        while (high - low) > arb(10) ** (-digits - 2):
            middle = ((low + high) / 2).mid()
            difference = middle.sinh() ** 2 - middle
            if difference < 0:
                low = middle
            elif difference > 0:
                high = middle
            else:
                raise ArithmeticError(f"{ctx.prec} bits do not separate the root")
        return low.union(high)
