"""The embedding pass: right, bounded in memory, and the same bits for any number of threads."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import logsumexp

from numerics import gram
from numerics.parse import InputError


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _points(n: int, d: int, seed: int = 0) -> np.ndarray:
    return _unit(np.random.default_rng(seed).normal(size=(n, d)))


def _reference(anchor: np.ndarray, tau: float, negative: np.ndarray | None = None) -> np.ndarray:
    scores = anchor @ (anchor if negative is None else negative).T / tau
    count = scores.shape[1]
    if negative is None:
        np.fill_diagonal(scores, -np.inf)
        count -= 1
    return np.array([logsumexp(j * scores, axis=1) - np.log(count) for j in (1, 2, 3)])


def _logs(result: gram.Moments) -> np.ndarray:
    return np.array([result.log_mu, result.log_second, result.log_third])


@pytest.mark.parametrize("tau", [1.0, 0.1, 0.01])
@pytest.mark.parametrize("n", [2, 63, 64, 257])
def test_every_anchor_against_the_whole_matrix(n: int, tau: float) -> None:
    anchor = _points(n, 7)
    other = _points(75, 7, seed=1)
    for negative in (None, other):
        result = gram.moments(anchor, tau, negative, block=64)
        assert result.negatives == (n - 1 if negative is None else 75)
        np.testing.assert_allclose(
            _logs(result), _reference(anchor, tau, negative), rtol=0, atol=1e-14 / tau
        )


def test_itself_is_left_out_even_where_it_would_drown_the_rest() -> None:
    """Near-orthogonal points at tau = 0.01: with itself, mu would be e^{100}/(N - 1)."""
    result = gram.moments(np.eye(5), 0.01)
    np.testing.assert_allclose(_logs(result), 0.0, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("separate", [False, True])
def test_same_bits_for_any_number_of_threads(dtype: type, separate: bool) -> None:
    anchor = _points(700, 33)
    negative = _points(300, 33, seed=2) if separate else None
    answers = {
        _logs(gram.moments(anchor, 0.07, negative, dtype=dtype, block=128, threads=n)).tobytes()
        for n in (1, 2, 8)
    }
    assert len(answers) == 1


def test_float32_products_are_as_exact_as_documented() -> None:
    anchor = _points(500, 384)
    for tau in (0.1, 0.01):
        exact, fast = (gram.moments(anchor, tau, dtype=kind) for kind in (np.float64, np.float32))
        error = np.abs(_logs(exact) - _logs(fast)).max(axis=1)
        assert (error < np.array([1, 2, 3]) * 5e-7 / tau).all()
        assert (error > 0).all()


def test_any_layout_is_accepted(tmp_path: Path) -> None:
    anchor = _points(150, 12)
    expected = _logs(gram.moments(anchor, 0.2, block=64))
    np.save(tmp_path / "rows.npy", anchor)
    padded = np.zeros((300, 24))
    padded[::2, ::2] = anchor
    for same in (
        np.asfortranarray(anchor),
        np.load(tmp_path / "rows.npy", mmap_mode="r"),
        padded[::2, ::2],
    ):
        np.testing.assert_array_equal(_logs(gram.moments(same, 0.2, block=64)), expected)


def test_float16_rows_are_scaled_to_norm_one() -> None:
    half = _points(150, 384).astype(np.float16)
    wide = _unit(half.astype(np.float64))
    expected = _logs(gram.moments(wide, 0.1))
    np.testing.assert_array_equal(_logs(gram.moments(half, 0.1)), expected)


def test_progress_reaches_the_end() -> None:
    seen: list[tuple[int, int]] = []
    gram.moments(_points(500, 3), 0.5, block=64, progress=lambda *at: seen.append(at))
    assert seen[0] == (0, 4)
    assert seen[-1] == (4, 4)
    assert seen == sorted(seen)


def test_resumes_from_a_checkpoint_of_the_same_arrays_only(tmp_path: Path) -> None:
    anchor = _points(500, 3)
    file = tmp_path / "run"
    expected = _logs(gram.moments(anchor, 0.5, block=64))

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        gram.moments(anchor, 0.5, block=64, threads=1, checkpoint=file, progress=stop)
    seen: list[int] = []
    result = gram.moments(
        anchor, 0.5, block=64, checkpoint=file, progress=lambda done, _: seen.append(done)
    )
    assert seen[0] == 2
    np.testing.assert_array_equal(_logs(result), expected)
    with pytest.raises(InputError, match="other parameters"):
        gram.moments(anchor[::-1], 0.5, block=64, checkpoint=file)


class FirstIsLate(Executor):
    """Computes every part at once but the first, which it never gives."""

    _max_workers = 8

    def __init__(self) -> None:
        self.started = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.started += 1
        if self.started > 1:
            future.set_result(fn(*args, **kwargs))
        return future


def test_a_short_last_band_may_wait_in_a_checkpoint(tmp_path: Path) -> None:
    anchor, negative, path = _points(250, 7), _points(40, 7, seed=1), tmp_path / "pass"

    def stop(done: int, parts: int) -> None:
        if done == parts - 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gram.moments(
            anchor, 0.5, negative, block=64, executor=FirstIsLate(), checkpoint=path, progress=stop
        )
    resumed = gram.moments(anchor, 0.5, negative, block=64, checkpoint=path)
    np.testing.assert_array_equal(
        _logs(resumed), _logs(gram.moments(anchor, 0.5, negative, block=64))
    )


@pytest.mark.parametrize(
    ("changed", "argument"),
    [
        ({"tau": 0.008}, "tau"),
        ({"tau": float("nan")}, "tau"),
        ({"anchor": 2 * np.eye(3)}, "anchor row 0"),
        ({"anchor": np.array([[1.0, 0.0], [np.nan, 0.0]])}, "anchor row 1"),
        ({"anchor": np.array([[1.0, 0.0], [np.inf, 0.0]])}, "anchor row 1"),
        ({"anchor": np.eye(1)}, "anchor"),
        ({"anchor": np.eye(3, dtype=int)}, "anchor"),
        ({"negative": np.eye(2)}, "negative"),
        ({"block": 0}, "block"),
        ({"dtype": np.float16}, "dtype"),
    ],
)
def test_bad_input_is_named(changed: dict[str, object], argument: str) -> None:
    with pytest.raises(InputError) as caught:
        gram.moments(**({"anchor": np.eye(3), "tau": 1.0} | changed))
    assert caught.value.argument == argument


def test_memory_is_that_of_a_few_tiles(tmp_path: Path) -> None:
    """100,000 rows of 384 from a file (154 MB; the whole matrix would take 40 GB) in 40 MB.

    The first part is run, then the pass is stopped: every part meets all the rows and makes as
    many tiles.
    """
    n = 100_000
    rows = np.lib.format.open_memmap(tmp_path / "rows.npy", "w+", np.float32, (n, 384))
    rows[np.arange(n), np.arange(n) % 384] = 1.0
    rows.flush()
    rows = np.load(tmp_path / "rows.npy", mmap_mode="r")
    gram.moments(rows[:20], 0.1, dtype="f4")  # compiled, BLAS found

    def stop(done: int, total: int) -> None:
        assert total == 98
        if done == 1:
            raise InterruptedError

    tracemalloc.start()
    with pytest.raises(InterruptedError):
        gram.moments(rows, 0.1, dtype="f4", threads=1, progress=stop)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40e6
