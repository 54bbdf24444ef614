"""Two-point gaps against the gap of the shifted Poisson variable that dominates them, in balls."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs.evidence import Case

__all__ = ["domination_cases"]


def domination_cases(*, scale: Fraction = Fraction(1)) -> Iterator[Case]:
    """Compare gap_k(p) with log(1 + x) - E log(1 + J/K) for ratios e^{2c} of the ends."""
    from flint import arb, fmpq

    from numerics.balls import precision
    from proofs.sharper._binomial_gap import gap
    from proofs.sharper._poisson_constant import mean_log

    counts, chances = (1, 2, 5, 50), (Fraction(1, 50), Fraction(1, 4), Fraction(9, 10))
    for c, count, chance in product((Fraction(1, 2), Fraction(2)), counts, chances):
        with precision(128):
            p = arb(fmpq(chance.numerator, chance.denominator))
            z = arb(fmpq(2 * c.numerator, c.denominator)).expm1()
            a = 1 / z
            r = 1 / (1 + 2 * a)
            shift, rate = count * a * (1 + a), (a - r * a * (1 + a) + p) / r * count
            right = (shift + rate).log() - mean_log(shift, rate)
            left = gap(count, p.mid(), 2 * c)
            label = f"c = {c}, k = {count}, p = {chance}"
            yield Case(label, left, "<=", right * scale.numerator / scale.denominator)
