"""Lemma 3: the bias of a self-normalised weighted average is O(1/m)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import Abs, Eq, Expr, Ge, Le, Rational

from proofs.evidence import Averaged, Decided, Derived, Enumerated, Mutant, Use
from proofs.ledger import Constant, Correction, Statement, Step
from proofs.paper._weighted_average import (
    AVERAGE,
    B,
    F,
    M,
    T,
    bias,
    bound_cases,
    f,
    pair_sum,
    vanishing_cases,
    w,
    w2,
    wf2,
)
from proofs.symbols import Mean, m

__all__ = ["at", "statement"]

bound = 4 * w2 / m
_in_range = (Ge(T, -1), Le(T, 1))
_above, _below = Le(M, B), Ge(M, -B)
# A = M - F B is the mean of w (f - F); the error T - F satisfies (T - F) B = A.
_A = M - F * B
_identity = Eq(T - F, 2 * _A - _A * B + (T - F) * (B - 1) ** 2)
_inverse = Eq(1 / B, 2 - B + (B - 1) ** 2 / B)
_from_product = Eq(M, T * B)
_moments = (
    Eq(pair_sum(w2, 1, m) / m**2, 1 + (w2 - 1) / m),
    Eq(pair_sum(wf2, F, m) / m**2, F + (wf2 - F) / m),
)
_means = {T: F + bias, M: F, B: 1, B**2: 1 + (w2 - 1) / m, M * B: F + (wf2 - F) / m}
_drift = (wf2 - F * w2) / m
_upper = Le(bias, -_drift + 2 * (w2 - 1) / m)
_lower = Ge(bias, -_drift - 2 * (w2 - 1) / m)
_drift_low, _drift_high = Ge(wf2 - F * w2, -2 * w2), Le(wf2 - F * w2, 2 * w2)
claim = Le(Abs(bias), bound)


def at(points: Expr) -> tuple[Any, ...]:
    """Return the facts by which lemma 3 is used for a number of points, hypotheses first."""
    return (*AVERAGE, Use("lemma-3", {m: points}))


statement = Statement(
    id="lemma-3",
    title="Bias of a self-normalised weighted average",
    where="Section 3.3, Lemma 3",
    assumptions=[
        "nu << pi with density w; f has values in [-1, 1]; xi_1, ..., xi_m are iid pi",
        "where all m weights vanish, T is any agreed value in [-1, 1]",
    ],
    hypotheses=AVERAGE,
    claim=claim,
    definitions={
        T: "sum f(xi_j) w(xi_j) / sum w(xi_j), if a weight is positive",
        B: "the mean of w(xi_1), ..., w(xi_m)",
        M: "the mean of w(xi_1) f(xi_1), ..., w(xi_m) f(xi_m)",
        bias: "E T - E_nu f",
    },
    witness={f: 0, F: 0, T: Rational(1, 2), B: 1, M: Rational(1, 2)},
    proof=[
        Step(
            text=(
                r"Since $|f| \le 1$, the average of $wf$ is at most that of $w$ in absolute value."
            ),
            evidence=Averaged(
                claim=(_above, _below),
                pointwise=(Le(w * f, w), Ge(w * f, -w)),
                given=AVERAGE[:2],
                means={w: B, w * f: M, f: Mean(f)},
                mutants=[
                    Mutant("f <= 1 dropped", given=AVERAGE[:1]),
                    Mutant("f >= -1 dropped", given=AVERAGE[1:2]),
                ],
            ),
        ),
        Step(
            text=(
                "Hence $T$ lies in $[-1, 1]$: by division where a weight is positive, by the "
                "convention elsewhere."
            ),
            evidence=Decided(
                claim=_in_range,
                given=(_above, _below, *AVERAGE[4:]),
                mutants=[
                    Mutant(
                        "no convention where all weights vanish", given=(_above, _below, AVERAGE[4])
                    ),
                    Mutant("[-1, 1/2]", Le(T, Rational(1, 2))),
                ],
            ),
        ),
        Step(
            text=(
                r"With $A = \overline{wf} - (\mathbb{E}_\nu f)\,\overline{w}$, so that $(T - "
                r"\mathbb{E}_\nu f)\,\overline{w} = A$, the error is $2A - A\overline{w} + (T - "
                r"\mathbb{E}_\nu f)(\overline{w} - 1)^2$. Nothing is divided by $\overline{w}$, "
                "so this holds where all weights vanish too; elsewhere it is what the paper's "
                r"expansion of $1/\overline{w}$ gives."
            ),
            evidence=Derived(
                claim=(_identity, _inverse),
                given=(_from_product,),
                mutants=[
                    Mutant("A for 2A", Eq(T - F, _A - _A * B + (T - F) * (B - 1) ** 2)),
                    Mutant("T B for M not used", given=()),
                    Mutant("1 - B for 2 - B", Eq(1 / B, 1 - B + (B - 1) ** 2 / B)),
                ],
            ),
        ),
        Step(
            text=(
                "Of the $m^2$ pairs of draws $m$ are equal and the others independent, with "
                r"$\mathbb{E}w = 1$ and $\mathbb{E}[wf] = \mathbb{E}_\nu f$: this gives "
                r"$\mathbb{E}\,\overline{w}^2$ and $\mathbb{E}[\overline{wf}\,\overline{w}]$ for "
                "every $m$."
            ),
            evidence=Derived(
                claim=_moments,
                mutants=[
                    Mutant("equal pairs forgotten", Eq(pair_sum(1, 1, m) / m**2, 1 + (w2 - 1) / m)),
                    Mutant("m - 1 for m", Eq(pair_sum(w2, 1, m) / m**2, 1 + (w2 - 1) / (m - 1))),
                ],
            ),
        ),
        Step(
            text=(
                r"Since $|T - \mathbb{E}_\nu f| \le 2$, the error differs from $2A - "
                r"A\overline{w}$ by at most $2(\overline{w} - 1)^2$. Take means; $\mathbb{E}A = "
                "0$."
            ),
            evidence=Averaged(
                claim=(_upper, _lower),
                pointwise=(
                    Le(T - F, 2 * _A - _A * B + 2 * (B - 1) ** 2),
                    Ge(T - F, 2 * _A - _A * B - 2 * (B - 1) ** 2),
                ),
                given=(*_in_range, *AVERAGE[2:4], _from_product),
                means=_means,
                mutants=[
                    Mutant(
                        "1 for 2 before the square",
                        Le(bias, -_drift + (w2 - 1) / m),
                        pointwise=Le(T - F, 2 * _A - _A * B + (B - 1) ** 2),
                    ),
                    Mutant("the variance of one weight", means={**_means, B**2: w2}),
                ],
            ),
        ),
        Step(
            text=r"The mean of $w^2 (f - \mathbb{E}_\nu f)$ is at most $2\,\mathbb{E}_\pi[w^2]$.",
            evidence=Averaged(
                claim=(_drift_low, _drift_high),
                pointwise=(Ge(w**2 * (f - F), -2 * w**2), Le(w**2 * (f - F), 2 * w**2)),
                given=AVERAGE[:4],
                means={w**2: w2, w**2 * f: wf2},
                mutants=[
                    Mutant(
                        "1 for 2",
                        Le(wf2 - F * w2, w2),
                        pointwise=Le(w**2 * (f - F), w**2),
                    ),
                ],
            ),
        ),
        Step(
            text="Together: $2/m + 2/m = 4/m$.",
            evidence=Decided(
                claim=claim,
                given=(_upper, _lower, _drift_low, _drift_high),
                mutants=[
                    Mutant("3 for 4", Le(Abs(bias), 3 * w2 / m)),
                    Mutant("m + 1 for m", Le(Abs(bias), 4 * w2 / (m + 1))),
                    Mutant("no bound on the drift", given=(_upper, _lower)),
                ],
            ),
        ),
    ],
    correction=Correction(
        printed="For every nu << pi the m weights have a positive sum, so that T is defined.",
        refutation=Enumerated(
            claim="the m weights never all vanish",
            cases=vanishing_cases,
            arguments={"largest": 6, "chance": Fraction(0)},
            complete=True,
            mutants=[Mutant("two draws at most", arguments={"largest": 2, "chance": Fraction(0)})],
        ),
        note=(
            "Say what T is where all weights vanish: any value in [-1, 1] keeps the bound "
            "(`erratum-zero-weights`)."
        ),
    ),
    crosschecks=[
        Enumerated(
            claim=claim,
            cases=bound_cases,
            mutants=[
                Mutant("1 for 4", arguments={"constant": Fraction(1)}),
                Mutant("an agreed value of 100", arguments={"vanishing": 100}),
            ],
        ),
    ],
    constants=[
        Constant(
            name="lemma-3-four",
            formula=Rational(4),
            meaning="factor of E[w^2]/m in the bound on the bias",
            where="Lemma 3",
            looseness=lambda tau, k: 0.5,  # 2 is the best constant: `lemma-3-sharp`
        ),
    ],
)
