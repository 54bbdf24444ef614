"""Compilation of the kernels: one decorator, and a cache on disk that sees every edit.

Numba's own cache compares the file of the function that is called, so an edit in a function that it
inlines from *another* file leaves stale machine code behind.  Here the stamp of every cached
function is a digest of all private modules of this package (``_*.py``), where all kernels live:
touch one and all are compiled again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numba.extending
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    InTreeCacheLocator,
    UserProvidedCacheLocator,
    UserWideCacheLocator,
)

F = TypeVar("F", bound=Callable[..., Any])

# Without error_model="numpy" every division is guarded and no loop with one is vectorised.  No
# fastmath: results are promised bit for bit, and reordered sums depend on the width of the vectors.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}


@functools.cache
def source_digest() -> str:
    """Digest of the sources of all kernels: changes whenever the machine code could."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parent.glob("_*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


class _Stamped:
    """Mixed into Numba's cache locators: the stamp is the digest of all kernels."""

    def get_source_stamp(self) -> str:
        return source_digest()


class _Provided(_Stamped, UserProvidedCacheLocator):
    pass


class _InTree(_Stamped, InTreeCacheLocator):
    pass


class _UserWide(_Stamped, UserWideCacheLocator):
    pass


class _Impl(CompileResultCacheImpl):
    _locator_classes = [_Provided, _InTree, _UserWide]  # noqa: RUF012


class _Cache(FunctionCache):
    _impl_class = _Impl


def kernel(function: F) -> F:
    """Compile a function that is called from Python; releases the lock and is cached on disk."""
    compiled = numba.njit(**OPTIONS)(function)
    with contextlib.suppress(RuntimeError):  # no folder can be written: compiled in every process
        compiled._cache = _Cache(function)  # type: ignore[no-untyped-call]
    return compiled  # type: ignore[no-any-return]


def inline(function: F) -> F:
    """Compile a small function with its callers: LLVM inlines it and vectorises their loops."""
    return numba.njit(**OPTIONS)(function)  # type: ignore[no-any-return]


def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let kernels call a few LLVM instructions."""
    return numba.extending.intrinsic(function)
