"""Attempts to establish something false, one for each way that might have worked."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import (
    Eq,
    Float,
    Function,
    Ge,
    Gt,
    Integer,
    Integral,
    Le,
    Limit,
    Rational,
    Symbol,
    exp,
    log,
)

from proofs import ledger
from proofs.evaluate import arb_function
from proofs.evidence import (
    Argued,
    Averaged,
    Case,
    Decided,
    Derived,
    Enclosed,
    Enumerated,
    Finding,
    Mutant,
    Outcome,
    Use,
)
from proofs.evidence.derived import unconfirmed_limit
from proofs.evidence.supremum import Supremum
from proofs.ledger import (
    Checked,
    Correction,
    LedgerError,
    Ran,
    Statement,
    Step,
    Verdict,
    verdict,
)
from proofs.paper._second_order import Y, mu_hat
from proofs.paper._weighted_average import AVERAGE, WITNESS, B, F, M, T, bias, f, w2
from proofs.symbols import Mean, k, m, tau

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

    def test_an_identity_that_cancels_says_nothing_of_what_it_cancels(self) -> None:
        cancelled = Eq((x**2 - 1) / (x - 1), x + 1)
        assert decided(Gt((x - 1) ** 2, 0), given=(cancelled,)).check().outcome is Outcome.REFUTED
        half = Eq((x**2 - 1) / (x - 1), 2)
        fair = decided(Eq(x, 1), given=(cancelled, half), where=(Gt((x - 1) ** 2, 0),))
        assert fair.witness().outcome is Outcome.REFUTED

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

    def test_means_are_those_of_a_law(self) -> None:
        """A mean of 1 and a mean square of 0 would prove anything."""
        wrong = averaged(Le(1, -1, evaluate=False), Ge(x**2, 2 * x - 1), {x: 1, x**2: 0})
        assert wrong.witness().outcome is Outcome.REFUTED

    def test_what_is_fixed_is_said(self) -> None:
        mean = Symbol("mean", real=True)
        fair = averaged(Ge(mean * a**2, 0), Ge(p * a**2, 0, evaluate=False), {p: mean})
        assert "held fixed: a" in fair.check().detail
        key = log(p + a**2)
        told = averaged(Le(mean, 1 + a**2), Le(key, p + a**2), {key: mean, p: 1}, fixed=(a,))
        assert told.check().outcome is Outcome.PASSED
        with pytest.raises(ValueError, match="no mean is given"):
            averaged(Le(mean, 1 + a**2), Le(key, p + a**2), {key: mean, p: 1}).check()


def statement(claim: Any, proof: list[Step], **kwargs: Any) -> Statement:
    return Statement(id="toy", title="a toy", where="companion", claim=claim, proof=proof, **kwargs)


def step(evidence: Any, name: str = "") -> Step:
    return Step(text="so", evidence=evidence, name=name)


def outcomes(toy: Statement) -> list[Outcome]:
    return [each.evidence.check().outcome for each in toy.proof]


class TestDerived:
    def check(self, claim: Any, **kwargs: Any) -> Outcome:
        return Derived(claim=claim, mutants=never, **kwargs).check().outcome

    def test_a_simplification_that_returns_0(self) -> None:
        at = ({x: Integer(1)}, {x: Integer(-1)})
        assert self.check(Eq(x**2, 1), at=at) is Outcome.REFUTED
        assert self.check(Eq(x**2, 1), at=at, by=lambda e: Integer(0)) is Outcome.REFUTED

    def test_no_number_is_no_test(self) -> None:
        unknown = Function("g")(x)
        assert self.check(Eq(unknown, 2 * unknown), by=lambda e: Integer(0)) is Outcome.UNKNOWN

    def test_a_limit_that_is_not_approached(self) -> None:
        """SymPy is right about this limit; what is tested is that a wrong one would be noticed."""
        right = Limit(x**2, x, 0)
        assert unconfirmed_limit(right, {}) is None
        wrong = _Wrong(Integer(1) + x, x, 0)
        assert wrong.doit() == 7
        assert unconfirmed_limit(wrong, {}) == wrong

    def test_a_settled_identity_is_no_check(self) -> None:
        assert self.check(Eq(x + x, 2 * x)) is Outcome.UNKNOWN
        assert decided(Ge(p, 0)).check().outcome is Outcome.UNKNOWN


class _Wrong(Limit):  # type: ignore[misc]
    def doit(self, **hints: Any) -> Any:
        return Integer(7)


class TestEnclosed:
    def enclosed(self, claim: Any, **kwargs: Any) -> Outcome:
        return Enclosed(claim=claim, mutants=never, **kwargs).check().outcome

    def test_an_empty_box_certifies_nothing(self) -> None:
        assert self.enclosed(Gt(x, x + 1, evaluate=False), box={x: []}) is Outcome.UNKNOWN

    def test_a_symbol_outside_of_the_box(self) -> None:
        """Inside, the coordinates are called x0, x1, ...: no other symbol may pass for one."""
        impostor = Symbol("x0", real=True)
        with pytest.raises(ValueError, match="does not say where"):
            self.enclosed(Ge(x - impostor, 0, evaluate=False), box={x: (0, 1)})

    def test_balls_are_given_for_every_symbol(self) -> None:
        with pytest.raises(ValueError, match="no ball"):
            arb_function(x - Symbol("x0"), (x,))

    def test_integrals_are_not_left_to_sympy(self) -> None:
        area = Integral(x, (x, 0, 1))
        with pytest.raises(TypeError, match="integral"):
            self.enclosed(Gt(area, 0, evaluate=False))


def test_a_float_in_disguise_is_not_exact() -> None:
    disguised = [Case("a tenth", Float("0.1") + Integer(0), "<=", Rational(1, 10))]
    with pytest.raises(TypeError, match="float"):
        Enumerated(claim="words", cases=lambda: disguised, mutants=never).check()


def test_a_supremum_over_nothing_that_varies() -> None:
    top = Symbol("top", real=True)
    fields: dict[str, Any] = {"suprema": {top: x}, "mutants": never}
    assert Supremum(claim=Le(top, x), varying=(), **fields).check().outcome is Outcome.UNKNOWN


class TestInstances:
    def test_a_hypothesis_is_not_met_by_a_choice(self) -> None:
        """That f = 0 and T = 0 meet what lemma 3 asks says nothing about this bias."""
        chosen = Use("lemma-3", {f: 0, F: 0, T: 0, B: 1, M: 0, m: k})
        with pytest.raises(LedgerError, match="has to be met"):
            ledger.instantiate(chosen)
        with pytest.raises(LedgerError, match="has to be met"):
            ledger.instantiate(Use("eq-11", {Y: 1, mu_hat: 1}))
        with pytest.raises(LedgerError, match="has to be met"):
            ledger.instantiate(Use("lemma-4", {Y: exp(1 / tau)}))
        met = decided(Le(bias, 4 * w2 / k), given=(*AVERAGE, Use("lemma-3", {m: k})))
        assert met.check().outcome is Outcome.PASSED

    def test_a_mean_goes_with_what_it_is_the_mean_of(self) -> None:
        with pytest.raises(LedgerError, match="a mean of"):
            ledger.instantiate(Use("lemma-3", {bias: a}))

    def test_a_risk_goes_with_its_number_of_negatives(self) -> None:
        with pytest.raises(LedgerError, match="depends on it"):
            ledger.instantiate(Use("prop-1", {k: 2 * k}))

    def test_an_integer_stays_one(self) -> None:
        assert False in map(bool, ledger.instantiate(Use("poisson-constant", {k: tau})).obligations)

    def test_a_definition_goes_with_its_symbol(self) -> None:
        """In an instance of a statement about x = 2 a, another a is another x."""
        double = Eq(x, 2 * a)
        general = step(decided(Ge(x + y, 2 * a + y), given=(double,)), "general")
        wrong = step(decided(Ge(x, 2 * a + 2), given=(Use("#general", {a: a + 1, y: 0}),)))
        toy = statement(Ge(x, 2 * a + 2), [general, wrong], definitions={x: 2 * a})
        assert outcomes(toy) == [Outcome.PASSED, Outcome.REFUTED]

    def test_a_definition_in_two_steps_goes_along_too(self) -> None:
        z = Symbol("z", real=True)
        chain = {x: 2 * a, z: x + 1}
        facts = tuple(Eq(symbol, value) for symbol, value in chain.items())
        general = step(decided(Ge(z, 2 * a + 1), given=facts), "general")
        wrong = step(decided(Ge(z, 2 * a + 3), given=(Use("#general", {a: a + 1}),)))
        toy = statement(Ge(z, 2 * a + 3), [general, wrong], definitions=chain)
        assert outcomes(toy) == [Outcome.PASSED, Outcome.REFUTED]

    def test_hypotheses_are_handed_on(self) -> None:
        """What is derived from an instance of a step rests on what the step rests on."""
        first = step(decided(Ge(x**2 + a**2, 1), given=(Ge(x, 1),)), "first")
        second = step(decided(Ge(x**2, 1), given=(Use("#first", {a: 0}),)), "second")
        third = step(decided(Ge(y**2, 1), given=(Use("#second", {x: y}),)))
        toy = statement(Ge(y**2, 1), [first, second, third], hypotheses=[Ge(x, 1)], witness={x: 1})
        assert outcomes(toy)[-1] is Outcome.REFUTED

    def test_the_mean_of_a_step_is_no_other_number(self) -> None:
        mean = Symbol("mean", real=True)
        first = step(averaged(Ge(mean, 1), Ge(x, 1), {x: mean}, given=(Ge(x, 1),)), "first")
        wrong = step(decided(Ge(y, 1), given=(Use("#first", {mean: y}),)))
        with pytest.raises(LedgerError, match="a mean of"):
            statement(Ge(y, 1), [first, wrong], hypotheses=[Ge(x, 1)], witness={x: 1})

    def test_what_is_argued_meets_what_it_uses(self) -> None:
        first = step(decided(Ge(a**2, 1), where=(Ge(a, 1),)), "first")
        prose = Argued(text="so", why="a test", claim=Ge(y**2, 1), given=(Use("#first", {a: y}),))
        toy = statement(Ge(y**2, 1), [first, step(prose)])
        assert outcomes(toy) == [Outcome.PASSED, Outcome.REFUTED]

    def test_a_name_is_given_once(self) -> None:
        first, second = (step(decided(Ge(x**2 + x, c)), "same") for c in (-1, -2))
        with pytest.raises(LedgerError, match="two steps"):
            statement(Ge(x**2 + x, -2), [first, second])

    def test_every_use_in_the_ledger_is_one_that_may_be_made(self) -> None:
        for toy in ledger.statements().values():
            for each in toy.proof:
                for fact in each.evidence.given_facts:
                    if isinstance(fact, Use):
                        assert ledger.instantiate(fact).ref, toy.id

    def test_what_a_statement_assumes_of_one_draw_is_met_by_those_who_use_it(self) -> None:
        """eq-12 rests on lemma 3, and so says itself what lemma 3 asks."""
        assert set(AVERAGE) <= set(ledger.get("eq-12").hypotheses)
        assert set(AVERAGE) <= set(ledger.get("theorem-1").hypotheses)
        assert set(WITNESS) <= set(ledger.get("theorem-1").witness)


class TestClaims:
    words = "the moon is made of cheese"

    def test_words_do_not_hide_among_relations(self) -> None:
        with pytest.raises(LedgerError, match="not in both"):
            statement((self.words, Ge(x**2, 0, evaluate=False)), [])

    def test_a_claim_that_is_settled_says_nothing(self) -> None:
        with pytest.raises(LedgerError, match="evaluate=False"):
            statement(Ge(p, 0), [])

    def test_a_conclusion_in_words_adds_no_hypotheses(self) -> None:
        conditional = Argued(text="so", why="a test", claim=self.words, where=(Ge(x, 1),))
        with pytest.raises(LedgerError, match="adds hypotheses"):
            statement(self.words, [step(conditional)])

    def test_a_refutation_is_given_only_what_is_established(self) -> None:
        refutation = decided(Le(x, 1), given=(Eq(x, 2),))
        correction = Correction(printed=Le(x, 1), refutation=refutation, note="wrong")
        proof = [step(decided(Le(x, 3), given=(Le(x, 2),)))]
        with pytest.raises(LedgerError, match="nobody established"):
            statement(Le(x, 3), proof, hypotheses=[Le(x, 2)], witness={x: 0}, correction=correction)

    def test_a_refutation_of_free_reals_is_none(self) -> None:
        """Every logarithm is a free real to Z3, so it refutes log 4 = 2 log 2 as well."""
        true_claim = decided(Eq(log(4, evaluate=False), 2 * log(2), evaluate=False))
        assert true_claim.check().outcome is Outcome.REFUTED
        assert not true_claim.certainly_fails()
        assert decided(Le(x**2, x)).certainly_fails()
        assert decided(Eq(Mean(x), 0), where=(Gt(Mean(x), 1),)).certainly_fails()

    def test_a_witness_obeys_the_assumptions_of_the_symbols(self) -> None:
        claim = Ge(p**2 + p, -p, evaluate=False)
        proof = [step(decided(claim))]
        toy = statement(claim, proof, hypotheses=[Le(p**3, -1, evaluate=False)], witness={p: -1})
        assert toy.check_hypotheses().outcome is Outcome.UNKNOWN

    def test_definitions_do_not_contradict_the_hypotheses(self) -> None:
        proof = [step(decided(Ge(x, 1), given=(Ge(x, 2),)))]
        toy = statement(
            Ge(x, 1), proof, hypotheses=[Ge(x, 2)], witness={x: 2}, definitions={x: Integer(1)}
        )
        assert toy.check_hypotheses().outcome is Outcome.UNKNOWN

    def test_a_failed_cross_check_stands_against_the_proof(self) -> None:
        false = Enumerated(claim="all", cases=lambda: [Case("one", 2, "<=", 1)], mutants=never)
        toy = statement(
            Le(x, 3), [step(decided(Le(x, 3), given=(Le(x, 3),)))], hypotheses=[Le(x, 3)]
        )
        passed = (Ran(toy.proof[0].evidence, Finding(Outcome.PASSED), 0.0),)
        failed = (Ran(false, false.check(), 0.0),)
        assert verdict("toy", {"toy": Checked(toy, passed)}) is Verdict.HOLDS
        assert verdict("toy", {"toy": Checked(toy, passed, None, failed)}) is Verdict.UNKNOWN

    def test_no_finite_list_is_complete_for_all_values(self) -> None:
        with pytest.raises(ValueError, match="not complete"):
            Enumerated(claim=Ge(x, 0), cases=list, complete=True, mutants=never)

    def test_an_incomplete_list_and_no_claim_at_all(self) -> None:
        listed = Enumerated(claim=(), cases=list, mutants=never)
        with pytest.raises(LedgerError):
            statement((), [step(listed)])
