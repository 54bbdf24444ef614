"""What a run says: the table a reader sees, the summary line, and the JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from proofs import ledger
from proofs.evidence import Outcome, conjuncts
from proofs.ledger import Checked, Ran, Verdict

__all__ = ["as_json", "is_well", "problems", "summary", "table"]

_COLOUR = {
    Verdict.HOLDS: "green",
    Verdict.CORRECTED: "yellow",
    Verdict.REFUTED: "red",
    Verdict.OPEN: "cyan",
    Verdict.UNKNOWN: "bold red",
}


def problems(results: Mapping[str, Checked]) -> list[str]:
    """Return everything that is not well, a line each: unknown outcomes, mutants that survive."""
    found = []
    for id_, checked in results.items():
        found += [f"{id_}: {line}" for line in _problems_of(checked)]
        if ledger.verdict(id_, results) is Verdict.UNKNOWN and not any(
            line.startswith(f"{id_}:") for line in found
        ):
            found.append(f"{id_}: rests on a statement that is not established in this run")
    return found


def _problems_of(checked: Checked) -> list[str]:
    found = []
    fine = (Outcome.PASSED, Outcome.CITED, Outcome.ARGUED)
    named = [(f"step {i}", ran) for i, ran in enumerate(checked.steps, 1)]
    named += [(f"cross-check {i}", ran) for i, ran in enumerate(checked.crosschecks, 1)]
    for name, ran in named:
        if ran.finding.outcome not in fine:
            found.append(f"{name} is {ran.finding.outcome}: {ran.finding.detail}")
        elif ran.outcome not in fine:
            found.append(f"{name} has no witness: {ran.witness.detail}")
        found += _surviving(name, ran)
    if checked.refutation is not None:
        if checked.refutation.finding.outcome is not Outcome.REFUTED:
            finding = checked.refutation.finding
            found.append(f"the printed claim was not refuted: {finding.outcome}, {finding.detail}")
        found += _surviving("the refutation", checked.refutation)
    if checked.hypotheses.outcome is not Outcome.PASSED:
        found.append(f"hypotheses: {checked.hypotheses.detail}")
    return found


def _surviving(name: str, ran: Ran) -> list[str]:
    return [
        f"mutant '{mutant}' of {name} is {finding.outcome}, not refuted: {finding.detail}"
        for mutant, finding in ran.mutants
        if finding.outcome is not Outcome.REFUTED
    ]


def is_well(results: Mapping[str, Checked]) -> bool:
    """Tell whether nothing is unknown, no step failed and every mutant is refuted."""
    return not problems(results)


def looseness(checked: Checked) -> float | None:
    """Return the largest left/right that the cross-checks of a statement met."""
    ratios = [r.finding.ratio for r in checked.all if r.finding.ratio is not None]
    return max(ratios) if ratios else None


#: Columns of a terminal from which all that is known of a statement fits into a row.
WIDE = 120


@dataclass(frozen=True)
class _Run:
    """Draws itself with the columns that the terminal has room for."""

    results: Mapping[str, Checked]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = [Text(f"  {line}", style="red") for line in problems(self.results)]
        yield _grid(self.results, options.max_width >= WIDE)
        if lines:
            yield Text("Not well:", style="bold red")
        yield from lines
        yield Text(summary(self.results)["text"])


def table(results: Mapping[str, Checked]) -> RenderableType:
    """Return the table: a row a statement, with its steps counted by kind of evidence.

    Below 120 columns a row says the statement, its verdict, its strength, and how many of the
    mutants were refuted; nothing is cut off.
    """
    return _Run(results)


def _grid(results: Mapping[str, Checked], wide: bool) -> Table:
    grid = Table(title="Statements", title_justify="left", expand=False)
    grid.add_column("statement", style="bold", no_wrap=wide, overflow="fold")
    if wide:
        grid.add_column("where", max_width=24)
    grid.add_column("verdict", overflow="fold")
    grid.add_column("strength", no_wrap=True)
    if wide:
        grid.add_column("steps", max_width=44)
    grid.add_column("mutants", justify="right", no_wrap=True)
    if wide:
        grid.add_column("largest\nleft/right", justify="right")
        grid.add_column("s", justify="right")
    for id_, checked in results.items():
        verdict = ledger.verdict(id_, results)
        ratio = looseness(checked)
        every = [*checked.all, *([checked.refutation] if checked.refutation else [])]
        mutants = [finding for ran in every for _, finding in ran.mutants]
        dead = sum(finding.outcome is Outcome.REFUTED for finding in mutants)
        said: list[RenderableType] = [
            id_,
            escape(checked.statement.where),
            Text(str(verdict), style=_COLOUR[verdict]),
            ledger.strength(id_, results) or "-",
            _steps(checked),
            f"{dead}/{len(mutants)}",
            "-" if ratio is None else f"{ratio:.4g}",
            f"{sum(ran.seconds for ran in every):.1f}",
        ]
        grid.add_row(*(said if wide else [said[i] for i in (0, 2, 3, 5)]))
    return grid


def _steps(checked: Checked) -> str:
    kinds = Counter(ran.evidence.kind for ran in checked.steps)
    parts = [f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda kc: -kc[1])]
    if checked.crosschecks:
        parts.append(f"+ {_count(len(checked.crosschecks), 'cross-check')}")
    return ", ".join(parts) or "-"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def summary(results: Mapping[str, Checked]) -> dict[str, Any]:
    """Return the counts, and one honest line of text made of them."""
    verdicts = Counter(str(ledger.verdict(id_, results)) for id_ in results)
    steps = [ran for checked in results.values() for ran in checked.steps]
    kinds = Counter(ran.evidence.kind for ran in steps)
    uncited = [ran for ran in steps if ran.evidence.kind != "cited"]
    machine = sum(ran.evidence.machine and ran.outcome is Outcome.PASSED for ran in uncited)
    every = [
        ran
        for checked in results.values()
        for ran in (*checked.all, *([checked.refutation] if checked.refutation else []))
    ]
    mutants = [finding for ran in every for _, finding in ran.mutants]
    dead = sum(finding.outcome is Outcome.REFUTED for finding in mutants)
    unknown = sum(ran.outcome is Outcome.UNKNOWN for ran in every)
    share = machine / len(uncited) if uncited else None
    text = (
        f"{_count(len(results), 'statement')}: "
        + ", ".join(_counted(verdict, n) for verdict, n in verdicts.most_common())
        + f". Of {len(steps)} proof steps, {kinds.get('cited', 0)} are citations; of the other "
        f"{len(uncited)}, {machine} are checked by machine"
        + (f" ({100 * share:.0f}%)" if share is not None else "")
        + f" and {kinds.get('argued', 0)} are argued in words. "
        f"{dead} of {len(mutants)} mutants refuted; {unknown} outcomes unknown."
    )
    return {
        "text": text,
        "statements": len(results),
        "verdicts": dict(verdicts),
        "steps": len(steps),
        "steps_by_kind": dict(kinds),
        "machine_checked_share": share,
        "mutants": len(mutants),
        "mutants_refuted": dead,
        "unknown": unknown,
        "well": is_well(results),
    }


def _counted(verdict: str, number: int) -> str:
    """Say how many statements have a verdict, in the plural where there are several.

    >>> _counted("holds with a correction", 9), _counted("open", 4), _counted("holds", 1)
    ('9 hold with a correction', '4 are open', '1 holds')
    """
    several = number > 1
    if verdict.startswith("holds"):
        return f"{number} {verdict.replace('holds', 'hold') if several else verdict}"
    return f"{number} {'are' if several else 'is'} {verdict}"


def as_json(results: Mapping[str, Checked]) -> dict[str, Any]:
    """Return the run as the JSON of ``infonce check --json``."""
    rows = []
    for id_, checked in results.items():
        statement = checked.statement
        rows.append(
            {
                "id": id_,
                "title": statement.title,
                "where": statement.where,
                "verdict": str(ledger.verdict(id_, results)),
                "strength": ledger.strength(id_, results),
                "tight": statement.tight,
                "claim": statement.latex(),
                "uses": list(statement.uses),
                "cited": ledger.resting_on(id_, results, Outcome.CITED),
                "argued": ledger.resting_on(id_, results, Outcome.ARGUED),
                "looseness": looseness(checked),
                "steps": [
                    _run_json(ran, step.text)
                    for step, ran in zip(statement.proof, checked.steps, strict=True)
                ],
                "refutation": _run_json(checked.refutation, "the claim as printed")
                if checked.refutation
                else None,
                "crosschecks": [_run_json(ran, "") for ran in checked.crosschecks],
            }
        )
    return {"statements": rows, "summary": summary(results)}


def _run_json(ran: Ran, text: str) -> dict[str, Any]:
    claim = getattr(ran.evidence, "claim", None)
    shown = claim if isinstance(claim, str) else "; ".join(str(c) for c in conjuncts(claim))
    return {
        "claim": shown or text,
        "text": text,
        "latex": ran.evidence.latex(),
        "evidence": ran.evidence.kind,
        "engine": ran.evidence.engine,
        "outcome": str(ran.outcome),
        "detail": ran.finding.detail,
        "witness": ran.witness.detail,
        "seconds": round(ran.seconds, 3),
        "mutants": [
            {"name": name, "outcome": str(finding.outcome), "detail": finding.detail}
            for name, finding in ran.mutants
        ],
    }


def dumps(document: Any) -> str:
    """Return JSON text, readable and stable."""
    return json.dumps(document, indent=2, ensure_ascii=False)
