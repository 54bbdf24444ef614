"""Suprema over a class: a bound for every member, decided, is a bound for the supremum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from proofs.evidence.base import Finding, Outcome, conjuncts
from proofs.evidence.decided import Decided
from proofs.evidence.reals import decide, discharge


@dataclass(frozen=True, kw_only=True)
class Supremum(Decided):
    """A relation between suprema over a class: decided for one member, then for the least bound.

    What is used of a supremum is its definition: no member exceeds it, and it does not exceed
    what bounds every member. Nothing is assumed to be attained.

    Parameters
    ----------
    claim : inequality or tuple
        On its smaller side stands one supremum, with a positive factor; the rest of the relation
        may hold other suprema, but nothing that depends on the member.
    suprema : mapping
        For each supremum the quantity of one member of which it is the supremum.
    varying : sequence of symbols
        What depends on the member. The given facts that hold one of them hold for every member.

    Examples
    --------
    >>> from sympy.abc import x, y, s, t, u
    >>> from proofs.evidence import Mutant
    >>> of = {s: x, t: y, u: x + y}
    >>> wrong = Mutant("the second supremum left out", u <= s)
    >>> evidence = Supremum(claim=u <= s + t, suprema=of, varying=(x, y), mutants=[wrong])
    >>> evidence.check().outcome.value, evidence.refute(wrong).outcome.value
    ('passed', 'refuted')
    """

    suprema: Mapping[Any, Any]
    varying: Sequence[Any]

    def check(self) -> Finding:
        """Decide each relation with one member in place of its supremum."""
        hypotheses = [*self.where]
        unmet = discharge(self.given, self.where, hypotheses, self.timeout)
        if unmet is not None:
            return unmet
        hypotheses += [sympy.Le(member, top) for top, member in self.suprema.items()]
        parts = conjuncts(self.claim)
        if not parts:
            return Finding(Outcome.UNKNOWN, "there is no relation to decide")
        for part in parts:
            finding = self._check_one(part, hypotheses)
            if finding.outcome is not Outcome.PASSED:
                return finding
        return Finding(Outcome.PASSED, "decided for every member, hence for the supremum")

    def _check_one(self, part: Any, hypotheses: Sequence[Any]) -> Finding:
        if not isinstance(part, sympy.Le | sympy.Ge):
            return Finding(Outcome.UNKNOWN, f"{part} is not an inequality that may be attained")
        small, large = part.lts, part.gts
        tops = [top for top in self.suprema if small.has(top)]
        if len(tops) != 1:
            return Finding(Outcome.UNKNOWN, f"one supremum at a time: {small}")
        top = tops[0]
        if not self.suprema[top].free_symbols & set(self.varying):
            return Finding(Outcome.UNKNOWN, f"{self.suprema[top]} does not depend on the member")
        # SymPy differentiates with respect to symbols only; a supremum may be a function of k.
        plain = sympy.Dummy()
        factor = sympy.diff(small.xreplace({top: plain}), plain).xreplace({plain: top})
        constant = sympy.expand(small - factor * top)
        for term in (factor, constant, large):
            if term.free_symbols & set(self.varying):
                return Finding(Outcome.REFUTED, f"{term} depends on the member")
        if factor.has(top) or constant.has(top):
            return Finding(Outcome.UNKNOWN, f"{small} is not linear in {top}")
        positive = decide(sympy.Gt(factor, 0), hypotheses, self.timeout)
        if positive.outcome is not Outcome.PASSED:
            return Finding(positive.outcome, f"the factor {factor} of {top} must be positive")
        member = sympy.Le(constant + factor * self.suprema[top], large)
        return decide(member, hypotheses, self.timeout)
