"""Proposition 3: the risk of every embedding of a class is close to its empirical risk."""

from __future__ import annotations

import math

from sympy import Eq, Integer, Le

from proofs.evidence import Decided, Mutant
from proofs.ledger import Constant, Statement, Step
from proofs.loss import s_plus
from proofs.paper._coverage import crosschecks, looseness
from proofs.paper._scaled_class import (
    DEVIATION,
    MEASURABLE,
    ell,
    generalisation_steps,
    loss_range,
    scaled,
)
from proofs.paper._second_order import Y
from proofs.paper.lemma_5 import LOSS_MIN, loss, one_embedding
from proofs.symbols import R, R_hat, Rad_n, tau

__all__ = ["deviation", "statement"]


def deviation(tau: float, k: int, n: int, delta: float) -> float:
    """Return (12/tau) sqrt(log(2/delta)/(2n)) in nats; k does not enter.

    >>> round(deviation(0.5, 1, 1000, 0.05), 6)
    1.030727
    """
    return 12 / tau * math.sqrt(math.log(2 / delta) / (2 * n))


def _largest_ratio(tau: object = None, k: object = None) -> float:
    """Return the largest left/right in the small classes of the coverage experiment."""
    met = looseness(slack=deviation, sizes=(12,), count=60)
    return max(point.left / point.right for point in met)


_loss = Eq(ell, loss)
_steps = generalisation_steps(LOSS_MIN, R, R_hat, Rad_n)


statement = Statement(
    id="prop-3",
    title="Generalisation through the empirical Rademacher complexity",
    where="Section 4, Proposition 3",
    assumptions=[
        "(A): the n tuples are iid; the embeddings map to unit vectors",
        MEASURABLE,
        "the bound holds with probability at least 1 - delta, for all embeddings at once",
    ],
    hypotheses=one_embedding()[:-1],
    claim=Le(R, R_hat + 2 * Rad_n + DEVIATION),
    definitions={
        ell: loss,
        scaled: tau * (ell - LOSS_MIN) / 4,
        Rad_n: "mean over the signs of the supremum over the class of the correlation",
    },
    witness={s_plus: 0, Y: 1, tau: 1},
    proof=[
        Step(
            text=r"By lemma 5 the loss lies in an interval of length $4/\tau$.",
            evidence=Decided(
                claim=loss_range(LOSS_MIN),
                given=(*one_embedding(), _loss),
                mutants=[
                    Mutant("3/tau", Le(ell, LOSS_MIN + 3 / tau)),
                    Mutant("lemma 5 not used", given=(*one_embedding()[:-1], _loss)),
                ],
            ),
        ),
        *_steps,
    ],
    crosschecks=crosschecks(deviation),
    constants=[
        Constant(
            name="prop-3-twelve",
            formula=Integer(12),
            meaning="factor of (1/tau) sqrt(log(2/delta)/(2n)): three times the range 4/tau",
            where="Proposition 3",
            looseness=_largest_ratio,
        ),
    ],
)
