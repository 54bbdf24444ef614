"""Worlds whose positives have a law far from that of negatives: copies, collapsed kernels."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from numerics.weighted_average import Law, second_moment, worst_bias
from proofs.evidence import Case, Compared
from proofs.paper._search_worlds import WORLDS, SearchWorld

__all__ = ["law_cases", "ratio_cases", "risk_sides", "with_copies"]

Law3 = dict[tuple[Fraction, tuple[Fraction, ...]], Fraction]


def with_copies(world: SearchWorld, copies: int, *, spread: bool = False) -> SearchWorld:
    """Return the world with every atom split into equal copies, all positives in the first.

    With `spread` the positives are spread over the copies, and the kernel stays as invariant as it
    was.
    """
    share = Fraction(1, copies)
    first = [share] * copies if spread else [Fraction(1)] + [Fraction(0)] * (copies - 1)
    return SearchWorld(
        f"{world.name}, {copies} copies",
        tuple(point for point in world.points for _ in range(copies)),
        tuple(p * share for p in world.pi for _ in range(copies)),
        tuple(
            tuple(q * part for q in row for part in first)
            for row in world.kernel
            for _ in range(copies)
        ),
    )


def imbalance(world: SearchWorld) -> Fraction:
    """Return the total variation between the law of the positives and pi."""
    atoms = range(len(world.pi))
    law = [sum((world.pi[z] * world.kernel[z][i] for z in atoms), Fraction(0)) for i in atoms]
    pairs = zip(law, world.pi, strict=True)
    return sum((abs(a - b) for a, b in pairs), Fraction(0)) / 2


def tuple_law(world: SearchWorld, k: int) -> Law3:
    """Return the law of (s_+, the k sorted negatives' similarities), which the loss depends on."""
    law: Law3 = {}
    atoms = range(len(world.pi))
    for z, i in product(atoms, repeat=2):
        for drawn in product(atoms, repeat=k):
            chance = world.pi[z] * world.kernel[z][i]
            for j in drawn:
                chance *= world.pi[j]
            seen = world.similarity(z, i), tuple(sorted(world.similarity(z, j) for j in drawn))
            law[seen] = law.get(seen, Fraction(0)) + chance
    return law


def law_cases(*, copies: int = 3, k: int = 2, distort: bool = False) -> Iterator[Case]:
    """Yield, outcome by outcome, the law of a tuple's similarities without and with copies.

    `distort` sends the positives of the copies' world to the first atom instead.
    """
    for world in WORLDS[:2]:
        split = with_copies(world, copies)
        if distort:
            target = split.kernel[0]
            split = SearchWorld(split.name, split.points, split.pi, (target,) * len(split.pi))
        before, after = tuple_law(world, k), tuple_law(split, k)
        for seen in {**before, **after}:
            if before.get(seen) or after.get(seen):
                label = f"{split.name}: {', '.join(map(str, (seen[0], *seen[1])))}"
                yield Case(label, before.get(seen, 0), "==", after.get(seen, Fraction(0)))
    invariant = WORLDS[0]
    for c in range(1, 6):
        yield Case(
            f"total variation with {c} copies",
            imbalance(with_copies(invariant, c)),
            "==",
            1 - Fraction(1, c),
        )


def ratio_cases(*, share: Fraction = Fraction(1)) -> Iterator[Case]:
    """Yield the worst bias over its bound for m points, against c m points and c copies."""
    for pi, nu in (((1, 1), (3, 1)), ((9, 1), (1, 1)), ((3, 2, 1), (1, 1, 1))):
        base, law = (tuple(Fraction(x, sum(row)) for x in row) for row in (pi, nu))
        for m in (1, 2, 4):
            alone = share * m * worst_bias(base, law, m) / second_moment(base, law)
            for copies in (2, 4):
                split, target = _merged(base, law, copies)
                points = copies * m
                ratio = points * worst_bias(split, target, points) / second_moment(split, target)
                yield Case(f"pi = {base}, {copies} copies, m = {m}", alone, "<=", ratio)


def _merged(pi: Law, nu: Law, copies: int) -> tuple[Law, Law]:
    """Return pi and nu with copies; the copies that carry no positive are one atom."""
    rest = 1 - Fraction(1, copies)
    return (*(p / copies for p in pi), rest), (*nu, Fraction(0))


def risk_sides(*, broken: bool, scale: float = 1.0) -> Iterator[Compared]:
    """Yield the risk against its limit and the bounds of Proposition 1 and Lemma 4.

    Atoms are a regular simplex with its own point, or the first atom (`broken`), as the positive.
    """
    import numpy as np

    from numerics import exact
    from numerics.worlds import FiniteWorld

    for size in (2, 5, 20):
        centred = np.eye(size) - 1 / size
        phi = centred / np.linalg.norm(centred, axis=1, keepdims=True)
        positive = np.eye(size)[np.zeros(size, dtype=int)] if broken else np.eye(size)
        world = FiniteWorld(phi, np.full(size, 1 / size), positive)
        for tau in (Fraction(1, 2), Fraction(1), Fraction(5)):
            t = 1 / float(tau)
            for k in (1, 10, 1000):
                infonce, dcl = (exact.evaluate(world, tau, k, x).bias for x in ("infonce", "dcl"))
                label = f"{size} points, tau = {tau}, k = {k}"
                below = float(np.log1p(np.exp(2 * t) / k))
                above = float(np.expm1(2 * t) ** 2 / (8 * k))
                yield Compared(f"Proposition 1 below, {label}", infonce, scale * below)
                yield Compared(f"Proposition 1 above, {label}", -infonce, scale * above)
                yield Compared(f"Lemma 4, {label}", -dcl, scale * 2 * t)
