"""What a statement is called on the page: its kind, its number, and the block that shows it.

Statements of the paper keep the paper's numbers; those of the companion are S1, S2, ... in the
order in which the book shows them, and the corrections 1, 2, ... likewise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from proofs.ledger import Statement

_NUMBERED = {
    "lemma": ("lemma", "Lemma", "{}"),
    "prop": ("proposition", "Proposition", "{}"),
    "theorem": ("theorem", "Theorem", "{}"),
    "eq": ("property", "Equation", "({})"),
}
_PAPER_NUMBER = re.compile(r"(lemma|prop|theorem|eq)-(\d+)\Z")


@dataclass(frozen=True)
class Name:
    """The block that shows a statement (`block`), and its printed name: `label` `number`."""

    block: str
    label: str
    number: str

    def __str__(self) -> str:
        return f"{self.label} {self.number}"


def names(order: Iterable[str], statements: Mapping[str, Statement]) -> dict[str, Name]:
    """Name the statements, counting those without a number of the paper in the given order."""
    counts: dict[str, int] = {}
    found: dict[str, Name] = {}
    for id_ in order:
        match = _PAPER_NUMBER.match(id_)
        if match:
            block, label, form = _NUMBERED[match[1]]
            found[id_] = Name(block, label, form.format(match[2]))
            continue
        block, label, prefix = _unnumbered(id_, statements[id_])
        counts[label] = counts.get(label, 0) + 1
        found[id_] = Name(block, label, f"{prefix}{counts[label]}")
    return found


def _unnumbered(id_: str, statement: Statement) -> tuple[str, str, str]:
    if id_.startswith("erratum-"):
        return "remark", "Correction", ""
    if not statement.proof:
        return "conjecture", "Question", ""
    if statement.ours:
        return "theorem", "Result", "S"
    return "observation", "Claim", "C"
