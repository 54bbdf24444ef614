"""The ledger after its run, for pages that show it: checks are run once and kept until they change.

A result is kept under a digest of everything that could change it: the statement's own module, the
modules it imports (recursively), the statements it uses, the kinds of evidence and the versions of
the engines. A result that is unknown for want of time is not kept.
"""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import importlib.metadata
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from proofs import constants, ledger
from proofs.check import Settings, check
from proofs.constants import Row
from proofs.evidence import Evidence, Finding, Outcome
from proofs.latex import latex
from proofs.ledger import Checked, Ran

__all__ = ["checked", "constant_rows", "latex", "source_hash", "statement_hash"]

_PACKAGES = ("numerics", "proofs")
_ENGINES = ("mpmath", "numba", "numpy", "python-flint", "scipy", "sympy", "z3-solver")
#: What every check runs on, whatever its statement imports.
_ALWAYS = ("proofs.check", "proofs.evidence", "proofs.ledger")


def source_hash() -> str:
    """Return a digest of all sources of `proofs` and `numerics` and of the engines' versions.

    >>> len(source_hash())
    16
    """
    files = (p for name in _PACKAGES for p in sorted(_directory(name).rglob("*.py")))
    return _digest(files)


def statement_hash(id_: str) -> str:
    """Return a digest of everything that could change the results of one statement."""
    modules: dict[str, Path] = {}
    todo = [*_ALWAYS, *_modules_of(id_)]
    while todo:
        name = todo.pop()
        path = _module_file(name)
        if name in modules or path is None:
            continue
        modules[name] = path
        todo.extend(_imports(path))
        if name == "proofs.evidence":  # it finds its modules by itself
            todo.extend(f"{name}.{p.stem}" for p in path.parent.glob("*.py"))
    return _digest(sorted(modules.values()))


def _modules_of(id_: str) -> list[str]:
    """Return the modules of a statement and of those it uses."""
    names = [id_, *ledger.get(id_).uses]
    stems = [name.replace("-", "_") for name in names]
    return [f"proofs.{room}.{stem}" for stem in stems for room in ("paper", "sharper")]


@lru_cache(maxsize=1)
def _versions() -> str:
    found = [f"{name} {importlib.metadata.version(name)}" for name in _ENGINES]
    return ", ".join([f"Python {sys.version_info.major}.{sys.version_info.minor}", *found])


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256(_versions().encode())
    for path in files:
        digest.update(path.name.encode())
        digest.update(_read(path))
    return digest.hexdigest()[:16]


@cache
def _read(path: Path) -> bytes:
    return path.read_bytes()


