"""Lemma 7: a softmax average is at most e^{2/(beta tau)} times a power mean."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Eq, Expr, Ge, IndexedBase, Le, Sum, Symbol, exp, expand_log, log

from proofs.evidence import Averaged, Cited, Compared, Decided, Derived, Mutant, OnWorlds
from proofs.ledger import Constant, Statement, Step
from proofs.symbols import beta, declare, k, tau

x_j = declare("x_j", "x_j", "tau times the exponent of a softmax weight, in [-1, 1]", real=True)
y_j = declare("y_j", "y_j", "e^{x_j/tau}", positive=True)
a_j = declare("a_j", "a_j", "a quantity that is averaged, at least 0", nonnegative=True)
mean_y = declare("mean_y", r"\bar y", "mean of e^{x_j/tau} over the k values of j", positive=True)
soft_a = declare(
    "soft_a",
    r"\langle a\rangle",
    "softmax average of the a_j, with weights y_j/(k mean y)",
    positive=True,
)
soft_power = declare(
    "soft_power", r"\langle a^\beta\rangle", "softmax average of the a_j^beta", positive=True
)
power_mean = declare(
    "power_mean", r"\mathrm{PM}_\beta", "power mean of order beta over the negatives", positive=True
)

_j = Symbol("j", integer=True, positive=True)
_x, _a = IndexedBase("x", real=True), IndexedBase("a", nonnegative=True)


def _sum(term: Expr) -> Expr:
    return Sum(term, (_j, 1, k))


_range = (Ge(x_j, -1), Le(x_j, 1))
_y_range = (Ge(y_j, exp(-1 / tau)), Le(y_j, exp(1 / tau)))
_logs_of_y = (
    Eq(log(y_j * exp(1 / tau)), (x_j + 1) / tau),
    Eq(log(y_j * exp(-1 / tau)), (x_j - 1) / tau),
)
_total = Ge(mean_y, exp(-1 / tau))
_weight = Le(y_j / (k * mean_y), exp(2 / tau) / k)
_averaged = Le(soft_power, exp(2 / tau) * power_mean**beta)
_jensen = Le(soft_a**beta, soft_power)
bound = exp(2 / (beta * tau)) * power_mean
claim = Le(soft_a, bound)
_logs = (
    Eq(log(soft_a**beta), beta * log(soft_a)),
    Eq(log(exp(2 / tau) * power_mean**beta), 2 / tau + beta * log(power_mean)),
    Eq(log(bound), 2 / (beta * tau) + log(power_mean)),
)
_means = {
    y_j: mean_y,
    a_j: Symbol("mean_a", nonnegative=True),
    y_j * a_j**beta: mean_y * soft_power,
    a_j**beta: power_mean**beta,
}


def worst_cases(exponent: int = 1) -> Iterator[Compared]:
    """Yield the largest softmax average over the vertices of [-1, 1]^k against the bound.

    The x_j are +1 for h of the k negatives, else -1; by Hoelder's inequality the largest softmax
    average for a power mean of 1 is (mean of (k p_j)^b)^{1/b}, with b = beta/(beta - 1).
    """
    import numpy as np

    for t in (0.05, 0.1, 0.3, 1.0, 5.0):
        for order in (1.0, 1.5, 2.0, 5.0, 20.0):
            best = -np.inf
            for count in (1, 2, 4, 8, 16, 32):
                hits = np.arange(1, count + 1)
                top = -np.log(hits + (count - hits) * np.exp(-2 / t))
                if order == 1:
                    value = top + np.log(count)
                else:
                    b = order / (order - 1)
                    with np.errstate(divide="ignore"):  # all x_j = 1: no weight is small
                        small = np.log(count - hits) + b * (top - 2 / t)
                    large = np.log(hits) + b * top
                    value = (np.logaddexp(large, small) - np.log(count)) / b + np.log(count)
                best = max(best, float(value.max()))
            ratio = best - 2 * exponent / (order * t)
            yield Compared(f"tau = {t}, beta = {order}, k up to 32", float(np.exp(ratio)), 1.0)


statement = Statement(
    id="lemma-7",
    title="Softmax average against power mean",
    where="Appendix B.1, Lemma 7",
    assumptions=["the a_j are not all 0; if they are, both sides are 0"],
    hypotheses=(*_range, Ge(beta, 1)),
    claim=claim,
    definitions={
        y_j: exp(x_j / tau),
        soft_a: _sum(exp(_x[_j] / tau) * _a[_j]) / _sum(exp(_x[_j] / tau)),
        soft_power: _sum(exp(_x[_j] / tau) * _a[_j] ** beta) / _sum(exp(_x[_j] / tau)),
        mean_y: _sum(exp(_x[_j] / tau)) / k,
        power_mean: (_sum(_a[_j] ** beta) / k) ** (1 / beta),
    },
    witness={x_j: 0, beta: 2},
    proof=[
        Step(
            text="In logarithms, $y_j = e^{x_j/\\tau}$ against $e^{\\pm 1/\\tau}$.",
            evidence=Derived(
                claim=_logs_of_y,
                given=(Eq(y_j, exp(x_j / tau)),),
                mutants=[
                    Mutant("x_j for x_j + 1", Eq(log(y_j * exp(1 / tau)), x_j / tau)),
                ],
            ),
        ),
        Step(
            text="So $e^{-1/\\tau} \\le y_j \\le e^{1/\\tau}$: the exponential increases.",
            evidence=Decided(
                claim=_y_range,
                given=(*_logs_of_y, *_range),
                mutants=[
                    Mutant("1 for e^{1/tau}", Le(y_j, 1)),
                    Mutant("x_j <= 1 dropped", given=(*_logs_of_y, _range[0])),
                ],
            ),
        ),
        Step(
            text="The mean of the $y_j$ is therefore at least $e^{-1/\\tau}$ ...",
            evidence=Averaged(
                claim=_total,
                pointwise=Ge(y_j, exp(-1 / tau)),
                given=_y_range,
                means=_means,
                mutants=[Mutant("1 for e^{-1/tau}", Ge(mean_y, 1), pointwise=Ge(y_j, 1))],
            ),
        ),
        Step(
            text="... and no softmax weight exceeds $e^{2/\\tau}/k$.",
            evidence=Decided(
                claim=_weight,
                given=(*_y_range, _total),
                mutants=[
                    Mutant("e^{1/tau} for e^{2/tau}", Le(y_j / (k * mean_y), exp(1 / tau) / k)),
                    Mutant("k + 1 for k", Le(y_j / (k * mean_y), exp(2 / tau) / (k + 1))),
                ],
            ),
        ),
        Step(
            text="Replacing the weights by this bound: $\\sum_j p_j a_j^\\beta$ against the mean.",
            evidence=Averaged(
                claim=_averaged,
                pointwise=Le(y_j * a_j**beta / mean_y, exp(2 / tau) * a_j**beta),
                given=(_weight,),
                means=_means,
                mutants=[
                    Mutant(
                        "e^{1/tau} for e^{2/tau}",
                        Le(soft_power, exp(1 / tau) * power_mean**beta),
                        pointwise=Le(y_j * a_j**beta / mean_y, exp(1 / tau) * a_j**beta),
                    ),
                    Mutant("the bound on the weights dropped", given=()),
                ],
            ),
        ),
        Step(
            text="$u \\mapsto u^\\beta$ is convex for $\\beta \\ge 1$: Jensen, softmax weights.",
            evidence=Cited(source="Jensen's inequality", claim=_jensen),
        ),
        Step(
            text="Logarithms of the powers.",
            evidence=Derived(
                claim=_logs,
                by=expand_log,
                mutants=[
                    Mutant(
                        "beta^2 for beta",
                        Eq(log(soft_a**beta), beta**2 * log(soft_a)),
                    ),
                ],
            ),
        ),
        Step(
            text="Take the root of order $\\beta$ in $\\langle a\\rangle^\\beta \\le "
            "e^{2/\\tau}\\,\\mathrm{PM}_\\beta^\\beta$.",
            evidence=Decided(
                claim=claim,
                given=(_averaged, _jensen, *_logs),
                mutants=[
                    Mutant(
                        "e^{1/(beta tau)} for e^{2/(beta tau)}",
                        Le(log(soft_a), 1 / (beta * tau) + log(power_mean)),
                    ),
                    Mutant("Jensen dropped", given=(_averaged, *_logs)),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=claim,
            sides=worst_cases,
            mutants=[Mutant("e^{0} for e^{2/(beta tau)}", arguments={"exponent": 0})],
        ),
    ],
    constants=[
        Constant(
            name="lemma-7-factor",
            formula=exp(2 / (beta * tau)),
            meaning="ratio of a softmax average to a power mean of order beta, at most",
            where="Lemma 7",
        ),
    ],
)
