"""The bias of a weighted average whose density has no second moment, in balls.

pi is uniform on (0, 1), nu has density w(x) = x^{-3/4}/4, and f is 1 for x > 1/16 and -1 below (w
below 2, and above). Of m draws the average of f, weighted by w, has mean

    E T = int_0^inf N(y/m) L(y/m)^{m-1} dy,   L(v) = E_pi e^{-vw},  N(v) = E_nu[f e^{-vw}],

while E_nu f = 0. In s = y^{1/3} the integrand is an entire function, so that Arb's integration
needs no care for branch cuts; beyond y = Y what is left is at most 4 e^{-Y/4}, since w >= 1/4.

>>> bias(1000).str(10, radius=False)
'0.08450690612'
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import acb, arb, fmpq

from numerics.balls import precision

__all__ = ["bias"]

Ball = Any
#: Where the integral over y is cut off.
REACH = 160


def _tail(level: Fraction, v: Ball, root: Ball) -> Ball:
    """Return the mean of e^{-vw} over w > level under nu; root is the cube root of v."""
    a = arb(fmpq(level.numerator, level.denominator))
    series = (-a * v).hypgeom_1f1(acb(fmpq(-1, 3)), acb(fmpq(2, 3)))
    whole = arb(fmpq(-1, 3)).gamma() * root + 3 * a ** (-arb(1) / 3) * series
    return arb(4) ** (-arb(1) / 3) / 3 * whole


def transforms(v: Ball, root: Ball) -> tuple[Ball, Ball]:
    """Return L(v) and N(v); root is the cube root of v.

    >>> with precision(64):
    ...     laplace, weighted = transforms(acb(0), acb(0))
    >>> laplace.real.str(5, radius=False), bool(abs(weighted) < 1e-15)
    ('1.0000', True)
    """
    power = arb(fmpq(-4, 3)).gamma() * 4 / 3 * arb(4) ** (-arb(4) / 3)
    laplace = (-v / 4).hypgeom_1f1(acb(fmpq(-4, 3)), acb(fmpq(-1, 3))) + power * root**4
    everywhere, heavy = (_tail(level, v, root) for level in (Fraction(1, 4), Fraction(2)))
    return laplace, everywhere - 2 * heavy


def bias(m: int, bits: int = 96) -> Ball:
    """Return the bias E T - E_nu f of the average over m draws as a ball.

    Examples
    --------
    >>> [bias(m).str(6, radius=False) for m in (10, 10**5)]
    ['0.497834', '0.0167941']
    """
    with precision(bits):

        def integrand(s: Ball, _analytic: bool) -> Ball:
            laplace, weighted = transforms(s**3 / m, s / arb(m).root(3))
            return 3 * s**2 * weighted * laplace ** (m - 1)

        tolerance = arb(2) ** -40
        value = acb.integral(
            integrand, acb(0), acb(arb(REACH).root(3)), rel_tol=tolerance, abs_tol=tolerance
        )
        left = 4 * (-arb(REACH) / 4).exp()
        return value.real + arb(0, left.upper())
