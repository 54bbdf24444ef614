"""What is expected of Section 3.2; the ledger computes it."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from sympy import Rational, exp

from numerics.worlds import Classes, Hypercube, Sphere
from proofs import expansion, ledger
from proofs.check import closure, run_statement
from proofs.evaluate import enclose, mpmath_function, numpy_function
from proofs.evidence import Outcome
from proofs.ledger import Verdict
from proofs.paper import erratum_taylor, lemma_2, prop_1
from proofs.symbols import k, tau

EXPECTED = {
    "eq-8": Verdict.HOLDS,
    "lemma-2": Verdict.HOLDS,
    "prop-1": Verdict.HOLDS,
    "eq-11": Verdict.HOLDS,
    "lemma-4": Verdict.HOLDS,
    "expansion": Verdict.HOLDS,
    "erratum-taylor": Verdict.CORRECTED,
}


@pytest.mark.parametrize("id_", EXPECTED)
def test_verdicts(id_: str) -> None:
    results = {used: run_statement(used) for used in closure([id_])}
    assert ledger.verdict(id_, results) is EXPECTED[id_]
    for checked in results.values():
        for ran in checked.all:
            assert ran.outcome in (Outcome.PASSED, Outcome.CITED, Outcome.ARGUED), ran.finding
            for name, finding in ran.mutants:
                assert finding.outcome is Outcome.REFUTED, (name, finding)


def test_the_minimal_counterexample_to_the_printed_remainder() -> None:
    """The two sides by an independent route: floats, straight from the definition."""
    p, high, low = 0.01, math.e, 1 / math.e
    mean = p * high + (1 - p) * low
    left = math.log(mean) - (p - (1 - p))
    variance = p * (high - mean) ** 2 + (1 - p) * (low - mean) ** 2
    third = p * abs(high - mean) ** 3 + (1 - p) * abs(low - mean) ** 3
    right = variance / (2 * mean**2) - third / (3 * math.e**3)
    assert left == pytest.approx(0.04193, abs=1e-5)
    assert right == pytest.approx(0.17643, abs=1e-5)
    printed = erratum_taylor._two_point(exp(-3) / 3)
    assert float(printed.lhs) == pytest.approx(left)
    assert float(printed.rhs) == pytest.approx(right)


def test_one_expression_three_evaluators() -> None:
    at = {tau: Fraction(1, 10), k: 1000}
    ball = enclose(prop_1.upper, at, digits=30)
    by_mpmath = mpmath_function(prop_1.upper, (tau, k))
    with mpmath.workdps(40):
        value = by_mpmath(mpmath.mpf(1) / 10, mpmath.mpf(1000))
        assert mpmath.almosteq(value, mpmath.mpf(ball.str(35, radius=False)), 1e-25)
    assert numpy_function(prop_1.upper, (tau, k))(0.1, 1000) == pytest.approx(float(ball))


def test_two_point_gap_by_brute_force() -> None:
    """The binomial sum of lemma 2's cross-check against all 2^k outcomes."""
    from itertools import product

    p, c, count, weight = 0.3, 0.7, 5, 2.0
    total = 0.0
    for signs in product((1, -1), repeat=count):
        chance = math.prod(p if s > 0 else 1 - p for s in signs)
        total += chance * math.log(1 / count + weight / count * sum(math.exp(c * s) for s in signs))
    mean = p * math.exp(c) + (1 - p) * math.exp(-c)
    expression = lemma_2.two_point_gap(1 / k, Rational(2)).subs(k, count).doit()
    at = {lemma_2.p: Rational(3, 10), lemma_2.c: Rational(7, 10)}
    assert float(expression.subs(at)) == pytest.approx(math.log(weight * mean) - total)


class TestExpansion:
    def test_order_eight_is_quick(self) -> None:
        coefficients = expansion.coefficients(8)
        assert len(coefficients) == 8

    def test_dcl_is_infonce_at_r_zero(self) -> None:
        for whole, part in zip(
            expansion.coefficients(4), expansion.coefficients(4, "dcl"), strict=True
        ):
            assert (whole.subs(expansion.r, 0) - part).expand() == 0

    def test_hypercube_gives_cosh(self) -> None:
        (first,) = expansion.closed_form(Hypercube(1, Fraction(0)), 1, "dcl")
        assert float(first.subs(tau, 1)) == pytest.approx(-(math.tanh(1) ** 2) / 2)

    def test_sphere_gives_hypergeometric_functions(self) -> None:
        (first,) = expansion.closed_form(Sphere(3, Fraction(5)), 1, "dcl")
        t = 2.0  # E exp(s t) = sinh(t)/t on the two-sphere
        mean, square = math.sinh(t) / t, math.sinh(2 * t) / (2 * t)
        assert float(first.subs(tau, Rational(1, 2)).evalf()) == pytest.approx(
            -(square / mean**2 - 1) / 2
        )

    @pytest.mark.parametrize("loss", ["infonce", "dcl"])
    @pytest.mark.parametrize(
        "world", [Sphere(4, Fraction(3)), Hypercube(5, Fraction(1, 4)), Classes(7)]
    )
    def test_closed_forms_agree_with_numbers(self, world: object, loss: str) -> None:
        symbolic = expansion.closed_form(world, 3, loss)  # type: ignore[arg-type]
        numeric = expansion.values(world, Fraction(1, 3), 3, loss)  # type: ignore[arg-type]
        for expression, number in zip(symbolic, numeric, strict=True):
            value = expression.subs(tau, Rational(1, 3)).evalf(20)
            assert float(value) == pytest.approx(float(number), rel=1e-12)

    @pytest.mark.parametrize("order", [0, -1])
    def test_bad_order(self, order: int) -> None:
        with pytest.raises(ValueError, match="at least 1"):
            expansion.coefficients(order)
