"""The density x^{-3/4}/4, which has no second moment: the cases of `erratum-rate`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import arb, fmpq

from numerics.heavy_density import bias
from proofs.evidence import Case

__all__ = ["digit_cases", "rate_cases", "within_cases"]

#: Leading digits of the bias: the value lies within one unit of the last digit.
DIGITS = {10: "0.497834", 10**3: "0.0845069", 10**5: "0.0167941", 10**7: "0.00355343"}


def rate_cases(
    *, sizes: Sequence[int] = (10**3, 10**5, 10**7), bound: int = 1000
) -> Iterator[Case]:
    """Yield k times the bias, in balls, against a constant."""
    for k in sizes:
        yield Case(f"k = {k}", k * bias(k), "<=", arb(bound))


def digit_cases(*, scale: Fraction = Fraction(1)) -> Iterator[Case]:
    """Yield the bias, in balls, against its leading digits from both sides."""
    factor = arb(fmpq(scale.numerator, scale.denominator))
    for k, text in DIGITS.items():
        unit = Fraction(1, 10 ** len(text.partition(".")[2]))
        low, high = (Fraction(text) + sign * unit for sign in (-1, 1))
        value = factor * bias(k)
        yield Case(f"k = {k}, from below", arb(fmpq(*low.as_integer_ratio())), "<=", value)
        yield Case(f"k = {k}, from above", value, "<=", arb(fmpq(*high.as_integer_ratio())))


def within_cases(
    *, lower: Fraction = Fraction(3, 4), upper: Fraction = Fraction(1)
) -> Iterator[Case]:
    """Yield the bias between multiples of (4k)^{-1/3} and of the bound of `lemma-3-sharp`."""
    constant = 4 * arb.pi() / (3 * arb(3).sqrt())
    for k in (100, 10**3, 10**5, 10**7):
        value = bias(k)
        low = arb(fmpq(*lower.as_integer_ratio())) / arb(4 * k).root(3)
        high = arb(fmpq(*upper.as_integer_ratio())) * constant / arb(4 * (k - 1)).root(3)
        yield Case(f"k = {k}, from below", low, "<=", value)
        yield Case(f"k = {k}, from above", value, "<=", high)
