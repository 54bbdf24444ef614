"""The evaluations behind `Risks`: drawn anchors with all negatives, and some without each block.

They are made in parts that any executor may compute and a checkpoint keeps.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from numerics import exact
from numerics._jit import source_digest
from numerics.drawn_anchors import DrawnAnchors
from numerics.drivers import Checkpoint, Progress, fold
from proofs.diagnose.blocks import Blocks
from proofs.diagnose.risks import GRID, TABLE, Risks

__all__ = ["DRAWN", "risks"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Anchors evaluated when there are more.
DRAWN = 2000
#: Anchors of each block that are evaluated again without each other block.
AGAIN = 7
#: Anchors times (negatives and values of k) above which compiled code pays.
COMPILE_ABOVE = 2e5


def risks(
    blocks: Blocks,
    tau: Fraction,
    k: int,
    *,
    executor: Executor | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Risks:
    """Evaluate the bias on all anchors, or on 2,000 spread over the blocks, and without each block.

    The bias without a block is that without its anchors plus what its negatives add, the latter
    found on a few anchors of every other block: evaluating all of them again would take twenty
    times as long, and the anchors differ more than the effect of a block of negatives on them.

    Parameters
    ----------
    executor, checkpoint, progress
        See :func:`numerics.drivers.fold`.
    """
    ks = np.array(sorted({*GRID, *TABLE, k}), dtype=np.float64)
    work = _Evaluations(blocks, tau, ks)
    kept = None
    if checkpoint is not None:
        world = blocks.world
        rows = [world.anchor, world.positive, world.negative, blocks.cuts, blocks.negative_cuts]
        kept = Checkpoint(checkpoint, ["risks", source_digest(), rows, tau, ks])
    found = fold(
        _part,
        work,
        2 * work.count,
        _beside,
        executor=executor,
        threads=1,  # each part divides its anchors among threads
        checkpoint=kept,
        progress=progress,
    )
    biases, without = np.split(found, [len(work.drawn)], axis=1)
    left_out, start = [], 0
    for b in range(work.count):
        again = work.again(b)
        shift = np.mean(without[:, start : start + len(again)] - biases[:, again], axis=1)
        left_out.append(np.mean(biases[:, work.owner != b], axis=1) + shift)
        start += len(again)
    return Risks(
        ks,
        work.drawn,
        biases,
        np.array(left_out),
        np.array([float(len(part)) for part in work.parts]),
        lambda more: np.mean(work.values(work.drawn, more), axis=1),
    )


@dataclass(frozen=True, eq=False)
class _Evaluations:
    """What all parts need: the blocks, and where to evaluate."""

    blocks: Blocks
    tau: Fraction
    ks: Floats

    @property
    def count(self) -> int:
        """The number of blocks."""
        return len(self.blocks.sizes)

    @cached_property
    def parts(self) -> list[Integers]:
        """The anchors drawn from each block."""
        each = -(-DRAWN // self.count)
        return [self.blocks.block(b)[:each] for b in range(self.count)]

    @cached_property
    def drawn(self) -> Integers:
        """The anchors drawn from all blocks."""
        return np.concatenate(self.parts)

    @cached_property
    def owner(self) -> Integers:
        """The block of every drawn anchor."""
        return np.repeat(np.arange(self.count), [len(part) for part in self.parts])

    def again(self, b: int) -> Integers:
        """Places among the drawn anchors of those that are evaluated without block b."""
        places = [np.flatnonzero(self.owner == c)[:AGAIN] for c in range(self.count) if c != b]
        return np.concatenate(places)

    @cached_property
    def backend(self) -> exact.Backend:
        """Compiled code if there is enough to do."""
        evaluations = len(self.drawn) + AGAIN * self.count**2
        compiled = evaluations * (self.blocks.negatives + len(self.ks)) > COMPILE_ABOVE
        return "compiled" if compiled else "numpy"

    def values(self, which: Integers, ks: Floats, kept: Integers | None = None) -> Floats:
        """Biases (2, A, K) of some anchors, against all the negatives or some."""
        world = self.blocks.world
        chosen = DrawnAnchors(world.anchor, world.positive, world.negative, drawn=which, kept=kept)
        found = exact.anchor_biases(chosen, self.tau, list(ks), self.backend)
        return np.stack([found.of("infonce"), found.of("dcl")])


def _part(work: _Evaluations, part: int) -> Floats:
    """The biases of one block's drawn anchors; after these, of some anchors without one block."""
    if part < work.count:
        return work.values(work.parts[part], work.ks)
    b = part - work.count
    return work.values(work.drawn[work.again(b)], work.ks, work.blocks.other_negatives(b))


def _beside(done: Floats, more: Floats) -> Floats:
    return np.concatenate([done, more], axis=1)
