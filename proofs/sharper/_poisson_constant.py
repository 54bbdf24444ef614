"""C*, the constant of `lemma-2-sharp`, certified to any number of digits by ball arithmetic.

    C* = sup over K, L > 0 of  F(K, L) = 8 K (log(K + L) - E log(K + J)),   J ~ Poisson(L).

F is below 1.0097 far out (x = L/K small or large, K small or large: the statement says how). A box
is left. On a small rectangle about the maximiser the Hessian of F is negative definite
(:func:`poisson_constant`). Elsewhere four corners decide a box (:func:`certify_outside_peak`):
E log(K + J) is concave in K and in L, so it lies above the bilinear interpolant of its values at
the corners; log(K + L) lies below a tangent plane and c/K above a tangent line; what remains to be
compared is bilinear.

>>> poisson_constant(digits=30).str(30, radius=False)
'1.00978741389839460120692403156'
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, ctx, fmpq

from numerics.balls import BoxReport, interval, precision

__all__ = [
    "PEAK",
    "RECTANGLE",
    "certify_outside_peak",
    "certify_value",
    "excess",
    "mean_log",
    "poisson_constant",
]

#: Where F is largest, to eight digits: (K, L).
PEAK = (Fraction("2.2386167"), Fraction("2.6420170"))
#: The rectangle about it on which F is concave: ranges of K and of L.
RECTANGLE = (
    (PEAK[0] - Fraction(1, 20_000), PEAK[0] + Fraction(1, 20_000)),
    (PEAK[1] - Fraction(1, 16_000), PEAK[1] + Fraction(1, 16_000)),
)

Ball = Any
Corner = tuple[Any, Any]


def _poisson_mean(
    function: Callable[[Ball], Ball], slope: Callable[[Ball], Ball], shift: Ball, rate: Ball
) -> Ball:
    """Return a ball around E f(shift + J), J ~ Poisson(rate), for exact arguments.

    From the last term j on, |f| is at most |f(shift + j)| plus `slope` a unit, and the weights fall
    at least as fast as a geometric series.
    """
    weight = (-rate).exp()
    total = weight * function(shift)
    j = 0
    while True:
        j += 1
        weight = weight * rate / j
        term = weight * function(shift + j)
        total += term
        ratio = rate / (j + 1)
        if ratio < 0.5 and weight < arb(2) ** (-ctx.prec - 8):
            break
    tail = abs(term) * ratio / (1 - ratio) + weight * slope(shift + j) * ratio / (1 - ratio) ** 2
    return total + arb(0, tail.upper())


def mean_log(shift: Ball, rate: Ball) -> Ball:
    """Return a ball around E log(shift + J), J ~ Poisson(rate), for exact positive arguments.

    >>> bool(mean_log(arb(2), arb(0.5)) < arb("2.5").log())
    True
    """
    return _poisson_mean(lambda y: y.log(), lambda y: 1 / y, arb(shift), arb(rate))


def excess(shift: Ball, rate: Ball) -> Ball:
    """Return a ball around F(shift, rate) for exact positive arguments.

    >>> excess(arb(2), arb(2)).str(6, radius=False)
    '0.999552'
    """
    shift, rate = arb(shift), arb(rate)
    return 8 * shift * ((shift + rate).log() - mean_log(shift, rate))


def derivatives(shift: Ball, rate: Ball) -> tuple[Ball, Ball, Ball, Ball, Ball]:
    """Return balls around F_K, F_L, F_KK, F_KL, F_LL on the rectangle of two balls.

    Each expectation is of a function of K + J that is monotone, so its range over the rectangle is
    spanned by the lower left and the upper right corner.
    """
    ends = ((shift.lower(), rate.lower()), (shift.upper(), rate.upper()))

    def spanned(function: Callable[[Ball], Ball]) -> Ball:
        low, high = (_poisson_mean(function, lambda y: arb(0), *end) for end in ends)
        return low.union(high)

    tangent = 1 / (shift + rate)
    gap = (shift + rate).log() - mean_log(*ends[0]).union(mean_log(*ends[1]))
    by_k = tangent - spanned(lambda y: 1 / y)
    by_l = tangent - spanned(lambda y: (1 + 1 / y).log())
    by_kk = spanned(lambda y: 1 / y**2) - tangent**2
    by_kl = spanned(lambda y: 1 / (y * (y + 1))) - tangent**2
    by_ll = spanned(lambda y: -((1 - 1 / (y + 1) ** 2).log())) - tangent**2
    return (
        8 * (gap + shift * by_k),
        8 * shift * by_l,
        8 * (2 * by_k + shift * by_kk),
        8 * (by_l + shift * by_kl),
        8 * shift * by_ll,
    )


@lru_cache(maxsize=8)
def poisson_constant(digits: int = 30) -> Ball:
    """Return C* as a ball with `digits` correct digits.

    On the rectangle about the peak the Hessian is certified to be at most -a < 0, so that for any
    point z of it, F(z) <= max F <= F(z) + |grad F(z)|^2/(2a). Newton's method supplies z.

    Raises
    ------
    ArithmeticError
        If the Hessian is not certified negative definite, or the ball is too wide.
    """
    with precision(128):
        rectangle = [interval(low, high) for low, high in RECTANGLE]
        _, _, kk, kl, ll = derivatives(*rectangle)
        determinant = kk * ll - kl**2
        if not (kk < 0 and ll < 0 and determinant > 0):
            raise ArithmeticError("F is not certified concave about its peak")
        curvature = determinant / -(kk + ll)  # below the smaller eigenvalue of minus the Hessian
    with precision(8 * digits + 64):
        k, rate = (arb(_rational(c)) for c in PEAK)
        for _ in range(4 + digits.bit_length()):
            g_k, g_l, kk, kl, ll = derivatives(k.mid(), rate.mid())
            determinant = kk * ll - kl**2
            k = k.mid() - (ll * g_k - kl * g_l) / determinant
            rate = rate.mid() - (kk * g_l - kl * g_k) / determinant
        k, rate = k.mid(), rate.mid()
        g_k, g_l, *_ = derivatives(k, rate)
        inside = rectangle[0].contains_interior(k) and rectangle[1].contains_interior(rate)
        above = (g_k * g_k + g_l * g_l) / (2 * curvature)  # arb(0, r)**2 is NaN
        value = excess(k, rate)
        value = value.union(value + above)
        if not (inside and value.rel_accuracy_bits() > 3.33 * digits):
            raise ArithmeticError("the peak was not found to the digits asked for")
        return value


def certify_outside_peak(
    bound: Fraction,
    k_range: tuple[Fraction, Fraction],
    x_range: tuple[Fraction, Fraction],
    *,
    max_boxes: int = 60_000,
) -> BoxReport:
    """Certify F < bound for K and x = L/K in the given ranges, outside the rectangle at the peak.

    Boxes in (K, L) are cut in two until four corners decide them or they lie in the rectangle.

    Parameters
    ----------
    bound : Fraction
        What F is to stay below: C* cut off after some digits, at best.
    k_range, x_range : (Fraction, Fraction)
        Ranges of K and of x = L/K, exact.
    max_boxes : int
        The work allowed.

    Examples
    --------
    >>> low, high = Fraction(4), Fraction(5)
    >>> certify_outside_peak(Fraction("1.0098"), (low, high), (Fraction(1), Fraction(2))).status
    'passed'
    >>> certify_outside_peak(Fraction("1.005"), (low, high), (Fraction(1), Fraction(2))).status
    'refuted'
    """
    mean_logs: dict[tuple[Any, Any], Ball] = {}
    limit = _rational(bound)
    k_low, k_high, x_low, x_high = map(_rational, (*k_range, *x_range))
    stack = [(k_low, k_high, k_low * x_low, k_high * x_high)]
    boxes = 0
    with precision(80):
        while stack:
            k1, k2, l1, l2 = stack.pop()
            if l2 < x_low * k1 or l1 > x_high * k2 or _in_rectangle(k1, k2, l1, l2):
                continue
            boxes += 1
            corners = [(k, rate) for k in (k1, k2) for rate in (l1, l2)]
            for corner in corners:
                if corner not in mean_logs:
                    mean_logs[corner] = mean_log(*map(arb, corner))
                    k, rate = corner
                    if not _in_rectangle(k, k, rate, rate) and (
                        8 * arb(k) * (arb(k + rate).log() - mean_logs[corner]) > arb(limit)
                    ):
                        point = tuple(Fraction(int(c.p), int(c.q)) for c in corner)
                        where = f"fails at K = {float(point[0]):.6g}, L = {float(point[1]):.6g}"
                        return BoxReport("refuted", boxes, point, where)
            middle, centre = (k1 + k2) / 2, (k1 + k2 + l1 + l2) / 2
            height, slope = arb(centre).log(), arb(limit) / 8 / arb(middle)
            if all(
                height + arb((k + rate - centre) / centre) - mean_logs[k, rate]
                < slope * arb(2 - k / middle)
                for k, rate in corners
            ):
                continue
            if boxes >= max_boxes:
                return BoxReport("unknown", boxes, None, f"{max_boxes} boxes were not enough")
            if k2 * l1 > l2 * k1:  # K varies more, in proportion
                stack += [(k1, middle, l1, l2), (middle, k2, l1, l2)]
            else:
                cut = (l1 + l2) / 2
                stack += [(k1, k2, l1, cut), (k1, k2, cut, l2)]
    return BoxReport("passed", boxes, None, f"certified on {boxes} boxes outside the peak")


def _in_rectangle(k1: Any, k2: Any, l1: Any, l2: Any) -> bool:
    (k_low, k_high), (l_low, l_high) = RECTANGLE
    inside_k = k1 >= _rational(k_low) and k2 <= _rational(k_high)
    return bool(inside_k and l1 >= _rational(l_low) and l2 <= _rational(l_high))


def certify_value(low: Fraction, high: Fraction, digits: int = 40) -> BoxReport:
    """Certify that the maximum over the rectangle lies in [low, high].

    >>> certify_value(Fraction("1.0097"), Fraction("1.0098")).status
    'passed'
    """
    ball = poisson_constant(digits)
    with precision(8 * digits):
        below, above = arb(_rational(low)), arb(_rational(high))
        value = ball.str(32, radius=False)
        if ball >= below and ball <= above:
            return BoxReport("passed", 1, None, f"the maximum is {value}")
        if ball < below or ball > above:
            return BoxReport("refuted", 1, None, f"the maximum is {value}")
    return BoxReport("unknown", 1, None, f"{digits} digits do not decide")


def _rational(value: Fraction) -> Any:
    return fmpq(value.numerator, value.denominator)
