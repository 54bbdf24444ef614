"""Atoms that stand for one coordinate s of a uniform point of S^{d-1}, and for its tilts.

The density of s is proportional to (1 - s^2)^{(d-3)/2} on [-1, 1].  With s = tanh x and
x = (pi/2) sinh y the law of y has the density cosh(y) / cosh(x)^{d-1}, which is analytic and decays
doubly exponentially, so the trapezoidal rule in y converges exponentially fast, for any d.

What is integrated is exp(-w e^{s/tau}) for every w >= 0.  Shifting the line of integration by
i delta changes s by at most i (pi/2) delta; the integrand stays bounded as long as that is below
i (pi/2) tau.  So delta = tau, and the error is about e^{-2 pi tau/h}, *relative* to the integral:
that is why no Gauss rule is used here, whose error is relative to the largest value instead, and
may spoil the far tail that small tau feels.
"""

from __future__ import annotations

import math

import numpy as np

from numerics.laws import FloatArray


def grid(d: int, conc: float, tau: float, nats: float) -> tuple[float, int]:
    """Step h and count n of the nodes y = -n h, ..., n h.

    Parameters
    ----------
    d, conc, tau : int, float, float
        The sphere, the concentration of the positive, the temperature.
    nats : float
        Accuracy wanted: relative errors of about e^{-nats}.
    """
    # Laws that matter are tilts e^{a s} of the uniform one, a up to 2/tau (second moments of
    # e^{s/tau}) or conc.  Each peaks where sinh x cosh x = a/(d-1); its width in x is at least
    # 1/sqrt(2 (d-1)), and dx/dy = hypot(x, pi/2).
    tilt = max(2 / tau, conc)
    peak = math.asinh(2 * tilt / (d - 1)) / 2
    # Far out, where 1 - s = 2 e^{-2x}, tilts allow Im x up to pi/4.
    speed = math.hypot(peak, math.pi / 2)
    width = 1 / (math.sqrt(2 * (d - 1)) * speed)
    delta = min(tau, 0.7 / speed)
    h = min(2 * math.pi * delta / nats, math.pi * math.sqrt(2 / nats) * width)
    reach = peak + 1 + nats / (d - 1) + math.sqrt(2 * nats / (d - 1))
    return h, math.ceil(math.asinh(2 / math.pi * reach) / h)


def log_densities(x: FloatArray, y: FloatArray, d: int, tilts: list[float]) -> FloatArray:
    """Log densities at y of the laws tilted by e^{a s}, one row per a, up to a constant."""
    size = np.abs(x)
    log_cosh = np.where(
        size < 1,
        np.log1p(np.sinh(np.minimum(size, 1.0)) ** 2) / 2,
        size + np.log1p(np.exp(-2 * size)) - math.log(2),
    )
    base = np.log(np.cosh(y)) - (d - 1) * log_cosh
    gap = 2 / (1 + np.exp(np.minimum(2 * x, 700.0)))  # 1 - s
    rows = np.array([base - a * gap for a in tilts], dtype=np.float64)
    rows -= rows.max(axis=1, keepdims=True)
    return rows


def kept(d: int, conc: float, tau: float, nats: float) -> tuple[float, FloatArray]:
    """Step h and the multiples of it that carry any of the laws that matter."""
    h, n = grid(d, conc, tau, nats)
    multiples = np.arange(-n, n + 1, dtype=np.float64)
    y = h * multiples
    tilts = [0.0, 1 / tau, 2 / tau, conc]
    rows = log_densities(math.pi / 2 * np.sinh(y), y, d, tilts)
    return h, multiples[rows.max(axis=0) > -nats - 20]


def float_nodes(d: int, conc: float, tau: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Similarities, uniform weights and weights tilted by e^{conc s}; weights sum to 1.

    >>> s, p, m = float_nodes(3, 0.0, 1.0)
    >>> round(float(p @ s**2), 14), round(float(m @ s**4), 14)
    (0.33333333333333, 0.2)
    """
    h, multiples = kept(d, conc, tau, nats=40.0)
    y = h * multiples
    x = math.pi / 2 * np.sinh(y)
    p, m = np.exp(log_densities(x, y, d, [0.0, conc]))
    return np.tanh(x), p / p.sum(), m / m.sum()
