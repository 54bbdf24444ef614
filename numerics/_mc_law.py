"""What a Monte Carlo run asks of a world: negatives' sums, positives, and exact moments."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: An exact binomial count costs about as much as this many draws from an alias table.
COUNT_COST = 40


class Positives(NamedTuple):
    """Anchor a has the values ``values[rows[a]:rows[a + 1]]`` of exp((s_+ - 1)/tau)."""

    rows: Ints
    values: Floats
    weights: Floats


class Law(Protocol):
    """One world at one temperature and one number of negatives."""

    @property
    def cost(self) -> float:
        """Cost of one tuple, in draws."""

    @property
    def anchor_weights(self) -> Floats:
        """Probabilities of the anchors; a single 1 if all see the same laws."""

    def anchors(self, first: int, count: int, seed: Any) -> Ints:
        """The anchors of tuples first, .., first + count - 1."""

    def sums(self, first: int, seed: Any, anchors: Ints) -> Floats:
        """Their sums over the k negatives of exp((s - 1)/tau)."""

    def gaps(self, first: int, seed: Any, anchors: Ints) -> Floats:
        """Their s_+ - 1, drawn from the positives' laws."""

    def positives(self, anchors: Ints) -> Positives:
        """The laws of the positives of some anchors, as atoms."""

    def moments(self, low: int, high: int) -> Floats:
        """Mean of exp((s - 1)/tau) and kappa_j/mean^j, j = 2, 3, for anchors low, .., high - 1."""
