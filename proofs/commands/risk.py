"""`infonce risk`: the exact finite-k risk, its limit and bias, the expansion, and Monte Carlo."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from numerics.parse import InputError, integer
from proofs.commands._options import Loss, answer, digits_option, loss_name, read, temperature

if TYPE_CHECKING:
    from numerics.worlds import World

ORDERS = 3
#: Beyond this many anchors correctly rounded digits take seconds, so they have to be asked for.
MANY_ANCHORS = 100
FLOAT_DIGITS = 12
#: Digits of the exact numbers that Monte Carlo is compared with: more than a float has.
REFERENCE_DIGITS = 18


def command(
    world: Annotated[
        str,
        typer.Argument(
            metavar="WORLD",
            help=(
                "sphere:d=7,conc=5, hypercube:d=20,flip=0.1, classes:n=100, world.json, "
                "embeddings.npz, or stdlib-pairs, the embeddings that come with the package."
            ),
        ),
    ],
    tau: Annotated[str, typer.Option(metavar="NUMBER", help="Temperature.")],
    k: Annotated[str, typer.Option(metavar="NUMBER", help="Negatives in a tuple.")],
    loss: Annotated[str, typer.Option(metavar="NAME", help="infonce or dcl.")] = "infonce",
    digits: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER", help="Significant digits, correctly rounded; 15 by default."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    mc: Annotated[
        str | None,
        typer.Option(
            "--mc",
            metavar="TUPLES",
            help=(
                "Also estimate by Monte Carlo: the bias with the positive integrated out and with "
                "control variates, and the risk as the plain mean of the losses; each with its "
                "standard error and z, the distance from the exact value in standard errors. Two "
                "passes."
            ),
        ),
    ] = None,
    seed: Annotated[
        str, typer.Option(metavar="NUMBER", help="Seed of the Monte Carlo streams.")
    ] = "0",
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the Monte Carlo run here and, for the bias, in FILE.bias; resume.",
        ),
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Dask scheduler for Monte Carlo.")
    ] = None,
) -> int:
    """Compute the risk at finite k, its cross-entropy limit, and their difference, in nats.

    The loss is normalised by k: log(1/k + (1/k) sum_j exp((s_j - s_+)/tau)). InfoNCE has the
    positive in the denominator (the 1/k term), DCL has not; their limits are the same.
    """
    degree, count = temperature(tau), integer(k, "--k")
    name = loss_name(loss)
    wanted = None if digits is None else digits_option(digits)
    tuples = read(mc, "--mc", lambda text, option: integer(text, option, 2, 10**12))
    start = integer(seed, "--seed", 0, 2**64 - 1)
    if tuples is None:
        for option, value in (("--checkpoint", checkpoint), ("--scheduler", scheduler)):
            if value is not None:
                raise InputError(option, value, "needs --mc TUPLES, the run that it is for")
    from numerics.parse import world as read_world
    from proofs import data_sets

    law = read_world(data_sets.found(world))
    if tuples is None:
        document = compute(law, degree, count, name, wanted)
    else:
        document = _with_monte_carlo(
            law, degree, count, name, wanted, tuples, start, checkpoint, scheduler
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


def _with_monte_carlo(
    law: World,
    tau: Fraction,
    k: int,
    loss: Loss,
    wanted: int | None,
    tuples: int,
    seed: int,
    checkpoint: Path | None,
    scheduler: str | None,
) -> dict[str, Any]:
    """Return the document with Monte Carlo, compared with digits beyond those that are printed."""
    from proofs.commands._monte_carlo import estimates

    document = compute(law, tau, k, loss, wanted)
    digits = FLOAT_DIGITS
    exact = document
    if wanted is not None or law.anchors <= MANY_ANCHORS:
        digits = max(wanted or 0, REFERENCE_DIGITS)
        exact = compute(law, tau, k, loss, digits)
    truth = {}
    for name in ("risk", "bias"):
        value = Fraction(exact[name])
        truth[name] = value, abs(value) / 10 ** (digits - 1)
    document["mc"] = estimates(law, tau, k, loss, tuples, seed, truth, checkpoint, scheduler)
    return document


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
    grid.add_column()
    grid.add_column(overflow="fold")  # a narrow terminal must not cost digits
    grid.add_row("risk R", document["risk"])
    grid.add_row("limit CE", document["limit"])
    grid.add_row("bias R - CE", document["bias"])
    for j, value in enumerate(document["expansion"], 1):
        grid.add_row(f"c_{j} (of 1/k^{j})" if j > 1 else "c_1 (of 1/k)", value)
    if "mc" in document:
        mc = document["mc"]
        grid.add_section()
        grid.add_row("Monte Carlo", f"{mc['tuples']:,} tuples, seed {mc['seed']}")
        for label, found in (("bias, controlled", mc["bias"]), ("risk, plain mean", mc)):
            grid.add_row(label, f"{found['mean']} +- {found['stderr']}")
            if found["z"] is not None:
                grid.add_row("", f"{found['z']} standard errors from the exact {label[:4]}")
    Console().print(grid)
