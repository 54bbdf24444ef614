"""`infonce check`: run the evidence of statements and say what holds."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from numerics.parse import InputError, exact_number, integer
from proofs.commands._options import check_file, read, write_file

if TYPE_CHECKING:
    from rich.console import Console

    from proofs.check import Settings
    from proofs.ledger import Checked


def command(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Statements; all by default.")
    ] = None,
    jobs: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Processes; one a processor by default.")
    ] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write JSON here.")] = None,
    mutants: Annotated[
        bool, typer.Option("--mutants/--no-mutants", help="Also refute the falsified versions.")
    ] = True,
    attack: Annotated[
        str | None,
        typer.Option(
            metavar="MINUTES", help="Time for searches for a counterexample; none by default."
        ),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Seed of everything sampled.")
    ] = None,
) -> int:
    """Check statements: each step, its mutants, and cross-checks; exit 0 only if all is well.

    What a statement uses is run with it, because its verdict rests on it.
    """
    settings, workers = _settings(jobs, mutants, attack, seed)
    if json is not None:
        check_file(json, "--json")
    wanted = _known(ids)
    from proofs.check import closure

    order = closure(wanted)
    results, interrupted = _run(order, settings, workers)
    return _report(results, order, json, interrupted)


def _settings(
    jobs: str | None, mutants: bool, attack: str | None, seed: str | None
) -> tuple[Settings, int | None]:
    minutes = read(attack, "--attack", exact_number)
    if minutes is not None and minutes < 0:
        raise InputError("--attack", attack, "must be at least 0 minutes")
    workers = read(jobs, "--jobs", lambda text, name: integer(text, name, 1, 256))
    number = read(seed, "--seed", lambda text, name: integer(text, name, 0, 2**64 - 1))
    from proofs.check import Settings

    return Settings(mutants, float(minutes or 0), number), workers


def _known(ids: list[str] | None) -> list[str]:
    from proofs import ledger

    known = ledger.modules()
    for id_ in ids or []:
        if id_ not in known:
            close = get_close_matches(id_.lower(), known, 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise InputError("ID", id_, f"must be a statement of `infonce graph`{hint}")
    return list(dict.fromkeys(ids)) if ids else list(known)


def _run(
    order: list[str], settings: Settings, workers: int | None
) -> tuple[dict[str, Checked], bool]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from proofs.check import check

    results: dict[str, Checked] = {}
    console: Console = Console(stderr=True)
    columns = (
        TextColumn("checking"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    quiet = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=quiet) as progress:
        task = progress.add_task("", total=len(order))

        def on_done(id_: str, checked: Checked) -> None:
            results[id_] = checked
            progress.update(task, advance=1, description=id_)

        try:
            check(order, settings, jobs=workers, on_done=on_done)
        except KeyboardInterrupt:
            return results, True
    return results, False


def _report(
    results: dict[str, Checked], order: list[str], json: Path | None, interrupted: bool
) -> int:
    from rich.console import Console

    from proofs import report

    finished = {id_: results[id_] for id_ in order if id_ in results}
    if json is not None:
        write_file(json, report.dumps(report.as_json(finished)) + "\n", "--json")
    Console(width=None if sys.stdout.isatty() else 150).print(report.table(finished))
    if interrupted:
        left = len(order) - len(finished)
        noun = "statement was" if left == 1 else "statements were"
        print(f"infonce: {left} {noun} not finished", file=sys.stderr)
        return 130
    return 0 if report.is_well(finished) else 1
