"""A diagnosis for a terminal: tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from numerics.laws import decimal_text
from proofs.diagnose.estimates import NAMES
from proofs.diagnose.risks import LOSSES
from proofs.diagnose.sentences import LABELS, number, sentences
from proofs.diagnose.study import Diagnosis

__all__ = ["report"]

_HEADINGS = {
    "summary": "In short",
    "limit": "Limit",
    "coefficients": "Coefficients of 1/k",
    "risk": "Risk at finite k",
    "target": "Negatives that suffice",
    "information": "Mutual information",
    "concentration": "Concentration of the softmax search",
    "anchors": "Worst anchors",
    "temperatures": "Other temperatures",
    "bounds": "Bounds",
}


def report(found: Diagnosis) -> RenderableType:
    """Return everything that `infonce diagnose` prints."""
    tables = {
        "risk": _risk,
        "anchors": _anchors,
        "temperatures": _temperatures,
        "bounds": _bounds,
    }
    said = sentences(found)
    parts: list[RenderableType] = list(_paragraphs(said["data"]))
    for name, heading in _HEADINGS.items():
        parts += [Text(), Text(heading, style="bold")]
        parts += _paragraphs(said[name])
        if name in tables:
            parts += tables[name](found)
    return Group(*parts)


def _paragraphs(said: list[str]) -> Iterator[RenderableType]:
    return (Text(line) for line in said)


def _table(*headings: str, words: int = 1) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for i, heading in enumerate(headings):
        justify: Literal["left", "right"] = "left" if i < words else "right"
        table.add_column(heading, justify=justify, overflow="fold")
    return table


def _risk(found: Diagnosis) -> list[RenderableType]:
    tables: list[RenderableType] = []
    for i, loss in enumerate(LOSSES):
        table = _table("k", "risk", "corrected", "low", "high", "bias", "expansion")
        for k in found.reported:
            at = (i, found.risks.at(k))
            risk = found.risk
            values = [*(float(x[at]) for x in (risk.plain, risk.corrected, risk.low, risk.high)),
                      float(found.risks.bias[at]), found.expansion(k, loss)]  # fmt: skip
            table.add_row(number(k), *map(number, values))
        tables += [Text(LABELS[loss], style="italic"), table]
    return tables


def _anchors(found: Diagnosis) -> list[RenderableType]:
    anchors, at = found.main.anchors, found.risks.at(found.k)
    table = _table("row", "bias InfoNCE", "bias DCL", "CE", "effective sample")
    for i in found.worst_by_bias():
        place = int(found.risks.drawn[i])
        values = [*found.risks.biases[:, i, at], anchors.limit[place],
                  anchors.effective_sample[place]]  # fmt: skip
        table.add_row(str(found.blocks.order[place]), *(number(float(v), 4) for v in values))
    other = _table("row", "CE", "effective sample")
    for place in found.worst_by_limit():
        values = [anchors.limit[place], anchors.effective_sample[place]]
        other.add_row(str(found.blocks.order[place]), *(number(float(v), 4) for v in values))
    return [table, Text(), other]


def _temperatures(found: Diagnosis) -> list[RenderableType]:
    table = _table("tau", "CE", "c_1 InfoNCE", "c_1 DCL", "1/mu", "KL", "sample", "estimable")
    for each in found.temperatures:
        means = dict(zip(NAMES, each.anchors.means.tolist(), strict=True))
        marks = [LABELS[loss] for loss in LOSSES if each.estimable(loss)]
        table.add_row(
            decimal_text(each.tau),
            *(
                number(means[name], 3)
                for name in ("limit", "c1_infonce", "c1_dcl", "reciprocal_mean", "kl")
            ),
            number(each.median_sample, 4),
            {0: "no", 2: "yes"}.get(len(marks)) or marks[0],
            style="bold" if each.tau == found.tau else None,
        )
    return [table]


def _bounds(found: Diagnosis) -> list[RenderableType]:
    table = _table("on", "loss", "statement", "", "bound", "measured", "", words=4)
    bias = found.risks.bias[:, found.risks.at(found.k)]
    for each in found.bounds:
        measured = [float(-bias[i] if each.below else bias[i]) for i, x in enumerate(LOSSES)
                    if x in each.losses]  # fmt: skip
        star = "" if each.two_encoders or not found.blocks.separate else " *"
        table.add_row(
            "CE - R" if each.below else "R - CE",
            " and ".join(LABELS[x] for x in each.losses),
            each.statement + star,
            "printed" if each.printed else "sharp",
            number(float(each.value), 4),
            number(float(np.max(measured)), 4),
            "vacuous" if each.vacuous else "",
        )
    return [table]
