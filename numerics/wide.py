"""Sixteen digits for worlds of many atoms: the rules of :mod:`numerics.laplace` in wide floats.

Ball arithmetic takes a minute for a few hundred anchors.  NumPy's long double, where it has 64 bits
or more, is a hundred times faster and three digits better than a double: enough to round fifteen
digits correctly, unless a number lies too close to where the rounding changes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np

from numerics import laplace
from numerics.exact import batches
from numerics.finite_worlds import BLOCK, Embeddings, FiniteWorld, embedding_rows
from numerics.laws import AnchorLaw, FloatArray, World

PER_OCTAVE = 4
"""The error of the rule is about e^{-57}."""

UNIT = Fraction(1, 10**18)
"""About ten times the rounding error of a long double."""

#: Anchors times atoms from which this pays.
LARGE = 400


def suits(world: World, digits: int) -> bool:
    """Tell whether a world is large enough, and long doubles wide enough for so many digits."""
    if np.finfo(np.longdouble).nmant < 63 or digits > 15:
        return False
    if isinstance(world, Embeddings) and world.negative is not None:
        return world.anchors * len(world.negative) >= LARGE
    return isinstance(world, FiniteWorld | Embeddings) and world.anchors**2 >= LARGE


def errors(tau: Fraction, dcl: Fraction, gap: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of the errors of the limit and of the biases, some ten times the largest ever seen.

    Similarities are rounded, so Y has relative errors of a rounding over tau.
    """
    return UNIT / 2 * (1 + 2 / tau), UNIT * (1 + 1 / (4 * tau)) * (abs(dcl) + gap)


def wide_parts(world: World, tau: Fraction, k: int) -> tuple[Fraction, Fraction, Fraction]:
    """CE, the bias of DCL and R - Rt; see :func:`errors` for what they are good to."""
    t = _wide([tau])[0]
    ks = np.array([k], dtype=np.longdouble)

    def work(batch: list[AnchorLaw]) -> Any:
        s, p, m = (np.stack([getattr(x, name) for x in batch]) for name in "spm")
        law = laplace.scale(s, p, m, t)
        tab = laplace.table(law, ks[0], ks[0], PER_OCTAVE)
        dcl, gap = laplace.integrate(tab, law.top, ks, PER_OCTAVE)
        weights = np.array([x.weight for x in batch])
        return [np.sum(weights * part) for part in (law.limit, dcl[:, 0], gap[:, 0])]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        sums = np.sum(list(pool.map(work, batches(_laws(world)))), axis=0)
    limit, dcl, gap = (_fraction(x) for x in sums)
    return limit, dcl, gap


def _wide(values: Sequence[Fraction] | FloatArray) -> Any:
    """Exact numbers as long doubles."""
    if isinstance(values, np.ndarray):
        return values.astype(np.longdouble)
    high = [float(x) for x in values]
    low = [float(Fraction(x) - Fraction(h)) for x, h in zip(values, high, strict=True)]
    return np.array(high, dtype=np.longdouble) + np.array(low, dtype=np.longdouble)


def _fraction(x: Any) -> Fraction:
    numerator, denominator = np.longdouble(x).as_integer_ratio()
    return Fraction(int(numerator), int(denominator))


def _laws(world: World) -> Iterator[AnchorLaw]:
    """The laws of :meth:`World.laws`, in long doubles."""
    if isinstance(world, FiniteWorld):
        phi, pi, positive = world.exact or (world.phi, world.pi, world.positive)
        rows, p = np.stack([_wide(row) for row in phi]), _wide(pi)
        p = p / p.sum()
        for start in range(0, len(p), BLOCK):
            for i, s in enumerate(rows[start : start + BLOCK] @ rows.T, start):
                if p[i] > 0:
                    yield AnchorLaw(p[i], s, p, _wide(positive[i]))
    if isinstance(world, Embeddings):
        anchor, positives = (a.astype(np.longdouble) for a in (world.anchor, world.positive))
        negative = None if world.negative is None else world.negative.astype(np.longdouble)
        weight: Any = np.longdouble(1) / world.anchors
        for s, p, m in embedding_rows(anchor, positives, negative):
            yield AnchorLaw(weight, s, p, m)
