"""At low temperature the bound weighs large norms: the power mean in B_tau tends to a maximum."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sympy import And, Eq, Implies, Le, Limit, Lt, expand_log, log

from proofs.evidence import Averaged, Case, Cited, Decided, Derived, Enumerated, Mutant
from proofs.ledger import Statement, Step
from proofs.paper._lipschitz_class import PAPER_ORDER
from proofs.symbols import declare, k, n, tau

order = declare("order", "p", "order of the power mean in B_tau, 2/min(1, tau)", positive=True)
top = declare("top", r"\max g", "largest envelope among all nk negatives", positive=True)
top_power = declare("top_power", r"\max g^p", "p-th power of the largest envelope", positive=True)
power = declare("power", "g^p", "p-th power of the envelope at one negative", positive=True)
others = declare(
    "powers_of_the_others",
    r"\textstyle\sum_{\text{others}} g^p",
    "sum of p-th powers over all negatives but the largest",
    nonnegative=True,
)
power_average = declare(
    "power_average",
    r"\frac1{nk}\textstyle\sum g^p",
    "mean of p-th powers over all nk negatives",
    positive=True,
)
pm_all = declare(
    "pm_all", r"\mathrm{PM}_p", "power mean of order p over all nk negatives", positive=True
)
pm_warmer = declare(
    "pm_warmer", r"\mathrm{PM}_{p'}", "power mean at a higher temperature", positive=True
)
order_warmer = declare("order_warmer", "p'", "order at a higher temperature", positive=True)
tau_warmer = declare("tau_warmer", r"\tau'", "a higher temperature", positive=True)

_order = Eq(order, PAPER_ORDER)
_order_warmer = Eq(order_warmer, PAPER_ORDER.subs(tau, tau_warmer))
_warmer = Le(tau, tau_warmer)
_monotone = Implies(Le(order_warmer, order), Le(pm_warmer, pm_all))
_largest = Le(power, top_power)
_average_low = Le(power_average, top_power)
_split = Eq(n * k * power_average, top_power + others)
_powers = (Eq(top_power, top**order), Eq(pm_all, power_average ** (1 / order)))
_logs = (
    Eq(log(top_power), order * log(top)),
    Eq(order * log(pm_all), log(power_average)),
    Eq(log(n * k * power_average), log(n * k) + log(power_average)),
)
_sandwich = (
    Le(2 * (log(top) - log(pm_all)), tau * log(n * k)),
    Le(pm_all, top),
)
_cases = (
    Implies(Lt(tau, 1), Eq(order * tau, 2)),
    Implies(tau >= 1, Eq(order, 2)),
)
_cold = Lt(tau, 1)


def one_large_norm(size: int, count: int, above: int) -> Iterator[Case]:
    """Yield the share of one norm beside `count` norms of 1 in the sum of powers, p = above to 40.

    The share exceeds 1/2 as soon as size^p > count, that is for tau < 2 log(size)/log(count).
    """
    for p in range(above, 41):
        share = Fraction(size**p, size**p + count)
        yield Case(f"norm {size} beside {count} ones, p = {p}", Fraction(1, 2), "<", share)


statement = Statement(
    id="low-temperature",
    title="Low temperature weighs large norms",
    where="Section 4, remarks after Proposition 5",
    assumptions=["the nk norms (or envelopes) of the negatives are given; the largest is positive"],
    hypotheses=(_order, _order_warmer, _warmer, _largest, _split),
    claim=(*_cases, Implies(_cold, And(*_sandwich)), Le(pm_warmer, pm_all)),
    definitions={
        top_power: top**order,
        pm_all: power_average ** (1 / order),
    },
    witness={
        tau: 2,
        tau_warmer: 3,
        order: 2,
        order_warmer: 2,
        power: 1,
        top_power: 1,
        power_average: 1,
        others: 0,
        n: 1,
        k: 1,
    },
    remarks=(
        "The price of the constant $e$ in Lemma 1. The companion's `lemma-1-sharp` lets one trade: "
        "the power 2 with the factor $\\cosh(1/\\tau)$, or the power $2/\\tau$ with a factor below "
        "$e$."
    ),
    proof=[
        Step(
            text="The order is $2/\\tau$ below $\\tau = 1$ and 2 from there on.",
            evidence=Decided(
                claim=_cases,
                given=(_order,),
                mutants=[
                    Mutant("1/tau below 1", Implies(Lt(tau, 1), Eq(order * tau, 1))),
                    Mutant("2/tau from 1 on", Implies(tau >= 1, Eq(order * tau, 2))),
                ],
            ),
        ),
        Step(
            text="So it does not decrease when the temperature is lowered,",
            evidence=Decided(
                claim=Le(order_warmer, order),
                given=(_order, _order_warmer, _warmer),
                mutants=[
                    Mutant("strictly", Lt(order_warmer, order)),
                    Mutant("the temperature raised", given=(_order, _order_warmer)),
                ],
            ),
        ),
        Step(
            text="and neither does the power mean, which increases with its order.",
            evidence=Cited(source="Jensen's inequality (power means)", claim=_monotone),
        ),
        Step(
            text="No power exceeds the largest, hence neither does their mean.",
            evidence=Averaged(
                claim=_average_low,
                pointwise=_largest,
                given=(_largest,),
                means={power: power_average},
                mutants=[
                    Mutant(
                        "half the largest",
                        Le(power_average, top_power / 2),
                        pointwise=Le(power, top_power / 2),
                    )
                ],
            ),
        ),
        Step(
            text="In logarithms, with $\\mathrm{PM}_p = (\\frac{1}{nk}\\sum g^p)^{1/p}$:",
            evidence=Derived(
                claim=_logs,
                given=_powers,
                by=lambda e: expand_log(e, force=True).expand(),
                mutants=[
                    Mutant("p^2 for p", Eq(order**2 * log(pm_all), log(power_average))),
                    Mutant("n for nk", Eq(log(n * k * power_average), log(n) + log(power_average))),
                ],
            ),
        ),
        Step(
            text=(
                "The sum of powers is at least its largest term: hence $(nk)^{-1/p} \\max g \\le "
                "\\mathrm{PM}_p \\le \\max g$, and below $\\tau = 1$ the exponent $1/p$ is "
                "$\\tau/2$."
            ),
            evidence=Decided(
                claim=Implies(_cold, And(*_sandwich)),
                given=(*_cases, _average_low, _split, *_logs),
                mutants=[
                    Mutant(
                        "(nk)^{-tau/4}",
                        Implies(_cold, Le(4 * (log(top) - log(pm_all)), tau * log(n * k))),
                    ),
                    Mutant(
                        "the largest term left out of the sum",
                        given=(*_cases, _average_low, *_logs),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                "So as $\\tau$ falls to 0 the power mean tends to the largest norm: "
                "$(nk)^{\\tau/2} \\to 1$."
            ),
            evidence=Derived(
                claim=Eq(Limit((n * k) ** (tau / 2), tau, 0), 1),
                mutants=[
                    Mutant("at tau = 1 instead", Eq(Limit((n * k) ** (tau / 2), tau, 1), 1)),
                ],
            ),
        ),
        Step(
            text="The three facts together.",
            evidence=Decided(
                claim=(*_cases, Implies(_cold, And(*_sandwich)), Le(pm_warmer, pm_all)),
                given=(
                    *_cases,
                    Le(order_warmer, order),
                    _monotone,
                    Implies(_cold, And(*_sandwich)),
                ),
                mutants=[
                    Mutant("the power mean falls", Le(pm_all, pm_warmer)),
                    Mutant(
                        "monotony dropped",
                        Le(pm_warmer, pm_all),
                        given=(*_cases, Le(order_warmer, order)),
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim="one norm of 3 outweighs a thousand of 1 for p = 7 to 40 (tau = 2/7 to 1/20)",
            cases=one_large_norm,
            arguments={"size": 3, "count": 1000, "above": 7},
            mutants=[
                Mutant("from p = 6 on", arguments={"size": 3, "count": 1000, "above": 6}),
            ],
        ),
    ],
)
