"""Equation 13: where the search is much closer to the DCL risk than to its own limit."""

from __future__ import annotations

import math
from fractions import Fraction

from sympy import Abs, Eq, Ge, Gt, Integer, Le, Rational, exp, log

from proofs.evidence import Averaged, Decided, Derived, Mutant, OnWorlds, Use
from proofs.ledger import Constant, Statement, Step
from proofs.paper._class_world import chi2 as chi2_of
from proofs.paper._class_world import limit_ratio, ratios
from proofs.paper._second_order import Y, mu
from proofs.paper._weighted_average import AVERAGE, WITNESS, F
from proofs.paper.eq_12 import R_dcl_anchor, log_mean_exp
from proofs.paper.eq_32 import deviation, gap, third, var_Y
from proofs.paper.eq_32 import statement as eq_32
from proofs.symbols import CE, CE_hat, R_dcl, chi2, declare, k, tau

__all__ = ["CONSTRUCTION", "classes", "statement"]

classes = declare(
    "classes", "N", "number of equally likely classes, 1/eps", integer=True, positive=True
)
own_mass = declare("own_mass", "x", "(e^{1/tau} - 1)/N", positive=True)
others = declare(
    "mean_of_the_others",
    r"\bar y",
    "mean of Y over the other classes; 1 if orthogonal",
    positive=True,
)
within = declare(
    "within", "v", "variance of Y over the other classes; 0 if orthogonal", nonnegative=True
)
slack = declare("slack", "a", "share of the leading term given away, at most 1/65", positive=True)
CE_anchor = declare("CE_anchor", r"\mathrm{CE}(z)", "cross-entropy limit of one anchor")

E = exp(1 / tau)
#: eps = 1/N = 1/ceil(e^{1/tau} - 1), and vectors that are nearly orthonormal: s <= tau log(4/3).
CONSTRUCTION = (
    Gt(E, 2),
    Gt(E - 1, classes - 1),
    Le(E - 1, classes),
    Ge(classes, 2),
    Le(others, Rational(4, 3)),
)
_large_k = (Le(slack, Rational(1, 65)), Ge(3 * slack * k, 2 * E))

_x = Eq(own_mass, (E - 1) / classes)
_mean = Eq(mu, (E + (classes - 1) * others) / classes)
_second = (E**2 + (classes - 1) * (others**2 + within)) / classes
_variance = Eq(var_Y, _second - mu**2)
_between = (classes - 1) * (E - others) ** 2 / classes**2
_split = Eq(var_Y, _between + (classes - 1) * within / classes)
_half_to_one = (Ge(own_mass, Rational(1, 2)), Le(own_mass, 1))
_spread_polynomial = Ge(
    8 * (classes - 1) * (E - others) ** 2, (E - 2) * (E + (classes - 1) * others) ** 2
)
_cluster = (CONSTRUCTION[0], CONSTRUCTION[3], _x, *_half_to_one)
_spread = Ge(var_Y / mu**2, (E - 2) / 8)
_cube = Le(third, (E - mu) * var_Y)
_anchor = Ge(k * (CE_anchor - R_dcl_anchor), (1 - slack) * (E - 2) / 16)
_total = Ge(k * (CE - R_dcl), (1 - slack) * (E - 2) / 16)
_identity = Eq(CE_anchor - R_dcl_anchor, gap)
_anchors = (Eq(CE_anchor, log(mu) - F / tau), Eq(R_dcl_anchor, log_mean_exp - F / tau))
_constant = Le(64 / (1 - slack), 65)
bound = 65 * chi2 / (tau * (E - 2)) * (CE - R_dcl)
claim = (Le(Abs(CE_hat - R_dcl), bound), Gt(CE - R_dcl, 0))


def looseness(tau: Fraction | None = None, k: int | None = None) -> float | None:
    """Return the largest limit ratio over the share of noise, divided by the bound [13]."""
    if tau is None:
        return None
    value = float(tau)
    if math.exp(1 / value) <= 2:
        return None
    shares = [i / 100 for i in range(1, 100)]
    allowed = 65 / (value * (math.exp(1 / value) - 2))
    return max(limit_ratio(value, s) / (allowed * chi2_of(value, s)) for s in shares)


