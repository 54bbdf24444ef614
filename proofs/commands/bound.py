"""`infonce bound`: theorem 1, printed and sharp, term by term."""

from __future__ import annotations

from typing import Annotated

import typer

from numerics.parse import InputError, exact_number, integer, positive
from proofs.commands._options import answer, loss_name, one_of, read, temperature


def command(
    tau: Annotated[str, typer.Option(metavar="NUMBER", help="Temperature.")],
    k: Annotated[str, typer.Option(metavar="NUMBER", help="Negatives in a tuple.")],
    n: Annotated[str, typer.Option(metavar="NUMBER", help="Training tuples.")],
    delta: Annotated[
        str, typer.Option(metavar="NUMBER", help="Chance that the bound fails, in (0, 1).")
    ],
    empirical: Annotated[
        str, typer.Option(metavar="NUMBER", help="Empirical risk, normalised by k, in nats.")
    ],
    d_theta: Annotated[
        str, typer.Option("--d-theta", metavar="NUMBER", help="Number of parameters.")
    ],
    radius: Annotated[str, typer.Option(metavar="NUMBER", help="Radius of the parameter ball.")],
    lipschitz: Annotated[
        str, typer.Option(metavar="NUMBER", help="The constant C of assumption (C).")
    ],
    rms_anchor: Annotated[
        str,
        typer.Option(
            "--rms-anchor", metavar="NUMBER", help="Root mean square norm of the anchors' inputs."
        ),
    ],
    rms_positive: Annotated[
        str,
        typer.Option("--rms-positive", metavar="NUMBER", help="The same of the positives' inputs."),
    ],
    rms_negative: Annotated[
        str,
        typer.Option("--rms-negative", metavar="NUMBER", help="The same of the negatives' inputs."),
    ],
    power_mean_negative: Annotated[
        str | None,
        typer.Option(
            "--power-mean-negative",
            metavar="NUMBER",
            help="Power mean of order 2/min(1, tau) of the negatives' norms (printed bound only).",
        ),
    ] = None,
    chi2: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER",
            help="E[w^2], w the density of the positive's law against the negatives'; at least 1.",
        ),
    ] = None,
    target: Annotated[
        str, typer.Option(metavar="NAME", help="search (CEhat_k) or limit (CE).")
    ] = "search",
    loss: Annotated[str, typer.Option(metavar="NAME", help="infonce or dcl.")] = "infonce",
    two_encoders: Annotated[
        bool, typer.Option("--two-encoders", help="Anchors and negatives have other encoders.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Evaluate the generalisation bound with the paper's constants and with the sharp ones.

    Losses are normalised by k and in nats.
    """
    probability = positive(delta, "--delta")
    if probability >= 1:
        raise InputError("--delta", delta, "must be less than 1")
    mean_square = read(chi2, "--chi2", exact_number)
    if mean_square is not None and mean_square < 1:
        raise InputError("--chi2", chi2, "must be at least 1: E[w^2] >= (E w)^2 = 1")

    def norm(text: str | None, name: str) -> object:
        value = read(text, name, exact_number)
        if value is not None and value < 0:
            raise InputError(name, text, "must be at least 0")
        return value

    numbers = {
        "tau": temperature(tau),
        "k": integer(k, "--k"),
        "n": integer(n, "--n"),
        "delta": probability,
        "empirical": exact_number(empirical, "--empirical"),
        "d_theta": integer(d_theta, "--d-theta"),
        "radius": positive(radius, "--radius"),
        "lipschitz": positive(lipschitz, "--lipschitz"),
        "rms_anchor": norm(rms_anchor, "--rms-anchor"),
        "rms_positive": norm(rms_positive, "--rms-positive"),
        "rms_negative": norm(rms_negative, "--rms-negative"),
        "power_mean_negative": norm(power_mean_negative, "--power-mean-negative"),
        "chi2": mean_square,
        "target": one_of(target, "--target", ("search", "limit")),
        "loss": loss_name(loss),
        "two_encoders": two_encoders,
    }
    from rich.console import Console

    from proofs.bound import evaluate
    from proofs.report import dumps

    result = evaluate(**numbers)
    if json:
        answer(dumps(result.as_json()))
    else:
        Console().print(result)
    return 0
