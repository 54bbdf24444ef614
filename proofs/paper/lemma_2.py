"""Lemma 2: the log of a mean of exponentials against the mean of the log of their average."""

from __future__ import annotations

from sympy import Eq, Expr, Ge, Le, Rational, Sum, Symbol, binomial, exp, log

from proofs.evidence import Decided, Derived, Enclosed, Mutant
from proofs.ledger import Constant, Statement, Step
from proofs.paper._second_order import (
    Y,
    b,
    c,
    m2,
    mean_at_least,
    mu,
    mu_hat,
    second_order_steps,
    value_range,
)
from proofs.symbols import Mean, declare, k

average = Mean(log(1 / k + b * mu_hat))
gap = log(b * mu) - average
lower = -log(1 + exp(c) / (b * k))
upper = (exp(2 * c) - 1) ** 2 / (8 * k)

_steps, _second_part = second_order_steps(1 / k, b)
_first = log(b * mu) - log(1 / k + b * mu)
_split = Eq(_first, -log(1 + 1 / (k * b * mu)))
_first_part = (
    Ge(-log(1 + 1 / (k * b * mu)), lower),
    Le(-log(1 + 1 / (k * b * mu)), 0, evaluate=False),
)

p = declare("p", "p", "probability of the larger value of a two-point law", nonnegative=True)
_j = Symbol("j", integer=True, nonnegative=True)


def two_point_gap(shift: Expr, weight: Expr) -> Expr:
    """Return the gap of the law {e^c with probability p, else e^{-c}} as a binomial sum over j."""
    mean = p * exp(c) + (1 - p) * exp(-c)
    chance = binomial(k, _j) * p**_j * (1 - p) ** (k - _j)
    average = (_j * exp(c) + (k - _j) * exp(-c)) / k
    # The chances sum to 1, so log(weight * mean) can go inside the sum: the balls stay small.
    return -Sum(chance * log((shift / weight + average) / mean), (_j, 0, k))


_box = {
    p: (Rational(1, 20), Rational(19, 20)),
    c: (Rational(3, 4), Rational(2)),
    k: [1, 2, 4, 8],
}

statement = Statement(
    id="lemma-2",
    title="Log of a mean against mean of a log, with the shift 1/k",
    where="Section 3.2, Lemma 2",
    assumptions=["X, X_1, ..., X_k are iid with values in [-c, c]"],
    hypotheses=value_range(),
    claim=(Ge(gap, lower), Le(gap, upper)),
    definitions={
        mu: "E e^X, where Y = e^X",
        m2: "E e^{2X}",
        mu_hat: "the mean of e^{X_1}, ..., e^{X_k}",
    },
    witness={c: 1, Y: 1, mu_hat: 1},
    proof=[
        mean_at_least(),
        Step(
            text="Split at $\\log(1/k + b\\mu)$; the first part is $-\\log(1 + 1/(kb\\mu))$.",
            evidence=Derived(
                claim=_split,
                mutants=[
                    Mutant("k dropped", Eq(_first, -log(1 + 1 / (b * mu)))),
                    Mutant("the sign turned", Eq(_first, log(1 + 1 / (k * b * mu)))),
                ],
            ),
        ),
        Step(
            text="Since $\\mu \\ge e^{-c}$, it lies between $-\\log(1 + e^c/(bk))$ and 0.",
            evidence=Decided(
                claim=_first_part,
                given=(Ge(mu, exp(-c)),),
                mutants=[
                    Mutant(
                        "e^{c/2} for e^c",
                        Ge(-log(1 + 1 / (k * b * mu)), -log(1 + exp(c / 2) / (b * k))),
                    ),
                    Mutant("mu >= e^{-c} dropped", given=()),
                ],
            ),
        ),
        *_steps,
        Step(
            text="Add the two parts.",
            evidence=Decided(
                claim=(Ge(gap, lower), Le(gap, upper)),
                given=(_split, *_first_part, *_second_part),
                mutants=[
                    Mutant("1/9 for 1/8 in the upper bound", Le(gap, upper * 8 / 9)),
                    Mutant(
                        "e^{c/2} for e^c in the lower bound",
                        Ge(gap, -log(1 + exp(c / 2) / (b * k))),
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enclosed(
            claim=(
                Le(two_point_gap(1 / k, Rational(1000)), upper),
                Ge(two_point_gap(1 / k, Rational(1)), lower.subs(b, 1)),
            ),
            box=_box,
            mutants=[
                Mutant("1/64 for 1/8", Le(two_point_gap(1 / k, Rational(1000)), upper / 8)),
                Mutant("0 for the lower bound", Ge(two_point_gap(1 / k, Rational(1)), 0)),
            ],
        ),
    ],
    constants=[
        Constant(
            name="lemma-2-eighth",
            formula=Rational(1, 8),
            meaning="factor of (e^{2c} - 1)^2/k in the upper bound",
            where="Lemma 2",
        ),
    ],
)
