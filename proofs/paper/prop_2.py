"""Proposition 2: the expected cross-entropy of a search among k points against the risk."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import Abs, Integer, Le, Rational, exp, log

from proofs.evidence import Decided, Enumerated, Mutant, OnWorlds, Use
from proofs.ledger import Constant, Correction, Statement, Step
from proofs.paper._search_risk import gap_cases, gap_sides
from proofs.paper._shift import RANGE, definitions, harmless, shift_bounds, shift_steps
from proofs.paper._weighted_average import AVERAGE, WITNESS, vanishing_cases
from proofs.symbols import CE_hat, R, R_dcl, chi2, k, tau

__all__ = ["HYPOTHESES", "at", "claim", "statement"]

HYPOTHESES = (*RANGE, *AVERAGE)
_bias = 4 * chi2 / (tau * k)
_shift = log(1 + exp(2 / tau) / k)
claim = Le(Abs(CE_hat - R), _bias + _shift)
_search = Le(Abs(CE_hat - R_dcl), _bias)


def at() -> tuple[Any, ...]:
    """Return the facts by which this proposition is used, hypotheses first."""
    return (*HYPOTHESES, Use("prop-2"))


statement = Statement(
    id="prop-2",
    title="A search among k unseen points against the InfoNCE risk",
    where="Section 3.3, Proposition 2",
    assumptions=[
        "(A): the tuples are iid; phi has unit norm",
        "(B): M(z, .) << pi with a density w(z, z') that is jointly measurable",
        "where all k weights vanish, any agreed value in [-1, 1] stands for the average of s",
    ],
    hypotheses=HYPOTHESES,
    claim=claim,
    definitions=definitions,
    witness={**harmless, **WITNESS, tau: 1},
    proof=[
        Step(
            text=r"By [12] search and DCL risk differ by the bias of lemma 3 over $\tau$.",
            evidence=Decided(
                claim=_search,
                given=(*AVERAGE, Use("eq-12")),
                mutants=[
                    Mutant("3 for 4", Le(Abs(CE_hat - R_dcl), _bias * Rational(3, 4))),
                    Mutant("[12] not used", given=AVERAGE),
                ],
            ),
        ),
        *shift_steps(),
        Step(
            text=r"The triangle inequality, through $\tilde R$.",
            evidence=Decided(
                claim=claim,
                given=(_search, *shift_bounds),
                mutants=[
                    Mutant("the 1/k of InfoNCE forgotten", Le(Abs(CE_hat - R), _bias)),
                    Mutant("the bias of the search forgotten", Le(Abs(CE_hat - R), _shift)),
                    Mutant("half the shift", Le(Abs(CE_hat - R), _bias + _shift / 2)),
                ],
            ),
        ),
    ],
    correction=Correction(
        printed="Under (B) the empirical kernel M-hat_k is defined for every sample.",
        refutation=Enumerated(
            claim="the k weights never all vanish",
            cases=vanishing_cases,
            arguments={"largest": 6, "chance": Fraction(0)},
            complete=True,
            mutants=[Mutant("two draws at most", arguments={"largest": 2, "chance": Fraction(0)})],
        ),
        note=(
            "Say what M-hat_k is where all weights vanish: any convention keeps the bound "
            "(`erratum-zero-weights`). That w be jointly measurable is an assumption "
            "(`erratum-measurability`)."
        ),
    ),
    crosschecks=[
        Enumerated(
            claim=claim,
            cases=gap_cases,
            mutants=[
                Mutant("a tenth of the bound", arguments={"scale": Fraction(1, 10)}),
                Mutant("100 agreed where all weights vanish", arguments={"agreed": (100,)}),
            ],
        ),
        OnWorlds(
            claim="|CEhat_k - R| against the bound on spheres, E[w^2] in closed form",
            sides=gap_sides,
            mutants=[Mutant("a twentieth of the bound", arguments={"scale": 0.05})],
        ),
    ],
    constants=[
        Constant(
            name="prop-2-four",
            formula=Integer(4),
            meaning="factor of E[w^2]/(tau k); from lemma 3",
            where="Proposition 2",
            looseness=lambda tau, k: 0.5,  # 2 is the best constant: `lemma-3-best-constant`
        ),
        Constant(
            name="prop-2-shift",
            formula=_shift,
            meaning="bound on R - R_dcl, in nats",
            where="Proposition 2",
        ),
    ],
)
