"""What a run found, and the verdict and the strength computed from it."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from proofs._statement import LedgerError, Statement
from proofs.evidence.base import Evidence, Finding, Outcome

__all__ = ["Checked", "Ran", "Results", "Verdict", "resting_on", "strength", "verdict"]


class Verdict(enum.StrEnum):
    """What a statement is worth, computed from its steps and from what it uses."""

    HOLDS = "holds"
    CORRECTED = "holds with a correction"
    REFUTED = "refuted as printed"
    OPEN = "open"
    UNKNOWN = "unknown"


FINE = Finding(Outcome.PASSED)
Results = Mapping[str, "Checked"]


@dataclass(frozen=True)
class Ran:
    """One piece of evidence after its run."""

    evidence: Evidence
    finding: Finding
    seconds: float
    mutants: tuple[tuple[str, Finding], ...] = ()
    witness: Finding = FINE

    @property
    def outcome(self) -> Outcome:
        """The outcome; unknown where the hypotheses have no witness."""
        if self.finding.outcome is Outcome.PASSED and self.witness.outcome is not Outcome.PASSED:
            return Outcome.UNKNOWN
        return self.finding.outcome


@dataclass(frozen=True)
class Checked:
    """A statement after its run: what each step, the refutation and the cross-checks found."""

    statement: Statement
    steps: tuple[Ran, ...]
    refutation: Ran | None = None
    crosschecks: tuple[Ran, ...] = ()
    hypotheses: Finding = FINE

    @property
    def all(self) -> tuple[Ran, ...]:
        """Every piece of evidence that ran, the refutation excluded."""
        return (*self.steps, *self.crosschecks)


def verdict(id_: str, results: Results) -> Verdict:
    """Compute the verdict of a statement from the run of its steps and of what it uses.

    Open and refuted statements propagate: what rests on one is unknown at best, since using a
    statement means using its corrected claim and those have none. A cross-check that fails stands
    against the proof, and makes the verdict unknown until one of them is mended.
    """
    return _verdict(id_, results, ())


def _verdict(id_: str, results: Results, path: tuple[str, ...]) -> Verdict:
    if id_ in path:
        raise LedgerError(f"circular proof: {' -> '.join((*path, id_))}")
    checked = results.get(id_)
    if checked is None:
        return Verdict.UNKNOWN
    statement = checked.statement
    refuted = checked.refutation is not None and checked.refutation.outcome is Outcome.REFUTED
    if not statement.proof:
        return Verdict.REFUTED if refuted else Verdict.OPEN
    if checked.steps and checked.steps[-1].outcome is Outcome.REFUTED:
        return Verdict.REFUTED
    fine = (Outcome.PASSED, Outcome.CITED, Outcome.ARGUED)
    if any(ran.outcome not in fine for ran in checked.steps):
        return Verdict.UNKNOWN
    if checked.hypotheses.outcome is not Outcome.PASSED:
        return Verdict.UNKNOWN
    if any(ran.outcome is Outcome.REFUTED for ran in checked.crosschecks):
        return Verdict.UNKNOWN  # a proof and a counterexample: one of them is wrong
    for used in statement.uses:
        below = _verdict(used, results, (*path, id_))
        if below in (Verdict.OPEN, Verdict.REFUTED):
            return Verdict.OPEN
        if below is Verdict.UNKNOWN:
            return Verdict.UNKNOWN
    if statement.correction is not None:
        return Verdict.CORRECTED if refuted else Verdict.UNKNOWN
    return Verdict.HOLDS


def strength(id_: str, results: Results) -> str | None:
    """Return the weakest kind of evidence among the steps and, recursively, what they use."""
    ranked = [r.evidence for r in _below(id_, results)]
    return max(ranked, key=lambda e: e.rank).kind if ranked else None


def resting_on(id_: str, results: Results, outcome: Outcome) -> list[str]:
    """Return what was cited (or argued) by a statement and, recursively, by what it uses."""
    found: dict[str, None] = {}
    for used in _closure(id_, results):
        for step, ran in zip(results[used].statement.proof, results[used].steps, strict=False):
            if ran.outcome is outcome:
                text = getattr(ran.evidence, "source", step.text)
                found[f"{used}: {text}"] = None
    return list(found)


def _closure(id_: str, results: Results) -> list[str]:
    seen: dict[str, None] = {}
    todo = [id_]
    while todo:
        current = todo.pop()
        if current in seen or current not in results:
            continue
        seen[current] = None
        todo.extend(results[current].statement.uses)
    return list(seen)


def _below(id_: str, results: Results) -> list[Ran]:
    return [ran for used in _closure(id_, results) for ran in results[used].steps]
