"""Proposition 3: the risk of every embedding of a class is close to its empirical risk."""

from __future__ import annotations

import math

from sympy import Eq, Ge, Integer, Le, log, sqrt

from proofs.evidence import Averaged, Cited, Decided, Mutant, OnWorlds, Sampled, Use
from proofs.ledger import Constant, Statement, Step
from proofs.loss import s_plus
from proofs.paper._coverage import coverage, looseness
from proofs.paper._second_order import Y
from proofs.paper.lemma_5 import LOSS_MIN, loss, s_plus_other
from proofs.paper.lemma_5 import statement as lemma_5
from proofs.symbols import Mean, R, R_hat, Rad_n, declare, delta, n, tau

__all__ = ["slack", "statement"]

ell = declare("ell", r"\ell", "loss of one tuple, in nats")
sign = declare("sign", r"\sigma", "random sign of one tuple, -1 or 1 with probability 1/2")
scaled = declare("scaled", "g", "the loss shifted and scaled to [0, 1]")
corr = declare(
    "corr", r"\overline{\sigma\ell}", "mean over the n tuples of sign times loss, at one embedding"
)
corr_scaled = declare(
    "corr_scaled",
    r"\overline{\sigma g}",
    "mean over the n tuples of sign times scaled loss, at one embedding",
)
sign_mean = declare("sign_mean", r"\bar\sigma", "mean of the n random signs")
sup_corr = declare(
    "sup_corr", r"\sup\overline{\sigma\ell}", "supremum over the class of the correlation"
)
sup_scaled = declare(
    "sup_scaled", r"\sup\overline{\sigma g}", "supremum over the class of the scaled correlation"
)
Rad_scaled = declare(
    "Rad_scaled",
    r"\widehat{\mathrm{Rad}}_n(g)",
    "empirical Rademacher complexity of the scaled loss class",
    nonnegative=True,
)

#: 3 sqrt(log(2/delta)/(2n)), the deviation of a class with values in [0, 1].
UNIT_SLACK = 3 * sqrt(log(2 / delta) / (2 * n))
bound = R_hat + 2 * Rad_n + (12 / tau) * sqrt(log(2 / delta) / (2 * n))


def slack(tau: float, k: int, n: int, delta: float) -> float:
    """Return (12/tau) sqrt(log(2/delta)/(2n)) in nats; k does not enter.

    >>> round(slack(0.5, 1, 1000, 0.05), 6)
    1.030727
    """
    return 12 / tau * math.sqrt(math.log(2 / delta) / (2 * n))


def no_slack(tau: float, k: int, n: int, delta: float) -> float:
    """Return 0: a bound that the coverage experiment must reject."""
    return 0.0


_definitions = (Eq(ell, loss), Eq(scaled, tau * (ell - LOSS_MIN) / 4))
_per_tuple = Le(sign * scaled, tau / 4 * (sign * ell - LOSS_MIN * sign))
_correlations = Le(corr_scaled, tau / 4 * (corr - LOSS_MIN * sign_mean))
_suprema = Le(sup_scaled, tau / 4 * (sup_corr - LOSS_MIN * sign_mean))
_rademacher = Le(Rad_scaled, tau / 4 * Rad_n)
_cited = Le(tau / 4 * (R - LOSS_MIN), tau / 4 * (R_hat - LOSS_MIN) + 2 * Rad_scaled + UNIT_SLACK)
_sups = (Le(sup_scaled, corr_scaled), Le(corr, sup_corr))

