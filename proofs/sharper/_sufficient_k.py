"""How many negatives bring the bias within a target, under each bound, as certified integers.

The bounds on CE - R_dcl are named after the statements that prove them: "eq-11" (printed),
"lemma-2-sharp" (C*), "eq-11-sharp" (Gamma_k) and "leading-constant" (c* and c_k). A simplex whose
bias still exceeds the target at k - 1 shows that no bound can promise less than k; which simplex
needs most is searched for, not proved.

>>> sufficient_k("eq-11-sharp", Fraction(10), Fraction(1, 10))
(515989, 515989)
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil, exp
from typing import Any, Literal

from flint import arb, fmpq

from numerics.balls import precision
from proofs.sharper._binomial_gap import gap
from proofs.sharper._poisson_constant import poisson_constant
from proofs.sharper._simplex_constant import leading_constant, peak
from proofs.sharper._worst_gap import Size, certify, maximiser, ratio, worst_gap

__all__ = [
    "as_ball",
    "gamma",
    "leading_bound",
    "leading_factor",
    "necessary_k",
    "one_anchor_bound",
    "sufficient_for_risk",
    "sufficient_k",
]

Ball = Any
Bound = Literal["eq-11", "lemma-2-sharp", "eq-11-sharp", "leading-constant"]


def _ball(value: Fraction) -> Ball:
    return arb(fmpq(value.numerator, value.denominator))


def gamma(t: Fraction, k: int, digits: int = 15) -> Ball:
    """Return Gamma_k at 1/tau = t, in nats: the largest mu gap_k over two-point laws on [1/E, E].

    Examples
    --------
    >>> gamma(Fraction(1), 1).str(12, radius=False)
    '0.676178081172'
    """
    with precision(8 * digits + 3 * int(t) + 64):
        return worst_gap(k, 2 * t, "mean", digits) * (-_ball(t)).exp()


def leading_factor(t: Fraction, k: int, digits: int = 6) -> Ball:
    """Return c_k at 1/tau = t: CE - R_dcl <= 2 c* c_k/k.

    Where `digits` are out of reach (k far above e^{2t}, where gap and size are proportional in all
    digits but a few) the ball has eight.

    Examples
    --------
    >>> leading_factor(Fraction(2), 64).str(6, radius=False)
    '0.554776'
    """
    with precision(8 * digits + 64):
        try:
            return worst_gap(k, 2 * t, "variance", digits) * k
        except ArithmeticError:
            if digits <= 8:
                raise
            return worst_gap(k, 2 * t, "variance", 8) * k


def leading_bound(t: Fraction, k: int, digits: int = 6) -> Ball:
    """Return 2 c* c_k/k, in nats, to the digits that `leading_factor` has.

    Examples
    --------
    >>> leading_bound(Fraction(2), 64).str(5, radius=False)
    '0.016993'
    """
    with precision(8 * digits + 3 * int(t) + 64):
        return 2 * leading_constant(t, digits) * leading_factor(t, k, digits) / k


@lru_cache(maxsize=256)
def sufficient_k(bound: Bound, t: Fraction, target: Fraction) -> tuple[int, int]:
    """Return (low, high): the bound is at most `target` at high and certainly above it at low - 1.

    The two agree up to k = 2^50 or so; beyond, to 14 digits. Where gap and size are proportional in
    all digits but a few ("leading-constant" at k far above e^{2t}) they may agree to five digits.

    Parameters
    ----------
    bound : {"eq-11", "lemma-2-sharp", "eq-11-sharp", "leading-constant"}
        The statement whose bound on CE - R_dcl is used.
    t : Fraction
        1/tau.
    target : Fraction
        The bias allowed, in nats, positive.
    """
    if bound in ("eq-11", "lemma-2-sharp"):
        least = _ceiling(lambda: _closed_form(bound, t) / _ball(target))
        return least, least
    size: Size = "mean" if bound == "eq-11-sharp" else "variance"
    guess = max(1, ceil(Fraction(exp(min(float(t), 600.0))) / (4 * target)))
    for round_ in range(16):
        fine = round_ > 5
        bits = 32 + min(guess.bit_length(), 56) if fine else 40
        slope = _slope(size, t, target, bits)
        p = maximiser(guess, 2 * t, size, bits)
        # At k = least - 1 the gap at p is certainly too large.
        least = _first(lambda k: not ratio(k, p, 2 * t, size, bits) > slope, guess, bits)  # noqa: B023
        settled, guess = fine and least == guess, least
        if settled:
            break
    for step in (least + 1, 10**14, 10**7, 10**6, 10**5):
        high = least + least // step
        bits = 64 + min(high.bit_length(), 56)
        if certify(high, 2 * t, size, slope, bits=bits, max_intervals=8000).status == "passed":
            return least, high
    raise ArithmeticError(f"no number of negatives was certified for {bound} at 1/tau = {t}")


def as_ball(bracket: tuple[int, int]) -> Ball:
    """Return a ball that holds the integers of a bracket.

    >>> as_ball((3, 3)), as_ball((10, 12)).contains(11)
    (3.00000000000000, True)
    """
    low, high = bracket
    with precision(high.bit_length() + 64):
        return arb(low) if low == high else arb(low).union(arb(high))


def one_anchor_bound(t: Fraction, k: int, digits: int = 15) -> Ball:
    """Return C* sinh(t)^2/(2k), in nats."""
    with precision(8 * digits + 3 * int(t) + 64):
        return poisson_constant(max(digits, 15)) * _ball(t).sinh() ** 2 / (2 * k)


def _closed_form(bound: Bound, t: Fraction) -> Ball:
    """Return k times the bound."""
    if bound == "eq-11":
        return (2 * _ball(t)).expm1() ** 2 / 8
    return poisson_constant(60) * _ball(t).sinh() ** 2 / 2


def _ceiling(value: Callable[[], Ball]) -> int:
    """Return the ceiling of a positive number that is not an integer."""
    for bits in (256, 1024, 4096):
        with precision(bits):
            ball = value().ceil()
            if ball.unique_fmpz() is not None:
                return max(1, int(ball.unique_fmpz()))
    raise ArithmeticError("the ceiling was not decided")


def _slope(size: Size, t: Fraction, target: Fraction, bits: int) -> Ball:
    """Return what gap/size may be at most, in the scale of values 1 and e^{2t}."""
    if size == "mean":
        with precision(2 * bits + 64):
            return _ball(target) * _ball(t).exp()
    constant = leading_constant(t, bits // 3 + 10)
    with precision(2 * bits + 64):
        return _ball(target) / (2 * constant)


def _first(holds: Callable[[int], bool], guess: int, bits: int = 64) -> int:
    """Return k such that a predicate that holds from some k on fails at k - 1.

    It is the least at which it holds, or beyond 2^bits close to it in proportion. The search widens
    around the guess, so that a good one costs little.
    """
    low = high = guess
    width = max(1, guess >> 40)
    while low and holds(low):
        low, high, width = max(low - width, 0), low, 16 * width
    width = max(1, guess >> 40)
    while not holds(high):
        low, high, width = high, high + width, 16 * width
    while high - low > 1 + (high >> bits):
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return low + 1


def sufficient_for_risk(t: Fraction, target: Fraction) -> tuple[int, int]:
    """Return (low, high) as `sufficient_k` does, for |CE - R| of InfoNCE.

    Above, CE - R <= Gamma_k; below, R - CE <= log(1 + e^t/k).

    Examples
    --------
    >>> sufficient_for_risk(Fraction(1), Fraction(1, 10))
    (26, 26)
    """
    below = _ceiling(lambda: _ball(t).exp() / _ball(target).expm1())
    low, high = sufficient_k("eq-11-sharp", t, target)
    return max(low, below), max(high, below)


@lru_cache(maxsize=256)
def necessary_k(t: Fraction, target: Fraction) -> tuple[int, int]:
    """Return (k, points): a simplex of that many points has CE - R_dcl > target at k - 1.

    So no bound that holds for every embedding promises the target with fewer than k negatives. That
    much is certified (unless k = 1); that no other simplex needs more is not: the number of points
    is climbed to, from that of the best simplex for many negatives.

    Examples
    --------
    >>> necessary_k(Fraction(10), Fraction(1, 10))
    (27673, 16354)
    """
    points = max(2, round(1 + 1 / float(peak(t).mid())))
    best = (0, points)
    while True:
        k = _first(lambda k: not _simplex_gap(t, points, k) > _ball(target), max(best[0], 1))  # noqa: B023
        if k <= best[0]:
            return best
        best = k, points
        points = _best_points(t, max(k - 1, 1), points)


def _simplex_gap(t: Fraction, points: int, k: int) -> Ball:
    """Return CE - R_dcl of the regular simplex."""
    with precision(4 * points.bit_length() + 512):
        p = arb(1) / points
    return gap(k, p, t * Fraction(points, points - 1))


def _best_points(t: Fraction, k: int, guess: int) -> int:
    """Return the number of points at which the bias at k stops growing (not certified)."""

    def grows(points: int) -> bool:
        return bool(_simplex_gap(t, points + 1, k).mid() > _simplex_gap(t, points, k).mid())

    low, high = 1, 2 * guess
    while grows(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if grows(middle) else (low, middle)
    return high
