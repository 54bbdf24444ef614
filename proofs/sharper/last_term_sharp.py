"""R - R_dcl is at most Lambda_k, a maximum over two-point laws: best possible as k grows."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sympy import Derivative, Eq, Gt, Integer, Le, Symbol, exp, log

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
from proofs.ledger import Statement, Step
from proofs.loss import S
from proofs.paper._second_order import Y, mu
from proofs.paper._shift import RANGE, definitions, harmless, loss_dcl, shift_steps, split
from proofs.paper._tuple import loss_phi
from proofs.sharper import two_point_lemma
from proofs.sharper._gap import unit_range
from proofs.sharper._pairs_of_anchors import X
from proofs.symbols import R, R_dcl, declare, e_tau, k, tau

__all__ = ["statement"]

gain = declare(
    "gain", r"\mathbb{E}\log(1 + e^{1/\tau}/(k\hat\mu))", "given the anchor", positive=True
)
gain_two = declare(
    "gain_two", r"G(\mu)", "the same for the two-point law of the same mean", positive=True
)
gain_mean = declare(
    "gain_mean", r"\mathbb{E}\,\mathrm{gain}", "its mean over the anchors", positive=True
)
gain_max = declare(
    "gain_max",
    r"\Lambda_k",
    "largest mu G(mu) over laws on {e^{-1/tau}, e^{1/tau}} of mean mu, in nats",
    positive=True,
)
y = Symbol("y", positive=True)
c_gain = Symbol("c", positive=True)

_largest = log(1 + e_tau / (k * S))
_one_tuple = Le(loss_phi - loss_dcl, _largest)
_mean = Le(R - R_dcl, gain_mean)
_second = c_gain * (2 * y + c_gain) / (y**2 * (y + c_gain) ** 2)
_curvature = Eq(Derivative(log(1 + c_gain / y), y, 2), _second)
_worst = Le(gain, gain_two)
_defined = Le(mu * gain_two, gain_max)
_by_reciprocal = Le(gain_mean, gain_max * X)
_range = unit_range(Y)
_two_points = two_point_lemma.at(exp(-1 / tau), e_tau, mean_f=-gain, mean_f_two=-gain_two)
claim = Le(R - R_dcl, gain_max)


def largest_gain(t: float, k: int) -> float:
    """Return Lambda_k in float64, the maximum over a fine grid of two-point laws."""
    import numpy as np
    from scipy.stats import binom

    best = 0.0
    j = np.arange(k + 1)
    log_sum = np.logaddexp(np.log(np.maximum(j, 1e-300)) + t, np.log(np.maximum(k - j, 1e-300)) - t)
    gains = np.logaddexp(0, t - log_sum)
    for p in np.concatenate([np.geomspace(1e-9, 1, 400), [0.0]]):
        mean = p * np.exp(t) + (1 - p) * np.exp(-t)
        best = max(best, float(mean * (binom.pmf(j, k, p) @ gains)))
    return best


def gain_sides(*, scale: float = 1.0) -> Iterator[Compared]:
    """Yield R - R_dcl over the standard worlds against Lambda_k."""
    from numerics import exact
    from proofs.measure import standard_worlds

    for tau_ in (Fraction(1, 2), Fraction(1), Fraction(3)):
        for count in (1, 4, 16, 256):
            bound = scale * largest_gain(1 / float(tau_), count)
            for world in standard_worlds():
                infonce, dcl = (
                    exact.evaluate(world, tau_, count, loss).bias for loss in ("infonce", "dcl")
                )
                label = f"{world.spec()}, tau = {tau_}, k = {count}"
                yield Compared(label, infonce - dcl, bound)


statement = Statement(
    id="last-term-sharp",
    title="R - R_dcl is at most Lambda_k, which is best possible as k grows",
    where="companion",
    assumptions=[
        "(A): the tuples are iid; phi has unit norm; anchors and negatives share phi and pi",
    ],
    hypotheses=(*RANGE, _defined),
    claim=claim,
    definitions={
        **definitions,
        **two_point_lemma.law_on_ends(exp(-1 / tau), e_tau),
        gain_two: "mean of log(1 + e^{1/tau}/(k mu-hat)), Y on {e^{-1/tau}, e^{1/tau}} of mean mu",
        gain_max: "max over mu of mu G(mu): a maximum over one probability p",
    },
    witness={**harmless, tau: 1, mu: 1, gain_two: Integer(1) / 2, gain_max: 1},
    proof=[
        shift_steps()[0],
        Step(
            text=r"It is largest where the positive coincides with the anchor.",
            evidence=Averaged(
                claim=_mean,
                pointwise=_one_tuple,
                given=(split, *RANGE),
                means={loss_phi: R, loss_dcl: R_dcl, _largest: gain_mean},
                mutants=[
                    Mutant("s_+ <= 1 dropped", given=(split, RANGE[1])),
                    Mutant("half of it", Le(R - R_dcl, gain_mean / 2)),
                ],
            ),
        ),
        Step(
            text=r"$\log(1 + c/y)$ has second derivative $c(2y + c)/(y^2 (y+c)^2)$ ...",
            evidence=Derived(
                claim=_curvature,
                mutants=[
                    Mutant("y + c for 2y + c", Eq(_curvature.lhs, c_gain / (y**2 * (y + c_gain))))
                ],
            ),
        ),
        Step(
            text="... and is convex for $c, y > 0$.",
            evidence=Decided(
                claim=Gt(_second, 0, evaluate=False),
                mutants=[Mutant("below 1", Gt(1, _second))],
            ),
        ),
        Step(
            text=r"Unit vectors: $|s| \le 1$, so $Y$ lies in $[e^{-1/\tau}, e^{1/\tau}]$.",
            evidence=Cited(source="Cauchy-Schwarz inequality", claim=_range),
        ),
        Step(
            text=(
                "So the two-point lemma applies to minus it: given the anchor, of all laws on "
                r"$[e^{-1/\tau}, e^{1/\tau}]$ with mean $\mu$ the one on the ends gains most."
            ),
            evidence=Decided(
                claim=_worst,
                given=(*_range, *_two_points),
                mutants=[
                    Mutant("half of it", Le(gain, gain_two / 2)),
                    Mutant("the two-point lemma not used", given=_range),
                ],
            ),
        ),
        Step(
            text=r"By the definition of $\Lambda_k$ an anchor gains at most $\Lambda_k/\mu$.",
            evidence=Averaged(
                claim=_by_reciprocal,
                pointwise=Le(gain, gain_max / mu),
                given=(_worst, _defined),
                means={gain: gain_mean, 1 / mu: X},
                mutants=[
                    Mutant("Lambda_k not the largest", given=(_worst,)),
                ],
            ),
        ),
        Step(
            text=r"And $1/\mu$ has mean at most 1.",
            evidence=Decided(
                claim=claim,
                given=(_mean, _by_reciprocal, Use("reciprocal-lemma")),
                mutants=[
                    Mutant("9/10 of it", Le(R - R_dcl, gain_max * 9 / 10)),
                    Mutant("the reciprocal lemma not used", given=(_mean, _by_reciprocal)),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=claim,
            sides=gain_sides,
            mutants=[Mutant("9/10 of it", arguments={"scale": 0.9})],
        ),
    ],
    remarks=(
        "As k grows k Lambda_k tends to e^{1/tau}, and log(1 + e^{1/tau}/k) is approached "
        "(`open-last-term`): for large k nothing is lost. For few negatives at low temperature "
        "`last-term` is smaller."
    ),
)
