"""A class of embeddings on a world of three points, where theorem 1 can be watched at work.

The points are numbers z, the embeddings the circle model's (cos(theta z), sin(theta z)) for theta
in an interval about 0. The expected cross-entropy of a search is a finite sum; only the tuples are
drawn.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from proofs.evidence import Compared
from proofs.paper._circle_model import Tuples

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["CHI2", "POINTS", "draw_tuples", "search_cross_entropy", "search_sides"]

POINTS = np.array([0.5, 1.0, 2.0])
PI = np.array([0.5, 0.3, 0.2])
KERNEL = np.array([[0.8, 0.1, 0.1], [0.1, 0.6, 0.3], [0.1, 0.2, 0.7]])
_DENSITY = KERNEL / PI
#: E[w(Z, Z')^2] of this world.
CHI2 = float(PI @ _DENSITY**2 @ PI)

#: Takes the tuples, the radius and delta; returns what a theorem adds to the empirical risk (nats).
Excess = Callable[[Tuples, float, float], float]


def search_cross_entropy(theta: float, tau: float, k: int) -> float:
    """Return the expected cross-entropy of a search among k points, a sum over all 3^k draws.

    >>> abs(round(search_cross_entropy(0.0, 0.5, 2), 12))
    0.0
    """
    similarities = np.cos(theta * (POINTS[:, None] - POINTS[None, :]))
    draws = np.array(list(itertools.product(range(len(POINTS)), repeat=k)))
    chance = PI[draws].prod(axis=1)
    total = 0.0
    for anchor, mass in enumerate(PI):
        s, w = similarities[anchor][draws], _DENSITY[anchor][draws]
        average = (w * s).sum(axis=1) / w.sum(axis=1)
        log_mean = np.logaddexp.reduce(s / tau, axis=1) - np.log(k)
        total += float(mass) * float(chance @ (log_mean - average / tau))
    return total


def draw_tuples(rng: np.random.Generator, n: int, k: int, tau: float) -> Tuples:
    """Return n training tuples of this world."""
    anchor = rng.choice(len(PI), n, p=PI)
    uniform = rng.random(n)
    positive = (uniform[:, None] > np.cumsum(KERNEL[anchor], axis=1)[:, :-1]).sum(axis=1)
    negatives = rng.choice(len(PI), (n, k), p=PI)
    indices = np.column_stack([anchor, positive, negatives])
    return Tuples(POINTS[indices][:, :, None], tau)


def search_sides(
    excess: Excess, sizes: tuple[int, ...] = (20, 200, 2000), delta: float = 0.05, seed: int = 8
) -> Iterator[Compared]:
    """Yield the largest (search cross-entropy - empirical risk) in the class against `excess`."""
    rng = np.random.default_rng(seed)
    for tau, k, radius in ((1.0, 3, 1.0), (0.2, 5, 1.0), (0.2, 5, 0.01)):
        grid = np.linspace(-radius, radius, 41)
        search = np.array([search_cross_entropy(theta, tau, k) for theta in grid])
        for n in sizes:
            tuples = draw_tuples(rng, n, k, tau)
            empirical = np.array([tuples.losses(np.array([theta])).mean() for theta in grid])
            label = f"tau = {tau}, k = {k}, radius = {radius}, n = {n}"
            yield Compared(label, float((search - empirical).max()), excess(tuples, radius, delta))
