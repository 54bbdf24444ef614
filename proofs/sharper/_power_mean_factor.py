"""H_beta in float64, without overflow, and its approach by vertices of the cube."""

from __future__ import annotations

import math
from collections.abc import Iterator

from proofs.evidence import Compared

__all__ = ["best_vertices", "power_mean_factor"]


def power_mean_factor(order: float, t: float) -> float:
    """Return H_beta in float64, for beta = `order` from 1 to infinity and tau = t.

    It works with logarithms of q and q^beta', so that tau = 0.01 is ordinary input.

    >>> round(power_mean_factor(2, 1), 12) == round(math.cosh(1), 12)
    True
    >>> power_mean_factor(1, 0.5) == math.exp(4), power_mean_factor(math.inf, 0.01)
    (True, 1.0)
    """
    log_q = 2 / t
    if order == 1:
        return math.exp(log_q)
    if math.isinf(order):
        return 1.0
    b = order / (order - 1)
    log_power = b * log_q
    log_q_minus_1 = log_q + math.log(-math.expm1(-log_q))
    log_power_minus_1 = log_power + math.log(-math.expm1(-log_power))
    log_gap = log_power + math.log(-math.expm1(log_q - log_power))
    log_top = log_gap - math.log(b - 1) - log_q_minus_1
    log_bottom = math.log(b) + log_gap - math.log(b - 1) - log_power_minus_1
    return math.exp(log_top / b - log_bottom)


def best_vertices(shrink: float = 1.0) -> Iterator[Compared]:
    """Yield the largest softmax average over vertices of [-1, 1]^k, k = 400, against H_beta."""
    import numpy as np

    for t in (0.3, 0.5, 1.0, 3.0):
        for order in (1.25, 1.5, 2.0, 5.0, 20.0):
            b, ratio = order / (order - 1), float(np.exp(2 / t))
            s = np.arange(1, 400) / 400
            vertices = (s * ratio**b + 1 - s) ** (1 / b) / (s * ratio + 1 - s)
            yield Compared(
                f"tau = {t}, beta = {order}",
                float(vertices.max()),
                shrink * power_mean_factor(order, t),
            )
