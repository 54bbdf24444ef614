"""The worst bias of a weighted average against its sharper bound: exact worlds and a search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from numerics.weighted_average import (
    compositions,
    density,
    mean_inverse,
    sharp_bound,
    worst_bias,
)
from proofs.evidence import Case, Compared
from proofs.evidence.enumerated import Relation
from proofs.paper._weighted_average import WORLDS, describe

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["attack", "formula_cases", "sharp_cases"]


def sharp_cases(
    *,
    sizes: Sequence[int] | None = None,
    relation: Relation = "<=",
    scale: Fraction = Fraction(1),
) -> Iterator[Case]:
    """Yield the worst bias against 2 E_nu[(w - 1)^+/(w + m - 1)] on all finite worlds."""
    for pi, nu, tried in WORLDS:
        for m in tried if sizes is None else sizes:
            bound = scale * sharp_bound(pi, nu, m)
            yield Case(describe(pi, nu, m), worst_bias(pi, nu, m), relation, bound)


def formula_cases(*, factor: Fraction = Fraction(2)) -> Iterator[Case]:
    """Yield the worst bias, by its definition, against ``factor * E_nu(1 - h(w))^+``."""
    for pi, nu, tried in WORLDS:
        for m in [m for m in tried if m <= 12]:
            deficit = sum(
                (
                    n * max(1 - mean_inverse(pi, nu, m, x), Fraction(0))
                    for n, x in zip(nu, density(pi, nu), strict=True)
                    if n
                ),
                Fraction(0),
            )
            yield Case(describe(pi, nu, m), worst_bias(pi, nu, m), "==", factor * deficit)


def _sides(logs: Array, drawn: Array, m: int) -> tuple[float, float]:
    """Return the worst bias and its sharper bound, for laws given by their logarithms."""
    pi, nu = (np.exp(part - np.logaddexp.reduce(part)) for part in np.split(logs, 2))
    w = nu / pi
    log_chance = drawn @ np.log(pi)
    log_chance += float(_log_factorials(m)[m - 1]) - _log_factorials(m)[drawn.astype(int)].sum(1)
    chance = np.exp(log_chance)
    h = m * (chance / (w[:, None] + drawn @ w)).sum(axis=1)
    worst = 2 * float(nu @ np.maximum(1 - h, 0))
    return worst, 2 * float(nu @ (np.maximum(w - 1, 0) / (w + m - 1)))


def _log_factorials(m: int) -> Array:
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, m + 1)))])


def attack(*, seed: int, restarts: int, scale: float = 1.0) -> Compared:
    """Search laws on 2 to 4 atoms and m in 2..8 for the largest worst bias over its bound."""
    from scipy.optimize import minimize

    rng = np.random.default_rng(seed)
    best = Compared("no world", 0.0, 1.0)
    for _ in range(restarts):
        atoms, m = int(rng.integers(2, 5)), int(rng.integers(2, 9))
        drawn = np.array(list(compositions(m - 1, atoms)), dtype=float)

        def loss(logs: Array, drawn: Array = drawn, m: int = m) -> float:
            left, right = _sides(np.clip(logs, -30, 30), drawn, m)
            return -left / right if right > 1e-9 else 0.0

        start = rng.normal(scale=3, size=2 * atoms)
        found = minimize(loss, start, method="Nelder-Mead", options={"maxiter": 400})
        if -found.fun > best.left / best.right * scale:
            left, right = _sides(np.clip(found.x, -30, 30), drawn, m)
            best = Compared(f"{atoms} atoms, m = {m}", left, scale * right)
    return best