statement = Statement(
    id="prop-3",
    title="Generalisation through the empirical Rademacher complexity",
    where="Section 4, Proposition 3",
    assumptions=[
        "(A): the n tuples are iid",
        "suprema over the class are measurable and written as attained; where one is not, the "
        "relations hold for near-maximisers and pass to the limit",
        "the bound holds with probability at least 1 - delta, for all embeddings at once",
    ],
    hypotheses=(*lemma_5.hypotheses, *_sups),
    claim=Le(R, bound),
    definitions={
        ell: loss,
        scaled: tau * (ell - LOSS_MIN) / 4,
        Rad_n: "mean over the signs of the supremum over the class of the correlation",
        corr: "(1/n) sum_i sigma_i l_i at an embedding that maximises the scaled correlation",
    },
    witness={
        s_plus: 0,
        s_plus_other: 0,
        Y: 1,
        tau: 1,
        corr: 0,
        corr_scaled: 0,
        sup_corr: 0,
        sup_scaled: 0,
    },
    proof=[
        Step(
            text="Shifted and scaled, the loss lies in $[0, 1]$.",
            evidence=Decided(
                claim=(Ge(scaled, 0), Le(scaled, 1)),
                given=(*lemma_5.hypotheses, Use("lemma-5"), *_definitions),
                mutants=[
                    Mutant(
                        "the loss scaled by tau/3",
                        given=(
                            *lemma_5.hypotheses,
                            Use("lemma-5"),
                            _definitions[0],
                            Eq(scaled, tau * (ell - LOSS_MIN) / 3),
                        ),
                    ),
                    Mutant(
                        "not shifted",
                        given=(Use("lemma-5"), _definitions[0], Eq(scaled, tau * ell / 4)),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                "At every embedding the signs correlate with the scaled losses as they do with the "
                "losses, scaled, less a multiple of the mean sign."
            ),
            evidence=Averaged(
                claim=_correlations,
                pointwise=_per_tuple,
                given=_definitions,
                means={
                    sign: sign_mean,
                    ell: Mean(ell),
                    scaled: Mean(scaled),
                    sign * ell: corr,
                    sign * scaled: corr_scaled,
                },
                mutants=[
                    Mutant(
                        "the shift forgotten",
                        Le(corr_scaled, tau / 4 * corr),
                        pointwise=Le(sign * scaled, tau / 4 * sign * ell),
                    ),
                    Mutant(
                        "tau/5 for tau/4",
                        Le(corr_scaled, tau / 5 * (corr - LOSS_MIN * sign_mean)),
                        pointwise=Le(sign * scaled, tau / 5 * (sign * ell - LOSS_MIN * sign)),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                "Hence so do the suprema; average over the signs, whose mean has expectation 0: "
                "the complexity scales with the loss and ignores the shift."
            ),
            evidence=Averaged(
                claim=_rademacher,
                pointwise=_suprema,
                given=(*_sups, _correlations),
                means={sup_scaled: Rad_scaled, sup_corr: Rad_n, sign_mean: 0},
                mutants=[
                    Mutant(
                        "signs with expectation -1",
                        means={sup_scaled: Rad_scaled, sup_corr: Rad_n, sign_mean: -1},
                    ),
                    Mutant("tau/5 for tau/4", Le(Rad_scaled, tau / 5 * Rad_n)),
                    Mutant(
                        "the correlation may exceed its supremum", given=(_sups[0], _correlations)
                    ),
                ],
            ),
        ),
        Step(
            text=(
                "For a class with values in $[0, 1]$, with probability at least $1-\\delta$ every "
                "mean is at most the empirical mean, plus twice the empirical complexity, plus "
                "$3\\sqrt{\\log(2/\\delta)/(2n)}$."
            ),
            evidence=Cited(
                source="Mohri, Rostamizadeh & Talwalkar (2018), Theorem 3.3",
                claim=_cited,
            ),
        ),
        Step(
            text="Undo the scaling: $3 \\cdot 4/\\tau = 12/\\tau$.",
            evidence=Decided(
                claim=Le(R, bound),
                given=(_cited, _rademacher),
                mutants=[
                    Mutant("11/tau for 12/tau", Le(R, bound - UNIT_SLACK / (3 * tau))),
                    Mutant("one complexity for two", Le(R, bound - Rad_n)),
                    Mutant("no complexity of the scaled class", given=(_cited,)),
                ],
            ),
        ),
    ],
    crosschecks=[
        Sampled(
            claim="Among draws of n = 10 tuples a share of at most delta exceeds the bound.",
            draw=coverage,
            relation="<=",
            arguments={"slack": slack},
            mutants=[Mutant("no deviation term", arguments={"slack": no_slack})],
        ),
        OnWorlds(
            claim="The (1 - delta)-quantile of the largest deviation is below the mean bound.",
            sides=looseness,
            arguments={"slack": slack},
            mutants=[
                Mutant(
                    "a tenth of the complexity, no deviation term",
                    arguments={"slack": no_slack, "share": 0.1},
                )
            ],
        ),
    ],
    constants=[
        Constant(
            name="prop-3-twelve",
            formula=Integer(12),
            meaning="factor of (1/tau) sqrt(log(2/delta)/(2n)): three times the range 4/tau",
            where="Proposition 3",
        ),
    ],
)
