"""Worlds with two encoders: anchors and negatives have different laws of embeddings.

delta is the total variation distance of the two laws. The bias CE - R_dcl is that of the decoupled
loss, in nats.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from proofs.evidence import Compared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Laws", "bias", "bound", "extremal", "met", "mixed", "reciprocal_mean", "sides"]


@dataclass(frozen=True, eq=False)
class Laws:
    """Laws of the anchors' and the negatives' embeddings on common atoms.

    Attributes
    ----------
    atoms : (N, d) array
        Unit vectors.
    anchors, negatives : (N,) arrays
        Probabilities; each sums to 1.
    """

    atoms: Array
    anchors: Array
    negatives: Array

    @property
    def distance(self) -> float:
        """The total variation distance of the two laws, in [0, 1]."""
        return float(np.sum(np.maximum(self.anchors - self.negatives, 0)))


def _seen(laws: Laws) -> tuple[Array, Array]:
    """Return the weights of the anchors and their similarities with all atoms."""
    used = laws.anchors > 0
    return laws.anchors[used], np.clip(laws.atoms[used] @ laws.atoms.T, -1, 1)


def bias(laws: Laws, tau: float, k: int) -> float:
    """Return CE - R_dcl, computed as itself (no subtraction), at k negatives."""
    from numerics import laplace

    weights, similarity = _seen(laws)
    negatives = np.broadcast_to(laws.negatives, similarity.shape).copy()
    law = laplace.scale(similarity, negatives, negatives, tau)
    ks = np.array([float(k)])
    dcl, _ = laplace.integrate(laplace.table(law, ks.min(), ks.max()), law.top, ks)
    return -math.fsum(weights * dcl[:, 0])


def reciprocal_mean(laws: Laws, tau: float) -> float:
    """Return X, the mean over anchors of 1/mu."""
    weights, similarity = _seen(laws)
    return float(np.sum(weights / (np.exp(similarity / tau) @ laws.negatives)))


def bound(t: Fraction, k: int, distance: float) -> float:
    """Return Gamma_k + delta C* sinh(t)^2/(2k), or the second term with delta = 1 if smaller."""
    from proofs.sharper._poisson_constant import poisson_constant
    from proofs.sharper._sufficient_k import gamma

    one_anchor = float(poisson_constant(15)) * math.sinh(t) ** 2 / (2 * k)
    return min(one_anchor, float(gamma(t, k)) + distance * one_anchor)


def extremal(t: Fraction, delta: float) -> Laws:
    """Return negatives at u, rarely, and -u, and a share delta of extra anchors at u.

    The rare probability is that of the largest variance of exp(s/tau) relative to its mean.
    """
    p = 1 / (1 + math.exp(2 * t))
    negatives = np.array([p, 1 - p])
    anchors = (1 - delta) * negatives + delta * np.array([1.0, 0.0])
    return Laws(np.array([[1.0], [-1.0]]), anchors, negatives)


def mixed(rng: np.random.Generator, delta: float, d: int, n: int) -> Laws:
    """Return random laws: a share delta of the anchors sits apart from the negatives' n atoms."""
    atoms = rng.normal(size=(2 * n, d))
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    common, apart = (rng.dirichlet(np.full(n, 0.3)) for _ in range(2))
    negatives = np.concatenate([common, np.zeros(n)])
    return Laws(
        atoms, (1 - delta) * negatives + np.concatenate([np.zeros(n), delta * apart]), negatives
    )


def sides(scale: float = 1.0, seed: int = 11) -> Iterator[Compared]:
    """Yield the bias against the bound on extremal and random pairs of laws."""
    rng = np.random.default_rng(seed)
    for t in (Fraction(1, 2), Fraction(2), Fraction(5)):
        for delta in (0.0, 0.1, 0.5, 1.0):
            random = mixed(rng, delta, int(rng.integers(1, 5)), int(rng.integers(2, 9)))
            for name, laws in (("two atoms", extremal(t, delta)), ("random", random)):
                for k in (1, 30, 10**6):
                    yield Compared(
                        f"{name}, 1/tau = {t}, delta = {laws.distance:.3g}, k = {k}",
                        bias(laws, 1 / float(t), k),
                        scale * bound(t, k, laws.distance),
                    )


def met(share: float = 0.95) -> Iterator[Compared]:
    """Yield a share of the bound against the bias of extremal laws, for many negatives."""
    for t in (Fraction(2), Fraction(5), Fraction(8)):
        for delta in (0.1, 0.5, 1.0):
            laws, k = extremal(t, delta), 10**8
            distance = laws.distance
            yield Compared(
                f"1/tau = {t}, delta = {distance:.3g}, k = {k}",
                share * (bound(t, k, distance) - bound(t, k, 0.0)),
                bias(laws, 1 / float(t), k),
            )
