"""Worlds made of finitely many vectors: a finite law, and embeddings read from a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from numerics.laws import AnchorLaw, FloatArray, World, real
from numerics.parse import InputError

Row = tuple[Fraction, ...]

#: Rows of the Gram matrix computed together.
BLOCK = 256


@dataclass(frozen=True, eq=False)
class FiniteWorld(World):
    """N atoms: vectors phi (N x d), law pi (N) and Markov kernel positive (N x N).

    Anchor and negatives have law pi; the positive of anchor i has law ``positive[i]``.  The exact
    numbers, when the world was built from them, are kept beside their nearest floats.

    >>> world = FiniteWorld.from_exact([[1, 0], [0, 1]], [Fraction(1, 2)] * 2, [[1, 0], [0, 1]])
    >>> world.exact_gram()[0]
    (Fraction(1, 1), Fraction(0, 1))
    """

    phi: FloatArray
    pi: FloatArray
    positive: FloatArray
    source: str = ""
    exact: tuple[tuple[Row, ...], Row, tuple[Row, ...]] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        size = len(self.phi)
        shapes = {"phi": self.phi.ndim == 2, "pi": self.pi.shape == (size,)}
        shapes["positive"] = self.positive.shape == (size, size)
        for name, ok in shapes.items():
            if not ok or size == 0:
                raise InputError(name, f"shape {getattr(self, name).shape}", "must fit phi N x d")
        for name, rows in (("pi", self.pi[None]), ("positive", self.positive)):
            for i in np.flatnonzero(~(rows >= 0).all(axis=1))[:1]:
                raise InputError(f"{name} row {i}", rows[i].min(), "must not be negative or NaN")
            sums = rows.sum(axis=1)
            for i in np.flatnonzero(~(np.abs(sums - 1) <= 1e-9))[:1]:
                raise InputError(f"{name} row {i}", f"sum {sums[i]}", "must sum to 1")
        norms = np.linalg.norm(self.phi, axis=1)
        for i in np.flatnonzero(~(np.abs(norms - 1) <= 1e-6))[:1]:
            raise InputError(f"phi row {i}", f"norm {norms[i]}", "must be 1 within 1e-06")

    @classmethod
    def from_exact(
        cls,
        phi: Sequence[Sequence[int | Fraction]],
        pi: Sequence[int | Fraction],
        positive: Sequence[Sequence[int | Fraction]],
        source: str = "",
    ) -> FiniteWorld:
        """Build from rationals; pi and every row of positive must sum to 1."""

        def row(values: Sequence[int | Fraction]) -> Row:
            return tuple(map(Fraction, values))

        exact = (tuple(map(row, phi)), row(pi), tuple(map(row, positive)))
        phi_, pi_, positive_ = (np.array(part, dtype=np.float64) for part in exact)
        return cls(phi_, pi_, positive_, source, exact)

    def exact_parts(self) -> tuple[tuple[Row, ...], Row, tuple[Row, ...]]:
        """phi, pi and positive in rationals; floats are taken at their exact values.

        Rows of floats that sum to 1 only up to rounding are divided by their exact sums.
        """
        if self.exact is not None:
            return self.exact

        def rows(array: FloatArray) -> tuple[Row, ...]:
            return tuple(tuple(map(Fraction, map(float, row))) for row in array)

        def law(row: Row) -> Row:
            total = sum(row, Fraction(0))
            return row if total == 1 else tuple(x / total for x in row)

        return rows(self.phi), law(rows(self.pi[None])[0]), tuple(map(law, rows(self.positive)))

    def exact_gram(self) -> tuple[Row, ...]:
        """All similarities <phi_i, phi_j> in rationals (N^2 d operations on rationals)."""
        phi = self.exact_parts()[0]
        return tuple(
            tuple(sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0)) for y in phi)
            for x in phi
        )

    def spec(self) -> str:
        """The file this world came from, or its size."""
        return self.source or f"finite world of {len(self.phi)} atoms"

    @property
    def anchors(self) -> int:
        """The number of atoms, N."""
        return len(self.phi)

    def weight(self, anchor: int) -> Any:
        """The anchor's probability under pi."""
        if self.exact is not None:
            return real(self.exact[1][anchor])
        return mpmath.mpf(float(self.pi[anchor])) / mpmath.fsum(self.pi.tolist())

    def laws(self, tau: float) -> Iterator[AnchorLaw]:
        """One law for every anchor with pi > 0, all on the same N atoms."""
        pi = self.pi / self.pi.sum()
        for start in range(0, len(pi), BLOCK):
            gram = self.phi[start : start + BLOCK] @ self.phi.T
            for i, s in enumerate(gram, start):
                if pi[i] > 0:
                    m = self.positive[i] / self.positive[i].sum()
                    yield AnchorLaw(float(pi[i]), s, pi, m)

    def _similarities(self, anchor: int) -> list[Any]:
        if self.exact is None:
            rows: Any = self.phi.tolist()
        else:
            rows = [[real(x) for x in row] for row in self.exact[0]]
        return [mpmath.fdot(rows[anchor], row) for row in rows]

    def _negatives(self) -> list[Any]:
        return _mp_law(self.pi, self.exact and self.exact[1])

    def _positives(self, anchor: int) -> list[Any]:
        return _mp_law(self.positive[anchor], self.exact and self.exact[2][anchor])

    def _over_anchors(self, per_anchor: Any) -> Any:
        pi = self._negatives()
        return mpmath.fsum(w * per_anchor(a) for a, w in enumerate(pi) if w)

    def moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """A sum over the atoms."""
        if anchor is None:
            return self._over_anchors(lambda a: self.moment(j, tau, a))
        t = j / real(tau)
        return mpmath.fdot(
            self._negatives(), [mpmath.exp(t * s) for s in self._similarities(anchor)]
        )

    def positive_moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """A sum over the atoms."""
        if anchor is None:
            return self._over_anchors(lambda a: self.positive_moment(j, tau, a))
        t = j / real(tau)
        values = [mpmath.exp(t * s) for s in self._similarities(anchor)]
        return mpmath.fdot(self._positives(anchor), values)

    def mean_positive(self, anchor: int | None = None) -> Any:
        """A sum over the atoms."""
        if anchor is None:
            return self._over_anchors(self.mean_positive)
        return mpmath.fdot(self._positives(anchor), self._similarities(anchor))

    def chi2(self) -> Any:
        """Sum of pi_i positive_ij^2 / pi_j; infinite if positive_ij > 0 = pi_j where pi_i > 0."""
        pi = self._negatives()
        total = mpmath.mpf(0)
        for i, w in enumerate(pi):
            if not w:
                continue
            for m, q in zip(self._positives(i), pi, strict=True):
                if m and not q:
                    return mpmath.inf
                if m:
                    total += w * m * m / q
        return total


