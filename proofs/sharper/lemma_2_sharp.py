"""Lemma 2 with C* sinh(c)^2/(2k): the factor e^{2c} of the printed bound is gone."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from sympy import (
    Eq,
    Expr,
    Ge,
    Le,
    Symbol,
    ceiling,
    diff,
    exp,
    expand_log,
    log,
    simplify,
    sinh,
)

from proofs.constants import target
from proofs.evidence import Averaged, Case, Cited, Decided, Derived, Enumerated, Mutant, Use
from proofs.ledger import Constant, Statement, Step
from proofs.paper import lemma_2
from proofs.paper._second_order import Y, b, c, mu, mu_hat, value_range
from proofs.sharper import poisson_domination, two_point_lemma
from proofs.sharper._certified_numbers import CStar
from proofs.sharper._gap import GAP, gap, gap_two
from proofs.sharper.poisson_constant import HIGH, LOW, K, excess, mean_log, x_rate
from proofs.symbols import Mean, k, tau

__all__ = ["statement", "upper"]

C_star = CStar()
upper = C_star * sinh(c) ** 2 / (2 * k)
claim = (
    Ge(lemma_2.gap, lemma_2.lower),
    Le(lemma_2.gap, upper),
    Ge(C_star, LOW),
    Le(C_star, HIGH),
)

_CS = (Fraction(1, 10), Fraction(1), Fraction(4))
_low, _high = exp(-c), exp(c)
_hypotheses = value_range()
_range_of_mu = (Ge(mu, _low), Le(mu, _high))
_shifted, _plain = log(1 / k + b * mu_hat), Mean(log(mu_hat))
_logs = (Eq(log(b * mu), log(b) + log(mu)), Eq(log(b * mu_hat), log(b) + log(mu_hat)))
_no_shift = Ge(Mean(_shifted), log(b) + _plain)
_two_point = two_point_lemma.at(_low, _high)
_ends = _two_point[:-1]
_domination = poisson_domination.at(_low, _high)
_per_anchor = Le(gap, gap_two)
_dominated = (Le(gap_two, log(1 + x_rate) - mean_log), Eq(K, k / (_high - _low) ** 2))
_member = Le(excess, C_star)
_sinh = Eq(sinh(c), (_high - _low) / 2)
_is = {
    gap: Eq(gap, GAP),
    excess: Eq(excess, 8 * K * (log(1 + x_rate) - mean_log)),
}


def _by_logs(expression: Expr) -> Expr:
    return simplify(expand_log(simplify(expression), force=True))


def _specht() -> tuple[Any, ...]:
    """Return the identities for k = 1: where gap_1(p) is largest, and its value there."""
    chance, q = Symbol("chance", positive=True), exp(2 * c)
    mean = 1 + chance * (q - 1)
    one = log(mean) - 2 * c * chance
    best = 1 / (2 * c) - 1 / (q - 1)
    ratio = log((q - 1) / (2 * c)) - 1 + 2 * c / (q - 1)
    return (
        Eq(diff(one, chance).subs(chance, best), 0, evaluate=False),
        Eq(one.subs(chance, best), ratio, evaluate=False),
    )


def _grid(*, scale: Fraction = Fraction(1), cs: tuple[Fraction, ...] = _CS) -> Iterator[Case]:
    """Compare the largest k gap_k(p) over p with C* sinh(c)^2/2, in balls."""
    from flint import arb, fmpq

    from numerics.balls import precision
    from proofs.sharper._binomial_gap import gap as gap_ball
    from proofs.sharper._poisson_constant import poisson_constant

    for half, count in product(cs, (1, 3, 100, 10**5)):
        with precision(128):
            slope = arb(fmpq(half.numerator, half.denominator))
            right = poisson_constant() * slope.sinh() ** 2 / 2
            # Where Var(Y)/mu^2 is largest, and to either side.
            for factor in (Fraction(1, 3), Fraction(1), Fraction(3)):
                weight = (-2 * slope).exp() * factor.numerator / factor.denominator
                p_ = (weight / (1 + weight)).mid()
                left = count * gap_ball(count, p_, 2 * half)
                label = f"c = {half}, k = {count}, odds {factor} e^{{-2c}}"
                yield Case(label, left, "<=", right * scale.numerator / scale.denominator)


def _approach(*, share: Fraction = Fraction(9999, 10000)) -> Iterator[Case]:
    """Exhibit k and c at which k gap_k exceeds that share of the bound."""
    from flint import arb, fmpq

    from numerics.balls import precision
    from proofs.sharper._binomial_gap import gap as gap_ball
    from proofs.sharper._poisson_constant import PEAK, poisson_constant

    count = 10**6
    with precision(200):
        shift, rate = (arb(fmpq(v.numerator, v.denominator)) for v in PEAK)
        half = (arb(count) / (4 * shift)).sqrt().asinh()
        c_exact = Fraction(round(float(half) * 2**40), 2**40)
        slope = arb(fmpq(c_exact.numerator, c_exact.denominator))
        right = poisson_constant() * slope.sinh() ** 2 / 2
        left = count * gap_ball(count, (rate / count).mid(), 2 * c_exact)
        yield Case("k = 10^6", right * share.numerator / share.denominator, "<=", left)


def _c_star(*, digits: int) -> Any:
    from proofs.sharper._poisson_constant import poisson_constant

    return poisson_constant(digits)


def _upper(*, digits: int, tau: Fraction, k: int) -> Any:
    from proofs.sharper._sufficient_k import one_anchor_bound

    return one_anchor_bound(1 / Fraction(tau), k, digits)


def _k_needed(*, digits: int, target: Fraction, tau: Fraction) -> Any:
    from proofs.sharper._sufficient_k import as_ball, sufficient_k

    return as_ball(sufficient_k("lemma-2-sharp", 1 / Fraction(tau), Fraction(target)))


statement = Statement(
    id="lemma-2-sharp",
    title="Lemma 2 with C* sinh(c)^2/(2k): one anchor, or two encoders",
    where="companion",
    assumptions=["X, X_1, ..., X_k are iid with values in [-c, c]"],
    hypotheses=_hypotheses,
    claim=claim,
    definitions={
        mu: "E e^X, where Y = e^X",
        mu_hat: "the mean of e^{X_1}, ..., e^{X_k}",
        C_star: "the supremum of F(K, x) over K > 0 and x > 0",
        **two_point_lemma.law_on_ends(_low, _high),
        **poisson_domination.shifted_poisson(_low, _high),
        gap: GAP,
        excess: 8 * K * (log(1 + x_rate) - mean_log),
    },
    witness={c: 1, Y: 1, mu_hat: 1},
    proof=[
        Step(
            text=r"$\mu$ lies in the range of $Y$.",
            evidence=Averaged(
                claim=_range_of_mu,
                pointwise=(Ge(Y, _low), Le(Y, _high)),
                given=_hypotheses[:2],
                means={Y: mu},
                mutants=[Mutant("1 for e^c", Le(mu, 1), pointwise=Le(Y, 1))],
            ),
        ),
        Step(
            text="Logarithms of products.",
            evidence=Derived(
                claim=_logs,
                by=_by_logs,
                mutants=[Mutant("the difference", Eq(log(b * mu), log(mu) - log(b)))],
            ),
        ),
        Step(
            text=r"Above: dropping $1/k$ inside the logarithm lowers it.",
            evidence=Averaged(
                claim=_no_shift,
                pointwise=Ge(_shifted, log(b) + log(mu_hat)),
                given=(_logs[1],),
                means={_shifted: Mean(_shifted), log(mu_hat): _plain},
                fixed=(b,),
                mutants=[
                    Mutant(
                        "by 1/k at least",
                        Ge(Mean(_shifted), log(b) + _plain + 1 / k),
                        pointwise=Ge(_shifted, log(b) + log(mu_hat) + 1 / k),
                    )
                ],
            ),
        ),
        Step(
            text=r"The law on $e^{-c}, e^c$ with the same mean has the larger gap ...",
            evidence=Decided(
                claim=_per_anchor,
                given=(*_hypotheses, *_two_point),
                mutants=[Mutant("the range not known", given=_two_point)],
            ),
        ),
        Step(
            text=r"... and a shifted Poisson variable a larger one still.",
            evidence=Decided(
                claim=_dominated,
                given=(*_range_of_mu, *_ends, *_domination),
                mutants=[
                    Mutant("mu <= e^c dropped", given=(_range_of_mu[0], *_ends, *_domination)),
                    Mutant("half of K", Eq(K, k / (2 * (_high - _low) ** 2))),
                ],
            ),
        ),
        Step(
            text=r"Its gap is $F(K, x)/(8K)$, and $F \le C_*$.",
            evidence=Cited(source="definition of a supremum", claim=_member),
        ),
        Step(
            text=r"$\sinh c$ by exponentials: $K = k/(4\sinh^2 c)$.",
            evidence=Derived(
                claim=_sinh,
                mutants=[Mutant("the sum", Eq(sinh(c), (_high + _low) / 2))],
            ),
        ),
        Step(
            text=r"So the upper bound; the lower one and the digits of $C_*$ are proved elsewhere.",
            evidence=Decided(
                claim=claim,
                given=(
                    *_hypotheses,
                    _no_shift,
                    _logs[0],
                    _is[gap],
                    _per_anchor,
                    *_dominated,
                    _is[excess],
                    _member,
                    _sinh,
                    Use("lemma-2"),
                    Use("poisson-constant"),
                ),
                mutants=[
                    Mutant("1 for C*", Le(lemma_2.gap, sinh(c) ** 2 / (2 * k))),
                    Mutant("half of it", Le(lemma_2.gap, upper / 2)),
                ],
            ),
        ),
    ],
    tight=True,
    attained=Enumerated(
        claim="k gap_k reaches 0.9999 of the bound at k = 10^6, K and x at the peak of F",
        cases=_approach,
        mutants=[Mutant("1.0001 of it", arguments={"share": Fraction(10001, 10000)})],
    ),
    crosschecks=[
        Enumerated(
            claim=Le(k * gap, k * upper),
            cases=_grid,
            mutants=[Mutant("9/10 of it", arguments={"scale": Fraction(9, 10)})],
        ),
        Derived(
            claim=_specht(),
            by=_by_logs,
            mutants=[Mutant("the value without its last term", Eq(_specht()[1].lhs, 0))],
        ),
    ],
    constants=[
        Constant(
            name="lemma-2-sharp-c-star",
            formula=C_star,
            printed=False,
            meaning="C*: factor of sinh(c)^2/(2k); e^{2c} in print",
            where="lemma-2-sharp",
            ball=_c_star,
        ),
        Constant(
            name="lemma-2-sharp-upper",
            sharpens="prop-1-upper",
            formula=upper.subs(c, 1 / tau),
            printed=False,
            meaning="upper bound on CE - R for one anchor or two encoders, in nats",
            where="lemma-2-sharp",
            ball=_upper,
        ),
        Constant(
            name="lemma-2-sharp-k",
            sharpens="eq-11-k",
            formula=ceiling(C_star * sinh(1 / tau) ** 2 / (2 * target)),
            printed=False,
            meaning="negatives that suffice for a DCL bias of at most the target, two encoders",
            where="lemma-2-sharp",
            ball=_k_needed,
        ),
    ],
    remarks=(
        "It needs no relation between anchors and negatives, so it holds with two encoders, where "
        "`reciprocal-lemma` and with it `eq-11-sharp` fail. C* is the least constant that serves "
        "every k and c; for fixed c the constant tends to 1 as k grows (Kantorovich). At k = 1 "
        "the largest gap is the logarithm of Specht's ratio of e^{2c}."
    ),
)
