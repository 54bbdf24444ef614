"""No number that the ledger knows is typed by hand."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from sphinx.application import Sphinx

from companion.constants import rows
from companion.state import log

_DECIMAL = re.compile(r"(?<![\w.])\d+\.\d{4,}(?![\w.])")
_CELL = re.compile(r"^(`{3,}|:{3,})\{code-cell\}.*?^\1", re.MULTILINE | re.DOTALL)


@lru_cache(maxsize=1)
def known() -> dict[str, str]:
    """Return the digits of every constant that is not a short decimal, by name."""
    return {name: row.value for name, row in rows().items() if "." in row.value}


def typed(text: str) -> list[tuple[int, str, str]]:
    """Return (line, decimal, constant) for each decimal of a page that the ledger knows."""
    prose = _CELL.sub(lambda m: "\n" * m[0].count("\n"), text)
    found = []
    for match in _DECIMAL.finditer(prose):
        for name, digits in known().items():
            if _same(match[0], digits):
                found.append((prose.count("\n", 0, match.start()) + 1, match[0], name))
                break
    return found


def _same(decimal: str, digits: str) -> bool:
    """Tell whether a typed decimal is the beginning of a number, cut or rounded."""
    places = len(decimal.partition(".")[2])
    try:
        return abs(float(decimal) - float(digits)) < 1.01 * 10.0**-places
    except ValueError:
        return False


def check(app: Sphinx, _env: object, docnames: list[str]) -> None:
    """Warn of typed decimals on the pages that are read."""
    for docname in docnames:
        path = Path(app.env.doc2path(docname))
        for line, decimal, name in typed(path.read_text(encoding="utf-8")):
            log.warning(
                "%s is typed by hand, but the ledger knows it: write {constant}`%s`",
                decimal,
                name,
                location=(docname, line),
            )
