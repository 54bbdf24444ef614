"""Finite worlds with rational similarities, on which CEhat_k - Rt is an exact number over tau.

Both cross-entropies contain the same log-mean-exp term, which cancels: tau (CEhat_k - Rt) is minus
the bias of lemma 3, averaged over anchors, and needs no logarithm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from numerics.weighted_average import Law, mean_weights, second_moment
from proofs.evidence import Case

__all__ = ["WORLDS", "SearchWorld", "bound_cases", "largest_ratio"]

Vector = tuple[Fraction, Fraction]


def _vector(x: int, y: int, length: int) -> Vector:
    return Fraction(x, length), Fraction(y, length)


#: Rational points of the circle.
EAST, NORTH, WEST = _vector(1, 0, 1), _vector(0, 1, 1), _vector(-1, 0, 1)
UP, DOWN = _vector(3, 4, 5), _vector(-5, -12, 13)


@dataclass(frozen=True)
class SearchWorld:
    """Atoms on the unit circle, the law of anchors and negatives, the kernel of positives."""

    name: str
    points: tuple[Vector, ...]
    pi: Law
    kernel: tuple[Law, ...]

    def similarity(self, z: int, other: int) -> Fraction:
        """Return the inner product of two atoms."""
        (a, b), (c, d) = self.points[z], self.points[other]
        return a * c + b * d

    def chi2(self) -> Fraction:
        """Return E[w(Z, Z')^2] for independent Z, Z' ~ pi."""
        rows = (second_moment(self.pi, row) for row in self.kernel)
        return sum((p * row for p, row in zip(self.pi, rows, strict=True)), Fraction(0))

    def search_gap(self, k: int, agreed: int) -> Fraction:
        """Return tau (CEhat_k - Rt), where `agreed` stands for the average when all weights vanish.

        Examples
        --------
        >>> WORLDS[0].search_gap(1, 0)
        Fraction(1, 2)
        """
        gap = Fraction(0)
        for z, (p, row) in enumerate(zip(self.pi, self.kernel, strict=True)):
            shares, vanishing = mean_weights(self.pi, row, k)
            biased = agreed * vanishing
            for i, (share, chance) in enumerate(zip(shares, row, strict=True)):
                biased += self.similarity(z, i) * (share - chance)
            gap -= p * biased
        return gap


def _law(*weights: int) -> Law:
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


WORLDS = (
    SearchWorld(
        "two classes, positives in their own",
        (EAST, NORTH),
        _law(1, 1),
        (_law(1, 0), _law(0, 1)),
    ),
    SearchWorld(
        "antipodal pair, noisy positives", (EAST, WEST), _law(3, 1), (_law(5, 1), _law(1, 2))
    ),
    SearchWorld(
        "three points, not invariant",
        (EAST, UP, DOWN),
        _law(1, 2, 3),
        (_law(0, 1, 0), _law(7, 1, 1), _law(1, 0, 1)),
    ),
    SearchWorld(
        "a rare positive",
        (EAST, WEST, NORTH),
        _law(1, 30, 30),
        (_law(1, 1, 1), _law(1, 1, 1), _law(1, 1, 1)),
    ),
)


def largest_ratio(tau: Fraction | None = None, k: int | None = None) -> float | None:
    """Return the largest left/right of [12] on `WORLDS`, at k or over a few k; tau cancels.

    Examples
    --------
    >>> largest_ratio(None, 1)
    0.125
    """
    if k is not None and k > 12:
        return None
    counts = range(1, 6) if k is None else (k,)
    return max(
        float(abs(world.search_gap(count, agreed)) * count / (4 * world.chi2()))
        for world in WORLDS
        for count in counts
        for agreed in (-1, 1)
    )


def bound_cases(
    *, constant: Fraction = Fraction(4), agreed: tuple[int, ...] = (-1, 0, 1), largest: int = 7
) -> Iterator[Case]:
    """Yield tau times the gap of CEhat_k and Rt against ``constant E[w^2]/k`` in all worlds."""
    for world in WORLDS:
        for k in range(1, largest + 1):
            for value in agreed:
                label = f"{world.name}, k = {k}, {value} where all weights vanish"
                left = abs(world.search_gap(k, value))
                yield Case(label, left, "<=", constant * world.chi2() / k)
