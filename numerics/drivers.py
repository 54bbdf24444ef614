"""Long runs: fixed parts on any executor, folded in order, kept in a checkpoint.

A run is cut into parts by its parameters alone, never by who computes them; the records of the
parts are combined in the order of the parts.  So threads, processes and clusters give the same
bits, and so does a run that was killed and resumed.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import socket
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from numerics.checkpoints import Checkpoint, Kept
from numerics.parse import InputError

__all__ = ["Checkpoint", "Progress", "fold", "scheduler"]

Record = NDArray[np.float64]
Progress = Callable[[int, int], None]
Shared = TypeVar("Shared")

#: Data larger than this (bytes) travel to a cluster once, not with every part.
SHARE_ABOVE = 1 << 20


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
    kept = checkpoint.load() if checkpoint is not None else Kept()
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
        # A client that finds no scheduler leaves a traceback behind when it is collected.
        place = distributed.comm.get_address_host_port(address)
        socket.create_connection(place, timeout=10).close()
        return _Cluster(distributed.Client(address, timeout=10, set_as_default=False))
    except (OSError, ValueError, TypeError):
        rule = "must be the address of a running Dask scheduler such as tcp://host:8786"
        raise InputError("scheduler", address, rule) from None
