"""Small pieces of a page: badges, folds, mathematics, links to statements."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.addnodes import pending_xref
from sphinx.util.docutils import SphinxDirective

from companion.prose import typeset
from companion.state import book
from proofs.evidence import Evidence, conjuncts, kinds
from proofs.ledger import Verdict
from proofs.render import latex as to_latex

#: For each verdict: a sign that reads without colour, what it means, and colours (light, dark).
VERDICTS: dict[str, tuple[str, str, tuple[str, str]]] = {
    Verdict.HOLDS: (
        "✓",
        "every step of the proof passed, down to the claim itself, and so did all that it uses",
        ("#d7f5dd", "#12401f"),
    ),
    Verdict.CORRECTED: (
        "✎",
        "the printed claim was refuted by a witness; the repaired one beside it holds",
        ("#ffe9b8", "#4d3800"),
    ),
    Verdict.REFUTED: (
        "✗",
        "a witness refutes the printed claim, and no repair is claimed",
        ("#ffdcd8", "#5c1a15"),
    ),
    Verdict.OPEN: (
        "?",
        "no proof is claimed, or the proof rests on a statement that has none",
        ("#e8e8ec", "#3a3f47"),
    ),
    Verdict.UNKNOWN: (
        "!",
        "a check did not come to an end on the machine that built this page",
        ("#f3d9f7", "#4b1f52"),
    ),
}


class fold(nodes.General, nodes.Element):  # noqa: N801 - docutils names its nodes so
    """A part of the page that opens and closes: `<details>`."""


class fold_title(nodes.General, nodes.TextElement):  # noqa: N801
    """The line that opens a fold: `<summary>`."""


class badge_word(nodes.inline):  # noqa: N801
    """A coloured word."""


def visit_badge_word(self: Any, node: nodes.Element) -> None:
    attributes = {"title": node["hint"]} if node.get("hint") else {}
    self.body.append(self.starttag(node, "span", "", **attributes))


def depart_badge_word(self: Any, _node: nodes.Element) -> None:
    self.body.append("</span>")


def visit_fold(self: Any, node: nodes.Element) -> None:
    attributes = {"open": "open"} if node.get("open") else {}
    self.body.append(self.starttag(node, "details", CLASS="companion-fold", **attributes))


def depart_fold(self: Any, _node: nodes.Element) -> None:
    self.body.append("</details>\n")


def visit_fold_title(self: Any, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "summary", ""))


def depart_fold_title(self: Any, _node: nodes.Element) -> None:
    self.body.append("</summary>\n")


def make_fold(
    title: Sequence[nodes.Node], *content: nodes.Node, classes: Sequence[str] = ()
) -> fold:
    """Return a fold with the given title line and content."""
    return fold("", fold_title("", "", *title), *content, classes=list(classes))


def badge(text: str, css: str, hint: str = "") -> badge_word:
    """Return a coloured word; `hint` is shown when pointed at."""
    return badge_word("", text, classes=["badge-word", css], hint=hint)


def verdict_badge(id_: str) -> badge_word:
    """Return the verdict of a statement as a coloured word."""
    return verdict_word(book.verdicts[id_])


def verdict_word(verdict: str) -> badge_word:
    """Return a verdict as a coloured word with its sign."""
    sign, meaning, _ = VERDICTS[verdict]
    return badge(f"{sign} {verdict}", verdict_class(verdict), meaning)


def verdict_class(verdict: str) -> str:
    """Return the CSS class of a verdict."""
    return "verdict-" + str(verdict).replace(" ", "-")


def kind_badge(kind: str) -> badge_word:
    """Return a kind of evidence as a coloured word."""
    return badge(kind, f"kind-{kind}", Evidence.KINDS[kind].establishes)


def colours() -> str:
    """Return CSS for the verdicts and for every kind of evidence that there is, by theme."""
    rules = {verdict_class(v): pair for v, (_, _, pair) in VERDICTS.items()}
    rules |= {f"kind-{kind.kind}": kind.colour for kind in kinds()}
    lines = ["/* Written by the build from the ledger: verdicts and kinds of evidence. */"]
    for css, (light, dark) in rules.items():
        lines.append(f".{css} {{ --word: {light}; }}")
        lines.append(f'html[data-theme="dark"] .{css} {{ --word: {dark}; }}')
    for kind in kinds():
        if not kind.machine:
            lines.append(f".kind-{kind.kind} {{ border-style: dashed; }}")
    return "\n".join(lines) + "\n"


def link(id_: str, text: str = "") -> pending_xref:
    """Return a link to a statement, wherever the book shows it."""
    shown = text or str(book.names[id_])
    return pending_xref(
        "",
        nodes.inline("", shown),
        refdomain="std",
        reftype="ref",
        reftarget=id_,
        refexplicit=True,
        refwarn=True,
        refdoc="",
    )


def links(directive: SphinxDirective, ids: Iterable[str]) -> list[nodes.Node]:
    """Return links to statements, separated by commas."""
    found: list[nodes.Node] = []
    for id_ in ids:
        if found:
            found.append(nodes.Text(", "))
        found.append(here(directive, link(id_)))
    return found


def here(directive: SphinxDirective, reference: pending_xref) -> pending_xref:
    """Say on which page a link stands."""
    reference["refdoc"] = directive.env.docname
    return reference


def display(latex: str, label: str | None = None) -> nodes.math_block:
    """Return displayed mathematics."""
    return nodes.math_block(latex, latex, nowrap=False, number=None, label=label)


def claim_latex(claim: Any) -> str:
    """Print relations, one a line; two bounds of one quantity are printed as a chain."""
    parts = list(claim) if isinstance(claim, tuple | list) else list(conjuncts(claim))
    lines: list[str] = []
    while parts:
        first = parts.pop(0)
        chained = _chain(first, parts[0]) if parts else None
        if chained is not None:
            parts.pop(0)
            lines.append(chained)
        else:
            lines.append(to_latex(first))
    if len(lines) == 1:
        return lines[0]
    return "\\begin{gathered}\n" + "\\\\\n".join(lines) + "\n\\end{gathered}"


_BELOW = {"<=": r"\le", "<": "<", ">=": r"\ge", ">": ">", "==": "="}


def _chain(first: Any, second: Any) -> str | None:
    """Print x >= a and x <= b as a <= x <= b, if that is what the two relations say."""
    operators = (getattr(first, "rel_op", ""), getattr(second, "rel_op", ""))
    if operators[0] not in (">", ">=") or operators[1] not in ("<", "<="):
        return None
    if first.lhs != second.lhs:
        return None
    lower = _BELOW["<=" if operators[0] == ">=" else "<"]
    upper = _BELOW[operators[1]]
    return f"{to_latex(first.rhs)} {lower} {to_latex(first.lhs)} {upper} {to_latex(second.rhs)}"


def markdown(directive: SphinxDirective, text: str) -> list[nodes.Node]:
    """Parse Markdown as it would be parsed on the page."""
    holder = nodes.Element()
    source = directive.get_source_info()[0]
    directive.state.nested_parse(StringList(text.splitlines(), source), 0, holder)
    return holder.children


def inline(directive: SphinxDirective, text: str) -> list[nodes.Node]:
    """Parse one paragraph of Markdown and return what is in it."""
    parsed = markdown(directive, text)
    if len(parsed) == 1 and isinstance(parsed[0], nodes.paragraph):
        return parsed[0].children
    return parsed


def words(directive: SphinxDirective, text: str) -> list[nodes.Node]:
    """Parse a sentence of the ledger, whose mathematics is written plainly."""
    return inline(directive, said(text))


def said(text: str) -> str:
    """Return a text of the ledger in Markdown: mathematics typeset, ids of statements as links."""
    return linked(typeset(text))


def linked(text: str) -> str:
    """Return a text in Markdown with the ids of statements, written as code, as links."""
    return _ID.sub(lambda m: f"{{st}}{m[0]}" if m[1] in book.results else m[0], text)


_ID = re.compile(r"(?<!\})`([a-z0-9-]+)`")


def latex_lines(text: str) -> nodes.math_block | None:
    r"""Display a claim that is written in LaTeX, a line for each \qquad; None if it is in words."""
    if "\\" not in text or "$" in text:
        return None
    lines = re.split(r",?\\qquad\s*", text)
    return display("\\begin{gathered}\n" + ",\\\\\n".join(lines) + "\n\\end{gathered}")


def table(
    heads: Sequence[str], rows: Iterable[Sequence[Sequence[nodes.Node]]], *classes: str
) -> nodes.Element:
    """Return a table; each cell is a sequence of inline nodes. It scrolls inside its own frame."""
    body = nodes.tbody()
    for row in rows:
        cells = []
        for cell in row:
            parts = list(cell)
            block = parts and all(isinstance(p, nodes.Element) and _is_block(p) for p in parts)
            cells.append(nodes.entry("", *(parts if block else [nodes.paragraph("", "", *parts)])))
        body += nodes.row("", *cells)
    head = nodes.row("", *[nodes.entry("", nodes.paragraph(text=h)) for h in heads])
    group = nodes.tgroup("", cols=len(heads))
    group += [nodes.colspec(colwidth=1) for _ in heads]
    group += [nodes.thead("", head), body]
    return nodes.container(
        "", nodes.table("", group, classes=["colwidths-auto", *classes]), classes=["wide-table"]
    )


def _is_block(node: nodes.Element) -> bool:
    return isinstance(node, nodes.Body) and not isinstance(node, nodes.Inline)


def escape(text: str) -> str:
    """Return text that is safe inside HTML."""
    return html.escape(text, quote=True)
