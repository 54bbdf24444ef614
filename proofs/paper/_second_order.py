"""The second-order argument of lemma 2 and eq. 11: log(a + b mu) against E log(a + b mu-hat)."""

from __future__ import annotations

from typing import Any

from sympy import Eq, Expr, Ge, Le, Min, exp, log

from proofs.evidence import Averaged, Cited, Decided, Mutant
from proofs.ledger import Step
from proofs.symbols import Mean, declare, k

c = declare("c", "c", "bound on |X|, c > 0", positive=True)
b = declare("b", "b", "a positive weight", positive=True)
mu = declare("mu", r"\mu", "E e^X, the mean of Y = exp(s/tau)", positive=True)
m2 = declare("m2", r"\mu_2", "E e^{2X}, the second moment of Y", positive=True)
Y = declare("Y", "Y", "e^X; in the setting exp(s/tau) for a negative", positive=True)
mu_hat = declare("mu_hat", r"\hat\mu", "the mean of k independent copies of Y", positive=True)
xi = declare("xi", r"\xi", "an intermediate point of Taylor's formula", positive=True)


def value_range(half: Expr = c) -> tuple[Any, ...]:
    """Return the range of Y = e^X, |X| <= half, and of the mean of copies of Y."""
    return (Ge(Y, exp(-half)), Le(Y, exp(half)), Ge(mu_hat, exp(-half)))


