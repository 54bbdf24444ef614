"""Erratum: where every weight vanishes the weighted average of lemma 3 is not defined."""

from __future__ import annotations

from fractions import Fraction

from sympy import Abs, Eq, Le, Product, Rational, Symbol

from proofs.evidence import Decided, Derived, Enumerated, Mutant
from proofs.ledger import Correction, Statement, Step
from proofs.paper import lemma_3
from proofs.paper._weighted_average import AVERAGE, WITNESS, bias, p0, vanishing_cases, w2
from proofs.symbols import m

__all__ = ["statement"]

_j = Symbol("j", integer=True, positive=True)
_draws = Product(Rational(1, 2), (_j, 1, m))
_chance = Eq(p0, Rational(1, 2) ** m)
claim = (_chance, Le(Abs(bias), 4 * w2 / m))

statement = Statement(
    id="erratum-zero-weights",
    title="Lemma 3 and Proposition 2 need a convention where all weights vanish",
    where="Section 3.3, Lemma 3 and Proposition 2",
    assumptions=[
        "pi is uniform on {0, 1} and nu is the point mass at 0: w(0) = 2 and w(1) = 0",
        "where all m weights vanish, any agreed value in [-1, 1] stands for the average of f",
    ],
    hypotheses=AVERAGE,
    claim=claim,
    witness=WITNESS,
    definitions={p0: _draws, bias: "E T - E_nu f, for any f with values in [-1, 1]"},
    proof=[
        Step(
            text=(
                r"All $m$ points fall on 1, where the density vanishes, with probability $2^{-m}$. "
                "Then $0/0$ is printed."
            ),
            evidence=Derived(
                claim=_chance,
                given=(Eq(p0, _draws),),
                mutants=[Mutant("m - 1 draws", Eq(p0, Rational(1, 2) ** (m - 1)))],
            ),
        ),
        Step(
            text=(
                r"With any agreed value in $[-1, 1]$ the bound stands: the proof of lemma 3 given "
                r"here uses $T\,\overline{w} = \overline{wf}$ and never divides by $\overline{w}$."
            ),
            evidence=Decided(
                claim=claim,
                given=(_chance, *lemma_3.at(m)),
                mutants=[
                    Mutant("3 for 4", Le(Abs(bias), 3 * w2 / m)),
                    Mutant("lemma 3 not used", given=(_chance,)),
                ],
            ),
        ),
    ],
    correction=Correction(
        printed="sum_j w(xi_j) > 0, so that the average is defined",
        refutation=Decided(
            claim=Eq(p0, 0),
            given=(_chance,),
            mutants=[Mutant("at most 1/4", Le(p0, Rational(1, 4)))],
        ),
        note="Any convention with values in [-1, 1] keeps lemma 3 and Proposition 2 as they are.",
    ),
    crosschecks=[
        Enumerated(
            claim=_chance,
            cases=vanishing_cases,
            mutants=[Mutant("3^{-m}", arguments={"base": Fraction(1, 3)})],
        ),
    ],
)
