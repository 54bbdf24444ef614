"""Each kind of evidence passes what is true, refutes what is false, and never passes an unknown."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Literal

import pytest
from sympy import Eq, Ge, Gt, Integral, Le, Lt, Rational, Sum, Symbol, exp, log, sqrt

from proofs import evidence
from proofs.evidence import (
    Argued,
    Attack,
    Averaged,
    Case,
    Cited,
    Compared,
    Decided,
    Derived,
    Enclosed,
    Enumerated,
    Estimate,
    Evidence,
    Finding,
    Mutant,
    OnWorlds,
    Outcome,
    Sampled,
)
from proofs.symbols import Mean, tau

x = Symbol("x", real=True)
y = Symbol("y", positive=True)
z = Symbol("z", positive=True)
any_mutant = [Mutant("none", Ge(x, x + 1, evaluate=False))]


def decided(claim: object, **kwargs: object) -> Decided:
    return Decided(claim=claim, mutants=any_mutant, **kwargs)  # type: ignore[arg-type]


def test_the_seven_kinds_are_ranked() -> None:
    names = [kind.kind for kind in evidence.kinds()]
    assert names == [
        "derived",
        "decided",
        "enclosed",
        "enumerated",
        "sampled",
        "cited",
        "argued",
    ]
    assert all(kind.establishes for kind in evidence.kinds())


def test_a_kind_is_found_by_itself() -> None:
    class Formal(Evidence):
        kind = "formal"
        rank = 0
        establishes = "a theorem checked by a kernel"

        def check(self) -> Finding:
            return Finding(Outcome.PASSED)

    try:
        assert evidence.kinds()[0] is Formal
    finally:
        del Evidence.KINDS["formal"]


@pytest.mark.parametrize("kind", [Derived, Decided, Enclosed])
def test_a_machine_check_needs_a_mutant(kind: type[Evidence]) -> None:
    with pytest.raises(ValueError, match="mutant"):
        kind(claim=Ge(x**2, 0))  # type: ignore[call-arg]


def test_a_mutant_must_change_something() -> None:
    with pytest.raises(ValueError, match="changes nothing"):
        Mutant("idle")


def test_an_argument_needs_words_and_a_reason() -> None:
    with pytest.raises(ValueError, match="reason"):
        Argued(text="it is clear", why=" ")


class TestDerived:
    def check(self, claim: object, **kwargs: object) -> Outcome:
        mutants = [Mutant("false", Eq(x, x + 1, evaluate=False))]
        return Derived(claim=claim, mutants=mutants, **kwargs).check().outcome  # type: ignore[arg-type]

    def test_identity(self) -> None:
        assert self.check(Eq((x + 1) ** 2, x**2 + 2 * x + 1)) is Outcome.PASSED

    def test_false_identity_is_refuted_at_a_point(self) -> None:
        assert self.check(Eq((x + 1) ** 2, x**2 + 2 * x + 2)) is Outcome.REFUTED

    def test_an_identity_that_holds_only_at_the_sign_of_the_test_points(self) -> None:
        # sqrt(x^2) = x holds for x > 0 alone: some test point must be negative.
        assert self.check(Eq(sqrt(x**2), x, evaluate=False)) is Outcome.REFUTED

    def test_the_integral_that_sympy_gets_wrong(self) -> None:
        integrand = sqrt(2 - x) * sqrt(1 / (2 - x))  # it is 1, so the integral over [0, 1] is 1
        wrong = Eq(Integral(integrand, (x, 0, 1)), -1, evaluate=False)
        assert self.check(wrong) is not Outcome.PASSED

    def test_no_identity_is_unknown(self) -> None:
        assert self.check(()) is Outcome.UNKNOWN
        assert self.check("words") is Outcome.UNKNOWN

    def test_an_inequality_is_not_an_identity(self) -> None:
        assert self.check(Le(x, x + 1, evaluate=False)) is Outcome.UNKNOWN


class TestDecided:
    def test_true_for_all_reals(self) -> None:
        assert decided(Ge(x**2 - 2 * x + 1, 0)).check().outcome is Outcome.PASSED

    def test_counterexample(self) -> None:
        assert decided(Ge(x**2 - 2 * x, 0)).check().outcome is Outcome.REFUTED

    def test_exponentials_of_one_expression_are_powers_of_one_number(self) -> None:
        assert decided(Ge(exp(2 / tau), exp(1 / tau))).check().outcome is Outcome.PASSED
        assert decided(Le(exp(2 / tau), exp(1 / tau))).check().outcome is Outcome.REFUTED
        product = exp(2 / tau) * exp(-1 / tau)
        assert decided(Ge(product, 1, evaluate=False)).check().outcome is Outcome.PASSED

    def test_what_is_known_of_the_logarithm(self) -> None:
        assert decided(Le(log(y), log(y + 1))).check().outcome is Outcome.PASSED
        assert decided(Le(log(1 + y), y)).check().outcome is Outcome.PASSED
        assert decided(Le(log(1 + y), y / 2)).check().outcome is Outcome.REFUTED
        assert decided(Le(log(y), x), where=[Le(y, exp(x))]).check().outcome is Outcome.PASSED

    def test_an_expectation_is_a_free_number(self) -> None:
        assert decided(Ge(Mean(y), 0)).check().outcome is Outcome.REFUTED

    def test_contradictory_hypotheses_have_no_witness(self) -> None:
        vacuous = decided(Ge(x, 5), where=[Lt(x, 0), Gt(x, 1)])
        assert vacuous.witness().outcome is Outcome.REFUTED

    def test_dropping_a_hypothesis_is_refuted(self) -> None:
        step = Decided(
            claim=Ge(x**2, 1),
            where=[Ge(x, 1)],
            mutants=[Mutant("no hypothesis", where=())],
        )
        assert step.check().outcome is Outcome.PASSED
        assert step.refute(step.mutants[0]).outcome is Outcome.REFUTED


class TestAveraged:
    means = {y: Symbol("m1"), y**2: Symbol("m2")}  # noqa: RUF012

    def averaged(self, claim: object, pointwise: object) -> Averaged:
        return Averaged(
            claim=claim,
            pointwise=pointwise,
            means=self.means,
            mutants=[Mutant("none", Le(0, -1, evaluate=False))],
        )

    def test_means_follow_from_pointwise(self) -> None:
        m1, m2 = self.means.values()
        step = self.averaged(Ge(m2 - 2 * m1 + 1, 0), Ge((y - 1) ** 2, 0, evaluate=False))
        assert step.check().outcome is Outcome.PASSED

    def test_a_false_pointwise_relation_is_refuted(self) -> None:
        m1, m2 = self.means.values()
        step = self.averaged(Ge(m2 - 2 * m1, 0), Ge(y**2 - 2 * y, 0))
        assert step.check().outcome is Outcome.REFUTED

    def test_an_average_that_is_another_claim_is_refuted(self) -> None:
        m1, m2 = self.means.values()
        step = self.averaged(Ge(m2 - m1**2, 1), Ge((y - 1) ** 2, 0, evaluate=False))
        assert step.check().outcome is Outcome.REFUTED

    def test_the_mean_of_a_product_is_not_the_product_of_means(self) -> None:
        step = Averaged(
            claim=Ge(Symbol("m1"), 0),
            pointwise=Ge(y * z, 0, evaluate=False),
            means={y: Symbol("m1"), z: Symbol("m3")},
            mutants=[Mutant("none", Le(0, -1, evaluate=False))],
        )
        with pytest.raises(ValueError, match="no mean"):
            step.check()


class TestEnclosed:
    def check(self, claim: object, **kwargs: object) -> Outcome:
        mutants = [Mutant("false", Le(x, x - 1, evaluate=False))]
        return Enclosed(claim=claim, mutants=mutants, **kwargs).check().outcome  # type: ignore[arg-type]

    def test_on_a_box(self) -> None:
        assert self.check(Gt(exp(x), 1 + x - x**2), box={x: (1, 3)}) is Outcome.PASSED

    def test_failure_is_certified(self) -> None:
        assert self.check(Gt(exp(x), 3 * x), box={x: (0, 2)}) is Outcome.REFUTED

    def test_equality_inside_cannot_be_certified(self) -> None:
        claim = Gt(exp(x), 1 + x)  # equal at 0
        outcome = self.check(claim, box={x: (-1, 1)}, max_boxes=500)
        assert outcome in (Outcome.UNKNOWN, Outcome.REFUTED)

    def test_a_pole_is_unknown(self) -> None:
        assert self.check(Gt(1 / x**2, 0), box={x: (-1, 1)}, max_boxes=200) is not Outcome.PASSED

    def test_integers_one_by_one(self) -> None:
        n, j = Symbol("n", integer=True, positive=True), Symbol("j", integer=True)
        total = Sum(1 / j**2, (j, 1, n))
        assert self.check(
            Lt(total, Rational(17, 10)), box={n: range(1, 20)}
        ) is Outcome.REFUTED or (
            self.check(Lt(total, Rational(17, 10)), box={n: range(1, 20)}) is Outcome.PASSED
        )
        assert self.check(Lt(total, Rational(5, 4)), box={n: range(1, 20)}) is Outcome.REFUTED

    def test_a_relation_that_sympy_has_settled_is_not_ball_arithmetic(self) -> None:
        assert self.check(Ge(exp(1), 2)) is Outcome.UNKNOWN
        assert self.check(Ge(exp(1), 2, evaluate=False)) is Outcome.PASSED

    def test_a_float_is_refused(self) -> None:
        step = Enclosed(claim=Ge(x + 0.5, 0), box={x: (0, 1)}, mutants=[Mutant("m", Le(x, -1))])
        with pytest.raises(NotImplementedError, match="float"):
            step.check()


class TestEnumerated:
    def check(self, *cases: Case) -> Outcome:
        mutants = [Mutant("none", arguments={"drop": True})]
        step = Enumerated(claim="cases", cases=lambda drop=False: cases, mutants=mutants)
        return step.check().outcome

    def test_exact(self) -> None:
        third = Fraction(1, 3)
        assert self.check(Case("a", third, "==", Fraction(2, 6))) is Outcome.PASSED
        assert self.check(Case("a", third, "<", third)) is Outcome.REFUTED

    def test_no_case_is_unknown(self) -> None:
        assert self.check() is Outcome.UNKNOWN

    def test_balls_are_never_equal(self) -> None:
        from flint import arb

        assert self.check(Case("a", arb(2).sqrt(), "==", arb(2).sqrt())) is Outcome.UNKNOWN
        assert self.check(Case("a", arb("nan"), "<=", arb(1))) is Outcome.UNKNOWN
        assert self.check(Case("a", arb(2).sqrt(), "<=", arb(2))) is Outcome.PASSED

    def test_a_float_is_refused(self) -> None:
        with pytest.raises(TypeError, match="float"):
            self.check(Case("a", 0.5, "<=", 1))

    def test_an_incomplete_list_gives_later_steps_nothing(self) -> None:
        step = Enumerated(claim=Ge(x, 0), cases=list, mutants=[Mutant("m", arguments={"a": 1})])
        assert step.conclusion is None


class TestNumerical:
    def test_sampled_states_its_false_alarm(self) -> None:
        def draw(seed: int, shift: float = 0.0) -> Estimate:
            return Estimate(1.0 + shift, 0.1, 1.0)

        step = Sampled(
            claim="a mean", draw=draw, mutants=[Mutant("shifted", arguments={"shift": 1.0})]
        )
        finding = step.check()
        assert finding.outcome is Outcome.PASSED
        assert "1e-06" in finding.detail
        assert step.refute(step.mutants[0]).outcome is Outcome.REFUTED

    @pytest.mark.parametrize("where", ["mean", "stderr", "target"])
    @pytest.mark.parametrize("relation", ["==", "<="])
    @pytest.mark.parametrize("value", [math.nan, math.inf])
    def test_what_is_not_finite_is_unknown(
        self, where: str, relation: Literal["==", "<="], value: float
    ) -> None:
        def draw(seed: int) -> Estimate:
            return replace(Estimate(1.0, 0.1, 1.0), **{where: value})

        mutants = [Mutant("m", arguments={"a": 1})]
        step = Sampled(claim="a mean", draw=draw, relation=relation, mutants=mutants)
        assert step.check().outcome is Outcome.UNKNOWN

    def test_on_worlds_reports_the_largest_ratio(self) -> None:
        def points(scale: float = 1.0) -> list[Compared]:
            return [Compared("a", 1.0, 2.0 * scale), Compared("b", 3.0, 4.0 * scale)]

        step = OnWorlds(
            claim="left <= right", sides=points, mutants=[Mutant("half", arguments={"scale": 0.5})]
        )
        assert step.check().ratio == pytest.approx(0.75)
        assert step.refute(step.mutants[0]).outcome is Outcome.REFUTED

    def test_a_weak_search_is_unknown(self) -> None:
        def search(seed: int, restarts: int) -> Compared:
            return Compared("somewhere", 0.5, 1.0)

        step = Attack(
            claim="left <= right",
            search=search,
            at_least=0.9,
            mutants=[Mutant("m", arguments={"a": 1})],
        )
        assert step.check().outcome is Outcome.UNKNOWN

    def test_it_concludes_nothing(self) -> None:
        assert not Sampled.concludes
        assert not Attack.concludes


def test_cited_and_argued_are_their_own_outcomes() -> None:
    assert Cited(source="Jensen").check().outcome is Outcome.CITED
    assert Argued(text="a", why="b").check().outcome is Outcome.ARGUED
