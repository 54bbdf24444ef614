"""A search among m unseen points against the risk with k negatives, m and k unequal."""

from __future__ import annotations

from sympy import Eq, Ge, Implies, Le, log

from proofs.evidence import (
    Argued,
    Averaged,
    Decided,
    Derived,
    Enumerated,
    Mutant,
    OnWorlds,
    Use,
)
from proofs.ledger import Statement, Step
from proofs.paper._second_order import Y, mu_hat
from proofs.paper._weighted_average import F, bias
from proofs.sharper import last_term, lemma_3_sharp
from proofs.sharper._gap import range_step, unit_range
from proofs.sharper._search_bounds import gap_sides, rising_cases
from proofs.sharper.last_term import gap_bound, last
from proofs.sharper.lemma_3_sharp import sharp
from proofs.symbols import CE, CE_hat_m, R, R_dcl, declare, e_tau, k, m, tau

__all__ = ["statement"]

R_dcl_m = declare("R_dcl_m", r"\tilde R_m", "population DCL risk with m negatives", of=(m, tau))
gap_bound_m = declare("gap_bound_m", "D_m", "any bound on CE - R_dcl at m", nonnegative=True)
search_bound_m = declare(
    "search_bound_m", r"\bar S_m", "mean over anchors of the bound of lemma-3-sharp at m"
)
anchor_search = declare("anchor_search", r"\widehat{\mathrm{CE}}_m(z)", "search from one anchor")
anchor_dcl = declare("anchor_dcl", r"\tilde R_m(z)", "DCL risk of one anchor with m negatives")
mu_hat_m = declare("mu_hat_m", r"\hat\mu_m", "the mean of m copies of Y", positive=True)
log_average = declare("log_average", r"\mathbb{E}\log\hat\mu_m(z)", "over m draws from pi")
total = declare("average_total", r"\Sigma", "sum of Y over k + 1 draws", positive=True)
part = declare("average_part", r"\hat\mu_{-i}", "mean of Y over k of k + 1 draws", positive=True)
whole = declare("average_whole", r"\hat\mu", "mean of Y over k + 1 draws", positive=True)
R_dcl_next = declare("R_dcl_next", r"\tilde R_{k+1}", "DCL risk with k + 1 negatives", of=(k, tau))
pull = declare("average_pull", r"\mathbb{E}s_+/\tau", "mean similarity of the positive, over tau")

_anchors = {anchor_search: log_average - (F + bias) / tau, anchor_dcl: log_average - F / tau}
_cancel = Eq(anchor_search - anchor_dcl, -bias / tau)
_search = (
    Le(CE_hat_m - R_dcl_m, search_bound_m / tau),
    Ge(CE_hat_m - R_dcl_m, -search_bound_m / tau),
)
_leave_one_out = Eq(((k + 1) * total - total) / k / (k + 1), total / (k + 1))
_quotient = Eq(log(part / whole), log(part) - log(whole))
_next = Le(R_dcl, R_dcl_next)
_rising = (Implies(Le(m, k), Le(R_dcl_m, R_dcl)), Implies(Ge(m, k), Ge(R_dcl_m, R_dcl)))
_range = unit_range(Y, mu_hat, mu_hat_m)
_at_k, _at_m = Use("eq-11"), Use("eq-11", {k: m, R_dcl: R_dcl_m, mu_hat: mu_hat_m})
_below_limit = (Le(R_dcl, CE), Le(R_dcl_m, CE))
within_m = Le(CE - R_dcl_m, gap_bound_m)
_room = search_bound_m / tau
hypotheses = (*lemma_3_sharp.hypotheses, *last_term.hypotheses, within_m)
claim = (
    Le(CE_hat_m - R, _room + gap_bound),
    Implies(Le(m, k), Le(CE_hat_m - R, _room)),
    Ge(CE_hat_m - R, -_room - gap_bound_m - last),
    Implies(Ge(m, k), Ge(CE_hat_m - R, -_room - last)),
    Ge(CE_hat_m - R, -_room - gap_bound_m - log(1 + e_tau / k)),
)

