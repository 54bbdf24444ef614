"""CE - R_dcl of regular simplices at a finite number of negatives: a binomial sum."""

from __future__ import annotations

import math

import numpy as np

from proofs.sharper._finite_search import Setting

__all__ = ["best_simplex", "simplex_bias"]


def simplex_bias(points: int, t: float, k: int) -> float:
    """Return CE - R_dcl (nats) of a regular simplex at temperature 1/t with k negatives.

    The number of negatives that fall on the anchor is binomial; 2 points are the antipodal pair.

    Examples
    --------
    >>> round(simplex_bias(2, 1.0, 1) - math.log(math.cosh(1.0)), 12)
    0.0
    """
    from scipy.stats import binom

    p = 1 / points
    own, other = t, -t / (points - 1)
    log_mean = np.logaddexp(math.log(p) + own, math.log1p(-p) + other)
    hits = np.arange(k + 1)
    with np.errstate(divide="ignore"):
        average = np.logaddexp(np.log(hits / k) + own, np.log1p(-hits / k) + other)
    return float(binom.pmf(hits, k, p) @ (log_mean - average))


def best_simplex(at: Setting, largest: int | None = None) -> float:
    """Return the largest `simplex_bias` over 2 to `largest` points.

    Examples
    --------
    >>> best_simplex(Setting(1.0, 2)) == simplex_bias(2, 1.0, 2)
    True
    """
    top = largest or 8 + 4 * math.ceil(math.exp(min(at.t, 6.0)))
    return max(simplex_bias(points, at.t, at.k) for points in range(2, top + 1))
