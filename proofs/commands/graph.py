"""`infonce graph`: the dependency graph inferred from the proofs."""

from __future__ import annotations

from pathlib import Path
from shutil import which
from typing import Annotated, Any

import typer

from proofs.commands._options import answer, check_file, one_of, write_file


def command(
    format: Annotated[str, typer.Option(metavar="NAME", help="svg, dot or json.")] = "svg",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write here.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Skip the mutants when computing verdicts.")
    ] = False,
) -> int:
    """Draw which statement uses which, coloured by verdict; an arrow goes from used to user.

    The verdicts are computed, so the checks run first.
    """
    one_of(format, "--format", ("svg", "dot", "json"))
    if output is not None:
        check_file(output, "-o")
    if format == "svg" and which("dot") is None:
        render(format, {})  # says what is missing, before the checks take their minutes
    from proofs import ledger
    from proofs.check import Settings, closure
    from proofs.commands import check

    results, interrupted = check._run(
        closure(list(ledger.statements())), Settings(mutants=not quick), None
    )
    if interrupted:
        raise KeyboardInterrupt
    text = render(format, {id_: str(ledger.verdict(id_, results)) for id_ in results})
    if output is None:
        answer(text)
    else:
        write_file(output, text + "\n", "-o")
    return 0


def render(format: str, verdicts: dict[str, str]) -> str:
    """Return the graph in one of the formats.

    Raises
    ------
    InputError
        If Graphviz, which draws the SVG, is not installed.
    """
    from proofs import graph

    if format == "json":
        from proofs.report import dumps

        document: Any = graph.as_json(verdicts)
        return dumps(document)
    if format == "dot":
        return graph.as_dot(verdicts)
    return graph.as_svg(verdicts)
