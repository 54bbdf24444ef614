"""The paper's own numbers for statements and equations, in titles and in references alike."""

from __future__ import annotations

import copy
import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from companion.state import book, log

_EQUATION = re.compile(r"paper-eq-(\w+)\Z")


def override(_app: Sphinx, env: BuildEnvironment) -> list[str]:
    """After Sphinx counted, put in the numbers that statements and equations have in the paper.

    An equation whose label is ``paper-eq-14`` is the paper's equation (14).
    """
    env.companion_counted = copy.deepcopy(env.toc_fignumbers)  # type: ignore[attr-defined]
    proofs: dict[str, Any] = getattr(env, "proof_list", {})
    std = env.get_domain("std")
    for label, entry in proofs.items():
        if label not in book.names:
            log.warning("%s is not in the ledger", label, location=env.doc2path(entry["docname"]))
            continue
        name = book.names[label]
        numbers = env.toc_fignumbers.setdefault(entry["docname"], {})
        numbers.setdefault(entry["countertype"], {})[label] = (name.number,)
        std.anonlabels[label] = (entry["docname"], label)  # type: ignore[attr-defined]
        std.labels[label] = (entry["docname"], label, str(name))  # type: ignore[attr-defined]
    for id_ in book.results.keys() - proofs.keys():
        log.warning("statement %s is missing from the book", id_)
    for label, (docname, _number) in env.get_domain("math").equations.items():  # type: ignore[attr-defined]
        match = _EQUATION.match(label)
        if match:
            numbers = env.toc_fignumbers.setdefault(docname, {})
            numbers.setdefault("displaymath", {})[f"equation-{label}"] = (match[1],)
    return []


def forget(_app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Forget the statements of the pages that are about to be read: some may move.

    Sphinx writes a page again when its own count has changed, so it gets that count back.
    """
    env.toc_fignumbers = getattr(env, "companion_counted", env.toc_fignumbers)
    known: dict[str, Any] = getattr(env, "proof_list", {})
    for label in [label for label, entry in known.items() if entry["docname"] in docnames]:
        del known[label]


def tidy(_app: Sphinx, doctree: nodes.document) -> None:
    """Give blocks their printed kind, and each id on a page to one element only."""
    count = 0
    for node in doctree.findall(nodes.Element):
        if node.get("ids") == ["proof-content"]:
            count += 1
            node["ids"] = [f"proof-content-{count}"]
        if node.get("label") in book.names and "realtype" in node:
            node["realtype"] = book.names[node["label"]].label
