"""Docstrings as reStructuredText, which would take a bar for the beginning of a substitution."""

from __future__ import annotations

from sphinx.application import Sphinx


def escape_bars(
    _app: Sphinx, _what: str, _name: str, _object: object, _options: object, lines: list[str]
) -> None:
    """Escape the bars of absolute values, outside code."""
    for i, line in enumerate(lines):
        if "|" in line and "``" not in line and not line.lstrip().startswith((">>>", "...")):
            lines[i] = line.replace("|", r"\|")
