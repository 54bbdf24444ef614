"""Every constant of the ledger, with certified digits, as a table, JSON, LaTeX or CSV.

A constant is part of its statement. Its value is an Arb ball, evaluated from the same SymPy formula
from which the LaTeX is printed (or by the certified computation that the statement names), so the
number, the formula and the proof cannot disagree.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rich.table import Table
from rich.text import Text

from numerics.digits import ball_decimals
from numerics.parse import InputError
from proofs import ledger
from proofs.evaluate import enclose
from proofs.evidence import to_latex
from proofs.ledger import Constant
from proofs.symbols import declare, k, tau

__all__ = ["Gain", "Row", "beside", "csv_text", "latex_text", "rows", "table", "target"]

target = declare("target_bias", r"\varepsilon", "largest bias allowed, in nats", positive=True)

_JSON_KEYS = (
    "name",
    "statement",
    "printed",
    "formula",
    "meaning",
    "where",
    "value",
    "radius",
    "looseness",
    "sharpens",
    "latex",
)
PARAMETERS = {"tau": tau, "k": k, "target": target}


@dataclass(frozen=True)
class Row:
    """One constant with its value.

    Attributes
    ----------
    name, statement, formula, latex, meaning, where : str
        What it is; `statement` is the id that proves it.
    printed : bool
        The paper's (True) or the companion's (False).
    value, radius : str or None
        Decimal strings without exponent: the true value is within `radius` of `value`. None for a
        formula in further parameters (beta, delta, n, ...), which has no value by itself.
    looseness : float or None
        The largest left/right met over the worlds.
    """

    name: str
    statement: str
    formula: str
    latex: str
    meaning: str
    where: str
    printed: bool
    value: str | None
    radius: str | None
    looseness: float | None
    sharpens: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the row as JSON."""
        return {
            "name": self.name,
            "statement": self.statement,
            "printed": self.printed,
            "formula": self.formula,
            "meaning": self.meaning,
            "where": self.where,
            "value": self.value,
            "radius": self.radius,
            "looseness": None if self.looseness is None else float(f"{self.looseness:.6g}"),
            "sharpens": self.sharpens or None,
            "latex": self.latex,
        }


def rows(
    names: Sequence[str] = (),
    *,
    digits: int = 15,
    with_looseness: bool = True,
    **given: Fraction | int | None,
) -> list[Row]:
    """Return the constants whose parameters are all given.

    Parameters
    ----------
    names : sequence of str
        Names of constants, or ids of statements; all when empty.
    digits : int
        Significant digits; fewer are given where no more are certified.
    with_looseness : bool
        Whether to measure how loose each is (a second or so).
    given : Fraction, int or None
        ``tau``, ``k`` and ``target``.

    Raises
    ------
    InputError
        For a name that is no constant, or one that needs a parameter that is not given.

    Examples
    --------
    >>> rows(["prop-1-eighth"], with_looseness=False)[0].value
    '0.125'
    """
    at = {name: value for name, value in given.items() if value is not None}
    found = _find(names)
    chosen = []
    for statement_id, constant in found:
        wanted = not names or constant.name in names or statement_id in names
        missing = _missing(constant, at)
        if wanted and missing and constant.name in names:
            rule = f"needs {' and '.join('--' + name for name in missing)}"
            raise InputError("NAME", constant.name, rule)
        if wanted and not missing:
            chosen.append(_row(statement_id, constant, at, digits, with_looseness))
    return chosen


def _find(names: Sequence[str]) -> list[tuple[str, Constant]]:
    """Return the constants of the statements that the names begin with, or all there are.

    A constant is mostly named after its statement, and one statement is loaded in a second.
    """
    ids = [id_ for id_ in ledger.modules() if any(f"{n}-".startswith(f"{id_}-") for n in names)]
    found = list(_entries(ids))
    if not names or set(names) - _known(found):
        found = list(_entries(ledger.modules()))
        _refuse_unknown(names, _known(found))
    return found


def _entries(ids: Iterable[str]) -> Iterable[tuple[str, Constant]]:
    seen: set[str] = set()
    for id_ in ids:
        for constant in ledger.get(id_).constants:
            if constant.name in seen:
                raise ledger.LedgerError(f"two constants are named {constant.name}")
            seen.add(constant.name)
            yield id_, constant


def _known(found: Sequence[tuple[str, Constant]]) -> set[str]:
    return {constant.name for _, constant in found} | {id_ for id_, _ in found}


