"""Lemma 5: the loss of one tuple lies in an interval of length at most 4/tau."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from sympy import (
    Abs,
    Eq,
    Expr,
    Ge,
    Le,
    Limit,
    Subs,
    exp,
    expand_log,
    log,
    logcombine,
    oo,
    simplify,
    together,
)

from proofs.evidence import Averaged, Decided, Derived, Mutant, Use
from proofs.ledger import Constant, Statement, Step
from proofs.loss import S, infonce, s_plus
from proofs.paper._second_order import Y
from proofs.symbols import declare, k, tau

__all__ = [
    "IN_RANGE",
    "LOSS_MAX",
    "LOSS_MIN",
    "LOSS_RANGE",
    "MEAN_IN_RANGE",
    "loss",
    "one_embedding",
    "other_embedding",
    "range_share",
    "statement",
]

s_plus_other = declare("s_plus_other", "s'_{+}", "similarity of the pair under a second embedding")
S_other = declare(
    "S_other",
    r"\hat\mu'",
    "mean of exp(s/tau) over the negatives under a second embedding",
    positive=True,
)

Y_other = declare(
    "Y_other", "Y'", "exp(s/tau) for a negative under a second embedding", positive=True
)

E, inverse = exp(1 / tau), exp(-1 / tau)
#: Similarities lie in [-1, 1]; written for their exponentials.
IN_RANGE = (Ge(exp(s_plus / tau), inverse), Le(exp(s_plus / tau), E))
NEGATIVE = (Ge(Y, inverse), Le(Y, E))
MEAN_IN_RANGE = (Ge(S, inverse), Le(S, E))
OTHER = {s_plus: s_plus_other, S: S_other, Y: Y_other}

loss, other = infonce(s_plus, S), infonce(s_plus_other, S_other)
LOSS_MIN, LOSS_MAX = log(1 / k + exp(-2 / tau)), log(1 / k + exp(2 / tau))
#: The exact range of the normalised loss (nats): 2/tau at k = 1, tending to 4/tau as k grows.
LOSS_RANGE = log((1 + k * exp(2 / tau)) / (1 + k * exp(-2 / tau)))

_bounds = (Ge(loss, LOSS_MIN), Le(loss, LOSS_MAX))
_excess = log((exp(4 / tau) + k * exp(2 / tau)) / (1 + k * exp(2 / tau)))
_width = Eq(LOSS_MAX - LOSS_MIN, 4 / tau - _excess)
_claim = (*_bounds, Le(LOSS_MAX - LOSS_MIN, 4 / tau), Le(Abs(loss - other), 4 / tau))


def combine(difference: Expr) -> Expr:
    """Merge logarithms of positive quantities and cancel the fraction inside."""
    merged = logcombine(expand_log(difference), force=True)
    return simplify(merged.replace(log, lambda inside: log(simplify(together(inside)))))


def range_share(tau: Fraction | None = None, k: int | None = None) -> float | None:
    """Return the exact range of the loss at (tau, k) as a share of 4/tau; 1 is its supremum over k.

    >>> round(range_share(Fraction(1, 2), 1), 12)
    0.5
    """
    if tau is None or k is None:
        return 1.0
    inverse_tau = float(1 / tau)
    upper = float(np.logaddexp(0.0, np.log(k) + 2 * inverse_tau))
    return (upper - float(np.log1p(k * np.exp(-2 * inverse_tau)))) / (4 * inverse_tau)


def one_embedding() -> tuple[Any, ...]:
    """Return the facts by which Lemma 5 is used for a single embedding, hypotheses first."""
    same = {other: one for one, other in OTHER.items()}
    return (*IN_RANGE, *NEGATIVE, Use("lemma-5", same))


def other_embedding() -> tuple[Any, ...]:
    """Return the facts by which Lemma 5 is used for the second embedding, hypotheses first."""
    return (*_at((*IN_RANGE, *NEGATIVE)), Use("lemma-5", OTHER))


def _at(facts: tuple[object, ...]) -> tuple[Expr, ...]:
    """Return facts on the first embedding as facts on the second."""
    return tuple(fact.subs(OTHER) for fact in facts)  # type: ignore[attr-defined]


_mean_low = Step(
    name="mean-low",
    text="Each negative contributes at least $e^{-1/\\tau}$, hence so does their mean.",
    evidence=Averaged(
        claim=Ge(S, inverse),
        pointwise=Ge(Y, inverse),
        where=NEGATIVE,
        means={Y: S},
        mutants=[Mutant("1 for e^{-1/tau}", Ge(S, 1), pointwise=Ge(Y, 1))],
    ),
)

_mean_high = Step(
    name="mean-high",
    text="Each negative contributes at most $e^{1/\\tau}$, hence so does their mean.",
    evidence=Averaged(
        claim=Le(S, E),
        pointwise=Le(Y, E),
        where=NEGATIVE,
        means={Y: S},
        mutants=[Mutant("1 for e^{1/tau}", Le(S, 1), pointwise=Le(Y, 1))],
    ),
)


def _bounded(name: str, text: str, at: dict[Any, Any]) -> Step:
    """Return the step that bounds the loss under one of the two embeddings."""
    mean = {symbol: symbol.subs(at) for symbol in (S, Y)}
    means = (Use("#mean-low", mean), Use("#mean-high", mean))
    negative = tuple(fact.subs(at) for fact in NEGATIVE)
    positive = tuple(fact.subs(at) for fact in IN_RANGE)
    here = loss.subs(at)
    return Step(
        name=name,
        text=text,
        evidence=Decided(
            claim=tuple(fact.subs(at) for fact in _bounds),
            given=(*negative, *means, *positive),
            mutants=[
                Mutant("e^{1/tau} for e^{2/tau}", Le(here, log(1 / k + E))),
                Mutant("the term 1/k dropped from the upper value", Le(here, 2 / tau)),
                Mutant("the range of the positive dropped", given=(*negative, *means)),
            ],
        ),
    )


_first = _bounded(
    "first",
    "So $\\hat\\mu\\,e^{-s_+/\\tau}$ lies in $[e^{-2/\\tau}, e^{2/\\tau}]$ and, the logarithm "
    "being increasing, the loss between its two extreme values.",
    {},
)
_second = _bounded("second", "So does the loss under any other embedding.", OTHER)

_length = Step(
    text="The extreme values differ by $4/\\tau$ less a logarithm.",
    evidence=Derived(
        claim=_width,
        by=combine,
        mutants=[
            Mutant("3/tau for 4/tau", Eq(LOSS_MAX - LOSS_MIN, 3 / tau - _excess)),
            Mutant("the logarithm added", Eq(LOSS_MAX - LOSS_MIN, 4 / tau + _excess)),
        ],
    ),
)

_short = Step(
    text="That logarithm is not negative, so the interval is no longer than $4/\\tau$.",
    evidence=Decided(
        claim=Le(LOSS_MAX - LOSS_MIN, 4 / tau),
        given=(_width,),
        mutants=[
            Mutant("7/2 for 4", Le(LOSS_MAX - LOSS_MIN, 7 / (2 * tau))),
        ],
    ),
)

_conclude = Step(
    text="Their losses lie in the same interval, so they differ by at most its length.",
    evidence=Decided(
        claim=_claim,
        given=(*_bounds, *_at(_bounds), Le(LOSS_MAX - LOSS_MIN, 4 / tau)),
        mutants=[
            Mutant("3/tau for 4/tau", Le(Abs(loss - other), 3 / tau)),
            Mutant(
                "the bounds of one embedding only",
                given=(*_bounds, Le(LOSS_MAX - LOSS_MIN, 4 / tau)),
            ),
        ],
    ),
)

_extremes = (
    Eq(Subs(loss, (s_plus, S), (-1, E)), LOSS_MAX),
    Eq(Subs(loss, (s_plus, S), (1, inverse)), LOSS_MIN),
    Eq(Limit(LOSS_RANGE, k, oo), 4 / tau),
)

statement = Statement(
    id="lemma-5",
    title="Range of the loss of one tuple",
    where="Section 4, Lemma 5",
    assumptions=["similarities lie in [-1, 1]: the embedding has unit values"],
    hypotheses=(*IN_RANGE, *NEGATIVE, *_at((*IN_RANGE, *NEGATIVE))),
    claim=_claim,
    definitions={
        S: "mean of e^{s/tau} over the k negatives",
        Y: "e^{s/tau} for one negative",
    },
    witness={s_plus: 0, s_plus_other: 0, Y: 1, Y_other: 1, tau: 1},
    proof=[_mean_low, _mean_high, _first, _second, _length, _short, _conclude],
    tight=True,
    attained=Derived(
        claim=_extremes,
        by=lambda e: simplify(combine(e.doit())),
        mutants=[
            Mutant("positive and negatives exchanged", Eq(infonce(1, E), LOSS_MAX)),
            Mutant("2/tau for the limit", Eq(Limit(LOSS_RANGE, k, oo), 2 / tau)),
        ],
    ),
    constants=[
        Constant(
            name="lemma-5-range",
            formula=4 / tau,
            meaning="range of the loss over all k, in nats",
            where="Lemma 5",
            looseness=range_share,
        ),
        Constant(
            name="loss-range",
            formula=LOSS_RANGE,
            printed=False,
            meaning="exact range of the normalised InfoNCE loss at k, in nats",
            where="proof of Lemma 5",
        ),
    ],
)
