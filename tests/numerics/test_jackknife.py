"""The delete-block jackknife on statistics whose bias and variance are known."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from numerics.jackknife import LEVEL, Estimate, delete_blocks


def of_rows(x: np.ndarray, cuts: np.ndarray, statistic: Callable[[np.ndarray], float]) -> Estimate:
    parts = [np.delete(x, np.arange(a, b)) for a, b in pairwise(cuts)]
    return delete_blocks(statistic(x), np.array([statistic(p) for p in parts]), np.diff(cuts))


def test_single_rows_give_the_classical_standard_error_of_a_mean() -> None:
    x = np.random.default_rng(0).normal(size=50)
    found = of_rows(x, np.arange(51), np.mean)
    assert found.corrected == pytest.approx(x.mean(), abs=1e-14)
    assert found.stderr == pytest.approx(x.std(ddof=1) / np.sqrt(50), rel=1e-12)


@pytest.mark.parametrize("cuts", [[0, 10, 20, 30, 40], [0, 3, 17, 25, 40]])
def test_a_bias_of_order_1_over_n_vanishes_on_average(cuts: list[int]) -> None:
    """The square of a mean exceeds the squared expectation by variance/n."""
    rng = np.random.default_rng(1)
    draws = [of_rows(rng.normal(size=40), np.array(cuts), lambda x: x.mean() ** 2)
             for _ in range(4000)]  # fmt: skip
    plain = np.array([d.plain for d in draws])
    corrected = np.array([d.corrected for d in draws])
    assert plain.mean() == pytest.approx(1 / 40, rel=0.1)
    assert abs(corrected.mean()) < 5 * corrected.std() / np.sqrt(len(draws))


@pytest.mark.parametrize("cuts", [np.arange(0, 61, 3), np.array([0, 4, 7, 20, 30, 33, 47, 60])])
def test_intervals_cover(cuts: np.ndarray) -> None:
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(1000):
        found = of_rows(rng.exponential(size=60) + 1, cuts, lambda x: np.log(x.mean()))
        hits += bool(found.low <= np.log(2) <= found.high)
    assert hits >= 1000 * LEVEL - 5 * np.sqrt(1000 * LEVEL * (1 - LEVEL))


def test_large_common_parts_do_not_cancel() -> None:
    x = np.random.default_rng(3).normal(size=20)
    near = of_rows(x, np.arange(0, 21, 2), np.mean)
    far = of_rows(x + 2.0**40, np.arange(0, 21, 2), np.mean)
    assert far.stderr == pytest.approx(near.stderr, rel=1e-3)
