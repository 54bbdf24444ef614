"""Search for worlds in which R - R_dcl is large; positives are aligned, which is the worst case.

In scaled terms y = e^{(s-1)/tau} the difference for one anchor is

    E log(1 + 1/sum_j y_j) = int_0^inf L(x)^k (1 - e^{-x}) dx/x,   L the Laplace transform of y.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from proofs.evidence import Compared
from proofs.sharper._finite_search import Setting, search

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["attack", "attack_bound", "bound_sides", "difference"]

STEP = 0.25


@lru_cache(maxsize=32)
def _nodes(t: float) -> tuple[Array, Array]:
    """Return trapezoid nodes in log x, and 1 - e^{-x} there times the spacing."""
    x = np.exp(np.arange(-36.0, np.log(60.0) + 2 * t, STEP))
    return x, -STEP * np.expm1(-x)


def difference(s: Array, pi: Array, at: Setting) -> tuple[float, Array, Array]:
    """Return R - R_dcl for aligned positives, and its gradients in similarities and masses."""
    x, weight = _nodes(at.t)
    y = np.exp(at.t * (s - 1))
    decay = np.exp(-x[:, None, None] * y)
    transform = decay @ pi
    per_anchor = weight @ transform**at.k
    slope = at.k * weight[:, None] * transform ** (at.k - 1)
    by_s = -at.t * y * np.einsum("xi,x,xij->ij", slope, x, decay) * pi[:, None] * pi
    by_pi = per_anchor + np.einsum("i,xi,xij->j", pi, slope, decay)
    return float(pi @ per_anchor), by_s, by_pi


def attack(*, seed: int, restarts: int, scale: float = 1.0) -> Compared:
    """Search for the largest R - R_dcl over log(1 + e^{1/tau}/k), k >= 2."""
    return search(
        seed=seed,
        restarts=restarts,
        quantity=difference,
        bound=lambda at: scale * float(np.log1p(np.exp(at.t) / at.k)),
        taus=(0.2, 5.0),
        atoms=14,
        ks=(2, 3, 5),
    )


def _least(at: Setting) -> float:
    """Return the bound of `last-term` in float64, with D = log cosh(1/tau)."""
    largest = float(np.log1p(np.exp(2 * at.t) / at.k))
    finer = np.exp(at.t) / (at.k + 1) * (1 + at.k * np.exp(-2 * at.t)) * largest
    return min(largest, float(finer), float(np.log(np.cosh(at.t)) + np.log1p(np.exp(at.t) / at.k)))


def attack_bound(*, seed: int, restarts: int, scale: float = 1.0) -> Compared:
    """Search for the largest R - R_dcl over the bound of `last-term`."""
    return search(
        seed=seed,
        restarts=restarts,
        quantity=difference,
        bound=lambda at: scale * _least(at),
        taus=(0.2, 5.0),
        atoms=8,
        ks=(1, 2, 8, 64),
    )


def bound_sides(*, scale: float = 1.0) -> Iterator[Compared]:
    """Yield log(1 + e^{1/tau}/k), approached by many classes, against the bound of `last-term`."""
    from fractions import Fraction

    from proofs.sharper._search_bounds import last_ball

    for tau in ("0.1", "0.2", "0.5", "1", "5"):
        for k in (2, 4, 16, 64, 1024, 10**6):
            bound = float(last_ball(Fraction(tau), k))
            reached = float(np.log1p(np.exp(1 / float(tau)) / k))
            yield Compared(f"tau = {tau}, k = {k}", reached, scale * bound)
