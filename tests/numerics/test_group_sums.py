"""Sums over groups of negatives: right at every temperature, and the same bits in every way."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from numerics import gram
from numerics.group_sums import BLOCK, Groups, group_sums
from numerics.parse import InputError

SEVERAL = [
    Groups(Fraction(3, 350), (0, 30, 40, 310)),
    Groups(Fraction(1, 10), (0, 310)),
    Groups(Fraction(1), (0, 100, 310)),
    Groups(Fraction(1000), (0, 155, 310)),
]


def points(n: int, d: int = 5, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(n, d))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def direct(anchor: np.ndarray, each: Groups, negative: np.ndarray | None = None) -> np.ndarray:
    s = anchor @ (anchor if negative is None else negative).T
    t = float(1 / each.tau)
    y = np.exp((s - 1) * t) if each.tau < 1 else np.expm1(s * t)
    terms = np.stack([y, y**2, y**3, s * y, s], axis=2)
    if negative is None:
        terms[np.arange(len(s)), np.arange(len(s))] = 0
    parts = [terms[:, low:high].sum(axis=1) for low, high in pairwise(each.cuts)]
    return np.stack(parts, axis=1)


@pytest.mark.parametrize("separate", [False, True])
def test_against_the_whole_matrix(separate: bool) -> None:
    anchor = points(310)
    negative = points(310, seed=1) if separate else None
    for each, sums in zip(SEVERAL, group_sums(anchor, SEVERAL, negative), strict=True):
        wanted = direct(anchor, each, negative)
        scale = np.abs(wanted).max(axis=(0, 1))
        assert np.all(np.abs(sums - wanted) <= 1e-13 * scale)


def test_each_power_is_accurate_where_it_is_tiny() -> None:
    """At the smallest tau the sums of an anchor span hundreds of orders of magnitude."""
    anchor = points(60)
    each = Groups(Fraction(3, 350), (0, 60))
    sums, wanted = group_sums(anchor, [each])[0], direct(anchor, each)
    assert np.all(sums[..., :3] > 0)
    np.testing.assert_allclose(sums[..., :3], wanted[..., :3], rtol=1e-11)


@pytest.mark.parametrize("separate", [False, True])
def test_groups_add_up_to_the_moments_of_the_other_pass(separate: bool) -> None:
    anchor = points(300)
    negative = points(80, seed=1) if separate else None
    each = Groups(Fraction(1, 5), (0, 50, 80 if separate else 300))
    (sums,) = group_sums(anchor, [each], negative)
    moments = gram.moments(anchor, each.tau, negative)
    logs = np.log(sums.sum(axis=1)[:, :3] / moments.negatives) + 5.0 * np.arange(1, 4)
    wanted = np.stack([moments.log_mu, moments.log_second, moments.log_third], axis=1)
    np.testing.assert_allclose(logs, wanted, rtol=0, atol=1e-12)


def test_same_bits_for_threads_and_processes() -> None:
    anchor = points(3 * BLOCK - 17)
    groups = [Groups(Fraction(1, 10), (0, 200, 3 * BLOCK - 17))]
    (one,) = group_sums(anchor, groups, threads=1)
    (two,) = group_sums(anchor, groups, threads=2)
    np.testing.assert_array_equal(one, two)
    with ProcessPoolExecutor(2) as pool:
        (apart,) = group_sums(anchor, groups, executor=pool)
    np.testing.assert_array_equal(one, apart)


def test_other_temperatures_leave_no_trace() -> None:
    anchor = points(310)
    alone = [group_sums(anchor, [each])[0] for each in SEVERAL]
    for one, other in zip(alone, group_sums(anchor, SEVERAL), strict=True):
        assert np.all(np.abs(one - other) <= 1e-13 * np.abs(one).max(axis=(0, 1)))


def test_an_interrupted_pass_resumes_to_the_same_bits(tmp_path: Path) -> None:
    anchor = points(4 * BLOCK - 100)
    groups = [Groups(Fraction(1, 10), (0, 300, len(anchor)))]
    (wanted,) = group_sums(anchor, groups)
    path = tmp_path / "pass"

    def stop(done: int, parts: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        group_sums(anchor, groups, threads=1, checkpoint=path, progress=stop)
    starts: list[int] = []
    (found,) = group_sums(
        anchor, groups, checkpoint=path, progress=lambda done, _: starts.append(done)
    )
    assert starts[0] == 2
    np.testing.assert_array_equal(found, wanted)
    with pytest.raises(InputError, match="other parameters"):
        group_sums(anchor, [Groups(Fraction(1, 9), groups[0].cuts)], checkpoint=path)


def test_a_temperature_too_small_names_the_smallest() -> None:
    with pytest.raises(InputError, match=r"3/350"):
        group_sums(points(5), [Groups(Fraction(1, 200), (0, 5))])
