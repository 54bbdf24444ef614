"""Erratum: B_tau does not stabilise for norms with heavy tails; second moments can be enough."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sympy import (
    Derivative,
    Eq,
    Expr,
    Gt,
    Implies,
    Integer,
    Le,
    Limit,
    Rational,
    Subs,
    oo,
    powsimp,
    simplify,
)

from proofs.evidence import Averaged, Case, Decided, Derived, Enumerated, Mutant, Sampled, Use
from proofs.ledger import Correction, Statement, Step
from proofs.paper._growth import (
    STAY,
    below,
    log_pareto_mean,
    none_beyond,
    product_rule,
    stay,
)
from proofs.paper.low_temperature import order, others, power_average, top_power
from proofs.sharper.lemma_1_sharp import SECOND_MOMENTS
from proofs.sharper.lemma_1_sharp import statement as lemma_1_sharp
from proofs.symbols import declare, k

tail_index = declare(
    "tail_index", r"\alpha", "index of a Pareto law: P(g > r) = r^-alpha for r >= 1", positive=True
)
cap = declare("cap", "b", "a level below which the power mean might stay", positive=True)
cap_power = declare("cap_power", "b^p", "p-th power of that level", positive=True)
stable = declare("stable", r"1\{\mathrm{PM}_p\le b\}", "1 if the power mean is at most b, else 0")
small = declare("small", r"1\{\max g\le bk^{1/p}\}", "1 if no norm exceeds b k^{1/p}, else 0")
chance = declare(
    "chance",
    r"\mathbb P(\mathrm{PM}_p\le b)",
    "chance that the power mean is at most b",
    nonnegative=True,
)
second_moment = declare(
    "second_moment", r"\mathbb E\,g^2", "second moment of the norms", positive=True
)
expected = declare(
    "expected", r"k\,\mathbb P(g>bk^{1/p})", "mean number of norms beyond b k^{1/p}", positive=True
)
norm_size = declare("norm_size", "r", "size of a norm, at least 1", positive=True)

_split = Eq(k * power_average, top_power + others)
_events = (
    Implies(Gt(stable, 0), Le(power_average, cap_power)),
    Implies(Le(top_power, k * cap_power), Eq(small, 1)),
    Le(0, stable),
    Le(stable, 1),
    Le(0, small),
)
_rare: Expr = cap ** (-tail_index) * k ** (-tail_index / order)
_beyond = cap ** (-tail_index) * k ** (1 - tail_index / order)
_bound = cap**tail_index * k ** (tail_index / order - 1)
_chance = Le(chance, _bound)
_included = Le(chance, below)
_law = Eq(k * (1 - stay), expected)
_inverse = Eq(1 / expected, _bound)
_at = {tail_index: 4, order: 20}


def _at_fifth(growth: int) -> Expr:
    """Return the bound of the example at k = (growth b)^5."""
    at = {**_at, k: (growth * cap) ** 5}
    return Subs(_bound, tuple(at), tuple(at.values()))


def _primitive(moment: int, index: int) -> Expr:
    """Return a primitive of r^moment times the Pareto density, zero at infinity."""
    return Integer(index) / (moment - index) * norm_size ** (moment - index)


def _density(index: int) -> Expr:
    return index * norm_size ** (-index - 1)


_from_one_to_infinity = Limit(_primitive(2, 4), norm_size, oo) - _primitive(2, 4).subs(norm_size, 1)
_moment = (
    Eq(Derivative(_primitive(2, 4), norm_size), norm_size**2 * _density(4)),
    Eq(second_moment, 2),
)


def stays_below(levels: tuple[int, ...], growth: int = 2) -> Iterator[Case]:
    """Yield, for each level b, whether the power mean can be at most b half of the time.

    Pareto norms of index 4, tau = 1/10, so order 20, and k = (growth b)^5 negatives: the chance is
    at most b^4 k^{-4/5}, the same number for every b.
    """
    for level in levels:
        k_there = (growth * level) ** 5
        at_most = Fraction(level**4, (growth * level) ** 4)
        yield Case(f"b = {level}, k = {k_there}", Fraction(1, 2), "<=", at_most)


claim = (_chance, Eq(second_moment, 2), SECOND_MOMENTS)

statement = Statement(
    id="erratum-heavy-tails",
    title="Heavy tails: B_tau grows without bound, unless second moments are used",
    where="Section 4, remarks after Proposition 5",
    assumptions=[
        "the norms g of the negatives are iid Pareto: P(g > r) = r^-alpha for r >= 1",
        "one tuple; more tuples are more negatives of the same law",
        "(C) with the envelope g, for the last relation",
        "b^alpha k^{alpha/p} > 1, that is, the level b k^{1/p} exceeds the smallest norm",
        "E g^2 is for the index 4 of the example",
    ],
    hypotheses=(STAY, _split, *_events, *lemma_1_sharp.hypotheses),
    claim=claim,
    definitions={
        stay: 1 - _rare,
        below: stay**k,
        expected: _beyond,
        second_moment: _from_one_to_infinity,
    },
    witness={
        **lemma_1_sharp.witness,
        stay: Rational(1, 2),
        k: 1,
        power_average: 1,
        top_power: 1,
        others: 0,
        cap_power: 1,
        stable: 1,
        small: 1,
    },
    correction=Correction(
        printed="$B_\\tau$ stabilises as $k$ grows",
        refutation=Enumerated(
            claim="for some b the power mean is at most b half of the time, for every k",
            cases=stays_below,
            arguments={"levels": (1, 10, 1000)},
            mutants=[Mutant("k = (3b)^5", arguments={"levels": (1, 10), "growth": 3})],
        ),
        note=(
            "Only if the norms have a finite moment of order $2/\\min(1,\\tau)$ "
            "(`limit-stable-in-k`). For Pareto norms of index 4 at $\\tau = 0.1$ the order is 20 "
            "and $B_\\tau$ grows like $k^{1/5}$. With the exponent $\\beta = 2$ of `lemma-1-sharp` "
            "second moments are enough, at the price of the factor $\\cosh(1/\\tau)$."
        ),
    ),
    proof=[
        Step(
            text=(
                "The largest $p$-th power is at most the sum: where $\\mathrm{PM}_p \\le b$, no "
                "norm exceeds $bk^{1/p}$."
            ),
            evidence=Averaged(
                claim=_included,
                pointwise=Le(stable, small),
                given=(_split, *_events),
                means={stable: chance, small: below},
                mutants=[
                    Mutant("the sum not split", given=_events),
                    Mutant("the other way round", Le(below, chance), pointwise=Le(small, stable)),
                ],
            ),
        ),
        product_rule(),
        none_beyond(),
        Step(
            text="For the Pareto law, the expected number of norms beyond $bk^{1/p}$:",
            evidence=Derived(
                claim=(_law, _inverse),
                given=(Eq(stay, 1 - _rare), Eq(expected, _beyond)),
                by=lambda e: simplify(powsimp(e)),
                mutants=[
                    Mutant("k times as many", Eq(k * (1 - stay), k * expected)),
                ],
            ),
        ),
        Step(
            text=(
                "So the chance that $\\mathrm{PM}_p \\le b$ is at most $b^\\alpha k^{\\alpha/p-1}$."
            ),
            evidence=Decided(
                claim=_chance,
                given=(_included, Le(below * (1 + k * (1 - stay)), 1), _law, _inverse, STAY),
                mutants=[
                    Mutant("half of it", Le(chance, _bound / 2)),
                    Mutant(
                        "the chance of none beyond not bounded", given=(_included, _law, _inverse)
                    ),
                ],
            ),
        ),
        Step(
            text=(
                "For $\\alpha = 4$ and $p = 20$ ($\\tau = 0.1$) it is $b^4 k^{-4/5}$, tends to 0 "
                "and is $1/16$ at $k = (2b)^5$, whatever $b$."
            ),
            evidence=Derived(
                claim=(
                    Eq(
                        Subs(_bound, tuple(_at), tuple(_at.values())),
                        cap**4 * k ** (-Integer(4) / 5),
                    ),
                    Eq(Limit(_bound.subs(_at), k, oo), 0),
                    Eq(_at_fifth(2), Rational(1, 16)),
                ),
                mutants=[
                    Mutant(
                        "p = 4, the tail index",
                        Eq(Limit(_bound.subs({tail_index: 4, order: 4}), k, oo), 0),
                    ),
                    Mutant("b^5 for (2b)^5", Eq(_at_fifth(1), Rational(1, 16))),
                ],
            ),
        ),
        Step(
            text=(
                "The second moment of that law is finite: a primitive, and its values at 1 and "
                "infinity."
            ),
            evidence=Derived(
                claim=_moment,
                given=(Eq(second_moment, _from_one_to_infinity),),
                mutants=[
                    Mutant("3 for 2", Eq(second_moment, 3)),
                    Mutant(
                        "the first moment's primitive",
                        Eq(Derivative(_primitive(1, 4), norm_size), norm_size**2 * _density(4)),
                    ),
                ],
            ),
        ),
        Step(
            text="and `lemma-1-sharp` with $\\beta = 2$ asks for no more.",
            evidence=Decided(
                claim=claim,
                given=(
                    _chance,
                    Eq(second_moment, 2),
                    *lemma_1_sharp.hypotheses,
                    Use("lemma-1-sharp"),
                ),
                mutants=[
                    Mutant("1 for the second moment", Eq(second_moment, 1)),
                    Mutant("lemma-1-sharp not used", given=(_chance, Eq(second_moment, 2))),
                ],
            ),
        ),
    ],
    crosschecks=[
        Sampled(
            claim="Pareto norms of index 4, order 20: mean log of the power mean of 10^4 of them",
            draw=log_pareto_mean,
            relation="<=",
            arguments={"index": 4.0, "order": 20.0, "k": 10_000, "repeats": 100},
            mutants=[
                Mutant(
                    "norms of index 5",
                    arguments={
                        "index": 5.0,
                        "order": 20.0,
                        "k": 10_000,
                        "repeats": 100,
                        "claimed": 4.0,
                    },
                )
            ],
        ),
    ],
)
