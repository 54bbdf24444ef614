"""axe-core finds no serious violation."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

Open = Callable[..., Any]


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core."""
    spec = find_spec("axe_playwright_python")
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / "axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_violation(visit: Open, axe: str, book_page: str, scheme: str) -> None:
    tab = visit(f"{book_page}.html", scheme=scheme)
    tab.evaluate(axe)
    found = tab.evaluate("() => axe.run(document, {resultTypes: ['violations'], preload: false})")
    serious = [
        (
            violation["id"],
            violation["help"],
            [node["html"][:150] for node in violation["nodes"][:3]],
        )
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
    assert serious == []
