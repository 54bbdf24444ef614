"""Equations 3 and 4: the softmax search tends to the argmax search as the temperature falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sympy import Eq, Gt, Le, Limit, exp, log

from proofs.evidence import Averaged, Case, Decided, Derived, Enumerated, Mutant
from proofs.ledger import Statement, Step
from proofs.symbols import declare, m, tau

__all__ = ["statement"]

s_best = declare("s_best", r"s_{\max}", "the largest similarity of the anchor and the m points")
best = declare("search_best", "r", "number of points that attain it", integer=True, positive=True)
gap = declare("search_margin", "g", "s_max minus the next largest similarity", positive=True)
ratio = declare("search_ratio", r"e^{(s_j - s_{\max})/\tau}", "of one other point", positive=True)
rest = declare("search_rest", r"\Sigma", "sum of these ratios over the others", nonnegative=True)
p_best = declare(
    "p_best", r"p_{\max}", "chance that softmax picks a given best point", positive=True
)
distance = declare(
    "search_distance", r"d_{\mathrm{TV}}", "total variation from the uniform law on the best points"
)

#: exp(s/tau) over its sum, written with the common factor exp(s_max/tau).
_picked = Eq(p_best, exp(s_best / tau) / (best * exp(s_best / tau) + rest * exp(s_best / tau)))
_share = Eq(p_best, 1 / (best + rest))
# Half the sum of the absolute differences, over the best points and over the others.
_variation = Eq(distance, best * (1 / best - p_best) / 2 + rest * p_best / 2)
_distance = Eq(distance, rest / (best + rest))
_small = Le(rest, (m - best) * exp(-gap / tau))
_bound = Le(distance, (m - best) / best * exp(-gap / tau))
_limit = Eq(Limit(exp(-gap / tau), tau, 0, "+"), 0)
hypotheses = (Gt(m, best), Le(tau * log(ratio), -gap))
claim = (_share, _bound, _limit)


def distance_cases(
    *,
    scores: Sequence[Fraction] = (Fraction(1, 2), Fraction(1, 2), Fraction(1, 4), Fraction(-1)),
    divide: int = 1,
) -> Iterator[Case]:
    """Yield the total variation between softmax and argmax search, in balls, against the bound."""
    from flint import arb, fmpq

    from numerics.balls import precision

    top = max(scores)
    ties = sum(s == top for s in scores)
    margin = top - max(s for s in scores if s < top)
    for tau_ in (Fraction(1), Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000)):
        with precision(1000):
            sizes = [arb(fmpq(*((s - top) / tau_).as_integer_ratio())).exp() for s in scores]
            total = sum(sizes, arb(0))
            uniform = [arb(fmpq(int(s == top), ties)) for s in scores]
            pairs = zip(sizes, uniform, strict=True)
            variation = sum((abs(size / total - u) for size, u in pairs), arb(0)) / 2
            share = arb(len(scores) - ties) / ties / divide
            bound = share * arb(fmpq(*(-margin / tau_).as_integer_ratio())).exp()
        yield Case(f"tau = {tau_}", variation, "<=", bound)


statement = Statement(
    id="search-task",
    title="Softmax search tends to argmax search, uniform on ties, as tau tends to 0",
    where="Section 3.1, [3] and [4]",
    assumptions=[
        "[3] picks the point of largest similarity, [4] picks xi_i with probability proportional "
        "to exp(s(z, xi_i)/tau); not all m points tie (else both pick uniformly)"
    ],
    hypotheses=hypotheses,
    claim=claim,
    definitions={p_best: _picked.rhs, distance: _variation.rhs},
    witness={m: 3, best: 2, tau: 1, ratio: exp(-1), gap: 1},
    proof=[
        Step(
            text=(
                r"The common factor $e^{s_{\max}/\tau}$ cancels: each best point is picked with "
                r"$1/(r + \Sigma)$."
            ),
            evidence=Derived(
                claim=_share,
                given=(_picked,),
                mutants=[Mutant("one best point", Eq(p_best, 1 / (1 + rest)))],
            ),
        ),
        Step(
            text=r"Each of the other $m - r$ ratios is at most $e^{-g/\tau}$.",
            evidence=Averaged(
                claim=_small,
                pointwise=Le((m - best) * ratio, (m - best) * exp(-gap / tau)),
                given=hypotheses,
                means={ratio: rest / (m - best)},
                mutants=[
                    Mutant("no gap", given=hypotheses[:1]),
                    Mutant(
                        "2g for g",
                        Le(rest, (m - best) * exp(-2 * gap / tau)),
                        pointwise=Le((m - best) * ratio, (m - best) * exp(-2 * gap / tau)),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                r"The total variation from the uniform law on the best points is $\Sigma/(r + "
                r"\Sigma)$."
            ),
            evidence=Derived(
                claim=_distance,
                given=(_variation, _share),
                mutants=[Mutant("half of it", Eq(distance, rest / (2 * (best + rest))))],
            ),
        ),
        Step(
            text=r"Hence it is at most $\frac{m-r}{r} e^{-g/\tau}$.",
            evidence=Decided(
                claim=_bound,
                given=(_distance, _small, hypotheses[0]),
                mutants=[
                    Mutant("half of it", Le(distance, (m - best) / best * exp(-gap / tau) / 2)),
                    Mutant("the others not small", given=(_distance, hypotheses[0])),
                ],
            ),
        ),
        Step(
            text=r"This tends to 0 as $\tau$ does.",
            evidence=Derived(
                claim=_limit,
                mutants=[
                    Mutant("without a gap", Eq(Limit(exp(-0 * gap / tau), tau, 0, "+"), 0)),
                    Mutant("tau for 1/tau", Eq(Limit(exp(-gap * tau), tau, 0, "+"), 0)),
                ],
            ),
        ),
        Step(
            text=(
                r"So [4] tends to [3]: for small $\tau$ it picks one of the best points, each "
                "alike."
            ),
            evidence=Decided(
                claim=claim,
                given=claim,
                mutants=[
                    Mutant("r + 1 best points", Eq(p_best, 1 / (best + 1 + rest))),
                    Mutant("m - 1 - r", Le(distance, (m - 1 - best) / best * exp(-gap / tau))),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=_bound,
            cases=distance_cases,
            mutants=[Mutant("a third of the bound", arguments={"divide": 3})],
        ),
    ],
)
