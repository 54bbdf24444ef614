r"""From a class with values in [0, 1] to a class of losses: the steps of Proposition 3.

A loss with values in [low, low + 4/tau] is shifted and scaled to g = tau (l - low)/4. The empirical
Rademacher complexity scales with it and ignores the shift.
"""

from __future__ import annotations

from typing import Any

from sympy import Eq, Expr, Ge, Integer, Le, Rational, log, sqrt

from proofs.evidence import Averaged, Cited, Decided, Mutant
from proofs.evidence.supremum import Supremum
from proofs.ledger import Step
from proofs.symbols import Mean, declare, delta, n, tau

__all__ = [
    "DEVIATION",
    "MEASURABLE",
    "corr",
    "ell",
    "generalisation_steps",
    "loss_range",
    "scaled",
    "sign",
    "sup_corr",
]

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
UNIT_DEVIATION = 3 * sqrt(log(2 / delta) / (2 * n))
#: The same for the losses, in nats.
DEVIATION = (12 / tau) * sqrt(log(2 / delta) / (2 * n))
MEASURABLE = "suprema over the class are measurable"


def scaling(low: Expr, divisor: int = 4) -> Any:
    """Return the definition of the scaled loss for losses of at least `low`."""
    return Eq(scaled, tau * (ell - low) / divisor)


def loss_range(low: Expr) -> tuple[Any, Any]:
    """Return what `generalisation_steps` takes as known: the loss lies in [low, low + 4/tau]."""
    return Ge(ell, low), Le(ell, low + 4 / tau)


def generalisation_steps(low: Expr, risk: Expr, empirical: Expr, complexity: Expr) -> list[Step]:
    """Return the steps from `loss_range` to ``risk <= empirical + 2 Rad + DEVIATION``.

    Parameters
    ----------
    low : Expr
        The smallest value of the loss.
    risk, empirical, complexity : Expr
        Population risk, empirical risk and empirical Rademacher complexity of the losses (nats).
    """
    bound = empirical + 2 * complexity + DEVIATION
    correlations = Le(corr_scaled, tau / 4 * (corr - low * sign_mean))
    suprema = Le(sup_scaled, tau / 4 * (sup_corr - low * sign_mean))
    rademacher = Le(Rad_scaled, tau / 4 * complexity)
    unit = Le(tau / 4 * (risk - low), tau / 4 * (empirical - low) + 2 * Rad_scaled + UNIT_DEVIATION)
    means = {sup_scaled: Rad_scaled, sup_corr: complexity, sign_mean: 0}
    return [
        Step(
            text="Shifted and scaled, the loss lies in $[0, 1]$.",
            evidence=Decided(
                claim=(Ge(scaled, 0), Le(scaled, 1)),
                given=(*loss_range(low), scaling(low)),
                mutants=[
                    Mutant("scaled by tau/3", given=(*loss_range(low), scaling(low, 3))),
                    Mutant("not shifted", given=(*loss_range(low), scaling(Integer(0)))),
                ],
            ),
        ),
        Step(
            text=(
                "At every embedding the signs correlate with the scaled losses as they do with the "
                "losses, scaled, less a multiple of the mean sign."
            ),
            evidence=Averaged(
                claim=correlations,
                pointwise=Le(sign * scaled, tau / 4 * (sign * ell - low * sign)),
                given=(scaling(low),),
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
                        Le(corr_scaled, tau / 5 * (corr - low * sign_mean)),
                        pointwise=Le(sign * scaled, tau / 5 * (sign * ell - low * sign)),
                    ),
                ],
            ),
        ),
        Step(
            text="Hence so do the suprema over the class.",
            evidence=Supremum(
                claim=suprema,
                suprema={sup_scaled: corr_scaled, sup_corr: corr},
                varying=(corr, corr_scaled),
                given=(correlations,),
                mutants=[
                    Mutant("the shift forgotten", Le(sup_scaled, tau / 4 * sup_corr)),
                    Mutant("tau/5 for tau/4", Le(sup_scaled, suprema.rhs * Rational(4, 5))),
                ],
            ),
        ),
        Step(
            text=(
                "Average over the signs, whose mean has expectation 0: the complexity scales with "
                "the loss and ignores the shift."
            ),
            evidence=Averaged(
                claim=rademacher,
                pointwise=suprema,
                given=(suprema,),
                means=means,
                mutants=[
                    Mutant("signs of expectation 1", means={**means, sign_mean: 1}),
                    Mutant("tau/5 for tau/4", Le(Rad_scaled, tau / 5 * complexity)),
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
                claim=unit,
            ),
        ),
        Step(
            text="Undo the scaling: $3 \\cdot 4/\\tau = 12/\\tau$.",
            evidence=Decided(
                claim=Le(risk, bound),
                given=(unit, rademacher),
                mutants=[
                    Mutant("11/tau for 12/tau", Le(risk, bound - DEVIATION / 12)),
                    Mutant("one complexity for two", Le(risk, bound - complexity)),
                    Mutant("no complexity of the scaled class", given=(unit,)),
                ],
            ),
        ),
    ]
