"""The two-point lemma: of laws on an interval, two-point laws have the largest Jensen gap."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import Eq, Expr, Ge, Gt, Le, Rational, Sum, Symbol, binomial, log

from proofs.evidence import Argued, Averaged, Cited, Decided, Derived, Enumerated, Mutant, Use
from proofs.ledger import Statement, Step
from proofs.paper._second_order import Y, mu, mu_hat
from proofs.paper.lemma_2 import p
from proofs.sharper._gap import GAP, gap, gap_two
from proofs.sharper._two_point_cases import concave_cases, two_point_itself
from proofs.symbols import Mean, declare, k

__all__ = ["at", "law_on_ends", "mean_log_of_ends", "range_of", "statement", "y_high", "y_low"]

y_low = declare("y_low", r"Y_{\min}", "a lower end of the range of Y", positive=True)
y_high = declare("y_high", r"Y_{\max}", "an upper end of the range of Y", positive=True)
f_here = declare(
    "f_here", r"f(y_0 + Y/k)", "f of the average, one draw being Y and the others fixed"
)
f_low = declare("f_low", r"f(y_0 + Y_{\min}/k)", "the same with Y_min for Y")
f_high = declare("f_high", r"f(y_0 + Y_{\max}/k)", "the same with Y_max for Y")
mean_f = declare("mean_f", r"\mathbb{E}f(\hat\mu)", "mean of f of the average of k draws")
mean_f_two = declare(
    "mean_f_two", r"\mathbb{E}f(\hat\mu_p)", "the same for draws from {Y_min, Y_max}"
)
log_ends = declare(
    "log_ends",
    r"\mathbb{E}\log\hat\mu_p",
    "mean log of the average of k draws from {Y_min, Y_max}",
)
rest = declare("rest", "y_0", "what the other draws contribute to the average")

_j = Symbol("j", integer=True, nonnegative=True)


def mean_log_of_ends(chance: Expr, low: Expr, high: Expr) -> Expr:
    """Return the mean log of the average of k draws: high with that chance, else low."""
    weight = binomial(k, _j) * chance**_j * (1 - chance) ** (k - _j)
    return Sum(weight * log((_j * high + (k - _j) * low) / k), (_j, 0, k))


def range_of(low: Expr = y_low, high: Expr = y_high) -> tuple[Expr, ...]:
    """Return the range of Y."""
    return (Ge(Y, low), Le(Y, high))


def law_on_ends(low: Expr = y_low, high: Expr = y_high) -> dict[Any, Expr]:
    """Return what defines the gap of the law on two ends with the mean mu."""
    return {
        p: (mu - low) / (high - low),
        log_ends: mean_log_of_ends(p, low, high),
        gap_two: log(mu) - log_ends,
    }


def at(low: Expr, high: Expr, **more: Any) -> tuple[Any, ...]:
    """Return the lemma between two ends, after the definitions by which it speaks of them."""
    names = {"mean_f": mean_f, "mean_f_two": mean_f_two}
    values = {names[name]: value for name, value in more.items()}
    defined = (Eq(symbol, value) for symbol, value in law_on_ends(low, high).items())
    return (*defined, Use("two-point-lemma", {y_low: low, y_high: high, **values}))


_share = (Y - y_low) / (y_high - y_low)
_hypotheses = (*range_of(), Gt(y_high, y_low))
_between = Eq(rest + Y / k, (1 - _share) * (rest + y_low / k) + _share * (rest + y_high / k))
_concave = Ge(f_here, (1 - _share) * f_low + _share * f_high)
_is_p = Eq(p, (mu - y_low) / (y_high - y_low))
_one = Ge(Mean(f_here), (1 - p) * Mean(f_low) + p * Mean(f_high))
_replaced = (Ge(mean_f, mean_f_two), Ge(Mean(log(mu_hat)), log_ends))
claim = (Ge(mean_f, mean_f_two), Le(gap, gap_two))

statement = Statement(
    id="two-point-lemma",
    title="Of laws on an interval, two-point laws have the largest Jensen gap",
    where="companion",
    assumptions=[
        "Y_1, ..., Y_k are iid copies of Y with mean mu, and mu-hat is their average",
        "f is concave on [Y_min, Y_max]",
    ],
    hypotheses=_hypotheses,
    claim=claim,
    definitions={
        **law_on_ends(),
        gap: GAP,
        mean_f_two: "mean of f of the average of k draws: Y_max with probability p, else Y_min",
    },
    witness={Y: 1, y_low: Rational(1, 2), y_high: 2},
    proof=[
        Step(
            text=(
                r"Fix the other draws. In $f$'s argument $Y$ is a convex combination of the ends, "
                r"with the weight $(Y - Y_{\min})/(Y_{\max} - Y_{\min})$ on $Y_{\max}$."
            ),
            evidence=Derived(
                claim=_between,
                mutants=[
                    Mutant(
                        "the weights exchanged",
                        Eq(
                            rest + Y / k,
                            _share * (rest + y_low / k) + (1 - _share) * (rest + y_high / k),
                        ),
                    )
                ],
            ),
        ),
        Step(
            text="So $f$ is at least the same combination of its values there.",
            evidence=Cited(source="definition of concavity", claim=_concave),
        ),
        Step(
            text=(
                r"Take the mean over $Y$, which is independent of the other draws: replacing one "
                r"draw by $Y_{\max}$ with probability $p = (\mu - Y_{\min})/(Y_{\max} - "
                r"Y_{\min})$, else $Y_{\min}$, does not raise the mean of $f$."
            ),
            evidence=Averaged(
                claim=_one,
                pointwise=_concave,
                given=(_concave, _is_p, _hypotheses[2]),
                means={
                    f_here: Mean(f_here),
                    f_low: Mean(f_low),
                    f_high: Mean(f_high),
                    Y * f_low: mu * Mean(f_low),
                    Y * f_high: mu * Mean(f_high),
                },
                mutants=[
                    Mutant(
                        "the probabilities exchanged",
                        Ge(Mean(f_here), p * Mean(f_low) + (1 - p) * Mean(f_high)),
                    ),
                    Mutant("p/2 for p", Ge(Mean(f_here), Mean(f_low) + p / 2 * Mean(f_high))),
                ],
            ),
        ),
        Step(
            text=(
                r"Replace the $k$ draws one after the other. With $f = \log$ the number of draws "
                r"equal to $Y_{\max}$ is binomial."
            ),
            evidence=Argued(
                text=(
                    "The last step holds whatever the laws of the other draws are, as long as all "
                    "are independent, so it may be applied to each draw in turn: after i "
                    "replacements the first i draws are two-point, and one more does not raise "
                    "the mean of f. After k of them all are. The number of draws equal to Y_max "
                    "is then binomial; for f = log this is the sum that defines E log mu-hat_p."
                ),
                why="induction over the draws; it is enumerated for k = 1 to 4 as a cross-check",
                claim=_replaced,
            ),
        ),
        Step(
            text=r"With $f = \log$, subtract from $\log\mu$: the means are the same.",
            evidence=Decided(
                claim=claim,
                given=(*_replaced, Eq(gap, GAP), Eq(gap_two, log(mu) - log_ends)),
                mutants=[
                    Mutant("the other way round", Ge(gap, gap_two)),
                    Mutant("f = log dropped", given=(_replaced[0], Eq(gap, GAP))),
                ],
            ),
        ),
    ],
    tight=True,
    attained=Enumerated(
        claim="equality where Y has two values: the binomial sum is the mean over all k-tuples",
        cases=two_point_itself,
        mutants=[Mutant("p + 1/100 for p", arguments={"shift": Fraction(1, 100)})],
    ),
    crosschecks=[
        Enumerated(
            claim="E f over k draws is smallest for the law on {Y_min, Y_max}: k = 1 to 4",
            cases=concave_cases,
            mutants=[Mutant("for convex functions", arguments={"convex": True})],
        ),
    ],
)
