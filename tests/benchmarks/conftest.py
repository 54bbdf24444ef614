"""Speed and variance against other ways of doing the same work.

`make bench`, or `pytest tests/benchmarks`.  Within one comparison all candidates run in turn, round
after round, pinned to the same core, so that a busy machine slows all alike; what is reported are
medians and their ratios, as a table and in ``.benchmarks/ratios.json``.  Nothing here fails because
of a time.  Files for libraries that are not installed are left out: see ``NEEDS``.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RESULTS = Path(".benchmarks") / "ratios.json"

#: The extra `bench` brings these.
NEEDS = {"test_against_torch.py": "torch", "test_against_jax.py": "jax"}
collect_ignore = [file for file, name in NEEDS.items() if importlib.util.find_spec(name) is None]

_rows: list[dict[str, Any]] = []


def pytest_configure(config: pytest.Config) -> None:
    """Pin the session, and the threads that libraries start in it, to one core."""
    config.stash[_cores] = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, config.stash[_cores][-1:])
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"


_cores = pytest.StashKey[list[int]]()


class Benchmark:
    """Collects comparisons."""

    def __init__(self, cores: list[int]) -> None:
        self._cores = cores

    def compare(
        self,
        title: str,
        candidates: dict[str, Callable[[], object]],
        *,
        target: str = "",
        rounds: int = 9,
        cores: int = 1,
    ) -> dict[str, float]:
        """Median seconds of every candidate; the first is ours, to which ratios refer.

        On one core these are seconds of processor time, which neighbours disturb least; on more
        cores, seconds on the clock.
        """
        clock = time.process_time if cores == 1 else time.perf_counter
        os.sched_setaffinity(0, self._cores[-cores:])
        gc.collect()
        gc.disable()
        try:
            loops = {name: _loops(run) for name, run in candidates.items()}
            times: dict[str, list[float]] = {name: [] for name in candidates}
            for _ in range(rounds):
                for name, run in candidates.items():
                    start = clock()
                    for _ in range(loops[name]):
                        run()
                    times[name].append((clock() - start) / loops[name])
        finally:
            gc.enable()
            os.sched_setaffinity(0, self._cores[-1:])
        medians = {name: statistics.median(values) for name, values in times.items()}
        ours = next(iter(medians.values()))
        for name, seconds in medians.items():
            self.note(title, name, f"{seconds * 1e3:.4g} ms", seconds / ours, target)
        return medians

    def note(self, title: str, name: str, value: str, ratio: float, target: str = "") -> None:
        """Record one row."""
        _rows.append(
            {"title": title, "name": name, "value": value, "ratio": ratio, "target": target}
        )


def _loops(run: Callable[[], object], seconds: float = 0.05) -> int:
    """How often to run a short candidate in a row: caches that the others emptied fill again."""
    run()
    start = time.process_time()
    run()
    return max(1, round(seconds / max(1e-6, time.process_time() - start)))


@pytest.fixture(name="bench")
def _bench(request: pytest.FixtureRequest) -> Benchmark:
    return Benchmark(request.config.stash[_cores])


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the table and write the file."""
    write = terminalreporter.write_line
    for file in collect_ignore:
        write(f"{file} left out: {NEEDS[file]} is not installed (pip install -e '.[bench]')")
    if not _rows:
        return
    title = ""
    width = max(len(row["name"]) for row in _rows)
    for row in _rows:
        if row["title"] != title:
            title = row["title"]
            write(f"\n{title}" + (f"   [to reach: {row['target']}]" if row["target"] else ""))
        write(f"  {row['name']:{width}}  {row['value']:>14}  {row['ratio']:12.4g}")
    RESULTS.parent.mkdir(exist_ok=True)
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    RESULTS.write_text(json.dumps({"machine": machine, "rows": _rows}, indent=1) + "\n")
    write(f"\nratio: the other's over ours; written to {RESULTS}")
