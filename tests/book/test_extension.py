"""The extension: what it finds wrong, and that nothing it writes goes stale."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from proofs import ledger, render
from proofs.evidence import kinds

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "intro": (
        "# A book\n\nThe constant is {constant}`lemma-2-eighth`.\n\n```{statement} lemma-2\n```\n"
    ),
    "cell": (
        "---\nfile_format: mystnb\nkernelspec:\n  name: python3\n---\n\n# A cell\n\n"
        "```{code-cell} ipython3\nfrom proofs import ledger\n"
        'print(ledger.get("lemma-2").constants[0].formula)\n```\n'
    ),
}


class SmallBook:
    """A book of few pages over a copy of the packages, which a test may change."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.book = folder, folder / "book"
        skip = shutil.ignore_patterns("__pycache__")
        for package in ("proofs", "numerics"):
            shutil.copytree(ROOT / package, folder / package, ignore=skip)
        for part in ("_ext", "_assets"):
            shutil.copytree(ROOT / "book" / part, self.book / part, ignore=skip)
        for file in ("macros.txt", "references.bib"):
            shutil.copy(ROOT / "book" / file, self.book)
        config = (ROOT / "book" / "_config.yml").read_text(encoding="utf-8")
        config = config.replace("companion_only: []", "companion_only: [lemma-2]")
        self.write("_config.yml", config)
        self.write("_toc.yml", "format: jb-book\nroot: intro\nchapters:\n  - file: cell\n")
        for name, text in PAGES.items():
            self.write(f"{name}.md", text)

    def write(self, name: str, text: str) -> None:
        (self.book / name).write_text(text, encoding="utf-8")

    def build(self) -> subprocess.CompletedProcess[str]:
        """Build with warnings as errors; the copied packages stand before the installed ones."""
        program = str(Path(sys.executable).with_name("jupyter-book"))
        return subprocess.run(
            [program, "build", str(self.book), "-n", "-W", "--keep-going"],
            env=os.environ | {"PYTHONPATH": str(self.folder), "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    def page(self, name: str) -> str:
        return (self.book / "_build" / "html" / f"{name}.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SmallBook:
    return SmallBook(tmp_path_factory.mktemp("small"))


def test_a_changed_constant_changes_the_pages(small: SmallBook) -> None:
    built = small.build()
    assert built.returncode == 0, built.stdout + built.stderr
    assert "The constant is 0.125." in small.page("intro")
    assert "1/8" in re.sub(r"<[^>]+>", "", small.page("cell"))

    file = small.folder / "proofs" / "paper" / "lemma_2.py"
    text = file.read_text(encoding="utf-8")
    changed = text.replace("formula=Rational(1, 8)", "formula=Rational(1, 16)")
    assert changed != text
    file.write_text(changed, encoding="utf-8")
    built = small.build()
    assert built.returncode == 0, built.stdout + built.stderr
    assert "The constant is 0.0625." in small.page("intro")
    assert "1/16" in re.sub(r"<[^>]+>", "", small.page("cell"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("# A book\n\nNo statement.\n", "statement lemma-2 is missing from the book"),
        (PAGES["intro"] + "\n{st}`lemma-99`\n", "no such statement: lemma-99"),
        (PAGES["intro"] + "\n```{statement} lemma-99\n```\n", "no such statement: lemma-99"),
        (PAGES["intro"] + "\n{constant}`no-such`\n", "no such constant: no-such"),
        (PAGES["intro"] + "\n$\\undefined$ {ref}`nowhere`\n", "nowhere"),
    ],
    ids=["missing", "unknown link", "unknown statement", "unknown constant", "unknown label"],
)
def test_what_is_wrong_fails_the_build(small: SmallBook, text: str, complaint: str) -> None:
    small.write("intro.md", text)
    built = small.build()
    small.write("intro.md", PAGES["intro"])
    assert built.returncode != 0
    assert complaint in built.stdout + built.stderr


def test_typed_digits_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion import digits

    monkeypatch.setattr(digits, "known", lambda: {"some-constant": "1.00978741389837"})
    page = "One.\n\nIt is 1.00979, or 1.0097, or 1.010; version 1.00979.1 is not it.\n"
    assert digits.typed(page) == [(3, "1.00979", "some-constant"), (3, "1.0097", "some-constant")]
    assert digits.typed("```{code-cell} ipython3\nx = 1.00979\n```\n") == []


def test_every_kind_of_evidence_has_its_colour() -> None:
    from companion import parts

    css = parts.colours()
    for kind in kinds():
        light, dark = kind.colour
        assert f".kind-{kind.kind} {{ --word: {light}; }}" in css
        assert f"--word: {dark}" in css
    assert all(f".{parts.verdict_class(v)} " in css for v in ledger.Verdict)


def test_results_are_kept_until_something_changes(tmp_path: Path) -> None:
    ran: list[list[str]] = []
    first = render.checked(tmp_path, ["eq-8"], jobs=1, on_run=lambda ids: ran.append(list(ids)))
    second = render.checked(tmp_path, ["eq-8"], jobs=1, on_run=lambda ids: ran.append(list(ids)))
    assert ran == [["eq-8"]]
    assert [r.finding for r in first["eq-8"].steps] == [r.finding for r in second["eq-8"].steps]
    assert first["eq-8"].steps[0].mutants == second["eq-8"].steps[0].mutants


def test_the_digest_of_a_statement_follows_its_imports() -> None:
    digests = {id_: render.statement_hash(id_) for id_ in ("lemma-2", "prop-1", "eq-8")}
    assert len(set(digests.values())) == 3
    assert digests["lemma-2"] == render.statement_hash("lemma-2")
