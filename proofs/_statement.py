"""A statement as data, and the rules that a proof must obey when it is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import Any

import sympy

from proofs._instances import Basis, LedgerError, instance, link
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

__all__ = ["Constant", "Correction", "LedgerError", "Statement", "Step"]


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
        _check_claim(self)
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
    def definition_facts(self) -> tuple[Any, ...]:
        """The definitions by an expression, as equations."""
        definitions = self.definitions.items()
        return tuple(sympy.Eq(s, e) for s, e in definitions if isinstance(e, sympy.Expr))

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
        """Exhibit the witness: a point at which every hypothesis holds (no vacuous statement).

        The definitions must not contradict the hypotheses either.
        """
        for symbol, value in self.witness.items():
            if not _may_be(symbol, sympy.sympify(value)):
                return Finding(Outcome.UNKNOWN, f"{symbol} cannot be {value}")
        for hypothesis in conjuncts(tuple(self.hypotheses)):
            value = hypothesis.subs(dict(self.witness))
            if sympy.simplify(value) is not sympy.true:
                return Finding(Outcome.UNKNOWN, f"the witness does not satisfy {hypothesis}")
        if self.definition_facts:
            from proofs.evidence.reals import find_witness

            found = find_witness([*self.hypotheses, *self.definition_facts], [])
            if found.outcome is Outcome.REFUTED:
                return Finding(Outcome.UNKNOWN, f"with the definitions {found.detail}")
        return Finding(Outcome.PASSED, ", ".join(f"{s} = {v}" for s, v in self.witness.items()))


def _may_be(symbol: Any, value: Any) -> bool:
    """Tell whether the assumptions of a symbol allow the value."""
    properties = ("real", "integer", "positive", "nonnegative", "negative", "nonpositive")
    asked = [name for name in properties if getattr(symbol, f"is_{name}", False)]
    return all(getattr(value, f"is_{name}") for name in asked)


@dataclass(frozen=True)
class _Named:
    """A step that later ones may use, with what it rests on."""

    evidence: Evidence
    basis: Basis


def _bind(statement: Statement) -> tuple[Step, ...]:
    """Resolve references to earlier steps and refuse whatever nobody established."""
    base = frozenset(_normal_set(statement.hypotheses) | _normal_set(statement.definition_facts))
    #: What is established, and what each fact rests on.
    established: dict[Any, Basis] = {fact: Basis(frozenset([fact])) for fact in base}
    named: dict[str, _Named] = {}
    bound: list[Step] = []
    for number, step in enumerate(statement.proof, 1):
        evidence, basis = _bind_one(step.evidence, f"step {number}", established, named, statement)
        if not evidence.machine:
            basis |= Basis(base)
        bound.append(replace(step, evidence=evidence))
        if step.name in named:
            raise LedgerError(f"{statement.id}: two steps are called {step.name}")
        if step.name:
            named[step.name] = _Named(evidence, basis)
        local = _normal_set(evidence.local_hypotheses)
        if local <= established.keys():
            basis = reduce(or_, (established[h] for h in local), basis)
            established.update(dict.fromkeys(_normal_set(evidence.conclusion), basis))
    _bind_beside(statement, established, named)
    return tuple(bound)


def _bind_beside(
    statement: Statement, established: Mapping[Any, Basis], named: Mapping[str, _Named]
) -> None:
    """Bind what stands beside the proof: a refutation may not be given what nobody established."""

    def bind(evidence: Evidence, where: str) -> Evidence:
        return _bind_one(evidence, where, established, named, statement)[0]

    if statement.attained is not None:
        object.__setattr__(statement, "attained", bind(statement.attained, "attained"))
    checks = tuple(
        bind(evidence, f"cross-check {i}") for i, evidence in enumerate(statement.crosschecks, 1)
    )
    object.__setattr__(statement, "crosschecks", checks)
    if statement.correction is not None:
        refutation = bind(statement.correction.refutation, "refutation")
        correction = replace(statement.correction, refutation=refutation)
        object.__setattr__(statement, "correction", correction)


def _bind_one(
    evidence: Evidence,
    place: str,
    established: Mapping[Any, Basis],
    named: Mapping[str, _Named],
    statement: Statement,
) -> tuple[Evidence, Basis]:
    """Resolve what the evidence is given, and return it with what it rests on."""
    where = f"{statement.id}: {place}"
    given = _resolve_names(evidence.given_facts, named, where)
    basis = Basis(links=link(evidence))
    for fact in evidence.given_facts:
        if isinstance(fact, Use) and fact.ref.startswith("#"):
            basis |= named[fact.ref[1:]].basis.apart_from(fact.at)
    for fact in given:
        if isinstance(fact, Use | Instance):
            continue
        for part in _normal_set(conjuncts(fact)) - {sympy.true}:
            if part not in established:
                raise LedgerError(f"{where} is given {part}, which nobody established")
            basis |= established[part]
    if given:
        changes: dict[str, Any] = {"given": given}
        evidence = replace(evidence, **changes)
    mutants = _bind_mutants(evidence.mutants, named, where)
    return replace(evidence, mutants=mutants), basis


def _resolve_names(
    facts: Sequence[Any], named: Mapping[str, _Named], where: str
) -> tuple[Any, ...]:
    """Turn ``#name`` into an instance of that step.

    It asks for the step's own hypotheses, and for what a replaced symbol touches of those that the
    step rests on.
    """
    resolved = []
    for fact in facts:
        if isinstance(fact, Use) and fact.ref.startswith("#"):
            if fact.ref[1:] not in named:
                raise LedgerError(f"{where} uses {fact.ref}, which is no earlier step")
            source = named[fact.ref[1:]]
            evidence = source.evidence
            fact = instance(fact, evidence.conclusion, evidence.local_hypotheses, source.basis)
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


def _check_claim(statement: Statement) -> None:
    """Refuse a claim that says nothing: one that SymPy has settled, or words among relations."""
    claim = statement.claim
    parts = claim if isinstance(claim, tuple | list) else (claim,)
    if not isinstance(claim, str) and any(isinstance(part, str) for part in parts):
        raise LedgerError(f"{statement.id}: a claim is in words or in relations, not in both")
    if not isinstance(claim, str) and not conjuncts(claim):
        raise LedgerError(f"{statement.id}: nothing is claimed")
    if {sympy.true, sympy.false} & set(conjuncts(claim)):
        raise LedgerError(f"{statement.id}: SymPy has settled the claim: use evaluate=False")


def _check_conclusion(statement: Statement) -> None:
    last = statement.proof[-1].evidence
    if not last.concludes:
        raise LedgerError(f"{statement.id}: {last.kind} evidence never concludes a proof")
    wanted = statement.claim
    got = last.conclusion
    if isinstance(wanted, str) or isinstance(got, str):
        same = wanted == got
    else:
        same = _normal_set(wanted) == _normal_set(got)
    if not same:
        raise LedgerError(f"{statement.id}: the last step does not conclude the claim itself")
    extra = _normal_set(last.local_hypotheses) - _normal_set(statement.hypotheses)
    if extra:
        raise LedgerError(f"{statement.id}: the last step adds hypotheses: {extra}")
