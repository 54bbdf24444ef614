"""Options that several commands share, and how answers are written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import typer

from numerics.parse import InputError, integer, positive

#: Largest temperature: beyond, every similarity counts the same to any number of digits in use.
MAX_TAU = 10**50


def read(text: str | None, argument: str, reader: Callable[..., Any] = positive) -> Any:
    """Read an optional number with a reader of `numerics.parse`; None stays None."""
    return None if text is None else reader(text, argument)


def temperature(text: str) -> Fraction:
    """Return --tau, greater than 0 and at most 1e50.

    Raises
    ------
    InputError
        For anything else.
    """
    tau = positive(text, "--tau")
    if tau > MAX_TAU:
        raise InputError("--tau", text, "must be at most 1e50")
    return tau


Loss = Literal["infonce", "dcl"]


def loss_name(text: str) -> Loss:
    """Return "infonce" or "dcl".

    Raises
    ------
    InputError
        For anything else.
    """
    if text == "infonce":
        return "infonce"
    if text == "dcl":
        return "dcl"
    raise InputError("--loss", text, "must be infonce or dcl")


def one_of(text: str, argument: str, choices: tuple[str, ...]) -> str:
    """Return the text if it is one of the choices.

    Raises
    ------
    InputError
        Naming the choices otherwise.
    """
    if text not in choices:
        raise InputError(argument, text, f"must be one of {', '.join(choices)}")
    return text


def digits_option(text: str | None, default: int = 15) -> int:
    """Return --digits, from 1 to 1000."""
    return default if text is None else integer(text, "--digits", 1, 1000)


def check_file(path: Path, argument: str) -> None:
    """Refuse, before anything is computed, a file that could not be written afterwards.

    Raises
    ------
    InputError
        If it is a folder, or not in a folder that exists and can be written.
    """
    if path.is_dir():
        raise InputError(argument, path, "must not be a folder")
    if not path.parent.is_dir():
        raise InputError(argument, path, "must be in a folder that exists")
    if not os.access(path.parent, os.W_OK):
        raise InputError(argument, path, "must be in a folder that can be written")


def write_file(path: Path, text: str, argument: str) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError(argument, path, f"cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise InputError(argument, path, f"cannot be written: {error.strerror}") from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def answer(text: str) -> None:
    """Print an answer on standard output."""
    typer.echo(text)
