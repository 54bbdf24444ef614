"""Lemma 4: the DCL risk is within 2/tau of the cross-entropy, for every k."""

from __future__ import annotations

from fractions import Fraction

from sympy import Integer, Le, exp, log

from proofs.evidence import Averaged, Decided, Mutant, OnWorlds
from proofs.ledger import Constant, Statement, Step
from proofs.measure import largest_ratio, sides
from proofs.paper._second_order import Y, b, mu, mu_hat, value_range
from proofs.paper.eq_11 import _of_dcl
from proofs.symbols import CE, Mean, R_dcl, tau

upper = 2 / tau
claim = Le(CE - R_dcl, upper)
_pair = Le(log(mu) - log(mu_hat), upper)

statement = Statement(
    id="lemma-4",
    title="The DCL risk is within 2/tau of the cross-entropy for every k",
    where="Section 3.4, Lemma 4",
    assumptions=["phi has unit norm", "Y = exp(s(a, z)/tau) for z ~ pi"],
    hypotheses=value_range(1 / tau),
    claim=claim,
    definitions={b: "exp(-s(a, +)/tau)", mu: "E Y given the anchor"},
    witness={tau: 1, Y: 1, mu_hat: 1},
    proof=[
        Step(
            text="$Y \\le e^{1/\\tau}$, hence $\\mu \\le e^{1/\\tau}$.",
            evidence=Averaged(
                claim=Le(mu, exp(1 / tau)),
                pointwise=Le(Y, exp(1 / tau)),
                given=value_range(1 / tau)[1:2],
                means={Y: mu},
                mutants=[Mutant("1 for e^{1/tau}", Le(mu, 1), pointwise=Le(Y, 1))],
            ),
        ),
        Step(
            text="And $\\hat\\mu \\ge e^{-1/\\tau}$, so the two logarithms are within $2/\\tau$.",
            evidence=Decided(
                claim=_pair,
                given=(Le(mu, exp(1 / tau)), *value_range(1 / tau)[2:]),
                mutants=[
                    Mutant("1/tau for 2/tau", Le(log(mu) - log(mu_hat), 1 / tau)),
                    Mutant("no lower bound on the average", given=(Le(mu, exp(1 / tau)),)),
                ],
            ),
        ),
        Step(
            text=(
                "Average over anchor, positive and negatives: $\\log\\mu - s_+/\\tau$ has mean CE "
                "and $\\log\\hat\\mu - s_+/\\tau$ has mean the DCL risk."
            ),
            evidence=Averaged(
                claim=claim,
                pointwise=_pair,
                given=(_pair,),
                means={log(mu): CE + Mean(-log(b)), log(mu_hat): R_dcl + Mean(-log(b))},
                mutants=[Mutant("1/tau for 2/tau", Le(CE - R_dcl, 1 / tau))],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=claim,
            sides=sides,
            arguments={"left": _of_dcl, "right": upper, "loss": "dcl"},
            mutants=[
                Mutant(
                    "1/(2 tau) for 2/tau",
                    arguments={
                        "left": _of_dcl,
                        "right": upper,
                        "loss": "dcl",
                        "scale": Fraction(1, 4),
                    },
                )
            ],
        ),
    ],
    constants=[
        Constant(
            name="lemma-4-two",
            formula=Integer(2),
            meaning="the 2 of 2/tau, in nats times tau",
            where="Lemma 4",
            looseness=largest_ratio(_of_dcl, upper, "dcl"),
        ),
        Constant(
            name="lemma-4-upper",
            formula=upper,
            meaning="upper bound on CE - R of DCL for every k, in nats",
            where="Lemma 4",
            looseness=largest_ratio(_of_dcl, upper, "dcl"),
        ),
    ],
)
