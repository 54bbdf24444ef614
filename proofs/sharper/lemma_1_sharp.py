"""Lemma 1 sharpened: coefficients 2, 1 and H_beta, and a choice of beta that needs two moments."""

from __future__ import annotations

from functools import partial

from sympy import E, Eq, Expr, Ge, Gt, Implies, Le, Limit, Symbol, cosh, exp, log, oo, sin

from proofs.evaluate import numpy_function
from proofs.evidence import Cited, Decided, Derived, Enclosed, Mutant, OnWorlds, Use
from proofs.ledger import Constant, Statement, Step
from proofs.paper._circle_model import Tuples, pair_sides
from proofs.paper._lipschitz_class import (
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
from proofs.paper.lemma_1 import CLASS
from proofs.paper.lemma_7 import power_mean, x_j
from proofs.sharper._power_mean_factor import power_mean_factor
from proofs.sharper.lemma_7_sharp import H_2, H_beta
from proofs.sharper.prop_4_sharp import theta_k
from proofs.symbols import beta, k, q, tau

__all__ = ["SECOND_MOMENTS", "lipschitz_sharp", "sharp_slope", "statement"]


def lipschitz_sharp(factor: Expr, negatives: Expr, anchors: Expr = 2) -> Expr:
    """Return L = (theta_k C/tau)(2 rms_a + rms_+ + factor negatives), in nats per unit of theta."""
    norms = anchors * rms_anchor + rms_positive + factor * negatives
    return theta_k * lipschitz / tau * norms


def _of_a_tuple(anchor: Expr) -> Expr:
    moves = anchor * g_anchor + g_positive + H_beta * g_negatives
    return theta_k * lipschitz * distance / tau * moves


_negatives = Le(power_mean, lipschitz * g_negatives * distance)
_tuple = (
    Le(loss_phi - loss_other, _of_a_tuple(2)),
    Le(loss_other - loss_phi, _of_a_tuple(2)),
)
_any = Le(rho, lipschitz_sharp(H_beta, rms_negatives) * distance)
_h_2 = Implies(Eq(beta, 2), Eq(H_beta, H_2))
#: With beta = 2: only mean squares of norms.
SECOND_MOMENTS = Implies(
    Eq(beta, 2), Le(rho, lipschitz_sharp(cosh(1 / tau), rms_negatives) * distance)
)
_q = Eq(q, exp(2 / tau))
_log_factor = Eq(log(q ** (1 / beta) * exp(-1)), 2 / (beta * tau) - 1)
_below_e = Implies(Eq(beta, PAPER_ORDER), Le(H_beta, E))
_e = Ge(E, 2, evaluate=False)
_jensen = Implies(Ge(beta, 2), Le(rms_negatives, pm_order))
_sum = Eq(B_tau, rms_anchor + rms_positive + pm_order)
_quarter = Implies(Eq(beta, PAPER_ORDER), Le(rho, theta_k * lipschitz_of_loss * distance / 4))
claim = (_any, SECOND_MOMENTS, _quarter)
_similarities = (Ge(x_j, -1), Le(x_j, 1))
_lemma_7 = (*_similarities, Use("lemma-7-sharp"))


def sharp_slope(tuples: Tuples, share: float = 1.0, betas: tuple[float, ...] = (2, 4, 8)) -> float:
    """Return L of the circle model (C = 1) for the best of a few exponents and of the paper's."""
    symbols = (H_beta, rms_negatives, rms_anchor, rms_positive, lipschitz, k, tau)
    value = numpy_function(lipschitz_sharp(H_beta, rms_negatives), symbols)
    slopes = [
        float(
            value(
                power_mean_factor(order, tuples.tau),
                tuples.nested(order),
                tuples.rms(0),
                tuples.rms(1),
                1.0,
                tuples.k,
                tuples.tau,
            )
        )
        for order in (*betas, 2 / min(1.0, tuples.tau))
    ]
    return share * min(slopes)


# The anchor at a right angle to the positive, the negatives opposite to the positive: all turn by
# the parameter, the positive and the negatives away from each other, and every move has speed 1.
_angle = Symbol("s", real=True)
_rise = log(1 / k + exp(2 * sin(2 * _angle) / tau)).diff(_angle).subs(_angle, 0)
_attained = Eq(Limit(_rise / (theta_k / tau * (2 + 1 + 1)), k, oo), 1)

statement = Statement(
    id="lemma-1-sharp",
    title="The loss is Lipschitz in the parameter, with coefficients 2, 1 and H_beta",
    where="companion",
    assumptions=[
        "phi_theta maps the points to unit vectors",
        "(C), with an envelope g for the norm: ||phi_theta(z) - phi_theta'(z)|| <= C g(z) "
        "||theta - theta'||",
        "the differences at the negatives of a tuple are not all 0; otherwise that term is 0",
        "H_2 is H_beta at beta = 2",
    ],
    hypotheses=(Gt(beta, 1), *CLASS, _h_2),
    claim=claim,
    definitions={
        q: exp(2 / tau),
        B_tau: rms_anchor + rms_positive + pm_order,
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
        H_beta: 1,
        H_2: 1,
    },
    tight=True,
    attained=Derived(
        claim=_attained,
        mutants=[
            Mutant(
                "3 for 2 at the anchor",
                Eq(Limit(_rise / (theta_k / tau * (3 + 1 + 1)), k, oo), 1),
            ),
            Mutant(
                "theta_k forgotten",
                Eq(_rise / (theta_k / tau * (2 + 1 + 1)), 1),
            ),
        ],
    ),
    remarks=(
        "The left side does not depend on $\\beta$: take the infimum of the right side over it. "
        "With $\\beta = 2$ second moments of the norms are enough; with the order $\\beta = "
        "2/\\min(1, \\tau)$ of the paper's power mean the constant is at most a quarter of the "
        "printed one. That one exponent serves all temperatures, without the paper's three cases. "
        "Attained for one tuple in the limit of many negatives (all norms equal, $\\beta \\to "
        "\\infty$, where $H_\\beta \\to 1$)."
    ),
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
            text="`prop-4-sharp` for one tuple, with (C) for each of the three differences.",
            evidence=Decided(
                claim=_tuple,
                given=(Gt(beta, 1), Use("prop-4-sharp"), *CLASS, _negatives),
                mutants=[
                    Mutant("1 for 2 at the anchor", Le(loss_phi - loss_other, _of_a_tuple(1))),
                    Mutant(
                        "(C) at the negatives dropped",
                        given=(Gt(beta, 1), Use("prop-4-sharp"), *CLASS),
                    ),
                ],
            ),
        ),
        Step(
            text=r"The exponents are inner products of vectors of the unit ball, over $\tau$.",
            evidence=Cited(source="Cauchy-Schwarz inequality", claim=_similarities),
        ),
        Step(
            text="The root mean square over the tuples is a norm: Minkowski.",
            evidence=Cited(source="Minkowski's inequality", claim=_any),
        ),
        Step(
            text="For $\\beta = 2$ the factor is $\\cosh(1/\\tau)$.",
            evidence=Decided(
                claim=SECOND_MOMENTS,
                given=(_any, Gt(beta, 1), *_lemma_7, _h_2),
                mutants=[
                    Mutant(
                        "1 for 2 at the anchor",
                        Implies(
                            Eq(beta, 2),
                            Le(
                                rho,
                                lipschitz_sharp(cosh(1 / tau), rms_negatives, 1) * distance,
                            ),
                        ),
                    ),
                    Mutant("H_2 not known", given=(_any, _h_2)),
                ],
            ),
        ),
        Step(
            text="In logarithms, $q^{1/\\beta}$ against $e$:",
            evidence=Derived(
                claim=_log_factor,
                given=(_q,),
                mutants=[
                    Mutant("4/(beta tau)", Eq(_log_factor.lhs, 4 / (beta * tau) - 1)),
                ],
            ),
        ),
        Step(
            text="so for $\\beta = 2/\\min(1, \\tau)$ we have $H_\\beta \\le q^{1/\\beta} \\le e$.",
            evidence=Decided(
                claim=_below_e,
                given=(_log_factor, Gt(beta, 1), *_lemma_7),
                mutants=[
                    Mutant("1 for e", Implies(Eq(beta, PAPER_ORDER), Le(H_beta, 1))),
                    Mutant(
                        "beta = 1/min(1, tau)", Implies(Eq(2 * beta, PAPER_ORDER), Le(H_beta, E))
                    ),
                ],
            ),
        ),
        Step(
            text=(
                "That exponent is at least 2, where power means of power means are at most the "
                "power mean over all negatives."
            ),
            evidence=Cited(source="Jensen's inequality", claim=_jensen),
        ),
        Step(
            text="$2 \\le e$.",
            evidence=Enclosed(claim=_e, mutants=[Mutant("3", Ge(E, 3, evaluate=False))]),
        ),
        Step(
            text="So the factors 2, 1 and $H_\\beta$ are at most $e$, where the paper has $4e$.",
            evidence=Decided(
                claim=claim,
                given=(_any, SECOND_MOMENTS, _below_e, _jensen, _e, _sum),
                mutants=[
                    Mutant(
                        "an eighth for a quarter",
                        Implies(
                            Eq(beta, PAPER_ORDER),
                            Le(rho, theta_k * lipschitz_of_loss * distance / 8),
                        ),
                    ),
                    Mutant("Jensen dropped", given=(_any, SECOND_MOMENTS, _below_e, _e, _sum)),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=_any,
            sides=pair_sides,
            arguments={"slope": sharp_slope},
            mutants=[
                Mutant(
                    "0.45 of the constant",
                    arguments={"slope": partial(sharp_slope, share=0.45)},
                )
            ],
        ),
    ],
    constants=[
        Constant(
            name="lemma-1-sharp-factor",
            sharpens="lemma-1-factor",
            formula=theta_k * E,
            printed=False,
            meaning="factor of B_tau C/tau in the Lipschitz constant of the loss (printed: 4e)",
            where="lemma-1-sharp",
        ),
        Constant(
            name="lemma-1-sharp-second-moments",
            formula=theta_k * cosh(1 / tau) / tau,
            printed=False,
            meaning="factor of C times the root mean square norm of the negatives, at beta = 2",
            where="lemma-1-sharp",
        ),
    ],
)
