"""CEhat_k - R in worlds where it can be computed: finite ones in balls, spheres by quadrature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from numerics.weighted_average import counts, smooth_bias
from proofs.evidence import Case, Compared
from proofs.paper._search_worlds import WORLDS, SearchWorld

__all__ = ["gap_cases", "gap_sides", "mean_log_average", "search_minus_risk", "shift"]

Ball = Any
TAUS = (Fraction(1, 2), Fraction(2))


def ball(value: Fraction) -> Ball:
    """Return a rational as a ball."""
    return arb(fmpq(value.numerator, value.denominator))


def shift(world: SearchWorld, tau: Fraction, k: int) -> Ball:
    """Return R - R_dcl, the mean of log(1 + e^{s_+/tau}/sum_j e^{s_j/tau}) over the tuples."""
    total = arb(0)
    draws = list(counts(world.pi, k))
    atoms = range(len(world.pi))
    for z, p in enumerate(world.pi):
        size = [(ball(world.similarity(z, i) / tau)).exp() for i in atoms]
        for drawn, chance in draws:
            negatives = sum((t * e for t, e in zip(drawn, size, strict=True)), arb(0))
            for i, q in enumerate(world.kernel[z]):
                if q:
                    total += ball(p * chance * q) * (1 + size[i] / negatives).log()
    return total


def mean_log_average(world: SearchWorld, tau: Fraction, k: int) -> Ball:
    """Return E log mu-hat, which is R_dcl plus the mean of s_+/tau."""
    total = arb(0)
    draws = list(counts(world.pi, k))
    for z, p in enumerate(world.pi):
        size = [ball(world.similarity(z, i) / tau).exp() for i in range(len(world.pi))]
        for drawn, chance in draws:
            average = sum((t * e for t, e in zip(drawn, size, strict=True)), arb(0)) / k
            total += ball(p * chance) * average.log()
    return total


def search_minus_risk(world: SearchWorld, tau: Fraction, k: int, agreed: int) -> Ball:
    """Return CEhat_k - R as a ball; `agreed` stands for the average when all weights vanish."""
    return ball(world.search_gap(k, agreed) / tau) - shift(world, tau, k)


def gap_cases(
    *,
    scale: Fraction = Fraction(1),
    agreed: Sequence[int] = (-1, 0, 1),
    sizes: Sequence[int] = (1, 2, 3, 5),
) -> Iterator[Case]:
    """Yield |CEhat_k - R| against the bound of Proposition 2 in finite worlds."""
    for world in WORLDS:
        for tau in TAUS:
            for k in sizes:
                shift = (1 + ball(2 / tau).exp() / k).log()
                bound = ball(scale) * (ball(4 * world.chi2() / (tau * k)) + shift)
                for value in agreed:
                    label = f"{world.name}, tau = {tau}, k = {k}, agreed value {value}"
                    yield Case(label, abs(search_minus_risk(world, tau, k, value)), "<=", bound)


def gap_sides(*, scale: float = 1.0, sizes: Sequence[int] = (1, 10, 1000)) -> Iterator[Compared]:
    """Yield |CEhat_k - R| against the bound of Proposition 2 on spheres."""
    import numpy as np

    from numerics import exact
    from numerics.worlds import Sphere

    for d, conc in ((3, 5), (7, 5), (16, 20)):
        world = Sphere(d, Fraction(conc))
        for tau in TAUS:
            law = next(iter(world.laws(float(tau))))
            for k in sizes:
                bias, _ = smooth_bias(law.s, law.p, law.m, k)
                infonce, dcl = (exact.evaluate(world, tau, k, x) for x in ("infonce", "dcl"))
                left = abs(-bias / float(tau) - (infonce.risk - dcl.risk))
                bound = 4 * float(world.chi2()) / (float(tau) * k)
                bound += float(np.log1p(np.exp(2 / float(tau)) / k))
                yield Compared(f"{world.spec()}, tau = {tau}, k = {k}", left, scale * bound)
