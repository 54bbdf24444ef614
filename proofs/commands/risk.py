"""`infonce risk`: the exact finite-k risk, its limit and bias, the expansion, and Monte Carlo."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from numerics.parse import integer, positive
from proofs.commands._options import Loss, answer, digits_option, loss_name, read

if TYPE_CHECKING:
    from fractions import Fraction

    from numerics.worlds import World

ORDERS = 3
#: Beyond this many anchors correctly rounded digits take seconds, so they have to be asked for.
MANY_ANCHORS = 100
FLOAT_DIGITS = 12


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

    The loss is normalised by k: log(1/k + (1/k) sum_j exp((s_j - s_+)/tau)). InfoNCE has the
    positive in the denominator (the 1/k term), DCL has not; their limits are the same.
    """
    temperature, count = positive(tau, "--tau"), integer(k, "--k")
    name = loss_name(loss)
    wanted = None if digits is None else digits_option(digits)
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


def compute(law: World, tau: Fraction, k: int, loss: Loss, wanted: int | None) -> dict[str, Any]:
    """Return risk, limit, bias and the expansion's coefficients as decimal strings.

    Every number is rounded correctly to the digits wanted, 15 by default. A world of many anchors
    for which none are asked is done in float64, whose 12 digits take no time.
    """
    from numerics import exact
    from numerics.digits import decimal
    from numerics.digits import exact as fraction
    from numerics.exact_digits import evaluate_digits
    from proofs import expansion

    in_floats = wanted is None and law.anchors > MANY_ANCHORS
    digits = wanted or (FLOAT_DIGITS if in_floats else 15)

    def text(number: Any) -> str:
        return decimal(fraction(number), digits)

    result: Any
    if in_floats:
        print(f"{FLOAT_DIGITS} digits in float64; --digits 15 takes longer", file=sys.stderr)
        result = exact.evaluate(law, tau, k, loss)
    else:
        result = evaluate_digits(law, tau, k, loss, digits)
    values = expansion.values(law, tau, ORDERS, loss, digits)
    return {
        "world": law.spec(),
        "tau": str(tau),
        "k": k,
        "loss": loss,
        "normalised_by_k": True,
        "unit": "nats",
        "risk": text(result.risk),
        "limit": text(result.limit),
        "bias": text(result.bias),
        "expansion": [text(value) for value in values],
    }


def _monte_carlo(
    law: World,
    tau: Fraction,
    k: int,
    loss: Loss,
    tuples: int,
    seed: int,
    document: dict[str, Any],
    checkpoint: Path | None,
    scheduler: str | None,
) -> dict[str, Any]:
    """Estimate the risk from sampled tuples and compare it with the exact one."""
    from rich.console import Console
    from rich.progress import Progress

    from numerics import drivers, montecarlo
    from numerics.digits import decimal
    from numerics.digits import exact as fraction

    console = Console(stderr=True)
    with ExitStack() as stack:
        executor = stack.enter_context(drivers.scheduler(scheduler)) if scheduler else None
        quiet = not console.is_terminal
        progress = stack.enter_context(Progress(console=console, transient=True, disable=quiet))
        task = progress.add_task("sampling", total=None)

        def tell(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        estimate = montecarlo.risk(
            law,
            tau,
            k,
            tuples,
            seed,
            loss,
            executor=executor,
            checkpoint=checkpoint,
            progress=tell,
        )
    mean, stderr = fraction(estimate.mean), fraction(estimate.stderr)
    z = (mean - fraction(document["risk"])) / stderr if stderr else None
    return {
        "tuples": tuples,
        "seed": seed,
        "mean": decimal(mean, 15),
        "stderr": decimal(stderr, 6),
        "z": None if z is None else decimal(z, 6),
    }


def _print(document: dict[str, Any], law: World, tau: str, k: int, loss: str) -> None:
    from rich.console import Console
    from rich.table import Table

    positive_in = "yes" if loss == "infonce" else "no"
    grid = Table(
        title=(
            f"{law.spec()}, tau = {tau}, k = {k}\n{loss}, normalised by k, in nats; "
            f"positive in the denominator: {positive_in}"
        ),
        title_justify="left",
        show_header=False,
    )
    grid.add_row("risk R", document["risk"])
    grid.add_row("limit CE", document["limit"])
    grid.add_row("bias R - CE", document["bias"])
    for j, value in enumerate(document["expansion"], 1):
        grid.add_row(f"c_{j} (of 1/k^{j})" if j > 1 else "c_1 (of 1/k)", value)
    if "mc" in document:
        mc = document["mc"]
        grid.add_row(
            f"Monte Carlo, {mc['tuples']} tuples", f"{mc['mean']} +- {mc['stderr']} (z = {mc['z']})"
        )
    Console().print(grid)
