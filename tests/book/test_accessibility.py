"""axe-core finds no serious violation."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

Open = Callable[..., Any]

#: What axe has no rule for, and most of the elements: outlines of letters, what closed folds hide.
_PRUNE = """() => document.querySelectorAll(
  "mjx-container svg > *, details:not([open]) > :not(summary)").forEach(e => e.remove())"""
_OPEN = """() => {
  document.querySelectorAll("details").forEach(fold => { fold.open = true });
  return companionTypeset();
}"""


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core."""
    spec = find_spec("axe_playwright_python")
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / "axe.min.js").read_text(encoding="utf-8")


#: In the dark all is as in the light but the colours.
_RULES = {
    "light": "{}",
    "dark": "{runOnly: ['color-contrast']}",
}


def _serious(tab: Any, axe: str, scheme: str) -> list[Any]:
    tab.evaluate(_PRUNE)
    tab.evaluate(axe)
    found = tab.evaluate(
        f"() => axe.run({{resultTypes: ['violations'], preload: false, ...{_RULES[scheme]}}})"
    )
    return [
        (
            violation["id"],
            violation["help"],
            [node["html"][:150] for node in violation["nodes"][:3]],
        )
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", _RULES)
def test_no_serious_violation(visit: Open, axe: str, book_page: str, scheme: str) -> None:
    tab = visit(f"{book_page}.html", scheme=scheme)
    assert _serious(tab, axe, scheme) == []


@pytest.mark.parametrize("scheme", _RULES)
def test_no_serious_violation_in_open_folds(visit: Open, axe: str, scheme: str) -> None:
    tab = visit("dcl.html", scheme=scheme)
    tab.evaluate(_OPEN)
    assert _serious(tab, axe, scheme) == []
