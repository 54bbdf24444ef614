"""Files that keep what a long run has finished, and digests of what determines its result."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from numerics.parse import InputError

__all__ = ["Checkpoint", "Kept", "digest"]

Record = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Kept:
    """What a run has finished: parts below ``done`` folded, some later ones still apart."""

    done: int = 0
    state: Record | None = None
    later: dict[int, Record] = dataclasses.field(default_factory=dict)

    def add(self, part: int, record: Record, combine: Callable[[Record, Record], Record]) -> Kept:
        """One part more, as a new value: an interrupt finds either the old or the new one."""
        done, state, later = self.done, self.state, {**self.later, part: record}
        while done in later:
            next_one = later.pop(done)
            state = next_one if state is None else combine(state, next_one)
            done += 1
        return Kept(done, state, later)


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

    def load(self) -> Kept:
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
            return Kept()
        except Exception as error:  # noqa: BLE001 - a damaged archive raises anything
            rule = f"must be a checkpoint of this program ({type(error).__name__})"
            raise InputError("checkpoint", self.path, rule) from None
        if key != self._key:
            rule = (
                "was written by a run with other parameters; name another file or delete this one"
            )
            raise InputError("checkpoint", self.path, rule)
        later = {int(part): records[i] for i, part in enumerate(parts)}
        return Kept(done, state if done else None, later)

    def save(self, kept: Kept, *, now: bool = False) -> None:
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
