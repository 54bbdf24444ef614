"""Decided: a polynomial inequality for all real values under stated hypotheses, by Z3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

from proofs.evidence.base import Evidence, Fact, Finding, Outcome, conjuncts, resolve
from proofs.evidence.reals import decide, discharge, find_witness, is_polynomial


@dataclass(frozen=True, kw_only=True)
class Decided(Evidence):
    """A deduction between polynomial relations, decided over the reals.

    The claim must follow from `given` and `where` and the assumptions of the symbols. Powers of
    ``exp`` of one expression become powers of one positive real (greater than 1 when the exponent
    is known to be positive). A logarithm becomes a real of which it is known only that log is
    increasing, that log 1 = 0 and that log x <= x - 1. Every other non-polynomial term (an
    expectation, say) becomes a free real. So what is decided is stronger than the claim, and a
    counterexample refutes the deduction.

    Parameters
    ----------
    claim : relation, conjunction or tuple
        What is to follow.
    given : facts
        Facts established elsewhere (hypotheses, earlier steps, statements via `Use`).
    where : relations
        Hypotheses of this step alone.
    timeout : float
        Seconds allowed a conjunct.
    """

    kind = "decided"
    rank = 2
    establishes = "a polynomial inequality for all real values under stated hypotheses"
    colour = ("#cfeee0", "#0f3f33")
    engine = "Z3"

    claim: Any
    given: tuple[Fact, ...] = ()
    where: tuple[Any, ...] = ()
    timeout: float = 60.0

    def check(self) -> Finding:
        """Ask Z3 for a counterexample to each part of the claim and to each obligation."""
        hypotheses = [*self.where]
        unmet = discharge(self.given, self.where, hypotheses, self.timeout)
        if unmet is not None:
            return unmet
        parts = conjuncts(self.claim)
        if not parts:
            return Finding(Outcome.UNKNOWN, "there is no relation to decide")
        if sympy.true in parts:
            why = "SymPy settled the claim when it was built: leave it unevaluated"
            return Finding(Outcome.UNKNOWN, why)
        terms: set[str] = set()
        for part in parts:
            finding = decide(part, hypotheses, self.timeout, terms)
            if finding.outcome is not Outcome.PASSED:
                return finding
        free = f"; free reals: {', '.join(sorted(terms))}" if terms else ""
        return Finding(Outcome.PASSED, f"no counterexample exists{free}")

    def certainly_fails(self) -> bool:
        """Tell whether the claim fails, and not only its deduction with free reals for some terms.

        It does if Z3 sees every term as it is, or if a part of the claim fails wherever the given
        facts hold.
        """
        assumed, _ = resolve(self.given)
        hypotheses = [*self.where, *assumed]
        parts = conjuncts(self.claim)
        if is_polynomial([*hypotheses, *parts]):
            return True
        denials = (decide(sympy.Not(part), hypotheses, self.timeout) for part in parts)
        return any(denial.outcome is Outcome.PASSED for denial in denials)

    def witness(self) -> Finding:
        """Ask Z3 for a point that satisfies all hypotheses."""
        assumed, _ = resolve(self.given)
        return find_witness([*assumed, *self.where], conjuncts(self.claim), self.timeout)
