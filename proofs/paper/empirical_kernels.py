"""Equations 5, 6, 7 and 9: the kernels Q and M on m unseen points, and that they converge."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from sympy import Eq, Integer, Le, Symbol, exp, log

from numerics.weighted_average import mean_square, second_moment
from proofs.evidence import Averaged, Case, Decided, Derived, Enumerated, Mutant
from proofs.ledger import Constant, Statement, Step
from proofs.loss import S
from proofs.paper._second_order import Y, m2, mu, value_range
from proofs.paper._weighted_average import (
    AVERAGE,
    WORLDS,
    B,
    F,
    M,
    T,
    describe,
    f,
    pair_sum,
    w,
    w2,
)
from proofs.symbols import Mean, declare, m, tau

__all__ = ["statement"]

s = Symbol("s", real=True)
mse = declare(
    "average_mse", r"\mathbb{E}(T - \mathbb{E}_\nu f)^2", "mean square error of T", real=True
)
centred2 = declare(
    "average_centred2", r"\mathbb{E}_\pi[w^2(f - \mathbb{E}_\nu f)^2]", "mean of w^2 (f - E_nu f)^2"
)
q2 = declare("q2", r"\mathbb{E}_\pi[(dQ/d\pi)^2]", "mean of the squared density of Q(z, .)")

_in_range = (Le(T, 1), Le(-1, T))
_cross = (
    Eq(-log(exp(s / tau) / mu), log(mu) - s / tau),
    Eq(-log(exp(s / tau) / S), log(S) - s / tau),
)
_A = M - F * B
_error = Le((T - F) ** 2, 2 * _A**2 + 8 * (B - 1) ** 2)
_moments = (
    Eq(pair_sum(centred2, 0, m) / m**2, centred2 / m),
    Eq(pair_sum(w2 - 1, 0, m) / m**2, (w2 - 1) / m),
)
_square = Le(mse, 2 * centred2 / m + 8 * (w2 - 1) / m)
_centred = Le(centred2, 4 * w2)
_total = Le(mse, 16 * w2 / m)
_second = Le(m2, exp(1 / tau) * mu)
_density = Le(q2, exp(2 / tau))
_range = value_range(1 / tau)[:2]
hypotheses = (*AVERAGE[:5], *_in_range, *_range)
claim = (*_cross, _total, _density)


def square_cases(*, constant: Fraction = Fraction(16)) -> Iterator[Case]:
    """Yield the mean square error, f at the vertices, against ``constant E[w^2]/m``."""
    for pi, nu, sizes in WORLDS:
        for m_ in [size for size in sizes if size <= 5]:
            bound = constant * second_moment(pi, nu) / m_
            for values in product((Fraction(-1), Fraction(1)), repeat=len(pi)):
                for agreed in (Fraction(-1), Fraction(1)):
                    error = mean_square(pi, nu, m_, values, agreed)
                    yield Case(describe(pi, nu, m_), error, "<=", bound)


statement = Statement(
    id="empirical-kernels",
    title="The kernels on m unseen points, their cross-entropy, and that they converge",
    where="Sections 2 and 3.1, [5], [6], [7] and [9]",
    assumptions=[
        "Q(z, .) has density exp(s/tau)/mu(z) with respect to pi; Q-hat_m(z, .) has density "
        "exp(s/tau)/mu-hat(z) with respect to the uniform law on the m points",
        "M-hat_m(z, .) weighs the points in proportion to w(z, .)",
        "T is the mean of f under M-hat_m (nu = M, w = dM/dpi) or under Q-hat_m (nu = Q, "
        "w = dQ/dpi); any agreed value in [-1, 1] where all weights vanish",
    ],
    hypotheses=hypotheses,
    claim=claim,
    definitions={
        mu: "mean of exp(s/tau) under pi",
        S: "mean of exp(s/tau) over the m points",
        q2: m2 / mu**2,
    },
    witness={f: 0, F: 0, T: 0, B: 1, M: 0, Y: 1, tau: 1},
    proof=[
        Step(
            text=(
                r"Minus the logarithm of the density is $\log\mu - s/\tau$: its mean under $M$ is "
                r"[7]. On the $m$ points it is $\log\hat\mu - s/\tau$: its mean under $\hat M_m$ "
                r"is what [9] averages, the logarithm being of the *mean* over the points."
            ),
            evidence=Derived(
                claim=_cross,
                mutants=[
                    Mutant("tau forgotten", Eq(-log(exp(s / tau) / S), log(S) - s)),
                    Mutant("the sign turned", Eq(-log(exp(s / tau) / mu), s / tau - log(mu))),
                ],
            ),
        ),
        Step(
            text=(
                r"Convergence: the error satisfies $(T - \mathbb{E}_\nu f)\,\overline{w} = A$ as "
                r"in lemma 3, so it is $A + (T - \mathbb{E}_\nu f)(1 - \overline{w})$; bound its "
                "square."
            ),
            evidence=Decided(
                claim=_error,
                given=hypotheses[2:7],
                mutants=[
                    Mutant("7 for 8", Le((T - F) ** 2, 2 * _A**2 + 7 * (B - 1) ** 2)),
                    Mutant("an average of anything", given=hypotheses[2:4]),
                ],
            ),
        ),
        Step(
            text=r"$A$ and $\overline{w} - 1$ are means of $m$ independent terms of mean 0.",
            evidence=Derived(
                claim=_moments,
                mutants=[Mutant("m^2 for m", Eq(pair_sum(centred2, 0, m) / m**2, centred2 / m**2))],
            ),
        ),
        Step(
            text="Take means.",
            evidence=Averaged(
                claim=_square,
                pointwise=_error,
                given=(_error,),
                means={(T - F) ** 2: mse, _A**2: centred2 / m, (B - 1) ** 2: (w2 - 1) / m},
                mutants=[Mutant("1 for 8", Le(mse, 2 * centred2 / m + (w2 - 1) / m))],
            ),
        ),
        Step(
            text=r"$|f - \mathbb{E}_\nu f| \le 2$.",
            evidence=Averaged(
                claim=_centred,
                pointwise=Le(w**2 * (f - F) ** 2, 4 * w**2),
                given=hypotheses[:4],
                means={w**2 * (f - F) ** 2: centred2, w**2: w2, w: 1, f: Mean(f)},
                fixed=(F,),
                mutants=[
                    Mutant(
                        "3 for 4", Le(centred2, 3 * w2), pointwise=Le(w**2 * (f - F) ** 2, 3 * w**2)
                    ),
                ],
            ),
        ),
        Step(
            text=(
                r"So $T$ tends to $\mathbb{E}_\nu f$ in mean square, at rate $1/m$, for every $f$ "
                r"with values in $[-1, 1]$, as soon as $w^2$ has a mean."
            ),
            evidence=Decided(
                claim=_total,
                given=(_square, _centred),
                mutants=[
                    Mutant("15 for 16", Le(mse, 15 * w2 / m)),
                    Mutant("no bound on f", given=(_square,)),
                ],
            ),
        ),
        Step(
            text=r"For $Q$ it always has: $Y^2 \le e^{1/\tau} Y$ for $Y = e^{s/\tau}$.",
            evidence=Averaged(
                claim=_second,
                pointwise=Le(Y**2, exp(1 / tau) * Y),
                given=_range,
                means={Y: mu, Y**2: m2},
                mutants=[Mutant("Y <= e^{1/tau} dropped", given=_range[:1])],
            ),
        ),
        Step(
            text=r"And $\mu \ge e^{-1/\tau}$.",
            evidence=Averaged(
                claim=Le(exp(-1 / tau), mu),
                pointwise=Le(exp(-1 / tau), Y),
                given=_range,
                means={Y: mu},
                mutants=[Mutant("Y >= e^{-1/tau} dropped", given=_range[1:])],
            ),
        ),
        Step(
            text=(
                r"So $\mathbb{E}_\pi[(dQ/d\pi)^2] = \mathbb{E}Y^2/\mu^2 \le e^{2/\tau}$, and $\hat "
                r"Q_m$ converges to $Q$ whatever the embedding; $\hat M_m$ to $M$ under (B) and a "
                "finite second moment of $w$."
            ),
            evidence=Decided(
                claim=claim,
                given=(*_cross, _total, _second, Le(exp(-1 / tau), mu), Eq(q2, m2 / mu**2)),
                mutants=[
                    Mutant("e^{1/tau} for e^{2/tau}", Le(q2, exp(1 / tau))),
                    Mutant("no lower bound on mu", given=(_second, Eq(q2, m2 / mu**2))),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=_total,
            cases=square_cases,
            mutants=[Mutant("1/10 for 16", arguments={"constant": Fraction(1, 10)})],
        ),
    ],
    constants=[
        Constant(
            name="kernels-sixteen",
            formula=Integer(16),
            printed=False,
            meaning="factor of E[w^2]/m in the mean square error of the empirical kernels",
            where="empirical-kernels",
        ),
    ],
    remarks=(
        "Almost surely too, without a second moment: numerator and denominator of T obey the "
        "strong law of large numbers. The mean of T converges faster, at rate 1/m (`lemma-3`)."
    ),
)
