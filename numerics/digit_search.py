"""Linear embeddings of handwritten digits trained by InfoNCE, and how well their search does.

An embedding is phi(z) = W'(z - centre) divided by its norm.  W minimises the empirical InfoNCE risk
of a fixed sample of tuples with k negatives.  It is then judged on unseen points: among M of them,
how far is the softmax search Q^ from the ideal search M^, which weights each by w?  All in nats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp, xlogy

from numerics import exact
from numerics.digit_images import Digits
from numerics.gram import one_blas_thread
from numerics.worlds import Embeddings

__all__ = ["Linear", "Outcome", "Sample", "Unseen", "experiment", "train"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Linear:
    """A linear map followed by normalisation.

    >>> Linear(np.eye(2), np.zeros(2))(np.array([[3.0, 4.0]])).tolist()
    [[0.6, 0.8]]
    """

    weights: Floats
    centre: Floats

    def __call__(self, points: Floats) -> Floats:
        """Embed points (count, pixels), as unit vectors (count, d)."""
        with one_blas_thread():
            rows = (points - self.centre) @ self.weights
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class Sample:
    """Training tuples: anchors and positives (n, pixels), and a pool that negatives come from.

    A tuple's k negatives are drawn with replacement from the pool, whose points are iid.
    """

    anchor: Floats
    positive: Floats
    pool: Floats
    negatives: Integers

    @classmethod
    def draw(
        cls, digits: Digits, k: int, seed: int, tuples: int = 3000, pool: int = 1024
    ) -> Sample:
        """Draw tuples; anchors, positives and pool depend on the seed alone, not on k."""
        rng = np.random.default_rng([seed, 1])
        sources = digits.sources(tuples, rng)
        anchor, positive = digits.augment(sources, rng), digits.augment(sources, rng)
        others = digits.augment(digits.sources(pool, rng), rng)
        return cls(anchor, positive, others, rng.integers(pool, size=(tuples, k)))

    def risk(self, weights: Floats, centre: Floats, tau: float) -> tuple[float, Floats]:
        """The empirical InfoNCE risk, normalised by k, and its gradient in the weights.

        The gradient of a tuple's loss in a similarity is its share of the denominator over tau, and
        normalisation projects it to the tangent space of the sphere.
        """
        count, k = self.negatives.shape
        inputs = [x - centre for x in (self.anchor, self.positive, self.pool)]
        raw = [x @ weights for x in inputs]
        norms = [np.linalg.norm(y, axis=1, keepdims=True) for y in raw]
        a, p, n = (y / norm for y, norm in zip(raw, norms, strict=True))
        rows = np.arange(count)[:, None]
        logits = ((a @ n.T)[rows, self.negatives] - np.sum(a * p, axis=1)[:, None]) / tau
        top = np.maximum(logits.max(axis=1), 0)
        shares = np.exp(logits - top[:, None])
        total = shares.sum(axis=1) + np.exp(-top)
        risk = float(np.mean(top + np.log(total))) - float(np.log(k))
        shares /= total[:, None] * tau * count
        places = (rows * len(n) + self.negatives).ravel()
        spread = np.bincount(places, shares.ravel(), count * len(n)).reshape(count, len(n))
        pull = -shares.sum(axis=1)[:, None]
        slopes = (spread @ n + pull * p, pull * a, spread.T @ a)
        gradient = np.zeros_like(weights)
        for x, unit, norm, slope in zip(inputs, (a, p, n), norms, slopes, strict=True):
            tangent = (slope - unit * np.sum(unit * slope, axis=1, keepdims=True)) / norm
            gradient += x.T @ tangent
        return risk, gradient


def train(
    digits: Digits,
    k: int,
    *,
    tau: float = 0.15,
    dimension: int = 8,
    seed: int = 0,
    steps: int = 40,
    tuples: int = 3000,
) -> Linear:
    """Minimise the empirical InfoNCE risk with k negatives by L-BFGS.

    Every k starts from the same weights and sees the same anchors and positives.
    """
    sample = Sample.draw(digits, k, seed, tuples)
    centre = digits.shifted.mean(axis=(0, 1))
    shape = (digits.shifted.shape[2], dimension)
    start = np.random.default_rng([seed, 2]).normal(size=shape)

    def objective(flat: Floats) -> tuple[float, Floats]:
        risk, gradient = sample.risk(flat.reshape(shape), centre, tau)
        return risk, gradient.ravel()

    with one_blas_thread():
        found = minimize(
            objective, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": steps}
        )
    return Linear(found.x.reshape(shape), centre)


@dataclass(frozen=True, eq=False)
class Unseen:
    """Points no training saw: anchors with positives, points to search among, and w at all pairs.

    Arrays are (anchors, pixels), (others, pixels) and (anchors, others).
    """

    anchor: Floats
    positive: Floats
    others: Floats
    density: Floats

    @classmethod
    def draw(cls, digits: Digits, seed: int, anchors: int = 400, others: int = 1024) -> Unseen:
        """Draw them and compute w."""
        rng = np.random.default_rng([seed, 3])
        sources = digits.sources(anchors, rng)
        anchor, positive = digits.augment(sources, rng), digits.augment(sources, rng)
        more = digits.augment(digits.sources(others, rng), rng)
        return cls(anchor, positive, more, digits.density(anchor, more))

    @property
    def ideal(self) -> Floats:
        """The ideal search M^: for every anchor probabilities over the others."""
        return np.asarray(self.density / self.density.sum(axis=1, keepdims=True))

    @property
    def chi2(self) -> float:
        """An estimate of E[w^2]."""
        return float(np.mean(self.density**2))


@dataclass(frozen=True)
class Outcome:
    """How the search of one embedding does on unseen points; losses in nats.

    Attributes
    ----------
    k : int or None
        Negatives in training; None for an embedding that maps all points to one.
    divergence : float
        KL(M^ || Q^), averaged over anchors: 0 for a search like the ideal one.
    stderr : float
        Its standard error, over the anchors.
    cross_entropy : float
        CrossEnt[M^ || Q^] relative to the uniform law on the points, averaged: an estimate of CE.
    risk : float
        InfoNCE risk on unseen tuples with k negatives, normalised by k.
    found : float
        Mean w at a point that the softmax search returns; 1 for a random point.
    """

    k: int | None
    divergence: float
    stderr: float
    cross_entropy: float
    risk: float
    found: float


def judge(embed: Linear | None, k: int | None, unseen: Unseen, tau: float) -> Outcome:
    """Compare softmax search with the ideal one; without an embedding, uniform search."""
    ideal = unseen.ideal
    risk = 0.0
    if embed is None:
        logits = np.zeros_like(ideal)
    else:
        anchor, others = embed(unseen.anchor), embed(unseen.others)
        with one_blas_thread():
            logits = anchor @ others.T / tau
        world = Embeddings(anchor, embed(unseen.positive), others)
        risk = exact.evaluate(world, Fraction(str(tau)), k or 1).risk
    logs = logits - logsumexp(logits, axis=1, keepdims=True)
    crossed = -np.sum(ideal * logs, axis=1)
    divergence = crossed + np.sum(xlogy(ideal, ideal), axis=1)
    return Outcome(
        k,
        float(divergence.mean()),
        float(divergence.std(ddof=1) / np.sqrt(len(divergence))),
        float(crossed.mean() - np.log(ideal.shape[1])),
        risk,
        float(np.mean(np.sum(np.exp(logs) * unseen.density, axis=1))),
    )


def experiment(
    digits: Digits, ks: Sequence[int] = (1, 8, 64, 512), *, tau: float = 0.15, seed: int = 0
) -> list[Outcome]:
    """Train with each k and judge on the same unseen points; first the search that knows nothing.

    Deterministic by seed on one machine; about 15 seconds on one core.
    """
    unseen = Unseen.draw(digits, seed)
    outcomes = [judge(None, None, unseen, tau)]
    outcomes += [judge(train(digits, k, tau=tau, seed=seed), k, unseen, tau) for k in ks]
    return outcomes