statement = Statement(
    id="eq-13",
    title="A search is closer to the DCL risk than that is to its limit",
    where="Section 3.4, [13], and Appendix A.2",
    assumptions=[
        "(B): M(z, .) << pi with a jointly measurable density",
        "e^{1/tau} > 2; phi(Z) is uniform on N = ceil(e^{1/tau} - 1) unit vectors whose inner "
        "products are at most tau log(4/3): nearly orthonormal, which needs d large enough",
        "k is at least (130/3) e^{1/tau}: the limit superior of [13] is bounded by every such k",
    ],
    hypotheses=(*CONSTRUCTION, *_large_k, *eq_32.hypotheses, *AVERAGE),
    claim=claim,
    definitions={
        own_mass: (E - 1) / classes,
        CE_anchor: log(mu) - F / tau,
        R_dcl_anchor: log_mean_exp - F / tau,
        deviation: Y - mu,
        mu: (E + (classes - 1) * others) / classes,
        var_Y: _second - mu**2,
    },
    witness={
        **eq_32.witness,
        **WITNESS,
        classes: 2,
        others: 1,
        slack: Rational(1, 65),
        k: 130,
    },
    proof=[
        Step(
            text=(
                r"Since $N - 1 < e^{1/\tau} - 1 \le N$ and $e^{1/\tau} > 2$, the mass "
                r"$x = (e^{1/\tau} - 1)/N$ lies between 1/2 and 1."
            ),
            evidence=Decided(
                claim=_half_to_one,
                given=(*CONSTRUCTION[:3], _x),
                mutants=[
                    Mutant("3/5 for 1/2", Ge(own_mass, Rational(3, 5))),
                    Mutant("9/10 for 1", Le(own_mass, Rational(9, 10))),
                    Mutant("e^{1/tau} > 2 dropped", given=(*CONSTRUCTION[1:3], _x)),
                ],
            ),
        ),
        Step(
            text=(
                r"$Y = e^{1/\tau}$ with probability $1/N$. Its variance is that between the own "
                r"class and the others, plus a share of the variance among the others."
            ),
            evidence=Derived(
                claim=_split,
                given=(_variance, _mean),
                mutants=[
                    Mutant("N for N - 1", Eq(var_Y, _between * classes / (classes - 1))),
                    Mutant(
                        "the variance among the others unscaled",
                        Eq(var_Y, _between + within),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                r"The classes are few and far enough from each other for the first of the two: "
                r"with $xN = e^{1/\tau} - 1$,"
            ),
            evidence=Decided(
                claim=_spread_polynomial,
                given=(*_cluster, CONSTRUCTION[4]),
                mutants=[
                    Mutant(
                        "4 for 8",
                        Ge(_spread_polynomial.lhs / 2, _spread_polynomial.rhs),
                    ),
                    Mutant("inner products not bounded", given=_cluster),
                    Mutant(
                        "x at least 1/4",
                        given=(
                            *_cluster[:3],
                            Ge(own_mass, Rational(1, 4)),
                            *_cluster[4:],
                            CONSTRUCTION[4],
                        ),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                r"so that $\mathrm{Var}(Y)/\mu^2 \ge (e^{1/\tau} - 2)/8$. (For orthonormal vectors "
                r"it is $x(e^{1/\tau} - 1 - x)/(1+x)^2$, at least $\tfrac29(e^{1/\tau} - 2)$.)"
            ),
            evidence=Decided(
                claim=_spread,
                given=(_spread_polynomial, _mean, _split, CONSTRUCTION[0], CONSTRUCTION[3]),
                mutants=[
                    Mutant("1/4 for 1/8", Ge(var_Y / mu**2, (E - 2) / 4)),
                    Mutant(
                        "the variance not split",
                        given=(_spread_polynomial, _mean, CONSTRUCTION[0], CONSTRUCTION[3]),
                    ),
                ],
            ),
        ),
        Step(
            text=r"$Y - \mu \le e^{1/\tau} - \mu$ bounds the third central moment by the second.",
            evidence=Averaged(
                claim=_cube,
                pointwise=Le(deviation**3, (E - mu) * deviation**2),
                given=(Eq(deviation, Y - mu), *eq_32.hypotheses[:2]),
                means={deviation: 0, deviation**2: var_Y, deviation**3: third},
                mutants=[
                    Mutant(
                        "1 for e^{1/tau}",
                        Le(third, (1 - mu) * var_Y),
                        pointwise=Le(deviation**3, (1 - mu) * deviation**2),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                r"For one anchor $\mathrm{CE} - \tilde R$ is the Jensen gap of the log: the term "
                r"of the positive cancels."
            ),
            evidence=Derived(
                claim=_identity,
                given=_anchors,
                at=({mu: 2, log_mean_exp: Rational(1, 2), F: 0, tau: 1},),
                mutants=[Mutant("the sign turned", Eq(CE_anchor - R_dcl_anchor, -gap))],
            ),
        ),
        Step(
            text=(
                r"Now [32]: as soon as $3ak \ge 2e^{1/\tau}$ the gap times $k$ is at least "
                r"$(1-a)(e^{1/\tau} - 2)/16$."
            ),
            evidence=Decided(
                claim=_anchor,
                given=(
                    *CONSTRUCTION,
                    *_large_k,
                    *eq_32.hypotheses,
                    Use("eq-32"),
                    _mean,
                    _spread,
                    _cube,
                    _identity,
                ),
                mutants=[
                    Mutant(
                        "1/15 for 1/16",
                        Ge(k * (CE_anchor - R_dcl_anchor), (1 - slack) * (E - 2) / 15),
                    ),
                ],
            ),
        ),
        Step(
            text="Integrate over the anchor.",
            evidence=Averaged(
                claim=_total,
                pointwise=_anchor,
                given=(_anchor,),
                means={CE_anchor: CE, R_dcl_anchor: R_dcl},
                mutants=[
                    Mutant("1/15 for 1/16", Ge(k * (CE - R_dcl), (1 - slack) * (E - 2) / 15)),
                ],
            ),
        ),
        Step(
            text=r"$4 \cdot 16/(1 - a) \le 65$ as soon as $a \le 1/65$, with equality there.",
            evidence=Decided(
                claim=_constant,
                given=_large_k[:1],
                mutants=[
                    Mutant("64 for 65", Le(64 / (1 - slack), 64)),
                    Mutant("a <= 1/64", given=(), where=(Le(slack, Rational(1, 64)),)),
                ],
            ),
        ),
        Step(
            text="Divide [12] by that.",
            evidence=Decided(
                claim=claim,
                given=(*AVERAGE, Use("eq-12"), CONSTRUCTION[0], *_large_k, _total, _constant),
                mutants=[
                    Mutant("64 for 65", Le(Abs(CE_hat - R_dcl), bound * Rational(64, 65))),
                    Mutant("[12] not used", given=(CONSTRUCTION[0], *_large_k, _total, _constant)),
                ],
            ),
        ),
    ],
    remarks=(
        "For orthonormal vectors 2/9 may stand for 1/8, and 36 for 65; with `lemma-3-sharp` for "
        "lemma 3, 18. Nearly orthonormal vectors cost nothing: the share a pays for finite k."
    ),
    crosschecks=[
        Decided(
            claim=Ge(9 * own_mass * (E - 1 - own_mass), 2 * (E - 2) * (1 + own_mass) ** 2),
            where=(CONSTRUCTION[0], *_half_to_one),
            mutants=[
                Mutant(
                    "9/4 for 2",
                    Ge(4 * own_mass * (E - 1 - own_mass), (E - 2) * (1 + own_mass) ** 2),
                ),
            ],
        ),
        OnWorlds(
            claim=claim[0],
            sides=ratios,
            mutants=[Mutant("2 for 65", arguments={"constant": 2.0})],
        ),
    ],
    constants=[
        Constant(
            name="eq-13-sixty-five",
            formula=Integer(65),
            meaning="factor of E[w^2]/(tau (e^{1/tau} - 2)); 64/(1-a) at a = 1/65",
            where="[13]",
            looseness=looseness,
        ),
        Constant(
            name="eq-13-first-k",
            formula=130 * E / 3,
            printed=False,
            meaning="from this k on the bound of [13] holds, not only in the limit",
            where="[13]",
        ),
    ],
)
