"""A proof is refused if it uses what nobody established; verdicts are computed, not declared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sympy import Ge, Gt, Le, Symbol

from proofs import ledger
from proofs.check import run_statement
from proofs.evidence import Argued, Cited, Decided, Enumerated, Finding, Mutant, Outcome, Use
from proofs.evidence.sampled import Estimate, Sampled
from proofs.ledger import (
    Checked,
    Correction,
    LedgerError,
    Ran,
    Statement,
    Step,
    Verdict,
    strength,
    verdict,
)

x = Symbol("x", real=True)
a = Symbol("a", real=True)
false = Mutant("false", Ge(x, x + 1, evaluate=False))


def decided(claim: Any, *, given: tuple[Any, ...] = (), where: tuple[Any, ...] = ()) -> Decided:
    return Decided(claim=claim, given=given, where=where, mutants=[false])


def statement(id_: str = "toy", **kwargs: Any) -> Statement:
    defaults: dict[str, Any] = {
        "id": id_,
        "title": "a toy",
        "where": "companion",
        "claim": Ge(x**2, 1),
        "hypotheses": [Ge(x, 1)],
        "witness": {x: 2},
        "proof": [Step(text="square", evidence=decided(Ge(x**2, 1), given=(Ge(x, 1),)))],
    }
    return Statement(**{**defaults, **kwargs})


def ran(toy: Statement, *outcomes: Outcome, **kwargs: Any) -> Checked:
    steps = tuple(
        Ran(step.evidence, Finding(outcome), 0.0)
        for step, outcome in zip(toy.proof, outcomes, strict=True)
    )
    return Checked(toy, steps, **kwargs)


class TestRefusals:
    def test_given_what_nobody_established(self) -> None:
        step = Step(text="square", evidence=decided(Ge(x**2, 1), given=(Ge(x, 2),)))
        with pytest.raises(LedgerError, match="nobody established"):
            statement(proof=[step])

    def test_a_fact_is_recognised_either_way_round(self) -> None:
        step = Step(text="square", evidence=decided(Ge(x**2, 1), given=(Le(1, x),)))
        assert statement(proof=[step]).proof

    def test_a_later_step_cannot_be_used(self) -> None:
        step = Step(text="square", evidence=decided(Ge(x**2, 1), given=(Use("#later"),)))
        with pytest.raises(LedgerError, match="no earlier step"):
            statement(proof=[step, Step(text="x", evidence=decided(Ge(x**2, 1)), name="later")])

    def test_the_last_step_must_conclude_the_claim_itself(self) -> None:
        step = Step(text="less", evidence=decided(Ge(x**2, 0), given=(Ge(x, 1),)))
        with pytest.raises(LedgerError, match="conclude the claim"):
            statement(proof=[step])

    def test_the_last_step_may_not_add_hypotheses(self) -> None:
        step = Step(text="more", evidence=decided(Ge(x**2, 1), where=(Ge(x, 3),)))
        with pytest.raises(LedgerError, match="adds hypotheses"):
            statement(proof=[step])

    def test_a_conditional_step_establishes_nothing_unconditionally(self) -> None:
        conditional = Step(text="if x >= 3", evidence=decided(Ge(x**2, 9), where=(Ge(x, 3),)))
        last = Step(text="so", evidence=decided(Ge(x**2, 1), given=(Ge(x**2, 9),)))
        with pytest.raises(LedgerError, match="nobody established"):
            statement(proof=[conditional, last])

    def test_sampled_evidence_never_concludes(self) -> None:
        sampled = Sampled(
            claim=Ge(x**2, 1),
            draw=lambda seed: Estimate(0.0, 1.0, 0.0),
            mutants=[Mutant("m", arguments={"shift": 1})],
        )
        with pytest.raises(LedgerError, match="never concludes"):
            statement(proof=[Step(text="sample", evidence=sampled)])

    def test_an_incomplete_list_does_not_conclude(self) -> None:
        listed = Enumerated(
            claim=Ge(x**2, 1), cases=list, mutants=[Mutant("m", arguments={"shift": 1})]
        )
        with pytest.raises(LedgerError, match="conclude the claim"):
            statement(proof=[Step(text="list", evidence=listed)])

    def test_a_tight_bound_needs_evidence(self) -> None:
        with pytest.raises(LedgerError, match="attained"):
            statement(tight=True)

    def test_a_declared_use_that_no_step_uses(self) -> None:
        with pytest.raises(LedgerError, match="declared but not used"):
            statement(declared_uses=["lemma-2"])


class TestInstances:
    def test_the_hypotheses_of_an_earlier_step_are_obligations(self) -> None:
        general = Step(
            text="if a >= 1 then a^2 >= 1",
            name="g",
            evidence=decided(Ge(a**2, 1), where=(Ge(a, 1),)),
        )
        met = Step(text="at x", evidence=decided(Ge(x**2, 1), given=(Ge(x, 1), Use("#g", {a: x}))))
        assert run_all(statement(proof=[general, met])) == [Outcome.PASSED, Outcome.PASSED]

    def test_an_obligation_that_is_not_met(self) -> None:
        general = Step(
            text="if a >= 1 then a^2 >= 1",
            name="g",
            evidence=decided(Ge(a**2, 1), where=(Ge(a, 1),)),
        )
        unmet = Step(text="at x", evidence=decided(Ge(x**2, 1), given=(Use("#g", {a: x}),)))
        toy = statement(proof=[general, unmet], hypotheses=[])
        assert run_all(toy) == [Outcome.PASSED, Outcome.REFUTED]

    def test_hypotheses_that_a_step_rests_on_are_obligations_too(self) -> None:
        square = Step(text="square", name="s", evidence=decided(Ge(x**2, 1), given=(Ge(x, 1),)))
        elsewhere = Step(text="at a", evidence=decided(Ge(a**2, 1), given=(Use("#s", {x: a}),)))
        toy = statement(claim=Ge(a**2, 1), proof=[square, elsewhere])
        assert run_all(toy) == [Outcome.PASSED, Outcome.REFUTED]

    def test_a_statement_used_brings_its_obligations(self) -> None:
        used = Use("eq-8", {})
        instance = ledger.instantiate(used)
        assert instance.facts
        assert instance.obligations


def run_all(toy: Statement) -> list[Outcome]:
    return [step.evidence.check().outcome for step in toy.proof]


class TestVerdicts:
    def test_holds(self) -> None:
        toy = statement()
        assert verdict("toy", {"toy": ran(toy, Outcome.PASSED)}) is Verdict.HOLDS
        assert strength("toy", {"toy": ran(toy, Outcome.PASSED)}) == "decided"

    def test_unknown_never_counts_as_passed(self) -> None:
        toy = statement()
        assert verdict("toy", {"toy": ran(toy, Outcome.UNKNOWN)}) is Verdict.UNKNOWN

    def test_no_witness_is_unknown(self) -> None:
        toy = statement()
        run = Ran(toy.proof[0].evidence, Finding(Outcome.PASSED), 0.0, (), Finding(Outcome.REFUTED))
        assert verdict("toy", {"toy": Checked(toy, (run,))}) is Verdict.UNKNOWN

    def test_empty_hypotheses_are_unknown(self) -> None:
        toy = statement(witness={x: 0})
        assert toy.check_hypotheses().outcome is Outcome.UNKNOWN
        checked = ran(toy, Outcome.PASSED, hypotheses=toy.check_hypotheses())
        assert verdict("toy", {"toy": checked}) is Verdict.UNKNOWN

    def test_a_correction_must_refute_the_printed_claim(self) -> None:
        printed = decided(Ge(x, 2), given=())
        toy = statement(correction=Correction(printed=Ge(x, 2), refutation=printed, note="x"))
        refuted = Ran(printed, Finding(Outcome.REFUTED), 0.0)
        passed = Ran(printed, Finding(Outcome.PASSED), 0.0)
        good = {"toy": ran(toy, Outcome.PASSED, refutation=refuted)}
        bad = {"toy": ran(toy, Outcome.PASSED, refutation=passed)}
        assert verdict("toy", good) is Verdict.CORRECTED
        assert verdict("toy", bad) is Verdict.UNKNOWN

    def test_refuted_without_repair(self) -> None:
        printed = decided(Ge(x, 2), given=())
        toy = statement(
            proof=[], correction=Correction(printed=Ge(x, 2), refutation=printed, note="x")
        )
        refuted = Ran(printed, Finding(Outcome.REFUTED), 0.0)
        assert verdict("toy", {"toy": Checked(toy, (), refuted)}) is Verdict.REFUTED

    def test_open(self) -> None:
        toy = statement(proof=[])
        assert verdict("toy", {"toy": Checked(toy, ())}) is Verdict.OPEN

    def test_open_and_refuted_propagate_and_corrected_does_not(self) -> None:
        def user(of: str) -> Statement:
            text = Argued(text="by " + of, why="a test", claim=Ge(x**2, 1), uses=(of,))
            return statement("user", proof=[Step(text="so", evidence=text)])

        open_ = statement("open-one", proof=[])
        results = {
            "user": ran(user("open-one"), Outcome.ARGUED),
            "open-one": Checked(open_, ()),
        }
        assert verdict("user", results) is Verdict.OPEN
        printed = decided(Ge(x, 2))
        corrected = statement(
            "corrected", correction=Correction(printed=Ge(x, 2), refutation=printed, note="x")
        )
        results = {
            "user": ran(user("corrected"), Outcome.ARGUED),
            "corrected": ran(
                corrected,
                Outcome.PASSED,
                refutation=Ran(printed, Finding(Outcome.REFUTED), 0.0),
            ),
        }
        assert verdict("user", results) is Verdict.HOLDS
        assert strength("user", results) == "argued"

    def test_a_missing_statement_is_unknown(self) -> None:
        text = Argued(text="by x", why="a test", claim=Ge(x**2, 1), uses=("absent",))
        toy = statement(proof=[Step(text="so", evidence=text)])
        assert verdict("toy", {"toy": ran(toy, Outcome.ARGUED)}) is Verdict.UNKNOWN

    def test_circular_proofs_are_refused(self) -> None:
        def one(id_: str, of: str) -> Checked:
            text = Cited(source="the other", claim=Ge(x**2, 1), uses=(of,))
            return ran(statement(id_, proof=[Step(text="so", evidence=text)]), Outcome.CITED)

        with pytest.raises(LedgerError, match="circular"):
            verdict("one", {"one": one("one", "two"), "two": one("two", "one")})


class TestTheLedger:
    def test_every_module_holds_the_statement_of_its_name(self) -> None:
        assert set(ledger.statements()) == set(ledger.modules())

    def test_every_use_is_a_statement_and_nothing_is_circular(self) -> None:
        from proofs.check import closure

        assert set(closure(list(ledger.statements()))) == set(ledger.statements())

    def test_constants_have_one_name_each(self) -> None:
        from proofs import constants

        names = [constant.name for _, constant in constants._entries(ledger.modules())]
        assert len(names) == len(set(names))

    def test_claims_print_as_latex(self) -> None:
        for toy in ledger.statements().values():
            assert toy.latex().strip(), toy.id

    def test_no_statement_is_a_duplicate_of_its_printed_form(self) -> None:
        for toy in ledger.statements().values():
            if toy.correction is not None:
                assert toy.correction.printed != toy.claim, toy.id
                assert toy.correction.note, toy.id

    def test_machine_evidence_carries_mutants(self) -> None:
        for toy in ledger.statements().values():
            for evidence in (*[s.evidence for s in toy.proof], *toy.evidence):
                assert evidence.mutants or not evidence.machine, toy.id


def test_running_a_statement_in_this_process() -> None:
    checked = run_statement("eq-8")
    assert [r.outcome for r in checked.steps] == [Outcome.PASSED] * 3
    assert all(f.outcome is Outcome.REFUTED for r in checked.all for _, f in r.mutants)


def test_replacing_a_constant_changes_the_verdict_of_the_step() -> None:
    toy = ledger.get("eq-8")
    last = toy.proof[-1].evidence
    worse = replace(last, claim=Gt(x, x + 1, evaluate=False))  # type: ignore[call-arg]
    assert worse.check().outcome is Outcome.REFUTED
