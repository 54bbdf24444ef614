"""Every page in a browser: light, dark and on a telephone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]


_FACTS = """() => ({
  formulas: document.querySelectorAll("mjx-container").length,
  wrong: [...document.querySelectorAll("mjx-merror, [data-mjx-error]")].map(e => e.textContent),
  raw: [...document.querySelectorAll(".bd-article .math")]
    .filter(e => !e.querySelector("mjx-container")).map(e => e.textContent),
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  theme: document.documentElement.dataset.theme,
  unnamed: [...document.querySelectorAll(".bd-article img")].filter(i => !i.alt).length,
})"""


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_page_is_in_order(visit: Open, book_page: str, scheme: str, width: int) -> None:
    facts = visit(f"{book_page}.html", scheme=scheme, width=width).evaluate(_FACTS)
    assert facts["wrong"] == []
    assert facts["raw"] == []
    assert facts["wide"] <= 0
    assert facts["theme"] == scheme
    assert facts["unnamed"] == 0


@pytest.mark.parametrize("page", ["risk", "sharper"])
def test_folds_open_without_breaking_the_page(visit: Open, page: str) -> None:
    tab = visit(f"{page}.html", width=390)
    tab.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert tab.evaluate(_FACTS)["wide"] <= 0
    assert tab.locator(".check-fold .highlight").count() > 0


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
