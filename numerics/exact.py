"""Finite-k risk and bias of a world, without sampling.

Losses are normalised by k, in nats: for one tuple
``log(1/k + (1/k) sum_j exp((s_j - s_+)/tau))`` for InfoNCE (the positive is in the denominator),
and the same without the first 1/k for DCL.  The un-normalised InfoNCE loss is this plus log k.
Both risks tend to the same limit CE.  The bias is risk minus limit; it is computed as itself, never
as a difference, so it is accurate at k = 10^12, and its cost does not depend on k.

The formulas are in :mod:`numerics.laplace`.  Errors of a bias are below 1e-13 of
|bias of DCL| + |R - Rt| for 0.003 <= tau and 1 <= k <= 10^18.  The risk is the sum of limit and
bias, so a risk much smaller than both has fewer digits; :mod:`numerics.exact_digits` has no such
limit.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from numerics import laplace
from numerics._laplace_grid import PER_OCTAVE
from numerics.laws import AnchorLaw, FloatArray, World
from numerics.parse import InputError

__all__ = ["Biases", "Curve", "Risk", "anchor_biases", "curve", "evaluate"]

Loss = Literal["infonce", "dcl"]
Backend = Literal["auto", "numpy", "compiled"]

#: Below, e^{2/tau} leaves the range of floats.
MIN_TAU = Fraction(3, 1000)
MAX_TAU = Fraction(10**50)
MAX_K = 10**18

#: Entries of the largest array that is worked on at once.
CHUNK = 2**16
#: Nanoseconds of NumPy above which compiling (seconds, once) or loading the kernels pays.
COMPILE_ABOVE = 2e9


@dataclass(frozen=True)
class Risk:
    """One risk, in nats, normalised by k: ``bias`` = risk - limit, computed as itself."""

    risk: float
    limit: float
    bias: float


@dataclass(frozen=True, eq=False)
class Curve:
    """Risks for many values of k: ``ks``, ``risk`` and ``bias`` are arrays (K,)."""

    ks: FloatArray
    limit: float
    risk: FloatArray
    bias: FloatArray


@dataclass(frozen=True, eq=False)
class Biases:
    """Every anchor's part of the risk.

    Attributes
    ----------
    weights, limits : (A,) arrays
        Probability and CE of every anchor (of those with positive probability).
    dcl : (A, K) array
        Bias of DCL, <= 0.
    gap : (A, K) array
        R - Rt, the risk of InfoNCE less that of DCL, >= 0.
    """

    weights: FloatArray
    limits: FloatArray
    dcl: FloatArray
    gap: FloatArray

    def of(self, loss: Loss) -> FloatArray:
        """Bias of one loss, (A, K)."""
        return self.dcl if loss == "dcl" else self.dcl + self.gap


def evaluate(
    world: World,
    tau: Fraction | float,
    k: int,
    loss: Loss = "infonce",
    backend: Backend = "auto",
) -> Risk:
    """Risk, limit and bias in float64.

    Parameters
    ----------
    world : World
        Where anchors, positives and negatives come from.
    tau : Fraction or float
        Temperature, at least 0.003.
    k : int
        Number of negatives, from 1 to 10^18.
    loss : {"infonce", "dcl"}
        With the positive in the denominator, or without.
    backend : {"auto", "numpy", "compiled"}
        Which code does the work; the results agree to rounding.

    Raises
    ------
    InputError
        If tau or k is out of range.

    Examples
    --------
    >>> from numerics.worlds import Classes
    >>> risk = evaluate(Classes(100), 0.1, 10**12, "dcl")
    >>> f"{risk.bias:.10e}"
    '-4.9053562958e-11'
    """
    found = curve(world, tau, [k], loss, backend)
    return Risk(float(found.risk[0]), found.limit, float(found.bias[0]))


def curve(
    world: World,
    tau: Fraction | float,
    ks: Sequence[float] | FloatArray,
    loss: Loss = "infonce",
    backend: Backend = "auto",
) -> Curve:
    """Risk and bias for many k, from one table per anchor; k need not be an integer here.

    >>> from numerics.worlds import Classes
    >>> [f"{x:.6f}" for x in curve(Classes(2), 1, [1, 10]).risk]
    ['0.503204', '-0.251745']
    """
    found = anchor_biases(world, tau, ks, backend)
    limit = math.fsum(found.weights * found.limits)
    bias = np.array([math.fsum(column) for column in (found.weights[:, None] * found.of(loss)).T])
    return Curve(np.asarray(ks, dtype=np.float64), limit, limit + bias, bias)


def anchor_biases(
    world: World,
    tau: Fraction | float,
    ks: Sequence[float] | FloatArray,
    backend: Backend = "auto",
) -> Biases:
    """Biases of every anchor for many k, for both losses at once.

    >>> from numerics.worlds import Classes
    >>> anchor_biases(Classes(100), 0.1, [1, 1000]).gap.shape
    (1, 2)
    """
    number = check_tau(tau)
    for k in ks:
        if not 1 <= k <= MAX_K:
            raise InputError("k", k, f"must be between 1 and {MAX_K}")
    values = np.asarray(ks, dtype=np.float64)
    parts = [
        _batch(batch, number, values, backend, world.anchors)
        for batch in batches(world.laws(number))
    ]
    return Biases(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def check_tau(tau: Fraction | float) -> float:
    """Return tau as a float if the evaluators can work with it."""
    if not MIN_TAU <= tau <= MAX_TAU:
        rule = f"must be between {float(MIN_TAU)} and 1e50 for an exact risk"
        raise InputError("tau", tau, rule)
    return float(tau)


def batches(laws: Iterator[AnchorLaw]) -> Iterator[list[AnchorLaw]]:
    """Group laws, all on equally many atoms, so that arrays stay in cache."""
    for first in laws:
        more = max(0, CHUNK // (PER_OCTAVE * len(first.s)) - 1)
        yield [first, *itertools.islice(laws, more)]


def _batch(
    batch: list[AnchorLaw], tau: float, ks: FloatArray, backend: Backend, anchors: int
) -> tuple[Any, ...]:
    law = laplace.scale(
        np.stack([x.s for x in batch]),
        np.stack([x.p for x in batch]),
        np.stack([x.m for x in batch]),
        tau,
    )
    nanoseconds = 1e4 * anchors * (law.Y.shape[1] + ks.size)
    if backend == "compiled" or (backend == "auto" and nanoseconds > COMPILE_ABOVE):
        dcl, gap = _compiled(law, ks)
    else:
        tab = laplace.table(law, ks.min(), ks.max())
        dcl, gap = laplace.integrate(tab, law.top, ks)
    dcl[~np.any(law.centred * law.p, axis=1)] = 0  # all negatives alike
    return np.array([x.weight for x in batch]), law.limit, dcl, gap


def _compiled(law: laplace.Scaled, ks: FloatArray) -> tuple[laplace.Array, laplace.Array]:
    """Divide the anchors among threads; every anchor's numbers are the same for any division."""
    from numerics import _laplace_kernel

    low = laplace.below(law, ks.max())
    lowest = laplace.cutoff(law, ks.min()) / ks.min()
    dcl = np.empty((len(law.top), ks.size))
    gap = np.empty_like(dcl)

    def work(some: slice) -> None:
        _laplace_kernel.integrate(
            law.Y[some],
            law.centred[some],
            law.p[some],
            law.m[some],
            law.top[some],
            lowest[some],
            low[some],
            ks,
            dcl[some],
            gap[some],
        )

    step = -(-len(law.top) // (os.cpu_count() or 1))
    slices = [slice(i, i + step) for i in range(0, len(law.top), step)]
    with ThreadPoolExecutor(len(slices)) as pool:
        list(pool.map(work, slices))
    return dcl, gap
