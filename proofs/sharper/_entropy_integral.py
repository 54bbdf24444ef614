r"""The entropy integral of a ball of parameters, in balls and in float64.

    Phi(r) = integral from 0 to 1/2 of sqrt(log(1 + r/x)) dx

With v = sqrt(log(1 + r/x)), that is x = r/(e^{v^2} - 1), integration by parts gives

    Phi(r) = v_0/2 + integral from v_0 to infinity of r/(e^{v^2} - 1) dv,   v_0 = sqrt(log(1 + 2r)),

and the geometric series of 1/(e^{v^2} - 1) turns the last integral into

    r (sqrt(pi)/2) sum over m >= 1 of erfc(v_0 sqrt(m))/sqrt(m).

Since erfc(y) <= e^{-y^2}, the terms beyond M add up to at most (1 + 2r)^{-M}/(2r).

>>> from fractions import Fraction
>>> entropy_integral(Fraction(2), 20).str(18, radius=False)
'0.779626666685508023'
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from numerics.balls import precision

__all__ = ["entropy_integral", "entropy_integral_float", "integral_of_ball"]

Ball = Any


def entropy_integral(r: Fraction, digits: int = 15) -> Ball:
    """Return Phi(r) as a ball with `digits` correct digits.

    Parameters
    ----------
    r : Fraction
        Positive.
    digits : int
        Significant digits.

    Raises
    ------
    ValueError
        If r is not positive.
    """
    from flint import arb, fmpq

    if r <= 0:
        raise ValueError(f"r must be positive, got {r}")
    bits = 4 * digits + 64
    with precision(bits):
        return integral_of_ball(arb(fmpq(r.numerator, r.denominator)), bits)


def integral_of_ball(r: Ball, bits: int) -> Ball:
    """Return Phi of a ball of positive numbers, at the working precision; the tail is enclosed."""
    from flint import arb

    root = (2 * r).log1p().sqrt()
    total, term = arb(0), 0
    terms = math.ceil(bits * math.log(2) / float((2 * r).log1p().lower())) + 1
    for term in range(1, terms + 1):
        total += (root * arb(term).sqrt()).erfc() / arb(term).sqrt()
    tail = (1 + 2 * r) ** (-term) / (2 * r)
    total += tail.union(arb(0))
    return root / 2 + r * arb.pi().sqrt() / 2 * total


def entropy_integral_float(r: float) -> float:
    """Return Phi(r) in float64.

    >>> round(entropy_integral_float(2.0), 12)
    0.779626666686
    """
    from scipy.special import erfc

    root = math.sqrt(math.log1p(2 * r))
    terms = range(1, math.ceil(40 / root**2) + 2)
    total = math.fsum(float(erfc(root * math.sqrt(m))) / math.sqrt(m) for m in terms)
    return root / 2 + r * math.sqrt(math.pi) / 2 * total
