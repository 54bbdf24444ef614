"""Estimates from embeddings: the limit, the coefficients of 1/k, and whether they mean anything.

Every anchor's sums over blocks of negatives (:mod:`numerics.group_sums`) give its estimates from
all its negatives, without one block, and from half of them; the anchors of a block or a half are
left out together with its negatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from numerics.jackknife import Estimate, delete_blocks
from proofs.diagnose.blocks import Blocks
from proofs.evaluate import numpy_function
from proofs.expansion import Loss, coefficients, kappa, r

__all__ = ["LARGEST_CHANGE", "NAMES", "SMALLEST_SAMPLE", "Anchors", "Estimates", "estimates"]

Floats = NDArray[np.float64]

#: What is estimated, in the order of the arrays.
NAMES = (
    "limit", "c1_infonce", "c1_dcl", "c2_infonce", "c2_dcl", "reciprocal_mean", "kl"
)  # fmt: skip
#: Below this median effective sample the coefficients are not estimable ...
SMALLEST_SAMPLE = 100
#: ... nor where c_1 moves by more than this share of itself when N is halved.
LARGEST_CHANGE = 0.2
#: A change below this many nats is rounding, and too small to matter anyway.
ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class Anchors:
    """What each anchor's negatives say, as arrays (A,).

    Attributes
    ----------
    log_mu : array
        Logarithm of mu = E exp(s/tau).
    limit : array
        Cross-entropy of the anchor's softmax search, log mu - s_+/tau, in nats.
    r, kappa_2, kappa_3 : array
        exp(s_+/tau)/mu, and the cumulants of exp(s/tau) over powers of mu.
    kl : array
        KL(Q || pi) of the softmax search to the uniform draw, in nats.
    negatives : int
        How many there are.
    """

    log_mu: Floats
    limit: Floats
    r: Floats
    kappa_2: Floats
    kappa_3: Floats
    kl: Floats
    negatives: int

    @classmethod
    def of(cls, sums: Floats, negatives: int, tau: Fraction, positive: Floats) -> Anchors:
        """Turn sums (A, 5) over the negatives and similarities (A,) with positives into these.

        Examples
        --------
        >>> ones = np.array([[2.0, 2.0, 2.0, 2.0, 2.0]])  # two negatives with s = 1, tau < 1
        >>> same = Anchors.of(ones, 2, Fraction(1, 2), np.array([1.0]))
        >>> float(same.log_mu[0]), float(same.kappa_2[0]), float(same.kl[0])
        (2.0, 0.0, 0.0)
        """
        t = float(1 / tau)
        first, second, third, cross, plain = (sums / negatives).T
        if tau < 1:  # sums of exp((s - 1)/tau)
            log_mu = np.log(first) + t
            kappa_2 = second / first**2 - 1
            kappa_3 = third / first**3 - 3 * second / first**2 + 2
            nearest = cross / first
        else:  # sums of expm1(s/tau)
            mu = 1 + first
            log_mu = np.log1p(first)
            kappa_2 = (second - first**2) / mu**2
            kappa_3 = (third - 3 * first * second + 2 * first**3) / mu**3
            nearest = (cross + plain) / mu
        limit = log_mu - positive * t
        return cls(log_mu, limit, np.exp(-limit), kappa_2, kappa_3, nearest * t - log_mu, negatives)

    @property
    def effective_sample(self) -> Floats:
        """Negatives over 1 + kappa_2: how many equally weighted ones the softmax is worth."""
        return self.negatives / (1 + self.kappa_2)

    def coefficient(self, order: int, loss: Loss) -> Floats:
        """c_1 or c_2 of every anchor, in nats."""
        values: Floats = _coefficient(order, loss)(self.r, self.kappa_2, self.kappa_3)
        return np.broadcast_to(values, self.r.shape)

    @cached_property
    def means(self) -> Floats:
        """The mean over the anchors of each quantity in NAMES."""
        return np.array(
            [
                np.mean(self.limit),
                *(np.mean(self.coefficient(j, x)) for j in (1, 2) for x in ("infonce", "dcl")),
                np.mean(np.exp(-self.log_mu)),
                np.mean(self.kl),
            ]
        )


@lru_cache(maxsize=8)
def _coefficient(order: int, loss: Loss) -> Callable[..., Floats]:
    return numpy_function(coefficients(2, loss)[order - 1], (r, kappa(2), kappa(3)))


@dataclass(frozen=True, eq=False)
class Estimates:
    """Everything estimated at one temperature.

    Attributes
    ----------
    tau : Fraction
        The temperature.
    anchors : Anchors
        From all the negatives, in the order of the blocks.
    halved : array or None
        Means of NAMES from half the data, averaged over the two halves; None below 12 rows.
    left_out : (B, 7) array or None
        Means of NAMES with one block left out; None if there were no blocks at this temperature.
    sizes : (B,) array or None
        Anchors in each block.
    """

    tau: Fraction
    anchors: Anchors
    halved: Floats | None
    left_out: Floats | None = None
    sizes: Floats | None = None

    @cached_property
    def jackknife(self) -> Estimate:
        """Plain and corrected means of NAMES with confidence intervals."""
        assert self.left_out is not None
        assert self.sizes is not None
        return delete_blocks(self.anchors.means, self.left_out, self.sizes)

    @cached_property
    def median_sample(self) -> float:
        """The median of the effective samples."""
        return float(np.median(self.anchors.effective_sample))

    def change(self, loss: Loss) -> float | None:
        """How far c_1 moves, as a share of itself, when N is halved; None if N is too small."""
        if self.halved is None:
            return None
        place = NAMES.index(f"c1_{loss}")
        now, before = float(self.anchors.means[place]), float(self.halved[place])
        if abs(now - before) <= ROUNDING:
            return 0.0
        return abs(now - before) / abs(now) if now else np.inf

    def estimable(self, loss: Loss) -> bool:
        """Tell whether c_1 and c_2 of a loss can be estimated at this temperature."""
        change = self.change(loss)
        return (
            self.median_sample >= SMALLEST_SAMPLE
            and change is not None
            and change <= LARGEST_CHANGE
        )

    @property
    def all_estimable(self) -> bool:
        """Tell whether the coefficients of both losses can be estimated."""
        return self.estimable("infonce") and self.estimable("dcl")


def estimates(sums: Floats, blocks: Blocks, tau: Fraction, *, intervals: bool) -> Estimates:
    """Estimate from sums (N, B, 5) over blocks, or over the two halves without ``intervals``."""
    count, positive = blocks.negatives, blocks.positive
    own = 0 if blocks.separate else 1
    whole = Anchors.of(sums.sum(axis=1), count - own, tau, positive)
    half = len(blocks.sizes) // 2 if intervals else 1
    parts = [slice(0, half), slice(half, sums.shape[1])]
    halved = None
    if len(positive) >= 12 and count >= 12:
        means = []
        for part, rows, others in zip(parts, *blocks.halves, strict=True):
            several = sums[rows, part].sum(axis=1)
            means.append(Anchors.of(several, others - own, tau, positive[rows]).means)
        halved = np.mean(means, axis=0)
    if not intervals:
        return Estimates(tau, whole, halved)
    left_out = []
    for b, without in enumerate(_without_each(sums)):
        kept = blocks.others(b)
        fewer = count - own - int(blocks.negative_sizes[b])
        left_out.append(Anchors.of(without[kept], fewer, tau, positive[kept]).means)
    return Estimates(tau, whole, halved, np.array(left_out), blocks.sizes)


def _without_each(sums: Floats) -> Iterator[Floats]:
    """Sums over all blocks but one, added up anew: a difference might be nothing but rounding."""
    after = [np.zeros_like(sums[:, 0])]
    for b in range(sums.shape[1] - 1, 0, -1):
        after.append(after[-1] + sums[:, b])
    before = np.zeros_like(sums[:, 0])
    for b in range(sums.shape[1]):
        yield before + after[-1 - b]
        before = before + sums[:, b]
