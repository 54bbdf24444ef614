"""Prints the book as one PDF: Chromium on the single page that Jupyter Book makes of it.

Chromium shapes Devanagari correctly, and prints the formulas as the pages show them. Usage:
``make pdf``; it writes ``book/_build/html/companion.pdf``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

BOOK = Path(__file__).resolve().parent
PAGE = BOOK / "_build" / "singlehtml" / "intro.html"
PDF = BOOK / "_build" / "html" / "companion.pdf"

#: Milliseconds allowed to Chromium for typesetting some two thousand formulas.
PATIENCE = 600_000

#: The page is laid out this many times wider than the paper, and printed so much smaller.
SCALE = 0.72
#: Pixels of the paper's width that are printed on: A4 less the margins.
WIDTH = round((210 - 2 * 14) / 25.4 * 96 / SCALE)

#: Opens the proofs (the code of checks stays folded), and repairs links inside the one page.
PREPARE = """() => {
  document.querySelectorAll("details.proof-fold").forEach(d => { d.open = true; });
  for (const a of document.querySelectorAll('a[href^="#document-"]')) {
    const at = a.getAttribute("href").indexOf("#", 1);
    if (at > 0) a.setAttribute("href", a.getAttribute("href").slice(at));
  }
}"""
#: Makes formulas smaller that are wider than their place.
FIT = """() => {
  const wide = [...document.querySelectorAll('mjx-container[display="true"]')]
    .map(box => [box, box.clientWidth / box.scrollWidth]).filter(([, fit]) => fit < 1);
  wide.forEach(([box, fit]) => { box.style.fontSize = `${Math.floor(99 * fit)}%`; });
}"""
FOOTER = (
    '<div style="font-size:8px;width:100%;text-align:center">'
    '<span class="pageNumber"></span>/<span class="totalPages"></span></div>'
)


def build_single_page() -> None:
    """Make one page of the whole book; what was executed for the HTML is not executed again."""
    program = str(Path(sys.executable).with_name("jupyter-book"))
    options = ["--builder", "singlehtml", "-n", "-W", "--keep-going", "-q"]
    subprocess.run([program, "build", str(BOOK), *options], check=True)


def print_page(page: Path, pdf: Path) -> None:
    """Print a page to PDF."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("pdf.py: Chromium is not installed")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        size = {"width": WIDTH, "height": 1400}
        tab = browser.new_page(color_scheme="light", viewport=size)
        tab.set_default_timeout(PATIENCE)
        tab.goto(page.as_uri())
        tab.evaluate(PREPARE)
        tab.evaluate("() => companionTypeset()")
        tab.emulate_media(media="print", color_scheme="light")
        tab.evaluate(FIT)
        pdf.parent.mkdir(parents=True, exist_ok=True)
        tab.pdf(
            path=pdf,
            format="A4",
            scale=SCALE,
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOTER,
            margin={"top": "15mm", "bottom": "18mm", "left": "14mm", "right": "14mm"},
            outline=True,
            tagged=True,
        )
        browser.close()


if __name__ == "__main__":
    build_single_page()
    print_page(PAGE, PDF)
    print(PDF)
