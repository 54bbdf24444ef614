"""Pages as notebooks."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path


def test_a_downloaded_notebook_runs(html: Path, tmp_path: Path) -> None:
    notebook = tmp_path / "setting.ipynb"
    shutil.copy(html / "notebooks" / "setting.ipynb", notebook)
    program = Path(sys.executable).with_name("jupyter-execute")
    ran = subprocess.run(
        [program, "--inplace", notebook], capture_output=True, text=True, check=False, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    printed = "".join(
        "".join(output.get("text", ""))
        for cell in cells
        if cell["cell_type"] == "code"
        for output in cell["outputs"]
    )
    assert "un-normalised cross-entropy" in printed


def test_statements_are_shown_and_checked(html: Path) -> None:
    cells = json.loads((html / "notebooks" / "risk.ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    (check,) = [text for text in code if "-m proofs check" in text]
    assert {"lemma-2", "prop-1"} <= set(check.split())
    words = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    (claim,) = [text for text in words if "`lemma-2`" in text]
    assert claim.startswith("**Lemma 2**")
    assert r"\log" in claim
    assert r"\newcommand{\EE}{\mathbb{E}}" in words[0]
    assert "{st}`" not in "".join(words)
    assert "```{" not in "".join(words)
