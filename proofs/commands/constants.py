"""`infonce constants`: every constant, with certified digits and how loose it is."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from numerics.parse import integer, positive
from proofs.commands._options import answer, digits_option, one_of, read, temperature


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Constants or statements; all by default."),
    ] = None,
    tau: Annotated[str | None, typer.Option(metavar="NUMBER", help="Temperature.")] = None,
    k: Annotated[str | None, typer.Option(metavar="NUMBER", help="Negatives in a tuple.")] = None,
    target: Annotated[
        str | None, typer.Option(metavar="EPS", help="Largest bias allowed, in nats.")
    ] = None,
    digits: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Significant digits; 15 by default.")
    ] = None,
    format: Annotated[
        str, typer.Option(metavar="NAME", help="table, json, latex or csv.")
    ] = "table",
) -> int:
    """List the constants of the statements: printed and sharp, value, radius, looseness.

    Constants that depend on tau, k or a target appear when those are given.
    """
    degree = read(tau, "--tau", lambda text, _: temperature(text))
    count = read(k, "--k", integer)
    wanted = read(target, "--target", positive)
    shape = one_of(format, "--format", ("table", "json", "latex", "csv"))
    places = digits_option(digits)
    from rich.console import Console

    from proofs import constants
    from proofs.report import dumps

    found = constants.rows(names or (), digits=places, tau=degree, k=count, target=wanted)
    if shape == "json":
        answer(dumps([row.as_json() for row in found]))
    elif shape == "latex":
        answer(constants.latex_text(found))
    elif shape == "csv":
        answer(constants.csv_text(found))
    else:
        width = None if sys.stdout.isatty() else 100
        Console(width=width).print(constants.table(found))
    return 0
