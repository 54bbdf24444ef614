"""Constants on the page, with the digits that ball arithmetic certifies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective, SphinxRole

from companion import parts
from companion.state import book, log
from proofs.evaluate import enclose
from proofs.ledger import Constant, Statement
from proofs.render import latex as to_latex

_DIGITS = 15


@cache
def value(constant: Constant, digits: int = _DIGITS) -> str:
    """Return a constant to a number of digits, or nothing if it depends on a parameter.

    The digits are those of the ball: the last one may be off by one unit.
    """
    if getattr(constant.formula, "free_symbols", None):
        return ""
    formula = constant.formula
    if getattr(formula, "is_Rational", False) and _terminates(int(formula.q)):
        return str(formula) if formula.q == 1 else format(float(formula), ".15g")
    ball = constant.ball(digits) if constant.ball else enclose(formula, digits=digits)
    return str(ball.mid().str(digits, radius=False))


def _terminates(denominator: int) -> bool:
    """Tell whether a fraction is a short decimal."""
    return denominator < 10_000 and 10**12 % denominator == 0


def constants() -> dict[str, tuple[Statement, Constant]]:
    """Return every constant of the ledger by name."""
    return {c.name: (s, c) for s in book.statements.values() for c in s.constants}


def constant_rows(directive: SphinxDirective, statement: Statement) -> nodes.Element:
    """Return the constants of one statement as a table."""
    return _table(directive, [(statement, c) for c in statement.constants], with_statement=False)


def _table(
    directive: SphinxDirective,
    found: Sequence[tuple[Statement, Constant]],
    *,
    with_statement: bool,
) -> nodes.Element:
    rows = []
    for statement, constant in found:
        latex = to_latex(constant.formula)
        row = [
            [nodes.literal(text=constant.name)],
            [nodes.math(latex, latex)],
            [nodes.Text(value(constant) or "depends on its parameters")],
            [parts.badge("printed" if constant.printed else "companion", "plain")],
            parts.inline(directive, constant.meaning or constant.where or statement.title),
        ]
        if with_statement:
            row.insert(1, parts.links(directive, [statement.id]))
        rows.append(row)
    heads = ["Constant", "Formula", "Value", "Whose", "Meaning"]
    if with_statement:
        heads.insert(1, "Statement")
    return parts.table(heads, rows, "constants")


class ConstantsTable(SphinxDirective):
    """``{constants-table}``: every constant of the ledger."""

    option_spec: ClassVar = {}

    def run(self) -> list[nodes.Node]:
        return [_table(self, list(constants().values()), with_statement=True)]


class ConstantRole(SphinxRole):
    """``{constant}`name:8```: a constant to a number of digits, from the ledger."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        name, _, digits = self.text.partition(":")
        known = constants()
        if name not in known:
            log.warning("no such constant: %s", name, location=self.get_location())
            return [nodes.literal(text=self.text)], []
        return [nodes.Text(value(known[name][1], int(digits or _DIGITS)))], []
