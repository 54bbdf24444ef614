"""A statement as data, and the rules that a proof must obey when it is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sympy

from proofs.evidence.base import (
    Evidence,
    Finding,
    Instance,
    Mutant,
    Outcome,
    Use,
    conjuncts,
    to_latex,
)

__all__ = ["Constant", "Correction", "LedgerError", "Statement", "Step", "instance"]


class LedgerError(ValueError):
    """A statement is not well formed: the proof uses what nobody established, or concludes less."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step a careful reader would number.

    Parameters
    ----------
    text : str
        The sentence a reader needs, in Markdown with LaTeX between dollars.
    evidence : Evidence
        The one piece of evidence for it.
    name : str
        By which later steps refer to it, as ``Use("#name")``.
    """

    text: str
    evidence: Evidence
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class Correction:
    """What does not stand as printed, with the evidence that refutes it.

    Parameters
    ----------
    printed : relation or text
        The printed claim, as we read it.
    refutation : Evidence
        Evidence *for the printed claim*, which the engine must refute.
    note : str
        What to change, as a colleague would say it.
    transcription : bool
        Whether the slip may belong to the transcription we read.
    """

    printed: Any
    refutation: Evidence
    note: str
    transcription: bool = False


@dataclass(frozen=True, kw_only=True)
class Constant:
    """A constant of a statement.

    Parameters
    ----------
    name : str
        Unique: letters, digits and hyphens.
    formula : Expr
        Exact; it may hold tau, k, n and a target.
    printed : bool
        Whether it is the paper's (True) or the companion's (False).
    meaning : str
        One phrase, with units.
    where : str
        Where in the statement it stands.
    sharpens : str
        Name of the printed constant that this one improves, if any.
    looseness : callable, optional
        Takes ``tau`` and ``k`` (Fraction, int or None) and returns the largest left/right met.
    ball : callable, optional
        Takes ``digits`` and the parameters as keywords and returns an Arb ball, for a constant that
        has no closed form; otherwise the formula is evaluated.
    """

    name: str
    formula: Any
    printed: bool = True
    meaning: str = ""
    where: str = ""
    sharpens: str = ""
    looseness: Callable[..., float | None] | None = None
    ball: Callable[..., Any] | None = None


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A claim of the paper or of the companion, with the evidence that checks it.

    Parameters
    ----------
    id : str
        As in ``lemma-2``.
    title : str
        One phrase.
    where : str
        Where it stands in the paper, or "companion".
    hypotheses : sequence of relations
        Beyond the assumptions that the symbols carry.
    assumptions : sequence of str
        Hypotheses in words, such as "(A): the tuples are iid".
    claim : relation, conjunction, tuple or text
        The claim that is proved: the repaired one where the printed one fails.
    proof : sequence of Step
        Empty for an open question.
    tight : bool
        Whether the bound is attained (or approached); `attained` is then the evidence for it.
    attained : Evidence, optional
        Evidence of tightness.
    crosschecks : sequence of Evidence
        Numerical agreement beside the proof.
    witness : mapping
        Values of the symbols at which all hypotheses hold.
    definitions : mapping
        Symbols of this statement that stand for an expression, for the reader.
    declared_uses : sequence of str, optional
        Ids it uses. They are inferred from the steps; a declared id that no step uses is an error.
    """

    id: str
    title: str
    where: str
    claim: Any
    proof: Sequence[Step] = ()
    hypotheses: Sequence[Any] = ()
    assumptions: Sequence[str] = ()
    tight: bool = False
    attained: Evidence | None = None
    crosschecks: Sequence[Evidence] = ()
    correction: Correction | None = None
    constants: Sequence[Constant] = ()
    witness: Mapping[Any, Any] = field(default_factory=dict)
    definitions: Mapping[Any, Any] = field(default_factory=dict)
    remarks: str = ""
    declared_uses: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.tight and self.attained is None:
            raise LedgerError(f"{self.id}: a tight bound needs evidence that it is attained")
        object.__setattr__(self, "proof", _bind(self))
        if self.proof:
            _check_conclusion(self)
        unused = set(self.declared_uses) - set(self.uses)
        if unused:
            raise LedgerError(f"{self.id}: declared but not used: {', '.join(sorted(unused))}")

    @property
    def ours(self) -> bool:
        """Whether the statement is the companion's own."""
        return self.where == "companion"

    @property
    def uses(self) -> tuple[str, ...]:
        """The ids of the statements that the proof really uses, in order of appearance."""
        seen: dict[str, None] = {}
        for step in self.proof:
            seen.update(dict.fromkeys(step.evidence.statement_refs()))
        seen.pop(self.id, None)
        return tuple(seen)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All evidence that `infonce check` runs beside the steps: attained, then cross-checks."""
        attained = (self.attained,) if self.attained is not None else ()
        return (*attained, *self.crosschecks)

    def latex(self) -> str:
        """Return the claim in LaTeX, printed from SymPy."""
        if isinstance(self.claim, str):
            return self.claim
        parts = self.claim if isinstance(self.claim, tuple | list) else conjuncts(self.claim)
        return r",\qquad ".join(to_latex(part) for part in parts)

    def check_hypotheses(self) -> Finding:
        """Exhibit the witness: a point at which every hypothesis holds (no vacuous statement)."""
        for hypothesis in conjuncts(tuple(self.hypotheses)):
            value = hypothesis.subs(dict(self.witness))
            if sympy.simplify(value) is not sympy.true:
                return Finding(Outcome.UNKNOWN, f"the witness does not satisfy {hypothesis}")
        return Finding(Outcome.PASSED, ", ".join(f"{s} = {v}" for s, v in self.witness.items()))


@dataclass(frozen=True)
class _Named:
    """A step that later ones may use, with the hypotheses of the statement that it rests on."""

    evidence: Evidence
    rests_on: frozenset[Any]

    def inherited(self, replaced: set[Any]) -> list[Any]:
        """Return what the step's hypotheses in the statement ask of an instance.

        Those that mention a replaced symbol do, and so does the definition of a symbol that the
        conclusion holds. A symbol that is only defined, from replaced ones, is as good as new: it
        may be defined anew, unless a hypothesis restricts it, which no instance can meet.
        """
        definitions = {fact for fact in self.rests_on if _is_definition(fact)}
        shown = {s for part in conjuncts(self.evidence.conclusion) for s in part.free_symbols}
        asked, renewed = [], set[Any]()
        for fact in definitions:
            if fact.free_symbols & replaced:
                if fact.lhs in shown or fact.lhs in replaced:
                    asked.append(fact)
                else:
                    renewed.add(fact.lhs)
        for fact in self.rests_on - definitions:
            if fact.free_symbols & renewed:
                asked.append(sympy.false)
            elif fact.free_symbols & replaced:
                asked.append(fact)
        return sorted(asked, key=str)


def _is_definition(fact: Any) -> bool:
    return isinstance(fact, sympy.Eq) and fact.lhs.is_Symbol


def _bind(statement: Statement) -> tuple[Step, ...]:
    """Resolve references to earlier steps and refuse whatever nobody established."""
    base = _normal_set(statement.hypotheses) | _normal_set(
        [sympy.Eq(s, e) for s, e in statement.definitions.items() if isinstance(e, sympy.Expr)]
    )
    #: What is established, and the hypotheses each fact rests on.
    established: dict[Any, frozenset[Any]] = {fact: frozenset([fact]) for fact in base}
    named: dict[str, _Named] = {}
    bound: list[Step] = []
    for number, step in enumerate(statement.proof, 1):
        where = f"{statement.id}: step {number}"
        evidence = step.evidence
        given = _resolve_names(evidence.given_facts, named, where)
        rests_on: frozenset[Any] = frozenset() if evidence.machine else frozenset(base)
        for fact in given:
            if isinstance(fact, Use | Instance):
                continue
            for part in _normal_set(conjuncts(fact)) - {sympy.true}:
                if part not in established:
                    raise LedgerError(f"{where} is given {part}, which nobody established")
                rests_on |= established[part]
        if given:
            changes: dict[str, Any] = {"given": given}
            evidence = replace(evidence, **changes)
        evidence = replace(evidence, mutants=_bind_mutants(evidence.mutants, named, where))
        bound.append(replace(step, evidence=evidence))
        if step.name:
            named[step.name] = _Named(evidence, rests_on)
        if _normal_set(evidence.local_hypotheses) <= established.keys():
            rests_on = rests_on.union(
                *(established[h] for h in _normal_set(evidence.local_hypotheses))
            )
            established.update(dict.fromkeys(_normal_set(evidence.conclusion), rests_on))
    return tuple(bound)


def _resolve_names(
    facts: Sequence[Any], named: Mapping[str, _Named], where: str
) -> tuple[Any, ...]:
    """Turn ``#name`` into an instance of that step.

    It asks for the step's own hypotheses and for those of the statement that the step rests on and
    that mention a symbol being replaced.
    """
    resolved = []
    for fact in facts:
        if isinstance(fact, Use) and fact.ref.startswith("#"):
            if fact.ref[1:] not in named:
                raise LedgerError(f"{where} uses {fact.ref}, which is no earlier step")
            source = named[fact.ref[1:]]
            hypotheses = (*source.evidence.local_hypotheses, *source.inherited(set(fact.at)))
            fact = instance(fact, source.evidence.conclusion, hypotheses)
        resolved.append(fact)
    return tuple(resolved)


def _bind_mutants(
    mutants: Sequence[Mutant], named: Mapping[str, _Named], where: str
) -> tuple[Mutant, ...]:
    bound = []
    for mutant in mutants:
        changes = dict(mutant.changes)
        if "given" in changes:
            changes["given"] = _resolve_names(changes["given"], named, where)
        bound.append(Mutant(mutant.name, **changes))
    return tuple(bound)


def _normal(relation: Any) -> Any:
    """Write a > b as b < a, so that a fact is recognised whichever way round it stands."""
    return relation.reversed if isinstance(relation, sympy.Gt | sympy.Ge) else relation


def _normal_set(claims: Any) -> set[Any]:
    parts = conjuncts(claims if isinstance(claims, tuple | list) else (claims,))
    return {_normal(part) for part in parts}


def instance(use: Use, conclusion: Any, hypotheses: Sequence[Any]) -> Instance:
    at = dict(use.at)
    return Instance(
        ref=use.ref,
        facts=tuple(p.subs(at, simultaneous=True) for p in conjuncts(conclusion)),
        obligations=tuple(
            p.subs(at, simultaneous=True)
            for p in (*conjuncts(tuple(hypotheses)), *_assumption_obligations(at))
        ),
    )


def _assumption_obligations(at: Mapping[Any, Any]) -> list[Any]:
    """Return what the assumptions of the replaced symbols ask of what replaces them."""
    wanted = []
    for symbol in at:
        if getattr(symbol, "is_positive", False):
            wanted.append(sympy.Gt(symbol, 0, evaluate=False))
        elif getattr(symbol, "is_nonnegative", False):
            wanted.append(sympy.Ge(symbol, 0, evaluate=False))
    return wanted


def _check_conclusion(statement: Statement) -> None:
    last = statement.proof[-1].evidence
    if not last.concludes:
        raise LedgerError(f"{statement.id}: {last.kind} evidence never concludes a proof")
    wanted = statement.claim
    got = last.conclusion
    if isinstance(wanted, str) or isinstance(got, str):
        if wanted != got:
            raise LedgerError(f"{statement.id}: the last step does not conclude the claim itself")
        return
    if _normal_set(wanted) != _normal_set(got):
        raise LedgerError(f"{statement.id}: the last step does not conclude the claim itself")
    extra = _normal_set(last.local_hypotheses) - _normal_set(statement.hypotheses)
    if extra:
        raise LedgerError(f"{statement.id}: the last step adds hypotheses: {extra}")
