"""One SymPy expression, three evaluators: NumPy arrays, mpmath numbers and Arb balls.

A bound is typed once, as a claim in the ledger; everything that needs its value calls one of these.

>>> from fractions import Fraction
>>> from sympy import exp
>>> from proofs.symbols import tau
>>> f = exp(2 / tau)
>>> float(numpy_function(f, (tau,))(2.0)) == float(mpmath_function(f, (tau,))(2))
True
>>> bool(enclose(exp(2 / tau), {tau: Fraction(2)}) > 2.718)
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

import sympy
from sympy.printing.lambdarepr import LambdaPrinter

__all__ = ["arb_function", "enclose", "mpmath_function", "numpy_function", "to_rational"]

#: An int, a Fraction or a SymPy Rational (SymPy is untyped, so the alias cannot say more).
Number: TypeAlias = Any


def to_rational(value: Number) -> sympy.Rational:
    """Return an exact SymPy rational for an int, a Fraction or a decimal string."""
    if isinstance(value, float):
        raise TypeError("a float is not exact: pass a Fraction or a decimal string")
    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return sympy.Rational(value)


@lru_cache(maxsize=2048)
def numpy_function(expression: sympy.Expr, symbols: tuple[sympy.Symbol, ...]) -> Callable[..., Any]:
    """Return the expression as a function of NumPy arrays (float64), one argument a symbol."""
    return sympy.lambdify(symbols, expression, modules=["scipy", "numpy"])  # type: ignore[no-any-return]


@lru_cache(maxsize=2048)
def mpmath_function(
    expression: sympy.Expr, symbols: tuple[sympy.Symbol, ...]
) -> Callable[..., Any]:
    """Return the expression as a function of mpmath numbers at the working precision."""
    return sympy.lambdify(symbols, expression, modules="mpmath")  # type: ignore[no-any-return]


class _ArbPrinter(LambdaPrinter):  # type: ignore[misc]
    """Prints Python code whose constants are exact and whose functions are Arb's."""

    _methods: ClassVar[dict[str, str]] = {
        "Abs": "__abs__",
        "LambertW": "lambertw",
        "ceiling": "ceil",
        "loggamma": "lgamma",
    }
    _same_name: ClassVar[frozenset[str]] = frozenset(
        [
            "exp",
            "log",
            "sinh",
            "cosh",
            "tanh",
            "sin",
            "cos",
            "tan",
            "atan",
            "asinh",
            "atanh",
            "floor",
            "gamma",
            "erf",
        ]
    )

    def _print_Function(self, expr: sympy.Function) -> str:
        name = type(expr).__name__
        method = name if name in self._same_name else self._methods.get(name)
        if method is not None and len(expr.args) == 1:
            return f"_arb({self._print(expr.args[0])}).{method}()"
        if name == "besseli":
            return f"_besseli({self._print(expr.args[0])}, {self._print(expr.args[1])})"
        raise NotImplementedError(f"no ball arithmetic for {name}")

    _print_exp = _print_log = _print_sinh = _print_cosh = _print_tanh = _print_Function
    _print_ceiling = _print_floor = _print_Function
    _print_sin = _print_cos = _print_tan = _print_atan = _print_Abs = _print_Function

    def _print_Pow(self, expr: sympy.Pow, rational: bool = False) -> str:
        base = f"_arb({self._print(expr.base)})"
        power = expr.exp
        if power == sympy.Rational(1, 2):
            return f"{base}.sqrt()"
        if power == sympy.Rational(-1, 2):
            return f"{base}.rsqrt()"
        if power.is_Integer:
            return f"{base}**{int(power)}"
        return f"{base}**_arb({self._print(power)})"

    def _print_Max(self, expr: sympy.Max) -> str:
        return self._extreme("max", expr)

    def _print_Min(self, expr: sympy.Min) -> str:
        return self._extreme("min", expr)

    def _extreme(self, which: str, expr: sympy.Expr) -> str:
        first, *rest = (f"_arb({self._print(a)})" for a in expr.args)
        for other in rest:
            first = f"{first}.{which}({other})"
        return first

    def _print_Integer(self, expr: sympy.Integer) -> str:
        return f"_arb({int(expr)})"

    def _print_Rational(self, expr: sympy.Rational) -> str:
        return f"_arb(_fmpq({expr.p}, {expr.q}))"

    def _print_Float(self, expr: sympy.Float) -> str:
        raise NotImplementedError("a float has no place in an exact expression")

    def _print_Pi(self, expr: sympy.Expr) -> str:
        return "_arb.pi()"

    def _print_Exp1(self, expr: sympy.Expr) -> str:
        return "_arb(1).exp()"

    def _print_EulerGamma(self, expr: sympy.Expr) -> str:
        return "_arb.const_euler()"


@lru_cache(maxsize=2048)
def arb_function(expression: sympy.Expr, symbols: tuple[sympy.Symbol, ...]) -> Callable[..., Any]:
    """Return the expression as a function of Arb balls.

    Raises
    ------
    NotImplementedError
        If the expression holds a function without ball arithmetic or a floating-point constant.
    ValueError
        If it holds another symbol.
    """
    import flint

    others = sympy.sympify(expression).free_symbols - set(symbols)
    if others:
        raise ValueError(f"no ball is given for {others}")
    names = {symbol: f"x{i}" for i, symbol in enumerate(symbols)}
    renamed = {symbol: sympy.Symbol(name) for symbol, name in names.items()}
    printer = _ArbPrinter({"fully_qualified_modules": False})
    code = printer.doprint(sympy.sympify(expression).xreplace(renamed))
    scope: dict[str, Any] = {
        "_arb": flint.arb,
        "_fmpq": flint.fmpq,
        "_besseli": lambda order, z: flint.arb(z).bessel_i(flint.arb(order)),
    }
    arguments = ", ".join(names.values())
    return eval(f"lambda {arguments}: _arb({code})", scope)  # type: ignore[no-any-return]


def enclose(
    expression: sympy.Expr, at: Mapping[sympy.Symbol, Number] | None = None, *, digits: int = 15
) -> Any:
    """Return an Arb ball around the expression at exact values, good to `digits` digits.

    The working precision is doubled until the ball is small enough.

    Parameters
    ----------
    expression : Expr
        May hold the symbols of `at` and no others.
    at : mapping
        Exact values (int, Fraction or Rational) of the symbols.
    digits : int
        Significant digits wanted.

    Raises
    ------
    ArithmeticError
        If no finite ball is found at 40,000 bits (a pole, or a value that is exactly zero is
        returned as soon as the radius is below ``10**-digits``).
    """
    import flint

    expression = sympy.sympify(expression)
    at = at or {}
    symbols = tuple(at)
    function = arb_function(expression, symbols)
    bits = 64 + 4 * digits
    old = flint.ctx.prec
    try:
        while bits < 40_000:
            flint.ctx.prec = bits
            values = [_ball(at[s]) for s in symbols]
            ball = function(*values)
            if ball.is_finite() and (
                ball.rel_accuracy_bits() > 3.33 * digits + 2
                or (ball.contains(0) and bool(ball.rad() < flint.arb(10) ** (-digits)))
            ):
                return ball
            bits *= 2
    finally:
        flint.ctx.prec = old
    raise ArithmeticError(f"no ball of {digits} digits for {expression}")


def _ball(value: Number) -> Any:
    import flint

    rational = to_rational(value)
    return flint.arb(flint.fmpq(int(rational.p), int(rational.q)))
