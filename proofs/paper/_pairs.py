"""Pairs of embeddings of one tuple: the loss difference against bounds as in Proposition 4.

A bound is a function of the norms of the rows of phi - phi'. The search moves all unit vectors of
both embeddings by conjugate gradients with exact gradients (and without threaded linear algebra).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from proofs.evidence import Compared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = [
    "Coefficients",
    "Gauge",
    "Setting",
    "linear_gauge",
    "loss_and_gradient",
    "mean_against_max",
    "power_mean",
    "root_gauge",
    "search",
]

BETAS = (1.0, 1.5, 2.0, 4.0, 10.0, 50.0, np.inf)
#: Differences below this share of the loss are lost in the rounding of float64 and do not count.
SMALLEST = 1e-6
#: Rows of a tuple's embedding: the anchor, the positive, then the negatives.
ANCHOR, POSITIVE, NEGATIVES = slice(0, 1), slice(1, 2), slice(2, None)
PARTS = {"anchor": ANCHOR, "positive": POSITIVE, "negatives": NEGATIVES, "all": slice(None)}


@dataclass(frozen=True)
class Setting:
    """What a bound may depend on: the temperature, the number of negatives, the exponent."""

    tau: float
    k: int
    beta: float


#: Takes the norms of the rows of phi - phi' and returns the bound and its gradient in them.
Gauge = Callable[["Array", Setting], tuple[float, "Array"]]
#: Returns the coefficients of ||D_a||, ||D_+|| and the power mean.
Coefficients = Callable[[Setting], tuple[float, float, float]]


def linear_gauge(coefficients: Coefficients) -> Gauge:
    """Return the bound that is linear in ||D_a||, ||D_+|| and the power mean of the ||D_j||."""

    def gauge(norms: Array, at: Setting) -> tuple[float, Array]:
        anchor, positive, negatives = coefficients(at)
        mean, weights = power_mean(norms[NEGATIVES], at.beta)
        value = anchor * norms[0] + positive * norms[1] + negatives * mean
        return value, np.concatenate([[anchor, positive], negatives * weights])

    return gauge


def root_gauge(norms: Array, at: Setting, factor: float = 6**0.5) -> tuple[float, Array]:
    """Return the bound [17], factor/tau times the root of a sum of squares, and its gradient."""
    largest, chosen = power_mean(norms[NEGATIVES], np.inf)
    root = float(np.sqrt(norms[0] ** 2 + norms[1] ** 2 + largest**2))
    rise = np.concatenate([norms[:2], largest * chosen])
    return factor / at.tau * root, factor / at.tau * rise / root


def loss_and_gradient(rows: Array, tau: float) -> tuple[float, Array]:
    """Return the normalised InfoNCE loss of one tuple (nats) and its gradient in the rows."""
    k = len(rows) - 2
    exponents = (rows[NEGATIVES] - rows[1]) @ rows[0] / tau
    shift = max(float(exponents.max()), 0.0)
    terms = np.exp(exponents - shift)
    total = float(np.exp(-shift) + terms.sum())
    weights = terms / total
    gradient = np.empty_like(rows)
    gradient[0] = weights @ (rows[NEGATIVES] - rows[1])
    gradient[1] = -weights.sum() * rows[0]
    gradient[NEGATIVES] = weights[:, None] * rows[0]
    return shift + float(np.log(total / k)), gradient / tau


def power_mean(values: Array, beta: float) -> tuple[float, Array]:
    """Return the power mean of order beta, scaled by its largest value, and its gradient."""
    top = float(values.max())
    if np.isinf(beta):
        return top, np.asarray(np.arange(len(values)) == values.argmax(), dtype=float)
    mean = top * float(np.mean((values / top) ** beta)) ** (1 / beta)
    return mean, (values / mean) ** (beta - 1) / len(values)


def _log_ratio(
    flat: Array, shape: tuple[int, ...], at: Setting, gauge: Gauge
) -> tuple[float, Array]:
    """Return log(right/left) and its gradient in the un-normalised rows of both embeddings."""
    raw = flat.reshape(shape)
    size = np.linalg.norm(raw, axis=2, keepdims=True)
    rows = raw / size
    (first, slope), (second, other) = (loss_and_gradient(r, at.tau) for r in rows)
    moved = rows[0] - rows[1]
    norms = np.sqrt(np.sum(moved**2, axis=1) + 1e-300)
    right, rise = gauge(norms, at)
    left = first - second
    if left <= SMALLEST * max(1.0, abs(first)):
        return 50.0, np.zeros_like(flat)
    pull = rise / norms / right
    gradient = np.stack([-slope / left, other / left])
    gradient += np.stack([pull[:, None] * moved, -pull[:, None] * moved])
    gradient -= np.sum(gradient * rows, axis=2, keepdims=True) * rows
    return float(np.log(right / left)), (gradient / size).ravel()


def search(
    *,
    seed: int,
    restarts: int,
    gauge: Gauge,
    moving: str = "all",
    betas: tuple[float, ...] = BETAS,
    taus: tuple[float, float] = (0.05, 5.0),
    largest_k: int = 32,
) -> Compared:
    """Return the pair of embeddings with the largest (loss difference)/(bound) that was found.

    Parameters
    ----------
    seed, restarts : int
        Each restart draws d in 2..8, k in 1..`largest_k`, tau log-uniform in `taus` and beta in
        `betas`.
    gauge : callable
        The bound, with its gradient.
    moving : {"all", "anchor", "positive", "negatives"}
        Which rows may differ between the two embeddings.
    """
    from scipy.optimize import minimize

    rng = np.random.default_rng(seed)
    worst = Compared("no pair with a positive difference", 0.0, 1.0)
    for _ in range(restarts):
        at = Setting(
            tau=float(np.exp(rng.uniform(*np.log(taus)))),
            k=int(rng.integers(1, largest_k + 1)),
            beta=float(rng.choice(betas)),
        )
        d = int(rng.integers(2, 9))
        start = _start(rng, at, d, moving)
        mask = np.zeros(start.shape)
        mask[0] = 1.0  # rows that do not move are the same variables in both embeddings
        mask[1, PARTS[moving]] = 1.0

        def objective(
            flat: Array, mask: Array = mask, start: Array = start, at: Setting = at
        ) -> tuple[float, Array]:
            pair = flat.reshape(mask.shape)
            pair = np.stack([pair[0], np.where(mask[1] > 0, pair[1], pair[0])])
            value, slope = _log_ratio(pair.ravel(), mask.shape, at, gauge)
            slope = slope.reshape(mask.shape)
            shared = np.where(mask[1] > 0, 0.0, slope[1])
            return value, np.stack([slope[0] + shared, slope[1] * mask[1]]).ravel()

        found = minimize(objective, start.ravel(), jac=True, method="CG", options={"maxiter": 120})
        ratio = float(np.exp(-found.fun))
        if ratio > worst.left / worst.right:
            worst = Compared(
                f"tau = {at.tau:.4g}, k = {at.k}, d = {d}, beta = {at.beta:g}", ratio, 1.0
            )
    return worst


def _start(rng: np.random.Generator, at: Setting, d: int, moving: str) -> Array:
    """Return two embeddings with a positive loss difference, near or far from each other."""
    first = rng.normal(size=(at.k + 2, d))
    second = first.copy()
    scale = float(rng.choice([1e-2, 1e-1, 1.0]))
    second[PARTS[moving]] += scale * rng.normal(size=second[PARTS[moving]].shape)
    losses = [
        loss_and_gradient(e / np.linalg.norm(e, axis=1, keepdims=True), at.tau)[0]
        for e in (first, second)
    ]
    return np.stack([first, second] if losses[0] > losses[1] else [second, first])


def mean_against_max(
    counts: tuple[int, ...], *, tau: float, beta: float, index: float, seed: int
) -> Iterator[tuple[int, float, float, float]]:
    """Yield (k, loss difference, averaged bound, maximum bound) on nested tuples as k grows.

    The embedding turns a point by an angle proportional to its norm; norms are Pareto of the given
    index. The averaged bound is Proposition 4, the maximum bound is [17].
    """
    rng = np.random.default_rng(seed)
    largest = max(counts)
    norms = np.concatenate([[1.0, 1.0], rng.pareto(index, largest) + 1])
    angles = rng.uniform(0, 2 * np.pi, largest + 2)
    step = 1e-3 / float(norms.max())
    rows = [np.column_stack([np.cos(a), np.sin(a)]) for a in (angles, angles + step * norms)]
    moved = 2 * np.sin(step * norms / 2)
    for k in counts:
        used = slice(0, k + 2)
        first, second = (loss_and_gradient(r[used], tau)[0] for r in rows)
        mean, _ = power_mean(moved[2 : k + 2], beta)
        averaged = (4 * moved[0] + moved[1] + 3 * np.exp(2 / (beta * tau)) * mean) / tau
        older = np.sqrt(6 * (moved[0] ** 2 + moved[1] ** 2 + moved[2 : k + 2].max() ** 2)) / tau
        yield k, abs(first - second), float(averaged), float(older)
