"""The least number of negatives, and of tuples, at which a bound is not vacuous."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

from proofs._bound_terms import (
    DIGITS,
    Numbers,
    Side,
    bias,
    exact,
    middle,
    parts,
    terms,
    trivial,
    working,
)

__all__ = ["least_k", "least_n"]

#: No search goes beyond this many negatives.
LARGEST = 10**1000


def least_n(numbers: Numbers, side: Side) -> int | None:
    """Return the least n at which the bound is below 2/tau, or None.

    Complexity and variability are proportional to n^{-1/2} and the rest does not depend on n. Where
    60 digits do not tell the integer, one that is certainly enough is returned.
    """
    for digits in (DIGITS, 60):
        one = terms(numbers.at(n=1), side, digits)
        if one.complexity is None or one.bias is None:
            return None
        with working(2 * digits):
            room = trivial(numbers, digits) - one.empirical - one.bias
            if not room > 0:
                return None
            least = (((one.complexity + one.variability) / room) ** 2).floor() + 1
        if least.unique_fmpz() is not None:
            return int(least.unique_fmpz())
    return int(least.upper().ceil().unique_fmpz())


def least_k(numbers: Numbers, side: Side) -> int | None:
    """Return the least k at which the bound is below 2/tau, or None.

    The bias decreases in k, while the sharp complexity and variability increase, to a limit. So the
    least k is at least that at which the bias fits beside the rest at k = 1; there the rest is
    larger, and so on. The sequence increases to the least solution and stops there. With Gamma_k
    below tau = 1/25 the least k is so large that six digits of it are found, rounded up.
    """
    if bias(numbers, side, 6) is None or parts(numbers, side, 6)[0] is None:
        return None
    found = 1
    while found <= LARGEST:
        complexity, variability = parts(numbers.at(k=found), side)
        with working(2 * DIGITS):
            room = trivial(numbers) - exact(numbers.empirical) - complexity - variability
        if not room > 0:
            return None
        needed, certain = _first(numbers, side, room, found)
        if needed <= found or (not certain and needed <= found + found // 10**5):
            return needed
        found = needed
    return None


def _first(numbers: Numbers, side: Side, room: Any, start: int) -> tuple[int, bool]:
    """Return the least k at which the bias is below a positive ball, and whether it is exact.

    `start` is no larger than that.
    """
    if numbers.target == "limit" and side == "sharp" and not numbers.two_encoders:
        if numbers.tau < Fraction(1, 25):
            return _enough(numbers, room, start), False
        from proofs.sharper._sufficient_k import sufficient_k

        return sufficient_k("eq-11-sharp", 1 / numbers.tau, middle(room))[1], True

    def fits(k: int) -> bool:
        return bool(bias(numbers.at(k=k), side) < room)

    low, high = 0, 1
    while not fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        between = (low + high) // 2
        low, high = (low, between) if fits(between) else (between, high)
    return high, True


def _enough(numbers: Numbers, room: Any, start: int) -> int:
    """Return a k with Gamma_k below `room`, at most 2 10^-6 too large: Newton steps in log k.

    Gamma_k falls nearly like 1/k.
    """
    reach = max(start, 1)
    while True:
        value = bias(numbers.at(k=reach), "sharp", 9)
        over = middle(value / room)
        if 1 - Fraction(2, 10**6) <= over < 1 or (over < 1 and reach == 1):
            return reach
        reach = max(1, ceil(reach * over * (1 + Fraction(1, 10**6))))
