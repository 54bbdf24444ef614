"""The bounds of the sharper Proposition 2, and of its version for unequal sizes, on worlds."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from numerics.weighted_average import sharp_bound, smooth_bias
from proofs.evidence import Case, Compared
from proofs.paper._search_risk import TAUS, ball, mean_log_average, search_minus_risk, shift
from proofs.paper._search_worlds import WORLDS, SearchWorld

__all__ = ["gap_cases", "gap_sides", "last_ball", "last_cases", "rising_cases", "search_bound"]

Ball = Any


def search_bound(world: SearchWorld, m: int) -> Fraction:
    """Return the mean over anchors of the bound of `lemma-3-sharp` for m points."""
    rows = (sharp_bound(world.pi, row, m) for row in world.kernel)
    return sum((p * row for p, row in zip(world.pi, rows, strict=True)), Fraction(0))


def last_ball(tau: Fraction, k: int) -> Ball:
    """Return the bound of `last-term` with D = log cosh(1/tau)."""
    e = ball(1 / tau).exp()
    largest = (1 + e**2 / k).log()
    finer = e / (k + 1) * (1 + k / e**2) * largest
    through_limit = ball(1 / tau).cosh().log() + (1 + e / k).log()
    return largest.min(finer).min(through_limit)


def gap_cases(*, divide: int = 1, sizes: Sequence[int] = (1, 2, 3, 5)) -> Iterator[Case]:
    """Yield CEhat_k - R between the bounds of `prop-2-sharp` in finite worlds, in balls."""
    for world in WORLDS:
        for tau in TAUS:
            for k in sizes:
                above = ball(search_bound(world, k) / tau) / divide
                below = above + last_ball(tau, k) / divide
                for agreed in (-1, 0, 1):
                    gap = search_minus_risk(world, tau, k, agreed)
                    label = f"{world.name}, tau = {tau}, k = {k}, agreed value {agreed}"
                    yield Case(f"{label}, from above", gap, "<=", above)
                    yield Case(f"{label}, from below", -gap, "<=", below)


def gap_sides(
    *, scale: float = 1.0, pairs: Sequence[tuple[int, int]] = ((1, 1), (10, 10), (1000, 1000))
) -> Iterator[Compared]:
    """Yield CEhat_m - R_k and minus it against their bounds on spheres, for pairs (m, k).

    The bounds are those of `unequal-sizes` with log cosh(1/tau) for Gamma; where m = k they are
    those of `prop-2-sharp`.
    """
    import numpy as np

    from numerics import exact
    from numerics.worlds import Sphere

    for d, conc in ((2, 1), (3, 5), (16, 20)):
        world = Sphere(d, Fraction(conc))
        for tau in TAUS:
            t = 1 / float(tau)
            law = next(iter(world.laws(float(tau))))
            for m, k in pairs:
                bias, sharp = smooth_bias(law.s, law.p, law.m, m)
                at_m = exact.evaluate(world, tau, m, "dcl").bias
                at_k = exact.evaluate(world, tau, k, "infonce").bias
                gap = -bias * t + at_m - at_k
                room = float(np.log(np.cosh(t)))
                above = sharp * t + (room if m > k else 0.0)
                below = sharp * t + (room if m < k else 0.0) + float(last_ball(tau, k))
                label = f"{world.spec()}, tau = {tau}, m = {m}, k = {k}"
                yield Compared(f"{label}, from above", gap, scale * above)
                yield Compared(f"{label}, from below", -gap, scale * below)


def last_cases(*, divide: int = 1, sizes: Sequence[int] = (1, 2, 3, 5)) -> Iterator[Case]:
    """Yield R - R_dcl against its bound in finite worlds, in balls."""
    for world in WORLDS:
        for tau in TAUS:
            for k in sizes:
                label = f"{world.name}, tau = {tau}, k = {k}"
                yield Case(label, shift(world, tau, k), "<=", last_ball(tau, k) / divide)


def rising_cases(*, turned: bool = False, largest: int = 6) -> Iterator[Case]:
    """Yield the DCL risk with k negatives against that with k + 1, in balls."""
    for world in WORLDS:
        for tau in TAUS:
            risks = [mean_log_average(world, tau, k) for k in range(1, largest + 1)]
            for k, (one, more) in enumerate(itertools.pairwise(risks), 1):
                left, right = (more, one) if turned else (one, more)
                yield Case(f"{world.name}, tau = {tau}, k = {k}", left, "<=", right)
