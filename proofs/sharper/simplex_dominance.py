"""No embedding has a larger mean relative variance than a simplex of a real number of points."""

from __future__ import annotations

from typing import Any

from sympy import (
    Eq,
    Expr,
    Ge,
    Le,
    Lt,
    Or,
    Rational,
    Subs,
    cosh,
    exp,
    expand_log,
    log,
    simplify,
    sinh,
    tanh,
)

from proofs.evidence import Attack, Averaged, Cited, Compared, Decided, Derived, Mutant, Use
from proofs.gateaux import Dot
from proofs.ledger import Statement, Step
from proofs.paper._second_order import Y, m2, mu
from proofs.sharper._certified_numbers import LeadingConstant
from proofs.sharper._finite_search import Setting, search, second_order
from proofs.sharper._gap import HALF_WIDTH, cosh_step, range_step, unit_range
from proofs.sharper._pairs_of_anchors import (
    X,
    a_pair,
    down,
    kernel,
    mean_anchor,
    mean_over_pairs,
    mu_of,
    point,
    reciprocal_sum,
    s_pair,
    second_ratio,
    up,
    vanishes,
)
from proofs.sharper.multiplier_lemma import B_of, multiplier, ratio_top, ratio_u
from proofs.sharper.reciprocal_lemma import ASSUMPTIONS
from proofs.symbols import declare, e_tau, tau

__all__ = ["W", "p_simplex", "s_other", "simplex_ratio", "statement", "w_simplex"]

W = declare("W", "W", "mean of E[Y^2]/mu^2 over the anchors", positive=True)
p_simplex = declare(
    "p_simplex", "p", "mass of a vertex: 1 over the number of points", nonnegative=True
)
s_other = declare("s_other", "s_0", "similarity of two vertices, -p/(1 - p)", real=True)
e_s_other = declare("e_s_other", r"e^{s_0/\tau}", "exp(s_0/tau)", positive=True)
w_simplex = declare("w_simplex", "w(p)", "E[Y^2]/mu^2 for the simplex of 1/p points", positive=True)
v_other = declare("v_other", "v", "X exp(s_0/tau), a at the similarity s_0", positive=True)
reciprocal_square = declare(
    "reciprocal_square", r"\int \mu^{-2}\,d\pi", "mean of 1/mu^2 over the anchors", positive=True
)

c_star = LeadingConstant(tau)
claim = Le(W, 1 + 2 * c_star)
_p, _s0, _e0 = p_simplex, s_other, e_s_other
_length = Dot(mean_anchor, mean_anchor)


def simplex_ratio(p: Expr, e0: Expr) -> Expr:
    """Return E[Y^2]/mu^2 where Y is e^{1/tau} with probability p, else e0."""
    return (p * e_tau**2 + (1 - p) * e0**2) / (p * e_tau + (1 - p) * e0) ** 2


