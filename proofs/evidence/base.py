"""What every kind of evidence has: a claim, a check, mutants to refute, a place in the ranking.

A kind is one file in this package: it subclasses :class:`Evidence`, and the ledger, the command
line, the legend of the book and its colours find it by itself.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeAlias

import sympy

from proofs.latex import latex

__all__ = ["Evidence", "Fact", "Finding", "Instance", "Mutant", "Outcome", "Use", "conjuncts"]


class Outcome(enum.StrEnum):
    """What came of a check. Only `PASSED` passes; `UNKNOWN` never does."""

    PASSED = "passed"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    CITED = "cited"
    ARGUED = "argued"


@dataclass(frozen=True)
class Finding:
    """An outcome with one line that says why.

    `ratio` is the largest left/right met, for evidence that compares the two sides of a bound.
    """

    outcome: Outcome
    detail: str = ""
    ratio: float | None = None


@dataclass(frozen=True)
class Use:
    """A fact taken from elsewhere: a statement of the ledger, or ``#name`` for an earlier step.

    `at` instantiates its symbols. The hypotheses of what is used become obligations that the
    engine must discharge from the other given facts.
    """

    ref: str
    at: Mapping[sympy.Basic, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.ref, tuple(sorted(map(str, self.at.items())))))


@dataclass(frozen=True)
class Instance:
    """A `Use` after resolution: what it gives, what it asks for, and where it came from."""

    ref: str
    facts: tuple[Any, ...]
    obligations: tuple[Any, ...]


#: A relation, a `Use` or an `Instance` (SymPy is untyped, so the alias cannot say more).
Fact: TypeAlias = Any


@dataclass(frozen=True)
class Mutant:
    """A falsified version of a check: a constant moved, k for k - 1, a hypothesis dropped.

    `changes` are the fields of the evidence that differ (``claim=...``, ``given=...``). The same
    engine must refute it; failing to prove it is not enough.
    """

    name: str
    changes: Mapping[str, Any]

    def __init__(self, name: str, claim: Any = None, **changes: Any) -> None:
        if claim is not None:
            changes["claim"] = claim
        if not changes:
            raise ValueError(f"mutant {name!r} changes nothing")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "changes", changes)


def conjuncts(claim: Any) -> tuple[Any, ...]:
    """Return the parts of a conjunction, or the claim alone.

    >>> from sympy.abc import x
    >>> conjuncts((x > 0) & (x < 1)) == conjuncts((x < 1) & (x > 0))
    True
    """
    if isinstance(claim, sympy.And):
        return tuple(sorted(claim.args, key=sympy.default_sort_key))
    if isinstance(claim, tuple | list):
        return tuple(part for each in claim for part in conjuncts(each))
    return () if claim is None or isinstance(claim, str) else (claim,)


@dataclass(frozen=True, kw_only=True)
class Evidence(ABC):
    """One piece of evidence for one step.

    Class attributes
    ----------------
    kind : str
        The word a reader sees (derived, decided, ...).
    rank : int
        Strength: 1 is the strongest. A statement's strength is the weakest rank it rests on.
    machine : bool
        Whether a machine checks it.
    concludes : bool
        Whether it may be the last step of a proof.
    establishes : str
        What it establishes, for the legend.
    """

    kind: ClassVar[str] = ""
    rank: ClassVar[int] = 0
    machine: ClassVar[bool] = True
    concludes: ClassVar[bool] = True
    establishes: ClassVar[str] = ""
    colour: ClassVar[tuple[str, str]] = ("#e8e8ec", "#3a3f47")
    engine: ClassVar[str] = "-"
    KINDS: ClassVar[dict[str, type[Evidence]]] = {}

    mutants: Sequence[Mutant] = ()

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if cls.kind and cls.kind not in Evidence.KINDS:
            Evidence.KINDS[cls.kind] = cls

    def __post_init__(self) -> None:
        if self.machine and not self.mutants:
            raise ValueError(
                f"{self.kind} evidence needs at least one mutant: a check that cannot fail is none"
            )

    @abstractmethod
    def check(self) -> Finding:
        """Run the engine on the claim as it stands."""

    def certainly_fails(self) -> bool:
        """Tell whether a refutation is one of the claim itself, and not of its deduction alone."""
        return True

    def refute(self, mutant: Mutant) -> Finding:
        """Run the same engine on a mutant; all is well when the outcome is ``refuted``."""
        return self.mutated(mutant).check()

    def mutated(self, mutant: Mutant) -> Evidence:
        """Return this evidence with the mutant's changes made."""
        return replace(self, mutants=(mutant,), **dict(mutant.changes))

    def witness(self) -> Finding:
        """Exhibit a point that satisfies all hypotheses of the check (no vacuous truth)."""
        return Finding(Outcome.PASSED, "no hypotheses")

    # What the ledger asks of evidence -----------------------------------------------------------

    @property
    def conclusion(self) -> Any:
        """The relation (or tuple of relations) that later steps may use, or None."""
        return getattr(self, "claim", None)

    @property
    def given_facts(self) -> tuple[Fact, ...]:
        """What the check takes from elsewhere."""
        return tuple(getattr(self, "given", ()))

    @property
    def local_hypotheses(self) -> tuple[Any, ...]:
        """Hypotheses of this step alone; they become obligations of whoever uses it."""
        return tuple(getattr(self, "where", ()))

    def statement_refs(self) -> Iterator[str]:
        """Yield the ids of the statements this evidence uses."""
        for fact in self.given_facts:
            if isinstance(fact, Use | Instance) and not fact.ref.startswith("#"):
                yield fact.ref
        yield from getattr(self, "uses", ())

    def latex(self) -> str:
        """Return the claim in LaTeX, printed from SymPy; empty if it is in words only."""
        parts = conjuncts(self.conclusion)
        return r",\quad ".join(to_latex(part) for part in parts)


def to_latex(expression: Any) -> str:
    r"""Print a SymPy expression as every formula of the project is printed.

    >>> from sympy import exp
    >>> from proofs.symbols import tau
    >>> print(to_latex(exp(2 / tau) - 1))
    e^{2/\tau} - 1
    """
    return latex(expression)


def resolve(facts: Sequence[Fact]) -> tuple[list[Any], list[Any]]:
    """Return (relations that may be assumed, obligations that have to be discharged)."""
    from proofs import ledger

    assumed: list[Any] = []
    obligations: list[Any] = []
    for fact in facts:
        if isinstance(fact, Use):
            fact = ledger.instantiate(fact)
        if isinstance(fact, Instance):
            assumed.extend(fact.facts)
            obligations.extend(fact.obligations)
        else:
            assumed.extend(conjuncts(fact))
    return assumed, obligations
