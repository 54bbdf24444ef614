"""Averaged: a relation between means, from a pointwise one that is decided by Z3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from proofs.evidence.base import Finding, Outcome, conjuncts, resolve
from proofs.evidence.decided import Decided
from proofs.evidence.reals import decide, discharge, find_witness
from proofs.symbols import PARAMETERS, Mean


@dataclass(frozen=True, kw_only=True)
class Averaged(Decided):
    """A relation between means: a pointwise relation, decided, then integrated term by term.

    An expectation is linear and monotone. The engine decides the pointwise relation for all values
    of the random symbols, replaces every random term by its mean and compares the result with the
    claim.

    Parameters
    ----------
    claim : inequality or tuple
        Between means.
    pointwise : inequality or tuple
        Between random quantities, one for each claim; linear in the keys of `means`.
    means : mapping
        For each random term (a random symbol, a product of them or a function of them) its mean.
        The symbols of the keys are random, but for the parameters of the setting: a term that holds
        one of them and is no key has no mean, and no mean may hold one.
    fixed : sequence of symbols
        Symbols that stand in a key and do not vary: the means are conditional means given them.
        What stands in no key does not vary either; the finding lists all of them.

    Notes
    -----
    The means themselves are premises, as the words of the step say (independence, say, or what a
    symbol stands for): they are listed in the finding, and must be means that a law can have.
    """

    pointwise: Any
    means: Mapping[Any, Any]
    fixed: Sequence[Any] = ()

    def check(self) -> Finding:
        """Decide the pointwise relation, then check that its average is the claim."""
        hypotheses = [*self.where]
        unmet = discharge(self.given, self.where, hypotheses, self.timeout)
        if unmet is not None:
            return unmet
        claims, pointwise = conjuncts(self.claim), conjuncts(self.pointwise)
        if not claims or len(claims) != len(pointwise):
            return Finding(Outcome.UNKNOWN, "each claim needs its own pointwise relation")
        for claim, relation in zip(claims, pointwise, strict=True):
            finding = self._check_one(claim, relation, hypotheses)
            if finding.outcome is not Outcome.PASSED:
                return finding
        means = ", ".join(f"E[{term}] = {mean}" for term, mean in self.means.items())
        held = self._held_fixed(pointwise)
        given = f"; held fixed: {held}" if held else ""
        detail = f"decided pointwise, then averaged term by term: {means}{given}"
        return Finding(Outcome.PASSED, detail)

    def witness(self) -> Finding:
        """Ask Z3 for a point that satisfies all hypotheses, and for means that a law can have."""
        assumed, _ = resolve(self.given)
        hypotheses = [*assumed, *self.where, *self._moments()]
        return find_witness(hypotheses, conjuncts(self.claim), self.timeout)

    def _moments(self) -> list[Any]:
        """Return what holds of the means of any law: their signs, and E[v]^2 <= E[v^2]."""
        known: list[Any] = []
        for key, mean in self.means.items():
            if key.is_nonnegative:
                known.append(sympy.Ge(mean, 0))
            if key**2 in self.means:
                known.append(sympy.Le(mean**2, self.means[key**2]))
        return known

    def _held_fixed(self, pointwise: Sequence[Any]) -> str:
        symbols = {s for relation in pointwise for s in relation.free_symbols}
        return ", ".join(sorted(str(s) for s in symbols - self._random - PARAMETERS))

    @property
    def links(self) -> set[tuple[frozenset[Any], frozenset[Any]]]:
        """For each mean its random symbols and the symbols of its value, parameters left out."""
        pairs = {
            (frozenset(key.free_symbols & self._random), frozenset(_unaveraged(mean) - PARAMETERS))
            for key, mean in self.means.items()
        }
        return {(random, mean) for random, mean in pairs if random and mean}

    @property
    def _random(self) -> set[Any]:
        """The symbols that vary: those of the keys that are not said to be fixed."""
        keys = {s for key in self.means for s in key.free_symbols}
        return keys - PARAMETERS - set(self.fixed)

    def _check_one(self, claim: Any, relation: Any, hypotheses: Sequence[Any]) -> Finding:
        if relation in (sympy.true, sympy.false):
            why = "SymPy evaluated the pointwise relation: build it with evaluate=False"
            return Finding(Outcome.UNKNOWN, why)
        finding = decide(relation, hypotheses, self.timeout)
        if finding.outcome is not Outcome.PASSED:
            return finding
        strict = sympy.Lt | sympy.Gt
        if isinstance(claim, strict) and not isinstance(relation, strict):
            return Finding(Outcome.REFUTED, "a strict claim from a relation that is not strict")
        average = self._average(relation.gts - relation.lts)
        difference = sympy.simplify(sympy.expand(average - (claim.gts - claim.lts)))
        if difference == 0:
            return Finding(Outcome.PASSED, "the average is the claim")
        fixed = [fact for fact in hypotheses if not fact.free_symbols & self._random]
        return self._refute_average(average, claim, difference, fixed)

    def _refute_average(
        self, average: Any, claim: Any, difference: Any, fixed: Sequence[Any]
    ) -> Finding:
        """Tell an average that differs from the claim from one that was not recognised.

        Facts about what does not vary may be used, such as definitions.
        """
        follows = decide(claim, [*fixed, sympy.Ge(average, 0)], self.timeout)
        if follows.outcome is Outcome.PASSED:
            return Finding(Outcome.PASSED, "the average implies the claim")
        if follows.outcome is Outcome.REFUTED:
            return Finding(Outcome.REFUTED, f"the average differs from the claim by {difference}")
        return follows

    def _average(self, expression: Any) -> Any:
        """Replace every random term by its mean, term by term."""
        for key, mean in self.means.items():
            varying = _unaveraged(mean) & self._random
            if varying:
                raise ValueError(f"the mean of {key} holds {varying}, which are random themselves")
        dummies = {key: sympy.Dummy() for key in self.means if not _is_monomial(key)}
        for key in sorted(dummies, key=lambda key: -key.count_ops()):
            expression = expression.subs(key, dummies[key])  # the longest first
        means = {key.xreplace(dummies): mean for key, mean in self.means.items()}
        random = self._random | set(dummies.values())
        total = sympy.Integer(0)
        for term in sympy.Add.make_args(sympy.expand(expression)):
            constant, varying = term.as_independent(*random, as_Add=False)
            if varying != 1 and varying not in means:
                named = varying.xreplace({dummy: key for key, dummy in dummies.items()})
                raise ValueError(f"no mean is given for {named}")
            total += constant * means.get(varying, sympy.Integer(1))
        return total


def _unaveraged(expression: Any) -> set[Any]:
    """Return the symbols that stand outside of all expectations."""
    if not isinstance(expression, sympy.Basic):
        return set()
    means = {mean: sympy.Integer(1) for mean in expression.atoms(Mean)}
    return set(expression.xreplace(means).free_symbols)


def _is_monomial(key: Any) -> bool:
    """Tell whether a random term is a product of powers of symbols."""
    factors = (factor.as_base_exp() for factor in sympy.Mul.make_args(key))
    return all(base.is_Symbol and power.is_Integer for base, power in factors)
