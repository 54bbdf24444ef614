"""Proposition 1: the population risk is within O(1/k) of the cross-entropy, uniformly in phi."""

from __future__ import annotations

from fractions import Fraction

from sympy import Ge, Integer, Le, Max, Rational, ceiling, exp, log

from proofs.constants import target
from proofs.evidence import Averaged, Decided, Estimate, Mutant, OnWorlds, Sampled, Use
from proofs.ledger import Constant, Statement, Step
from proofs.measure import largest_ratio, sides
from proofs.paper import lemma_2
from proofs.paper._second_order import Y, b, c, mu, mu_hat, value_range
from proofs.symbols import CE, R, k, tau

lower = -log(1 + exp(2 / tau) / k)
upper = (exp(2 / tau) - 1) ** 2 / (8 * k)
claim = (Ge(CE - R, lower), Le(CE - R, upper))
hypotheses = (*value_range(1 / tau), Ge(b, exp(-1 / tau)))

_pair = lemma_2.gap
_pointwise = (Ge(_pair, lower), Le(_pair, upper))


def _mc(seed: int, spec: str, count: int, scale: float = 1.0) -> Estimate:
    """Return a Monte Carlo estimate of R - CE against the exact evaluator."""
    from numerics import exact, montecarlo
    from numerics.parse import world

    law, temperature = world(spec), Fraction(1, 2)
    estimate = montecarlo.bias(law, temperature, count, 4000, seed)
    target = exact.evaluate(law, temperature, count, "infonce").bias * scale
    return Estimate(estimate.mean, estimate.stderr, target)


def _sampled(spec: str, count: int) -> Sampled:
    return Sampled(
        claim=f"Monte Carlo agrees with the exact R - CE: {spec}, tau = 1/2, k = {count}",
        draw=_mc,
        arguments={"spec": spec, "count": count},
        mutants=[
            Mutant("1.1 times R - CE", arguments={"spec": spec, "count": count, "scale": 1.1})
        ],
    )


statement = Statement(
    id="prop-1",
    title="The risk tends to the cross-entropy at rate 1/k, uniformly in the embedding",
    where="Section 3.2, Proposition 1",
    assumptions=[
        "(A): the tuples are iid; phi has unit norm",
        "b = exp(-s(a, +)/tau) for an anchor and its positive, Y = exp(s(a, z)/tau) for z ~ pi",
    ],
    hypotheses=hypotheses,
    claim=claim,
    definitions={b: "exp(-s(a, +)/tau), at least e^{-1/tau}", mu: "E Y given the anchor"},
    witness={tau: 1, Y: 1, mu_hat: 1, b: 1},
    proof=[
        Step(
            text=(
                "Given anchor and positive, apply Lemma 2 with $c = 1/\\tau$ and $b = "
                "e^{-s(a,+)/\\tau} \\ge e^{-1/\\tau}$."
            ),
            evidence=Decided(
                claim=_pointwise,
                given=(*hypotheses, Use("lemma-2", {c: 1 / tau})),
                mutants=[
                    Mutant("e^{1/tau} for e^{2/tau} below", Ge(_pair, -log(1 + exp(1 / tau) / k))),
                    Mutant("1/9 for 1/8", Le(_pair, upper * 8 / 9)),
                    Mutant(
                        "no lower bound on b",
                        given=(*value_range(1 / tau), Use("lemma-2", {c: 1 / tau})),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                "Average over anchor and positive: the mean of $\\log(b\\mu)$ is CE, "
                "that of the loss is the risk, and both bounds are free of $\\varphi$."
            ),
            evidence=Averaged(
                claim=claim,
                pointwise=_pointwise,
                given=_pointwise,
                means={log(b * mu): CE, lemma_2.average: R},
                mutants=[
                    Mutant("half the lower bound", (Ge(CE - R, lower / 2), claim[1])),
                    Mutant("k + 1 for k above", (claim[0], Le(CE - R, upper * k / (k + 1)))),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=Le(CE - R, upper),
            sides=sides,
            arguments={"left": lambda r: -r.bias, "right": upper},
            mutants=[
                Mutant(
                    "1/4000 for 1/8",
                    arguments={
                        "left": lambda r: -r.bias,
                        "right": upper,
                        "scale": Fraction(1, 500),
                    },
                )
            ],
        ),
        OnWorlds(
            claim=Le(R - CE, -lower),
            sides=sides,
            arguments={"left": lambda r: r.bias, "right": -lower},
            mutants=[
                Mutant(
                    "half the bound",
                    arguments={
                        "left": lambda r: r.bias,
                        "right": -lower,
                        "scale": Fraction(1, 2),
                    },
                )
            ],
        ),
        _sampled("sphere:d=3,conc=5", 20),
        _sampled("hypercube:d=8,flip=0.1", 200),
    ],
    constants=[
        Constant(
            name="prop-1-eighth",
            formula=Rational(1, 8),
            meaning="factor of (e^{2/tau} - 1)^2/k in the upper bound on CE - R",
            where="Proposition 1",
            looseness=largest_ratio(lambda r: -r.bias, upper),
        ),
        Constant(
            name="prop-1-exponent",
            formula=Integer(2),
            meaning="the 2 of exp(2/tau)",
            where="Proposition 1",
        ),
        Constant(
            name="prop-1-upper",
            formula=upper,
            meaning="upper bound on CE - R, in nats",
            where="Proposition 1",
            looseness=largest_ratio(lambda r: -r.bias, upper),
        ),
        Constant(
            name="prop-1-k",
            formula=ceiling(
                Max((exp(2 / tau) - 1) ** 2 / (8 * target), exp(2 / tau) / (exp(target) - 1))
            ),
            meaning="negatives from which |R - CE| is at most the target by this proposition",
            where="Proposition 1",
        ),
        Constant(
            name="prop-1-lower",
            formula=-lower,
            meaning="upper bound on R - CE, in nats",
            where="Proposition 1",
            looseness=largest_ratio(lambda r: r.bias, -lower),
        ),
    ],
)
