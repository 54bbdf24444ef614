"""The Sphinx extension of the companion: pages that render the ledger.

Nothing of a statement is typed on a page. A page names it, and the extension writes the claim, the
verdict, the proof and the outcome of each check from the ledger after its run.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

from companion import (
    assets,
    constants,
    digits,
    docstrings,
    graph,
    notebooks,
    numbering,
    parts,
    state,
    statement,
    tables,
)
from companion.code import CheckLexer
from companion.search import SearchEnglishHindi
from proofs import render


def configure(app: Sphinx, config: Config) -> None:
    """Key the caches on the sources, and prepare the static files."""
    sources = render.source_hash()
    config.companion_sources = sources + _own_hash()
    # jupyter-cache looks at the text of cells alone: key it on the code that they import as well.
    config.nb_execution_cache_path = str(Path(app.outdir).parent / ".jupyter_cache" / sources)
    config.html_static_path = [*config.html_static_path, *assets.stage(app)]
    macros = _macros(Path(app.confdir) / "macros.txt")
    config.mathjax3_config = {
        **(config.mathjax3_config or {}),
        "tex": {"macros": macros, "tags": "none"},
        "options": {"enableMenu": False},
        "svg": {"fontCache": "local"},
        "startup": {"typeset": False},  # done by reading.js, fold by fold
    }
    state.load(app)
    constants.write_downloads(Path(app.outdir).parent / "vendor" / "downloads")
    config.companion_placement = sorted(state.book.placement.items())


def _own_hash() -> str:
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _macros(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("%"):
            name, arguments, body = re.split(r"\s+", line.strip(), maxsplit=2)
            found[name] = body if arguments == "0" else [body, int(arguments)]
    return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Register directives, roles, nodes and hooks."""
    app.add_config_value("companion_sources", "", "env")
    app.add_config_value("companion_placement", [], "env")
    app.add_config_value("companion_only", [], "env")
    app.add_config_value("companion_pending", [], "env")
    app.connect("config-inited", configure, priority=100)
    app.connect("env-before-read-docs", numbering.forget)
    app.connect("env-before-read-docs", digits.check)
    app.connect("env-get-updated", numbering.override, priority=900)
    app.connect("doctree-read", numbering.tidy)
    app.connect("doctree-resolved", graph.resolve)
    app.connect("html-page-context", assets.page, priority=900)
    app.connect("html-page-context", notebooks.offer, priority=900)
    app.connect("build-finished", notebooks.write)
    app.connect("autodoc-process-docstring", docstrings.escape_bars, priority=900)
    app.add_js_file("reading.js", defer="defer")
    app.add_css_file("companion.css", priority=900)
    app.add_css_file("ledger-colours.css", priority=901)
    for node, visit, depart in (
        (parts.fold, parts.visit_fold, parts.depart_fold),
        (parts.fold_title, parts.visit_fold_title, parts.depart_fold_title),
        (parts.badge_word, parts.visit_badge_word, parts.depart_badge_word),
    ):
        app.add_node(node, html=(visit, depart))
    app.add_node(graph.graph_node)
    for name, directive in {
        "statement": statement.StatementDirective,
        "statement-body": statement.StatementBody,
        "specimen": statement.Specimen,
        "other-statements": statement.OtherStatements,
        "statement-table": tables.StatementTable,
        "corrections-table": tables.CorrectionsTable,
        "unchecked-steps": tables.UncheckedSteps,
        "verdict-legend": tables.VerdictLegend,
        "evidence-legend": tables.EvidenceLegend,
        "status-summary": tables.StatusSummary,
        "seconds-table": tables.SecondsTable,
        "sharper-table": constants.SharperTable,
        "concordance": tables.Concordance,
        "constants-table": constants.ConstantsTable,
        "constants-at": constants.ConstantsAt,
        "constants-downloads": constants.ConstantsDownloads,
        "dependency-graph": graph.DependencyGraph,
    }.items():
        app.add_directive(name, directive)
    app.add_role("st", tables.StatementRole())
    app.add_role("constant", constants.ConstantRole())
    app.add_lexer("check", CheckLexer)
    app.add_search_language(SearchEnglishHindi)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
