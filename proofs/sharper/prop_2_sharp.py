"""Proposition 2 one-sided, with the sharper lemma 3 and a smaller last term."""

from __future__ import annotations

from sympy import Eq, Ge, Le, Rational

from proofs.evidence import Averaged, Decided, Derived, Enumerated, Mutant, OnWorlds
from proofs.ledger import Statement, Step
from proofs.paper._weighted_average import F, bias
from proofs.paper.eq_12 import CE_hat_anchor, R_dcl_anchor, cancellation, log_mean_exp
from proofs.sharper import last_term, lemma_3_sharp
from proofs.sharper._search_bounds import gap_cases, gap_sides
from proofs.sharper.last_term import gap_bound, last
from proofs.sharper.lemma_3_sharp import sharp
from proofs.symbols import CE_hat, R, R_dcl, declare, k, tau

__all__ = ["HYPOTHESES", "anchor_definitions", "search_bound", "statement"]

search_bound = declare(
    "search_bound",
    r"\bar S_k",
    "mean over anchors z of 2 E_nu[(w - 1)^+/(w + k - 1)], nu = M(z, .); at most 2 E[w^2]/k",
    nonnegative=True,
)
anchor_definitions = {
    CE_hat_anchor: log_mean_exp - (F + bias) / tau,
    R_dcl_anchor: log_mean_exp - F / tau,
}
HYPOTHESES = (*lemma_3_sharp.hypotheses, *last_term.hypotheses)
_search = (
    Le(CE_hat - R_dcl, search_bound / tau),
    Ge(CE_hat - R_dcl, -search_bound / tau),
)
_means = {CE_hat_anchor: CE_hat, R_dcl_anchor: R_dcl, sharp: search_bound}
claim = (
    Ge(CE_hat - R, -(search_bound / tau + last)),
    Le(CE_hat - R, search_bound / tau),
)

statement = Statement(
    id="prop-2-sharp",
    title="A search among k unseen points against the risk: one-sided, and half the constant",
    where="companion",
    assumptions=[
        "(A): the tuples are iid; phi has unit norm; anchors and negatives share phi and pi",
        "(B): M(z, .) << pi with a density w(z, z') that is jointly measurable",
        "where all k weights vanish, any agreed value in [-1, 1] stands for the average of s",
    ],
    hypotheses=HYPOTHESES,
    claim=claim,
    definitions={
        **anchor_definitions,
        gap_bound: "any bound on CE - R_dcl: Gamma_k (`eq-11-sharp`), log cosh(1/tau) ...",
    },
    witness={**lemma_3_sharp.WITNESS, **last_term.statement.witness},
    proof=[
        Step(
            text=(
                r"As in [12]: for one anchor search and DCL risk differ by the bias of lemma 3 "
                r"over $\tau$."
            ),
            evidence=Derived(
                claim=cancellation,
                given=tuple(Eq(symbol, value) for symbol, value in anchor_definitions.items()),
                mutants=[Mutant("tau forgotten", Eq(CE_hat_anchor - R_dcl_anchor, -bias))],
            ),
        ),
        Step(
            text=r"By `lemma-3-sharp` with $\nu = M(z, \cdot)$ and $m = k$, averaged over anchors.",
            evidence=Averaged(
                claim=_search,
                pointwise=(
                    Le(CE_hat_anchor - R_dcl_anchor, sharp / tau),
                    Ge(CE_hat_anchor - R_dcl_anchor, -sharp / tau),
                ),
                given=(cancellation, *lemma_3_sharp.at(k)),
                means=_means,
                mutants=[
                    Mutant(
                        "half of it",
                        Le(CE_hat - R_dcl, search_bound / (2 * tau)),
                        pointwise=Le(CE_hat_anchor - R_dcl_anchor, sharp / (2 * tau)),
                    ),
                    Mutant("lemma-3-sharp not used", given=(cancellation,)),
                ],
            ),
        ),
        Step(
            text=(
                r"$\widehat{\mathrm{CE}}_k - R$ is the sum of $\widehat{\mathrm{CE}}_k - \tilde "
                r"R$ and of $-(R - \tilde R)$, which is not positive: the last term stands on one "
                "side only."
            ),
            evidence=Decided(
                claim=claim,
                given=(*_search, *last_term.at()),
                mutants=[
                    Mutant("half the last term", Ge(CE_hat - R, -(search_bound / tau + last / 2))),
                    Mutant(
                        "9/10 of the search's part",
                        Le(CE_hat - R, search_bound / tau * Rational(9, 10)),
                    ),
                    Mutant("the last term not used", given=_search),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=claim,
            cases=gap_cases,
            mutants=[Mutant("half of both bounds", arguments={"divide": 2})],
        ),
        OnWorlds(
            claim="CEhat_k - R against both bounds on spheres",
            sides=gap_sides,
            mutants=[Mutant("a third of both bounds", arguments={"scale": 0.33})],
        ),
    ],
    remarks=(
        "The last term is that of `last-term`; the paper has log(1 + e^{2/tau}/k), on both sides."
    ),
)
