"""Lemma 1: under (C) the loss is Lipschitz in the parameter, in mean square over the tuples."""

from __future__ import annotations

import math

from sympy import And, E, Eq, Expr, Implies, Le, Lt, Max, exp, log

from proofs.evaluate import numpy_function
from proofs.evidence import Cited, Decided, Derived, Mutant, OnWorlds, Use
from proofs.ledger import Constant, Statement, Step
from proofs.paper._circle_model import Tuples, pair_sides
from proofs.paper._lipschitz_class import (
    PAPER_BETA,
    PAPER_ORDER,
    B_tau,
    distance,
    g_anchor,
    g_negatives,
    g_positive,
    lipschitz,
    lipschitz_of_loss,
    pm_order,
    rho,
    rms_anchor,
    rms_negatives,
    rms_positive,
)
from proofs.paper._tuple import D_anchor, D_positive, loss_other, loss_phi
from proofs.paper.lemma_7 import power_mean
from proofs.symbols import beta, declare, tau

__all__ = ["printed_slope", "statement"]

softmax_factor = declare(
    "softmax_factor",
    r"e^{2/(\beta\tau)}",
    "the factor of the power mean in Proposition 4",
    positive=True,
)

_beta = Eq(beta, PAPER_BETA)
#: (C) at the anchor and at the positive.
CLASS = (
    Le(D_anchor, lipschitz * g_anchor * distance),
    Le(D_positive, lipschitz * g_positive * distance),
)
_negatives = Le(power_mean, lipschitz * g_negatives * distance)
_factor = exp(2 / (beta * tau))


def moved(anchor: Expr, positive: Expr, negatives: Expr, factor: Expr = _factor) -> Expr:
    """Return (C ||theta - theta'||/tau)(4 anchor + positive + 3 factor negatives)."""
    return lipschitz * distance / tau * (4 * anchor + positive + 3 * factor * negatives)


_tuple = (
    Le(loss_phi - loss_other, moved(g_anchor, g_positive, g_negatives)),
    Le(loss_other - loss_phi, moved(g_anchor, g_positive, g_negatives)),
)
_minkowski = Le(rho, moved(rms_anchor, rms_positive, rms_negatives))
_definition = Eq(softmax_factor, _factor)
_log_factor = Eq(log(softmax_factor * exp(-1)), 2 / (beta * tau) - 1)
_below_e = Le(softmax_factor, E)
_order = Eq(Max(2, beta), PAPER_ORDER)
_cases = (
    Implies(Lt(tau, 1), And(Eq(beta * tau, 2), Eq(PAPER_ORDER, beta))),
    Implies(And(Le(1, tau), Lt(tau, 2)), And(Le(beta, 2), Eq(PAPER_ORDER, 2))),
    Implies(Le(2, tau), And(Eq(beta, 1), Eq(PAPER_ORDER, 2))),
)
_jensen = Implies(_order, Le(rms_negatives, pm_order))
_sum = Eq(B_tau, rms_anchor + rms_positive + pm_order)
claim = Le(rho, lipschitz_of_loss * distance)


def printed_slope(tuples: Tuples, share: float = 1.0) -> float:
    """Return L = 4 e B_tau C/tau of the circle model, in nats per unit of theta."""
    b_tau = tuples.rms(0) + tuples.rms(1) + tuples.overall(2 / min(1.0, tuples.tau))
    return share * float(
        numpy_function(lipschitz_of_loss, (tau, B_tau, lipschitz))(tuples.tau, b_tau, 1)
    )


