"""The ledger: every statement as data, with the evidence that checks it.

A statement's status is computed, never declared. :func:`statements` finds every module of
``proofs.paper`` and ``proofs.sharper``; :func:`verdict` and :func:`strength` are computed from what
the checks found, for the statement and, recursively, for what it uses.

A proof is refused when it is built (:class:`LedgerError`) if a step takes something that nobody
established: whatever a step is *given* must be a hypothesis of the statement, the conclusion of an
earlier step, or a `Use` of another statement; and the last step must conclude the claim itself.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache

from proofs._instances import Basis, Link, instance, link, renamed
from proofs._statement import Constant, Correction, LedgerError, Statement, Step
from proofs._verdict import Checked, Ran, Verdict, resting_on, strength, verdict
from proofs.evidence.base import Instance, Use

__all__ = [
    "Checked",
    "Constant",
    "Correction",
    "LedgerError",
    "Ran",
    "Statement",
    "Step",
    "Verdict",
    "get",
    "graph",
    "instantiate",
    "modules",
    "resting_on",
    "statements",
    "strength",
    "verdict",
]


def instantiate(use: Use) -> Instance:
    """Return what a statement gives at the values of a `Use`, and what it asks for."""
    statement = get(use.ref)
    basis = Basis(frozenset(statement.definition_facts), frozenset(_links(use.ref)))
    return instance(use, statement.claim, statement.hypotheses, basis)


@lru_cache(maxsize=256)
def _links(id_: str) -> frozenset[Link]:
    """Return the means that a proof takes, and those of the statements that it uses."""
    found: set[Link] = set()
    for step in get(id_).proof:
        found |= link(step.evidence)
        for fact in step.evidence.given_facts:
            if isinstance(fact, Use):
                found |= renamed(_links(fact.ref), fact.at)
    return frozenset(found)


_PACKAGES = ("proofs.paper", "proofs.sharper")


@lru_cache(maxsize=1)
def modules() -> dict[str, str]:
    """Return the module of every id, without importing it, in the order of reading.

    The statements of the paper come first, each package in its ``ORDER`` and what that does not
    name after it.

    >>> modules()["lemma-2"]
    'proofs.paper.lemma_2'
    """
    found: dict[str, str] = {}
    for name in _PACKAGES:
        package = importlib.import_module(name)
        order = {id_: place for place, id_ in enumerate(package.ORDER)}
        ids = [
            info.name.replace("_", "-")
            for info in pkgutil.iter_modules(package.__path__)
            if not info.name.startswith("_")
        ]
        ids.sort(key=lambda id_: (order.get(id_, len(order)), id_))
        found.update({id_: f"{name}.{id_.replace('-', '_')}" for id_ in ids})
    return found


@lru_cache(maxsize=1)
def statements() -> dict[str, Statement]:
    """Return every statement by id: those of the paper first, then the companion's.

    >>> "lemma-2" in statements()
    True
    """
    found = {id_: get(id_) for id_ in modules()}
    missing = {u for s in found.values() for u in s.uses} - found.keys()
    if missing:
        raise LedgerError(f"statements used but not in the ledger: {', '.join(sorted(missing))}")
    return found


def get(id_: str) -> Statement:
    """Return one statement.

    Only its module and what that imports are loaded.

    Raises
    ------
    KeyError
        If no statement has that id.
    LedgerError
        If the module holds a statement of another name.
    """
    name = modules()[id_]
    statement: Statement = importlib.import_module(name).statement
    if statement.id != id_:
        raise LedgerError(f"{name} holds {statement.id}: names must agree")
    return statement


def graph() -> list[tuple[str, str]]:
    """Return the edges (used, user) of the dependency graph, inferred from the proofs."""
    return [(used, s.id) for s in statements().values() for used in s.uses]
