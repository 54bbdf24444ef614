"""Some anchors against some negatives are the embeddings that one would write out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from numerics import exact
from numerics.drawn_anchors import DrawnAnchors
from numerics.parse import InputError
from numerics.worlds import Embeddings

TAU = Fraction(1, 4)
KS = [1, 10, 1000]


def points(n: int, seed: int) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(n, 3))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


ANCHOR, POSITIVE, NEGATIVE = points(12, 0), points(12, 1), points(7, 2)


@pytest.mark.parametrize("negative", [None, NEGATIVE])
def test_all_drawn_is_the_whole(negative: np.ndarray | None) -> None:
    whole = Embeddings(ANCHOR, POSITIVE, negative)
    order = np.random.default_rng(3).permutation(12)
    drawn = DrawnAnchors(ANCHOR, POSITIVE, negative, drawn=order)
    one, other = exact.anchor_biases(whole, TAU, KS), exact.anchor_biases(drawn, TAU, KS)
    np.testing.assert_allclose(other.dcl, one.dcl[order], rtol=1e-12)
    np.testing.assert_allclose(other.gap, one.gap[order], rtol=1e-12)
    np.testing.assert_allclose(other.limits, one.limits[order], rtol=1e-12)


@pytest.mark.parametrize("negative", [None, NEGATIVE])
def test_some_anchors_against_some_negatives(negative: np.ndarray | None) -> None:
    drawn = np.array([4, 9])
    kept = np.array([6, 1, 3]) if negative is not None else np.array([9, 2, 4, 11])
    world = DrawnAnchors(ANCHOR, POSITIVE, negative, drawn=drawn, kept=kept)
    found = exact.anchor_biases(world, TAU, KS)
    for i, row in enumerate(drawn):
        rows = negative if negative is not None else ANCHOR
        others = rows[[j for j in kept if negative is not None or j != row]]
        alone = Embeddings(ANCHOR[row : row + 1], POSITIVE[row : row + 1], others)
        wanted = exact.anchor_biases(alone, TAU, KS)
        np.testing.assert_allclose(found.dcl[i], wanted.dcl[0], rtol=1e-12)
        np.testing.assert_allclose(found.gap[i], wanted.gap[0], rtol=1e-12)
        for j in (1, 2):
            assert float(world.moment(j, TAU, i)) == pytest.approx(
                float(alone.moment(j, TAU, 0)), rel=1e-14
            )
        assert float(world.positive_moment(1, TAU, i)) == pytest.approx(
            float(alone.positive_moment(1, TAU, 0)), rel=1e-14
        )
    assert float(world.limit(TAU)) == pytest.approx(float(np.mean(found.limits)), rel=1e-12)


def test_a_drawn_anchor_must_be_kept() -> None:
    world = DrawnAnchors(ANCHOR, POSITIVE, drawn=np.array([4]), kept=np.array([1, 2, 3]))
    with pytest.raises(InputError, match="kept"):
        list(world.laws(0.25))
    with pytest.raises(InputError, match="drawn"):
        DrawnAnchors(ANCHOR, POSITIVE)
