"""One pass over the similarities of N embeddings: moments of exp(s/tau) for every anchor.

The N x N matrix is never held.  Square tiles of it are made by BLAS and reduced at once; when the
negatives are the anchors themselves the matrix is symmetric and only half of the tiles are made.
The sums are the same bits for any number of threads and any executor of one machine: tiles are cut
by ``block`` alone, BLAS runs on one thread, and sums are taken in a fixed order.  (BLAS chooses its
kernels by the processor, so another kind of processor may differ in the last digits.)
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import threadpoolctl  # type: ignore[import-untyped]
from numpy.typing import DTypeLike, NDArray

from numerics import _gram_kernels as kernels
from numerics._jit import source_digest
from numerics.checkpoints import Checkpoint
from numerics.drivers import Progress, fold
from numerics.parse import InputError

__all__ = ["Moments", "moments"]

Array = NDArray[Any]
Floats = NDArray[np.float64]

#: Third powers span e^{-6/tau} .. 1 and must stay normal float64 numbers.
SMALLEST_TAU = Fraction(3, 350)
#: How far the norm of a row may be from 1; rows of float16 are then scaled to norm 1.
UNIT_TOLERANCE = {np.dtype(np.float16): 1e-3}
UNIT_TOLERANCE_DEFAULT = 1e-6


@dataclass(frozen=True, eq=False)
class Moments:
    """Logarithms of the means of exp(j s/tau) over the negatives of every anchor, j = 1, 2, 3.

    Attributes
    ----------
    log_mu, log_second, log_third : (N,) arrays
        Natural logarithms, so that small temperatures do not overflow.
    negatives : int
        Number of negatives of each anchor.
    """

    log_mu: Floats
    log_second: Floats
    log_third: Floats
    negatives: int


@dataclass(frozen=True)
class _Pass:
    anchor: Array
    negative: Array | None
    inverse_tau: float
    dtype: str
    block: int

    @property
    def bands(self) -> int:
        return -(-len(self.anchor) // self.block)

    def stretch(self, band: int, size: int) -> slice:
        return slice(band * self.block, min(size, (band + 1) * self.block))


def moments(
    anchor: Array,
    tau: Fraction | float,
    negative: Array | None = None,
    *,
    dtype: DTypeLike = np.float64,
    block: int = 512,
    threads: int | None = None,
    executor: Executor | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Moments:
    """Moments of exp(s/tau) for every anchor, s its similarity to a uniform negative.

    Parameters
    ----------
    anchor : (N, d) array
        Unit rows of any float type, memory-mapped or strided as it may be; never copied whole.
    tau : Fraction or float
        Temperature, at least 3/350.
    negative : (M, d) array, optional
        The negatives; by default the other anchors.
    dtype : float32 or float64
        Precision of the similarities.  float32 is about twice as fast and leaves errors of a few
        1e-7/tau in the logarithms; sums are in float64 always.
    block : int, default 512
        Side of a tile.  Each thread holds one tile and three numbers per anchor.
    threads, executor, checkpoint, progress
        See :func:`numerics.drivers.fold`.

    Raises
    ------
    InputError
        If a row is not finite or not of norm 1 within 1e-6 (float16: 1e-3), if shapes do not fit,
        or if tau is too small.

    Examples
    --------
    >>> result = moments(np.eye(3), 1.0)
    >>> result.log_mu
    array([0., 0., 0.])
    """
    if not tau >= SMALLEST_TAU or tau == np.inf:
        rule = "must be finite and at least 3/350, where float64 holds exp(-6/tau)"
        raise InputError("tau", tau, rule)
    if block < 1:
        raise InputError("block", block, "must be at least 1")
    kind = np.dtype(dtype)
    if kind not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise InputError("dtype", kind, "must be float32 or float64")
    _check_rows("anchor", anchor)
    if negative is not None:
        _check_rows("negative", negative)
        if negative.shape[1] != anchor.shape[1]:
            raise InputError("negative", negative.shape, f"must have {anchor.shape[1]} columns")
    elif len(anchor) < 2:
        raise InputError("anchor", anchor.shape, "must have at least 2 rows")
    given = _Pass(anchor, negative, float(1 / Fraction(tau)), kind.str, block)
    kept = None
    if checkpoint is not None:
        kept = Checkpoint(checkpoint, ["gram", source_digest(), given])
    square = negative is None
    sums = fold(
        _square if square else _oblong,
        given,
        (given.bands + 1) // 2 if square else given.bands,
        np.add if square else _beside,
        executor=executor,
        threads=threads,
        checkpoint=kept,
        progress=progress,
    )[:, : len(anchor)]
    count = len(anchor) - 1 if negative is None else len(negative)
    logs = np.log(sums / count) + given.inverse_tau * np.arange(1.0, 4.0)[:, None]
    return Moments(logs[0], logs[1], logs[2], count)


def _check_rows(name: str, rows: Array) -> None:
    if rows.ndim != 2 or 0 in rows.shape or rows.dtype.kind != "f":
        raise InputError(name, f"{rows.dtype} {rows.shape}", "must be a float array N x d")
    tolerance = UNIT_TOLERANCE.get(rows.dtype, UNIT_TOLERANCE_DEFAULT)
    for start in range(0, len(rows), 128):  # in the cache
        wide = rows[start : start + 128].astype(np.float64)
        norms = np.sqrt(np.einsum("ij,ij->i", wide, wide))
        for i in np.flatnonzero(~(np.abs(norms - 1) <= tolerance))[:1]:
            rule = f"must be 1 within {tolerance:g}"
            raise InputError(f"{name} row {start + i}", f"norm {norms[i]}", rule)


def _rows(source: Array, part: slice, dtype: str) -> Array:
    """A few rows, contiguous and in the precision of the products."""
    rows = source[part]
    if source.dtype == np.float16:
        wide = rows.astype(np.float64)
        rows = wide / np.linalg.norm(wide, axis=1, keepdims=True)
    return np.ascontiguousarray(rows, dtype=dtype)


def _tiles(
    given: _Pass, left: Array, others: Array, bands: range
) -> Iterator[tuple[int, slice, Array]]:
    """Similarities of some rows with bands of the others; a tile is overwritten by the next."""
    left = left.copy()  # of a matrix times its own transpose NumPy makes another routine's bits
    buffer = np.empty((len(left), given.block), dtype=given.dtype)
    with one_blas_thread():
        for band in bands:
            part = given.stretch(band, len(others))
            right = _rows(others, part, given.dtype)
            tile = buffer[:, : len(right)]
            np.matmul(left, right.T, out=tile)
            yield band, part, tile


def _square(given: _Pass, pair: int) -> Floats:
    """Sums (3 x N) from two bands of the symmetric matrix, one from each end: equal work."""
    size = len(given.anchor)
    sums = np.zeros((3, size))
    for band in sorted({pair, given.bands - 1 - pair}):
        part = given.stretch(band, size)
        left = _rows(given.anchor, part, given.dtype)
        rows = np.zeros((3, len(left)))
        for other, across, tile in _tiles(given, left, given.anchor, range(band, given.bands)):
            own = other == band
            columns = np.zeros((3, 0 if own else tile.shape[1]))
            kernels.add_tile(tile, given.inverse_tau, own, rows, columns)
            if not own:
                sums[:, across] += columns
        sums[:, part] += rows
    return sums


def _oblong(given: _Pass, band: int) -> Floats:
    """Sums (3 x block) of one band of anchors over all the negatives; zeros fill a short band.

    Records of one size: a checkpoint keeps those that wait for an earlier one in one array.
    """
    assert given.negative is not None
    left = _rows(given.anchor, given.stretch(band, len(given.anchor)), given.dtype)
    rows = np.zeros((3, len(left)))
    none = np.zeros((3, 0))
    bands = range(-(-len(given.negative) // given.block))
    for _, _, tile in _tiles(given, left, given.negative, bands):
        kernels.add_tile(tile, given.inverse_tau, False, rows, none)
    return np.pad(rows, ((0, 0), (0, given.block - len(left))))


def _beside(done: Floats, more: Floats) -> Floats:
    return np.concatenate([done, more], axis=1)


@functools.cache
def _blas() -> threadpoolctl.ThreadpoolController:
    return threadpoolctl.ThreadpoolController()


_lock = threading.Lock()
_users = 0
_limit: Any = None


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS to one thread while anyone is inside: its sums may depend on their number."""
    global _users, _limit
    with _lock:
        if _users == 0:
            _limit = _blas().limit(limits=1, user_api="blas")
            _limit.__enter__()
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                _limit.__exit__(None, None, None)
