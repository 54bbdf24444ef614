"""What the positive in the denominator adds to the risk: three bounds on R - R_dcl."""

from __future__ import annotations

from typing import Any

from sympy import Eq, Ge, Gt, Le, Min, Symbol, exp, log

from proofs.evidence import Attack, Averaged, Decided, Derived, Enumerated, Mutant, Use
from proofs.ledger import Constant, Statement, Step
from proofs.loss import S
from proofs.paper._shift import RANGE, harmless, largest, loss_dcl, shift_bounds, shift_steps, split
from proofs.paper._shift import definitions as tuple_definitions
from proofs.paper._tuple import loss_phi
from proofs.sharper._last_term_search import attack_bound
from proofs.sharper._pairs_of_anchors import X, reciprocal_sum
from proofs.sharper._search_bounds import last_cases
from proofs.symbols import CE, R, R_dcl, declare, e_tau, k, tau

__all__ = ["at", "branches", "gap_bound", "last", "statement", "within"]

gap_bound = declare("gap_bound", "D", "any bound on CE - R_dcl", nonnegative=True)
odds = declare(
    "last_odds", "u", "1 + e^{1/tau}/(k mu-hat), the most that the loss can gain", positive=True
)
odds_max = declare("last_odds_max", "u_1", "1 + e^{2/tau}/k, the largest value of u", positive=True)
share = declare("last_share", "v", "e^{1/tau}/(e^{1/tau} + k mu-hat) = 1 - 1/u", positive=True)
share_mean = declare("last_share_mean", r"\mathbb{E}v", "mean of e^{1/tau}/(e^{1/tau} + k mu-hat)")
X_points = declare(
    "X_points", r"X_{k+1}", "mean of 1/mu over the anchor and its k negatives", positive=True
)

#: The k + 1 points of a tuple, each with the mass 1/(k + 1), under their own embedding.
_points = {k: k + 1, Symbol("phi"): Symbol("phi_points")}
_definitions = {
    X_points: reciprocal_sum().subs(_points),
    odds: 1 + e_tau / (k * S),
    odds_max: 1 + exp(2 / tau) / k,
    share: e_tau / (e_tau + k * S),
}
_is_points, _odds, _odds_max, _share = (Eq(symbol, value) for symbol, value in _definitions.items())
within = Le(CE - R_dcl, gap_bound)
hypotheses = (*RANGE, within)

_factor = 1 + k / exp(2 / tau)
branches = (
    largest,
    e_tau / (k + 1) * _factor * largest,
    gap_bound + log(1 + e_tau / k),
)
last = Min(*branches)
claim = (Ge(R - R_dcl, 0), Le(R - R_dcl, last))

_between = (Gt(odds, 1), Le(odds, odds_max), Eq(1 - 1 / odds, share))
_product = Eq(log(odds / odds_max), log(odds) - log(odds_max))
_chord = Le(log(odds), odds_max / (odds_max - 1) * share * log(odds_max))
_one_point = Le(loss_phi - loss_dcl, _factor * largest * share)
_averaged = Le(R - R_dcl, _factor * largest * share_mean)
_reciprocal = Le((k + 1) * share_mean / e_tau, 1)
_smaller = e_tau / (k + 2) * _factor * largest


def at() -> tuple[Any, ...]:
    """Return the facts by which this statement is used, its hypotheses first."""
    return (*hypotheses, Use("last-term"))


