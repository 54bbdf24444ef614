"""Adversarial search over finite worlds: atoms on a sphere and their masses, by L-BFGS.

A quantity of the world (the mean of 1/mu, the bias at k, ...) comes with its gradients in the
similarities and in the masses; the search maximises its ratio to a bound that depends on tau and k
alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from proofs.evidence import Compared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Quantity", "Setting", "dcl_bias", "reciprocal", "search", "second_order"]


@dataclass(frozen=True)
class Setting:
    """The temperature as t = 1/tau, and the number of negatives."""

    t: float
    k: int


#: Takes similarities (N, N), masses (N,) and a setting; returns the value and its two gradients.
Quantity = Callable[["Array", "Array", Setting], tuple[float, "Array", "Array"]]


def reciprocal(s: Array, pi: Array, at: Setting) -> tuple[float, Array, Array]:
    """Return the mean of 1/mu."""
    kernel = np.exp(at.t * s)
    mu = kernel @ pi
    slope = -pi[:, None] * kernel / mu[:, None] ** 2
    return float(pi @ (1 / mu)), at.t * slope * pi, 1 / mu + slope.sum(axis=0)


def second_order(s: Array, pi: Array, at: Setting) -> tuple[float, Array, Array]:
    """Return lim k (CE - R_dcl), half of the mean of Var(Y)/mu^2."""
    kernel = np.exp(at.t * s)
    mu = kernel @ pi
    m2 = kernel**2 @ pi
    weight = (pi / mu**2)[:, None]
    slope = weight * kernel * (kernel - 2 * (m2 / mu)[:, None])
    by_s = at.t * weight * kernel * (kernel - (m2 / mu)[:, None]) * pi
    return float(pi @ (m2 / mu**2) - 1) / 2, by_s, (m2 / mu**2 + slope.sum(axis=0)) / 2


@lru_cache(maxsize=32)
def _nodes(t: float, k: int) -> tuple[Array, float]:
    """Return trapezoid nodes in log u for int (e^{-u} - L(u/k)^k) du/u, and their spacing."""
    step = 0.25
    low, high = -30.0 - t, np.log(40.0) + t
    return np.exp(np.arange(low, high, step)), step


def dcl_bias(s: Array, pi: Array, at: Setting) -> tuple[float, Array, Array]:
    """Return CE - R_dcl at k, by the Laplace transform of the average of k draws."""
    kernel = np.exp(at.t * s)
    mu = kernel @ pi
    u, step = _nodes(at.t, at.k)
    y = kernel / mu[:, None]
    decay = np.exp(-(u / at.k)[:, None, None] * y)
    transform = decay @ pi
    gap = step * (transform**at.k - np.exp(-u)[:, None]).sum(axis=0)
    power = transform ** (at.k - 1)
    # d gap_i/d y_ij, per unit of mass; then y_ij = K_ij/mu_i.
    by_y = -step * np.einsum("ui,uij->ij", u[:, None] * power, decay)
    inner = (by_y * pi * y).sum(axis=1)
    by_kernel = pi[:, None] * (by_y - inner[:, None]) / mu[:, None]
    by_pi = gap + step * at.k * np.einsum("i,ui,uij->j", pi, power, decay)
    by_pi -= np.einsum("i,i,ij->j", pi, inner, y)
    return float(pi @ gap), at.t * by_kernel * pi * kernel, by_pi


def search(
    *,
    seed: int,
    restarts: int,
    quantity: Quantity,
    bound: Callable[[Setting], float],
    taus: tuple[float, float] = (0.1, 3.0),
    atoms: int = 40,
    ks: tuple[int, ...] = (1,),
) -> Compared:
    """Return the finite world with the largest quantity/bound that was found.

    Parameters
    ----------
    seed, restarts : int
        Each restart draws tau and the number of atoms (2 to `atoms`) log-uniform and a dimension
        of at most 12; the values of `ks` take turns.
    quantity : callable
        What is to be large.
    bound : callable
        Of the setting; what the quantity should not exceed.
    """
    from scipy.optimize import minimize

    rng = np.random.default_rng(seed)
    worst = Compared("no world", 0.0, 1.0)
    for restart in range(restarts):
        tau = float(np.exp(rng.uniform(*np.log(taus))))
        at = Setting(1 / tau, ks[restart % len(ks)])
        count = int(np.exp(rng.uniform(np.log(2), np.log(atoms + 1))))
        d = int(rng.integers(2, max(3, min(count, 12)) + 1))
        right = bound(at)

        def objective(
            flat: Array, count: int = count, d: int = d, at: Setting = at
        ) -> tuple[float, Array]:
            return _negative_log(flat, count, d, at, quantity)

        start = np.concatenate([rng.normal(size=count * d), np.zeros(count)])
        found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": 100})
        left = float(np.exp(-found.fun))
        if left / right > worst.left / worst.right:
            worst = Compared(f"tau = {tau:.4g}, k = {at.k}, {count} atoms, d = {d}", left, right)
    return worst


def _negative_log(
    flat: Array, count: int, d: int, at: Setting, quantity: Quantity
) -> tuple[float, Array]:
    """Return -log(quantity) and its gradient in un-normalised atoms and log masses."""
    raw = flat[: count * d].reshape(count, d)
    size = np.linalg.norm(raw, axis=1, keepdims=True)
    rows = raw / size
    pi = np.exp(flat[count * d :] - flat[count * d :].max())
    pi /= pi.sum()
    value, by_s, by_pi = quantity(rows @ rows.T, pi, at)
    if not value > 1e-12:
        return 30.0, np.zeros_like(flat)
    by_rows = (by_s + by_s.T) @ rows
    by_rows -= np.sum(by_rows * rows, axis=1, keepdims=True) * rows
    by_log = pi * (by_pi - pi @ by_pi)
    gradient = np.concatenate([(by_rows / size).ravel(), by_log])
    return -float(np.log(value)), -gradient / value
