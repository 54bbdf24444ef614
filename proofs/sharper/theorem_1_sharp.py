"""Theorem 1 assembled from the sharper parts, and a form whose right side is not random."""

from __future__ import annotations

from functools import partial

from sympy import Abs, Derivative, Eq, Expr, Le, Rational, log, sqrt

from proofs.evidence import Argued, Averaged, Decided, Derived, Mutant, OnWorlds, Use
from proofs.ledger import Statement, Step
from proofs.paper._circle_model import Tuples
from proofs.paper._class_search import CHI2, search_sides
from proofs.paper._covering import LEMMA_5
from proofs.paper._lipschitz_class import (
    distance,
    radius,
    rho,
    rms_anchor,
    rms_negatives,
    rms_positive,
)
from proofs.paper._scaled_class import MEASURABLE
from proofs.paper._weighted_average import w2
from proofs.sharper import lemma_3_sharp, prop_2_sharp
from proofs.sharper.last_term import gap_bound
from proofs.sharper.lemma_1_sharp import lipschitz_sharp
from proofs.sharper.lemma_1_sharp import statement as lemma_1_sharp
from proofs.sharper.lemma_3_sharp import sharp
from proofs.sharper.lemma_7_sharp import H_beta
from proofs.sharper.prop_2_sharp import search_bound
from proofs.sharper.prop_3_sharp import DEVIATION_SHARP, deviation_sharp, sup_gap
from proofs.sharper.prop_3_sharp import statement as prop_3_sharp
from proofs.sharper.prop_5_sharp import sharp_complexity, slope
from proofs.sharper.prop_5_sharp import statement as prop_5_sharp
from proofs.symbols import CE, CE_hat, Mean, R_dcl, R_hat, Rad_n, chi2, declare, k, tau

__all__ = ["bound_at", "bound_at_pop", "complexity", "slope_pop", "statement"]

slope_pop = declare(
    "slope_pop",
    r"\bar L",
    "L of lemma-1-sharp with root mean squares of the population for those of the sample, in nats",
    positive=True,
)
pop_anchor = declare(
    "pop_anchor", r"\overline{\mathrm{rms}}_a", "population rms of g at an anchor", positive=True
)
pop_positive = declare(
    "pop_positive",
    r"\overline{\mathrm{rms}}_+",
    "population rms of g at a positive",
    positive=True,
)
pop_negatives = declare(
    "pop_negatives",
    r"\overline{\mathrm{rms}}_{-,\beta}",
    "population rms of the power mean of order beta of g over the negatives of a tuple",
    positive=True,
)
bound_at = declare("bound_at", "G(L)", "the bound of prop-5-sharp as a function of L, in nats")
bound_at_pop = declare("bound_at_pop", r"G(\bar L)", "the same at L-bar, in nats")
tangent = declare(
    "tangent", "G'", "slope of a line above G that meets it at L-bar", nonnegative=True
)
rate = declare("rate", "a", "2 R_Theta/eps", positive=True)
height = declare("height", "h", "sqrt(log(1 + a L)), an integrand of G", positive=True)


def complexity(lipschitz_constant: Expr) -> Expr:
    """Return G(L), the bound of prop-5-sharp on the Rademacher complexity, in nats."""
    return prop_5_sharp.claim[0].rhs.subs(slope, lipschitz_constant)


_slope = Eq(slope, lipschitz_sharp(H_beta, rms_negatives))
_population = {rms_anchor: pop_anchor, rms_positive: pop_positive, rms_negatives: pop_negatives}
_slope_pop = Eq(slope_pop, _slope.rhs.subs(_population))
_lipschitz = Le(rho, slope * distance)
_bounds = (Eq(bound_at, complexity(slope)), Eq(bound_at_pop, complexity(slope_pop)))
_sample = Le(Rad_n, bound_at)
#: The square root of X lies below its tangent at s^2, (X/s + s)/2.
_below_tangent = _slope.rhs.subs({r: (r**2 / s + s) / 2 for r, s in _population.items()})
_mean_slope = Le(Mean(slope), _slope_pop.rhs)
_integrand = sqrt(log(1 + rate * slope))
_curvature = Derivative(_integrand, (slope, 2))
_second = Eq(
    _curvature, -(rate**2) * (2 * height**2 + 1) / (4 * (1 + rate * slope) ** 2 * height**3)
)
_line = Le(bound_at, bound_at_pop + tangent * (slope - slope_pop))
_mean_line = Le(Mean(Rad_n), bound_at_pop + tangent * (Mean(slope) - slope_pop))
_mean = Le(Mean(Rad_n), bound_at_pop)
_explicit = Le(search_bound, 2 * (chi2 - Rational(3, 4)) / k)
_bias = search_bound / tau
claim = (
    Le(CE_hat, R_hat + 2 * bound_at + DEVIATION_SHARP + _bias),
    Le(CE_hat, R_hat + 2 * bound_at_pop + DEVIATION_SHARP / 2 + _bias),
    _explicit,
)
#: Any bound on CE - R_dcl will do: the side used here does not need one.
_prop_2 = Use("prop-2-sharp", {gap_bound: Abs(CE - R_dcl)})
#: What `prop-2-sharp` asks of one draw and of one loss.
_search_hypotheses = tuple(h for h in prop_2_sharp.HYPOTHESES if not h.has(gap_bound))
_generalisation = (*prop_3_sharp.hypotheses, Use("prop-3-sharp"))


