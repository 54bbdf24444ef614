"""The antipodal pair is the best simplex as long as sinh(1/tau)^2 <= 1/tau."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import (
    Eq,
    Expr,
    Ge,
    Le,
    Or,
    Rational,
    diff,
    exp,
    log,
    sinh,
    tanh,
)

from proofs.evidence import Cited, Decided, Derived, Enclosed, Enumerated, Mutant
from proofs.evidence.supremum import Supremum
from proofs.ledger import Constant, Statement, Step
from proofs.sharper._certified_numbers import Crossing, LeadingConstant
from proofs.sharper._leading_checks import pair_cases
from proofs.sharper.simplex_dominance import simplex_ratio
from proofs.symbols import declare, tau

__all__ = ["ratio", "statement", "u", "w_pair"]

u = declare(
    "u_simplex", "u", "1/(1 - p): n/(n - 1) for a simplex of n points, in (1, 2]", positive=True
)
w_u = declare("w_u", "w(u)", "E[Y^2]/mu^2 for that simplex", positive=True)
w_pair = declare("w_pair", "w(2)", "the same for the antipodal pair", positive=True)
growth = declare("growth", "g", "e^L (1 - 2L/(e^L - 1)) at L = u/tau", real=True)
growth_pair = declare("growth_pair", "g_2", "the same at L = 2/tau", real=True)
L_up = declare("L_up", "L", "u/tau", positive=True)

h_u = declare("h_u", "h(u/\\tau)", "1 - 2L/(e^L - 1) at L = u/tau", real=True)
h_pair = declare("h_pair", "h(2/\\tau)", "the same at L = 2/tau", real=True)

#: The root of sinh(t)^2 = t to 30 digits, cut off and rounded up.
ROOT = Rational("0.808068756887156917940622849816")
ROOT_UP = ROOT + Rational(1, 10**30)

c_star = LeadingConstant(tau)
_hypotheses = (Le(sinh(1 / tau) ** 2, 1 / tau),)
_pair = tanh(1 / tau) ** 2 / 2
_root = (
    Le(sinh(ROOT) ** 2, ROOT, evaluate=False),
    Ge(sinh(ROOT_UP) ** 2, ROOT_UP, evaluate=False),
)
claim = (Eq(c_star, _pair), *_root)

_v = u - 1
_P = exp(-u / tau)


def ratio(at: Expr) -> Expr:
    """Return w(u)."""
    p_ = exp(-at / tau)
    return at * (at - 1 + p_**2) / (at - 1 + p_) ** 2


def h_of(value: Expr) -> Expr:
    """Return 1 - 2L/(e^L - 1)."""
    return 1 - 2 * value / (exp(value) - 1)


_ratio = Eq(simplex_ratio(_v / u, exp((1 - u) / tau)), ratio(u))
_bracket = (1 - _P) * (_P - _v) + 2 * u * _v * _P / tau
_slope = Eq(diff(log(ratio(u)), u) * u * (_v + _P**2) * (_v + _P), (1 - _P) * _bracket)
_factored = Eq(_bracket, _P * (1 - _P) * (1 - _v * exp(u / tau) * h_of(u / tau)))
_pair_factor = Eq(
    (1 - exp(-2 / tau)) * (1 - exp(2 / tau) * h_of(2 / tau)),
    4 * (1 / tau - sinh(1 / tau) ** 2),
)
_quotient = Eq(
    diff(L_up / (exp(L_up) - 1), L_up), -(exp(L_up) * (L_up - 1) + 1) / (exp(L_up) - 1) ** 2
)
_tangent = Ge(exp(-L_up), 1 - L_up)
_numerator = Ge(exp(L_up) * (L_up - 1) + 1, 0)
_range = (Ge(u, 1), Le(u, 2))
_monotone = (Le(h_u, h_pair), Le(exp(u / tau), exp(2 / tau)))
_grows = Or(Le(growth, 0), Le(growth, growth_pair))
_definitions: dict[Any, Any] = {
    growth: exp(u / tau) * h_u,
    growth_pair: exp(2 / tau) * h_pair,
}
_is = {symbol: Eq(symbol, value) for symbol, value in _definitions.items()}
_at_pair = Eq((1 - exp(-2 / tau)) * (1 - growth_pair), _pair_factor.rhs)
_positive = Ge((1 - _P) ** 2 * _P * (1 - _v * growth), 0)
_largest = Le(w_u, w_pair)
_value = Eq((ratio(Rational(2)) - 1) / 2, _pair)
_member = Le((w_pair - 1) / 2, c_star)


def _crossing(*, digits: int) -> Any:
    from proofs.sharper._simplex_constant import crossing

    return crossing(digits)


statement = Statement(
    id="simplex-peak",
    title="The antipodal pair is the best simplex as long as sinh(1/tau)^2 <= 1/tau",
    where="companion",
    hypotheses=_hypotheses,
    claim=claim,
    definitions={
        u: "1/(1 - p), in (1, 2]: n/(n - 1) for a simplex of n points",
        c_star: "the supremum of (w(u) - 1)/2 over 1 <= u <= 2",
        h_u: h_of(u / tau),
        h_pair: h_of(2 / tau),
        **_definitions,
        w_pair: ratio(Rational(2)),
    },
    witness={tau: 2},
    proof=[
        Step(
            text=r"$w$ in terms of $u = 1/(1-p)$ and $P = e^{-u/\tau}$.",
            evidence=Derived(
                claim=_ratio,
                mutants=[Mutant("half of it", Eq(_ratio.lhs, _ratio.rhs / 2))],
            ),
        ),
        Step(
            text="The derivative of its logarithm ...",
            evidence=Derived(
                claim=_slope,
                mutants=[Mutant("the last factor dropped", Eq(_slope.lhs, _bracket))],
            ),
        ),
        Step(
            text=r"... has the sign of $1 - (u-1)g$, $g = e^L h(L)$ at $L = u/\tau$ ...",
            evidence=Derived(
                claim=_factored,
                mutants=[
                    Mutant(
                        "u for u - 1",
                        Eq(_bracket, _P * (1 - _P) * (1 - u * exp(u / tau) * h_of(u / tau))),
                    )
                ],
            ),
        ),
        Step(
            text=r"... with $h(L) = 1 - 2L/(e^L - 1)$. The derivative of $L/(e^L - 1)$:",
            evidence=Derived(
                claim=_quotient,
                mutants=[Mutant("the sign turned", Eq(_quotient.lhs, -_quotient.rhs))],
            ),
        ),
        Step(
            text="The exponential lies above its tangent ...",
            evidence=Cited(source="convexity of the exponential", claim=_tangent),
        ),
        Step(
            text=r"... so $L/(e^L - 1)$ falls.",
            evidence=Decided(
                claim=_numerator,
                given=(_tangent,),
                mutants=[Mutant("the other way round", Le(_numerator.lhs, 0))],
            ),
        ),
        Step(
            text=r"So $h$ and the exponential rise up to $u = 2$.",
            evidence=Cited(
                source="mean value theorem (monotone functions)", claim=(*_range, *_monotone)
            ),
        ),
        Step(
            text=r"Hence $g$ is not positive, or at most its value at $u = 2$.",
            evidence=Decided(
                claim=_grows,
                given=(*_monotone, *_is.values()),
                mutants=[
                    Mutant("always at most that", Le(growth, growth_pair)),
                    Mutant("h not monotone", given=(_monotone[1], *_is.values())),
                ],
            ),
        ),
        Step(
            text=r"At $u = 2$: $1 - g$ has the sign of $1/\tau - \sinh^2(1/\tau)$.",
            evidence=Derived(
                claim=_at_pair,
                given=(_is[growth_pair], Eq(h_pair, h_of(2 / tau))),
                mutants=[Mutant("2 for 4", Eq(_at_pair.lhs, _pair_factor.rhs / 2))],
            ),
        ),
        Step(
            text=r"So $w$ rises on all of $(1, 2]$ if $\sinh^2(1/\tau) \le 1/\tau$ ...",
            evidence=Decided(
                claim=_positive,
                given=(*_hypotheses, *_range, _grows, _at_pair),
                mutants=[
                    Mutant("the hypothesis dropped", given=(*_range, _grows, _at_pair)),
                    Mutant("u <= 2 dropped", given=(*_hypotheses, _range[0], _grows, _at_pair)),
                ],
            ),
        ),
        Step(
            text=r"... and is largest at $u = 2$.",
            evidence=Cited(source="mean value theorem (monotone functions)", claim=_largest),
        ),
        Step(
            text=r"There $(w - 1)/2 = \frac12\tanh^2(1/\tau)$.",
            evidence=Derived(
                claim=_value,
                mutants=[Mutant("tanh for its square", Eq(_value.lhs, tanh(1 / tau) / 2))],
            ),
        ),
        Step(
            text=r"The supremum is at most that ...",
            evidence=Supremum(
                claim=Le(c_star, (w_pair - 1) / 2),
                suprema={c_star: (w_u - 1) / 2},
                varying=(w_u, u),
                given=(_largest,),
                mutants=[Mutant("half of it", Le(c_star, (w_pair - 1) / 4))],
            ),
        ),
        Step(
            text="... and it is one of the values.",
            evidence=Cited(source="definition of a supremum", claim=_member),
        ),
        Step(
            text=r"The root of $\sinh^2 t = t$, by its sign at two points.",
            evidence=Enclosed(
                claim=_root,
                bits=256,
                mutants=[
                    Mutant("10^{-30} higher", (Le(sinh(ROOT_UP) ** 2, ROOT_UP, evaluate=False),)),
                ],
            ),
        ),
        Step(
            text="Together.",
            evidence=Decided(
                claim=claim,
                given=(
                    Le(c_star, (w_pair - 1) / 2),
                    _member,
                    Eq(w_pair, ratio(Rational(2))),
                    _value,
                    *_root,
                ),
                mutants=[Mutant("half of it", Eq(c_star, _pair / 2))],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim="c* is (tanh t)^2/2 up to the root, and larger beyond",
            cases=pair_cases,
            mutants=[Mutant("9/10 of it", arguments={"scale": Fraction(9, 10)})],
        ),
    ],
    constants=[
        Constant(
            name="simplex-peak-crossing",
            formula=Crossing(),
            printed=False,
            meaning="the root of sinh(t)^2 = t: for 1/tau up to it the antipodal pair is best",
            where="simplex-peak",
            ball=_crossing,
        ),
    ],
    remarks=(
        "Beyond the root the pair is not best (`simplex-peak-converse`). sinh(t)^2/t increases, so "
        "the root is unique; and (u - 1)g increases once it is positive, so that w has one peak."
    ),
)
