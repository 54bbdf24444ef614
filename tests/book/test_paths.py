"""No page says where it was built."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_no_page_or_notebook_names_the_folder_of_the_build(html: Path) -> None:
    pages = [*html.glob("*.html"), *html.rglob("*.ipynb")]
    assert pages
    assert not [page.name for page in pages if str(ROOT) in page.read_text(encoding="utf-8")]