def _refuse_unknown(names: Sequence[str], known: set[str]) -> None:
    for name in names:
        if name not in known:
            from difflib import get_close_matches

            close = get_close_matches(name, known, 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise InputError("NAME", name, f"must be a constant or a statement with one{hint}")


def _needs(constant: Constant) -> list[str]:
    """Return the names of the parameters that the formula holds."""
    free = constant.formula.free_symbols
    return [name for name, symbol in PARAMETERS.items() if symbol in free]


def _missing(constant: Constant, at: dict[str, Any]) -> list[str]:
    return [name for name in _needs(constant) if name not in at]


def _row(
    statement_id: str, constant: Constant, at: dict[str, Any], digits: int, with_looseness: bool
) -> Row:
    used = {name: at[name] for name in _needs(constant)}
    value, radius = None, None
    if constant.formula.free_symbols <= set(PARAMETERS.values()):
        ball = _ball(constant, used, digits)
        value, radius = ball_decimals(ball, _certified(ball, digits))
    ratio = None
    if with_looseness and constant.looseness is not None:
        ratio = constant.looseness(at.get("tau"), at.get("k"))
    return Row(
        name=constant.name,
        statement=statement_id,
        formula=str(constant.formula),
        latex=to_latex(constant.formula),
        meaning=constant.meaning,
        where=constant.where,
        printed=constant.printed,
        value=value,
        radius=radius,
        looseness=ratio,
        sharpens=constant.sharpens,
    )


@dataclass(frozen=True)
class Gain:
    """A sharp constant beside the printed one that it improves.

    Attributes
    ----------
    printed, sharp : Row
        The two constants.
    factor : Fraction or None
        Printed over sharp; None where one has no value.
    """

    printed: Row
    sharp: Row
    factor: Fraction | None


def beside(found: Iterable[Row]) -> list[Gain]:
    """Return the sharp constants among these beside the printed ones that they improve.

    Examples
    --------
    >>> pairs = {g.sharp.name: g.factor for g in beside(rows(with_looseness=False))}
    >>> pairs["lemma-3-sharp-two"]
    Fraction(2, 1)
    """
    by_name = {row.name: row for row in found}
    pairs = []
    for row in by_name.values():
        if row.sharpens in by_name:
            printed = by_name[row.sharpens]
            factor = None
            if printed.value is not None and row.value is not None and Fraction(row.value):
                factor = Fraction(printed.value) / Fraction(row.value)
            pairs.append(Gain(printed, row, factor))
    return pairs


def _ball(constant: Constant, used: dict[str, Any], digits: int) -> Any:
    if constant.ball is not None:
        return constant.ball(digits=digits + 3, **used)
    symbols = {PARAMETERS[name]: value for name, value in used.items()}
    return enclose(constant.formula, symbols, digits=digits + 3)


def _certified(ball: Any, digits: int) -> int:
    """Return how many of the significant digits the ball certifies, at least one."""
    return max(1, min(digits, int(ball.rel_accuracy_bits() * 0.30103)))


def table(found: Sequence[Row]) -> Table:
    """Return the constants as a table; the formula stands under the name."""
    grid = Table(
        title="Constants (losses normalised by k, in nats)", title_justify="left", show_lines=True
    )
    grid.add_column("constant", overflow="fold")
    grid.add_column("", no_wrap=True)
    grid.add_column("value", overflow="fold", min_width=17)
    grid.add_column("radius", no_wrap=True)
    grid.add_column("largest\nleft/right", no_wrap=True, justify="right")
    for row in found:
        loose = "-" if row.looseness is None else f"{row.looseness:.4g}"
        name = Text.assemble((row.name, "bold"), "\n", (row.formula, "dim"))
        whose = "printed" if row.printed else "sharp"
        radius = "-" if row.radius is None else f"{float(row.radius):.2g}"
        grid.add_row(name, whose, row.value or "-", radius, loose)
    return grid


def csv_text(found: Sequence[Row]) -> str:
    """Return the constants as CSV with a header."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, _JSON_KEYS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.as_json() for row in found)
    return buffer.getvalue().rstrip("\n")


def latex_text(found: Sequence[Row]) -> str:
    r"""Return macros to \input: \Prop1Upper and so on would not be names, so digits are spelt.

    Each constant gives two macros, the value and (with the suffix ``Formula``) the formula.
    """
    lines = ["% Constants of infonce-companion; losses normalised by k, in nats."]
    for row in found:
        name = macro_name(row.name)
        lines.append(f"% {row.name} ({row.statement}): {row.meaning}; radius {row.radius or '-'}")
        if row.value is not None:
            lines.append(rf"\newcommand{{\{name}}}{{\ensuremath{{{row.value}}}}}")
        lines.append(rf"\newcommand{{\{name}Formula}}{{\ensuremath{{{row.latex}}}}}")
    return "\n".join(lines)


def macro_name(name: str) -> str:
    """Return a name of letters alone, as TeX wants it.

    >>> macro_name("prop-1-upper")
    'InfoncePropOneUpper'
    """
    digits = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
    spelt = "".join(digits[int(c)] if c.isdigit() else c for c in name)
    return "Infonce" + "".join(part[:1].upper() + part[1:] for part in spelt.split("-"))
