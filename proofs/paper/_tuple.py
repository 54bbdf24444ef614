"""The quantities of one training tuple under two embeddings phi and phi'."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from proofs.symbols import declare

loss_phi = declare("loss_phi", r"\ell(\varphi)", "InfoNCE loss of one tuple, normalised by k")
loss_other = declare("loss_other", r"\ell(\varphi')", "InfoNCE loss of the same tuple under phi'")
D_anchor = declare(
    "D_anchor", r"\Vert D_a\Vert", "||phi(z_a) - phi'(z_a)|| at the anchor", nonnegative=True
)
D_positive = declare(
    "D_positive", r"\Vert D_+\Vert", "||phi(z_+) - phi'(z_+)|| at the positive", nonnegative=True
)
D_negative = declare(
    "D_negative", r"\Vert D_j\Vert", "||phi(z_j) - phi'(z_j)|| at a negative", nonnegative=True
)
D_max = declare(
    "D_max", r"\max_j\Vert D_j\Vert", "largest ||D_j|| over the negatives", nonnegative=True
)


def small_turn(
    share: float, *, damped: bool = False
) -> Callable[[Fraction | None, int | None], float]:
    """Return the looseness met by small turns: share k/(k + 1), or its limit where k is not given.

    The anchor is at a right angle to the positive u and all negatives are at -u, so that the weight
    e^H/(1/k + e^H) of the slope is k/(k + 1) at every temperature. `damped` is for bounds that
    carry the factor theta_k = 1/(1 + e^{-2/tau}/k) of `prop-4-sharp`.
    """

    def looseness(tau: Fraction | None = None, k: int | None = None) -> float:
        if k is None:
            return share
        inverse = 1 + math.exp(-2 / float(tau)) / k if damped and tau is not None else 1.0
        return share * k / (k + 1) * inverse

    return looseness
