"""Runs statements in parallel processes: steps, mutants, witnesses, cross-checks.

Results stream: each statement is reported when it ends, and an interrupted run keeps what was
finished. A check that crashes, runs out of time or meets NaN is *unknown* and says why.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from types import FrameType

from proofs import ledger
from proofs.evidence import Attack, Evidence, Finding, Outcome
from proofs.ledger import Checked, Ran

__all__ = ["Settings", "check", "closure", "run_statement"]


@dataclass(frozen=True)
class Settings:
    """How to run: see `infonce check --help`.

    Parameters
    ----------
    mutants : bool
        Whether the mutants are run as well.
    attack_minutes : float
        Time for adversarial searches, shared among those of all statements; 0 for the modest size.
    seed : int or None
        Seed of sampled evidence, in place of its own.
    timeout : float
        Seconds allowed one check; beyond it the outcome is unknown.
    """

    mutants: bool = True
    attack_minutes: float = 0.0
    seed: int | None = None
    timeout: float = 120.0


@dataclass(frozen=True)
class _Record:
    """What crosses the process boundary: findings only, in the order of the evidence."""

    finding: Finding
    seconds: float
    mutants: tuple[tuple[str, Finding], ...]
    witness: Finding


@dataclass(frozen=True)
class _Records:
    steps: tuple[_Record, ...]
    refutation: _Record | None
    crosschecks: tuple[_Record, ...]
    hypotheses: Finding


class _OutOfTimeError(Exception):
    pass


@contextlib.contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Raise `_OutOfTimeError` in the main thread after the given time, where the system can."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise _OutOfTimeError

    if not hasattr(signal, "setitimer"):
        yield
        return
    try:
        old = signal.signal(signal.SIGALRM, ring)
    except ValueError:  # not in the main thread: run without a limit
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def _guard(run: Callable[[], Finding], seconds: float) -> Finding:
    """Run a check; whatever goes wrong is unknown, with the reason."""
    try:
        with _limit(seconds):
            return run()
    except _OutOfTimeError:
        return Finding(Outcome.UNKNOWN, f"no answer within {seconds:g} s")
    except RecursionError:
        return Finding(Outcome.UNKNOWN, "RecursionError: the expression is too deep")
    except Exception as error:  # noqa: BLE001 - a crash of an engine is an outcome, never a pass
        text = " ".join(str(error).split())[:200]
        return Finding(Outcome.UNKNOWN, f"{type(error).__name__}: {text}")


def run_evidence(evidence: Evidence, settings: Settings, attack_seconds: float = 0.0) -> Ran:
    """Run one piece of evidence: its check, its witness and its mutants."""
    if settings.seed is not None and hasattr(evidence, "seed"):
        object.__setattr__(evidence, "seed", settings.seed)
    start = time.perf_counter()
    if attack_seconds and isinstance(evidence, Attack):
        finding = _guard(lambda: _long_attack(evidence, attack_seconds), 2 * attack_seconds + 60)
    else:
        finding = _guard(evidence.check, settings.timeout)
    witness = Finding(Outcome.PASSED)
    if evidence.machine:
        witness = _guard(evidence.witness, settings.timeout)
    mutants = []
    if settings.mutants and evidence.machine:
        for mutant in evidence.mutants:
            outcome = _guard(lambda m=mutant: evidence.refute(m), settings.timeout)  # type: ignore[misc]
            mutants.append((mutant.name, outcome))
    return Ran(evidence, finding, time.perf_counter() - start, tuple(mutants), witness)


def _long_attack(attack: Attack, seconds: float) -> Finding:
    """Repeat an adversarial search with new seeds and more restarts until the time is used."""
    end = time.monotonic() + seconds
    best, restarts, round_ = attack.check(), attack.restarts, 0
    while time.monotonic() < end and best.outcome is not Outcome.REFUTED:
        round_ += 1
        restarts = min(2 * restarts, 64 * attack.restarts)
        found = attack.run(restarts, attack.seed + round_)
        if found.outcome is Outcome.REFUTED or (found.ratio or 0) > (best.ratio or 0):
            best = found
    return best


def _run_refutation(evidence: Evidence, settings: Settings) -> Ran:
    """Run evidence for a printed claim, which is to fail for certain."""
    ran = run_evidence(evidence, settings)

    def confirm() -> Finding:
        if evidence.certainly_fails():
            return ran.finding
        return Finding(Outcome.UNKNOWN, "a counterexample of free reals is none of the claim")

    if ran.finding.outcome is not Outcome.REFUTED:
        return ran
    return replace(ran, finding=_guard(confirm, settings.timeout))


def run_statement(
    id_: str, settings: Settings = Settings(), attack_seconds: float = 0.0
) -> Checked:
    """Run everything that a statement carries, in this process."""
    statement = ledger.get(id_)
    steps = tuple(run_evidence(step.evidence, settings) for step in statement.proof)
    refutation = None
    if statement.correction is not None:
        refutation = _run_refutation(statement.correction.refutation, settings)
    crosschecks = tuple(run_evidence(e, settings, attack_seconds) for e in statement.evidence)
    hypotheses = _guard(statement.check_hypotheses, settings.timeout)
    return Checked(statement, steps, refutation, crosschecks, hypotheses)


def _worker(id_: str, settings: Settings, attack_seconds: float) -> _Records:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    checked = run_statement(id_, settings, attack_seconds)
    return _Records(
        tuple(_record(r) for r in checked.steps),
        _record(checked.refutation) if checked.refutation else None,
        tuple(_record(r) for r in checked.crosschecks),
        checked.hypotheses,
    )


def _record(ran: Ran) -> _Record:
    return _Record(ran.finding, ran.seconds, ran.mutants, ran.witness)


def _restore(id_: str, records: _Records) -> Checked:
    statement = ledger.get(id_)

    def ran(evidence: Evidence, record: _Record) -> Ran:
        return Ran(evidence, record.finding, record.seconds, record.mutants, record.witness)

    refutation = None
    if records.refutation is not None and statement.correction is not None:
        refutation = ran(statement.correction.refutation, records.refutation)
    pairs = zip(statement.proof, records.steps, strict=True)
    return Checked(
        statement,
        tuple(ran(step.evidence, record) for step, record in pairs),
        refutation,
        tuple(ran(e, r) for e, r in zip(statement.evidence, records.crosschecks, strict=True)),
        records.hypotheses,
    )


def _broken(id_: str) -> Checked:
    """Return what is left of a statement whose process died: every check unknown."""
    statement = ledger.get(id_)
    lost = Finding(Outcome.UNKNOWN, "the process that ran it died")
    correction = statement.correction
    return Checked(
        statement,
        tuple(Ran(step.evidence, lost, 0.0) for step in statement.proof),
        Ran(correction.refutation, lost, 0.0) if correction else None,
        tuple(Ran(e, lost, 0.0) for e in statement.evidence),
    )


def closure(ids: Sequence[str]) -> list[str]:
    """Return the ids and all they use, what is used first."""
    order: dict[str, None] = {}

    def visit(id_: str, path: tuple[str, ...]) -> None:
        if id_ in path:
            raise ledger.LedgerError(f"circular proof: {' -> '.join((*path, id_))}")
        if id_ in order:
            return
        for used in ledger.get(id_).uses:
            visit(used, (*path, id_))
        order[id_] = None

    for id_ in ids:
        visit(id_, ())
    return list(order)


def check(
    ids: Sequence[str],
    settings: Settings = Settings(),
    *,
    jobs: int | None = None,
    on_done: Callable[[str, Checked], None] = lambda _id, _checked: None,
) -> dict[str, Checked]:
    """Run statements in parallel processes; return the results by id, in the order of `ids`.

    Parameters
    ----------
    ids : sequence of str
        Statements to run; what they use is not added (see `closure`).
    settings : Settings
        How to run.
    jobs : int, optional
        Number of processes; all processors by default. With 1 everything runs here.
    on_done : callable
        Called with each id and result as it ends.

    Raises
    ------
    KeyboardInterrupt
        After the running processes were stopped; `on_done` has seen what was finished.
    """
    attacks = {i: sum(isinstance(e, Attack) for e in ledger.get(i).evidence) for i in ids}
    jobs = min(jobs or os.cpu_count() or 1, max(1, len(ids)))
    searching = max(1, sum(attacks.values()))
    share = 60 * settings.attack_minutes * min(jobs, searching) / searching
    results: dict[str, Checked] = {}

    def finish(id_: str, checked: Checked) -> None:
        results[id_] = checked
        on_done(id_, checked)

    # One thread of linear algebra in each process: more would fight over the processors.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # SymPy walks through sets: with one seed of hashes every run does the same work.
    os.environ.setdefault("PYTHONHASHSEED", "0")
    if jobs == 1:
        for id_ in ids:
            finish(id_, run_statement(id_, settings, share))
        return results
    _pool_round(ids, settings, share, jobs, finish)
    return {id_: results[id_] for id_ in ids}


def _pool_round(
    ids: Sequence[str],
    settings: Settings,
    share: float,
    jobs: int,
    finish: Callable[[str, Checked], None],
) -> None:
    """Run the statements; what a dying process took with it is run again, one at a time."""
    left = list(ids)
    # Spawned, not forked: the progress bar runs a thread, and a fork would copy its locks.
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
    try:
        futures = {pool.submit(_worker, id_, settings, share): id_ for id_ in ids}
        for future in as_completed(futures):
            id_ = futures[future]
            try:
                records = future.result()
            except BrokenProcessPool:
                if len(ids) == 1:
                    finish(id_, _broken(id_))
                    left.remove(id_)
                break
            finish(id_, _restore(id_, records))
            left.remove(id_)
    except BaseException:
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown(wait=True, cancel_futures=True)
    if left:
        # Somebody died: run the rest one at a time so that only the culprit is lost.
        for id_ in left:
            _pool_round([id_], settings, share, 1, finish)
