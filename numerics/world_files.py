"""Worlds from the command line: names with keys, ``world.json`` and ``embeddings.npz``.

Call through :func:`numerics.parse.world`.  Rows and entries are counted from 0 in every message.
"""

from __future__ import annotations

import json
import math
import zipfile
import zlib
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from numerics import worlds
from numerics.parse import InputError, exact_number, integer

#: How far the norm of a row may be from 1, and a row of probabilities from summing to 1.
UNIT_TOLERANCE = 1e-6
UNIT_TOLERANCE_FLOAT16 = 1e-3
SUM_TOLERANCE = Fraction(1, 10**9)

_UNIT_RULE = "must be 1 within {:g}"


def read(text: str) -> worlds.World:
    """Read a world from its name or its file; see :func:`numerics.parse.world`."""
    kind, colon, keys = text.partition(":")
    if colon and kind in _NAMED:
        names, build = _NAMED[kind]
        return build(_keys(kind, keys, names))
    path = Path(text)
    if "\0" in text:
        raise InputError("world", text, "must not hold the character NUL")
    if path.suffix == ".json":
        return read_json(text)
    if path.suffix == ".npz":
        return read_npz(text)
    raise InputError(
        "world",
        text,
        "must be sphere:d=D,conc=C or hypercube:d=D,flip=F or classes:n=N or a .json or .npz file",
    )


def _keys(kind: str, text: str, names: tuple[str, ...]) -> dict[str, str]:
    """Split ``a=1,b=2`` into exactly the named keys, each once."""
    found: dict[str, str] = {}
    for item in text.split(","):
        name, equals, value = item.partition("=")
        name = name.strip()
        if not equals or name not in names:
            raise InputError(f"world {kind}", item, f"must be a key of {', '.join(names)} with =")
        if name in found:
            raise InputError(f"world {kind}", item, f"must give {name} once")
        found[name] = value
    for name in names:
        if name not in found:
            raise InputError(f"world {kind}", text, f"must give {name}")
    return found


def _between(text: str, argument: str, low: Fraction, high: Fraction) -> Fraction:
    number = exact_number(text, argument)
    if not low <= number <= high:
        raise InputError(argument, text, f"must be between {low} and {high}")
    return number


def _sphere(keys: dict[str, str]) -> worlds.World:
    return worlds.Sphere(
        integer(keys["d"], "world sphere: d", 2, worlds.Sphere.MAX_D),
        _between(keys["conc"], "world sphere: conc", Fraction(0), worlds.Sphere.MAX_CONC),
    )


def _hypercube(keys: dict[str, str]) -> worlds.World:
    return worlds.Hypercube(
        integer(keys["d"], "world hypercube: d", 1, worlds.Hypercube.MAX_D),
        _between(keys["flip"], "world hypercube: flip", Fraction(0), Fraction(1)),
    )


def _classes(keys: dict[str, str]) -> worlds.World:
    return worlds.Classes(integer(keys["n"], "world classes: n", 2))


_Builder = Callable[[dict[str, str]], worlds.World]
_NAMED: dict[str, tuple[tuple[str, ...], _Builder]] = {
    "sphere": (("d", "conc"), _sphere),
    "hypercube": (("d", "flip"), _hypercube),
    "classes": (("n",), _classes),
}


class _Number(str):
    """The text of a JSON number, kept so that it can be read exactly."""

    __slots__ = ()


