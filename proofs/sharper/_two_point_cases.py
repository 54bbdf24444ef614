"""Laws on three rational points against two-point laws, by listing all k-tuples exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any, Literal

from proofs.evidence import Case

__all__ = [
    "concave_cases",
    "gap_and_variance",
    "same_variance_cases",
    "three_points",
    "two_point_itself",
]

Law = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
Number = Any
Relation = Literal["==", "<="]

_VALUES = (Fraction(1, 3), Fraction(5, 4), Fraction(3))
_CHANCES = ((1, 1, 1), (5, 1, 1), (1, 4, 2), (1, 1, 9))
_COUNTS = (1, 2, 3, 4)


def _laws() -> Iterator[tuple[str, Law]]:
    for raw in _CHANCES:
        chances = tuple(Fraction(c, sum(raw)) for c in raw)
        yield f"masses {raw}", (_VALUES, chances)


def _mean(law: Law, power: int = 1) -> Fraction:
    return sum((c * v**power for v, c in zip(*law, strict=True)), Fraction(0))


def _mean_of(function: Callable[[Fraction], Number], law: Law, count: int) -> Number:
    """Return the mean of a function of the average of `count` draws."""
    values, chances = law
    total = None
    for pick in product(range(len(values)), repeat=count):
        weight = prod((chances[i] for i in pick), start=Fraction(1))
        average = sum((values[i] for i in pick), Fraction(0)) / count
        term = _times(weight, function(average))
        total = term if total is None else total + term
    return total


def _times(weight: Fraction, value: Number) -> Number:
    if isinstance(value, Fraction):
        return weight * value
    from flint import fmpq

    return value * fmpq(weight.numerator, weight.denominator)


def _log(value: Fraction) -> Number:
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator)).log()


#: Concave, and positive on the range.
_CONCAVE: dict[str, Callable[[Fraction], Number]] = {
    "10 - x^2": lambda x: 10 - x * x,
    "4 - 1/x": lambda x: 4 - 1 / x,
    "min(x, 1)": lambda x: min(x, Fraction(1)),
    "log 4x": lambda x: _log(4 * x),
}


def concave_cases(*, convex: bool = False) -> Iterator[Case]:
    """Compare E f for a law on [m, M] with the law on {m, M} of the same mean, which is smaller."""
    for (name, law), count in product(_laws(), _COUNTS):
        low, high = _VALUES[0], _VALUES[-1]
        p = (_mean(law) - low) / (high - low)
        two = ((low, high), (1 - p, p))
        for label, function in _CONCAVE.items():
            left, right = _mean_of(function, two, count), _mean_of(function, law, count)
            if convex:
                left, right = -left, -right
            yield Case(f"{label}, {name}, k = {count}", left, "<=", right)


def same_variance_cases(
    *, other_end: bool = False, two_valued: bool = False, relation: Relation = "<="
) -> Iterator[Case]:
    """Compare E f for a law on [m, infinity) with the law on {m, b} of the same two moments.

    For f = log 4x and f = x/(1 + x), which are mixtures of 1 - e^{-ux} up to a constant.

    Parameters
    ----------
    other_end : bool
        Take the law on {a, M} of the same two moments in place of {m, b}.
    two_valued : bool
        Start from laws on two points, where both sides are the same rational number.
    relation : {"<=", "=="}
        How the sides compare; only rational values can be equal.
    """
    functions = {"log 4x": _CONCAVE["log 4x"], "x/(1 + x)": lambda x: x / (1 + x)}
    if two_valued or relation == "==":
        del functions["log 4x"]
    for (name, law), count in product(_laws(), _COUNTS):
        if two_valued:
            law = (law[0][:2], (1 - law[1][0], law[1][0]))
            relation = "=="
        mean, variance = _mean(law), _mean(law, 2) - _mean(law) ** 2
        end = law[0][-1] if other_end else law[0][0]
        partner = mean + variance / (mean - end)
        p = (mean - end) / (partner - end)
        two = ((end, partner), (1 - p, p))
        for label, function in functions.items():
            left, right = _mean_of(function, two, count), _mean_of(function, law, count)
            yield Case(f"{label}, {name}, k = {count}", left, relation, right)


def two_point_itself(*, shift: Fraction = Fraction(0)) -> Iterator[Case]:
    """Compare, for laws on {m, M}, the mean over all k-tuples with the binomial sum."""
    low, high = _VALUES[0], _VALUES[-1]
    for chance, count in product((Fraction(1, 5), Fraction(2, 3)), _COUNTS):
        p = chance + shift
        for label in ("10 - x^2", "4 - 1/x", "min(x, 1)"):
            function = _CONCAVE[label]
            terms = (
                comb(count, j)
                * p**j
                * (1 - p) ** (count - j)
                * function((j * high + (count - j) * low) / count)
                for j in range(count + 1)
            )
            listed = _mean_of(function, ((low, high), (1 - chance, chance)), count)
            yield Case(f"{label}, p = {chance}, k = {count}", listed, "==", sum(terms, Fraction(0)))


def three_points() -> tuple[tuple[int, ...], ...]:
    """Return the masses, up to a factor, of the laws of s on -1, 1/3, 1."""
    return _CHANCES


def gap_and_variance(masses: tuple[int, ...], t: Fraction, count: int) -> tuple[Number, Number]:
    """Return balls around the gap of the log and Var(Y)/mu^2, Y = e^{ts} with those masses."""
    from flint import arb, fmpq

    from numerics.balls import precision

    with precision(128):
        slope = arb(fmpq(t.numerator, t.denominator))
        values = [(slope * s).exp() for s in (-1, arb(1) / 3, 1)]
        chances = [arb(c) / sum(masses) for c in masses]
        mean = sum((c * v for c, v in zip(chances, values, strict=True)), arb(0))
        second = sum((c * v * v for c, v in zip(chances, values, strict=True)), arb(0))
        gap = mean.log()
        for pick in product(range(3), repeat=count):
            weight = prod((chances[i] for i in pick), start=arb(1))
            gap -= weight * (sum((values[i] for i in pick), arb(0)) / count).log()
        return gap, second / mean**2 - 1
