"""Embeddings of which only some anchors are looked at, against some of the negatives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.finite_worlds import BLOCK, Embeddings
from numerics.gram import one_blas_thread
from numerics.laws import AnchorLaw
from numerics.parse import InputError

__all__ = ["DrawnAnchors"]


@dataclass(frozen=True, eq=False)
class DrawnAnchors(Embeddings):
    """Embeddings whose anchor is uniform on some of the rows only.

    The negatives are uniform on all rows but the anchor's own (on all of ``negative`` if given), or
    on those of them that ``kept`` names.

    Attributes
    ----------
    drawn : (A,) array of int
        Rows of ``anchor``.
    kept : (M,) array of int, optional
        Rows of the negatives, in any order.  Without ``negative`` they must hold all drawn rows.

    Examples
    --------
    >>> rows = np.eye(4)
    >>> world = DrawnAnchors(rows, rows, drawn=np.array([2, 0]))
    >>> [int(law.s.argmax()) for law in world.laws(1.0)]  # where the positive stands
    [2, 0]
    """

    drawn: NDArray[np.int64] | None = None
    kept: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.drawn is None or len(self.drawn) == 0:
            raise InputError("drawn", self.drawn, "must name at least one row")

    @property
    def _rows(self) -> NDArray[np.int64]:
        assert self.drawn is not None
        return self.drawn

    @property
    def anchors(self) -> int:
        """The number of drawn anchors."""
        return len(self._rows)

    def laws(self, tau: float) -> Iterator[AnchorLaw]:
        """One law for each drawn anchor, its positive as one atom more."""
        others = self.anchor if self.negative is None else self.negative
        places = np.arange(len(others))
        if self.kept is not None:
            others, places = others[self.kept], self.kept
        where = np.full(len(self.anchor), -1)
        if self.negative is None:
            where[places] = np.arange(len(places))
            if (where[self._rows] < 0).any():
                raise InputError("kept", len(places), "must hold every drawn anchor")
        for start in range(0, self.anchors, BLOCK):
            rows = self._rows[start : start + BLOCK]
            with one_blas_thread():
                gram = self.anchor[rows] @ others.T
            positives = np.einsum("ij,ij->i", self.anchor[rows], self.positive[rows])
            for row, s_positive, similarities in zip(rows, positives, gram, strict=True):
                separate = self.negative is not None
                s = np.append(similarities, 0.0) if separate else similarities.copy()
                place = len(others) if separate else where[row]
                s[place] = s_positive
                p = np.full(len(s), 1 / (len(s) - 1))
                p[place] = 0.0
                m = np.zeros(len(s))
                m[place] = 1.0
                yield AnchorLaw(1 / self.anchors, s, p, m)

    def _negatives(self, anchor: int) -> Any:
        others = self.anchor if self.negative is None else self.negative
        used = np.ones(len(others), dtype=bool)
        if self.kept is not None:
            used[:] = False
            used[self.kept] = True
        if self.negative is None:
            used[self._rows[anchor]] = False
        return others[used]

    def moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """A mean over the negatives."""
        if anchor is None:
            return self._over_anchors(lambda a: self.moment(j, tau, a))
        row = int(self._rows[anchor])
        alone = Embeddings(
            self.anchor[row : row + 1], self.positive[row : row + 1], self._negatives(anchor)
        )
        return alone.moment(j, tau, 0)

    def mean_positive(self, anchor: int | None = None) -> Any:
        """The similarity of the anchor with its own positive."""
        if anchor is None:
            return self._over_anchors(self.mean_positive)
        return super().mean_positive(int(self._rows[anchor]))
