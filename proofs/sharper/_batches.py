"""In-batch negatives on finite worlds: each tuple's negatives are the other positives of its batch.

A batch is B = k + 1 independent pairs (anchor, positive). Its loss is the mean of B dependent
losses, each with the law of a tuple whose negatives are drawn from the law of the positives.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from proofs.evidence import Case, Compared
from proofs.paper._search_worlds import WORLDS, SearchWorld

__all__ = ["law_cases", "variance_ratio", "variances"]


def positives(world: SearchWorld) -> tuple[Fraction, ...]:
    """Return pi M, the law of a positive.

    Examples
    --------
    >>> positives(WORLDS[0])
    (Fraction(1, 2), Fraction(1, 2))
    """
    atoms = range(len(world.pi))
    return tuple(
        sum((p * row[i] for p, row in zip(world.pi, world.kernel, strict=True)), Fraction(0))
        for i in atoms
    )


def law_cases(*, from_pi: bool = False, pairs: int = 3) -> Iterator[Case]:
    """Yield the probability of each in-batch tuple against that of an independent tuple.

    The independent tuple's negatives come from pi M (from pi itself if `from_pi`).
    """
    for world in WORLDS[1:3]:
        atoms = range(len(world.pi))
        negative = world.pi if from_pi else positives(world)
        found: dict[tuple[int, ...], Fraction] = {}
        for batch in product(product(atoms, repeat=2), repeat=pairs):
            chance = Fraction(1)
            for a, b in batch:
                chance *= world.pi[a] * world.kernel[a][b]
            key = (*batch[0], *(b for _, b in batch[1:]))
            found[key] = found.get(key, Fraction(0)) + chance
        for (a, b, *others), chance in sorted(found.items()):
            right = world.pi[a] * world.kernel[a][b]
            for other in others:
                right *= negative[other]
            yield Case(f"{world.name}: anchor {a}, positive {b}, {others}", chance, "==", right)


def variance_ratio(world: SearchWorld, tau: float, pairs: int) -> float:
    """Return the variance of a batch's loss over that of the mean of as many independent losses."""
    atoms = range(len(world.pi))
    s = np.array([[float(world.similarity(i, j)) for j in atoms] for i in atoms]) / tau
    joint = np.array(
        [[float(p * x) for x in row] for p, row in zip(world.pi, world.kernel, strict=True)]
    )
    batches = np.array(list(product(product(atoms, repeat=2), repeat=pairs)))
    anchors, chosen = batches[:, :, 0], batches[:, :, 1]
    chance = joint[anchors, chosen].prod(axis=1)
    logits = s[anchors[:, :, None], chosen[:, None, :]]
    own = np.einsum("nii->ni", logits)
    losses = np.logaddexp.reduce(logits, axis=2) - own - np.log(pairs - 1)
    mean = float(chance @ losses[:, 0])
    single = float(chance @ (losses[:, 0] - mean) ** 2)
    batch = float(chance @ (losses.mean(axis=1) - mean) ** 2)
    return batch / (single / pairs)


def variances(
    *, bound: float = 3.0, temperatures: tuple[float, ...] = (0.1, 0.5, 2.0)
) -> Iterator[Compared]:
    """Yield the variance ratio against a constant."""
    for world in WORLDS:
        for pairs in (2, 3, 4):
            if len(world.pi) ** (2 * pairs) > 10_000:
                continue
            for tau in temperatures:
                label = f"{world.name}, tau = {tau:g}, batch of {pairs}"
                yield Compared(label, variance_ratio(world, tau, pairs), bound)