def _mp_law(floats: FloatArray, exact: Row | None) -> list[Any]:
    """A row of probabilities in mpf, summing to 1."""
    if exact is not None:
        return [real(x) for x in exact]
    row = [mpmath.mpf(float(x)) for x in floats]
    total = mpmath.fsum(row)
    return [x / total for x in row]


def embedding_rows(anchor: Any, positive: Any, negative: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Atoms (s, p, m) of every anchor of embeddings, in the type of the arrays."""
    others = anchor if negative is None else negative
    positives = np.sum(anchor * positive, axis=1)
    for start in range(0, len(anchor), BLOCK):
        for i, row in enumerate(anchor[start : start + BLOCK] @ others.T, start):
            place = i if negative is None else len(others)
            s = row.copy() if negative is None else np.append(row, row[:1])
            s[place] = positives[i]
            p = np.ones_like(s) / (len(s) - 1)
            m = np.zeros_like(s)
            p[place], m[place] = 0, 1
            yield s, p, m


@dataclass(frozen=True, eq=False)
class Embeddings(World):
    """n anchors with their positives (rows of equal index), and optional negatives.

    The anchor is uniform on the rows.  Its positive is its own row of ``positive``; its negatives
    are uniform on the other anchors, or on all rows of ``negative`` when given.
    """

    anchor: FloatArray
    positive: FloatArray
    negative: FloatArray | None = None
    source: str = ""

    def __post_init__(self) -> None:
        if self.anchor.ndim != 2 or self.positive.shape != self.anchor.shape:
            raise InputError("positive", f"shape {self.positive.shape}", "must equal anchor's")
        if self.negative is None and len(self.anchor) < 2:
            raise InputError("anchor", f"{len(self.anchor)} row", "must have at least 2 rows")

    def spec(self) -> str:
        """The file this world came from, or its size."""
        return self.source or f"embeddings of {self.anchors} anchors"

    @property
    def anchors(self) -> int:
        """The number of rows of ``anchor``."""
        return len(self.anchor)

    def weight(self, anchor: int) -> Any:
        """1/n."""
        return mpmath.mpf(1) / self.anchors

    def laws(self, tau: float) -> Iterator[AnchorLaw]:
        """One law an anchor: its negatives, and its positive as one atom more.

        Without ``negative`` the positive takes the place of the anchor itself.
        """
        for s, p, m in embedding_rows(self.anchor, self.positive, self.negative):
            yield AnchorLaw(1 / self.anchors, s, p, m)

    def _over_anchors(self, per_anchor: Any) -> Any:
        return mpmath.fsum(map(per_anchor, range(self.anchors))) / self.anchors

    def moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """A mean over the negatives."""
        if anchor is None:
            return self._over_anchors(lambda a: self.moment(j, tau, a))
        t, own = j / real(tau), self.anchor[anchor].tolist()
        others = self.negative
        if others is None:
            others = np.delete(self.anchor, anchor, axis=0)
        terms = (mpmath.exp(t * mpmath.fdot(own, row)) for row in others.tolist())
        return mpmath.fsum(terms) / len(others)

    def positive_moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """``exp(j s_+/tau)``, as the positive of an anchor is one point."""
        if anchor is None:
            return self._over_anchors(lambda a: self.positive_moment(j, tau, a))
        return mpmath.exp(j / real(tau) * self.mean_positive(anchor))

    def mean_positive(self, anchor: int | None = None) -> Any:
        """The similarity of the anchor with its own positive."""
        if anchor is None:
            return self._over_anchors(self.mean_positive)
        return mpmath.fdot(self.anchor[anchor].tolist(), self.positive[anchor].tolist())

    def chi2(self) -> Any:
        """Infinite: the positive is a point that no negative reaches."""
        return mpmath.inf
