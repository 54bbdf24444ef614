"""c*(tau), the constant of 1/k in CE - R_dcl, best possible where simplices reach it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import (
    Eq,
    Ge,
    Gt,
    Le,
    Rational,
    exp,
    log,
)

from proofs.constants import target
from proofs.evidence import (
    Attack,
    Averaged,
    Cited,
    Decided,
    Derived,
    Enumerated,
    Mutant,
    Use,
)
from proofs.evidence.supremum import Supremum
from proofs.expansion import kappa
from proofs.ledger import Constant, Statement, Step
from proofs.paper._second_order import Y, b, mu, mu_hat
from proofs.sharper._certified_numbers import (
    KForLeading,
    KOfSimplex,
    LeadingConstant,
    LeadingFactor,
)
from proofs.sharper._gap import GAP, gap, range_step, unit_range
from proofs.sharper._leading_checks import (
    best_simplex,
    c_star_ball,
    closed_cases,
    finite_k,
    k_needed,
    k_of_simplex,
    upper_ball,
)
from proofs.sharper.gap_second_order import G_2, G_4
from proofs.sharper.gap_second_order import statement as second_order
from proofs.sharper.multiplier_lemma import B_of, multiplier, ratio_top, ratio_u
from proofs.sharper.simplex_dominance import (
    W,
    e_s_other,
    p_simplex,
    s_other,
    simplex_ratio,
    w_simplex,
)
from proofs.symbols import CE, Mean, R_dcl, declare, e_tau, k, q, tau

__all__ = ["closed_form", "statement", "upper"]

mean_inverse = declare(
    "mean_inverse", "X_p", "1/(p e^{1/tau} + (1-p) e^{s_0/tau}) for a simplex", positive=True
)
B_top = declare("B_top", "B", "(e^{2/tau} - 1 - 2/tau)/(e^{1/tau} - 1 - 1/tau)", real=True)

c_star, c_k = LeadingConstant(tau), LeadingFactor(k, tau)
upper = 2 * c_star * c_k / k
_E, _k2 = e_tau, kappa(2)
_p, _s0, _e0, _B = p_simplex, s_other, e_s_other, B_top
closed_form = (_E - 1) ** 4 / (8 * (_E - 1 - 1 / tau) * (_E**2 - _E - 1 / tau))
_by_B = (_B - 2) ** 2 / (8 * (_B - 1))
_half = (W - 1) / 2
_size = (
    1 + (Rational(2, 3) + 8 * G_4 * (q - 1) ** 2) / k,
    1 - Rational(2, 3) * (q - 1) / k,
)
_limit = (Le(k * (CE - R_dcl), _half * _size[0]), Ge(k * (CE - R_dcl), _half * _size[1]))
claim = (
    *_limit,
    Le(_half, c_star),
    Le(CE - R_dcl, upper),
    Le(c_k, G_2),
    Le(c_star, closed_form),
)
_per_anchor = (Le(GAP, _k2 / (2 * k) * _size[0]), Ge(GAP, _k2 / (2 * k) * _size[1]))
_by_factor = Le(k * (CE - R_dcl), c_k * (W - 1))
_means = {
    log(mu): CE + Mean(-log(b)),
    Mean(log(mu_hat)): R_dcl + Mean(-log(b)),
    _k2: W - 1,
}
_multiplied = (
    Le(_e0**2 - _B * _e0 + (_B - 2) * _s0 / tau, 1 - _B),
    Eq(_E**2 - _B * _E + (_B - 2) / tau, 1 - _B),
    Ge(_B, 4),
)
_definitions: dict[Any, Any] = {
    gap: GAP,
    s_other: -_p / (1 - _p),
    w_simplex: simplex_ratio(_p, _e0),
    mean_inverse: 1 / (_p * _E + (1 - _p) * _e0),
    B_top: B_of(_E),
    **{symbol: second_order.definitions[symbol] for symbol in (q, G_2, G_4)},
}
_is = {symbol: Eq(symbol, value) for symbol, value in _definitions.items()}
_masses = (Ge(_p, 0, evaluate=False), Le(_p, Rational(1, 2)))
_inverse = mean_inverse
_square = Eq(w_simplex, _inverse**2 * (_p * _E**2 + (1 - _p) * _e0**2))
_above_tangent = Gt(_E, 1 + 1 / tau)
_below = Le(w_simplex, _B * _inverse + (1 - _B) * _inverse**2)
_by_multiplier = Le(c_star, _by_B)


statement = Statement(
    id="leading-constant",
    title="The constant of 1/k in the DCL bias is at most c*(tau)",
    where="companion",
    assumptions=[
        "(A): the tuples are iid; phi has unit norm; anchors and negatives share pi and phi",
        "Y = exp(s(a, z)/tau) for z ~ pi, kappa_2 = Var(Y)/mu^2 given the anchor",
    ],
    claim=claim,
    definitions={
        W: "the mean of E[Y^2]/mu^2 = 1 + kappa_2 over the anchors",
        **_definitions,
        e_s_other: exp(_s0 / tau),
        p_simplex: "1 over the number of points of a simplex, in [0, 1/2]",
        c_star: "the supremum of (w(p) - 1)/2 over 0 <= p <= 1/2",
        c_k: "the supremum of k times gap over kappa_2, for laws on two points of ratio e^{2/tau}",
    },
    proof=[
        range_step(),
        Step(
            text="For one anchor, `gap-second-order`:",
            evidence=Decided(
                claim=_per_anchor,
                given=(*unit_range(Y, mu_hat), _is[gap], Use("gap-second-order")),
                mutants=[
                    Mutant("no error term", Le(GAP, _k2 / (2 * k))),
                    Mutant("the range not known", given=(_is[gap], Use("gap-second-order"))),
                ],
            ),
        ),
        Step(
            text=r"Average over the anchors: $k(\mathrm{CE} - \tilde R) \to (W - 1)/2$.",
            evidence=Averaged(
                claim=_limit,
                pointwise=tuple(part.func(k * part.lhs, k * part.rhs) for part in _per_anchor),
                given=_per_anchor,
                means=_means,
                mutants=[
                    Mutant("W for W - 1", (Le(_limit[0].lhs, W / 2 * _size[0] / 2), _limit[1]))
                ],
            ),
        ),
        Step(
            text=r"In the same way `variance-factor`: no limit, but $c_k$ for $1/2$.",
            evidence=Averaged(
                claim=_by_factor,
                pointwise=Le(k * GAP, c_k * _k2),
                given=(*unit_range(Y, mu_hat), _is[gap], Use("variance-factor")),
                means=_means,
                mutants=[Mutant("half of it", Le(_by_factor.lhs, c_k * (W - 1) / 2))],
            ),
        ),
        Step(
            text=r"`simplex-dominance`: $W \le 1 + 2c_*$.",
            evidence=Decided(
                claim=(Le(_half, c_star), Le(CE - R_dcl, upper)),
                given=(_by_factor, Use("simplex-dominance")),
                mutants=[
                    Mutant("half of it", Le(CE - R_dcl, upper / 2)),
                    Mutant("dominance not used", given=(_by_factor,)),
                ],
            ),
        ),
        Step(
            text=r"$c_k \le G_2$, by `variance-factor`.",
            evidence=Decided(
                claim=Le(c_k, G_2),
                given=(*unit_range(Y, mu_hat), Use("variance-factor")),
                mutants=[Mutant("half of it", Le(c_k, G_2 / 2))],
            ),
        ),
        Step(
            text=r"A closed form for $c_*$. The exponent at the other vertices:",
            evidence=Derived(
                claim=Eq(log(_e0), _s0 / tau),
                given=(Eq(_e0, exp(_s0 / tau)),),
                mutants=[Mutant("twice that", Eq(log(_e0), 2 * _s0 / tau))],
            ),
        ),
        Step(
            text="The masses of a simplex.",
            evidence=Cited(source="definition of a simplex: 1/p points, at least 2", claim=_masses),
        ),
        Step(
            text=r"`multiplier-lemma` at $y = e^{1/\tau}$ and $u = e^{s_0/\tau}$.",
            evidence=Decided(
                claim=_multiplied,
                given=(
                    *_masses,
                    _is[s_other],
                    Eq(log(_e0), _s0 / tau),
                    _is[B_top],
                    Use("multiplier-lemma", {ratio_u: _e0, ratio_top: _E, multiplier: _B}),
                ),
                mutants=[Mutant("5 for 4", Ge(_B, 5))],
            ),
        ),
        Step(
            text=r"$w(p)$ with $X_p = 1/(p e^{1/\tau} + (1-p)e^{s_0/\tau})$.",
            evidence=Derived(
                claim=_square,
                given=(_is[w_simplex], _is[mean_inverse]),
                mutants=[Mutant("X_p for its square", Eq(w_simplex, _square.rhs / _inverse))],
            ),
        ),
        Step(
            text=(
                r"Weigh the two relations by $p$ and $1-p$: under these masses $s$ has mean 0, and "
                r"$e^{s/\tau}$ has mean $1/X_p$."
            ),
            evidence=Decided(
                claim=_below,
                given=(*_masses, _is[s_other], _is[mean_inverse], _square, *_multiplied),
                mutants=[
                    Mutant(
                        "-B for 1 - B",
                        Le(w_simplex, _B * _inverse - _B * _inverse**2),
                    ),
                ],
            ),
        ),
        Step(
            text=r"Over all $X_p$ the right side is at most $B^2/(4(B-1))$.",
            evidence=Supremum(
                claim=_by_multiplier,
                suprema={c_star: (w_simplex - 1) / 2},
                varying=(w_simplex, mean_inverse, p_simplex, s_other, e_s_other),
                given=(_below, Ge(_B, 4)),
                mutants=[
                    Mutant("half of it", Le(c_star, _by_B / 2)),
                    Mutant("B >= 4 dropped", given=(_below,)),
                ],
            ),
        ),
        Step(
            text=r"$B$ in terms of $e^{1/\tau}$.",
            evidence=Derived(
                claim=Eq(_by_B, closed_form),
                given=(_is[B_top],),
                mutants=[Mutant("the cube", Eq(_by_B, closed_form / (_E - 1)))],
            ),
        ),
        Step(
            text=r"The exponential lies above its tangent at 0, so no denominator vanishes.",
            evidence=Cited(source="strict convexity of the exponential", claim=_above_tangent),
        ),
        Step(
            text="Together.",
            evidence=Decided(
                claim=claim,
                given=(
                    *_limit,
                    Le(_half, c_star),
                    Le(CE - R_dcl, upper),
                    Le(c_k, G_2),
                    _by_multiplier,
                    Eq(_by_B, closed_form),
                    Ge(_B, 4),
                    _above_tangent,
                ),
                mutants=[Mutant("half the closed form", Le(c_star, closed_form / 2))],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=claim[-1],
            cases=closed_cases,
            arguments={"closed": closed_form},
            mutants=[
                Mutant("9/10 of it", arguments={"closed": closed_form, "scale": Fraction(9, 10)})
            ],
        ),
        Attack(
            claim=claim[3],
            search=finite_k,
            restarts=2,
            at_least=0.3,
            mutants=[Mutant("3/10 of it", arguments={"scale": 0.3})],
        ),
        Attack(
            claim="(W - 1)/2 is at most that of the best simplex of n points: seen, not proved",
            search=best_simplex,
            restarts=4,
            at_least=0.999,
            rounding=1e-6,
            mutants=[Mutant("9/10 of it", arguments={"scale": 0.9})],
        ),
    ],
    constants=[
        Constant(
            name="leading-constant-c-star",
            formula=c_star,
            printed=False,
            meaning="c*(tau): limit of k(CE - R_dcl) is at most this, in nats",
            where="leading-constant",
            looseness=lambda tau, k: 1.0,  # attained where the best 1/p is whole: `simplex-peak`
            ball=c_star_ball,
        ),
        Constant(
            name="leading-constant-closed",
            formula=closed_form,
            printed=False,
            meaning="closed upper bound on c*(tau), in nats",
            where="leading-constant",
        ),
        Constant(
            name="leading-constant-upper",
            sharpens="eq-11-upper",
            formula=upper,
            printed=False,
            meaning="upper bound on CE - R of DCL (and of InfoNCE) at finite k, in nats",
            where="leading-constant",
            ball=upper_ball,
        ),
        Constant(
            name="leading-constant-k",
            sharpens="eq-11-k",
            formula=KForLeading(target, tau),
            printed=False,
            meaning="negatives that suffice for a DCL bias of at most the target",
            where="leading-constant",
            ball=k_needed,
        ),
        Constant(
            name="leading-constant-k-of-simplex",
            formula=KOfSimplex(target, tau),
            printed=False,
            meaning="negatives below which a simplex (the worst found) has a bias above the target",
            where="leading-constant",
            ball=k_of_simplex,
        ),
    ],
    remarks=(
        "Attained in the limit of large k by a regular simplex of 1/p points where the best 1/p is "
        "a whole number (`simplex-peak`); otherwise an upper bound. The closed bound on c* tends "
        "to e^{1/tau}/8 in proportion as tau falls."
    ),
)
