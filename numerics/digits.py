"""Numbers as decimal strings without exponent, rounded to significant digits from exact values.

>>> decimal(Fraction(1, 3), 4), decimal(Fraction(12345678), 3), decimal(Fraction(0), 3)
('0.3333', '12300000', '0')
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

__all__ = ["ball_decimals", "decimal", "exact", "rounded"]


def exact(value: Any) -> Fraction:
    """Return the exact value of an int, Fraction, Decimal, float or mpf.

    Raises
    ------
    ValueError
        If the number is not finite.

    Examples
    --------
    >>> from mpmath import mpf
    >>> exact(mpf("-0.75")), exact(-0.75)
    (Fraction(-3, 4), Fraction(-3, 4))
    """
    if hasattr(value, "man_exp"):  # mpf
        import mpmath

        if not mpmath.isfinite(value):
            raise ValueError(f"{value} is not finite")
        sign, mantissa, exponent, _ = value._mpf_  # `man_exp` drops the sign
        size = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
        return -size if sign else size
    return Fraction(value)


def magnitude(value: Fraction) -> int:
    """Return e with 10^e <= |value| < 10^(e + 1), for a value that is not zero.

    >>> magnitude(Fraction(1, 1000)), magnitude(Fraction(999))
    (-3, 2)
    """
    value = abs(value)
    guess = len(str(value.numerator)) - len(str(value.denominator))
    return guess if Fraction(10) ** guess <= value else guess - 1


def rounded(value: Fraction, digits: int) -> Fraction:
    """Round to significant digits, half to even.

    >>> rounded(Fraction(2, 3), 3)
    Fraction(667, 1000)
    """
    if value == 0:
        return value
    scale = Fraction(10) ** (digits - 1 - magnitude(value))
    return Fraction(round(value * scale)) / scale


def decimal(value: Fraction, digits: int) -> str:
    """Write a number as a decimal string of that many significant digits."""
    if value == 0:
        return "0"
    value = rounded(value, digits)
    places = max(0, digits - 1 - magnitude(value))
    text = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{text[:-places]}.{text[-places:]}" if places else f"{sign}{text}"


def ball_decimals(ball: Any, digits: int) -> tuple[str, str]:
    """Return an Arb ball as (value, radius), both decimal strings.

    The value is the middle rounded to significant digits, without the zeros that end an exact one.
    The radius, rounded up to two digits, covers both the ball and the rounding.

    >>> from flint import arb
    >>> ball_decimals(arb(1) / 8, 5)
    ('0.125', '0')
    >>> ball_decimals(arb(2).sqrt(), 5)
    ('1.4142', '0.000014')
    """
    middle, radius = _dyadic(ball.mid()), _dyadic(ball.rad())
    value = rounded(middle, digits)
    error = abs(middle - value) + radius
    if error == 0:
        text = decimal(value, digits)
        return text.rstrip("0").rstrip(".") if "." in text else text, "0"
    scale = Fraction(10) ** (1 - magnitude(error))
    return decimal(value, digits), decimal(Fraction(ceil(error * scale)) / scale, 2)


def _dyadic(number: Any) -> Fraction:
    mantissa, exponent = number.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
