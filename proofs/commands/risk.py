"""`infonce risk`: the exact finite-k risk, its limit and bias, the expansion, and Monte Carlo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from numerics.parse import integer, positive
from proofs.commands._options import answer, digits_option, loss_name, read

if TYPE_CHECKING:
    from fractions import Fraction

    from numerics.worlds import World

ORDERS = 3


def command(
    world: Annotated[
        str,
        typer.Argument(
            metavar="WORLD",
            help=(
                "sphere:d=7,conc=5, hypercube:d=20,flip=0.1, classes:n=100, world.json or "
                "embeddings.npz."
            ),
        ),
    ],
    tau: Annotated[str, typer.Option(help="Temperature.")],
    k: Annotated[str, typer.Option(help="Negatives in a tuple.")],
    loss: Annotated[str, typer.Option(help="infonce or dcl.")] = "infonce",
    digits: Annotated[
        str | None, typer.Option(help="Significant digits, correctly rounded; 15 by default.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    mc: Annotated[
        str | None, typer.Option("--mc", metavar="TUPLES", help="Also estimate by Monte Carlo.")
    ] = None,
    seed: Annotated[str, typer.Option(help="Seed of the Monte Carlo streams.")] = "0",
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the Monte Carlo run here; resume.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Dask scheduler for Monte Carlo.")
    ] = None,
) -> int:
    """Compute the risk at finite k, its cross-entropy limit, and their difference, in nats.

    The loss is normalised by k: log(1/k + (1/k) sum_j exp((s_j - s_+)/tau)). InfoNCE has the positive
    in the denominator (the 1/k term), DCL has not; their limits are the same.
    """
    temperature, count = positive(tau, "--tau"), integer(k, "--k")
    name, wanted = loss_name(loss), digits_option(digits)
    tuples = read(mc, "--mc", lambda text, option: integer(text, option, 2, 10**12))
    start = integer(seed, "--seed", 0, 2**64 - 1)
    from numerics.parse import world as read_world

    law = read_world(world)
    document = compute(law, temperature, count, name, wanted)
    if tuples is not None:
        document["mc"] = _monte_carlo(
            law, temperature, count, name, tuples, start, document, checkpoint, scheduler
        )
    if json:
        from proofs.report import dumps

        answer(dumps(document))
    else:
        _print(document, law, tau, count, name)
    return 0


def compute(law: World, tau: Fraction, k: int, loss: str, digits: int) -> dict[str, Any]:
    """Return risk, limit, bias and the expansion's coefficients as decimal strings."""
    from numerics import exact
    from proofs import expansion
    from proofs.commands._options import mp_decimal

    result = exact.evaluate_digits(law, tau, k, loss, digits)
    values = expansion.values(law, tau, ORDERS, loss, digits)
    return {
        "world": law.spec(),
        "tau": str(tau),
        "k": k,
        "loss": loss,
        "normalised_by_k": True,
        "unit": "nats",
        "risk": mp_decimal(result.risk, digits),
        "limit": mp_decimal(result.limit, digits),
        "bias": mp_decimal(result.bias, digits),
        "expansion": [mp_decimal(value, digits) for value in values],
    }
