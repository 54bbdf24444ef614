"""The terms of theorem 1, printed and sharp, as balls.

No formula is typed here: each is the claim or a constant of the statement that proves it, with
numbers put in. Everything is in nats.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from sympy import Expr

from numerics.balls import precision
from proofs import ledger
from proofs.evaluate import enclose
from proofs.loss import dcl
from proofs.symbols import chi2, delta, e_tau, k, n, tau

__all__ = [
    "DIGITS",
    "Numbers",
    "Side",
    "Terms",
    "bias",
    "exact",
    "middle",
    "parts",
    "terms",
    "trivial",
    "working",
]

Ball = Any
Side = Literal["printed", "sharp"]
Loss = Literal["infonce", "dcl"]
Target = Literal["search", "limit"]
#: Digits of the balls: more than are shown, so that sums keep theirs.
DIGITS = 20


def working(digits: int) -> AbstractContextManager[None]:
    """Let balls of that many digits be added and multiplied without loss."""
    return precision(4 * digits + 64)


@dataclass(frozen=True)
class Numbers:
    """What a bound is evaluated at; see :func:`proofs.bound.evaluate`."""

    tau: Fraction
    k: int
    n: int
    delta: Fraction
    empirical: Fraction
    d_theta: int
    radius: Fraction
    lipschitz: Fraction
    rms_anchor: Fraction
    rms_positive: Fraction
    rms_negative: Fraction
    power_mean_negative: Fraction | None
    chi2: Fraction | None
    target: Target
    loss: Loss
    two_encoders: bool

    def at(self, **changed: int) -> Numbers:
        """Return the same with another k or n."""
        return replace(self, **changed)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Terms:
    """The terms of one bound, as balls in nats; None where a number was not given."""

    empirical: Ball
    complexity: Ball | None
    variability: Ball
    bias: Ball | None

    @cached_property
    def total(self) -> Ball | None:
        """The bound itself."""
        if self.complexity is None or self.bias is None:
            return None
        with working(2 * DIGITS):
            return self.empirical + self.complexity + self.variability + self.bias

    @property
    def dominant(self) -> str | None:
        """The largest of the three terms that the theorem adds to the empirical risk."""
        if self.total is None:
            return None
        added = {name: getattr(self, name) for name in ("complexity", "variability", "bias")}
        return max(added, key=lambda name: middle(added[name]))


def middle(ball: Ball) -> Fraction:
    """Return the middle of a ball exactly."""
    mantissa, exponent = ball.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def trivial(numbers: Numbers, digits: int = DIGITS) -> Ball:
    """Return the largest cross-entropy of unit vectors: 2/tau (nats)."""
    return value(dcl(-1, e_tau), {tau: numbers.tau}, digits)


def terms(numbers: Numbers, side: Side, digits: int = DIGITS) -> Terms:
    """Return the terms of the printed theorem or of the companion's."""
    complexity, variability = parts(numbers, side, digits)
    return Terms(
        exact(numbers.empirical, digits), complexity, variability, bias(numbers, side, digits)
    )


def parts(numbers: Numbers, side: Side, digits: int = DIGITS) -> tuple[Ball | None, Ball]:
    """Return complexity and variability, which are proportional to n^{-1/2}."""
    if side == "printed":
        return _printed_complexity(numbers, digits), _printed_variability(numbers, digits)
    from proofs import _bound_sharp

    return _bound_sharp.complexity(numbers, digits), _bound_sharp.variability(numbers, digits)


def bias(numbers: Numbers, side: Side, digits: int = DIGITS) -> Ball | None:
    """Return what separates the target from the risk; it decreases in k and has no n."""
    if numbers.target == "search" and numbers.chi2 is None:
        return None
    if numbers.target == "limit" and side == "sharp":
        from proofs import _bound_sharp

        limit = _bound_sharp.two_encoders if numbers.two_encoders else _bound_sharp.gamma
        return limit(numbers, digits)
    at = {tau: numbers.tau, k: numbers.k, chi2: numbers.chi2}
    return value(_bias_formula(numbers, side), at, digits)


def value(formula: Expr, at: Mapping[Any, Any], digits: int) -> Ball:
    """Return a formula at exact numbers; those it does not contain are ignored."""
    used = {symbol: value for symbol, value in at.items() if symbol in formula.free_symbols}
    return enclose(formula, used, digits=digits)


def exact(number: Fraction, digits: int = 2 * DIGITS) -> Ball:
    """Return a ball around a rational."""
    from flint import arb, fmpq

    with working(digits):
        return arb(fmpq(number.numerator, number.denominator))


def constant(id_: str, name: str) -> ledger.Constant:
    """Return a constant of a statement."""
    return next(c for c in ledger.get(id_).constants if c.name == name)


def _bias_formula(numbers: Numbers, side: Side) -> Expr:
    from proofs.paper import eq_11, eq_12, prop_1, theorem_1

    decoupled = numbers.loss == "dcl"
    if numbers.target == "limit":
        return eq_11.upper if decoupled else prop_1.upper
    if side == "sharp":
        return ledger.get("theorem-1-sharp").claim[2].rhs / tau
    return eq_12.statement.claim.rhs if decoupled else theorem_1.SEARCH_BIAS


def _printed_complexity(numbers: Numbers, digits: int) -> Ball | None:
    from proofs.paper.theorem_1 import COMPLEXITY

    if numbers.power_mean_negative is None:
        return None
    formula = COMPLEXITY
    for id_ in ("theorem-1", "lemma-1"):  # A, then B_tau
        definitions = ledger.get(id_).definitions
        formula = formula.subs({s: e for s, e in definitions.items() if isinstance(e, Expr)})
    return value(formula, class_numbers(numbers), digits)


def _printed_variability(numbers: Numbers, digits: int) -> Ball:
    from proofs.paper.theorem_1 import DEVIATION

    return value(DEVIATION, {tau: numbers.tau, n: numbers.n, delta: numbers.delta}, digits)


def class_numbers(numbers: Numbers) -> dict[Any, Any]:
    """Return the numbers that describe the class, by symbol."""
    from proofs.paper import _lipschitz_class as c

    return {
        tau: numbers.tau,
        k: numbers.k,
        n: numbers.n,
        c.d_theta: numbers.d_theta,
        c.radius: numbers.radius,
        c.lipschitz: numbers.lipschitz,
        c.rms_anchor: numbers.rms_anchor,
        c.rms_positive: numbers.rms_positive,
        c.pm_order: numbers.power_mean_negative,
        c.rms_negatives: numbers.rms_negative,
    }
