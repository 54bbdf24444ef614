"""Enumerated: exact equality or bound on finite worlds, in rational arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import sympy

from proofs.evidence.base import Evidence, Fact, Finding, Outcome, conjuncts

Relation = Literal["==", "<=", "<"]


@dataclass(frozen=True)
class Case:
    """One exact comparison.

    Sides are ints, Fractions, SymPy numbers without floats, or Arb balls; a float is an error.
    """

    label: str
    left: Any
    relation: Relation
    right: Any


@dataclass(frozen=True, kw_only=True)
class Enumerated(Evidence):
    """Every case of a finite list, compared exactly.

    It establishes the listed cases and nothing more; the step's sentence says what they are. Its
    claim is a fact for later steps only where the list is complete.

    Parameters
    ----------
    claim : relation or text
        What the cases are cases of.
    cases : callable
        Takes `arguments` as keywords and yields `Case`.
    arguments : mapping
        What a mutant changes.
    complete : bool
        Whether the cases are all there are, so that the claim itself is established.
    """

    kind = "enumerated"
    rank = 4
    establishes = "exact equality or bound on finite worlds, in rational arithmetic"
    colour = ("#d6eef5", "#10404f")
    engine = "exact arithmetic"

    claim: Any
    cases: Callable[..., Iterable[Case]]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    given: tuple[Fact, ...] = ()
    where: tuple[Any, ...] = ()
    complete: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.complete and any(part.free_symbols for part in conjuncts(self.claim)):
            raise ValueError("a finite list is not complete for a claim that holds for all values")

    @property
    def conclusion(self) -> Any:
        """The claim, if the list of cases is complete; otherwise nothing."""
        return self.claim if self.complete else None

    def check(self) -> Finding:
        """Compare every case; the first that fails refutes the claim."""
        count, equal, ratio = 0, 0, None
        for case in self.cases(**dict(self.arguments)):
            count += 1
            verdict = compare(case)
            if verdict is None:
                return Finding(Outcome.UNKNOWN, f"{case.label}: the sides could not be compared")
            if not verdict:
                return Finding(Outcome.REFUTED, f"{case.label}: {_show(case)}")
            if case.relation != "==":
                here = _ratio(case)
                ratio = here if ratio is None or (here is not None and here > ratio) else ratio
            else:
                equal += 1
        if not count:
            return Finding(Outcome.UNKNOWN, "there was no case")
        return Finding(Outcome.PASSED, f"{count} cases, {equal} of them equalities", ratio)

    def witness(self) -> Finding:
        """Exhibit the first case."""
        for case in self.cases(**dict(self.arguments)):
            return Finding(Outcome.PASSED, case.label)
        return Finding(Outcome.UNKNOWN, "there was no case")


def compare(case: Case) -> bool | None:
    """Return whether the relation holds, or None where that cannot be told.

    >>> compare(Case("a", Fraction(1, 3), "<=", 1))
    True
    """
    left, right = _exact(case.left), _exact(case.right)
    difference = right - left
    if hasattr(difference, "is_finite") and type(difference).__name__ == "arb":
        return _compare_balls(difference, case.relation)
    if isinstance(difference, Fraction):
        sign = (difference > 0) - (difference < 0)
    else:
        difference = sympy.nsimplify(difference) if difference.is_Rational else difference
        zero = difference.equals(0) if not difference.is_Rational else difference == 0
        if zero:
            sign = 0
        elif difference.is_positive:
            sign = 1
        elif difference.is_negative:
            sign = -1
        else:
            return None
    return {"==": sign == 0, "<=": sign >= 0, "<": sign > 0}[case.relation]


def _compare_balls(difference: Any, relation: Relation) -> bool | None:
    if not difference.is_finite():
        return None
    if relation == "==":
        # Two balls can be told apart, never told equal.
        return None if difference.contains(0) else False
    if difference > 0 or (relation == "<=" and difference >= 0):
        return True
    if difference < 0 or (relation == "<" and difference <= 0):
        return False
    return None


def _exact(value: Any) -> Any:
    if isinstance(value, float) or (isinstance(value, sympy.Basic) and value.has(sympy.Float)):
        raise TypeError("a float is not exact")
    if isinstance(value, bool):
        return Fraction(int(value))
    if isinstance(value, int):
        return Fraction(value)
    return value


def _ratio(case: Case) -> float | None:
    right = float(case.right)
    return float(case.left) / right if right else None


def _show(case: Case) -> str:
    opposite = {"==": "!=", "<=": ">", "<": ">="}[case.relation]
    return f"{_text(case.left)} {opposite} {_text(case.right)}"


def _text(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{float(value):.12g}"
