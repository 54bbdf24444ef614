"""The finite-k bias of one anchor as an integral over Laplace transforms.

For one anchor let Y = exp(s/tau)/mu, mu = E exp(s/tau), for a negative (so E Y = 1), Y_+ the same
for the positive, L(w) = E exp(-w Y) and P(w) = E exp(-w Y_+).  From
log x = int_0^inf (e^{-u} - e^{-u x}) du/u (Frullani) with x = (Y_1 + ... + Y_k)/k, and the
same with Y_+/k added to x, follow two integrals over t = k w:

    dcl = E log mean(Y) = - int (L(w)^k - e^{-t}) dt/t                    <= 0,
    gap = R - Rt        =   int L(w)^k (1 - P(w)) dt/t                    >= 0.

``dcl`` is the bias (risk minus limit) of the decoupled loss and ``dcl + gap`` that of InfoNCE; both
come out to relative accuracy, with no difference of close numbers:

* l(w) = log(e^w L(w)) = log1p(E phi2(-w (Y - 1))), phi2(x) = e^x - 1 - x >= 0, because E Y = 1; so
  the first integrand is e^{-t} expm1(k l) whenever k l < 1, however small.
* The trapezoidal rule in log t converges like e^{-pi^2/h}; its nodes are w0 2^{a/m}, so every atom
  needs no exponential beyond the first: phi2(2x) = 2 phi2(x) + expm1(x)^2, and
  expm1(2x) = expm1(x) (2 + expm1(x)).
* Below w0 the transforms come from their first moments; below the first node the integrands are
  powers of t, and the rest of the sum is a geometric series.

The rule is invariant under shifts of log t: one table of l, log L and 1 - P serves every k.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from numerics._laplace_grid import FIRST, LAST, MOMENTS, PER_OCTAVE, START

#: Real arrays, of float64 or a wider type.
Array = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Scaled:
    """Laws of A anchors on N atoms each, scaled to E Y = 1.

    Attributes
    ----------
    Y, centred : (A, N) arrays
        Y and Y - 1 (the latter to relative accuracy when Y is nearly constant).
    p, m : (A, N) arrays
        Negatives' and positive's probabilities.
    top : (A,) array
        Largest Y of an atom in use.
    limit : (A,) array
        CE of every anchor.
    """

    Y: Array
    centred: Array
    p: Array
    m: Array
    top: Array
    limit: Array


def scale(s: Array, p: Array, m: Array, tau: Any) -> Scaled:
    """Scale similarities (A, N) so that E Y = 1 for every anchor."""
    p = p / p.sum(axis=1, keepdims=True)
    m = m / m.sum(axis=1, keepdims=True)
    highest = np.max(s, axis=1, keepdims=True, where=p > 0, initial=-2)
    lowest = np.min(s, axis=1, keepdims=True, where=p > 0, initial=2)
    exponent = (s - highest) / tau
    # Means of expm1 around the highest value: 1 + mean loses nothing while the spread is small.
    small = np.where(p > 0, np.expm1(np.minimum(exponent, 0)), 0)
    mean = _dot(p, small)[:, None]
    wide = highest - lowest > tau / 2
    log_mu = np.where(wide, np.log(_dot(p, np.exp(np.minimum(exponent, 0)))[:, None]),
                      np.log1p(np.where(wide, 0, mean)))  # fmt: skip
    Y = np.exp(exponent - log_mu)
    centred = np.where(wide | (p == 0), Y - 1, (small - mean) / (1 + np.where(wide, 0, mean)))
    top = np.max(Y, axis=1, where=(p > 0) | (m > 0), initial=0)
    limit = log_mu[:, 0] - _dot(m, s - highest) / tau
    return Scaled(Y, centred, p, m, top, limit)


def _dot(weights: Array, values: Array) -> Any:
    return np.einsum("an,an->a", weights, values)


def cutoff(law: Scaled, k: float) -> Array:
    """Values of k log L below which L^k adds nothing to the integrals of any k' >= k, (A,).

    For large k the integrals are near E (Y - 1)^2/(2k) and E Y_+/k.
    """
    with np.errstate(over="ignore"):
        spread = np.sum((np.sqrt(law.p) * law.centred) ** 2, axis=1) / 2
    smaller = np.minimum(spread, np.minimum(_dot(law.m, law.Y), 1))
    logs: Array = np.log(np.maximum(smaller, 1e-300) / k) - 50
    return logs


def below(law: Scaled, k_max: float, per_octave: int = PER_OCTAVE) -> Array:
    """The part of the tables that comes from moments, (A, 4, nodes): w, ell, log L, 1 - P.

    It reaches from the first node of the sum for k_max up to START/top, exclusive.
    """
    first = FIRST * np.minimum(1 / k_max, 1 / law.top)
    octaves = 1 + max(1, math.ceil(float(np.max(np.log2(START / law.top / first)))))
    steps = np.exp2(np.arange(-octaves * per_octave, 0, dtype=law.top.dtype) / per_octave)
    u = -START * steps
    x = law.centred / law.top[:, None]
    y = law.Y / law.top[:, None]
    grown, lost = np.zeros_like(u), np.zeros_like(u)
    x_power, y_power, u_power = x, y, u
    for j in range(1, MOMENTS + 1):
        if j > 1:
            x_power, y_power, u_power = x_power * x, y_power * y, u_power * u / j
            grown = grown + np.outer(_dot(law.p, x_power), u_power)
        lost = lost + np.outer(_dot(law.m, y_power), u_power)
    w = -u / law.top[:, None]
    ell = np.log1p(grown)
    return np.stack([w, ell, ell - w, -lost], axis=1)


def table(law: Scaled, k_min: float, k_max: float, per_octave: int = PER_OCTAVE) -> Array:
    """Transforms of A anchors, (A, 4, nodes): w, ell, log L and 1 - P for every k in the range.

    The grids are geometric, each anchor's with its own first w.
    """
    low = below(law, k_max, per_octave)
    high = _from_atoms(law, 2 * low[:, 0, -per_octave:], cutoff(law, k_min) / k_min)
    return np.concatenate([low, high], axis=2)


def _from_atoms(law: Scaled, w: Array, lowest: Array) -> Array:
    """Continue the tables from the octave w (A, m) upwards, until log L < lowest everywhere."""
    p, m = law.p[:, None, :], law.m[:, None, :]
    x = -w[:, :, None] * law.centred[:, None, :]  # (A, m, N)
    phi = _phi2(x)
    e = np.expm1(-w[:, :, None] * law.Y[:, None, :])
    decayed = 1 + e
    columns = []
    with np.errstate(all="ignore"):  # anchors beyond LAST overflow until the others get there
        while True:
            ell = np.full_like(w, np.inf)
            if np.any(near := w < LAST):
                ell = np.where(near, np.log1p(np.sum(p * phi, axis=2)), np.inf)
                below = np.where(x > -40, x + phi, -1)
                phi = 2 * phi + below * below
                x = 2 * x
            lost = np.sum(p * e, axis=2)
            left = np.sum(p * decayed, axis=2)
            log_L = np.where(lost > -0.5, np.log1p(np.maximum(lost, -0.5)), np.log(left))
            columns.append(np.stack([w, ell, log_L, -np.sum(m * e, axis=2)], axis=1))
            if np.all(log_L[:, 0] < lowest):
                return np.concatenate(columns, axis=2)
            decayed = np.where(e > -0.25, (1 + e) ** 2, decayed * decayed)
            e = e * (2 + e)
            w = 2 * w


def _phi2(x: Array) -> Array:
    """e^x - 1 - x for |x| <= START, by its series."""
    tail = np.zeros_like(x)
    for j in range(MOMENTS, 2, -1):
        tail = x / j * (1 + tail)
    return x * x / 2 * (1 + tail)


def integrate(
    tab: Array, top: Array, ks: Array, per_octave: int = PER_OCTAVE
) -> tuple[Array, Array]:
    """The integrals ``dcl`` and ``gap`` of A anchors for K values of k, each (A, K)."""
    h = np.log(np.asarray(2, dtype=tab.dtype)) / per_octave
    dcl = np.empty((len(tab), len(ks)), dtype=tab.dtype)
    gap = np.empty_like(dcl)
    k = ks[:, None]
    for a, (w, ell, log_L, gone) in enumerate(tab):
        with np.errstate(under="ignore", over="ignore"):
            decayed = np.exp(-k * w)
            exponent = k * ell
            power = np.exp(k * log_L)
            small = decayed * np.expm1(np.minimum(exponent, 1))
        first = np.where(exponent < 1, small, power - decayed)
        used = w >= FIRST * np.minimum(1 / k, 1 / top[a])
        start = np.argmax(used, axis=1)[:, None]
        for out, values, degree in ((dcl, first, 2), (gap, power * gone, 1)):
            tail = np.take_along_axis(values, start, axis=1)[:, 0] / np.expm1(degree * h)
            out[a] = h * (np.sum(values, axis=1, where=used) + tail)
    return -dcl, gap
