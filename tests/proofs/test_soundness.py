"""Attempts to establish something false, one for each way that might have worked."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Eq, Ge, Gt, Le, Symbol, log

from proofs.evidence import Averaged, Decided, Mutant, Outcome
from proofs.symbols import Mean

x = Symbol("x", real=True)
y = Symbol("y", real=True)
a = Symbol("a", real=True)
p = Symbol("p", positive=True)
never = [Mutant("never run", Ge(x, x + 1, evaluate=False))]


def decided(claim: Any, *, given: tuple[Any, ...] = (), where: tuple[Any, ...] = ()) -> Decided:
    return Decided(claim=claim, given=given, where=where, mutants=never)


def averaged(claim: Any, pointwise: Any, means: Any, **kwargs: Any) -> Averaged:
    return Averaged(claim=claim, pointwise=pointwise, means=means, mutants=never, **kwargs)


class TestDecided:
    def test_a_denominator_may_vanish(self) -> None:
        """1/x^2 >= 0 for all real x must not imply that x is not 0."""
        square = Ge(1 / x**2, 0, evaluate=False)
        assert decided(Gt(x**2, 0, evaluate=False), given=(square,)).check().outcome is (
            Outcome.REFUTED
        )

    def test_a_quotient_by_what_may_vanish_is_not_known(self) -> None:
        quotient = Eq(a, y / x)
        assert decided(Eq(a * x, y), given=(quotient,)).check().outcome is Outcome.REFUTED
        fair = decided(Eq(a * x, y), given=(quotient,), where=(Gt(x, 0),))
        assert fair.check().outcome is Outcome.PASSED

    def test_symbols_of_one_name_are_not_one(self) -> None:
        other = Symbol("x", positive=True)
        assert decided(Eq(x, other, evaluate=False)).check().outcome is Outcome.REFUTED
        assert decided(Eq(Mean(x), Mean(other), evaluate=False)).check().outcome is Outcome.REFUTED


class TestAveraged:
    def test_what_a_key_holds_is_random(self) -> None:
        """log Y <= Y - 1 for every Y; the mean of log Y is not at most Y - 1 for every Y."""
        mean = Symbol("mean", real=True)
        wrong = averaged(Le(mean, p - 1), Le(log(p), p - 1), {log(p): mean})
        with pytest.raises(ValueError, match="no mean is given"):
            wrong.check()

    def test_a_mean_does_not_vary(self) -> None:
        wrong = averaged(Ge(x, 0), Ge(p, 0, evaluate=False), {p: x, x: 1})
        with pytest.raises(ValueError, match="random themselves"):
            wrong.check()

    def test_what_is_fixed_is_said(self) -> None:
        mean = Symbol("mean", real=True)
        fair = averaged(Ge(mean * a**2, 0), Ge(p * a**2, 0, evaluate=False), {p: mean})
        assert "held fixed: a" in fair.check().detail
        key = log(p + a**2)
        told = averaged(Le(mean, 1 + a**2), Le(key, p + a**2), {key: mean, p: 1}, fixed=(a,))
        assert told.check().outcome is Outcome.PASSED
        with pytest.raises(ValueError, match="no mean is given"):
            averaged(Le(mean, 1 + a**2), Le(key, p + a**2), {key: mean, p: 1}).check()
