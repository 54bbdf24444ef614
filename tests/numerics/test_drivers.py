"""Long runs: any executor, killed and resumed, with the same bits."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import distributed
import numpy as np
import pytest

from numerics import drivers, montecarlo
from numerics.checkpoints import Checkpoint, digest
from numerics.drivers import fold
from numerics.parse import InputError
from numerics.worlds import Sphere

PARTS = 23


def _work(scale: float, part: int) -> np.ndarray:
    return scale * np.sin(np.arange(3.0) + part)


def _combine(done: np.ndarray, more: np.ndarray) -> np.ndarray:
    return 0.7 * done + more  # depends on the order


@pytest.fixture(name="expected")
def _expected() -> bytes:
    state = _work(0.1, 0)
    for part in range(1, PARTS):
        state = _combine(state, _work(0.1, part))
    return state.tobytes()


@pytest.mark.parametrize("threads", [None, 1, 2, 8])
def test_folds_in_order(threads: int | None, expected: bytes) -> None:
    assert fold(_work, 0.1, PARTS, _combine, threads=threads).tobytes() == expected


def test_folds_in_order_on_any_executor(expected: bytes) -> None:
    context = multiprocessing.get_context("spawn")
    for executor in (ThreadPoolExecutor(3), ProcessPoolExecutor(2, mp_context=context)):
        with executor:
            assert fold(_work, 0.1, PARTS, _combine, executor=executor).tobytes() == expected


def test_parts_may_finish_in_any_order(expected: bytes) -> None:
    def late(scale: float, part: int) -> np.ndarray:
        time.sleep(0.02 if part % 5 == 0 else 0.0)
        return _work(scale, part)

    assert fold(late, 0.1, PARTS, _combine, threads=4).tobytes() == expected


def test_few_parts_wait_at_a_time() -> None:
    class Counting(ThreadPoolExecutor):
        waiting = most = 0

        def submit(self, *args, **kwargs):  # type: ignore[no-untyped-def]
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            future = super().submit(*args, **kwargs)
            future.add_done_callback(self._one_less)
            return future

        def _one_less(self, _: object) -> None:
            self.waiting -= 1

    with Counting(2) as executor:
        fold(_work, 0.1, 500, _combine, executor=executor)
        assert executor.most <= 8


@pytest.mark.parametrize("threads", [1, 3])
def test_a_failing_part_keeps_what_finished(tmp_path: Path, threads: int, expected: bytes) -> None:
    def fragile(scale: float, part: int) -> np.ndarray:
        if part == 15:
            raise ZeroDivisionError
        return _work(scale, part)

    file = tmp_path / "run"
    with pytest.raises(ZeroDivisionError):
        fold(fragile, 0.1, PARTS, _combine, threads=threads, checkpoint=Checkpoint(file, 1))
    computed: list[int] = []

    def watched(scale: float, part: int) -> np.ndarray:
        computed.append(part)
        return _work(scale, part)

    again = fold(watched, 0.1, PARTS, _combine, threads=threads, checkpoint=Checkpoint(file, 1))
    assert again.tobytes() == expected
    assert 15 in computed
    assert len(computed) <= PARTS - 15 + 2 * threads
    computed.clear()
    again = fold(watched, 0.1, PARTS, _combine, threads=threads, checkpoint=Checkpoint(file, 1))
    assert again.tobytes() == expected
    assert computed == []
    assert list(tmp_path.iterdir()) == [file]


def test_a_checkpoint_of_other_parameters_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run"
    run = {"world": Sphere(3, Fraction(5)), "tau": 0.5, "k": 5, "tuples": 100, "checkpoint": file}
    first = montecarlo.risk(**run)
    assert montecarlo.risk(**run) == first
    before = file.read_bytes()
    for changed in (
        {"seed": 1},
        {"k": 6},
        {"tau": 0.25},
        {"tuples": 101},
        {"loss": "dcl"},
        {"world": Sphere(3, Fraction(6))},
        {"world": Sphere(4, Fraction(5))},
    ):
        with pytest.raises(InputError, match="other parameters"):
            montecarlo.risk(**(run | changed))
    with pytest.raises(InputError, match="other parameters"):
        montecarlo.bias(**run)
    assert file.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 cut short"])
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "run"
    file.write_bytes(content)
    with pytest.raises(InputError, match="must be a checkpoint"):
        fold(_work, 0.1, PARTS, _combine, checkpoint=Checkpoint(file, 1))
    assert file.read_bytes() == content


def test_a_truncated_checkpoint_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run"
    fold(_work, 0.1, PARTS, _combine, checkpoint=Checkpoint(file, 1))
    file.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(InputError, match="must be a checkpoint"):
        fold(_work, 0.1, PARTS, _combine, checkpoint=Checkpoint(file, 1))


def test_a_checkpoint_in_no_folder_is_refused_before_the_work(tmp_path: Path) -> None:
    def never(scale: float, part: int) -> np.ndarray:
        raise AssertionError

    checkpoint = Checkpoint(tmp_path / "none" / "run", 1)
    with pytest.raises(InputError, match="folder that exists"):
        fold(never, 0.1, PARTS, _combine, checkpoint=checkpoint)


def test_digests_tell_parameters_apart() -> None:
    values = [0, 0.0, False, "0", None, [0], [[0]], [0, 0], {"a": 0}, Fraction(0), np.zeros(1)]
    values += [np.zeros(2), np.zeros((2, 1)), np.zeros(1, "f4"), Sphere(3, Fraction(1))]
    values += [Sphere(3, Fraction(2)), ["a", "b"], ["ab"], np.array([0.0, 1.0])]
    assert len({digest(value) for value in values}) == len(values)
    with pytest.raises(TypeError):
        digest(object())


SCRIPT = """
    import sys, time
    from numerics import checkpoints, drivers
    from tests.numerics import test_drivers as here

    def slow(scale, part):
        time.sleep(0.3)
        return here._work(scale, part)

    checkpoint = checkpoints.Checkpoint(sys.argv[1], 1, interval=0)
    drivers.fold(slow, 0.1, here.PARTS, here._combine, threads=2, checkpoint=checkpoint)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_resumes_after_a_signal_to_the_same_bits(
    tmp_path: Path, how: signal.Signals, expected: bytes
) -> None:
    file = tmp_path / "run"
    root = Path(__file__).parents[2]
    run = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), str(file)],
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(root)},
    )
    while Checkpoint(file, 1).load().done < 3:
        assert run.poll() is None
        time.sleep(0.01)
    run.send_signal(how)
    assert run.wait() != 0
    assert 3 <= Checkpoint(file, 1).load().done < PARTS
    again = fold(_work, 0.1, PARTS, _combine, checkpoint=Checkpoint(file, 1))
    assert again.tobytes() == expected


