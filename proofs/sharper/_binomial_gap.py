"""The Jensen gap of a logarithm over k two-point draws, exactly for every k, in balls.

Y_1, .., Y_k are iid, 1 + z with probability p and 1 otherwise (the gap does not change with the
scale of Y), and mu = 1 + pz is their mean:

    gap = log mu - E log(1 + zJ/k),   J ~ Bin(k, p).

Two routes share the work: the sum over J where few terms matter, and beyond that Taylor's formula
with the central moments of J and a remainder of one sign. Both return balls that hold the truth.

>>> gap(1, arb(0.5), arb(3)).str(10, radius=False)  # log 2.5 - (log 4)/2
'0.2231435513'
"""

from __future__ import annotations

from typing import Any

from flint import arb, ctx

from numerics.balls import precision

__all__ = ["gap", "mean_log", "variance"]

Ball = Any
#: Above this variance of J the moments serve better than the sum.
FEW = 1000
ORDER = 32


def variance(p: Ball, z: Ball) -> Ball:
    """Return Var(Y)/mu^2 of one draw."""
    return p * (1 - p) * (z / (1 + p * z)) ** 2


def gap(k: int, p: Ball, z: Ball, bits: int = 53) -> Ball:
    """Return the gap as a ball with about `bits` correct bits.

    Parameters
    ----------
    k : int
        Number of draws, at least 1.
    p : Ball
        Probability of the larger value: an exact number in (0, 1).
    z : Ball
        Larger value minus 1, positive (the smaller value is 1).
    bits : int
        Relative accuracy; the working precision grows until it is reached, or until z is too wide.

    Examples
    --------
    >>> gap(10**9, arb(0.5), arb(1), 90).str(20, radius=False)  # 1/(18 k) + ...
    '5.5555555570987654340e-11'
    """
    work = 2 * bits + 64
    while True:
        with precision(work):
            value = (1 + p * z).log() - mean_log(k, p, z)
            if p * (1 - p) * k > FEW:
                value = _by_moments(k, p, z)
        if value.rel_accuracy_bits() >= bits or work > 64 * bits + 4000:
            return value
        work *= 2
