"""`infonce diagnose`: the theory applied to a file of embeddings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from numerics.parse import integer, positive
from proofs.commands._options import answer, read, temperature, write_file


def command(
    embeddings: Annotated[
        str,
        typer.Argument(
            metavar="EMBEDDINGS.npz",
            help=(
                "Arrays anchor and positive, and negative if you like; or stdlib-pairs, the "
                "embeddings that come with the package."
            ),
        ),
    ],
    tau: Annotated[str, typer.Option(metavar="NUMBER", help="Temperature.")],
    k: Annotated[
        str | None,
        typer.Option(metavar="NUMBER", help="Negatives in a tuple; 1000 by default."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="EPS", help="Largest |bias| allowed, in nats; 0.01 by default."),
    ] = None,
    normalise: Annotated[
        bool, typer.Option("--normalise", help="Scale every row to norm 1.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="SVG", help="Draw risk against k here.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    seed: Annotated[
        str, typer.Option(metavar="NUMBER", help="Seed of blocks and drawn anchors.")
    ] = "0",
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep what is finished in FILE and FILE.risks; resume."),
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Dask scheduler for the long parts.")
    ] = None,
) -> int:
    """Say what the theory says of embeddings: limit, 1/k coefficients, risks, bounds.

    Rows of the arrays are unit vectors. The positive of anchor i is row i; its negatives are the
    other anchors, or all rows of `negative`. The text says what cannot be estimated at this
    temperature from so few pairs.
    """
    degree, start = temperature(tau), integer(seed, "--seed", 0, 2**64 - 1)
    count, goal = read(k, "--k", integer), read(target, "--target", positive)
    from proofs.diagnose.run import run

    found = run(
        embeddings,
        degree,
        k=count,
        target=goal,
        seed=start,
        normalise=normalise,
        plot=plot,
        checkpoint=checkpoint,
        scheduler_address=scheduler,
        write=write_file,
    )
    if json:
        from proofs.diagnose.document import document
        from proofs.report import dumps

        answer(dumps(document(found)))
    else:
        from rich.console import Console

        from proofs.diagnose.report import report

        Console().print(report(found))
    return 0
