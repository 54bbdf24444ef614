"""Links, anchors and ids of the built pages, without a browser."""

from __future__ import annotations

import re
import urllib.parse
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from proofs import ledger


@cache
def _soup(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@cache
def _ids(path: Path) -> list[str]:
    return [str(e["id"]) for e in _soup(path).find_all(id=True)]


def test_links_lead_somewhere(html: Path, book_page: str) -> None:
    path = html / f"{book_page}.html"
    bad = []
    for element in _soup(path).find_all(True):
        for attribute in ("href", "src", "xlink:href"):
            url = str(element.get(attribute) or "")
            if not url or url.startswith(("data:", "mailto:")):
                continue
            if re.match(r"(https?:)?//", url):
                if element.name != "a":
                    bad.append(f"loads {url}")
                continue
            file, _, anchor = url.partition("#")
            target = path.parent / urllib.parse.unquote(file.split("?")[0]) if file else path
            if not target.exists():
                bad.append(f"no file: {url}")
            elif (
                anchor
                and target.suffix == ".html"
                and urllib.parse.unquote(anchor) not in _ids(target.resolve())
            ):
                bad.append(f"no anchor: {url}")
    assert bad == []


def test_an_id_is_used_once_on_a_page(html: Path, book_page: str) -> None:
    ids = _ids(html / f"{book_page}.html")
    assert sorted(i for i in set(ids) if ids.count(i) > 1) == []


def test_every_statement_is_in_the_book(html: Path, every_page: list[str]) -> None:
    shown = {i for page in every_page for i in _ids(html / f"{page}.html")}
    assert set(ledger.statements()) - shown == set()


@pytest.mark.parametrize("id_", ["lemma-2", "prop-1", "eq-8"])
def test_a_statement_has_the_number_of_the_paper(
    html: Path, every_page: list[str], id_: str
) -> None:
    kinds = {"lemma": "Lemma {}", "prop": "Proposition {}", "eq": "Equation ({})"}
    kind, number = id_.split("-")
    titles = [
        block.find("p", class_="admonition-title").get_text(" ", strip=True)  # type: ignore[union-attr]
        for page in every_page
        for block in [_soup(html / f"{page}.html").find(id=id_)]
        if block is not None
    ]
    assert len(titles) == 1
    assert titles[0].startswith(kinds[kind].format(number))


def test_downloads_are_there(html: Path, every_page: list[str]) -> None:
    folder = html / "_static" / "downloads"
    assert {f.suffix for f in folder.iterdir()} == {".tex", ".json", ".csv"}
    assert {f.stem for f in (html / "notebooks").glob("*.ipynb")} == set(every_page)
