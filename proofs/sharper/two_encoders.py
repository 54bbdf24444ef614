"""Two encoders: a bound in terms of how far the laws of anchors and negatives overlap."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import Eq, Ge, Le, Rational, exp, log, sinh

from proofs.evidence import Argued, Averaged, Cited, Decided, Derived, Mutant, OnWorlds, Use
from proofs.ledger import Constant, Statement, Step
from proofs.paper._second_order import Y, b, mu, mu_hat
from proofs.sharper import poisson_domination, two_point_lemma
from proofs.sharper._certified_numbers import CStar, Gamma
from proofs.sharper._gap import GAP, gap, gap_two, range_step, unit_range
from proofs.sharper._pairs_of_anchors import X
from proofs.sharper._two_encoders import sides
from proofs.sharper.poisson_constant import K, excess, mean_log, x_rate
from proofs.symbols import CE, Mean, R_dcl, declare, k, tau

__all__ = ["one_anchor", "statement", "tv"]

tv = declare(
    "tv",
    r"\delta_{\mathrm{TV}}",
    "total variation distance of the laws of the anchors' and the negatives' embeddings",
    nonnegative=True,
)
gap_shared = declare(
    "gap_shared", r"\int\mathrm{gap}\,d(\alpha\wedge\nu)", "the gap over the shared part, in nats"
)
gap_apart = declare(
    "gap_apart", r"\mathbb{E}_{\alpha\setminus\nu}\,\mathrm{gap}", "its mean over the rest"
)
X_shared = declare(
    "X_shared", r"\int\mu^{-1}\,d(\alpha\wedge\nu)", "1/mu over the shared part", nonnegative=True
)

_low, _high = exp(-1 / tau), exp(1 / tau)
_range = unit_range(Y, mu_hat)
_two_point = two_point_lemma.at(_low, _high)
_ends = _two_point[:-1]
_domination = poisson_domination.at(_low, _high)
upper = Gamma(k, tau)
one_anchor = CStar() * sinh(1 / tau) ** 2 / (2 * k)

_is = {
    gap: Eq(gap, GAP),
    excess: Eq(excess, 8 * K * (log(1 + x_rate) - mean_log)),
}
_range_of_mu = (Ge(mu, _low), Le(mu, _high))
_per_anchor = Le(gap, gap_two)
_suprema = (Le(mu * gap_two, upper), Le(excess, CStar()))
_dominated = (Le(gap_two, log(1 + x_rate) - mean_log), Eq(K, k / (_high - _low) ** 2))
_sinh = Eq(sinh(1 / tau), (_high - _low) / 2)
_by_mean, _by_constant = Le(gap, upper / mu), Le(gap, one_anchor)
_split = (Eq(CE - R_dcl, gap_shared + tv * gap_apart), Le(X_shared, X))
_shared = Le(gap_shared, upper * X_shared)
_apart = Le(gap_apart, one_anchor)
_all = Le(CE - R_dcl, one_anchor)
claim = (Le(CE - R_dcl, upper + tv * one_anchor), _all)


def _slope(*, digits: int, tau: Fraction, k: int) -> Any:
    from proofs.sharper._sufficient_k import one_anchor_bound

    return one_anchor_bound(1 / Fraction(tau), k, digits)


statement = Statement(
    id="two-encoders",
    title="Two encoders: a bound in terms of how far their laws overlap",
    where="companion",
    assumptions=[
        "(A): the tuples are iid; anchors are embedded by one encoder, positives and negatives by "
        "another, all into the same unit sphere",
        "b = exp(-s(a, +)/tau) for the positive, Y = exp(s(a, z)/tau) for a negative z",
    ],
    claim=claim,
    definitions={
        upper: "the Gamma_k of `eq-11-sharp`",
        tv: "total variation distance of alpha, the law of the anchors' embeddings, and nu, that "
        "of the negatives'",
        X: "the integral of 1/mu over nu",
        **two_point_lemma.law_on_ends(_low, _high),
        **poisson_domination.shifted_poisson(_low, _high),
        gap: GAP,
        excess: 8 * K * (log(1 + x_rate) - mean_log),
    },
    witness={},
    proof=[
        range_step(),
        Step(
            text=r"$\mu$ lies in the same range.",
            evidence=Averaged(
                claim=_range_of_mu,
                pointwise=(Ge(Y, _low), Le(Y, _high)),
                given=_range[:2],
                means={Y: mu},
                mutants=[Mutant("1 for e^{1/tau}", Le(mu, 1), pointwise=Le(Y, 1))],
            ),
        ),
        Step(
            text="For one anchor: the law on the two ends with the same mean has the larger gap.",
            evidence=Decided(
                claim=_per_anchor,
                given=(*_range, *_two_point),
                mutants=[
                    Mutant("half of it", Le(gap, gap_two / 2)),
                    Mutant("the range of Y not known", given=_two_point),
                ],
            ),
        ),
        Step(
            text="A shifted Poisson variable has a larger one still.",
            evidence=Decided(
                claim=_dominated,
                given=(*_range_of_mu, *_ends, *_domination),
                mutants=[
                    Mutant("half of K", Eq(K, k / (2 * (_high - _low) ** 2))),
                    Mutant(
                        "mu <= e^{1/tau} not known",
                        given=(_range_of_mu[0], *_ends, *_domination),
                    ),
                ],
            ),
        ),
        Step(
            text=r"$\Gamma_k$ and $C_*$ are suprema.",
            evidence=Cited(source="definition of a supremum", claim=_suprema),
        ),
        Step(
            text=r"$\sinh(1/\tau)$ by exponentials.",
            evidence=Derived(
                claim=_sinh,
                mutants=[Mutant("the sum", Eq(sinh(1 / tau), (_high + _low) / 2))],
            ),
        ),
        Step(
            text=r"So an anchor's gap is at most $\Gamma_k/\mu$, and at most a constant.",
            evidence=Decided(
                claim=(_by_mean, _by_constant),
                given=(_per_anchor, *_dominated, *_suprema, _is[excess], _sinh),
                mutants=[
                    Mutant("half of Gamma_k", Le(gap, upper / mu / 2)),
                    Mutant("9/10 of the constant", Le(gap, Rational(9, 10) * one_anchor)),
                ],
            ),
        ),
        Step(
            text=(
                r"Split the anchors' law $\alpha$ into the part $\alpha\wedge\nu$ that it shares "
                r"with the negatives' law $\nu$ and the rest, of mass $\delta_{\mathrm{TV}}$."
            ),
            evidence=Argued(
                text=(
                    "With densities f and g of alpha and nu with respect to alpha + nu, the shared "
                    "part has density min(f, g) and the rest (f - g)^+, whose mass is the total "
                    "variation distance. CE - R_dcl is the integral of the gap over alpha, since "
                    "the positive's term cancels. The shared part is at most nu and 1/mu is "
                    "positive, so its integral over the shared part is at most that over nu."
                ),
                why="decomposition of measures",
                claim=_split,
            ),
        ),
        Step(
            text=r"Over the shared part use $\Gamma_k/\mu$ ...",
            evidence=Averaged(
                claim=_shared,
                pointwise=_by_mean,
                given=(_by_mean,),
                means={gap: gap_shared, 1 / mu: X_shared},
                mutants=[Mutant("half of it", Le(gap_shared, upper * X_shared / 2))],
            ),
        ),
        Step(
            text="... over the rest the constant ...",
            evidence=Averaged(
                claim=_apart,
                pointwise=_by_constant,
                given=(_by_constant,),
                means={gap: gap_apart},
                mutants=[Mutant("half of it", Le(gap_apart, one_anchor / 2))],
            ),
        ),
        Step(
            text="... or over all anchors the constant.",
            evidence=Averaged(
                claim=_all,
                pointwise=Le(GAP, one_anchor),
                given=(_by_constant, _is[gap]),
                means={
                    log(mu): CE + Mean(-log(b)),
                    Mean(log(mu_hat)): R_dcl + Mean(-log(b)),
                },
                mutants=[Mutant("half of it", Le(CE - R_dcl, one_anchor / 2))],
            ),
        ),
        Step(
            text=(
                r"`reciprocal-lemma`, for $\nu$ in both parts, bounds the integral of $1/\mu$ over "
                r"$\nu$ by 1."
            ),
            evidence=Decided(
                claim=claim,
                given=(*_split, _shared, _apart, _all, Use("reciprocal-lemma")),
                mutants=[
                    Mutant("the first term left out", Le(CE - R_dcl, tv * one_anchor)),
                    Mutant("the second term left out", Le(CE - R_dcl, upper)),
                    Mutant("X <= 1 not used", given=(*_split, _shared, _apart, _all)),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=claim,
            sides=sides,
            mutants=[Mutant("half the bound", arguments={"scale": 0.5})],
        ),
    ],
    constants=[
        Constant(
            name="two-encoders-slope",
            formula=one_anchor,
            printed=False,
            meaning="factor of the total variation distance in the bound on CE - R, in nats",
            where="two-encoders",
            ball=_slope,
        ),
    ],
    remarks=(
        "With R >= R_dcl the same bounds hold for CE - R of InfoNCE. Where the laws agree the "
        "first is `eq-11-sharp`; the second is what `lemma-2-sharp` gives whatever the laws. How "
        "good the first is between the two ends is `open-two-encoders`."
    ),
)
