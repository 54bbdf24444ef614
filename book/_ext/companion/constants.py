"""Constants on the page, with the digits that ball arithmetic certifies."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective, SphinxRole

from companion import parts
from companion.state import book, log
from proofs import constants as ledger_constants
from proofs import render, report
from proofs.constants import Row
from proofs.ledger import Constant, Statement
from proofs.render import latex as to_latex

_DIGITS = 15
#: Where a table of values leaves the parameters free, it is printed at these values as well.
EXAMPLE = {"tau": Fraction(1, 2), "k": 1000, "target": Fraction(1, 10)}


@cache
def rows(**given: Any) -> dict[str, Row]:
    """Return the constants of the statements shown, by name, for the given parameters."""
    found = render.constant_rows(book.cache, **given)
    return {row.name: row for row in found if row.statement in book.results}


@cache
def value(name: str, digits: int = _DIGITS) -> str:
    """Return a constant that has no parameter to a number of digits, correctly rounded."""
    if digits == _DIGITS:
        return rows()[name].value
    return ledger_constants.rows([name], digits=digits, with_looseness=False)[0].value


def constant_rows(directive: SphinxDirective, statement: Statement) -> nodes.Element:
    """Return the constants of one statement as a table."""
    found = [(statement, constant) for constant in statement.constants]
    return _table(directive, found, with_statement=False)


def _table(
    directive: SphinxDirective,
    found: Sequence[tuple[Statement, Constant]],
    *,
    with_statement: bool,
) -> nodes.Element:
    lines = []
    for statement, constant in found:
        latex = to_latex(constant.formula)
        row = rows().get(constant.name)
        example = row or rows(**EXAMPLE).get(constant.name)
        loose = "–" if example is None or example.looseness is None else f"{example.looseness:.4g}"
        line = [
            [nodes.literal(text=constant.name)],
            [nodes.math(latex, latex)],
            [nodes.Text(_shorten(row.value) if row else "–")],
            [nodes.Text("printed" if constant.printed else "companion")],
            parts.inline(directive, constant.meaning or constant.where or statement.title),
            [nodes.Text(loose)],
        ]
        if with_statement:
            line.insert(1, parts.links(directive, [statement.id]))
        lines.append(line)
    heads = ["Constant", "Formula", "Value", "Whose", "Meaning", "Largest left/right"]
    if with_statement:
        heads.insert(1, "Statement")
    return parts.table(heads, lines, "constants")


def _shorten(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


class ConstantsTable(SphinxDirective):
    """``{constants-table}``: every constant of the ledger, or only the printed ones, or ours."""

    option_spec: ClassVar = {"printed": directives.flag, "ours": directives.flag}

    def run(self) -> list[nodes.Node]:
        found = [
            (statement, constant)
            for statement in (book.statements[id_] for id_ in book.order())
            for constant in statement.constants
            if not ("printed" in self.options and not constant.printed)
            and not ("ours" in self.options and constant.printed)
        ]
        return [_table(self, found, with_statement=True)]


class ConstantsAt(SphinxDirective):
    """``{constants-at}``: the constants that depend on parameters, at the values given."""

    option_spec: ClassVar = {
        "tau": directives.unchanged,
        "k": directives.nonnegative_int,
        "target": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        given = {
            name: content if isinstance(content, int) else Fraction(content)
            for name, content in self.options.items()
        }
        lines = []
        for name, row in rows(**given).items():
            if name in rows():
                continue
            loose = "–" if row.looseness is None else f"{row.looseness:.4g}"
            lines.append(
                [
                    [nodes.literal(text=name)],
                    parts.links(self, [row.statement]),
                    [nodes.Text(row.value)],
                    [nodes.Text(row.radius)],
                    [nodes.Text(loose)],
                ]
            )
        heads = ["Constant", "Statement", "Value", "Radius", "Largest left/right"]
        return [parts.table(heads, lines, "constants")]


#: A printed constant beside the companion's, by name.
BESIDE = (
    ("CE − R", "prop-1-upper", "eq-11-sharp-gamma"),
    ("CE − R, one anchor or two encoders", "prop-1-upper", "lemma-2-sharp-upper"),
    ("R − CE", "prop-1-lower", "prop-1-sharp-lower"),
    ("CE − R of DCL", "eq-11-upper", "leading-constant-upper"),
    ("CE − R of DCL, any number of negatives", "lemma-4-upper", "lemma-4-sharp-upper"),
    ("bias of a weighted average, over E[w²]/m", "lemma-3-four", "lemma-3-sharp-two"),
    ("loss against a move of the anchor", "prop-4-anchor", "prop-4-sharp-anchor"),
    ("loss against a move of the positive", "prop-4-positive", "prop-4-sharp-positive"),
    ("complexity, over LR √(d/n)", "prop-5-lipschitz", "prop-5-sharp-lipschitz"),
)


class SharperTable(SphinxDirective):
    """``{sharper-table}``: printed constants beside the companion's."""

    option_spec: ClassVar = {"tau": directives.unchanged, "k": directives.nonnegative_int}

    def run(self) -> list[nodes.Node]:
        found = rows(tau=Fraction(self.options["tau"]), k=self.options["k"])
        lines = []
        for what, printed, sharp in BESIDE:
            missing = [name for name in (printed, sharp) if name not in found]
            if missing:
                if not book.pending:
                    log.warning("no such constant: %s", missing[0], location=self.get_location())
                continue
            factor = float(found[printed].value) / float(found[sharp].value)
            line: list[list[nodes.Node]] = [[nodes.Text(what)]]
            for name in (printed, sharp):
                latex = found[name].latex
                link = parts.links(self, [found[name].statement])
                line += [
                    [nodes.math(latex, latex)],
                    [nodes.Text(f"{float(found[name].value):.6g} · "), *link],
                ]
            lines.append([*line, [nodes.Text(f"{factor:.4g}")]])
        heads = ["What is bounded", "Printed", "Value", "Companion", "Value", "Factor"]
        return [parts.table(heads, lines, "constants")]


class ConstantRole(SphinxRole):
    """``{constant}`name:8```: a constant to a number of digits, from the ledger."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        name, _, digits = self.text.partition(":")
        if name not in rows():
            if self.text not in book.pending and name not in book.pending:
                log.warning("no such constant: %s", name, location=self.get_location())
            return [nodes.literal(text=self.text)], []
        return [nodes.Text(_shorten(value(name, int(digits or _DIGITS))))], []


class ConstantsDownloads(SphinxDirective):
    """``{constants-downloads}``: the whole table as LaTeX macros, JSON and CSV."""

    def run(self) -> list[nodes.Node]:
        links = ", ".join(
            f'<a href="_static/downloads/{file}" download>{what}</a>'
            for file, what in (
                ("constants.tex", "LaTeX macros"),
                ("constants.json", "JSON"),
                ("constants.csv", "CSV"),
            )
        )
        return [nodes.raw("", f"<p>{links}.</p>", format="html")]


def write_downloads(folder: Path) -> None:
    """Write the constants that need no parameter, and the others at the example values."""
    found = list(rows(**EXAMPLE).values())
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "constants.tex": ledger_constants.latex_text(found),
        "constants.json": report.dumps([row.as_json() for row in found]),
        "constants.csv": ledger_constants.csv_text(found),
    }
    for name, text in texts.items():
        (folder / name).write_text(text + "\n", encoding="utf-8")
