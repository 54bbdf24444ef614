"""The dependency graph of the statements, as JSON, DOT and SVG."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from numerics.parse import InputError
from proofs import ledger
from proofs.ledger import Verdict

__all__ = ["FILL", "as_dot", "as_json", "as_svg", "page_of"]

#: A page shows a statement with the directive ```{statement} id.
_DIRECTIVE = re.compile(r"^[`:]{3,}\{statement\}\s+([\w-]+)", re.MULTILINE)

#: Fill of a node by verdict: light enough for black text on any background.
FILL = {
    Verdict.HOLDS: "#d7f5dd",
    Verdict.CORRECTED: "#fff1c2",
    Verdict.REFUTED: "#ffdcd8",
    Verdict.OPEN: "#dbeafe",
    Verdict.UNKNOWN: "#e8e8ec",
}


@lru_cache(maxsize=1)
def _pages() -> dict[str, str]:
    """Return the page of every statement that a page of the book names, in a checkout."""
    found: dict[str, str] = {}
    for page in sorted((Path(__file__).resolve().parents[1] / "book").glob("*.md")):
        for id_ in _DIRECTIVE.findall(page.read_text(encoding="utf-8")):
            found.setdefault(id_, page.stem)
    return found


def page_of(id_: str) -> str:
    """Return the page of the book, with its anchor, on which a statement stands.

    >>> page_of("no-such-statement")
    'statements.html#no-such-statement'
    """
    return f"{_pages().get(id_, 'statements')}.html#{id_}"


def as_json(verdicts: Mapping[str, str]) -> dict[str, Any]:
    """Return nodes with verdict and page, and edges from what is used to what uses it."""
    return {
        "nodes": [
            {"id": id_, "verdict": verdict, "page": page_of(id_)}
            for id_, verdict in verdicts.items()
        ],
        "edges": [[used, user] for used, user in ledger.graph()],
    }


def as_dot(verdicts: Mapping[str, str]) -> str:
    """Return the graph in the DOT language; a node links to its page of the book."""
    lines = [
        "digraph statements {",
        '  rankdir=LR; bgcolor="transparent"; ranksep=0.6; nodesep=0.2;',
        '  node [shape=box, style="filled,rounded", fontname="DejaVu Sans", fontsize=11];',
        "  edge [arrowsize=0.7];",
    ]
    for id_, verdict in verdicts.items():
        title = ledger.get(id_).title.replace('"', "'")
        lines.append(
            f'  "{id_}" [fillcolor="{FILL[Verdict(verdict)]}", URL="{page_of(id_)}", '
            f'tooltip="{title}: {verdict}"];'
        )
    lines += [f'  "{used}" -> "{user}";' for used, user in ledger.graph()]
    return "\n".join([*lines, "}"])


def as_svg(verdicts: Mapping[str, str]) -> str:
    """Return the graph as SVG, drawn by Graphviz.

    Raises
    ------
    InputError
        If Graphviz is not installed.
    """
    dot = shutil.which("dot")
    if dot is None:
        raise InputError(
            "--format", "svg", "needs Graphviz (the command dot); --format dot does not"
        )
    drawn = subprocess.run(
        [dot, "-Tsvg"], input=as_dot(verdicts), text=True, capture_output=True, check=True
    )
    return drawn.stdout.strip()