def excess(tuples: Tuples, size: float, probability: float, share: float = 1.0) -> float:
    """Return what the theorem adds to the empirical risk (nats) in the world of `search_sides`."""
    deviation = deviation_sharp(tuples.tau, tuples.k, len(tuples.points), probability)
    search = 2 * (CHI2 - 0.75) / (tuples.k * tuples.tau)
    return share * (2 * sharp_complexity(tuples, 1, size) + deviation + search)


statement = Statement(
    id="theorem-1-sharp",
    title="Generalisation of the similarity search, with the sharper parts",
    where="companion",
    assumptions=[
        "(A): the n tuples are iid; phi_theta has unit norm; anchors and negatives share phi and "
        "pi",
        "(B): M(z, .) << pi with a density w(z, z') that is jointly measurable",
        "(C), with an envelope g for the norm: Theta is a ball of radius R_Theta about theta_0, "
        "from which the distance is taken",
        MEASURABLE,
        "each of the two bounds holds with probability at least 1 - delta, for all theta in the "
        "ball at once; 0 < delta < 1",
    ],
    hypotheses=(
        *lemma_1_sharp.hypotheses,
        *prop_3_sharp.hypotheses,
        Le(distance, radius),
        *_search_hypotheses,
    ),
    claim=claim,
    definitions={
        slope: _slope.rhs,
        slope_pop: _slope_pop.rhs,
        bound_at: _bounds[0].rhs,
        bound_at_pop: _bounds[1].rhs,
        height: _integrand,
        search_bound: "mean over anchors z of 2 E_nu[(w - 1)^+/(w + k - 1)], nu = M(z, .)",
    },
    witness={
        **lemma_1_sharp.witness,
        **prop_3_sharp.witness,
        radius: 1,
        sup_gap: 0,
        **{s: v for s, v in prop_2_sharp.statement.witness.items() if s is not gap_bound},
    },
    remarks=(
        "No term log(1 + e^{2/tau}/k) is left: the search is bounded by the DCL risk, which is at "
        "most the risk. In the second form nothing on the right is random but the empirical risk; "
        "it needs population second moments of the norms, and pays half the deviation, since only "
        "sup(R - R_hat) has to concentrate. Compare `theorem-1`, term by term, with `infonce "
        "bound`."
    ),
    proof=[
        Step(
            text="`lemma-1-sharp` gives the Lipschitz constant $L$ of the sample,",
            evidence=Decided(
                claim=_lipschitz,
                given=(*lemma_1_sharp.hypotheses, Use("lemma-1-sharp"), _slope),
                mutants=[
                    Mutant("half of it", Le(rho, slope * distance / 2)),
                    Mutant("lemma-1-sharp not used", given=(*lemma_1_sharp.hypotheses, _slope)),
                ],
            ),
        ),
        Step(
            text="with which `prop-5-sharp` bounds the complexity by $G(L)$.",
            evidence=Decided(
                claim=_sample,
                given=(
                    *LEMMA_5,
                    _lipschitz,
                    Le(distance, radius),
                    Use("prop-5-sharp"),
                    _bounds[0],
                ),
                mutants=[Mutant("half of it", Le(Rad_n, bound_at / 2))],
            ),
        ),
        Step(
            text=(
                "A root mean square is on average at most that of the population: "
                "$\\sqrt{X} \\le (X/s + s)/2$. So $\\mathbb{E}L \\le \\bar L$."
            ),
            evidence=Averaged(
                claim=_mean_slope,
                pointwise=Le(slope, _below_tangent),
                given=(_slope,),
                means={
                    slope: Mean(slope),
                    **{r: Mean(r) for r in _population},
                    **{r**2: s**2 for r, s in _population.items()},
                },
                mutants=[
                    Mutant("half of it", Le(Mean(slope), _slope_pop.rhs / 2)),
                ],
            ),
        ),
        Step(
            text="The integrands of $G$ are concave in $L$: their second derivative",
            evidence=Derived(
                claim=_second,
                given=(Eq(height, _integrand),),
                mutants=[
                    Mutant("the sign turned", Eq(_curvature, -_second.rhs)),
                    Mutant(
                        "without the 1", Eq(_curvature, _second.rhs / (1 + 1 / (2 * height**2)))
                    ),
                ],
            ),
        ),
        Step(
            text="is negative.",
            evidence=Decided(
                claim=Le(_curvature, 0),
                given=(_second,),
                mutants=[Mutant("the sign not known", given=())],
            ),
        ),
        Step(
            text="So $G$ lies below a line of slope $G' \\ge 0$ that meets it at $\\bar L$.",
            evidence=Argued(
                text=(
                    "For a fixed limit U of the integral it is concave and increasing in L, as an "
                    "integral of concave and increasing functions; for U = L R_Theta it is linear "
                    "in L, as the substitution of x U for eps shows. It increases with U, so G is "
                    "the smaller of the two, for U = L R_Theta and for U = Delta_k: again concave "
                    "and increasing. Such a function has a supporting line from above at every "
                    "interior point, of a slope that is not negative."
                ),
                why="the supporting line of a concave function is convex analysis, not algebra",
                claim=_line,
                given=(Le(_curvature, 0),),
            ),
        ),
        Step(
            text="Average over the sample,",
            evidence=Averaged(
                claim=_mean_line,
                pointwise=Le(Rad_n, bound_at_pop + tangent * (slope - slope_pop)),
                given=(_sample, _line),
                means={Rad_n: Mean(Rad_n), slope: Mean(slope)},
                mutants=[
                    Mutant("G below 0", Le(Mean(Rad_n), tangent * (Mean(slope) - slope_pop))),
                ],
            ),
        ),
        Step(
            text="where $\\mathbb{E}L \\le \\bar L$.",
            evidence=Decided(
                claim=_mean,
                given=(_mean_line, _mean_slope, _slope_pop),
                mutants=[
                    Mutant("half of it", Le(Mean(Rad_n), bound_at_pop / 2)),
                    Mutant("the mean of L not known", given=(_mean_line, _slope_pop)),
                ],
            ),
        ),
        Step(
            text="The bias of the search is at most $2(\\mathbb{E}[w^2] - 3/4)/k$ over $\\tau$.",
            evidence=Averaged(
                claim=_explicit,
                pointwise=Le(sharp, 2 * (w2 - Rational(3, 4)) / k),
                given=(*lemma_3_sharp.at(k),),
                means={sharp: search_bound, w2: chi2},
                mutants=[
                    Mutant(
                        "1 for 3/4",
                        Le(search_bound, 2 * (chi2 - 1) / k),
                        pointwise=Le(sharp, 2 * (w2 - 1) / k),
                    ),
                ],
            ),
        ),
        Step(
            text="`prop-3-sharp` goes to the risk, `prop-2-sharp` to the search.",
            evidence=Decided(
                claim=claim,
                given=(*_generalisation, _sample, _mean, _explicit, *_search_hypotheses, _prop_2),
                mutants=[
                    Mutant(
                        "half the deviation with the complexity of the sample",
                        Le(CE_hat, R_hat + 2 * bound_at + DEVIATION_SHARP / 2 + _bias),
                    ),
                    Mutant(
                        "one complexity",
                        Le(CE_hat, R_hat + bound_at + DEVIATION_SHARP + _bias),
                    ),
                    Mutant(
                        "no bias of the search",
                        Le(CE_hat, R_hat + 2 * bound_at + DEVIATION_SHARP),
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=claim[0],
            sides=search_sides,
            arguments={"excess": excess},
            mutants=[
                Mutant(
                    "a thousandth of the bound",
                    arguments={"excess": partial(excess, share=1e-3)},
                )
            ],
        ),
    ],
)
