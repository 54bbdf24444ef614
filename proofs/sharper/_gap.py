"""The Jensen gap of the logarithm for one anchor: symbols shared by the statements about it."""

from __future__ import annotations

from sympy import Eq, Expr, Ge, Le, cosh, exp, log, sinh

from proofs.evidence import Cited, Derived, Mutant
from proofs.expansion import kappa
from proofs.ledger import Step
from proofs.paper._second_order import Y, mu, mu_hat
from proofs.symbols import Mean, declare, e_tau, latex_names, tau

__all__ = [
    "GAP",
    "HALF_WIDTH",
    "Y_law",
    "cosh_step",
    "gap",
    "gap_two",
    "moments",
    "mu_hat_law",
    "range_step",
    "unit_range",
]

gap = declare("gap", r"\mathrm{gap}_k", "log mu - E log mu-hat for one anchor, in nats", real=True)
gap_two = declare(
    "gap_two",
    r"\mathrm{gap}_k(p)",
    "the gap of the law on the two ends of a range, p the probability of the upper, in nats",
    real=True,
)
Y_law = declare("Y_law", r"Y_p", "a draw from another law of the same range", positive=True)
mu_hat_law = declare("mu_hat_law", r"\hat\mu_p", "the mean of k draws from it", positive=True)
#: What `gap` stands for.
GAP = log(mu) - Mean(log(mu_hat))
#: cosh(1/tau) - 1, by its exponentials.
HALF_WIDTH = (e_tau + 1 / e_tau) / 2 - 1


def unit_range(*variables: Expr) -> tuple[Expr, ...]:
    """Return e^{-1/tau} <= v <= e^{1/tau} for each variable."""
    ends = ((Ge(v, exp(-1 / tau)), Le(v, exp(1 / tau))) for v in variables)
    return tuple(relation for pair in ends for relation in pair)


def range_step(*variables: Expr) -> Step:
    """Return the step that embeds: unit vectors have similarities in [-1, 1].

    Without arguments it is for Y and the mean of k copies of it.
    """
    variables = variables or (Y, mu_hat)
    names = [f"${latex_names()[variable]}$" for variable in variables]
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    return Step(
        text=rf"Unit vectors: $|s| \le 1$, so {listed} lie in $[e^{{-1/\tau}}, e^{{1/\tau}}]$.",
        evidence=Cited(source="Cauchy-Schwarz inequality", claim=unit_range(*variables)),
    )


def moments(variable: Expr, count: Expr) -> dict[Expr, Expr]:
    """Return the first four moments of the average of `count` copies of Y, by cumulants.

    >>> from sympy import Integer
    >>> moments(Y, Integer(1))[Y**2]
    mu**2*(kappa_2 + 1)
    """
    k2, k3, k4 = (kappa(j) / count ** (j - 1) for j in (2, 3, 4))
    return {
        variable: mu,
        variable**2: mu**2 * (1 + k2),
        variable**3: mu**3 * (1 + 3 * k2 + k3),
        variable**4: mu**4 * (1 + 6 * k2 + 4 * k3 + k4 + 3 * k2**2),
    }


def cosh_step() -> Step:
    """Return the step cosh(1/tau) = (e^{1/tau} + e^{-1/tau})/2."""
    return Step(
        text=r"$\cosh(1/\tau)$ by exponentials.",
        evidence=Derived(
            claim=Eq(cosh(1 / tau), HALF_WIDTH + 1),
            mutants=[Mutant("sinh for cosh", Eq(sinh(1 / tau), HALF_WIDTH + 1))],
        ),
    )