_definitions: dict[Any, Any] = {
    X: reciprocal_sum(),
    W: second_ratio(),
    a_pair: X * exp(s_pair / tau),
    down: 1 / up,
    s_other: -_p / (1 - _p),
    w_simplex: simplex_ratio(_p, _e0),
}
_is = {symbol: Eq(symbol, value, evaluate=False) for symbol, value in _definitions.items()}
_squares = (
    Eq(mean_over_pairs(lambda x, y: (X * kernel(x, y)) ** 2 * mu_of(y) / mu_of(x)), W),
    Eq(
        mean_over_pairs(
            lambda x, y: (X * kernel(x, y)) ** 2 * mu_of(x) / mu_of(y), first_inside=True
        ),
        W,
    ),
)
_small = Lt(X * cosh(1 / tau), 1)
_mean = _p * e_tau + (1 - _p) * _e0
_square = _p * e_tau**2 + (1 - _p) * _e0**2
_endpoints = (
    Eq(Subs(_p * e_tau + (1 - _p) * exp(-_p / (1 - _p) / tau), _p, 0), 1),
    Eq(e_tau / 2 + exp(-1 / tau) / 2, cosh(1 / tau)),
)
_solved = (Le(_p, Rational(1, 2)), Or(_small, Eq(X * _mean, 1)))
_logs = (
    Eq(log(a_pair / v_other), (s_pair - _s0) / tau),
    Eq(log(e_tau / _e0), (1 - _s0) / tau),
)
_similar = Le(s_pair, 1)
_B, _v = multiplier, v_other
_tangent = (
    Le(a_pair**2 - _B * a_pair * _v + (_B - 2) * _v**2 * (s_pair - _s0) / tau, (1 - _B) * _v**2),
    Eq(
        X**2 * e_tau**2 - _B * _v * X * e_tau + (_B - 2) * _v**2 * (1 - _s0) / tau,
        (1 - _B) * _v**2,
    ),
    Ge(_B * _v, a_pair),
    Ge(_B, 4),
)
_c = (up + down) / 2
_cauchy = Le(a_pair**2 * _c, _B * _v * a_pair * _c + a_pair**2 - _B * _v * a_pair)
_pointwise = Le(
    a_pair**2 * _c,
    _B * _v * a_pair * _c + (1 - _B) * _v**2 - (_B - 2) * _v**2 * (s_pair - _s0) / tau,
)
_dual = _B * _v + (1 - _B) * _v**2
_averaged = Le(W, _dual - (_B - 2) * _v**2 * (_length - _s0) / tau)
_large_x = Or(_small, Le(W, w_simplex))
_bhatia = Le(m2, 2 * (HALF_WIDTH + 1) * mu - 1)
_by_reciprocals = Le(W, 2 * (HALF_WIDTH + 1) * X - reciprocal_square)
_jensen = Ge(reciprocal_square - X**2, 0)
_pair_ratio = Eq(simplex_ratio(Rational(1, 2), exp(-1 / tau)), 2 - 1 / cosh(1 / tau) ** 2)
_members = (
    Le((w_simplex - 1) / 2, c_star),
    Le((simplex_ratio(Rational(1, 2), exp(-1 / tau)) - 1) / 2, c_star),
)
_cosh = Eq(cosh(1 / tau), HALF_WIDTH + 1)


def _attack(*, seed: int, restarts: int, scale: float = 1.0) -> Compared:
    from fractions import Fraction

    from proofs.sharper._simplex_constant import leading_constant

    def bound(at: Setting) -> float:
        return scale * float(leading_constant(Fraction(at.t).limit_denominator(10**6)))

    return search(seed=seed, restarts=restarts, quantity=second_order, bound=bound, taus=(0.4, 4.0))


