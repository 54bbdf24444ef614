"""B_tau tends to a constant as the number of negatives grows; a maximum of norms does not."""

from __future__ import annotations

from sympy import Eq, Ge, Le, Limit, Min, Rational, oo, sqrt

from proofs.evidence import Averaged, Cited, Decided, Derived, Enumerated, Estimate, Mutant, Sampled
from proofs.ledger import Statement, Step
from proofs.paper._growth import (
    STAY,
    below,
    gaussian_moment,
    none_beyond,
    plane_maximum,
    product_rule,
    stay,
)
from proofs.paper._lipschitz_class import PAPER_ORDER, rms_anchor, rms_positive
from proofs.symbols import declare, k, tau

moment = declare(
    "moment",
    r"\mathbb E\,g(Z)^{2/\min(1,\tau)}",
    "moment of the envelope of order 2/min(1, tau), finite",
    nonnegative=True,
)
mean_limit = declare(
    "mean_limit",
    r"\lim_k \frac1{nk}\sum_{ij} g(z_{ij})^{2/\min(1,\tau)}",
    "limit, as k grows, of the mean of that power over all negatives",
    nonnegative=True,
)
B_limit = declare(
    "B_limit", r"\lim_k B_\tau", "limit of B_tau as k grows, n fixed", nonnegative=True
)
level = declare("level", "r", "a level that some norms exceed", positive=True)
largest = declare("largest", r"\max_j g(z_j)", "largest of k norms", nonnegative=True)
largest_mean = declare(
    "largest_mean", r"\mathbb E\max_j g(z_j)", "mean of the largest of k norms", nonnegative=True
)
beyond = declare("beyond", r"1\{\max g > r\}", "1 if the largest norm exceeds r, else 0", real=True)

_limit = Eq(B_limit, rms_anchor + rms_positive + moment ** (Min(1, tau) / 2))
_power = Eq(B_limit, rms_anchor + rms_positive + mean_limit ** (1 / PAPER_ORDER))
_maximum = Ge(largest_mean, level * k * (1 - stay) / (1 + k * (1 - stay)))
_markov = Ge(largest_mean, level * (1 - below))
_indicator = (Ge(largest, level * beyond),)


def _sixth(*, seed: int, dimension: int, order: int, k: int) -> Estimate:
    """Return the estimate of the moment of order + 2, with the target of the given order."""
    found = gaussian_moment(seed=seed, dimension=dimension, order=order + 2, k=k)
    target = gaussian_moment(seed=seed, dimension=dimension, order=order, k=2).target
    return Estimate(found.mean, found.stderr, target)


statement = Statement(
    id="limit-stable-in-k",
    title="The bound stabilises as k grows, where a maximum of norms would not",
    where="Section 4, remarks after Proposition 5",
    assumptions=[
        (
            "the negatives are iid and their norms (or envelopes) have a finite moment of order "
            "2/min(1, tau)"
        ),
        "n and the anchors and positives are fixed while k grows; limits hold almost surely",
        "r is any level that a norm exceeds with positive probability",
    ],
    hypotheses=(STAY, *_indicator),
    claim=(_limit, _maximum),
    definitions={
        below: stay**k,
        B_limit: rms_anchor + rms_positive + mean_limit ** (1 / PAPER_ORDER),
    },
    witness={stay: Rational(1, 2), largest: 1, level: 1, beyond: 1},
    remarks=(
        "The second claim says that the mean of the largest norm exceeds, in the limit, every "
        "level below the essential supremum: it diverges for unbounded norms. Without the finite "
        "moment the first claim fails, see `erratum-heavy-tails`."
    ),
    proof=[
        Step(
            text="Strong law of large numbers, for the $nk$ independent powers of norms.",
            evidence=Cited(
                source="Kolmogorov's strong law of large numbers", claim=Eq(mean_limit, moment)
            ),
        ),
        Step(
            text="$B_\\tau$ is a continuous function of that mean.",
            evidence=Derived(
                claim=_limit,
                given=(_power, Eq(mean_limit, moment)),
                mutants=[
                    Mutant(
                        "the power 1/2 for min(1, tau)/2",
                        Eq(B_limit, rms_anchor + rms_positive + sqrt(moment)),
                    )
                ],
            ),
        ),
        product_rule(),
        none_beyond(),
        Step(
            text="The largest norm is at least $r$ where it exceeds $r$; take means.",
            evidence=Averaged(
                claim=_markov,
                pointwise=Ge(largest, level * beyond),
                given=_indicator,
                means={largest: largest_mean, beyond: 1 - below},
                mutants=[
                    Mutant("r^2 for r", Ge(largest_mean, level**2 * (1 - below))),
                    Mutant(
                        "the chance of the opposite", means={largest: largest_mean, beyond: below}
                    ),
                ],
            ),
        ),
        Step(
            text="As $k$ grows that lower bound tends to $r$.",
            evidence=Derived(
                claim=Eq(Limit(level * k * (1 - stay) / (1 + k * (1 - stay)), k, oo), level),
                mutants=[
                    Mutant(
                        "half of it",
                        Eq(Limit(level * k * (1 - stay) / (1 + k * (1 - stay)), k, oo), level / 2),
                    )
                ],
            ),
        ),
        Step(
            text="Together: the power mean converges, the maximum passes every level.",
            evidence=Decided(
                claim=(_limit, _maximum),
                given=(_limit, _markov, Le(below * (1 + k * (1 - stay)), 1), STAY),
                mutants=[
                    Mutant("r without the factor", Ge(largest_mean, level)),
                    Mutant("Markov's inequality dropped", given=(_limit, STAY)),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=(
                "Gaussian points of the plane: the largest norm overtakes the limit of the power "
                "mean"
            ),
            cases=plane_maximum,
            arguments={"order": 10},
            mutants=[Mutant("one point fewer", arguments={"order": 10, "shift": 1})],
        ),
        Sampled(
            claim="Gaussian points of R^3, tau = 1/2: the mean of fourth powers against 15",
            draw=gaussian_moment,
            arguments={"dimension": 3, "order": 4, "k": 100_000},
            mutants=[Mutant("the sixth power", draw=_sixth)],
        ),
    ],
)
