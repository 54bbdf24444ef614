"""Theorem 1: what a small empirical risk promises for a search among unseen points."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache, partial

from sympy import E, Expr, Integer, Le

from proofs.evaluate import numpy_function
from proofs.evidence import Decided, Mutant, OnWorlds, Use
from proofs.ledger import Constant, Statement, Step
from proofs.paper import prop_2
from proofs.paper._circle_model import Tuples, largest
from proofs.paper._class_search import CHI2, search_sides
from proofs.paper._lipschitz_class import A, B_tau, complexity_bound, d_theta, lipschitz, radius
from proofs.paper._scaled_class import DEVIATION
from proofs.paper.prop_3 import statement as prop_3
from proofs.paper.prop_5 import statement as prop_5
from proofs.symbols import CE_hat, R, R_hat, Rad_n, chi2, delta, k, n, tau

__all__ = ["COMPLEXITY", "DEVIATION", "SEARCH_BIAS", "statement"]

#: Twice the bound on the Rademacher complexity, in nats: 192/tau sqrt(d_Theta/n) min{...}.
COMPLEXITY: Expr = 2 * complexity_bound(A, d_theta, n)
#: What separates the search from the risk, in nats (proposition 2).
SEARCH_BIAS: Expr = prop_2.claim.rhs

_excess = COMPLEXITY + DEVIATION + SEARCH_BIAS
claim = Le(CE_hat, R_hat + _excess)
_risk = Le(R, R_hat + 2 * Rad_n + DEVIATION)
_below = Le(R, R_hat + COMPLEXITY + DEVIATION)


def excess(tuples: Tuples, size: float, probability: float, share: float = 1.0) -> float:
    """Return what the theorem adds to the empirical risk, in nats."""
    symbols = (A, d_theta, n, tau, k, delta, chi2)
    b_tau = tuples.rms(0) + tuples.rms(1) + tuples.overall(2 / min(1.0, tuples.tau))
    a = math.e * size * b_tau
    count = len(tuples.points)
    values = (a, 1, count, tuples.tau, tuples.k, probability, CHI2)
    return share * float(numpy_function(_excess, symbols)(*values))


@lru_cache(maxsize=1)
def _met() -> float:
    """Return the largest excess over its bound that the world of `search_sides` meets."""
    return largest(search_sides(excess))


def _looseness(tau: Fraction | None = None, k: int | None = None) -> float:
    return _met()


statement = Statement(
    id="theorem-1",
    title="Generalisation of the similarity search",
    where="Section 4, Theorem 1",
    assumptions=[
        "(A): the n tuples are iid; phi_theta has unit norm",
        "(B): M(z, .) << pi with a density w(z, z') that is jointly measurable",
        "(C), with an envelope g for the norm; by (C) the losses are continuous in theta, so that "
        "the suprema over the ball are measurable",
        "the bound holds with probability at least 1 - delta, for all theta in the ball at once",
    ],
    hypotheses=(*prop_5.hypotheses, *prop_2.HYPOTHESES),
    claim=claim,
    definitions={A: E * radius * B_tau * lipschitz},
    witness={**prop_5.witness, **prop_2.statement.witness},
    proof=[
        Step(
            text="Proposition 3 bounds the risk of every embedding in the class.",
            evidence=Decided(
                claim=_risk,
                given=(*prop_3.hypotheses, Use("prop-3")),
                mutants=[
                    Mutant("one complexity", Le(R, R_hat + Rad_n + DEVIATION)),
                    Mutant("proposition 3 not used", given=tuple(prop_3.hypotheses)),
                ],
            ),
        ),
        Step(
            text="Proposition 5 bounds the complexity, twice: $2 \\cdot 96 = 192$.",
            evidence=Decided(
                claim=_below,
                given=(_risk, *prop_5.hypotheses, Use("prop-5")),
                mutants=[
                    Mutant("191 for 192", Le(R, R_hat + COMPLEXITY * 191 / 192 + DEVIATION)),
                    Mutant("proposition 5 not used", given=(_risk, *prop_5.hypotheses)),
                ],
            ),
        ),
        Step(
            text="Proposition 2 goes from the risk to the search among $k$ unseen points.",
            evidence=Decided(
                claim=claim,
                given=(_below, *prop_2.at()),
                mutants=[
                    Mutant(
                        "no bias of the search",
                        Le(CE_hat, R_hat + COMPLEXITY + DEVIATION),
                    ),
                    Mutant(
                        "11 for 12",
                        Le(CE_hat, R_hat + COMPLEXITY + DEVIATION * 11 / 12 + SEARCH_BIAS),
                    ),
                    Mutant("proposition 2 not used", given=(_below,)),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim="the largest excess of the search over the empirical risk, in a small class",
            sides=search_sides,
            arguments={"excess": excess},
            mutants=[
                Mutant(
                    "a ten-thousandth of the bound",
                    arguments={"excess": partial(excess, share=1e-4)},
                )
            ],
        ),
    ],
    constants=[
        Constant(
            name="theorem-1-complexity",
            formula=Integer(192),
            meaning="factor of (1/tau) sqrt(d_Theta/n) min{...}: the paper's const., twice 96",
            where="Theorem 1",
            looseness=_looseness,
        ),
        Constant(
            name="theorem-1-deviation",
            formula=Integer(12),
            meaning="factor of (1/tau) sqrt(log(2/delta)/(2n)): the paper's const., three times 4",
            where="Theorem 1",
            looseness=_looseness,
        ),
    ],
    remarks=(
        "The bound is trivial where it exceeds $2/\\tau$, the largest value that a cross-entropy "
        "of unit vectors can have; `infonce bound` says whether it is. If $\\mathbb E[w^2]$ is "
        "infinite so is the right side."
    ),
)
