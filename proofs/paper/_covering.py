r"""The class of losses as a metric space: its diameter and its covers.

The metric is rho_n. A cover of the ball of parameters by balls of radius eps/L is one of the losses
by balls of radius eps, if L is a Lipschitz constant.
"""

from __future__ import annotations

from sympy import Abs, Eq, Expr, Le, log

from proofs.evidence import Averaged, Cited, Decided, Mutant, Use
from proofs.ledger import Step
from proofs.paper._lipschitz_class import A, d_theta, rho
from proofs.paper.lemma_5 import loss, other
from proofs.paper.lemma_5 import statement as lemma_5
from proofs.symbols import Mean, declare, tau

__all__ = [
    "LEMMA_5",
    "LOSS_MOVE",
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
#: The definition of `loss_move` in terms of Lemma 5.
LOSS_MOVE = Eq(loss_move, Abs(loss - other))
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


def diameter_steps(
    width: Expr, extent: Use, hypotheses: tuple[Expr, ...], weaker: Expr
) -> list[Step]:
    """Return the steps rho_n <= width, where `extent` says that two losses differ by at most that.

    `weaker` is a smaller width, which the engine must refuse.
    """
    pointwise = Le(loss_move, width)
    return [
        Step(
            text="Lemma 5 bounds the difference of two losses of one tuple,",
            evidence=Decided(
                claim=pointwise,
                given=(*hypotheses, extent, LOSS_MOVE),
                mutants=[Mutant("half of it", Le(loss_move, weaker))],
            ),
        ),
        Step(
            text="hence its mean square over the tuples,",
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
