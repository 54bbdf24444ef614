"""The rows of a file in a random order, cut into blocks of anchors with their negatives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from numerics.worlds import Embeddings

__all__ = ["BLOCKS", "Blocks"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Blocks of the jackknife.
BLOCKS = 20


@dataclass(frozen=True, eq=False)
class Blocks:
    """Embeddings with their rows shuffled, and where to cut them.

    Without separate negatives the anchors are each other's negatives, and a block of anchors is a
    block of negatives.

    Attributes
    ----------
    world : Embeddings
        The shuffled rows.
    order : (N,) array of int
        Row of the file that each shuffled anchor comes from.
    cuts, negative_cuts : (B + 1,) array of int
        Where the blocks of anchors and of negatives end.
    """

    world: Embeddings
    order: Integers
    cuts: Integers
    negative_cuts: Integers

    @classmethod
    def shuffle(cls, world: Embeddings, seed: int) -> Blocks:
        """Shuffle by a seed; at most 20 blocks, fewer only for fewer than 20 rows.

        Examples
        --------
        >>> blocks = Blocks.shuffle(Embeddings(np.eye(41), np.eye(41)), seed=0)
        >>> len(blocks.sizes), int(blocks.sizes.sum()), bool((blocks.sizes >= 2).all())
        (20, 41, True)
        """
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(world.anchor))
        negative = world.negative
        if negative is not None:
            negative = negative[rng.permutation(len(negative))]
        shuffled = Embeddings(world.anchor[order], world.positive[order], negative, world.source)
        count = len(order) if negative is None else len(negative)
        blocks = min(BLOCKS, len(order), count)
        steps = np.arange(blocks + 1)
        return cls(shuffled, order, steps * len(order) // blocks, steps * count // blocks)

    @property
    def separate(self) -> bool:
        """Tell whether the negatives are rows of their own."""
        return self.world.negative is not None

    @property
    def negatives(self) -> int:
        """Rows that serve as negatives."""
        return int(self.negative_cuts[-1])

    @cached_property
    def positive(self) -> Floats:
        """Similarity of every anchor with its positive, (N,)."""
        return np.asarray(np.einsum("ij,ij->i", self.world.anchor, self.world.positive))

    @property
    def sizes(self) -> Floats:
        """Anchors in each block."""
        return np.diff(self.cuts).astype(np.float64)

    @property
    def negative_sizes(self) -> Integers:
        """Negatives in each block."""
        return np.diff(self.negative_cuts)

    @property
    def half_cut(self) -> int:
        """Negatives in the first half of the blocks."""
        return int(self.negative_cuts[len(self.sizes) // 2])

    @property
    def halves(self) -> tuple[tuple[slice, slice], tuple[int, int]]:
        """The anchors of the two halves of the blocks, and how many negatives each has."""
        middle = int(self.cuts[len(self.sizes) // 2])
        first = self.half_cut
        return (slice(0, middle), slice(middle, None)), (first, self.negatives - first)

    def block(self, b: int) -> Integers:
        """Rows of the anchors of a block."""
        return np.arange(self.cuts[b], self.cuts[b + 1])

    def others(self, b: int) -> Integers:
        """Rows of the anchors of all other blocks."""
        return np.delete(np.arange(self.cuts[-1]), self.block(b))

    def other_negatives(self, b: int) -> Integers:
        """Rows of the negatives of all other blocks."""
        gone = np.arange(self.negative_cuts[b], self.negative_cuts[b + 1])
        return np.delete(np.arange(self.negatives), gone)
