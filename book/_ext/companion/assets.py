"""Files that pages need, all of them local: no page asks anything of a network."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from companion import parts

#: A script is loaded only by the pages whose HTML holds its mark.
PAGE_SCRIPTS = {'id="explorer-frame"': "explorer.js", 'id="temperature"': "temperature.js"}


def stage(app: Sphinx) -> list[str]:
    """Return the directories of static files, MathJax among them."""
    vendor = Path(app.outdir).parent / "vendor"
    spec = find_spec("sphinx-mathjax-offline")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("sphinx-mathjax-offline")
    source = Path(spec.origin).parent / "static" / "mathjax"
    # SVG output needs no fonts and works from a file.
    _copy(source / "tex-svg.js", vendor / "mathjax" / "tex-svg.js")
    for file in (source / "input" / "tex" / "extensions").glob("*.js"):
        _copy(file, vendor / "mathjax" / "input" / "tex" / "extensions" / file.name)
    vendor.mkdir(parents=True, exist_ok=True)
    (vendor / "ledger-colours.css").write_text(parts.colours(), encoding="utf-8")
    return [str(Path(app.confdir) / "_assets"), str(vendor)]


def _copy(source: Path, target: Path) -> None:
    if not target.exists() or target.stat().st_size != source.stat().st_size:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def page(
    app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Give a page its scripts and its language, and take away what would ask the network."""
    body = context.get("body") or ""
    for mark, script in PAGE_SCRIPTS.items():
        if mark in body:
            app.add_js_file(script, defer="defer")
    # Docutils calls a list of citations a list, and its entries something else.
    context["body"] = body.replace('role="list" class="citation-list"', 'class="citation-list"')
    language = (context.get("meta") or {}).get("lang")
    if language:
        context["language"] = language
    # Jupyter Book's default extension sphinx-thebe names a network address on every page.
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "thebe" not in str(getattr(script, "filename", script) or "")
        and "THEBE" not in str(getattr(script, "attributes", {}).get("body", ""))
    ]
