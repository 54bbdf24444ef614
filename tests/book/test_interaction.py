"""Sliders, the graph, search, printing: what a reader does to the book."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from numerics.exact import evaluate
from numerics.worlds import Sphere

Open = Callable[..., Any]


def _points() -> list[dict[str, float]]:
    draw = random.Random(20)
    return [
        {
            "tau": round(10 ** draw.uniform(-1.3, 1), 4),
            "k": int(10 ** draw.uniform(0, 9)),
            "d": draw.randint(2, 64),
            "conc": round(draw.uniform(0, 40), 1),
        }
        for _ in range(20)
    ]


def test_explorer_agrees_with_the_evaluator(visit: Open) -> None:
    tab = visit("explorer.html")
    for point in _points():
        shown = tab.evaluate("at => companionExplorer.evaluate(at)", point)
        world = Sphere(int(point["d"]), Fraction(str(point["conc"])))
        tau, k = Fraction(str(point["tau"])), int(point["k"])
        infonce, dcl = evaluate(world, tau, k), evaluate(world, tau, k, "dcl")
        wanted = {
            "risk": infonce.risk,
            "limit": infonce.limit,
            "bias": infonce.bias,
            "dclRisk": dcl.risk,
            "dclBias": dcl.bias,
        }
        assert shown == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("name", ["tau", "k", "d", "conc", "n"])
def test_sliders_answer_to_keys_and_pointer(visit: Open, name: str) -> None:
    tab = visit("explorer.html")
    output = tab.locator(f"#explorer-{name}-value")
    before = output.text_content()
    tab.focus(f"#explorer-{name}")
    for _ in range(5):
        tab.keyboard.press("ArrowRight")
    after = output.text_content()
    assert after != before
    box = tab.locator(f"#explorer-{name}").bounding_box()
    assert box is not None
    tab.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2)
    assert output.text_content() not in (before, after)


def test_explorer_draws_and_says_what_it_shows(visit: Open) -> None:
    tab = visit("explorer.html", width=390)
    first = tab.locator("#explorer-plot .exact").get_attribute("d")
    tab.focus("#explorer-tau")
    tab.keyboard.press("Home")
    assert tab.locator("#explorer-plot .exact").get_attribute("d") != first
    assert "nats" in (tab.locator("#explorer-said").text_content() or "")


def test_temperature_slider(visit: Open) -> None:
    tab = visit("kernel.html")
    said = tab.locator("#temperature-said")
    tab.focus("#temperature-tau")
    tab.keyboard.press("End")
    hot = said.text_content()
    tab.keyboard.press("Home")
    assert said.text_content() != hot
    assert abs(sum(tab.evaluate("companionSearch.search(16, 0.5)")) - 1) < 1e-12


def test_graph_links_land_on_statements(visit: Open) -> None:
    tab = visit("statements.html")
    links = tab.eval_on_selector_all(
        ".ledger-graph a", "all => all.map(a => a.getAttribute('xlink:href'))"
    )
    assert len(links) > 10
    tab.locator(".ledger-graph a text").first.click()
    tab.wait_for_url(lambda url: url.endswith(links[0]))
    anchor = links[0].partition("#")[2]
    tab.wait_for_function(
        "id => { const r = document.getElementById(id).getBoundingClientRect();"
        " return r.top >= -1 && r.top < innerHeight }",
        arg=anchor,
    )


@pytest.mark.parametrize(
    ("word", "page"), [("reciprocal", "sharper.html"), ("तापमान", "hindi.html")]
)
def test_search_finds(visit: Open, word: str, page: str) -> None:
    tab = visit(f"search.html?q={word}")
    tab.wait_for_selector("#search-results li a")
    found = tab.eval_on_selector_all(
        "#search-results li a", "all => all.map(a => a.getAttribute('href'))"
    )
    assert any(url.split("?")[0].split("#")[0] == page for url in found)


def test_page_prints(visit: Open) -> None:
    tab = visit("dcl.html")
    tab.emulate_media(media="print")
    pdf = tab.pdf(format="A4")
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 20_000
