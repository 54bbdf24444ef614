"""The dependency graph: drawn by Graphviz, coloured by verdict, every node a link."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from companion import parts
from companion.state import book, log
from proofs.evidence import conjuncts


class graph_node(nodes.General, nodes.Element):  # noqa: N801 - docutils names its nodes so
    """Holds the place of the graph until all links are known."""


class DependencyGraph(SphinxDirective):
    """``{dependency-graph}``: an arrow goes from what is used to what uses it."""

    option_spec: ClassVar = {"rankdir": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        return [graph_node("", rankdir=self.options.get("rankdir", "LR"))]


def as_dot(uri: dict[str, str], rankdir: str = "LR") -> str:
    """Return the graph in the language of Graphviz."""
    lines = [
        f'digraph ledger {{ rankdir={rankdir}; bgcolor="transparent"; nodesep=0.18; ranksep=0.55;',
        'node [shape=box, style="filled,rounded", fontname="DejaVu Sans", fontsize=11, '
        'margin="0.12,0.06", height=0.3]; edge [arrowsize=0.7];',
    ]
    for id_ in book.order():
        if not (book.statements[id_].uses or book.users[id_]):
            continue
        verdict = book.verdicts[id_]
        sign = parts.VERDICTS[verdict][0]
        name = str(book.names[id_])
        label = f"{sign} {name}" if id_[-1].isdigit() else f"{sign} {name}\\n{id_}"
        hover = f"{name}, {verdict}: {book.statements[id_].title}. {_claim(id_)}"
        lines.append(
            f'"{id_}" [label="{label}", URL="{uri[id_]}", target="_top", '
            f'class="{parts.verdict_class(verdict)}", tooltip="{_quote(hover)}"];'
        )
        lines += [f'"{used}" -> "{id_}";' for used in book.statements[id_].uses]
    return "\n".join([*lines, "}"])


def _claim(id_: str) -> str:
    """Return the claim as text, for the hover."""
    claim = book.statements[id_].claim
    return claim if isinstance(claim, str) else "; ".join(str(part) for part in conjuncts(claim))


def _quote(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def as_svg(dot: str) -> str | None:
    """Draw the graph; its colours are left to the style sheet."""
    program = shutil.which("dot")
    if program is None:
        log.warning("Graphviz (dot) is not installed: no dependency graph")
        return None
    drawn = subprocess.run(
        [program, "-Tsvg"], input=dot, text=True, capture_output=True, check=True
    )
    svg = drawn.stdout[drawn.stdout.index("<svg") :]
    svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<title>.*?</title>\n?", "", svg, flags=re.DOTALL)
    return re.sub(
        r'<svg width="(\d+)pt" height="(\d+)pt"',
        r'<svg role="group" aria-label="Dependency graph of the statements" '
        r'style="width:\1px;height:auto"',
        svg,
        count=1,
    )


def resolve(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Draw each graph once the links are known."""
    for node in list(doctree.findall(graph_node)):
        uri = {id_: _uri(app, docname, id_) for id_ in book.order()}
        svg = as_svg(as_dot(uri, node["rankdir"]))
        legend = " ".join(
            f'<span class="badge-word {parts.verdict_class(v)}" title="{parts.escape(meaning)}">'
            f"{sign} {v}</span>"
            for v, (sign, meaning, _) in parts.VERDICTS.items()
            if v in book.verdicts.values()
        )
        frame = (
            '<div class="ledger-graph" tabindex="0" role="region" aria-label="Dependency graph">'
        )
        alone = ", ".join(
            f'<a href="{uri[id_]}" title="{parts.escape(_claim(id_))}">{book.names[id_]}</a>'
            for id_ in book.order()
            if not (book.statements[id_].uses or book.users[id_])
        )
        html = f"{frame}{svg}</div><p>{legend}</p><p>Alone stand {alone}.</p>" if svg else ""
        node.replace_self(nodes.raw("", html, format="html"))


def _uri(app: Sphinx, docname: str, id_: str) -> str:
    if app.builder.name == "singlehtml":
        return f"#{id_}"
    builder: Any = app.builder
    return f"{builder.get_relative_uri(docname, book.placement[id_])}#{id_}"
