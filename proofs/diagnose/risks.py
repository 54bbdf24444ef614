"""The risk at finite k on the empirical law, evaluated without sampling, and how k brings it down.

The empirical law: the anchor uniform on the rows, its positive its own, its k negatives drawn with
replacement from its possible negatives.  Risks are normalised by k, in nats.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from numerics import exact
from numerics.jackknife import Estimate, delete_blocks
from proofs.expansion import Loss

__all__ = ["GRID", "LOSSES", "TABLE", "Least", "Risks"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LOSSES: tuple[Loss, Loss] = ("infonce", "dcl")
#: Values of k that are always reported.
TABLE = tuple(10**j for j in range(7))
#: Values of k of the curves: eight a decade, up to the largest that can be evaluated.
GRID = tuple(sorted({round(10 ** (j / 8)) for j in range(8 * 18)} | {exact.MAX_K}))


@dataclass(frozen=True)
class Least:
    """The least k from which |bias| stays at most a target.

    Attributes
    ----------
    k : int or None
        On the empirical law; None beyond 10^18.
    low, high : int or None
        Where the ends of the confidence bands of the bias put it.
    """

    k: int | None
    low: int | None
    high: int | None


@dataclass(frozen=True, eq=False)
class Risks:
    """Bias for many k, both losses (the first axis of the arrays is InfoNCE, DCL).

    Attributes
    ----------
    ks : (K,) array
        Increasing.
    drawn : (A,) array of int
        The evaluated anchors, as rows of the shuffled file.
    biases : (2, A, K) array
        Bias of every evaluated anchor: risk less limit, computed as itself.
    left_out : (B, 2, K) array
        Mean bias with one block left out.
    sizes : (B,) array
        Evaluated anchors in each block.
    evaluate : callable
        Mean bias (2, K') at further values of k.
    """

    ks: Floats
    drawn: Integers
    biases: Floats
    left_out: Floats
    sizes: Floats
    evaluate: Callable[[Floats], Floats]

    @cached_property
    def bias(self) -> Floats:
        """Mean bias, (2, K)."""
        return np.asarray(np.mean(self.biases, axis=1))

    @cached_property
    def jackknife(self) -> Estimate:
        """The mean bias with confidence intervals, (2, K)."""
        return delete_blocks(self.bias, self.left_out, self.sizes)

    def risk(self, limit: float, limits_left_out: Floats) -> Estimate:
        """The risk with confidence intervals, (2, K), from the limit with each block left out."""
        return delete_blocks(
            limit + self.bias, limits_left_out[:, None, None] + self.left_out, self.sizes
        )

    def at(self, k: int) -> int:
        """The place of a value of k in ``ks``."""
        place = int(np.searchsorted(self.ks, k))
        assert self.ks[place] == k
        return place

    @cached_property
    def turns(self) -> list[float]:
        """Where the mean bias of InfoNCE changes sign, by interpolation in log k."""
        bias = self.bias[0]
        places = np.flatnonzero(bias[:-1] * bias[1:] < 0)
        share = bias[places] / (bias[places] - bias[places + 1])
        found: list[float] = (
            self.ks[places] * (self.ks[places + 1] / self.ks[places]) ** share
        ).tolist()
        return found

    def least(self, target: Fraction) -> dict[Loss, Least]:
        """For each loss the least k from which |bias| stays at most a target.

        The bias of InfoNCE changes sign, so |bias| may fall below the target and leave it again.
        """
        goal = float(target)
        ks, bias = self.ks, self.bias
        for _ in range(8):
            missing = np.unique(np.concatenate([_between(ks, each, goal) for each in bias]))
            missing = np.setdiff1d(missing, ks)
            if not missing.size:
                break
            more = self.evaluate(missing)
            order = np.argsort(np.concatenate([ks, missing]))
            ks = np.concatenate([ks, missing])[order]
            bias = np.concatenate([bias, more], axis=1)[:, order]
        low, high = self.jackknife.low, self.jackknife.high
        outer = np.maximum(np.abs(low), np.abs(high))
        inner = np.where((low < 0) & (high > 0), 0.0, np.minimum(np.abs(low), np.abs(high)))
        return {
            loss: Least(
                _from(ks, np.abs(bias[i]), goal),
                _crossing(self.ks, inner[i], goal),
                _crossing(self.ks, outer[i], goal),
            )
            for i, loss in enumerate(LOSSES)
        }


def _from(ks: Floats, size: Floats, goal: float) -> int | None:
    """The first k after the last at which a size is above the goal."""
    above = np.flatnonzero(size > goal)
    if not above.size:
        return int(ks[0])
    last = int(above[-1])
    return int(ks[last + 1]) if last + 1 < len(ks) else None


def _crossing(ks: Floats, size: Floats, goal: float) -> int | None:
    """As `_from`, between two values of k by interpolation in log k."""
    after = _from(ks, size, goal)
    if after is None or after == ks[0]:
        return after
    i = int(np.searchsorted(ks, after)) - 1
    share = (size[i] - goal) / (size[i] - size[i + 1])
    return math.ceil(float(ks[i] * (ks[i + 1] / ks[i]) ** share))


def _between(ks: Floats, bias: Floats, goal: float) -> Floats:
    """Integers where |bias| must be known to tell the least k: at the crossing and at peaks."""
    size = np.abs(bias)
    above = np.flatnonzero(size > goal)
    last = int(above[-1]) if above.size else 0
    wanted = []
    for i in range(max(last, 1), len(ks) - 1):  # a peak between two values may be above the goal
        if size[i - 1] <= size[i] >= size[i + 1] and 0.9 * goal < size[i] <= goal:
            wanted.append(_inside(ks[i - 1], ks[i], 8))
            wanted.append(_inside(ks[i], ks[i + 1], 8))
    if above.size and last + 1 < len(ks) and not _near(ks[last], ks[last + 1]):
        low, high = ks[last], ks[last + 1]
        x, y = np.log(ks[last : last + 2]), np.log(size[last : last + 2])
        slope = (y[1] - y[0]) / (x[1] - x[0])
        guess = math.exp(x[0] + (math.log(goal) - y[0]) / slope)
        steps = 2.0 ** np.arange(0, 62, 2)
        near = np.concatenate([guess - steps, [guess], guess + steps])
        wanted.append(near[(near > low) & (near < high)])
        wanted.append(_inside(low, high, 16))
    if not wanted:
        return np.zeros(0)
    return np.unique(np.rint(np.concatenate(wanted)))


def _near(low: float, high: float) -> bool:
    """Tell whether no integer lies between, or none that anybody could want."""
    return high - low <= max(1.0, 1e-9 * high)


def _inside(low: float, high: float, count: int) -> Floats:
    """At most that many integers spread over an open interval; all of them if they are few."""
    if _near(low, high):
        return np.zeros(0)
    if high - low <= count + 1:
        return np.arange(low + 1, high)
    return np.linspace(low, high, count + 2)[1:-1]
