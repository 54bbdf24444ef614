"""Beyond the root of sinh(t)^2 = t some simplex is better than the antipodal pair."""

from __future__ import annotations

from sympy import (
    Eq,
    Expr,
    Gt,
    Le,
    Lt,
    Rational,
    Symbol,
    cancel,
    diff,
    exp,
    log,
    sinh,
    tanh,
    together,
)

from proofs.evidence import Cited, Decided, Derived, Mutant
from proofs.ledger import Statement, Step
from proofs.sharper._certified_numbers import LeadingConstant
from proofs.sharper.simplex_peak import ratio, u, w_pair
from proofs.symbols import declare, tau

__all__ = ["statement"]

w_near = declare("w_near", r"w(2 - \epsilon)", "w at some u a little below 2", positive=True)
slope_pair = declare("slope_pair", r"(\log w)'(2)", "derivative of log w at u = 2", real=True)

c_star = LeadingConstant(tau)
_hypotheses = (Gt(sinh(1 / tau) ** 2, 1 / tau),)
_pair = tanh(1 / tau) ** 2 / 2
claim = Gt(c_star, _pair)

_P = exp(-2 / tau)
_log_slope = diff(log(ratio(u)), u).subs(u, 2)
_is_slope = Eq(slope_pair, _log_slope)
_excess: Expr = 4 * (1 / tau - sinh(1 / tau) ** 2)
_slope = Eq(slope_pair * 2 * (1 + _P**2) * (1 + _P), (1 - _P) * _P * _excess)
_falls = Lt(slope_pair, 0)
_near = Gt(w_near, w_pair)
_member = Le(w_near - 1, 2 * c_star)
_value = Eq((ratio(Rational(2)) - 1) / 2, _pair)


def _in_exponentials(expression: Expr) -> Expr:
    """Reduce a rational function of e^{1/tau} and tau."""
    base = Symbol("E", positive=True)
    plain = expression.replace(sinh, lambda x: (exp(x) - exp(-x)) / 2)
    return cancel(together(plain.replace(exp, lambda x: base ** (x * tau))))


statement = Statement(
    id="simplex-peak-converse",
    title="Where sinh(1/tau)^2 > 1/tau some simplex is better than the antipodal pair",
    where="companion",
    hypotheses=_hypotheses,
    claim=claim,
    definitions={
        slope_pair: _log_slope,
        w_pair: ratio(Rational(2)),
        c_star: "the supremum of (w(u) - 1)/2 over 1 <= u <= 2",
    },
    witness={tau: 1},
    proof=[
        Step(
            text=r"The derivative of $\log w$ at $u = 2$:",
            evidence=Derived(
                claim=_slope,
                given=(_is_slope,),
                by=_in_exponentials,
                mutants=[Mutant("the sign turned", Eq(_slope.lhs, -_slope.rhs))],
            ),
        ),
        Step(
            text="It is negative.",
            evidence=Decided(
                claim=_falls,
                given=(*_hypotheses, _slope),
                mutants=[Mutant("the hypothesis dropped", given=(_slope,))],
            ),
        ),
        Step(
            text=r"So $w$ is larger a little to the left of 2.",
            evidence=Cited(source="definition of the derivative", claim=_near),
        ),
        Step(
            text=r"That value is among those whose supremum is $c_*$.",
            evidence=Cited(source="definition of a supremum", claim=_member),
        ),
        Step(
            text=r"At $u = 2$: $(w - 1)/2 = \frac12\tanh^2(1/\tau)$.",
            evidence=Derived(
                claim=_value,
                mutants=[Mutant("tanh for its square", Eq(_value.lhs, tanh(1 / tau) / 2))],
            ),
        ),
        Step(
            text="Together.",
            evidence=Decided(
                claim=claim,
                given=(_near, _member, _value, Eq(w_pair, ratio(Rational(2)))),
                mutants=[
                    Mutant("twice that", Gt(c_star, 2 * _pair)),
                    Mutant(
                        "the derivative not used", given=(_value, Eq(w_pair, ratio(Rational(2))))
                    ),
                ],
            ),
        ),
    ],
)
