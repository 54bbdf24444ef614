"""The delete-block jackknife: bias and confidence intervals from estimates with a block left out.

With blocks of unequal sizes as in Busing, Meijer and van der Leeden, Statistics and Computing 9
(1999).  Where anchors serve as each other's negatives, a block is left out in both roles at once: a
bootstrap would draw a row twice and make it its own negative at similarity 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

__all__ = ["LEVEL", "Estimate", "delete_blocks"]

Floats = NDArray[np.float64]

#: Confidence level of the intervals.
LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimates of some quantities; every attribute is an array of one shape.

    Attributes
    ----------
    plain : array
        From all the data.
    corrected : array
        Less the bias of order 1/N.
    stderr : array
        Standard error.
    low, high : array
        Ends of the confidence interval: ``corrected`` -+ Student's quantile times ``stderr``.
    """

    plain: Floats
    corrected: Floats
    stderr: Floats
    low: Floats
    high: Floats


def delete_blocks(plain: Floats, left_out: Floats, sizes: Floats) -> Estimate:
    """Combine estimates with one block left out each.

    Parameters
    ----------
    plain : (...) array
        Estimates from all the data.
    left_out : (B, ...) array
        Estimates without block b.
    sizes : (B,) array
        Sizes of the blocks.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 4.0, 9.0])
    >>> without = np.array([np.delete(x, i).mean() ** 2 for i in range(4)])
    >>> found = delete_blocks(x.mean() ** 2, without, np.ones(4))
    >>> round(float(found.corrected), 10)  # mean^2 - variance/4
    12.8333333333
    """
    plain, left_out = np.asarray(plain, dtype=np.float64), np.asarray(left_out, dtype=np.float64)
    share = np.asarray(sizes, dtype=np.float64) / np.sum(sizes)
    blocks = len(share)
    share = share.reshape(blocks, *(1,) * plain.ndim)
    # Differences from the plain estimate, so that large common parts do not cancel.
    moved = plain - left_out
    bias = -np.sum((1 - share) * moved, axis=0)
    pseudo = moved * (1 / share - 1)
    variance = np.mean((pseudo + bias) ** 2 / (1 / share - 1), axis=0)
    stderr = np.sqrt(variance)
    corrected = plain - bias
    reach = float(stdtrit(blocks - 1, (1 + LEVEL) / 2)) * stderr
    return Estimate(plain, corrected, stderr, corrected - reach, corrected + reach)