def second_order_steps(shift: Expr, weight: Expr, half: Expr = c) -> tuple[list[Step], Any]:
    """Return the steps that bound log(a + b mu) - E log(a + b mu-hat), and the bounds they reach.

    They rest on `value_range` and on the step `mean_at_least`.

    Parameters
    ----------
    shift : Expr
        The number a >= 0 inside the log (1/k for InfoNCE, 0 for DCL).
    weight : Expr
        The positive factor b.
    half : Expr
        The bound c on |X|.
    """
    low, high = exp(-half), exp(half)
    at_mean = shift + weight * mu
    average = Mean(log(shift + weight * mu_hat))
    expansion = (
        log(at_mean)
        + weight * (mu_hat - mu) / at_mean
        - weight**2 * (mu_hat - mu) ** 2 / (2 * (shift + xi) ** 2)
    )
    parabola = log(at_mean) + weight * (mu_hat - mu) / at_mean - high**2 * (mu_hat - mu) ** 2 / 2
    pointwise = Ge(log(shift + weight * mu_hat), parabola)
    jensen = Le(average, log(at_mean))
    variance = m2 - mu**2
    averaged = Le(log(at_mean) - average, high**2 * variance / (2 * k))
    popoviciu = Le(variance, (high - low) ** 2 / 4)
    bound = (high**2 - 1) ** 2 / (8 * k)
    between = Ge(xi, Min(weight * mu, weight * mu_hat))
    taylor = (Eq(log(shift + weight * mu_hat), expansion), between)
    above_low = (Ge(mu, low), Ge(mu_hat, low))
    steps = [
        Step(
            text="Jensen's inequality: log is concave and the mean of $\\hat\\mu$ is $\\mu$.",
            evidence=Cited(source="Jensen's inequality", claim=jensen),
        ),
        Step(
            text=(
                "Taylor's formula to second order, with Lagrange's remainder, at an intermediate "
                "point between $b\\mu$ and $b\\hat\\mu$."
            ),
            evidence=Cited(source="Taylor's formula with Lagrange's remainder", claim=taylor),
        ),
        Step(
            text=(
                "Both are at least $b e^{-c}$, hence so is $\\xi$: the remainder's factor is at "
                "most $e^{2c}/2$."
            ),
            evidence=Decided(
                claim=pointwise,
                given=(*taylor, *above_low),
                mutants=[
                    Mutant(
                        "e^c for e^{2c} in the remainder",
                        Ge(
                            log(shift + weight * mu_hat),
                            parabola + (high**2 - high) * (mu_hat - mu) ** 2 / 2,
                        ),
                    ),
                    Mutant("no lower bound on xi", given=taylor[:1]),
                    Mutant("no lower bound on the averages", given=taylor),
                ],
            ),
        ),
        Step(
            text=(
                "Take means: $\\mathbb{E}\\hat\\mu = \\mu$ and, the copies being independent, "
                "$\\mathbb{E}\\hat\\mu^2 = \\mu^2 + \\mathrm{Var}(Y)/k$."
            ),
            evidence=Averaged(
                claim=averaged,
                pointwise=pointwise,
                given=(pointwise,),
                means={
                    mu_hat: mu,
                    mu_hat**2: mu**2 + variance / k,
                    log(shift + weight * mu_hat): average,
                },
                fixed=tuple(weight.free_symbols),
                mutants=[
                    Mutant(
                        "the variance of one copy, not of k",
                        Le(log(at_mean) - average, high**2 * variance / (2 * k**2)),
                    ),
                ],
            ),
        ),
        Step(
            text="$(Y - e^{-c})(e^c - Y) \\ge 0$; its mean bounds $\\mathbb{E}Y^2$ by $\\mu$.",
            evidence=Averaged(
                claim=Ge((high + low) * mu - 1 - m2, 0),
                pointwise=Ge((Y - low) * (high - Y), 0),
                given=value_range(half)[:2],
                means={Y: mu, Y**2: m2},
                mutants=[
                    Mutant(
                        "the range shortened to [e^{-c}, 1]",
                        Ge((1 + low) * mu - low - m2, 0),
                        pointwise=Ge((Y - low) * (1 - Y), 0),
                    ),
                ],
            ),
        ),
        Step(
            text="Popoviciu: hence $\\mathrm{Var}(Y) \\le (e^c - e^{-c})^2/4$, whatever the mean.",
            evidence=Decided(
                claim=popoviciu,
                given=(Ge((high + low) * mu - 1 - m2, 0),),
                mutants=[
                    Mutant("1/5 for 1/4", Le(variance, (high - low) ** 2 / 5)),
                    Mutant("the bound on the second moment dropped", given=()),
                ],
            ),
        ),
        Step(
            text=(
                "So the second part lies between 0 and $\\tfrac12 e^{2c} \\cdot "
                "\\tfrac14 (e^c - e^{-c})^2/k = (e^{2c}-1)^2/(8k)$."
            ),
            evidence=Decided(
                claim=(Ge(log(at_mean) - average, 0), Le(log(at_mean) - average, bound)),
                given=(jensen, averaged, popoviciu),
                mutants=[
                    Mutant("1/9 for 1/8", Le(log(at_mean) - average, bound * 8 / 9)),
                    Mutant("k + 1 for k", Le(log(at_mean) - average, bound * k / (k + 1))),
                    Mutant(
                        "(e^c - 1)^2 for (e^{2c} - 1)^2",
                        Le(log(at_mean) - average, (high - 1) ** 2 / (8 * k)),
                    ),
                ],
            ),
        ),
    ]
    return steps, (Ge(log(at_mean) - average, 0), Le(log(at_mean) - average, bound))


def mean_at_least(half: Expr = c) -> Step:
    """Return the step mu >= e^{-c}."""
    return Step(
        text="$Y = e^X \\ge e^{-c}$, hence $\\mu \\ge e^{-c}$.",
        evidence=Averaged(
            claim=Ge(mu, exp(-half)),
            pointwise=Ge(Y, exp(-half)),
            given=value_range(half)[:1],
            means={Y: mu},
            mutants=[Mutant("1 for e^{-c}", Ge(mu, 1), pointwise=Ge(Y, 1))],
        ),
    )


__all__ = [
    "Y",
    "b",
    "c",
    "m2",
    "mean_at_least",
    "mu",
    "mu_hat",
    "second_order_steps",
    "value_range",
]
