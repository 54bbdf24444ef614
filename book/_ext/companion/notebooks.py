"""Each page as a notebook that runs: statements as the ledger has them, tables as commands.

All statements of a page are checked by one command at its end, which runs what they share once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import nbformat
from sphinx.application import Sphinx

from companion import parts
from companion.prose import typeset
from companion.state import book, pages_in_order

_HEADER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_FENCE = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{(?P<name>[\w-]+)\}[ \t]*(?P<argument>[^\n]*)\n"
    r"(?P<body>.*?)^(?P=fence)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_ROLE = re.compile(r"\{(\w+)\}`([^`]+)`")
_OPTIONS = re.compile(r"^:([\w-]+):[ \t]*(.*)$", re.MULTILINE)
_COMMANDS = {
    "constants-table": "constants",
    "constants-at": "constants --tau {tau} --k {k} --target {target}",
}
_SHOWN: dict[str, Callable[[str], list[str]]] = {
    "statement": lambda id_: [id_],
    "specimen": lambda id_: [id_],
    "other-statements": lambda _: book.others(),
}
_LIST = """from proofs import ledger

for statement in ledger.statements().values():
    if {condition}statement.ours:
        print(f"{{statement.id:28}} {{statement.title}}")"""


def convert(text: str, page: str, macros: Mapping[str, str | list[Any]]) -> Any:
    """Return a page as a notebook that knows the macros of the book's formulas."""
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    intro = f"*From the page `{page}` of the companion. It needs the package `infonce-companion`.*"
    cells = [nbformat.v4.new_markdown_cell(f"{intro}{_definitions(macros)}")]
    text = _HEADER.sub("", text)
    position = 0
    shown = []
    for match in _FENCE.finditer(text):
        _add_markdown(cells, text[position : match.start()])
        position = match.end()
        here = _SHOWN.get(match["name"], lambda _: [])(match["argument"].strip())
        cells += [nbformat.v4.new_markdown_cell(_statement(id_)) for id_ in here]
        shown += here
        if not here:
            _add_block(cells, match)
    _add_markdown(cells, text[position:])
    if shown:
        cells.append(nbformat.v4.new_markdown_cell("Check the statements of this page."))
        cells.append(_command(f"check {' '.join(shown)}"))
    for number, cell in enumerate(cells):
        cell["id"] = f"{page}-{number}"  # the same bytes from one build to the next
    notebook.cells = cells
    return notebook


def _definitions(macros: Mapping[str, str | list[Any]]) -> str:
    """Define the macros for the whole notebook, in a formula that shows nothing."""
    lines = []
    for name, meaning in macros.items():
        body, arguments = meaning if isinstance(meaning, list) else (meaning, 0)
        count = f"[{arguments}]" if arguments else ""
        lines.append(rf"\newcommand{{\{name}}}{count}{{{body}}}")
    return f"\n\n${''.join(lines)}$"


def _statement(id_: str) -> str:
    if id_ not in book.results:
        return id_
    statement = book.statements[id_]
    title = f"**{book.names[id_]}** ({typeset(statement.title)}; `{id_}`)"
    if isinstance(statement.claim, str):
        return f"{title}\n\n{typeset(statement.claim)}"
    return f"{title}\n\n$$\n{parts.claim_latex(statement.claim)}\n$$"


def _command(text: str) -> Any:
    return nbformat.v4.new_code_cell(f"import sys\n\n!{{sys.executable}} -m proofs {text}")


def _add_block(cells: list[Any], match: re.Match[str]) -> None:
    name, body = match["name"], match["body"]
    options = dict(_OPTIONS.findall(body))
    if name == "code-cell":
        cells.append(nbformat.v4.new_code_cell(_OPTIONS.sub("", body, count=len(options)).strip()))
    elif name in _COMMANDS:
        command = _COMMANDS[name].format(argument=match["argument"].strip(), **options)
        cells.append(_command(command))
    elif name == "statement-table":
        condition = "" if "ours" in options else "not "
        cells.append(nbformat.v4.new_code_cell(_LIST.format(condition=condition)))
    elif name in ("admonition", "note", "tip"):
        _add_markdown(cells, f"**{match['argument'].strip()}** {_OPTIONS.sub('', body).strip()}")


def _add_markdown(cells: list[Any], text: str) -> None:
    text = _ROLE.sub(_role, text)
    text = re.sub(r"\$\$ \(([\w-]+)\)", "$$", text)
    text = re.sub(r"^\([\w-]+\)=\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"\]\((\w+)\.md\)", r"](\1.ipynb)", text)
    if text.strip():
        cells.append(nbformat.v4.new_markdown_cell(text.strip()))


def _role(match: re.Match[str]) -> str:
    name, content = match.groups()
    if name == "st" and content in book.names:
        return str(book.names[content])
    if name == "eq":
        return f"({content.removeprefix('paper-eq-')})"
    return content


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the notebooks beside the pages."""
    if exception is not None or app.builder.name != "html":
        return
    source, folder = Path(app.confdir), Path(app.outdir) / "notebooks"
    folder.mkdir(exist_ok=True)
    macros = app.config.mathjax3_config["tex"]["macros"]
    for page in pages_in_order(source):
        notebook = convert((source / f"{page}.md").read_text(encoding="utf-8"), page, macros)
        nbformat.write(notebook, folder / f"{page}.ipynb")


def offer(
    _app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Add the notebook to the downloads of a page."""
    for group in context.get("header_buttons", []):
        if group.get("label") == "download-buttons":
            button = {
                "type": "link",
                "url": f"{context['pathto']('notebooks', resource=True)}/{pagename}.ipynb",
                "text": ".ipynb",
                "tooltip": "Download as a notebook",
                "icon": "fas fa-code",
                "label": "download-notebook-button",
            }
            group["buttons"].insert(0, button)