@pytest.fixture(name="cluster", scope="module")
def _cluster() -> Iterator[distributed.LocalCluster]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture(name="executor")
def _executor(cluster: distributed.LocalCluster) -> Iterator[Executor]:
    with drivers.scheduler(cluster.scheduler_address) as executor:
        yield executor


def test_a_cluster_gives_the_same_bits(executor: Executor) -> None:
    run = {"world": Sphere(3, Fraction(5)), "tau": Fraction(1, 10), "k": 100_000, "tuples": 128}
    assert montecarlo.bias(**run, executor=executor) == montecarlo.bias(**run, threads=1)


def test_a_killed_worker_changes_nothing(
    cluster: distributed.LocalCluster, executor: Executor
) -> None:
    """One of two workers is killed while both work; the large shared array is on both."""
    shared = np.random.default_rng(0).normal(size=300_000)
    assert shared.nbytes > drivers.SHARE_ABOVE
    pids = [worker.pid for worker in cluster.workers.values()]
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if 5 <= done < total and not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    result = fold(_slow_sum, shared, 40, np.add, executor=executor, progress=kill)
    assert killed
    assert result == fold(_slow_sum, shared, 40, np.add, threads=1)


def _slow_sum(shared: np.ndarray, part: int) -> np.ndarray:
    time.sleep(0.05)
    return np.sin(shared[part::40]).sum(keepdims=True)


def test_an_address_without_a_scheduler_is_one_line() -> None:
    with pytest.raises(InputError, match="must be the address of a running Dask scheduler"):
        drivers.scheduler("no address")


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError) as caught:
        drivers.scheduler("tcp://localhost:8786")
    assert "infonce-companion[distributed]" in str(caught.value)
    assert "\n" not in str(caught.value)
