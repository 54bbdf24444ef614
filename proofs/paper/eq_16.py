"""Equation 16: the loss, as a function of its exponents, is 1-Lipschitz for the maximum norm."""

from __future__ import annotations

from sympy import (
    Abs,
    Eq,
    Expr,
    IndexedBase,
    Integer,
    Le,
    Limit,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    oo,
)

from proofs.evidence import Averaged, Decided, Derived, Mutant
from proofs.ledger import Constant, Statement, Step
from proofs.symbols import declare, k

v_j = declare("v_j", "v_j", "an exponent of the loss: <phi(z_a), phi(z_+) - phi(z_j)>/tau")
v_other = declare("v_j_other", "v'_j", "the same exponent under phi'")
e_v = declare("e_v", "e^{-v_j}", "exp(-v_j)", positive=True)
e_other = declare("e_other", "e^{-v'_j}", "exp(-v'_j)", positive=True)
sum_v = declare("sum_v", r"\Sigma_v", "sum of e^{-v_j} over the k negatives", positive=True)
sum_other = declare("sum_other", r"\Sigma_{v'}", "sum of e^{-v'_j}", positive=True)
shift = declare("shift", r"\max_j|v_j - v'_j|", "maximum norm of v - v'", nonnegative=True)

_j = Symbol("j", integer=True, positive=True)
_v, _w = IndexedBase("v", real=True), IndexedBase("v'", real=True)

_logs = (
    Eq(log(e_v * exp(-shift) / e_other), v_other - v_j - shift),
    Eq(log(e_other * exp(-shift) / e_v), v_j - v_other - shift),
)
_exponentials = (Eq(e_v, exp(-v_j)), Eq(e_other, exp(-v_other)))
_close = Le(Abs(v_j - v_other), shift)
_pointwise = (Le(e_v, exp(shift) * e_other), Le(e_other, exp(shift) * e_v))
_sums = (Le(sum_v, exp(shift) * sum_other), Le(sum_other, exp(shift) * sum_v))
_log_sums = tuple(Eq(log(exp(shift) * (1 + s)), shift + log(1 + s)) for s in (sum_v, sum_other))
claim = Le(Abs(log(1 + sum_v) - log(1 + sum_other)), shift)


def _summed(which: int) -> Averaged:
    large, small = (sum_v, sum_other) if which == 0 else (sum_other, sum_v)
    e_large, e_small = (e_v, e_other) if which == 0 else (e_other, e_v)
    return Averaged(
        claim=_sums[which],
        pointwise=_pointwise[which],
        given=_pointwise,
        means={e_v: sum_v, e_other: sum_other},
        mutants=[
            Mutant("1 for e^max", Le(large, small), pointwise=Le(e_large, e_small)),
        ],
    )


def _along_the_diagonal(v: Expr) -> Expr:
    """Return the loss, up to log k, where all v_j are equal."""
    return log(1 + k * exp(-v))


_u = Symbol("u", real=True)
_slope = -_along_the_diagonal(_u).diff(_u)

statement = Statement(
    id="eq-16",
    title="The loss is 1-Lipschitz in its exponents, for the maximum norm",
    where="Section 4.2, [16]",
    hypotheses=[_close],
    claim=claim,
    definitions={
        e_v: exp(-v_j),
        e_other: exp(-v_other),
        sum_v: Sum(exp(-_v[_j]), (_j, 1, k)),
        sum_other: Sum(exp(-_w[_j]), (_j, 1, k)),
    },
    witness={v_j: 0, v_other: 1, shift: 1},
    tight=True,
    attained=Derived(
        claim=Eq(Limit(_slope, _u, -oo), 1),
        mutants=[Mutant("1/2", Eq(Limit(_slope, _u, -oo), Rational(1, 2)))],
    ),
    proof=[
        Step(
            text="In logarithms, the ratios of the $e^{-v_j}$ and $e^{-v'_j}$.",
            evidence=Derived(
                claim=_logs,
                given=_exponentials,
                mutants=[
                    Mutant("the sign turned", Eq(_logs[0].lhs, v_j - v_other - shift)),
                ],
            ),
        ),
        Step(
            text="Each term changes by a factor $e^{\\max_j|v_j-v'_j|}$ at most.",
            evidence=Decided(
                claim=_pointwise,
                given=(*_logs, _close),
                mutants=[
                    Mutant("half the maximum", Le(e_v, exp(shift / 2) * e_other)),
                    Mutant("v and v' not close", given=_logs),
                ],
            ),
        ),
        Step(text="Add over the negatives ...", evidence=_summed(0)),
        Step(text="... and with $v$ and $v'$ exchanged.", evidence=_summed(1)),
        Step(
            text="Logarithms of the two upper bounds of $1 + \\Sigma$.",
            evidence=Derived(
                claim=_log_sums,
                mutants=[
                    Mutant("the 1 kept outside", Eq(_log_sums[0].lhs, log(1 + exp(shift) * sum_v)))
                ],
            ),
        ),
        Step(
            text="The 1 only helps: $1 + e^\\delta\\Sigma \\le e^\\delta(1 + \\Sigma)$.",
            evidence=Decided(
                claim=claim,
                given=(*_sums, *_log_sums),
                mutants=[
                    Mutant(
                        "half the maximum",
                        Le(Abs(log(1 + sum_v) - log(1 + sum_other)), shift / 2),
                    ),
                    Mutant("one direction only", given=(_sums[0], *_log_sums)),
                ],
            ),
        ),
    ],
    constants=[
        Constant(
            name="eq-16-lipschitz",
            formula=Integer(1),
            meaning="Lipschitz constant of v -> log(1 + sum e^{-v_j}) for the maximum norm",
            where="[16]",
        ),
    ],
)