statement = Statement(
    id="simplex-dominance",
    title="No embedding has a larger mean relative variance than the best simplex",
    where="companion",
    assumptions=[
        *ASSUMPTIONS,
        "a simplex may have any real number 1/p >= 2 of points: w(p) is a formula",
    ],
    claim=claim,
    definitions={
        **_definitions,
        v_other: X * _e0,
        e_s_other: exp(_s0 / tau),
        p_simplex: "the p in [0, 1/2] with X(p e^{1/tau} + (1-p) e^{s_0/tau}) = 1 if there is one, "
        "else 1/2",
        multiplier: B_of(e_tau / _e0),
        c_star: "the supremum of (w(p) - 1)/2 over 0 <= p <= 1/2",
    },
    proof=[
        Step(
            text=(
                r"With $P, z, z', a$ of `reciprocal-lemma`: $\mathbb{E}[a^2\mu(z')/\mu(z)] = "
                r"\mathbb{E}[a^2\mu(z)/\mu(z')] = W$."
            ),
            evidence=Derived(
                claim=_squares,
                given=(_is[W], _is[X]),
                by=vanishes,
                at=(point,),
                mutants=[
                    Mutant(
                        "E a^2 for E[a^2 mu(z')/mu(z)]",
                        Eq(mean_over_pairs(lambda x, y: (X * kernel(x, y)) ** 2), W),
                    )
                ],
            ),
        ),
        Step(
            text=r"Unit vectors have similarities of at most 1.",
            evidence=Cited(source="Cauchy-Schwarz inequality", claim=_similar),
        ),
        Step(
            text=(
                r"$p e^{1/\tau} + (1-p)e^{s_0/\tau}$ with $s_0 = -p/(1-p)$ is 1 at $p = 0$ and "
                r"$\cosh(1/\tau)$ at $p = 1/2$."
            ),
            evidence=Derived(
                claim=_endpoints,
                mutants=[Mutant("sinh for cosh", Eq(_endpoints[1].lhs, sinh(1 / tau)))],
            ),
        ),
        Step(
            text=(
                r"$1/X \ge 1$ by `reciprocal-lemma`; so either $1/X > \cosh(1/\tau)$ or some "
                r"$p \le 1/2$ gives the value $1/X$."
            ),
            evidence=Cited(
                source="intermediate value theorem", claim=_solved, uses=("reciprocal-lemma",)
            ),
        ),
        Step(
            text=r"Exponents: with $v = X e^{s_0/\tau}$,",
            evidence=Derived(
                claim=_logs,
                given=(Eq(_v, X * _e0), Eq(_e0, exp(_s0 / tau)), _is[a_pair]),
                by=lambda e: simplify(expand_log(e, force=True)),
                mutants=[Mutant("s + s_0", Eq(_logs[0].lhs, (s_pair + _s0) / tau))],
            ),
        ),
        Step(
            text=(
                r"`multiplier-lemma` at $u = a/v$, $y = e^{(1-s_0)/\tau}$: a parabola in $a$ plus "
                r"a multiple of $s$ is largest at $s = s_0$ and at $s = 1$ alike."
            ),
            evidence=Decided(
                claim=_tangent,
                given=(
                    _is[s_other],
                    _solved[0],
                    _similar,
                    *_logs,
                    Eq(_v, X * _e0),
                    Eq(_B, B_of(e_tau / _e0)),
                    Use(
                        "multiplier-lemma",
                        {ratio_u: a_pair / _v, ratio_top: e_tau / _e0},
                    ),
                ),
                mutants=[
                    Mutant("6 for 4", Ge(_B, 6)),
                    Mutant("twice the right side", Le(_tangent[0].lhs, (1 - _B) * _v**2 * 2)),
                ],
            ),
        ),
        Step(
            text=(
                r"$c = \frac12(\mu(z')/\mu(z) + \mu(z)/\mu(z')) \ge 1$ and $a \le Bv$, so "
                r"$a(a - Bv)c \le a(a - Bv)$."
            ),
            evidence=Decided(
                claim=_cauchy,
                given=(_is[down], _tangent[2]),
                mutants=[
                    Mutant("a <= B v dropped", given=(_is[down],)),
                    Mutant("no inverse", given=(_tangent[2],)),
                ],
            ),
        ),
        Step(
            text=r"Mean over the two anchors, with $\mathbb{E}[ac] = 1$ from `reciprocal-lemma`.",
            evidence=Averaged(
                claim=_averaged,
                pointwise=_pointwise,
                given=(_cauchy, _tangent[0]),
                means={
                    a_pair * up: 1,
                    a_pair * down: 1,
                    a_pair**2 * up: W,
                    a_pair**2 * down: W,
                    s_pair: _length,
                },
                mutants=[Mutant("half of B v", Le(W, _averaged.rhs - _B * _v / 2))],
            ),
        ),
        Step(
            text=(
                r"The mean of $s$ is a squared length, so it may be dropped; and $p$, $1-p$ are "
                r"masses on $s = 1$, $s = s_0$ under which $s$ has mean 0 and $a$ mean 1. What is "
                r"left is $w(p)$."
            ),
            evidence=Decided(
                claim=_large_x,
                given=(
                    _averaged,
                    _tangent[1],
                    _tangent[3],
                    _is[s_other],
                    _is[w_simplex],
                    *_solved,
                    Eq(_v, X * _e0),
                ),
                mutants=[Mutant("9/10 of it", Or(_small, Le(W, w_simplex * Rational(9, 10))))],
            ),
        ),
        range_step(),
        Step(
            text=r"If $1/X > \cosh(1/\tau)$: $(Y - e^{-1/\tau})(e^{1/\tau} - Y) \ge 0$.",
            evidence=Averaged(
                claim=_bhatia,
                pointwise=Ge((Y - exp(-1 / tau)) * (e_tau - Y), 0),
                given=unit_range(Y),
                means={Y: mu, Y**2: m2},
                mutants=[Mutant("mu for 2 cosh mu", Le(m2, mu - 1))],
            ),
        ),
        Step(
            text=r"Divide by $\mu^2$ and average over the anchors.",
            evidence=Averaged(
                claim=_by_reciprocals,
                pointwise=Le(m2 / mu**2, 2 * (HALF_WIDTH + 1) / mu - 1 / mu**2),
                given=(_bhatia,),
                means={m2 / mu**2: W, 1 / mu: X, 1 / mu**2: reciprocal_square},
                mutants=[Mutant("without the square", Le(W, 2 * HALF_WIDTH * X))],
            ),
        ),
        Step(
            text=r"The mean of $(1/\mu - X)^2$ is not negative.",
            evidence=Averaged(
                claim=_jensen,
                pointwise=Ge(1 / mu**2 - 2 * X / mu + X**2, 0),
                means={1 / mu: X, 1 / mu**2: reciprocal_square},
                mutants=[
                    Mutant(
                        "twice the square",
                        Ge(reciprocal_square - 2 * X**2, 0),
                        pointwise=Ge(1 / mu**2 - 2 * X / mu, 0),
                    )
                ],
            ),
        ),
        cosh_step(),
        Step(
            text=r"The antipodal pair, $p = 1/2$:",
            evidence=Derived(
                claim=_pair_ratio,
                mutants=[Mutant("1 for 2", Eq(_pair_ratio.lhs, 1 - 1 / cosh(1 / tau) ** 2))],
            ),
        ),
        Step(
            text=r"$w(p)$ and $w(1/2)$ are among the values whose supremum defines $c_*$.",
            evidence=Cited(source="definition of a supremum", claim=_members),
        ),
        Step(
            text=(
                r"$2X\cosh(1/\tau) - X^2$ increases up to $X = \cosh(1/\tau)$, and at $X = "
                r"1/\cosh(1/\tau)$ it is $w(1/2)$."
            ),
            evidence=Decided(
                claim=claim,
                given=(_large_x, _by_reciprocals, _jensen, _cosh, _pair_ratio, *_members),
                mutants=[
                    Mutant("c* for 2 c*", Le(W, 1 + c_star)),
                    Mutant(
                        "the pair not a member",
                        given=(_large_x, _by_reciprocals, _jensen, _cosh, _members[0]),
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        Attack(
            claim=claim,
            search=_attack,
            restarts=3,
            at_least=0.9,
            mutants=[Mutant("8/10 of c*", arguments={"scale": 0.8})],
        ),
    ],
    tight=True,
    attained=Derived(
        claim=Eq((simplex_ratio(Rational(1, 2), exp(-1 / tau)) - 1) / 2, tanh(1 / tau) ** 2 / 2),
        mutants=[Mutant("tanh for its square", Eq(_pair_ratio.lhs, 1 + tanh(1 / tau)))],
    ),
    remarks=(
        "Attained by a regular simplex of 1/p points whenever the best 1/p is an integer: for "
        "tau >= 1.2375 by the antipodal pair (`simplex-peak`)."
    ),
)
