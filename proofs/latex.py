"""Formulas in LaTeX: one printer for the book, the command line and the tables of constants."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.printing.latex import LatexPrinter

from proofs.symbols import latex_names

__all__ = ["latex"]

#: A fraction with more digits than this is printed as a decimal, if it is one.
_LONG = 10**9


class _Printer(LatexPrinter):  # type: ignore[misc]
    """Prints as one writes: what is added before what is taken away, numbers last, e^{2/tau}."""

    def _as_ordered_terms(self, expr: sympy.Expr, order: str | None = None) -> list[sympy.Expr]:
        terms = super()._as_ordered_terms(expr, order=order)
        return sorted(terms, key=lambda t: (bool(t.could_extract_minus_sign()), bool(t.is_number)))

    def _print_ExpBase(self, expr: sympy.Expr, exp: str | None = None) -> str:
        return str(self._do_exponent(f"e^{{{self._quotient(expr.exp)}}}", exp))

    def _quotient(self, exponent: sympy.Expr) -> str:
        """Print a quotient on one line, where it is one."""
        top, bottom = sympy.fraction(exponent)
        if bottom == 1 or exponent.is_Add:
            return str(self._print(exponent))
        sign = "-" if top.could_extract_minus_sign() else ""
        parts = [self._print(-top if sign else top), self._print(bottom)]
        if top.is_Add:
            parts[0] = rf"\left({parts[0]}\right)"
        if bottom.is_Add or bottom.is_Mul:
            parts[1] = f"({parts[1]})"
        return f"{sign}{parts[0]}/{parts[1]}"

    def _print_Rational(self, expr: sympy.Rational) -> str:
        decimal = _decimal(expr)
        return str(super()._print_Rational(expr)) if decimal is None else decimal


def _decimal(number: sympy.Rational) -> str | None:
    """Return all digits of a long fraction whose denominator divides a power of ten, or None."""
    places = 0
    while number.q > _LONG and 10**places % number.q and places < 60:
        places += 1
    if places == 0 or 10**places % number.q:
        return None
    digits = str(abs(number.p) * 10**places // number.q).rjust(places + 1, "0")
    return f"{'-' if number < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def latex(expression: Any) -> str:
    r"""Print a SymPy expression with the project's symbol names.

    >>> from sympy import Rational, exp
    >>> from proofs.symbols import beta, tau
    >>> print(latex(exp(2 / tau) - 1), latex(1 / tau))
    e^{2/\tau} - 1 \frac{1}{\tau}
    >>> print(latex(exp(-2 / (beta * tau))))
    e^{-2/(\beta \tau)}
    >>> print(latex(Rational(31415926535897, 10**13)))
    3.1415926535897
    """
    printer = _Printer({"symbol_names": latex_names(), "ln_notation": False, "order": "none"})
    return str(printer.doprint(expression))
