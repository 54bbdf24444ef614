"""Proposition 5 sharpened: chaining with 4 sqrt 2 for 24, and an integral up to U/2."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any

from sympy import (
    Eq,
    Expr,
    Ge,
    Integral,
    Le,
    Limit,
    Min,
    Rational,
    log,
    oo,
    sqrt,
)

from proofs.evaluate import numpy_function
from proofs.evidence import Argued, Averaged, Cited, Decided, Derived, Mutant, OnWorlds, Use
from proofs.ledger import Constant, Statement, Step
from proofs.paper._circle_model import Tuples, class_sides
from proofs.paper._covering import LEMMA_5, TWO_LOSSES, diameter_steps
from proofs.paper._entropy_integral import limit
from proofs.paper._lipschitz_class import d_theta, distance, radius, rho
from proofs.paper.lemma_5 import LOSS_MAX, LOSS_MIN, LOSS_RANGE, combine
from proofs.paper.lemma_5 import statement as lemma_5
from proofs.sharper._entropy_integral import entropy_integral, entropy_integral_float
from proofs.sharper.lemma_1_sharp import sharp_slope
from proofs.sharper.prop_3_sharp import loss_range
from proofs.symbols import Rad_n, declare, k, n, tau

__all__ = ["chaining", "cover_ratio", "phi", "sharp_complexity", "slope", "statement"]

slope = declare("slope", "L", "a Lipschitz constant of the loss in theta, in nats", positive=True)
cover_ratio = declare("cover_ratio", "r", "2 L R_Theta over U; at least 2", positive=True)
place = declare("place", "x", "radius of a cover as a share of U", positive=True)
level_place = declare("level_place", "x_j", "2^-j, the share of U at level j", positive=True)
levels = declare("levels", "J", "number of levels of the chain", integer=True, positive=True)
centres = declare(
    "centres", r"\log N_j", "logarithm of the number of centres at level j", nonnegative=True
)
link = declare(
    "link",
    r"\lVert f_j-f_{j-1}\rVert",
    "root mean square, over the tuples, of a link from a centre to its parent",
    nonnegative=True,
)
chain = declare(
    "chain",
    r"\mathbb E\max\overline{\sigma(f_j-f_{j-1})}",
    "mean over the signs of the largest correlation with a link of level j",
    nonnegative=True,
)
chains = declare(
    "chains", r"\textstyle\sum_{j\le J}", "sum over the levels of those means", nonnegative=True
)
piece = declare(
    "piece",
    r"\int_{x_{j+1}}^{x_j}\sqrt{\log(1+r/x)}\,dx",
    "entropy integral between two levels",
    nonnegative=True,
)
pieces = declare(
    "pieces", r"\int_{x_{J+1}}^{1/2}", "entropy integral down to the last level", nonnegative=True
)
below_last = declare(
    "below_last", r"\int_0^{x_{J+1}}", "entropy integral below the last level", nonnegative=True
)


def phi(ratio: Expr, upper: Expr = Rational(1, 2)) -> Expr:  # noqa: B008 - an immutable number
    """Return the entropy integral of a ball of parameters, from 0 to `upper`."""
    return Integral(sqrt(log(1 + ratio / place)), (place, 0, upper))


def chaining(upper: Expr, integral: Expr) -> Expr:
    """Return 4 sqrt(2) sqrt(d_Theta/n) upper integral, in nats."""
    return 4 * sqrt(2) * sqrt(d_theta) / sqrt(n) * upper * integral


_width = Eq(LOSS_MAX - LOSS_MIN, loss_range)
_lipschitz = Le(rho, slope * distance)
_one_ball = Le(rho, Min(slope * radius, loss_range))
_stops = Ge(limit, Min(slope * radius, loss_range))
_ratio = Eq(cover_ratio * limit, 2 * slope * radius)
_height = sqrt(log(1 + cover_ratio / place))
_at_level = sqrt(log(1 + cover_ratio / level_place))
_centres = Le(centres, d_theta * log(1 + cover_ratio / level_place))
_link = Le(link, 2 * level_place * limit)
_massart = Le(chain, link * sqrt(2) * sqrt(centres) / sqrt(n))
_piece = Ge(2 * piece / level_place, _at_level)
_level = Le(chain, chaining(limit, piece))
_sum = Le(chains / levels, chaining(limit, pieces) / levels)
_telescope = Eq(pieces, phi(cover_ratio) - below_last)
_finite = Le(Rad_n, chains + limit / 2**levels)
_every_j = Le(Rad_n - chaining(limit, phi(cover_ratio)), limit / 2**levels)
_general = Le(Rad_n, chaining(limit, phi(cover_ratio)))
_upper = Min(slope * radius, loss_range)
claim = (
    Le(Rad_n, chaining(_upper, phi(2 * slope * radius / _upper))),
    Le(Rad_n, chaining(slope * radius, phi(2))),
)


def sharp_complexity(tuples: Tuples, dimension: int, size: float, share: float = 1.0) -> float:
    """Return the bound for the circle model (C = 1), with L of `lemma-1-sharp`, in nats."""
    lipschitz = sharp_slope(tuples)
    width = float(numpy_function(LOSS_RANGE, (tau, k))(tuples.tau, tuples.k))
    upper = min(lipschitz * size, width)
    integral = entropy_integral_float(2 * lipschitz * size / upper)
    count = len(tuples.points)
    return share * 4 * math.sqrt(2 * dimension / count) * upper * integral


def _integral_ball(*, digits: int, **_: object) -> Any:
    return entropy_integral(Fraction(2), digits)


def _lipschitz_ball(*, digits: int, **_: object) -> Any:
    from flint import arb

    from numerics.balls import precision

    with precision(4 * digits + 64):
        return 4 * arb(2).sqrt() * entropy_integral(Fraction(2), digits)


statement = Statement(
    id="prop-5-sharp",
    title="Rademacher complexity by chaining from parent to child",
    where="companion",
    assumptions=[
        "phi_theta maps the points to unit vectors",
        "(C): Theta is a ball of radius R_Theta about theta_0; L is any Lipschitz constant of the "
        "loss in root mean square over the tuples, such as that of `lemma-1-sharp`",
        "U is any number beyond which one ball covers the class",
    ],
    hypotheses=(*LEMMA_5, _lipschitz, Le(distance, radius)),
    claim=claim,
    definitions={
        loss_range: LOSS_RANGE,
        **TWO_LOSSES,
        pieces: phi(cover_ratio) - below_last,
    },
    witness={**lemma_5.witness, tau: 1, rho: 0, slope: 1, distance: 0, radius: 1},
    remarks=(
        "Here $\\lVert\\theta-\\theta'\\rVert$ is the distance from the centre $\\theta_0$. With "
        "$U = LR_\\Theta$ the factor of $LR_\\Theta\\sqrt{d_\\Theta/n}$ is 4.4103, against 34.77 "
        "in print, with an $L$ at least four times smaller. Summing over the levels instead of "
        "integrating gives 4.1561. Since $4\\sqrt2 < 24$ and $U/2 < U$, it also proves Dudley's "
        "inequality as Proposition 5 uses it."
    ),
    proof=[
        Step(
            text="The two extreme values of lemma 5 differ by $\\Delta_k$.",
            evidence=Derived(
                claim=_width,
                given=(Eq(loss_range, LOSS_RANGE),),
                by=combine,
                mutants=[Mutant("log 2 more", Eq(LOSS_MAX - LOSS_MIN, log(2) + loss_range))],
            ),
        ),
        *diameter_steps(loss_range, _width, loss_range / 2),
        Step(
            text=(
                "One ball about the loss at $\\theta_0$, of radius $\\min\\{LR_\\Theta, "
                "\\Delta_k\\}$, covers the class. Put $U$ for any such radius and $\\varepsilon_j "
                "= 2^{-j}U$."
            ),
            evidence=Decided(
                claim=_one_ball,
                given=(_lipschitz, Le(distance, radius), Le(rho**2, loss_range**2)),
                mutants=[
                    Mutant("half of it", Le(rho, _upper / 2)),
                    Mutant(
                        "a point outside the ball", given=(_lipschitz, Le(rho**2, loss_range**2))
                    ),
                ],
            ),
        ),
        Step(
            name="centres",
            text=(
                "At level $j$ take centres in $\\Theta$, at mutual distances above "
                "$\\varepsilon_j/L$ and as many as possible: balls of half that radius are "
                "disjoint, so there are at most $(1 + 2LR_\\Theta/\\varepsilon_j)^{d_\\Theta}$."
            ),
            evidence=Cited(
                source="Vershynin (2018), Corollary 4.2.13 (volumes)",
                claim=_centres,
                where=(_ratio,),
            ),
        ),
        Step(
            name="chain",
            text=(
                "Follow a loss from its nearest centre at level $J$ to the parent of that centre, "
                "the nearest centre one level up, and so on to $\\theta_0$. What is left over is "
                "at most $\\varepsilon_J$ for any signs. A centre has one parent, so level $j$ has "
                "no more links than centres, each of length at most $\\varepsilon_{j-1} = "
                "2\\varepsilon_j$."
            ),
            evidence=Argued(
                text=(
                    "Every loss is f_0 + sum of the links + (f - f_J): the links telescope. The "
                    "correlation of f_0 with the signs has mean 0. The supremum of a sum is at "
                    "most the sum of the suprema, and the supremum over the class of a link is a "
                    "maximum over the links of that level. By Cauchy-Schwarz the correlation of f "
                    "- f_J with signs is at most its root mean square, at most eps_J. The centres "
                    "are losses of the class, so each has a centre of the level above within "
                    "eps_{j-1}, its parent."
                ),
                why="suprema over an infinite class and the choice of parents are not algebra",
                claim=(_finite, _link),
                where=(_stops,),
            ),
        ),
        Step(
            text="Massart's lemma for the links of one level.",
            evidence=Cited(
                source="Mohri, Rostamizadeh & Talwalkar (2018), Theorem 3.7 (Massart)",
                claim=_massart,
            ),
        ),
        Step(
            name="piece",
            text=(
                "The integrand decreases: on $[x_{j+1}, x_j]$, half as long as $x_j$, it is at "
                "least its value at $x_j$."
            ),
            evidence=Averaged(
                claim=_piece,
                pointwise=Ge(_height, _at_level),
                where=(Le(place, level_place),),
                means={place: 3 * level_place / 4, _height: 2 * piece / level_place},
                fixed=(cover_ratio,),
                mutants=[
                    Mutant(
                        "twice the value",
                        Ge(2 * piece / level_place, 2 * _at_level),
                        pointwise=Ge(_height, 2 * _at_level),
                    ),
                    Mutant("to the right of x_j", where=(Ge(place, level_place),)),
                ],
            ),
        ),
        Step(
            name="level",
            text="So one level costs no more than its piece of the integral.",
            evidence=Decided(
                claim=_level,
                given=(
                    Use("#centres"),
                    Use("#chain"),
                    _massart,
                    Use("#piece", {place: level_place}),
                ),
                where=(_ratio, _stops),
                mutants=[
                    Mutant("2 sqrt 2", Le(chain, chaining(limit, piece) / 2)),
                    Mutant(
                        "links of any length",
                        given=(Use("#centres"), _massart, Use("#piece", {place: level_place})),
                    ),
                ],
            ),
        ),
        Step(
            name="sum",
            text="Sum over the levels: their pieces fill $[x_{J+1}, 1/2]$.",
            evidence=Averaged(
                claim=_sum,
                pointwise=_level,
                given=(Use("#level"),),
                where=(_ratio, _stops),
                means={chain: chains / levels, piece: pieces / levels},
                mutants=[
                    Mutant("half of it", Le(chains / levels, chaining(limit, pieces) / 2 / levels)),
                ],
            ),
        ),
        Step(
            name="every",
            text="The integral is at least as large, and the left-over as small as one likes:",
            evidence=Decided(
                claim=_every_j,
                given=(Use("#chain"), Use("#sum"), _telescope),
                where=(_ratio, _stops),
                mutants=[
                    Mutant("no left-over", Le(Rad_n - chaining(limit, phi(cover_ratio)), 0)),
                    Mutant("the sum not bounded", given=(Use("#chain"), _telescope)),
                ],
            ),
        ),
        Step(
            text="$U/2^J$ tends to 0,",
            evidence=Derived(
                claim=Eq(Limit(limit / 2**levels, levels, oo), 0),
                mutants=[
                    Mutant("times 2^J", Eq(Limit(limit / 2**levels * 2**levels, levels, oo), 0))
                ],
            ),
        ),
        Step(
            name="general",
            text="and what is at most every number of a sequence is at most its limit.",
            evidence=Cited(
                source="Archimedean property of the real numbers",
                claim=_general,
                given=(Use("#every"),),
                where=(_ratio, _stops),
            ),
        ),
        Step(
            text=(
                "For $U = \\min\\{LR_\\Theta, \\Delta_k\\}$, and for $U = LR_\\Theta$, where $r = "
                "2$."
            ),
            evidence=Decided(
                claim=claim,
                given=(
                    Use("#general", {limit: _upper, cover_ratio: 2 * slope * radius / _upper}),
                    Use("#general", {limit: slope * radius, cover_ratio: 2}),
                ),
                mutants=[
                    Mutant("4 for 4 sqrt 2", Le(Rad_n, chaining(slope * radius, phi(2)) / sqrt(2))),
                    Mutant(
                        "half the radius",
                        given=(Use("#general", {limit: slope * radius / 2, cover_ratio: 4}),),
                    ),
                    Mutant(
                        "a smaller ratio",
                        given=(Use("#general", {limit: slope * radius, cover_ratio: 1}),),
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=claim[0],
            sides=class_sides,
            arguments={"bound": sharp_complexity},
            mutants=[
                Mutant(
                    "a hundredth of the bound",
                    arguments={"bound": partial(sharp_complexity, share=0.01)},
                )
            ],
        ),
    ],
    constants=[
        Constant(
            name="prop-5-sharp-chaining",
            sharpens="prop-5-dudley",
            formula=4 * sqrt(2),
            printed=False,
            meaning="factor of the entropy integral over sqrt(n) (printed: 24)",
            where="prop-5-sharp",
        ),
        Constant(
            name="prop-5-sharp-integral",
            formula=phi(2),
            printed=False,
            meaning="entropy integral for U = L R_Theta",
            where="prop-5-sharp",
            ball=_integral_ball,
        ),
        Constant(
            name="prop-5-sharp-lipschitz",
            sharpens="prop-5-lipschitz",
            formula=4 * sqrt(2) * phi(2),
            printed=False,
            meaning="factor of L R_Theta sqrt(d_Theta/n) (printed: 24 sqrt(log 3 + 1))",
            where="prop-5-sharp",
            ball=_lipschitz_ball,
        ),
    ],
)
