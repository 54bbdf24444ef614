"""Equation 12: the expected cross-entropy of a search among k points against the DCL risk."""

from __future__ import annotations

from fractions import Fraction

from sympy import Abs, Eq, Ge, Integer, Le, log

from proofs.evidence import Averaged, Decided, Derived, Enumerated, Mutant
from proofs.ledger import Constant, Statement, Step
from proofs.paper import lemma_3
from proofs.paper._search_worlds import bound_cases, largest_ratio
from proofs.paper._second_order import mu_hat
from proofs.paper._weighted_average import AVERAGE, WITNESS, B, F, M, T, bias, f, w2
from proofs.symbols import CE_hat, Mean, R_dcl, chi2, declare, k, tau

__all__ = ["CE_hat_anchor", "R_dcl_anchor", "cancellation", "log_mean_exp", "statement"]

CE_hat_anchor = declare(
    "CE_hat_anchor",
    r"\widehat{\mathrm{CE}}_k(z)",
    "expected cross-entropy of the search from one anchor among k unseen points",
)
R_dcl_anchor = declare("R_dcl_anchor", r"\tilde R(z)", "DCL risk of the tuples of one anchor")
log_mean_exp = Mean(log(mu_hat))

#: The two cross-entropies of one anchor; k unseen points and k negatives have the same law.
_search = Eq(CE_hat_anchor, log_mean_exp - (F + bias) / tau)
_risk = Eq(R_dcl_anchor, log_mean_exp - F / tau)
cancellation = Eq(CE_hat_anchor - R_dcl_anchor, -bias / tau)

_per_anchor = 4 * w2 / (tau * k)
_bound = 4 * chi2 / (tau * k)
_upper = Le(CE_hat - R_dcl, _bound)
_lower = Ge(CE_hat - R_dcl, -_bound)
_means = {CE_hat_anchor: CE_hat, R_dcl_anchor: R_dcl, w2: chi2}

statement = Statement(
    id="eq-12",
    title="A search among k unseen points against the DCL risk",
    where="Section 3.4, [12]",
    assumptions=[
        "(B): M(z, .) << pi with a density w(z, z') that is jointly measurable",
        "the search is among k unseen points, as many as there are negatives",
        "where all k weights vanish, any agreed value in [-1, 1] stands for the average of s",
    ],
    hypotheses=AVERAGE,
    claim=Le(Abs(CE_hat - R_dcl), _bound),
    witness=WITNESS,
    definitions={
        f: "s(z, z'), z' a point",
        T: "the weighted average of s(z, .) over the k points, if a weight is positive",
        B: "the mean of w(z, .) over the k points",
        M: "the mean of w(z, .) s(z, .) over the k points",
        CE_hat_anchor: log_mean_exp - (F + bias) / tau,
        R_dcl_anchor: log_mean_exp - F / tau,
        mu_hat: "the average of exp(s(z, .)/tau) over k points drawn from pi",
        F: "mean of s(z, .) under M(z, .)",
        bias: "mean of that weighted average over the samples, minus that of s(z, .) under M(z, .)",
        w2: "mean of w(z, .)^2 under pi",
    },
    proof=[
        Step(
            text=(
                "For one anchor both cross-entropies contain the mean of the log of the average "
                "of $e^{s/\\tau}$ over $k$ independent draws from $\\pi$. It cancels, and what is "
                "left is the bias of the weighted average of $s(z, \\cdot)$."
            ),
            evidence=Derived(
                claim=cancellation,
                given=(_search, _risk),
                mutants=[
                    Mutant("the sign turned", Eq(CE_hat_anchor - R_dcl_anchor, bias / tau)),
                    Mutant("tau forgotten", Eq(CE_hat_anchor - R_dcl_anchor, -bias)),
                ],
            ),
        ),
        Step(
            text=(
                "Lemma 3 with $\\nu = M(z, \\cdot)$, $f = s(z, \\cdot)$ and $m = k$ bounds it; "
                "integrate over the anchor."
            ),
            evidence=Averaged(
                claim=_upper,
                pointwise=Le(CE_hat_anchor - R_dcl_anchor, _per_anchor),
                given=(cancellation, *lemma_3.at(k)),
                means=_means,
                mutants=[
                    Mutant(
                        "3 for 4",
                        Le(CE_hat - R_dcl, 3 * chi2 / (tau * k)),
                        pointwise=Le(CE_hat_anchor - R_dcl_anchor, 3 * w2 / (tau * k)),
                    ),
                    Mutant("lemma 3 not used", given=(cancellation,)),
                ],
            ),
        ),
        Step(
            text="Likewise from below.",
            evidence=Averaged(
                claim=_lower,
                pointwise=Ge(CE_hat_anchor - R_dcl_anchor, -_per_anchor),
                given=(cancellation, *lemma_3.at(k)),
                means=_means,
                mutants=[
                    Mutant(
                        "3 for 4",
                        Ge(CE_hat - R_dcl, -3 * chi2 / (tau * k)),
                        pointwise=Ge(CE_hat_anchor - R_dcl_anchor, -3 * w2 / (tau * k)),
                    ),
                ],
            ),
        ),
        Step(
            text="Together they bound the absolute value.",
            evidence=Decided(
                claim=Le(Abs(CE_hat - R_dcl), _bound),
                given=(_upper, _lower),
                mutants=[
                    Mutant("the lower bound dropped", given=(_upper,)),
                    Mutant("k + 1 for k", Le(Abs(CE_hat - R_dcl), 4 * chi2 / (tau * (k + 1)))),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=Le(tau * Abs(CE_hat - R_dcl), 4 * chi2 / k),
            cases=bound_cases,
            mutants=[
                Mutant("1/4 for 4", arguments={"constant": Fraction(1, 4)}),
                Mutant("100 agreed where all weights vanish", arguments={"agreed": (100,)}),
            ],
        ),
    ],
    constants=[
        Constant(
            name="eq-12-four",
            formula=Integer(4),
            meaning="factor of E[w^2]/(tau k); from lemma 3",
            where="[12]",
            looseness=largest_ratio,
        ),
    ],
)
