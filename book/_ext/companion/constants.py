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
        name: list[nodes.Node] = [nodes.literal(text=constant.name)]
        if with_statement:
            whose = " (printed)" if constant.printed else ""
            name += [nodes.Text(" "), *parts.links(directive, [statement.id]), nodes.Text(whose)]
        formula: list[nodes.Node] = [nodes.math(latex, latex)]
        if row is not None and (digits := _shorten(row.value)) != latex:
            sign = "≈" if row.radius and float(row.radius) else "="
            formula.append(nodes.Text(f" {sign} {digits}"))
        meaning = constant.meaning or constant.where or statement.title
        lines.append([name, parts.words(directive, meaning), formula, [nodes.Text(loose)]])
    heads = ["Constant", "Meaning", "Formula, value", "Largest left/right"]
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


#: What the companion's constants bound, by name; the ledger says which printed one each improves.
BESIDE = {
    "eq-11-sharp-gamma": "CE − R, of DCL as well",
    "lemma-2-sharp-upper": "CE − R, one anchor or two encoders",
    "prop-1-sharp-lower": "R − CE",
    "leading-constant-upper": "CE − R of DCL",
    "lemma-4-sharp-upper": "CE − R of DCL, any number of negatives",
    "lemma-3-sharp-two": "bias of a weighted average, over E[w²]/m",
    "prop-4-sharp-anchor": "loss against a move of the anchor",
    "prop-4-sharp-positive": "loss against a move of the positive",
    "prop-5-sharp-lipschitz": "complexity, over LR √(d/n)",
}


class SharperTable(SphinxDirective):
    """``{sharper-table}``: printed constants above the companion's, at several temperatures."""

    option_spec: ClassVar = {"taus": directives.unchanged_required, "k": directives.nonnegative_int}

    def run(self) -> list[nodes.Node]:
        taus = [Fraction(tau) for tau in self.options["taus"].split()]
        found = []
        for tau in taus:
            at = rows(tau=tau, k=self.options["k"], with_looseness=False)
            found.append({gain.sharp.name: gain for gain in ledger_constants.beside(at.values())})
        lines = []
        for name, what in BESIDE.items():
            if name not in found[0]:
                if not book.pending:
                    log.warning("%s improves no constant", name, location=self.get_location())
                continue
            gains = [at[name] for at in found]
            for whose, side, first in (("Printed", "printed", what), ("Companion", "sharp", "")):
                row = getattr(gains[0], side)
                by = [nodes.Text(f"{whose}, "), *parts.links(self, [row.statement])]
                values = [[nodes.Text(_short(getattr(gain, side).value))] for gain in gains]
                lines.append([[nodes.Text(first)], by, [nodes.math(row.latex, row.latex)], *values])
            times = [[nodes.emphasis(text=_short(gain.factor))] for gain in gains]
            lines.append([[], [nodes.emphasis(text="times smaller")], [], *times])
        heads = ["What is bounded", "By", "Bound", *(f"τ = {float(tau):g}" for tau in taus)]
        return [parts.table(heads, lines, "constants", "beside")]


def _short(value: str | float | Fraction) -> str:
    """Return a positive number to three digits, or two and a power of ten where it is far from 1.

    >>> _short("69257800"), _short("0.00277507"), _short("4"), _short(4410.23)
    ('6.9·10⁷', '0.00278', '4', '4410')
    """
    number = float(value)
    mantissa, _, exponent = f"{number:.1e}".partition("e")
    if -4 <= int(exponent) < 5:
        return f"{number:.0f}" if number >= 100 else f"{number:.3g}"
    return f"{mantissa}·10{str(int(exponent)).translate(_RAISED)}"


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


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
