"""Compiled form of :mod:`numerics.laplace` for many atoms, many anchors or many values of k.

The same table and the same sums, anchor by anchor.  The atoms of one octave step fit in cache, and
the step is one vectorised pass; only its sums may be reordered, which moves the last bit.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from numerics._jit import OPTIONS, kernel
from numerics._laplace_grid import FIRST, LAST, PER_OCTAVE
from numerics.laplace import Array

#: Octaves that a table can span: from FIRST/k up to where exp(-w Y) vanishes for the smallest Y.
OCTAVES = 2200


_reordered = numba.njit(fastmath={"reassoc", "contract"}, **OPTIONS)


@_reordered  # type: ignore[untyped-decorator]
def _step_near(x: Array, phi: Array, e: Array, p: Array, m: Array) -> tuple[float, float, float]:
    """Sums of p phi2(-w (Y - 1)), p expm1(-w Y), m expm1(-w Y); then double w."""
    ell = 0.0
    lost = 0.0
    gone = 0.0
    for i in range(x.size):
        f, v = phi[i], e[i]
        ell += p[i] * f
        lost += p[i] * v
        gone += m[i] * v
        below = x[i] + f if x[i] > -40.0 else -1.0
        phi[i] = 2.0 * f + below * below
        x[i] *= 2.0
        e[i] = v * (2.0 + v)
    return ell, lost, gone


@_reordered  # type: ignore[untyped-decorator]
def _step_far(e: Array, p: Array, m: Array) -> tuple[float, float]:
    """Sums of p expm1(-w Y) and m expm1(-w Y); then double w."""
    lost = 0.0
    gone = 0.0
    for i in range(e.size):
        v = e[i]
        lost += p[i] * v
        gone += m[i] * v
        e[i] = v * (2.0 + v)
    return lost, gone


@_reordered  # type: ignore[untyped-decorator]
def _left(e: Array, decayed: Array, p: Array) -> float:
    """Sum of p exp(-w Y), the exponentials updated from those at w/2 and from expm1(-w Y)."""
    total = 0.0
    for i in range(e.size):
        g = decayed[i]
        square = g * g if g > 1e-150 else 0.0
        g = 1.0 + e[i] if e[i] > -0.5 else square
        decayed[i] = g
        total += p[i] * g
    return total


@kernel
def _tabulate(
    Y: Array,
    centred: Array,
    p: Array,
    m: Array,
    lowest: float,
    work: Array,
    tab: Array,
    first: int,
) -> int:
    """Fill ``tab`` (4: w, ell, log L, 1 - P) from column ``first`` upwards; return its end.

    w is given in the columns of the first octave.  The first of them decides where to stop: once
    log L < lowest there.  ``work`` is (4, N) scratch.
    """
    x, phi, e, decayed = work[0], work[1], work[2], work[3]
    end: int = tab.shape[1]
    for r in range(PER_OCTAVE):
        w = tab[0, first + r]
        for i in range(Y.size):
            v = -w * centred[i]
            x[i] = v
            tail = v / 3 * (1 + v / 4 * (1 + v / 5 * (1 + v / 6 * (1 + v / 7 * (1 + v / 8)))))
            phi[i] = v * v / 2 * (1 + tail)
            e[i] = math.expm1(-w * Y[i])
        lost = 0.0
        left = 1.0
        started = False
        for node in range(first + r, end, PER_OCTAVE):
            # L(2w) >= L(w)^2, so here lost > -0.5 whenever the last one was above -0.29.
            if started:
                left = _left(e, decayed, p)
            elif lost < -0.29:
                started = True
                left = 0.0
                for i in range(Y.size):
                    decayed[i] = math.exp(-w * Y[i])
                    left += p[i] * decayed[i]
            ell = math.inf
            if w < LAST:
                near, lost, gone = _step_near(x, phi, e, p, m)
                ell = math.log1p(near)
            else:
                lost, gone = _step_far(e, p, m)
            log_L = math.log1p(lost) if lost > -0.5 else math.log(left)
            tab[0, node] = w
            tab[1, node] = ell
            tab[2, node] = log_L
            tab[3, node] = -gone
            w *= 2.0
            if r == 0 and log_L < lowest:
                end = node + PER_OCTAVE
                break
    return end


@kernel
def _integrate(tab: Array, top: float, ks: Array, dcl: Array, gap: Array) -> None:
    """The integrals of one anchor for every k, from its table."""
    h = math.log(2.0) / PER_OCTAVE
    for j in range(ks.size):
        k = ks[j]
        start = math.ceil(math.log(FIRST * min(1.0 / k, 1.0 / top) / tab[0, 0]) / h)
        a_sum = 0.0
        b_sum = 0.0
        for node in range(start, tab.shape[1]):
            decayed = math.exp(-k * tab[0, node])
            exponent = k * tab[1, node]
            power = math.exp(k * tab[2, node])
            a = decayed * math.expm1(exponent) if exponent < 1.0 else power - decayed
            b = power * tab[3, node]
            if node == start:
                a_sum = a / math.expm1(2.0 * h)
                b_sum = b / math.expm1(h)
            a_sum += a
            b_sum += b
            if power < 1e-19 * min(a_sum, b_sum):
                break
        dcl[j] = -h * a_sum
        gap[j] = h * b_sum


@kernel
def integrate(
    Y: Array,
    centred: Array,
    p: Array,
    m: Array,
    top: Array,
    lowest: Array,
    below: Array,
    ks: Array,
    dcl: Array,
    gap: Array,
) -> None:
    """Fill ``dcl`` and ``gap`` (A, K) for A anchors.

    ``below`` (A, 4, B) holds the part of every anchor's table that comes from moments; ``lowest``
    (A,) is where log L may be cut off.
    """
    anchors, size = Y.shape
    used = below.shape[2]
    work = np.empty((4, size))
    tab = np.empty((4, used + PER_OCTAVE * OCTAVES))
    for a in range(anchors):
        tab[:, :used] = below[a]
        for r in range(PER_OCTAVE):
            tab[0, used + r] = 2.0 * tab[0, used + r - PER_OCTAVE]
        end = _tabulate(Y[a], centred[a], p[a], m[a], lowest[a], work, tab, used)
        _integrate(tab[:, :end], top[a], ks, dcl[a], gap[a])
