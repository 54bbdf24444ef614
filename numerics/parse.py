"""Exact numbers and worlds from untrusted text, and the one error that bad input raises.

A number typed by a user is a :class:`fractions.Fraction` from the start: ``0.3`` is three tenths,
not the nearest binary float.  Everything refused raises :class:`InputError`, whose text is one line
that names the argument, the value and the rule.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numerics.worlds import Embeddings, World

__all__ = ["InputError", "embeddings", "exact_number", "integer", "positive", "world"]

#: Largest power of ten accepted in a number: keeps ``1e999999999`` from filling memory.
MAX_EXPONENT = 400
#: Longest text accepted as a number.
MAX_LENGTH = 400

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE](?P<exponent>[+-]?[0-9]+))?")
_RATIO = re.compile(r"[+-]?[0-9]+/[0-9]+")
_NUMBER_RULE = "must be a finite number such as 0.3, 3/10 or 1e9"


class InputError(ValueError):
    """Input that breaks a rule.

    Attributes
    ----------
    argument : str
        What was given: an option, a file, an entry of a file.
    value : object
        The offending value.
    rule : str
        What it should have been.

    Examples
    --------
    >>> print(InputError("tau", "-1", "must be greater than 0"))
    tau: got -1; must be greater than 0
    """

    def __init__(self, argument: str, value: object, rule: str) -> None:
        super().__init__(argument, value, rule)
        self.argument = argument
        self.value = value
        self.rule = rule

    def __str__(self) -> str:
        return f"{_line(self.argument)}: got {_line(self.value)}; {_line(self.rule)}"


def _line(value: object, limit: int = 200) -> str:
    """Render any value on one printable line of bounded length."""
    text = str(value)
    if not text:
        return "''"
    if not text.isprintable():
        text = ascii(text)
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def exact_number(text: str | int | Fraction, argument: str) -> Fraction:
    """Read a number exactly.

    Parameters
    ----------
    text : str, int or Fraction
        A decimal (``0.3``, ``1e9``) or a ratio of integers (``3/10``).
    argument : str
        What the number is, for the error message.

    Returns
    -------
    Fraction
        The number, unrounded.

    Raises
    ------
    InputError
        If the text is no finite number, or has more than 400 characters or a power of ten beyond
        400 either way.

    Examples
    --------
    >>> exact_number("0.3", "tau")
    Fraction(3, 10)
    >>> exact_number("nan", "tau")
    Traceback (most recent call last):
        ...
    numerics.parse.InputError: tau: got nan; must be a finite number such as 0.3, 3/10 or 1e9
    """
    if isinstance(text, bool) or not isinstance(text, str | int | Fraction):
        raise InputError(argument, text, _NUMBER_RULE)
    if not isinstance(text, str):
        return Fraction(text)
    stripped = text.strip()
    if len(stripped) > MAX_LENGTH:
        raise InputError(argument, stripped, f"must have at most {MAX_LENGTH} characters")
    decimal = _DECIMAL.fullmatch(stripped)
    if decimal is not None:
        exponent = decimal["exponent"]
        if exponent is not None and abs(int(exponent)) > MAX_EXPONENT:
            raise InputError(
                argument, stripped, f"must have a power of ten between -{MAX_EXPONENT} and "
                f"{MAX_EXPONENT}"
            )  # fmt: skip
        return Fraction(stripped)
    if _RATIO.fullmatch(stripped) is None:
        raise InputError(argument, stripped, _NUMBER_RULE)
    try:
        return Fraction(stripped)
    except ZeroDivisionError:
        raise InputError(argument, stripped, "must not divide by zero") from None


def positive(text: str | int | Fraction, argument: str) -> Fraction:
    """Read an exact number greater than zero.

    Examples
    --------
    >>> positive("1e-2", "tau")
    Fraction(1, 100)
    """
    number = exact_number(text, argument)
    if number <= 0:
        raise InputError(argument, text, "must be greater than 0")
    return number


def integer(
    text: str | int | Fraction, argument: str, at_least: int = 1, at_most: int | None = None
) -> int:
    """Read an exact integer; ``1e9`` is one, ``1.5`` is not.

    Examples
    --------
    >>> integer("1e9", "k")
    1000000000
    """
    number = exact_number(text, argument)
    if number.denominator != 1:
        raise InputError(argument, text, "must be an integer")
    if number < at_least:
        raise InputError(argument, text, f"must be at least {at_least}")
    if at_most is not None and number > at_most:
        raise InputError(argument, text, f"must be at most {at_most}")
    return number.numerator


def world(text: str) -> World:
    """Read a world: a name with keys, or a path to ``world.json`` or ``embeddings.npz``.

    Parameters
    ----------
    text : str
        ``sphere:d=7,conc=5`` (2 <= d <= 10^4, 0 <= conc <= 10^4), ``hypercube:d=20,flip=0.1``
        (1 <= d <= 10^4, 0 <= flip <= 1), ``classes:n=100`` (n >= 2), or the path of a ``.json`` or
        ``.npz`` file (:mod:`numerics.world_files`).  Every key is required, each once, no other.

    Raises
    ------
    InputError
        Naming the key, row or entry and the rule it breaks.

    Examples
    --------
    >>> world("classes:n=100")
    Classes(n=100)
    >>> world("sphere:d=7")
    Traceback (most recent call last):
        ...
    numerics.parse.InputError: world sphere: got d=7; must give conc
    """
    from numerics import world_files

    return world_files.read(text)


def embeddings(path: str, normalise: bool = False) -> Embeddings:
    """Read an ``embeddings.npz`` file, on request scaling every row to norm 1.

    Raises
    ------
    InputError
        If the file is not such a file, or a row is not a unit vector (within 1e-6; 1e-3 for
        float16) while ``normalise`` is false.
    """
    from numerics import world_files

    return world_files.read_npz(path, normalise=normalise)
