"""What every part of the extension shares: the ledger after its run, and where it is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

from companion.names import Name, names
from proofs import ledger, render
from proofs.ledger import Checked, Statement, Verdict

log = logging.getLogger(__name__)

_SHOWN = re.compile(r"^[`:]{3,}\{statement\}[ \t]+([a-z0-9-]+)[ \t]*$", re.MULTILINE)
_REST = re.compile(r"^[`:]{3,}\{other-statements\}", re.MULTILINE)


@dataclass
class Book:
    """The ledger after its run, and the pages that show it."""

    results: dict[str, Checked] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    strengths: dict[str, str | None] = field(default_factory=dict)
    placement: dict[str, str] = field(default_factory=dict)
    default_page: str = ""
    names: dict[str, Name] = field(default_factory=dict)
    users: dict[str, list[str]] = field(default_factory=dict)
    pending: set[str] = field(default_factory=set)
    cache: Path = Path()

    @property
    def statements(self) -> dict[str, Statement]:
        return {id_: checked.statement for id_, checked in self.results.items()}

    def others(self) -> list[str]:
        """Return the statements that no page shows by name: the default page shows them."""
        return [id_ for id_, page in self.placement.items() if page == self.default_page]

    def order(self) -> list[str]:
        """Return the ids in the order in which the book shows them."""
        return list(self.placement)


#: One Sphinx process builds one book.
book = Book()


def pages_in_order(source: Path) -> list[str]:
    """Return the documents of the table of contents, in order."""
    import yaml

    toc = yaml.safe_load((source / "_toc.yml").read_text(encoding="utf-8"))
    found = [toc["root"]]

    def visit(entries: list[dict[str, object]]) -> None:
        for entry in entries:
            if "file" in entry:
                found.append(str(entry["file"]))
            for key in ("chapters", "sections", "parts"):
                if key in entry:
                    visit(entry[key])  # type: ignore[arg-type]

    visit([toc])
    return list(dict.fromkeys(found))


def place(source: Path, ids: list[str]) -> tuple[dict[str, str], str]:
    """Read from the pages which of them shows which statement; return that and the default page."""
    placement: dict[str, str] = {}
    default = ""
    for page in pages_in_order(source):
        text = (source / f"{page}.md").read_text(encoding="utf-8")
        for id_ in _SHOWN.findall(text):
            if id_ in placement:
                log.warning("%s is shown on %s and on %s", id_, placement[id_], page)
            placement.setdefault(id_, page)
        if _REST.search(text):
            default = page
    for id_ in set(placement) - set(ids):
        page = placement.pop(id_)
        if id_ not in book.pending:
            log.warning("%s shows %s, which is not in the ledger", page, id_)
    for id_ in ids:
        if id_ not in placement:
            if default:
                placement[id_] = default
            else:
                log.warning("statement %s is missing from the book", id_)
    return placement, default


def load(app: Sphinx) -> None:
    """Run what has to be run, and compute what the pages show from it."""
    book.cache = Path(app.outdir).parent / "results"
    book.pending = set(app.config.companion_pending)
    only = app.config.companion_only or list(ledger.statements())
    book.results = render.checked(
        book.cache,
        only,
        on_run=lambda ids: log.info("checking %d statements: %s", len(ids), ", ".join(ids)),
    )
    results = book.results
    book.verdicts = {id_: ledger.verdict(id_, results) for id_ in results}
    book.strengths = {id_: ledger.strength(id_, results) for id_ in results}
    book.placement, book.default_page = place(Path(app.confdir), list(results))
    book.names = names(book.order(), book.statements)
    book.users = {id_: [s.id for s in book.statements.values() if id_ in s.uses] for id_ in results}
