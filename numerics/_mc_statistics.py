"""Statistics of Monte Carlo blocks: merged moments, control variates and what they can bear."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Var(muhat)/mu^2 up to which X and X^2 are used as control variates.
LIGHT = 0.1
#: Tuples that must be expected to show what the controls leave over (see :func:`degrees_for`).
SHOWN = 1000


def degrees_for(kappas: Floats, skews: Floats, k: int, tuples: int) -> NDArray[np.int64]:
    """Degree of the controls that each anchor can bear: 0, 1 or 2.

    In terms of rare large exponentials, lam = k kappa_2^3/kappa_3^2 of which fall into a tuple, the
    controls of degree p leave over what tuples with p + 1 of them do, a share lam^{p+1} of all
    where lam < 1.  If too few such tuples are to be expected in the sample, its residuals say
    nothing of the error.
    """
    lam = np.minimum(1.0, k * kappas * (kappas / np.maximum(np.abs(skews), 1e-300)) ** 2)
    degrees = (tuples * lam**2 >= SHOWN).astype(np.int64) + (tuples * lam**3 >= SHOWN)
    return np.where(kappas <= LIGHT * k, degrees, 0)


def merge(a: Floats, b: Floats) -> Floats:
    """Moments of two sets of tuples together (Chan, Golub and LeVeque)."""
    p = math.isqrt(len(a))
    n = a[0] + b[0]
    shift = b[1 : 1 + p] - a[1 : 1 + p]
    means = a[1 : 1 + p] + shift * (b[0] / n)
    squares = a[1 + p :] + b[1 + p :] + np.outer(shift, shift).ravel() * (a[0] * b[0] / n)
    return np.concatenate([[n], means, squares])


def intercept(record: Floats) -> tuple[float, float]:
    """Mean of the first column where the others, whose expectations are 0, are 0; with its error.

    Least squares with an intercept; a column that the earlier ones determine is left out.
    """
    p = math.isqrt(len(record))
    n = float(record[0])
    mean = record[1 : 1 + p].copy()
    square = record[1 + p :].reshape(p, p).copy()
    scale = square.diagonal().copy()
    leverage = 1 / n
    used = 0
    for j in range(1, p):
        if not square[j, j] > 1e-9 * scale[j]:
            continue
        slope = square[:, j] / square[j, j]
        leverage += mean[j] ** 2 / square[j, j]
        mean = mean - slope * mean[j]
        square = square - np.outer(slope, square[j])
        used += 1
    spare = max(1.0, n - 1 - used)
    return float(mean[0]), math.sqrt(max(0.0, float(square[0, 0])) / spare * leverage)
