"""Long runs: fixed parts on any executor, folded in order, kept in a checkpoint.

A run is cut into parts by its parameters alone, never by who computes them; the records of the
parts are combined in the order of the parts.  So threads, processes and clusters give the same
bits, and so does a run that was killed and resumed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import importlib
import os
import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from numerics.parse import InputError

__all__ = ["Checkpoint", "Progress", "fold", "scheduler"]

Record = NDArray[np.float64]
Progress = Callable[[int, int], None]
Shared = TypeVar("Shared")

#: Data larger than this (bytes) travel to a cluster once, not with every part.
SHARE_ABOVE = 1 << 20


@dataclasses.dataclass(frozen=True)
class _Kept:
    """What a run has finished: parts below ``done`` folded, some later ones still apart."""

    done: int = 0
    state: Record | None = None
    later: dict[int, Record] = dataclasses.field(default_factory=dict)

    def add(self, part: int, record: Record, combine: Callable[[Record, Record], Record]) -> _Kept:
        """One part more, as a new value: an interrupt finds either the old or the new one."""
        done, state, later = self.done, self.state, {**self.later, part: record}
        while done in later:
            next_one = later.pop(done)
            state = next_one if state is None else combine(state, next_one)
            done += 1
        return _Kept(done, state, later)


class Checkpoint:
    """A file that keeps what a run has finished.

    Parameters
    ----------
    path : str or Path
        The file; replaced atomically, so it is whole at any moment.
    parameters : object
        All that determines the result: numbers, strings, arrays, dataclasses, or containers.
    interval : float, default 2
        Seconds between two writes at least; the end of a run, however it ends, always writes.
    """

    def __init__(self, path: str | Path, parameters: object, interval: float = 2.0) -> None:
        self.path = Path(path)
        self.interval = interval
        self._key = digest(parameters)
        self._written = time.monotonic()

    def load(self) -> _Kept:
        """What an earlier run with the same parameters left; nothing if there is no file.

        Raises
        ------
        InputError
            If the file is no checkpoint, or one of other parameters or other kernels.
        """
        try:
            with open(self.path, "rb") as stream, np.load(stream, allow_pickle=False) as file:
                key, done, state = str(file["key"]), int(file["done"]), file["state"]
                parts, records = file["parts"], file["records"]
        except FileNotFoundError:
            if not self.path.parent.is_dir():
                raise InputError(
                    "checkpoint", self.path, "must be in a folder that exists"
                ) from None
            return _Kept()
        except Exception as error:  # noqa: BLE001 - a damaged archive raises anything
            rule = f"must be a checkpoint of this program ({type(error).__name__})"
            raise InputError("checkpoint", self.path, rule) from None
        if key != self._key:
            rule = (
                "was written by a run with other parameters; name another file or delete this one"
            )
            raise InputError("checkpoint", self.path, rule)
        later = {int(part): records[i] for i, part in enumerate(parts)}
        return _Kept(done, state if done else None, later)

    def save(self, kept: _Kept, *, now: bool = False) -> None:
        """Write, unless the last write was less than ``interval`` seconds ago."""
        if not now and time.monotonic() - self._written < self.interval:
            return
        parts = sorted(kept.later)
        some = kept.state if kept.state is not None else np.zeros(0)
        records = np.array([kept.later[part] for part in parts]) if parts else np.zeros((0, 0))
        scratch = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            with open(scratch, "wb") as file:
                np.savez(
                    file, key=self._key, done=kept.done, state=some, parts=parts, records=records
                )
                file.flush()
                os.fsync(file.fileno())
            os.replace(scratch, self.path)
        except OSError as error:
            raise InputError(
                "checkpoint", self.path, f"must be writable ({error.strerror})"
            ) from None
        finally:
            scratch.unlink(missing_ok=True)
        self._written = time.monotonic()


def digest(value: object) -> str:
    """Digest of parameters; equal values give equal digests on every machine.

    Examples
    --------
    >>> digest({"tau": 0.1, "k": 8}) == digest({"k": 8, "tau": 0.1})
    True
    >>> digest(1.0) == digest(1)
    False
    """
    return hashlib.sha256(b"\n".join(_words(value))).hexdigest()


def _words(value: object) -> Iterator[bytes]:
    if isinstance(value, np.ndarray):
        yield f"array {value.dtype.str} {value.shape}".encode()
        rows = value.reshape(1) if value.ndim == 0 else value
        for start in range(0, len(rows), 1024):
            yield hashlib.sha256(rows[start : start + 1024].tobytes()).digest()
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield type(value).__name__.encode()
        for field in dataclasses.fields(value):
            if field.compare:
                yield field.name.encode()
                yield from _words(getattr(value, field.name))
    elif isinstance(value, dict):
        yield f"dict {len(value)}".encode()
        for name in sorted(value):
            yield str(name).encode()
            yield from _words(value[name])
    elif isinstance(value, list | tuple):
        yield f"sequence {len(value)}".encode()
        for item in value:
            yield from _words(item)
    elif value is None or isinstance(value, bool | int | float | str | Fraction):
        yield f"{type(value).__name__} {value!r}".encode()
    else:
        raise TypeError(f"no digest for {type(value).__name__}")


class _Inline(Executor):
    """Computes each part at once, in this thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def fold(
    work: Callable[[Shared, int], Record],
    shared: Shared,
    parts: int,
    combine: Callable[[Record, Record], Record],
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    checkpoint: Checkpoint | None = None,
    progress: Progress | None = None,
) -> Record:
    """Fold the records ``work(shared, 0), .., work(shared, parts - 1)`` in this order.

    Parameters
    ----------
    work, shared
        A function that can be pickled, and the data all parts need.
    parts : int
        At least 1.
    combine
        Takes the fold so far and the next record and returns a new array.
    executor : Executor, optional
        Any executor; by default ``threads`` threads of this process (default: one for each core
        this process may use).  It is not shut down.
    checkpoint : Checkpoint, optional
        Where to keep what is finished, and where to resume from.
    progress : callable, optional
        Called with (parts finished, parts) at the start and after each part.

    Notes
    -----
    When the run ends early (Ctrl-C, a failing part), the checkpoint is written first.  At most
    a few parts for each worker wait at a time, so the memory does not grow with ``parts``.

    Examples
    --------
    >>> fold(lambda data, i: data[i], np.arange(6.0), 6, lambda a, b: a + b, threads=2)
    np.float64(15.0)
    """
    kept = checkpoint.load() if checkpoint is not None else _Kept()
    with contextlib.ExitStack() as stack:
        if executor is None:
            count = threads or len(os.sched_getaffinity(0))
            executor = _Inline() if count == 1 or parts == 1 else ThreadPoolExecutor(count)
            stack.callback(executor.shutdown, wait=True, cancel_futures=True)
        share = getattr(executor, "share", None)
        given = share(shared) if share is not None else shared
        window = 1 if isinstance(executor, _Inline) else 2 * getattr(executor, "_max_workers", 32)
        finished = frozenset(kept.later)
        todo = iter(part for part in range(kept.done, parts) if part not in finished)
        running: dict[Future[Record], int] = {}
        try:
            while kept.done < parts:
                if progress is not None:
                    progress(kept.done + len(kept.later), parts)
                while len(running) < window and (part := next(todo, None)) is not None:
                    running[executor.submit(work, given, part)] = part
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    kept = kept.add(running.pop(future), future.result(), combine)
                if checkpoint is not None:
                    checkpoint.save(kept)
        finally:
            for future in running:
                future.cancel()
            if checkpoint is not None:
                checkpoint.save(kept, now=True)
    if progress is not None:
        progress(parts, parts)
    assert kept.state is not None
    return kept.state


class _Cluster(Executor):
    """A Dask cluster as an executor: a part whose worker dies is given to another."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._inner = client.get_executor(pure=False)
        self._max_workers = max(1, sum(client.nthreads().values()))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = self._inner.submit(fn, *args, **kwargs)
        return future

    def share(self, data: object) -> object:
        """Large data as a handle, sent once and held by every worker."""
        if len(pickle.dumps(data, protocol=pickle.HIGHEST_PROTOCOL)) <= SHARE_ABOVE:
            return data
        return self._client.scatter(data, broadcast=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._inner.shutdown(wait=wait)
        self._client.close()


def scheduler(address: str) -> Executor:
    """An executor on a running Dask cluster; close it by ``shutdown`` or a ``with`` block.

    Raises
    ------
    InputError
        If the extra ``distributed`` is not installed or no scheduler answers at the address.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        rule = "needs an extra: pip install 'infonce-companion[distributed]'"
        raise InputError("scheduler", address, rule) from None
    try:
        return _Cluster(distributed.Client(address, timeout=10, set_as_default=False))
    except (OSError, ValueError, TypeError):
        rule = "must be the address of a running Dask scheduler such as tcp://host:8786"
        raise InputError("scheduler", address, rule) from None
