"""Proposition 1 with e^{1/tau} in place of e^{2/tau} below and e^{4/tau} above."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from sympy import Eq, Expr, Ge, Integer, Le, exp, expand_log, log, simplify

from proofs.constants import target
from proofs.evaluate import enclose
from proofs.evidence import (
    Averaged,
    Cited,
    Compared,
    Decided,
    Derived,
    Mutant,
    OnWorlds,
    Use,
)
from proofs.ledger import Constant, Statement, Step
from proofs.measure import largest_ratio
from proofs.paper._second_order import b, mu, mu_hat
from proofs.sharper._certified_numbers import Gamma, KForRisk
from proofs.sharper._pairs_of_anchors import X
from proofs.sharper.eq_11_sharp import statement as dcl
from proofs.symbols import CE, Mean, R, R_dcl, declare, e_tau, k, tau

__all__ = ["lower", "statement", "upper"]

inverse_b_mu = declare(
    "inverse_b_mu",
    r"\mathbb{E}\tfrac{1}{b\mu}",
    "mean of 1/(b mu) over anchors and positives",
    positive=True,
)

lower = -log(1 + e_tau / k)
upper = Gamma(k, tau)
claim = (Ge(CE - R, lower), Le(CE - R, upper))

_least = Ge(b, exp(-1 / tau))
_pair = Mean(log(1 / k + b * mu_hat))
_dcl_pair = Mean(log(b * mu_hat))
_above = Ge(R - R_dcl, 0)
_jensen = Le(_pair, log(1 / k + b * mu))
_split = Eq(log(b * mu) - log(1 / k + b * mu), -log(1 + 1 / (k * b * mu)))
_by_anchor = Ge(log(b * mu) - _pair, -log(1 + 1 / (k * b * mu)))
_mean_log = Mean(log(1 + 1 / (k * b * mu)))
_averaged = Ge(CE - R, -_mean_log)
_outer_jensen = Le(_mean_log, log(1 + inverse_b_mu / k))
_reciprocal = Le(inverse_b_mu, e_tau * X)
_smaller = -log(1 + e_tau / (2 * k))


def _sides(*, scale: float = 1.0) -> Iterator[Compared]:
    """Compare R - CE with log(1 + e^{1/tau}/k) over the standard worlds and very many classes."""
    from numerics import exact
    from numerics.worlds import Classes
    from proofs.measure import standard_worlds

    for temperature, count in product((Fraction(1, 10), Fraction(1), Fraction(3)), (1, 16, 10**6)):
        bound = scale * float(enclose(-lower, {tau: temperature, k: count}))
        for world in (*standard_worlds(), Classes(10**12)):
            left = exact.evaluate(world, temperature, count, "infonce").bias
            yield Compared(f"{world.spec()}, tau = {temperature}, k = {count}", left, bound)


def _k_needed(*, digits: int, target: Fraction, tau: Fraction) -> Any:
    from proofs.sharper._sufficient_k import as_ball, sufficient_for_risk

    return as_ball(sufficient_for_risk(1 / Fraction(tau), Fraction(target)))


def _aligned(kernel: Expr) -> Expr:
    """Return limit - loss for an aligned positive and negatives that all have that kernel."""
    return log(kernel / e_tau) - log(1 / k + kernel / e_tau)


def _by_logs(expression: Expr) -> Expr:
    return simplify(expand_log(expression, force=True))


statement = Statement(
    id="prop-1-sharp",
    title="The risk is within O(e^{1/tau}/k) of the cross-entropy on both sides",
    where="companion",
    assumptions=[
        "(A): the tuples are iid; phi has unit norm; anchors and negatives share pi and phi",
        "b = exp(-s(a, +)/tau) for the positive, Y = exp(s(a, z)/tau) for z ~ pi",
    ],
    claim=claim,
    definitions={
        b: "exp(-s(a, +)/tau), at least e^{-1/tau}",
        mu: "E Y given the anchor",
        upper: dcl.definitions[upper],
    },
    proof=[
        Step(
            text=r"Unit vectors: similarities lie in $[-1, 1]$, so $b \ge e^{-1/\tau}$.",
            evidence=Cited(source="Cauchy-Schwarz inequality", claim=_least),
        ),
        Step(
            text=r"Above: dropping $1/k$ inside the logarithm lowers it, so $R \ge \tilde R$ ...",
            evidence=Averaged(
                claim=_above,
                pointwise=Ge(log(1 / k + b * mu_hat) - log(b * mu_hat), 0),
                means={log(1 / k + b * mu_hat): R, log(b * mu_hat): R_dcl},
                mutants=[
                    Mutant(
                        "by at least 1/k",
                        Ge(R - R_dcl, 1 / k),
                        pointwise=Ge(log(1 / k + b * mu_hat) - log(b * mu_hat), 1 / k),
                    ),
                ],
            ),
        ),
        Step(
            text=r"... and `eq-11-sharp` bounds $\mathrm{CE} - \tilde R$.",
            evidence=Decided(
                claim=claim[1],
                given=(_above, Use("eq-11-sharp")),
                mutants=[
                    Mutant("half of Gamma_k", Le(CE - R, upper / 2)),
                    Mutant("R >= R_dcl not used", given=(Use("eq-11-sharp"),)),
                ],
            ),
        ),
        Step(
            text=r"Below: for one anchor and positive, Jensen over the negatives.",
            evidence=Cited(source="Jensen's inequality", claim=_jensen),
        ),
        Step(
            text=r"The difference of the logarithms, as in Lemma 2.",
            evidence=Derived(
                claim=_split,
                by=_by_logs,
                mutants=[
                    Mutant("k dropped", Eq(_split.lhs, -log(1 + 1 / (b * mu)))),
                ],
            ),
        ),
        Step(
            text="So, for one anchor and positive:",
            evidence=Decided(
                claim=_by_anchor,
                given=(_jensen, _split),
                mutants=[
                    Mutant("0 for the bound", Ge(log(b * mu) - _pair, 0)),
                    Mutant("Jensen dropped", given=(_split,)),
                ],
            ),
        ),
        Step(
            text="Average over anchors and positives.",
            evidence=Averaged(
                claim=_averaged,
                pointwise=_by_anchor,
                given=(_by_anchor,),
                means={
                    log(b * mu): CE,
                    _pair: R,
                    log(1 + 1 / (k * b * mu)): _mean_log,
                },
                mutants=[Mutant("half of it", Ge(CE - R, -_mean_log / 2))],
            ),
        ),
        Step(
            text="Jensen once more, over anchors and positives.",
            evidence=Cited(source="Jensen's inequality", claim=_outer_jensen),
        ),
        Step(
            text=r"$1/b \le e^{1/\tau}$; what is left is $X$, the mean of $1/\mu$.",
            evidence=Averaged(
                claim=_reciprocal,
                pointwise=Le(1 / (b * mu), e_tau / mu),
                given=(_least,),
                means={1 / (b * mu): inverse_b_mu, 1 / mu: X},
                mutants=[
                    Mutant(
                        "1 for e^{1/tau}",
                        Le(inverse_b_mu, X),
                        pointwise=Le(1 / (b * mu), 1 / mu),
                    ),
                    Mutant("b >= e^{-1/tau} dropped", given=()),
                ],
            ),
        ),
        Step(
            text=r"By `reciprocal-lemma` $X \le 1$.",
            evidence=Decided(
                claim=claim,
                given=(claim[1], _averaged, _outer_jensen, _reciprocal, Use("reciprocal-lemma")),
                mutants=[
                    Mutant("e^{1/tau}/2 for e^{1/tau}", Ge(CE - R, _smaller)),
                    Mutant(
                        "X <= 1 not used",
                        given=(claim[1], _averaged, _outer_jensen, _reciprocal),
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        Derived(
            claim=Eq(_aligned(Integer(1)), lower, evaluate=False),
            by=_by_logs,
            mutants=[Mutant("negatives of similarity 1", Eq(_aligned(e_tau), lower))],
        ),
        OnWorlds(
            claim=claim[0],
            sides=_sides,
            mutants=[Mutant("0.999 of the bound", arguments={"scale": 0.999})],
        ),
    ],
    constants=[
        Constant(
            name="prop-1-sharp-lower",
            sharpens="prop-1-lower",
            formula=-lower,
            printed=False,
            meaning="upper bound on R - CE, in nats; attained in the limit of many classes",
            where="prop-1-sharp",
            looseness=largest_ratio(lambda r: r.bias, -lower),
        ),
        Constant(
            name="prop-1-sharp-exponent",
            sharpens="prop-1-exponent",
            formula=Integer(1),
            printed=False,
            meaning="the 1 of exp(1/tau)/k below; 2 in print",
            where="prop-1-sharp",
        ),
        Constant(
            name="prop-1-sharp-k",
            sharpens="prop-1-k",
            formula=KForRisk(target, tau),
            printed=False,
            meaning="negatives that suffice for |CE - R| of at most the target",
            where="prop-1-sharp",
            ball=_k_needed,
        ),
    ],
    remarks=(
        "The lower bound is attained for every k in the limit of many orthonormal classes with "
        "aligned positives (every negative then has similarity 0). The upper bound is valid only: "
        "see `leading-constant` for its best constant of 1/k."
    ),
)
