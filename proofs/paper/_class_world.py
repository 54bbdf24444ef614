"""The world of Appendix A.2: equally likely classes, orthonormal embeddings, a share of noise.

phi(Z) is uniform on N = ceil(e^{1/tau} - 1) orthonormal vectors. A positive is drawn from pi with
probability 1 - lam and from the anchor's own class otherwise, so that E[w^2] = 1 + lam^2 (N - 1):
lam = 1 is the natural positive, lam = 0 one that ignores the anchor. Everything is a binomial sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from proofs.evidence import Compared

__all__ = ["chi2", "classes", "limit_ratio", "ratio", "ratios"]


def classes(tau: float) -> int:
    """Return N = ceil(e^{1/tau} - 1), at least 2 since e^{1/tau} > 2.

    Examples
    --------
    >>> classes(0.5)
    7
    """
    if math.exp(1 / tau) <= 2:
        raise ValueError("the construction needs e^{1/tau} > 2")
    return math.ceil(math.exp(1 / tau) - 1)


def chi2(tau: float, lam: float) -> float:
    """Return E[w^2] = 1 + lam^2 (N - 1).

    Examples
    --------
    >>> chi2(0.5, 1.0)
    7.0
    """
    return 1 + lam**2 * (classes(tau) - 1)


def ratio(tau: float, lam: float, k: int) -> float:
    """Return |CEhat_k - Rt| / (CE - Rt), exact up to rounding.

    Where all weights vanish (only if lam = 1) the average is taken to be 0.
    """
    from scipy.stats import binom

    size = classes(tau)
    own, foreign = 1 - lam + lam * size, 1 - lam
    hits = np.arange(k + 1)
    chance = binom.pmf(hits, k, 1 / size)
    weight = hits * own + (k - hits) * foreign
    share = np.divide(hits * own, weight, out=np.zeros(k + 1), where=weight > 0)
    bias = float(chance @ (share - own / size))
    excess = math.exp(1 / tau) - 1
    mean = 1 + excess / size
    gap = -float(chance @ np.log1p((hits / k - 1 / size) * excess / mean))
    return abs(bias) / tau / gap


def limit_ratio(tau: float, lam: float) -> float:
    """Return the limit of `ratio` as k grows, from the leading terms of bias and gap.

    Examples
    --------
    >>> abs(limit_ratio(0.5, 0.5) - ratio(0.5, 0.5, 20_000)) < 1e-3
    True
    """
    size = classes(tau)
    own, foreign = 1 - lam + lam * size, 1 - lam
    positive = own / size
    leading = own**2 * (1 - positive) / size - (1 - 1 / size) * foreign**2 * positive
    excess = math.exp(1 / tau) - 1
    x = excess / size
    return abs(leading) / tau * 2 * (1 + x) ** 2 / (x * (excess - x))


def ratios(*, constant: float = 65.0, largest: int = 1000) -> Iterator[Compared]:
    """Yield the ratio against ``constant E[w^2] / (tau (e^{1/tau} - 2))`` as k grows."""
    for tau in (0.25, 0.5, 1.0):
        for lam in (0.02, 0.3, 0.7):
            bound = constant * chi2(tau, lam) / (tau * (math.exp(1 / tau) - 2))
            k = 10
            while k <= largest:
                label = f"tau = {tau:g}, lam = {lam:g}, k = {k}"
                yield Compared(label, ratio(tau, lam, k), bound)
                k *= 10
            label = f"tau = {tau:g}, lam = {lam:g}, limit"
            yield Compared(label, limit_ratio(tau, lam), bound)
