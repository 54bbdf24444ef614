"""-log(1 + D) against its Taylor polynomials, with the exact worst constant of the remainder."""

from __future__ import annotations

from sympy import (
    Eq,
    Expr,
    Ge,
    Le,
    Lt,
    Rational,
    Subs,
    Symbol,
    diff,
    log,
)

from proofs.evidence import Cited, Decided, Derived, Enclosed, Mutant
from proofs.ledger import Statement, Step
from proofs.symbols import declare

__all__ = ["ORDERS", "at", "depth", "dev", "remainder_factor", "statement", "taylor"]

dev = declare("dev", "D", "relative deviation of a positive number from its mean, above -1")
depth = declare("depth", "y", "how far D may fall: D >= -y, y in (0, 1)", positive=True)
_d = Symbol("d", real=True)

ORDERS = (2, 4, 6)


def taylor(order: int, at: Expr) -> Expr:
    """Return the Taylor polynomial of -log(1 + D) of that degree.

    >>> taylor(3, Symbol("D"))
    -D**3/3 + D**2/2 - D
    """
    return sum((-at) ** i / Rational(i) for i in range(1, order + 1))


def remainder_factor(order: int, at: Expr) -> Expr:
    """Return G, for which -log(1 + D) = taylor(order - 1) + G D^order at D = -y."""
    return (-log(1 - at) - taylor(order - 1, -at)) / at**order


def at(deviation: Expr, fall: Expr) -> dict[Expr, Expr]:
    """Return what a `Use` of this statement puts for D and y."""
    return {dev: deviation, depth: fall}


def _numerator(order: int) -> Expr:
    return -log(1 + _d) - taylor(order - 1, _d)


def _slope(order: int, power: int) -> Expr:
    """Return d times the derivative of the numerator, minus `power` times the numerator."""
    return _d * diff(_numerator(order), _d) - power * _numerator(order)


_rise = log(1 + _d) + taylor(3, _d)
_hypotheses = (Lt(depth, 1), Ge(dev, -depth))
_quotients = tuple(
    Eq(diff(_numerator(n) / _d**n, _d), _slope(n, n) / _d ** (n + 1), evaluate=False)
    for n in ORDERS
)
_signs = (
    *(Eq(diff(_slope(n, n), _d), -(_d**n) / (1 + _d) ** 2, evaluate=False) for n in ORDERS),
    *(Eq(Subs(_slope(n, n), _d, 0), 0) for n in ORDERS),
)
_cubic = (Eq(diff(_rise, _d), -(_d**3) / (1 + _d)), Eq(Subs(_rise, _d, 0), 0))
_falls = tuple(
    Le(-log(1 + dev) - taylor(n - 1, dev), remainder_factor(n, depth) * dev**n) for n in ORDERS
)
_lower = Ge(-log(1 + dev), taylor(3, dev))
claim = (
    *(Le(-log(1 + dev), taylor(n - 1, dev) + remainder_factor(n, depth) * dev**n) for n in ORDERS),
    _lower,
)


def _enclosed(order: int, shift: Expr) -> Le:
    """Return the claim of one order, with the remainder's factor moved."""
    right = taylor(order - 1, dev) + (remainder_factor(order, depth) + shift) * dev**order
    return Le(-log(1 + dev), right)


statement = Statement(
    id="log-remainder",
    title="Minus the logarithm below its Taylor polynomial plus the worst remainder",
    where="companion",
    hypotheses=_hypotheses,
    claim=claim,
    witness={depth: Rational(1, 2), dev: 0},
    proof=[
        Step(
            text=(
                r"Let $N_n(d) = -\log(1+d) - \sum_{i<n}(-d)^i/i$ for $n = 2, 4, 6$. The quotient "
                r"$N_n(d)/d^n$ has the derivative $(d N_n'(d) - n N_n(d))/d^{n+1}$ ..."
            ),
            evidence=Derived(
                claim=_quotients,
                mutants=[
                    Mutant(
                        "n + 1 for n",
                        Eq(diff(_numerator(4) / _d**4, _d), _slope(4, 5) / _d**5),
                    )
                ],
            ),
        ),
        Step(
            text=(
                r"... whose numerator vanishes at 0 and has the derivative $-d^n/(1+d)^2$: it has "
                r"the sign of $-d$, and, $n$ being even, the quotient falls on both sides of 0."
            ),
            evidence=Derived(
                claim=_signs,
                mutants=[
                    Mutant(
                        "1 + d for its square",
                        Eq(diff(_slope(2, 2), _d), -(_d**2) / (1 + _d)),
                    ),
                    Mutant("the sign turned", Eq(diff(_slope(4, 4), _d), _d**4 / (1 + _d) ** 2)),
                ],
            ),
        ),
        Step(
            text=(
                r"By the mean value theorem the quotient at $D \ge -y$ is at most that at $-y$ "
                r"(at $D = 0$ both sides vanish)."
            ),
            evidence=Cited(source="mean value theorem (monotone functions)", claim=_falls),
        ),
        Step(
            text=(
                r"$\log(1+d) - d + d^2/2 - d^3/3$ has the derivative $-d^3/(1+d)$ and vanishes "
                r"at 0 ..."
            ),
            evidence=Derived(
                claim=_cubic,
                mutants=[Mutant("d^2 for d^3", Eq(diff(_rise, _d), -(_d**2) / (1 + _d)))],
            ),
        ),
        Step(
            text=r"... so it is largest at 0.",
            evidence=Cited(source="mean value theorem (monotone functions)", claim=_lower),
        ),
        Step(
            text="Together.",
            evidence=Decided(
                claim=claim,
                given=(*_falls, _lower),
                mutants=[
                    Mutant(
                        "half the remainder",
                        Le(
                            -log(1 + dev),
                            taylor(1, dev) + remainder_factor(2, depth) * dev**2 / 2,
                        ),
                    ),
                    Mutant("the cubic term dropped", Ge(-log(1 + dev), taylor(2, dev))),
                ],
            ),
        ),
    ],
    tight=True,
    attained=Derived(
        claim=tuple(
            Eq(
                -log(1 - depth),
                Subs(taylor(n - 1, dev) + remainder_factor(n, depth) * dev**n, dev, -depth),
            )
            for n in ORDERS
        ),
        at=({depth: Rational(1, 3)},),
        mutants=[
            Mutant(
                "the factor of order 4 in order 2",
                Eq(-log(1 - depth), taylor(1, -depth) + remainder_factor(4, depth) * depth**2),
            )
        ],
    ),
    crosschecks=[
        Enclosed(
            claim=tuple(_enclosed(n, Rational(0)) for n in ORDERS),
            box={dev: (Rational(1, 2), 2), depth: (Rational(1, 2), Rational(3, 4))},
            mutants=[
                Mutant("1/2 off the factor of order 2", _enclosed(2, -Rational(1, 2))),
                Mutant("1/3 off the factor of order 6", _enclosed(6, -Rational(1, 3))),
            ],
        ),
    ],
)