statement = Statement(
    id="unequal-sizes",
    title="A search among m unseen points against the risk with k negatives",
    where="companion",
    assumptions=[
        "(A): the tuples are iid; phi has unit norm; anchors and negatives share phi and pi",
        "(B): M(z, .) << pi with a density w(z, z') that is jointly measurable",
        "R is the risk with k negatives, CEhat_m the search among m unseen points",
        "D and D_m bound CE - R_dcl at k and at m: Gamma_k and Gamma_m (`eq-11-sharp`), or "
        "log cosh(1/tau) for both (`lemma-4-sharp`)",
    ],
    hypotheses=hypotheses,
    claim=claim,
    definitions=_anchors,
    witness={
        **lemma_3_sharp.WITNESS,
        **last_term.statement.witness,
        R_dcl_m: 0,
        gap_bound_m: 1,
    },
    proof=[
        Step(
            text=(
                r"With $m$ draws in both, search and DCL risk of one anchor differ by the bias of "
                r"lemma 3 over $\tau$."
            ),
            evidence=Derived(
                claim=_cancel,
                given=tuple(Eq(symbol, value) for symbol, value in _anchors.items()),
                mutants=[Mutant("tau forgotten", Eq(anchor_search - anchor_dcl, -bias))],
            ),
        ),
        Step(
            text=r"So `lemma-3-sharp` at $m$ bounds $\widehat{\mathrm{CE}}_m - \tilde R_m$.",
            evidence=Averaged(
                claim=_search,
                pointwise=(
                    Le(anchor_search - anchor_dcl, sharp / tau),
                    Ge(anchor_search - anchor_dcl, -sharp / tau),
                ),
                given=(_cancel, *lemma_3_sharp.at(m)),
                means={anchor_search: CE_hat_m, anchor_dcl: R_dcl_m, sharp: search_bound_m},
                mutants=[Mutant("lemma-3-sharp not used", given=(_cancel,))],
            ),
        ),
        Step(
            text=(
                r"Of $k+1$ draws leave one out in turn: the mean over $i$ of $(\Sigma - Y_i)/k$ is "
                r"$\Sigma/(k+1)$, since the $Y_i$ sum to $\Sigma$."
            ),
            evidence=Derived(
                claim=_leave_one_out,
                mutants=[
                    Mutant(
                        ("divided by k + 1"),
                        Eq(((k + 1) * total - total) / (k + 1) ** 2, _leave_one_out.rhs),
                    )
                ],
            ),
        ),
        Step(
            text="The logarithm of a quotient.",
            evidence=Derived(
                claim=_quotient,
                mutants=[Mutant("of a product", Eq(log(part * whole), _quotient.rhs))],
            ),
        ),
        Step(
            text=(
                r"Jensen, from $\log x \le x - 1$ at $x = \hat\mu_{-i}/\hat\mu$, which has mean "
                "1: the DCL risk does not fall as $k$ grows."
            ),
            evidence=Averaged(
                claim=_next,
                pointwise=Le(log(part), log(whole) + part / whole - 1),
                given=(_quotient,),
                means={
                    log(part): R_dcl + pull,
                    log(whole): R_dcl_next + pull,
                    part / whole: 1,
                },
                mutants=[
                    Mutant(
                        "x - 2 for x - 1",
                        pointwise=Le(log(part), log(whole) + part / whole - 2),
                    ),
                    Mutant("the logarithm of a quotient not used", given=()),
                ],
            ),
        ),
        Step(
            text=r"By induction $\tilde R_m \le \tilde R_k$ for $m \le k$, and conversely.",
            evidence=Argued(
                text=(
                    "The step before, applied |k - m| times: the DCL risk is a non-decreasing "
                    "function of the number of negatives."
                ),
                why="induction over the integers",
                claim=_rising,
            ),
        ),
        range_step(Y, mu_hat, mu_hat_m),
        Step(
            text=r"Both DCL risks are at most the cross-entropy, by [11].",
            evidence=Decided(
                claim=_below_limit,
                given=(*_range, _at_k, _at_m),
                mutants=[
                    Mutant("[11] at k only", given=(*_range, _at_k)),
                    Mutant("the other way round", (Ge(R_dcl, CE),)),
                ],
            ),
        ),
        Step(
            text=r"$R$ exceeds its limit by at most $\log(1 + e^{1/\tau}/k)$, by `prop-1-sharp`.",
            evidence=Decided(
                claim=Le(R - CE, log(1 + e_tau / k)),
                given=(Use("prop-1-sharp"),),
                mutants=[Mutant("not used", given=())],
            ),
        ),
        Step(
            text=(
                r"$\widehat{\mathrm{CE}}_m - R_k = (\widehat{\mathrm{CE}}_m - \tilde R_m) + "
                r"(\tilde R_m - \tilde R_k) - (R_k - \tilde R_k)$. The second part is between "
                r"$-D_m$ and $D$, and its sign is that of $m - k$."
            ),
            evidence=Decided(
                claim=claim,
                given=(
                    *_search,
                    *_rising,
                    *_below_limit,
                    within_m,
                    *last_term.at(),
                    Le(R - CE, log(1 + e_tau / k)),
                ),
                mutants=[
                    Mutant("no D where m > k", Le(CE_hat_m - R, _room)),
                    Mutant("no D_m where m < k", Ge(CE_hat_m - R, -_room - last)),
                    Mutant("no last term", Ge(CE_hat_m - R, -_room - gap_bound_m)),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=_next,
            cases=rising_cases,
            mutants=[Mutant("falling", arguments={"turned": True})],
        ),
        OnWorlds(
            claim="CEhat_m - R_k against both bounds on spheres, m != k",
            sides=gap_sides,
            arguments={"pairs": ((1, 10), (10, 1), (10, 1000), (1000, 10))},
            mutants=[
                Mutant(
                    "a third of both bounds",
                    arguments={
                        "pairs": ((1, 10), (10, 1), (10, 1000), (1000, 10)),
                        "scale": 0.33,
                    },
                )
            ],
        ),
    ],
    remarks=(
        "The last relation improves the third where m < k and the last term is the one through the "
        "limit: D_m need not be added to D."
    ),
)
