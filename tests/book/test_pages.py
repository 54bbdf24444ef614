"""Every page in a browser: light, dark and on a telephone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]


_FACTS = """() => ({
  wrong: [...document.querySelectorAll("mjx-merror, [data-mjx-error]")].map(e => e.textContent),
  raw: [...document.querySelectorAll(".bd-article .math")]
    .filter(e => e.checkVisibility() && !e.querySelector("mjx-container")).map(e => e.textContent),
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  theme: document.documentElement.dataset.theme,
  unnamed: [...document.querySelectorAll(".bd-article img")].filter(i => !i.alt).length,
})"""
_OPEN = """() => {
  document.querySelectorAll("details").forEach(d => { d.open = true });
  return window.MathJax && companionTypeset();
}"""


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_page_is_in_order(visit: Open, book_page: str, scheme: str, width: int) -> None:
    """As it comes, and on a telephone with all folds open as well."""
    tab = visit(f"{book_page}.html", scheme=scheme, width=width)
    orderly = {"wrong": [], "raw": [], "wide": 0, "theme": scheme, "unnamed": 0}
    assert tab.evaluate(_FACTS) == orderly
    if width == 390:
        tab.evaluate(_OPEN)
        assert tab.evaluate(_FACTS) == orderly


def test_formulas_of_a_proof_wait_for_it_to_open(visit: Open) -> None:
    tab = visit("sharper.html")
    proof = tab.locator("details.proof-fold").first
    assert proof.locator("mjx-container").count() == 0
    proof.locator("summary").first.click()
    proof.locator("mjx-container").first.wait_for()


def test_a_link_into_a_proof_opens_it(visit: Open) -> None:
    tab = visit("risk.html#prop-1-step-2")
    step = tab.locator("#prop-1-step-2")
    assert step.is_visible()
    assert step.locator("mjx-container").count() > 0
    box = step.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 900


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_follow_the_colour_scheme(visit: Open, scheme: str) -> None:
    tab = visit("risk.html", scheme=scheme)
    other = "dark" if scheme == "light" else "light"
    assert tab.locator(f".figure-{scheme}").first.is_visible()
    assert not tab.locator(f".figure-{other}").first.is_visible()


def test_page_in_hindi_says_so_and_has_its_letters(visit: Open) -> None:
    tab = visit("hindi.html")
    assert tab.evaluate("document.documentElement.lang") == "hi"
    loaded = """() => document.fonts.ready.then(() => [...document.fonts]
      .filter(f => f.family.includes("Devanagari") && f.status === "loaded").length)"""
    assert tab.evaluate(loaded) >= 1
