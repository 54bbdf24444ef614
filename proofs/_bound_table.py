"""The table that `infonce bound` shows on a terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from proofs._bound_terms import Side
from proofs.bound import SIDES, Bound

__all__ = ["render"]

_ROWS = {
    "empirical": "empirical risk",
    "complexity": "complexity of the class",
    "variability": "variability of the sample",
    "bias": "bias",
    "total": "total",
}


def render(bound: Bound) -> RenderableType:
    """Return both bounds side by side, term by term, and what they are worth."""
    numbers = bound.numbers
    what = "search among k unseen points" if numbers.target == "search" else "limit of large k"
    loss = "InfoNCE (positive in the denominator)" if numbers.loss == "infonce" else "DCL"
    table = Table(title=f"Cross-entropy of the {what}", title_justify="left")
    table.add_column("term")
    for name in ("printed", "sharp", "factor gained"):
        table.add_column(name, justify="right")
    for name, label in _ROWS.items():
        gained = _short(bound.gained(name)) if name != "empirical" else ""
        cells = [_short(getattr(getattr(bound, side), name)) for side in SIDES]
        table.add_row(label, *cells, gained, end_section=name == "bias")
    lines = [
        f"{loss}, loss normalised by k, natural logarithms (nats); with probability at least "
        f"1 - {numbers.delta} for the whole class.",
        f"Trivial bound 2/tau = {_short(bound.trivial)}.",
        *(_verdict(bound, side) for side in SIDES),
    ]
    return Group(table, *(Text(line) for line in lines))


def _verdict(bound: Bound, side: Side) -> str:
    vacuous = bound.vacuous(side)
    if vacuous is None:
        missing = "--chi2" if getattr(bound, side).bias is None else "--power-mean-negative"
        return f"{side}: no value without {missing}."
    state = "vacuous" if vacuous else "not vacuous"
    least_k, least_n = bound.least["k"][side], bound.least["n"][side]
    at_k = "no k" if least_k is None else f"k >= {_grouped(least_k)}"
    at_n = "no n" if least_n is None else f"n >= {_grouped(least_n)}"
    return (
        f"{side}: {state}; {_ROWS[getattr(bound, side).dominant]} dominates; not vacuous for "
        f"{at_k} (the rest as given), for {at_n} (the rest as given)."
    )


def _grouped(value: int) -> str:
    return f"{value:,}" if value < 10**15 else f"{value:.3e}"


def _short(ball: Any) -> str:
    """Return six significant digits for the terminal; the JSON has them all."""
    return "-" if ball is None else str(ball.str(6, radius=False))
