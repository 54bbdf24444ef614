r"""The class of losses as a metric space: its diameter and its covers.

The metric is rho_n. A cover of the ball of parameters by balls of radius eps/L is one of the losses
by balls of radius eps, if L is a Lipschitz constant.
"""

from __future__ import annotations

from typing import Any

from sympy import Abs, Eq, Expr, Ge, Le, Symbol, log

from proofs.evidence import Averaged, Cited, Decided, Mutant
from proofs.ledger import Step
from proofs.paper._lipschitz_class import A, d_theta, rho
from proofs.paper._tuple import loss_other, loss_phi
from proofs.paper.lemma_5 import (
    LOSS_MAX,
    LOSS_MIN,
    loss,
    one_embedding,
    other,
    other_embedding,
)
from proofs.paper.lemma_5 import statement as lemma_5
from proofs.symbols import Mean, declare, tau

__all__ = [
    "LEMMA_5",
    "TWICE",
    "TWO_LOSSES",
    "c_cover",
    "diameter_steps",
    "entropy",
    "eps",
    "loss_move",
    "volume",
]

eps = declare("eps", r"\varepsilon", "radius of the balls of a cover, in nats", positive=True)
c_cover = declare("c_cover", "c", "2 L R_Theta, in nats", positive=True)
entropy = declare(
    "entropy",
    r"\log N(\varepsilon)",
    "logarithm of the number of balls of radius eps that cover the class of losses",
    nonnegative=True,
)
loss_move = declare(
    "loss_move",
    r"|\ell(\varphi)-\ell(\varphi')|",
    "difference of the losses of one tuple, in nats",
    nonnegative=True,
)

LEMMA_5 = tuple(lemma_5.hypotheses)
#: The losses of a tuple under two embeddings, in terms of lemma 5, and their difference.
TWO_LOSSES = {loss_phi: loss, loss_other: other, loss_move: Abs(loss_phi - loss_other)}
_is = {symbol: Eq(symbol, value) for symbol, value in TWO_LOSSES.items()}
#: c = 2 L R_Theta with L of lemma 1.
TWICE = Eq(c_cover, 8 * A / tau)
_volume = Le(entropy, d_theta * log(1 + c_cover / eps))


def volume() -> Step:
    """Return the step that bounds the entropy by comparing volumes."""
    return Step(
        name="volume",
        text=(
            "A Euclidean ball of radius $R_\\Theta$ is covered by $(1 + 2R_\\Theta/r)^{d_\\Theta}$ "
            "balls of radius $r$ with centres in it; take $r = \\varepsilon/L$, and $c = "
            "2LR_\\Theta$."
        ),
        evidence=Cited(
            source="Vershynin (2018), Corollary 4.2.13 (volumes)", claim=_volume, where=(TWICE,)
        ),
    )


def _in_range(symbol: Symbol) -> tuple[Any, Any]:
    return Ge(symbol, LOSS_MIN), Le(symbol, LOSS_MAX)


def diameter_steps(width: Expr, relation: Any, weaker: Expr) -> list[Step]:
    """Return the steps by which rho_n is at most `width` in mean square.

    Parameters
    ----------
    width : Expr
        What two losses of one tuple differ by at most.
    relation : Eq or Le
        LOSS_MAX - LOSS_MIN against it, established before.
    weaker : Expr
        A smaller width, which the engine must refuse.
    """
    pointwise = Le(loss_move, width)
    steps = [
        Step(
            text=text,
            evidence=Decided(
                claim=_in_range(symbol),
                given=(*given, _is[symbol]),
                mutants=[
                    Mutant("half the range", Le(symbol, (LOSS_MIN + LOSS_MAX) / 2)),
                    Mutant("lemma 5 not used", given=(*given[:-1], _is[symbol])),
                ],
            ),
        )
        for text, symbol, given in (
            ("Lemma 5 for the loss of a tuple under one embedding,", loss_phi, one_embedding()),
            ("and under another.", loss_other, other_embedding()),
        )
    ]
    return [
        *steps,
        Step(
            text="So the two losses differ by at most the length of the interval,",
            evidence=Decided(
                claim=pointwise,
                given=(*_in_range(loss_phi), *_in_range(loss_other), relation, _is[loss_move]),
                mutants=[Mutant("half of it", Le(loss_move, weaker))],
            ),
        ),
        Step(
            text="and so do all tuples, in root mean square.",
            evidence=Averaged(
                claim=Le(rho**2, width**2),
                pointwise=Le(loss_move**2, width**2),
                given=(pointwise,),
                means={loss_move: Mean(loss_move), loss_move**2: rho**2},
                mutants=[
                    Mutant(
                        "half of it",
                        Le(rho**2, weaker**2),
                        pointwise=Le(loss_move**2, weaker**2),
                    )
                ],
            ),
        ),
    ]
