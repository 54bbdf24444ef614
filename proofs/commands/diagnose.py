"""`infonce diagnose`: the theory applied to a file of embeddings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from numerics.parse import integer, positive
from proofs.commands._options import answer, read


def command(
    embeddings: Annotated[str, typer.Argument(metavar="EMBEDDINGS.npz", help="See the manual.")],
    tau: Annotated[str, typer.Option(help="Temperature.")],
    k: Annotated[str | None, typer.Option(help="Negatives in a tuple.")] = None,
    target: Annotated[str | None, typer.Option(help="Largest |bias| allowed, in nats.")] = None,
    normalise: Annotated[
        bool, typer.Option("--normalise", help="Scale every row to norm 1.")
    ] = False,
    plot: Annotated[Path | None, typer.Option(metavar="SVG", help="Draw here.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    seed: Annotated[str, typer.Option(help="Seed of what is subsampled.")] = "0",
    checkpoint: Annotated[Path | None, typer.Option(metavar="FILE", help="Resume here.")] = None,
    scheduler: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Dask.")] = None,
) -> int:
    """Say what the theory says of embeddings: arrays `anchor`, `positive`, optional `negative`."""
    numbers = {
        "tau": positive(tau, "--tau"),
        "k": read(k, "--k", integer),
        "target": read(target, "--target", positive),
        "seed": integer(seed, "--seed", 0, 2**64 - 1),
    }
    from proofs import diagnose

    return diagnose.run(
        embeddings,
        normalise=normalise,
        plot=plot,
        json=json,
        checkpoint=checkpoint,
        scheduler=scheduler,
        answer=answer,
        **numbers,
    )
