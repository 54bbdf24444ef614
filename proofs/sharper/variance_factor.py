"""c_k: the largest k gap/kappa_2, one supremum over two-point laws."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from sympy import Eq, Ge, Le, Lt, Or, Rational, exp, log

from proofs.evidence import (
    Averaged,
    Case,
    Cited,
    Decided,
    Enumerated,
    Mutant,
    Use,
)
from proofs.evidence.supremum import Supremum
from proofs.expansion import kappa
from proofs.ledger import Constant, Statement, Step
from proofs.paper._second_order import Y, m2, mu, mu_hat
from proofs.sharper._certified_numbers import LeadingFactor
from proofs.sharper._gap import GAP, Y_law, gap, mu_hat_law, unit_range
from proofs.sharper.gap_second_order import G_2, G_4
from proofs.sharper.gap_second_order import statement as second_order
from proofs.sharper.same_variance_lemma import gap_same, y_far
from proofs.sharper.two_point_lemma import y_low
from proofs.symbols import Mean, declare, k, q, tau

__all__ = ["statement"]

gap_law = declare(
    "gap_law", r"\mathrm{gap}", "the gap of one two-point law of ratio at most q", real=True
)
k2_law = declare("k2_law", r"\kappa_2'", "Var(Y)/mu^2 of that law", positive=True)
mu_law = declare("mu_law", r"\mu_p", "the mean of that law", positive=True)

c_k = LeadingFactor(k, tau)
_k2 = kappa(2)
_low, _high = exp(-1 / tau), exp(1 / tau)
_hypotheses = unit_range(Y, mu_hat)
_second = Eq(m2, mu**2 * (1 + _k2))
_bhatia = Le(m2, (_low + _high) * mu - 1)
_far = mu + (m2 - mu**2) / (mu - _low)
_at_low = Or(Le(mu, _low), Le(_far / _low, q))
_chosen = (Le(y_low, _low), Lt(y_low, mu), Eq(y_far, q * y_low))
_same = Le(gap, gap_same)
_member = Le(k * gap_same, c_k * _k2)
_size = (1 + (Rational(2, 3) + 8 * G_4 * (q - 1) ** 2) / k) / 2
_bounds = (Le(c_k, G_2), Le(c_k, _size))
_law_range = unit_range(Y_law, mu_hat_law)
_law_gap = log(mu_law) - Mean(log(mu_hat_law))
_law = {gap: gap_law, _k2: k2_law, mu: mu_law, Y: Y_law, mu_hat: mu_hat_law}
claim = (Le(k * gap, c_k * _k2), *_bounds)
_definitions: dict[Any, Any] = {
    gap: GAP,
    gap_law: _law_gap,
    m2: mu**2 * (1 + _k2),
    **{symbol: second_order.definitions[symbol] for symbol in (q, G_2, G_4)},
}


def _cases(*, scale: Fraction = Fraction(1)) -> Iterator[Case]:
    """Compare k gap with c_k kappa_2 for laws on three points, in balls."""
    from proofs.sharper._sufficient_k import leading_factor
    from proofs.sharper._two_point_cases import gap_and_variance, three_points

    for t, count in product((Fraction(1, 3), Fraction(2)), (1, 2, 4)):
        bound = leading_factor(t, count)
        for masses in three_points():
            left, variance = gap_and_variance(masses, t, count)
            right = bound * variance * scale.numerator / scale.denominator
            yield Case(f"t = {t}, k = {count}, masses {masses}", count * left, "<=", right)


def _value(*, digits: int, tau: Fraction, k: int) -> Any:
    from proofs.sharper._sufficient_k import leading_factor

    return leading_factor(1 / Fraction(tau), k, digits)


statement = Statement(
    id="variance-factor",
    title="The gap is at most c_k kappa_2/k, c_k being one supremum over two-point laws",
    where="companion",
    assumptions=[
        "Y has values in [e^{-1/tau}, e^{1/tau}] and mean mu; mu-hat is the average of k copies",
        "kappa_2 = Var(Y)/mu^2",
    ],
    hypotheses=_hypotheses,
    claim=claim,
    definitions={
        **_definitions,
        c_k: "the supremum of k times gap over kappa_2, for laws on two points of ratio e^{2/tau}",
        y_low: "the m < mu, at most e^{-1/tau}, for which b = e^{2/tau} m",
        y_far: "b = mu + Var(Y)/(mu - m)",
    },
    witness={Y: 1, mu_hat: 1, tau: 1},
    proof=[
        Step(
            text=r"$(Y - e^{-1/\tau})(e^{1/\tau} - Y) \ge 0$ (Bhatia-Davis).",
            evidence=Averaged(
                claim=_bhatia,
                pointwise=Ge((Y - _low) * (_high - Y), 0),
                given=_hypotheses[:2],
                means={Y: mu, Y**2: m2},
                mutants=[Mutant("half of it", Le(m2, (_low + _high) * mu / 2 - 1))],
            ),
        ),
        Step(
            text=(
                r"So the law on $e^{-1/\tau}$ and some $b$ with the mean and variance of $Y$ has a "
                r"ratio of at most $q$ (unless $Y$ is constant)."
            ),
            evidence=Decided(
                claim=_at_low,
                given=(_bhatia, Eq(q, _definitions[q])),
                mutants=[
                    Mutant("q/2", Or(Le(mu, _low), Le(_far / _low, q / 2))),
                    Mutant("the bound on the variance dropped", given=(Eq(q, _definitions[q]),)),
                ],
            ),
        ),
        Step(
            text=(
                r"As the lower point $m$ falls to 0 the ratio $b/m$ grows beyond all bounds; so "
                r"for some $m \le e^{-1/\tau}$ below $\mu$ it is $q$."
            ),
            evidence=Cited(source="intermediate value theorem", claim=_chosen),
        ),
        Step(
            text=r"$Y \ge m$: `same-variance-lemma`.",
            evidence=Decided(
                claim=_same,
                given=(*_hypotheses, *_chosen, Use("same-variance-lemma")),
                mutants=[
                    Mutant("half of it", Le(gap, gap_same / 2)),
                    Mutant("Y >= m not known", given=(*_chosen, Use("same-variance-lemma"))),
                ],
            ),
        ),
        Step(
            text=r"The law on $m, b$ is one of those over which $c_k$ is the supremum.",
            evidence=Cited(source="definition of a supremum", claim=_member),
        ),
        Step(
            text=(
                r"A two-point law of ratio $q$ may be scaled to the points $e^{-1/\tau}$ and "
                r"$e^{1/\tau}$: neither its gap nor $\kappa_2$ changes."
            ),
            evidence=Cited(source="homogeneity of the mean", claim=_law_range),
        ),
        Step(
            text=r"There `gap-second-order` bounds its gap by $\kappa_2$.",
            evidence=Supremum(
                claim=_bounds,
                suprema={c_k: k * gap_law / k2_law},
                varying=tuple(_law.values()),
                given=(*_law_range, Eq(gap_law, _law_gap), Use("gap-second-order", _law)),
                mutants=[
                    Mutant("half of G_2", Le(c_k, G_2 / 2)),
                    Mutant("1/2", Le(c_k, Rational(1, 2))),
                ],
            ),
        ),
        Step(
            text="Together.",
            evidence=Decided(
                claim=claim,
                given=(_same, _member, *_bounds),
                mutants=[
                    Mutant("half of c_k", Le(k * gap, c_k * _k2 / 2)),
                    Mutant("the law not a member", given=(_same, *_bounds)),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=claim[0],
            cases=_cases,
            mutants=[Mutant("half of c_k", arguments={"scale": Fraction(1, 2)})],
        ),
    ],
    constants=[
        Constant(
            name="variance-factor-c-k",
            formula=c_k,
            printed=False,
            meaning="c_k: factor of kappa_2/k in the bound on the gap of one anchor; tends to 1/2",
            where="variance-factor",
            ball=_value,
        ),
    ],
    remarks=(
        "At k = 1 the supremum is G_2, approached as the larger value becomes certain. For k far "
        "above e^{2/tau} it is 1/2 up to O(1/k)."
    ),
)
