"""`infonce book`: where the built book is, and opening it."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from numerics.parse import InputError
from proofs.commands._options import answer

INDEX = Path("book/_build/html/index.html")


def command(
    open_: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
) -> int:
    """Print the path of the built book, or open it; `make book` builds it."""
    root = Path(__file__).resolve().parents[2]
    for folder in (Path.cwd(), root):
        index = folder / INDEX
        if index.is_file():
            answer(str(index))
            if open_ and not webbrowser.open(index.resolve().as_uri()):
                raise InputError("--open", index, "no browser could be started; open this file")
            return 0
    raise InputError("book", INDEX, "is not built yet: run `make book` in a checkout")
