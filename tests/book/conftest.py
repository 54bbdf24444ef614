"""The built book, and a browser that notices whatever goes wrong on a page."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "book" / "_build" / "html"

sys.path.insert(0, str(ROOT / "book" / "_ext"))

Open = Callable[..., Page]


@pytest.fixture(scope="session")
def html() -> Path:
    """The directory of the built book."""
    if not (HTML / "index.html").exists():
        pytest.fail("the book is not built: run `make book`")
    return HTML


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("Chromium is not installed")
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def visit(browser: Browser, html: Path) -> Iterator[Open]:
    """Open a page of the book; the test fails if it complains, or asks anything of a network."""
    troubles: list[str] = []
    contexts = []

    def visit_page(name: str, *, scheme: str = "light", width: int = 1280) -> Page:
        context = browser.new_context(
            color_scheme=scheme,  # type: ignore[arg-type]
            viewport={"width": width, "height": 900},
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("requestfailed", lambda request: troubles.append(f"failed: {request.url}"))
        page.on("request", lambda request: _local(request.url, troubles))
        page.goto(f"{html.as_uri()}/{name}")
        page.evaluate("() => window.MathJax && companionTypeset()")
        return page

    yield visit_page
    for context in contexts:
        context.close()
    assert troubles == []


def _local(url: str, troubles: list[str]) -> None:
    if not url.startswith(("file:", "data:", "blob:")):
        troubles.append(f"asks the network: {url}")


@pytest.fixture(scope="session")
def every_page() -> list[str]:
    """The pages of the table of contents."""
    return _pages()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `book_page` once for each page."""
    if "book_page" in metafunc.fixturenames:
        metafunc.parametrize("book_page", _pages())


def _pages() -> list[str]:
    from companion.state import pages_in_order

    return pages_in_order(ROOT / "book")
