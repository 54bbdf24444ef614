"""Proposition 5: the empirical Rademacher complexity of the losses under (C)."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache, partial

from sympy import (
    E,
    Eq,
    Expr,
    Ge,
    Implies,
    Integer,
    Le,
    Min,
    Rational,
    log,
    sqrt,
)

from proofs.evaluate import numpy_function
from proofs.evidence import Cited, Decided, Derived, Mutant, OnWorlds, Use
from proofs.ledger import Constant, Statement, Step
from proofs.paper._circle_model import Tuples, class_sides, largest
from proofs.paper._covering import (
    LEMMA_5,
    TWICE,
    TWO_LOSSES,
    c_cover,
    diameter_steps,
    eps,
    volume,
)
from proofs.paper._entropy_integral import (
    FROM_ZERO,
    dudley,
    integral_steps,
    limit,
    log_area,
    split_logs,
)
from proofs.paper._lipschitz_class import (
    A,
    B_tau,
    complexity_bound,
    d_theta,
    distance,
    lipschitz,
    lipschitz_of_loss,
    radius,
    rho,
    switch,
)
from proofs.paper.lemma_1 import statement as lemma_1
from proofs.paper.lemma_5 import LOSS_MAX, LOSS_MIN, one_embedding
from proofs.paper.lemma_5 import statement as lemma_5
from proofs.symbols import Rad_n, n, tau

_range = Le(LOSS_MAX - LOSS_MIN, 4 / tau)
_a = Eq(A, E * radius * B_tau * lipschitz)
_one_ball = Le(rho, 4 * A / tau)


def general(upper: Expr, c: Expr) -> Expr:
    """Return the bound on the complexity when the entropy integral stops at `upper`."""
    return 24 * sqrt(d_theta) / sqrt(n) * upper * sqrt(log(1 + c / upper) + 1)


def _stops(upper: Expr) -> Expr:
    """Return the condition under which the integral may stop: one ball suffices beyond `upper`."""
    return Ge(upper, Min(4 / tau, 4 * A / tau))


_general = Le(Rad_n, general(limit, c_cover))
_dudley = Le(Rad_n, 24 / sqrt(n) * dudley)
_bound = Le(Rad_n, complexity_bound(A, d_theta, n))
first, second = A * sqrt(log(3) + 1), sqrt(log(1 + 2 * A) + 1)
_tangents = (
    Eq(log(1 + 2 * A), log(3) + log((1 + 2 * A) / 3)),
    Eq(log(1 + 2 * A), log(3) - log(3 / (1 + 2 * A))),
)
_switch = (Implies(Le(A, 1), Ge(switch(A), 0)), Implies(Ge(A, 1), Le(switch(A), 0)))
_branches = (Implies(Le(A, 1), Le(first, second)), Implies(Ge(A, 1), Le(second, first)))
_claim = (_bound, *_branches)


def printed_complexity(tuples: Tuples, dimension: int, size: float, share: float = 1.0) -> float:
    """Return the bound for the circle model (C = 1), in nats."""
    b_tau = tuples.rms(0) + tuples.rms(1) + tuples.overall(2 / min(1.0, tuples.tau))
    value = numpy_function(complexity_bound(A, d_theta, n), (A, d_theta, n, tau))
    a = math.e * size * b_tau
    return share * float(value(a, dimension, len(tuples.points), tuples.tau))


@lru_cache(maxsize=1)
def _met() -> float:
    """Return the largest complexity over its bound that the circle model meets."""
    return largest(class_sides(printed_complexity, draws=4))


def _looseness(tau: Fraction | None = None, k: int | None = None) -> float:
    return _met()


statement = Statement(
    id="prop-5",
    title="Rademacher complexity of the losses of a Lipschitz class",
    where="Section 4, Proposition 5",
    assumptions=[
        "phi_theta maps the points to unit vectors",
        "(C), with an envelope g for the norm: Theta is a Euclidean ball of radius R_Theta in "
        "R^{d_Theta} and phi_theta is Lipschitz in theta",
        "B_tau C > 0; otherwise the class is a single function and its complexity is 0",
        "the limit U of the entropy integral is any number beyond which one ball covers the class",
    ],
    hypotheses=(*lemma_1.hypotheses, *LEMMA_5),
    claim=_claim,
    definitions={
        A: E * radius * B_tau * lipschitz,
        **TWO_LOSSES,
        log_area: FROM_ZERO,
        c_cover: "2 L R_Theta = 8 A/tau, with L of Lemma 1",
        Rad_n: "mean over the signs of the supremum over the class of their correlation with the "
        "losses",
    },
    witness={**lemma_1.witness, **lemma_5.witness, tau: 1},
    proof=[
        Step(
            name="transfer",
            text=(
                "A cover of $\\Theta$ by balls of radius $\\varepsilon/L$ covers the losses: Lemma "
                "1."
            ),
            evidence=Decided(
                claim=Le(rho, eps),
                given=(*lemma_1.hypotheses, Use("lemma-1")),
                where=(Le(lipschitz_of_loss * distance, eps),),
                mutants=[
                    Mutant("radius 2 eps/L", where=(Le(lipschitz_of_loss * distance, 2 * eps),)),
                ],
            ),
        ),
        volume(),
        Step(
            name="one-ball",
            text=(
                "Every $\\theta$ is within $R_\\Theta$ of the centre: one ball of radius "
                "$LR_\\Theta = 4A/\\tau$ covers the class. (Its diameter may be twice that.)"
            ),
            evidence=Decided(
                claim=_one_ball,
                given=(*lemma_1.hypotheses, Use("lemma-1"), _a),
                where=(Le(distance, radius),),
                mutants=[
                    Mutant("two points of the ball", where=(Le(distance, 2 * radius),)),
                    Mutant("2A/tau", Le(rho, 2 * A / tau)),
                ],
            ),
        ),
        Step(
            text="The interval of lemma 5 is no longer than $4/\\tau$.",
            evidence=Decided(
                claim=_range,
                given=one_embedding(),
                mutants=[
                    Mutant("3/tau", Le(LOSS_MAX - LOSS_MIN, 3 / tau)),
                    Mutant("lemma 5 not used", given=one_embedding()[:-1]),
                ],
            ),
        ),
        *diameter_steps(4 / tau, _range, 2 / tau),
        Step(
            text="so that one ball of radius $4/\\tau$ covers the class as well.",
            evidence=Decided(
                claim=Le(rho, 4 / tau),
                given=(Le(rho**2, 16 / tau**2),),
                mutants=[Mutant("3/tau", Le(rho, 3 / tau))],
            ),
        ),
        Step(
            name="dudley",
            text=(
                "Dudley's entropy integral, up to any $U$ beyond which one ball covers the class."
            ),
            evidence=Cited(
                source=(
                    "Dudley; the sum in Lemma 27.4 of Shalev-Shwartz & Ben-David (2014), with the "
                    "factor 6, is at most the integral with 12 for 24"
                ),
                claim=_dudley,
                where=(_stops(limit),),
            ),
        ),
        *integral_steps(),
        Step(
            name="general",
            text="and the complexity, for either choice of $U$:",
            evidence=Decided(
                claim=_general,
                given=(Use("#square"), Use("#dudley")),
                where=(_stops(limit), TWICE),
                mutants=[
                    Mutant("12 for 24", Le(Rad_n, general(limit, c_cover) / 2)),
                    Mutant("U shorter", where=(TWICE,)),
                ],
            ),
        ),
        Step(
            text=(
                "$U = LR_\\Theta = 4A/\\tau$, where $c/U = 2$, and $U = 4/\\tau$, where $c/U = "
                "2A$: $24 \\cdot 4 = 96$. Both bounds hold, hence the smaller one does."
            ),
            evidence=Decided(
                claim=_bound,
                given=(
                    Use("#general", {limit: 4 * A / tau, c_cover: 8 * A / tau}),
                    Use("#general", {limit: 4 / tau, c_cover: 8 * A / tau}),
                ),
                mutants=[
                    Mutant("95 for 96", Le(Rad_n, complexity_bound(A, d_theta, n) * 95 / 96)),
                    Mutant(
                        "a smaller c",
                        given=(Use("#general", {limit: 4 / tau, c_cover: 4 * A / tau}),),
                    ),
                    Mutant(
                        "one of the two",
                        given=(Use("#general", {limit: 4 / tau, c_cover: 8 * A / tau}),),
                    ),
                ],
            ),
        ),
        Step(
            text="Which is smaller? Around $A = 1$, in two ways:",
            evidence=Derived(
                claim=_tangents,
                by=split_logs,
                mutants=[
                    Mutant("2 for 3", Eq(log(1 + 2 * A), log(2) + log((1 + 2 * A) / 3))),
                ],
            ),
        ),
        Step(
            text=(
                "Since $\\log x \\le x - 1$, the squares of the branches cross at $A = 1$ and "
                "nowhere else."
            ),
            evidence=Decided(
                claim=_switch,
                given=_tangents,
                mutants=[
                    Mutant("at A = 2", Implies(Le(A, 2), Ge(switch(A), 0))),
                    Mutant("at A = 1/2", Implies(Ge(A, Rational(1, 2)), Le(switch(A), 0))),
                    Mutant("one of the two ways", given=_tangents[:1]),
                ],
            ),
        ),
        Step(
            text="So the first branch is the smaller one for $A \\le 1$, the second beyond.",
            evidence=Decided(
                claim=_claim,
                given=(_bound, *_switch),
                mutants=[
                    Mutant("the branches exchanged", Implies(Le(A, 1), Le(second, first))),
                    Mutant("the crossing not known", given=(_bound,)),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=_bound,
            sides=class_sides,
            arguments={"bound": printed_complexity},
            mutants=[
                Mutant(
                    "a thousandth of the bound",
                    arguments={"bound": partial(printed_complexity, share=0.001)},
                )
            ],
        ),
    ],
    constants=[
        Constant(
            name="prop-5-dudley",
            formula=Integer(24),
            meaning="factor of the entropy integral over sqrt(n)",
            where="proof of Proposition 5",
            looseness=_looseness,
        ),
        Constant(
            name="prop-5-ninety-six",
            formula=Integer(96),
            meaning="24 times the range 4/tau, times tau",
            where="Proposition 5",
            looseness=_looseness,
        ),
        Constant(
            name="prop-5-lipschitz",
            formula=24 * sqrt(log(3) + 1),
            meaning="factor of L R_Theta sqrt(d_Theta/n) for A <= 1",
            where="Proposition 5, first branch",
            looseness=_looseness,
        ),
    ],
)