statement = Statement(
    id="last-term",
    title="What the positive in the denominator adds to the risk",
    where="companion",
    assumptions=[
        "(A): the tuples are iid; phi has unit norm; anchors and negatives share phi and pi",
    ],
    hypotheses=hypotheses,
    claim=claim,
    definitions={
        **tuple_definitions,
        **_definitions,
        gap_bound: "any bound on CE - R_dcl: Gamma_k (`eq-11-sharp`), log cosh(1/tau) ...",
    },
    witness={**harmless, tau: 1, CE: 0, R_dcl: 0, gap_bound: 1},
    proof=[
        *shift_steps(),
        Step(
            text=(
                r"More finely: with $u = 1 + e^{1/\tau}/(k\hat\mu)$ the difference of the losses "
                r"is at most $\log u$, and $1 < u \le u_1 = 1 + e^{2/\tau}/k$."
            ),
            evidence=Decided(
                claim=_between,
                given=(_odds, _odds_max, _share, *RANGE),
                mutants=[Mutant("mu-hat >= e^{-1/tau} dropped", given=(_odds, _odds_max, _share))],
            ),
        ),
        Step(
            text="The logarithm of a quotient.",
            evidence=Derived(
                claim=_product,
                mutants=[Mutant("of a product", Eq(log(odds * odds_max), _product.rhs))],
            ),
        ),
        Step(
            text=(
                r"In $v = 1 - 1/u$ the function $\log u = -\log(1-v)$ is convex and vanishes at "
                r"0, so it lies below its chord to $u_1$: from $\log x \le x - 1$ at $u$ and at "
                "$u/u_1$."
            ),
            evidence=Decided(
                claim=_chord,
                given=(*_between, _product),
                mutants=[
                    Mutant("the slope of the tangent at 0", Le(log(odds), share)),
                    Mutant("u <= u_1 dropped", given=(_between[0], _between[2], _product)),
                ],
            ),
        ),
        Step(
            text=r"So it is at most $(1 + k e^{-2/\tau}) \log(1 + e^{2/\tau}/k)\,v$ ...",
            evidence=Decided(
                claim=_one_point,
                given=(split, _chord, *_between, _odds, _odds_max, *RANGE),
                mutants=[
                    Mutant("half of it", Le(loss_phi - loss_dcl, _factor * largest * share / 2)),
                    Mutant("any similarity", given=(split, _chord, *_between, _odds, _odds_max)),
                ],
            ),
        ),
        Step(
            text="... and so on average.",
            evidence=Averaged(
                claim=_averaged,
                pointwise=_one_point,
                given=(_one_point,),
                means={loss_phi: R, loss_dcl: R_dcl, share: share_mean},
                mutants=[Mutant("half of it", Le(R - R_dcl, _factor * largest * share_mean / 2))],
            ),
        ),
        Step(
            text=(
                "The reciprocal lemma for the uniform law on the $k+1$ points anchor and "
                r"negatives: $\sum_i 1/\sum_j e^{s_{ij}/\tau} \le 1$. The $k+1$ points are "
                r"exchangeable, and for the anchor the summand is $1/(e^{1/\tau} + k\hat\mu)$."
            ),
            evidence=Averaged(
                claim=_reciprocal,
                pointwise=Le(X_points, 1),
                given=(_is_points, Use("reciprocal-lemma", {X: X_points, **_points})),
                means={X_points: (k + 1) * share_mean / e_tau},
                mutants=[
                    Mutant("k + 2 points", Le((k + 2) * share_mean / e_tau, 1)),
                    Mutant("the reciprocal lemma not used", given=()),
                ],
            ),
        ),
        Step(
            text=r"Together: the second bound on $R - \tilde R$.",
            evidence=Decided(
                claim=Le(R - R_dcl, branches[1]),
                given=(_averaged, _reciprocal, Ge(R - R_dcl, 0)),
                mutants=[
                    Mutant("k + 2 for k + 1", Le(R - R_dcl, _smaller)),
                    Mutant("the reciprocal lemma not used", given=(_averaged, Ge(R - R_dcl, 0))),
                ],
            ),
        ),
        Step(
            text=(
                r"The third: $R$ exceeds its limit by at most $\log(1 + e^{1/\tau}/k)$ "
                r"(`prop-1-sharp`), and the limit exceeds $\tilde R$ by at most $D$."
            ),
            evidence=Decided(
                claim=Le(R - R_dcl, branches[2]),
                given=(within, Use("prop-1-sharp")),
                mutants=[
                    Mutant("no bound on CE - R_dcl", given=(Use("prop-1-sharp"),)),
                    Mutant("D alone", Le(R - R_dcl, gap_bound)),
                ],
            ),
        ),
        Step(
            text="So the least of the three bounds holds.",
            evidence=Decided(
                claim=claim,
                given=(*shift_bounds, *(Le(R - R_dcl, branch) for branch in branches[1:])),
                mutants=[
                    Mutant("half of the least", Le(R - R_dcl, last / 2)),
                    Mutant(
                        "the third not established",
                        given=(*shift_bounds, Le(R - R_dcl, branches[1])),
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=claim,
            cases=last_cases,
            mutants=[Mutant("half of it", arguments={"divide": 2})],
        ),
        Attack(
            claim=claim,
            search=attack_bound,
            restarts=3,
            mutants=[Mutant("half of it", arguments={"scale": 0.5})],
        ),
    ],
    constants=[
        Constant(
            name="last-term-second",
            formula=branches[1],
            printed=False,
            meaning=(
                "bound on R - R_dcl in nats: about e^{1/tau}/k, where Proposition 2 has e^{2/tau}/k"
            ),
            where="last-term",
        ),
    ],
    remarks=(
        "The first is the printed one; the second is best for large k, where it is e^{1/tau}/k; "
        "the third for few negatives at low temperature. How good they are: `open-last-term`."
    ),
)
