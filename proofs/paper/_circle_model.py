"""A class of embeddings that satisfies (C) with C = 1: lemma 1 and proposition 5 are tried on it.

phi_theta(z) = (cos <theta, z>, sin <theta, z>): two parameters give embeddings of z at distance
2 |sin(<theta - theta', z>/2)| <= ||z|| ||theta - theta'||.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from proofs.evidence import Compared
from proofs.paper._coverage import rademacher

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Tuples", "class_sides", "largest", "pair_sides", "power_mean"]


@dataclass(frozen=True)
class Tuples:
    """Training tuples.

    Parameters
    ----------
    points : array, (n, k + 2, D)
        In each tuple the anchor, the positive, then the negatives.
    tau : float
        Temperature.
    """

    points: Array
    tau: float

    @classmethod
    def random(cls, rng: np.random.Generator, dimension: int, n: int, spread: float) -> Tuples:
        """Return tuples of points with log-normal norms, at a temperature in [0.05, 4]."""
        shape = (n, int(rng.integers(3, 14)), dimension)
        points = rng.normal(size=shape) * np.exp(spread * rng.normal(size=(*shape[:2], 1)))
        return cls(points, float(np.exp(rng.uniform(np.log(0.05), np.log(4)))))

    @property
    def k(self) -> int:
        """Number of negatives in a tuple."""
        return int(self.points.shape[1]) - 2

    @property
    def norms(self) -> Array:
        """Norms of the points, (n, k + 2)."""
        return np.asarray(np.linalg.norm(self.points, axis=2))

    def losses(self, theta: Array) -> Array:
        """Return the loss (nats) of each tuple, (n,)."""
        angles = self.points @ theta
        similarities = np.cos(angles[:, :1] - angles[:, 1:]) / self.tau
        exponents = np.logaddexp.reduce(similarities[:, 1:] - similarities[:, :1], axis=1)
        return np.asarray(np.logaddexp(0.0, exponents) - np.log(self.k))

    def rms(self, column: int) -> float:
        """Return the root mean square of the norms of the anchors (0) or of the positives (1)."""
        return float(np.sqrt(np.mean(self.norms[:, column] ** 2)))

    def nested(self, beta: float) -> float:
        """Return the root mean square over tuples of the power mean of order beta of the norms."""
        inner = power_mean(self.norms[:, 2:], beta, axis=1)
        return float(np.sqrt(np.mean(inner**2)))

    def overall(self, order: float) -> float:
        """Return the power mean over all negatives."""
        return float(power_mean(self.norms[:, 2:].ravel(), order, axis=0))


def power_mean(values: Array, order: float, axis: int) -> Array:
    """Return power means along an axis, scaled by the largest value so that nothing overflows.

    >>> round(float(power_mean(np.array([3.0, 4.0]), 2.0, 0) ** 2), 12)
    12.5
    """
    top = values.max(axis=axis, keepdims=True)
    mean = np.mean((values / top) ** order, axis=axis, keepdims=True)
    return np.asarray(np.squeeze(top * mean ** (1 / order), axis=axis))


#: Takes the tuples, returns a Lipschitz constant of the loss in theta (nats).
Slope = Callable[[Tuples], float]
#: Takes the tuples, the dimension of theta and the radius; returns a bound on the complexity.
Complexity = Callable[[Tuples, int, float], float]


def pair_sides(slope: Slope, draws: int = 300, seed: int = 5) -> Iterator[Compared]:
    """Yield rho_n of two parameters against slope times their distance."""
    rng = np.random.default_rng(seed)
    for _ in range(draws):
        dimension = int(rng.integers(1, 3))
        tuples = Tuples.random(rng, dimension, int(rng.integers(1, 6)), 1.0)
        first = rng.normal(size=dimension)
        second = first + rng.normal(size=dimension) * np.exp(rng.normal() - 2)
        moved = tuples.losses(first) - tuples.losses(second)
        label = f"tau = {tuples.tau:.3g}, k = {tuples.k}, n = {len(tuples.points)}"
        distance = float(np.linalg.norm(first - second))
        yield Compared(label, float(np.sqrt(np.mean(moved**2))), slope(tuples) * distance)


def class_sides(bound: Complexity, draws: int = 12, seed: int = 6) -> Iterator[Compared]:
    """Yield the empirical Rademacher complexity of a ball of parameters against a bound.

    theta lies in an interval, taken on a fine grid; the mean is over all 2^n signs (n = 10).
    """
    rng = np.random.default_rng(seed)
    for draw in range(draws):
        tuples = Tuples.random(rng, 1, 10, 0.5)
        radius = float(10.0 ** (draw % 4 - 3))
        grid = np.linspace(-radius, radius, 401)
        losses = np.stack([tuples.losses(np.array([theta])) for theta in grid])
        label = f"tau = {tuples.tau:.3g}, k = {tuples.k}, radius = {radius:g}"
        yield Compared(label, rademacher(losses, rng), bound(tuples, 1, radius))


def largest(points: Iterable[Compared]) -> float:
    """Return the largest left/right of a comparison.

    >>> largest([Compared("a", 1.0, 2.0), Compared("b", 1.0, 4.0)])
    0.5
    """
    return max(point.left / point.right for point in points)