statement = Statement(
    id="lemma-1",
    title="The loss is Lipschitz in the parameter",
    where="Section 4, Lemma 1 and [53]",
    assumptions=[
        "phi_theta maps the points to unit vectors",
        "(C), with an envelope g for the norm: ||phi_theta(z) - phi_theta'(z)|| <= C g(z) "
        "||theta - theta'||",
        "the differences at the negatives of a tuple are not all 0; otherwise that term is 0",
    ],
    hypotheses=(_beta, *CLASS),
    claim=claim,
    definitions={
        B_tau: rms_anchor + rms_positive + pm_order,
        softmax_factor: _factor,
        rho: "the root mean square over the tuples of l_i(theta) - l_i(theta')",
        power_mean: "power mean over a tuple's negatives of ||phi_theta(z_j) - phi_theta'(z_j)||",
    },
    witness={
        tau: 1,
        beta: 2,
        D_anchor: 0,
        D_positive: 0,
        lipschitz: 1,
        distance: 0,
        g_anchor: 1,
        g_positive: 1,
    },
    proof=[
        Step(
            text=(
                "A power mean increases with each argument and is homogeneous, so (C) passes to it."
            ),
            evidence=Cited(
                source="Hardy, Littlewood & Polya (1952), Section 2.2", claim=_negatives
            ),
        ),
        Step(
            text="Proposition 4 for one tuple, with (C) for each of the three differences.",
            evidence=Decided(
                claim=_tuple,
                given=(_beta, Use("prop-4"), *CLASS, _negatives),
                mutants=[
                    Mutant(
                        "3 for 4 at the anchor",
                        Le(
                            loss_phi - loss_other,
                            moved(3 * g_anchor / 4, g_positive, g_negatives),
                        ),
                    ),
                    Mutant("(C) at the negatives dropped", given=(_beta, Use("prop-4"), *CLASS)),
                ],
            ),
        ),
        Step(
            text="The root mean square over the tuples is a norm: Minkowski.",
            evidence=Cited(source="Minkowski's inequality", claim=_minkowski),
        ),
        Step(
            text="The logarithm of $e^{2/(\\beta\\tau)}$ over $e$,",
            evidence=Derived(
                claim=_log_factor,
                given=(_definition,),
                mutants=[
                    Mutant(
                        "4/(beta tau)",
                        Eq(log(softmax_factor * exp(-1)), 4 / (beta * tau) - 1),
                    )
                ],
            ),
        ),
        Step(
            text="is not positive for $\\beta = \\max(1, 2/\\tau)$: the factor is at most $e$.",
            evidence=Decided(
                claim=_below_e,
                given=(_log_factor, _beta),
                mutants=[
                    Mutant("1 for e", Le(softmax_factor, 1)),
                    Mutant("beta not chosen", given=(_log_factor,)),
                ],
            ),
        ),
        Step(
            text=(
                "Three cases: for $\\tau < 1$ the inner exponent $\\beta = 2/\\tau$ is above 2, "
                "for $1 \\le \\tau < 2$ it is at most 2, for $\\tau \\ge 2$ it is 1."
            ),
            evidence=Decided(
                claim=_cases,
                given=(_beta,),
                mutants=[
                    Mutant("beta = 1 from tau = 1 on", Implies(Le(1, tau), Eq(beta, 1))),
                    Mutant("order 2/tau throughout", Eq(PAPER_ORDER, 2 / tau)),
                ],
            ),
        ),
        Step(
            text="In all of them the larger of 2 and $\\beta$ is $2/\\min(1, \\tau)$.",
            evidence=Decided(
                claim=_order,
                given=(_beta, *_cases),
                mutants=[
                    Mutant("1/min(1, tau)", Eq(Max(2, beta), PAPER_ORDER / 2)),
                    Mutant("beta not chosen", given=()),
                ],
            ),
        ),
        Step(
            text=(
                "Power means increase with their order: the mean of order 2 over tuples of means "
                "of order $\\beta$ is at most the mean of order $\\max(2, \\beta)$ over all "
                "negatives."
            ),
            evidence=Cited(source="Jensen's inequality", claim=_jensen),
        ),
        Step(
            text="The factors 4, 1 and $3e$ are all at most $4e$.",
            evidence=Decided(
                claim=claim,
                given=(_minkowski, _definition, _below_e, _order, _jensen, _sum),
                mutants=[
                    Mutant("2e for 4e", Le(rho, lipschitz_of_loss * distance / 2)),
                    Mutant("the factor not bounded", given=(_minkowski, _order, _jensen, _sum)),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=claim,
            sides=pair_sides,
            arguments={"slope": printed_slope},
            mutants=[
                Mutant(
                    "a twentieth of the constant",
                    arguments={"slope": lambda tuples: printed_slope(tuples, 0.05)},
                )
            ],
        ),
    ],
    constants=[
        Constant(
            name="lemma-1-factor",
            formula=4 * E,
            meaning="factor of B_tau C/tau in the Lipschitz constant of the loss",
            where="Lemma 1",
            # Reached when only the anchor moves: `lemma-1-sharp` has 2 for 4e there.
            looseness=lambda tau, k: 1 / (2 * math.e),
        ),
        Constant(
            name="prop-4-three-e",
            formula=3 * E,
            meaning="factor of the power mean of the negatives for beta = max(1, 2/tau)",
            where="proof of Lemma 1",
            # H_beta <= e for 3e, approached as the temperature falls: `lemma-7-sharp`.
            looseness=lambda tau, k: 1 / 3,
        ),
    ],
)