def _directory(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(package)
    return Path(spec.origin).parent


@cache
def _module_file(name: str) -> Path | None:
    """Return the file of a module of ours, or None for anything else."""
    package, *rest = name.split(".")
    if package not in _PACKAGES:
        return None
    path = _directory(package).joinpath(*rest)
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


@cache
def _imports(path: Path) -> tuple[str, ...]:
    """Return the names that a file imports, anywhere in it, as possible modules."""
    names: list[str] = []
    for node in ast.walk(ast.parse(_read(path))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(names)


def checked(
    cache: Path,
    ids: Sequence[str] | None = None,
    *,
    jobs: int | None = None,
    on_run: Callable[[Sequence[str]], None] = lambda _ids: None,
) -> dict[str, Checked]:
    """Return the results of statements, running those that are not in the cache.

    Parameters
    ----------
    cache : Path
        A directory; it is made if needed, and stale results in it are removed.
    ids : sequence of str, optional
        The statements; by default all of the ledger.
    jobs : int, optional
        Number of processes; all processors by default.
    on_run : callable
        Called with the ids that have to be run, if there are any.
    """
    ids = list(ledger.statements()) if ids is None else list(ids)
    cache.mkdir(parents=True, exist_ok=True)
    results: dict[str, Checked] = {}
    files = {id_: cache / f"{id_}.{statement_hash(id_)}.json" for id_ in ids}
    for id_, file in files.items():
        if file.exists():
            results[id_] = _restore(id_, json.loads(file.read_text(encoding="utf-8")))
    missing = [id_ for id_ in ids if id_ not in results]

    def keep(id_: str, result: Checked) -> None:
        for old in cache.glob(f"{id_}.*.json"):
            old.unlink()
        if not _may_change(result):
            files[id_].write_text(json.dumps(_record(result), indent=1), encoding="utf-8")

    if missing:
        on_run(missing)
        results |= check(missing, Settings(), jobs=jobs, on_done=keep)
    return {id_: results[id_] for id_ in ids}


#: What an outcome says that another run, on a machine with more time, might change.
_PASSING = ("no answer within", "gave up", "process that ran it died")


def _may_change(result: Checked) -> bool:
    """Tell whether an outcome is unknown for want of time; such a result is not kept."""
    runs = [*result.all, *([result.refutation] if result.refutation else [])]
    findings = [result.hypotheses]
    for run in runs:
        findings += [run.finding, run.witness, *(finding for _, finding in run.mutants)]
    return any(
        finding.outcome is Outcome.UNKNOWN and any(text in finding.detail for text in _PASSING)
        for finding in findings
    )


def constant_rows(
    cache: Path,
    *,
    tau: Fraction | None = None,
    k: int | None = None,
    target: Fraction | None = None,
    with_looseness: bool = True,
) -> list[Row]:
    """Return the constants whose parameters are given, from the cache if the sources are the same.

    Parameters
    ----------
    cache : Path
        The directory of `checked`.
    tau, k, target
        As for :func:`proofs.constants.rows`.
    with_looseness : bool
        Whether to measure how loose each constant is.
    """
    name = hashlib.sha256(f"{tau} {k} {target} {with_looseness}".encode()).hexdigest()[:16]
    file = cache / "constants" / source_hash() / f"{name}.json"
    if file.exists():
        return [Row(**row) for row in json.loads(file.read_text(encoding="utf-8"))]
    found = constants.rows(with_looseness=with_looseness, tau=tau, k=k, target=target)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps([dataclasses.asdict(row) for row in found]), encoding="utf-8")
    return found


# Results as JSON --------------------------------------------------------------------------------


def _record(result: Checked) -> dict[str, Any]:
    return {
        "steps": [_ran_record(ran) for ran in result.steps],
        "refutation": _ran_record(result.refutation) if result.refutation else None,
        "crosschecks": [_ran_record(ran) for ran in result.crosschecks],
        "hypotheses": _finding_record(result.hypotheses),
    }


def _ran_record(ran: Ran) -> dict[str, Any]:
    return {
        "finding": _finding_record(ran.finding),
        "seconds": ran.seconds,
        "mutants": [[name, _finding_record(finding)] for name, finding in ran.mutants],
        "witness": _finding_record(ran.witness),
    }


def _finding_record(finding: Finding) -> list[Any]:
    return [finding.outcome.value, finding.detail, finding.ratio]


def _restore(id_: str, record: Mapping[str, Any]) -> Checked:
    statement = ledger.get(id_)
    steps = zip(statement.proof, record["steps"], strict=True)
    crosschecks = zip(statement.evidence, record["crosschecks"], strict=True)
    refutation = None
    if statement.correction is not None and record["refutation"] is not None:
        refutation = _ran(statement.correction.refutation, record["refutation"])
    return Checked(
        statement,
        tuple(_ran(step.evidence, each) for step, each in steps),
        refutation,
        tuple(_ran(evidence, each) for evidence, each in crosschecks),
        _finding(record["hypotheses"]),
    )


def _ran(evidence: Evidence, record: Mapping[str, Any]) -> Ran:
    return Ran(
        evidence,
        _finding(record["finding"]),
        record["seconds"],
        tuple((name, _finding(finding)) for name, finding in record["mutants"]),
        _finding(record["witness"]),
    )


def _finding(record: Sequence[Any]) -> Finding:
    outcome, detail, ratio = record
    return Finding(Outcome(outcome), detail, ratio)
