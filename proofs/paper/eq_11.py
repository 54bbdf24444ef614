"""Eq. 11: the DCL risk lies below the cross-entropy, by at most O(1/k)."""

from __future__ import annotations

from fractions import Fraction

from sympy import Ge, Integer, Le, Rational, ceiling, exp, log

from proofs.constants import target
from proofs.evidence import Averaged, Mutant, OnWorlds
from proofs.ledger import Constant, Statement, Step
from proofs.measure import largest_ratio, sides
from proofs.paper._second_order import (
    Y,
    b,
    mean_at_least,
    mu,
    mu_hat,
    second_order_steps,
    value_range,
)
from proofs.symbols import CE, Mean, R_dcl, k, tau

upper = (exp(2 / tau) - 1) ** 2 / (8 * k)
claim = (Ge(CE - R_dcl, 0), Le(CE - R_dcl, upper))

_steps, _pair_bounds = second_order_steps(Integer(0), b, 1 / tau)


def _of_dcl(result: object) -> float:
    return -result.bias  # type: ignore[attr-defined, no-any-return]


statement = Statement(
    id="eq-11",
    title="The DCL risk tends to the cross-entropy from below at rate 1/k",
    where="Section 3.4, (11)",
    assumptions=[
        "(A): the tuples are iid; phi has unit norm",
        "b = exp(-s(a, +)/tau) for the positive, Y = exp(s(a, z)/tau) for z ~ pi",
    ],
    hypotheses=value_range(1 / tau),
    claim=claim,
    definitions={b: "exp(-s(a, +)/tau)", mu: "E Y given the anchor"},
    witness={tau: 1, Y: 1, mu_hat: 1},
    proof=[
        mean_at_least(1 / tau),
        *_steps,
        Step(
            text=(
                "Average over anchor and positive: the mean of $\\log(b\\mu)$ is CE, "
                "that of $\\log(b\\hat\\mu)$ the DCL risk."
            ),
            evidence=Averaged(
                claim=claim,
                pointwise=_pair_bounds,
                given=_pair_bounds,
                means={log(b * mu): CE, Mean(log(b * mu_hat)): R_dcl},
                mutants=[
                    Mutant("1/9 for 1/8", (claim[0], Le(CE - R_dcl, upper * 8 / 9))),
                    Mutant("strictly positive", (Ge(CE - R_dcl, upper / 2), claim[1])),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=claim[1],
            sides=sides,
            arguments={"left": _of_dcl, "right": upper, "loss": "dcl"},
            mutants=[
                Mutant(
                    "1/40 for 1/8",
                    arguments={
                        "left": _of_dcl,
                        "right": upper,
                        "loss": "dcl",
                        "scale": Fraction(1, 5),
                    },
                )
            ],
        ),
    ],
    constants=[
        Constant(
            name="eq-11-eighth",
            formula=Rational(1, 8),
            meaning="factor of (e^{2/tau} - 1)^2/k in the upper bound on CE - R of DCL",
            where="(11)",
            looseness=largest_ratio(_of_dcl, upper, "dcl"),
        ),
        Constant(
            name="eq-11-k",
            formula=ceiling((exp(2 / tau) - 1) ** 2 / (8 * target)),
            meaning="negatives from which the bias of DCL is at most the target by (11)",
            where="(11)",
        ),
        Constant(
            name="eq-11-upper",
            formula=upper,
            meaning="upper bound on CE - R of DCL, in nats",
            where="(11)",
            looseness=largest_ratio(_of_dcl, upper, "dcl"),
        ),
    ],
)