def _json(path: str) -> dict[str, Any]:
    """Read the JSON object in a file, its numbers as text and its keys unique."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(path, f"key {twice} twice", "must give every key once")
        return found

    try:
        data = json.loads(
            Path(path).read_bytes().decode("utf-8-sig"),
            parse_float=_Number,
            parse_int=_Number,
            parse_constant=_Number,
            object_pairs_hook=unique,
        )
    except OSError as error:
        raise InputError(path, error.strerror, "must be a file that can be read") from None
    except json.JSONDecodeError as error:
        place = f"{error.msg} at line {error.lineno} column {error.colno}"
        raise InputError(path, place, "must be JSON") from None
    except UnicodeDecodeError as error:
        raise InputError(path, f"byte {error.start} not UTF-8", "must be JSON") from None
    except RecursionError:
        raise InputError(path, "deep nesting", "must be an object of arrays") from None
    if not isinstance(data, dict):
        raise InputError(path, type(data).__name__, "must be a JSON object")
    return data


def _entry(value: object, argument: str) -> Fraction:
    if not isinstance(value, str):
        raise InputError(argument, json.dumps(value), "must be a number or a string such as 1/3")
    return exact_number(value, argument)


def _row(value: object, argument: str) -> tuple[Fraction, ...]:
    if not isinstance(value, list) or not value:
        raise InputError(argument, json.dumps(value), "must be a non-empty array")
    return tuple(_entry(x, f"{argument} entry {j}") for j, x in enumerate(value))


def _matrix(value: object, argument: str, shape: str) -> tuple[tuple[Fraction, ...], ...]:
    if not isinstance(value, list) or not value:
        raise InputError(
            argument, json.dumps(value), f"must be a non-empty {shape} array of arrays"
        )
    rows = tuple(_row(row, f"{argument} row {i}") for i, row in enumerate(value))
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            rule = f"must have {len(rows[0])} like row 0"
            raise InputError(f"{argument} row {i}", f"{len(row)} entries", rule)
    return rows


def _short(number: Fraction) -> str:
    """Twelve digits of a number, which may be beyond the range of floats."""
    return f"{float(number):.12g}" if abs(number) < 10**300 else "a number beyond 1e300"


def _probabilities(row: Sequence[Fraction], argument: str) -> tuple[Fraction, ...]:
    """Check a row of probabilities; decimals rounded in print are scaled to sum to exactly 1."""
    for j, x in enumerate(row):
        if x < 0:
            raise InputError(f"{argument} entry {j}", _short(x), "must not be negative")
        if x > 1:
            raise InputError(f"{argument} entry {j}", _short(x), "must not exceed 1")
    total = sum(row, Fraction(0))
    if abs(total - 1) > SUM_TOLERANCE:
        raise InputError(argument, f"sum {_short(total)}", "must sum to 1")
    return tuple(row) if total == 1 else tuple(x / total for x in row)


def read_json(path: str) -> worlds.FiniteWorld:
    """Read a finite world: ``phi`` N x d unit rows, ``pi`` N, ``positive`` N x N.

    Numbers are exact: decimals, or strings such as ``"1/3"``.  A row of probabilities must sum to
    1 within 1e-9 and is then divided by its sum, so that rows printed with rounded decimals are
    accepted and still sum to exactly 1.  Norms must be 1 within 1e-6 and are left as they are.
    """
    data = _json(path)
    names = ("phi", "pi", "positive")
    for name in data:
        if name not in names:
            raise InputError(path, f"key {name}", f"must have the keys {', '.join(names)} only")
    for name in names:
        if name not in data:
            raise InputError(path, f"no key {name}", f"must have the keys {', '.join(names)}")
    phi = _matrix(data["phi"], "phi", "N x d")
    size = len(phi)
    for i, row in enumerate(phi):
        norm = math.hypot(*(float(min(abs(x), Fraction(10**9))) for x in row))
        _check_norm(norm, f"phi row {i}", UNIT_TOLERANCE)
    pi = _row(data["pi"], "pi")
    if len(pi) != size:
        raise InputError("pi", f"{len(pi)} entries", f"must have {size} like the rows of phi")
    positive = _matrix(data["positive"], "positive", "N x N")
    if (len(positive), len(positive[0])) != (size, size):
        shape = f"shape {len(positive)} x {len(positive[0])}"
        raise InputError("positive", shape, f"must be {size} x {size} like the rows of phi")
    return worlds.FiniteWorld.from_exact(
        phi,
        _probabilities(pi, "pi"),
        [_probabilities(row, f"positive row {i}") for i, row in enumerate(positive)],
        source=path,
    )


def _check_norm(norm: float, argument: str, tolerance: float) -> None:
    if not abs(norm - 1) <= tolerance:
        raise InputError(argument, f"norm {norm:.9g}", _UNIT_RULE.format(tolerance))


def read_npz(path: str, normalise: bool = False) -> worlds.Embeddings:
    """Read embeddings: arrays ``anchor`` and ``positive`` (n x d), optional ``negative`` (m x d).

    Rows must be unit vectors within 1e-6.  Rows of float16 arrays, or all rows when ``normalise``
    is true, are divided by their norms in float64 (float16 must start within 1e-3 of norm 1).
    """
    arrays = _load(path)
    names = ("anchor", "positive", "negative")
    for name in arrays:
        if name not in names:
            raise InputError(path, f"array {name}", f"must hold {', '.join(names)} only")
    for name in names[:2]:
        if name not in arrays:
            raise InputError(path, f"no array {name}", "must hold the arrays anchor and positive")
    return from_arrays(**arrays, normalise=normalise, source=path)


def from_arrays(
    anchor: np.ndarray[Any, Any],
    positive: np.ndarray[Any, Any],
    negative: np.ndarray[Any, Any] | None = None,
    *,
    normalise: bool = False,
    source: str = "",
) -> worlds.Embeddings:
    """Check arrays as `read_npz` does and return them in float64.

    They may be of any real type and layout, memory-mapped or strided.

    Examples
    --------
    >>> from_arrays(np.eye(3, dtype=np.float16), np.eye(3)[::-1]).anchors
    3
    """
    given = {"anchor": anchor, "positive": positive}
    if negative is not None:
        given["negative"] = negative
    for name, array in given.items():
        _check_kind(array, name)
    if positive.shape != anchor.shape:
        shapes = f"shape {_shape(positive)}"
        raise InputError("positive", shapes, f"must be {_shape(anchor)} like anchor")
    if negative is None and len(anchor) < 2:
        raise InputError("anchor", f"{len(anchor)} row", "must have at least 2 rows")
    if negative is not None and negative.shape[1] != anchor.shape[1]:
        width = f"must have {anchor.shape[1]} columns like anchor"
        raise InputError("negative", f"shape {_shape(negative)}", width)
    rows = {name: _unit_rows(array, name, normalise) for name, array in given.items()}
    return worlds.Embeddings(**rows, source=source)


def _shape(array: np.ndarray[Any, Any]) -> str:
    return " x ".join(map(str, array.shape))


def _load(path: str) -> dict[str, np.ndarray[Any, Any]]:
    """Load every array of an npz archive, without unpickling anything."""

    def refuse(what: object) -> NoReturn:
        raise InputError(path, what, "must be an npz archive of numeric arrays")

    try:
        with open(path, "rb") as stream:
            if not zipfile.is_zipfile(stream):
                refuse("no zip archive")
            stream.seek(0)
            with np.load(stream, allow_pickle=False) as archive:
                names = [name.removesuffix(".npy") for name in archive.zip.namelist()]
                for name in names:
                    if names.count(name) > 1:
                        refuse(f"array {name} twice")
                return {name: archive[name] for name in names}
    except InputError:
        raise
    except OSError as error:
        raise InputError(path, error.strerror or error, "must be a file that can be read") from None
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error, MemoryError) as error:
        refuse(str(error).splitlines()[0] if str(error) else type(error).__name__)


def _check_kind(array: np.ndarray[Any, Any], name: str) -> None:
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu":
        raise InputError(
            name, f"type {getattr(array, 'dtype', type(array))}", "must be real numbers"
        )
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(name, f"shape ({_shape(array)})", "must be rows x columns, neither 0")


def _unit_rows(
    array: np.ndarray[Any, Any], name: str, normalise: bool
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Check the rows of one array and return it in float64."""
    rows = np.ascontiguousarray(array, dtype=np.float64)
    finite = np.isfinite(rows).all(axis=1)
    if not finite.all():
        i = int(np.argmin(finite))
        bad = rows[i][~np.isfinite(rows[i])][0]
        raise InputError(f"{name} row {i}", bad, "must be finite")
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(rows, axis=1)
    if normalise:
        for i in np.flatnonzero((norms == 0) | ~np.isfinite(norms))[:1]:
            raise InputError(f"{name} row {i}", f"norm {norms[i]:g}", "must be positive and finite")
        return np.asarray(rows / norms[:, None], dtype=np.float64)
    half = array.dtype == np.float16
    tolerance = UNIT_TOLERANCE_FLOAT16 if half else UNIT_TOLERANCE
    for i, norm in enumerate(norms.tolist()):
        _check_norm(norm, f"{name} row {i}", tolerance)
    return np.asarray(rows / norms[:, None], dtype=np.float64) if half else rows
