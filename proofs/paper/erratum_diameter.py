"""Erratum: why the entropy integral of proposition 5 may stop at L R_Theta."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sympy import Eq, Expr, Implies, Le

from proofs.evidence import Case, Decided, Enumerated, Mutant, Use
from proofs.ledger import Correction, Statement, Step
from proofs.paper._lipschitz_class import (
    PAPER_BETA,
    PAPER_ORDER,
    distance,
    lipschitz_of_loss,
    radius,
    rho,
)
from proofs.paper.lemma_1 import CLASS
from proofs.sharper.lemma_1_sharp import statement as lemma_1_sharp
from proofs.sharper.prop_4_sharp import theta_k
from proofs.symbols import beta, declare

other_distance = declare(
    "other_distance",
    r"\lVert\theta'-\theta_0\rVert",
    "distance of the second parameter from the centre",
    nonnegative=True,
)
own_distance = declare(
    "own_distance",
    r"\lVert\theta-\theta_0\rVert",
    "distance of the first parameter from the centre",
    nonnegative=True,
)

_printed = Use("lemma-1", {beta: PAPER_BETA})
_limit: Expr = lipschitz_of_loss * radius
_triangle = Le(distance, own_distance + other_distance)
_ball = (Le(own_distance, radius), Le(other_distance, radius))
_of_the_class = Le(rho, 2 * _limit)
_centre = Implies(Eq(other_distance, 0), Le(rho, _limit))
_sharp = Implies(Eq(beta, PAPER_ORDER), Le(rho, theta_k * _limit / 2))


def line(spread: Fraction) -> Iterator[Case]:
    """Yield rho <= L R_Theta for pairs of points of [-R_Theta, R_Theta] with rho = L |x - y|.

    This metric meets everything that [53] says; `spread` is where the second point stands, as a
    share of R_Theta.
    """
    for slope in (Fraction(1), Fraction(1, 3)):
        for size in (Fraction(1), Fraction(5, 2)):
            first, second = size, -spread * size
            moved = slope * abs(first - second)
            yield Case(
                f"L = {slope}, R = {size}, points {first}, {second}", moved, "<=", slope * size
            )


statement = Statement(
    id="erratum-diameter",
    title="The limit of the entropy integral: a covering ball, not the diameter",
    where="Appendix B.2, proof of Proposition 5",
    assumptions=["(C): Theta is a ball of radius R_Theta about theta_0"],
    hypotheses=(*lemma_1_sharp.hypotheses, _triangle, *_ball),
    claim=(_of_the_class, _centre, _sharp),
    witness={**lemma_1_sharp.witness, own_distance: 0, other_distance: 0, radius: 1},
    correction=Correction(
        printed="$\\rho_n \\le LR_\\Theta$ on the class, by [53]",
        refutation=Enumerated(
            claim="rho <= L R_Theta for any two points of a ball, from rho <= L ||theta - theta'||",
            cases=line,
            arguments={"spread": Fraction(1)},
            mutants=[
                Mutant("one point inside", arguments={"spread": Fraction(1, 2)}),
            ],
        ),
        note=(
            "[53] gives $2LR_\\Theta$: two points of a ball may be $2R_\\Theta$ apart. The "
            "integral may stop at $LR_\\Theta$ all the same, because one ball of that radius, "
            "about the loss at $\\theta_0$, covers the class. The inequality itself happens to be "
            "true, since the constant of Lemma 1 is at least four times too large: by "
            "`lemma-1-sharp` the diameter is at most $LR_\\Theta/2$."
        ),
    ),
    proof=[
        Step(
            text=(
                "Any two points of the ball are at most $2R_\\Theta$ apart: [53] gives twice "
                "$LR_\\Theta$."
            ),
            evidence=Decided(
                claim=_of_the_class,
                given=(*CLASS, _printed, _triangle, *_ball),
                mutants=[
                    Mutant("once", Le(rho, _limit)),
                    Mutant("one point outside", given=(*CLASS, _printed, _triangle, _ball[0])),
                ],
            ),
        ),
        Step(
            text="But every point is within $R_\\Theta$ of the centre: one ball covers the class.",
            evidence=Decided(
                claim=_centre,
                given=(*CLASS, _printed, _triangle, *_ball),
                mutants=[
                    Mutant("half of it", Implies(Eq(other_distance, 0), Le(rho, _limit / 2))),
                    Mutant("from any other point", Le(rho, _limit)),
                ],
            ),
        ),
        Step(
            text="And with the sharper constant of `lemma-1-sharp` twice is still only a half.",
            evidence=Decided(
                claim=(_of_the_class, _centre, _sharp),
                given=(
                    _of_the_class,
                    _centre,
                    *lemma_1_sharp.hypotheses,
                    Use("lemma-1-sharp"),
                    _triangle,
                    *_ball,
                ),
                mutants=[
                    Mutant(
                        "a quarter",
                        Implies(Eq(beta, PAPER_ORDER), Le(rho, theta_k * _limit / 4)),
                    ),
                    Mutant(
                        "the printed constant",
                        given=(_of_the_class, _centre, *CLASS, _printed, _triangle, *_ball),
                    ),
                ],
            ),
        ),
    ],
)
