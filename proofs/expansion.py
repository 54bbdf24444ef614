r"""The finite-k risk around its cross-entropy limit, to any order in 1/k, derived with SymPy.

For one anchor and its positive write Y = exp(s/tau) for a negative, mu = E Y, r = Y_+/mu,
X = mu-hat/mu - 1 and u = r/k + X. Then loss - limit averages to E log(1 + u), and the cumulants
of u are r/k (the first) and kappa_j k^{1-j}, kappa_j being the j-th cumulant of Y over mu^j. So
E u^p is a polynomial in 1/k that starts at order ceil(p/2), and E log(1 + u) needs p up to 2J only
for the coefficients of 1/k, ..., 1/k^J. DCL is r = 0.

>>> coefficients(1)
(-kappa_2/2 + r,)
>>> coefficients(1, loss="dcl")
(-kappa_2/2,)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any, Literal

import sympy
from sympy import Expr, Integer, Rational, Symbol, exp, hyper, powsimp
from sympy.polys.rings import PolyElement, ring

from proofs.symbols import declare, tau

if TYPE_CHECKING:
    from numerics.worlds import World

__all__ = [
    "closed_form",
    "coefficients",
    "cumulants",
    "kappa",
    "moment_polynomial",
    "r",
    "values",
]

Loss = Literal["infonce", "dcl"]

r = declare("r", "r", "Y_+/mu: the positive's exponential over the negatives' mean", positive=True)


def kappa(j: int) -> Symbol:
    """Return the symbol of the j-th cumulant of Y divided by mu^j, j >= 2.

    >>> kappa(2)
    kappa_2
    """
    meaning = f"cumulant of order {j} of Y = exp(s/tau), divided by mu^{j}"
    return declare(f"kappa_{j}", rf"\kappa_{{{j}}}", meaning, real=True)


@lru_cache(maxsize=8)
def _moments(order: int) -> tuple[Any, list[PolyElement]]:
    """Return the ring and E u^p, p = 0..2*order, as polynomials cut beyond eps^order."""
    names = ["eps", "r", *(f"kappa_{j}" for j in range(2, 2 * order + 1))]
    polynomials, eps, first, *others = ring(names, sympy.QQ)
    cumulant: dict[int, PolyElement] = {1: first * eps}
    for j, symbol in enumerate(others, 2):
        if j - 1 <= order:
            cumulant[j] = symbol * eps ** (j - 1)
    moments = [polynomials.one]
    for p in range(1, 2 * order + 1):
        total = polynomials.zero
        for i in range(1, p + 1):
            if i in cumulant:
                total += comb(p - 1, i - 1) * cumulant[i] * moments[p - i]
        moments.append(_cut(total, order))
    return polynomials, moments


def _cut(polynomial: PolyElement, order: int) -> PolyElement:
    return polynomial.ring.from_dict({m: c for m, c in polynomial.items() if m[0] <= order})


def moment_polynomial(p: int, eps: Expr) -> Expr:
    """Return E u^p exactly, as a polynomial in eps = 1/k, r and the kappa_j.

    It follows from the recursion of moments by cumulants, m_p = sum_i C(p-1, i-1) c_i m_{p-i}.

    >>> e = Symbol("e")
    >>> moment_polynomial(2, e).expand()
    e**2*r**2 + e*kappa_2
    """
    moments: list[Expr] = [Integer(1)]
    for degree in range(1, p + 1):
        total = Integer(0)
        for i in range(1, degree + 1):
            cumulant = r * eps if i == 1 else kappa(i) * eps ** (i - 1)
            total += comb(degree - 1, i - 1) * cumulant * moments[degree - i]
        moments.append(total)
    return moments[p]


@lru_cache(maxsize=32)
def coefficients(order: int, loss: Loss = "infonce") -> tuple[Expr, ...]:
    """Return c_1, ..., c_order: R = CE + sum_j c_j k^{-j}, for one anchor and positive.

    Parameters
    ----------
    order : int
        At least 1.
    loss : {"infonce", "dcl"}
        DCL has no positive in the denominator: r = 0.

    Returns
    -------
    tuple of Expr
        Polynomials in r and ``kappa(j)``, in nats.

    Raises
    ------
    ValueError
        If the order is less than 1 or the loss unknown.

    Examples
    --------
    >>> coefficients(2)[1]
    -3*kappa_2**2/4 + kappa_2*r + kappa_3/3 - r**2/2
    """
    if order < 1:
        raise ValueError(f"order: got {order}; must be at least 1")
    if loss not in ("infonce", "dcl"):
        raise ValueError(f"loss: got {loss}; must be infonce or dcl")
    polynomials, moments = _moments(order)
    total = polynomials.zero
    for p in range(1, 2 * order + 1):
        total += moments[p] * sympy.QQ((-1) ** (p + 1), p)
    symbols = [Integer(1), r, *(kappa(j) for j in range(2, 2 * order + 1))]
    parts: list[list[Expr]] = [[] for _ in range(order + 1)]
    for monomial, value in total.items():
        if loss == "dcl" and monomial[1]:
            continue
        factors = [s**power for s, power in zip(symbols[1:], monomial[1:], strict=True) if power]
        parts[monomial[0]].append(
            sympy.Mul(Rational(int(value.numerator), int(value.denominator)), *factors)
        )
    return tuple(sympy.Add(*terms) for terms in parts[1:])


def cumulants(moments: Sequence[Any]) -> list[Any]:
    """Return the cumulants of Y over mu^j, j = 2, 3, ..., from E Y, E Y^2, ... (any numbers).

    >>> from fractions import Fraction as F
    >>> cumulants([F(1), F(2), F(6)])  # the exponential law: (j - 1)!
    [Fraction(1, 1), Fraction(2, 1)]
    """
    mean = moments[0]
    return _recursion([moment / mean**j for j, moment in enumerate(moments, 1)])


def _recursion(moments: Sequence[Any]) -> list[Any]:
    """Return the cumulants of order 2 and more of a variable from its moments of order 1, 2, ..."""
    found: list[Any] = []
    for j in range(1, len(moments) + 1):
        value = moments[j - 1]
        for i in range(1, j):
            value = value - comb(j - 1, i - 1) * found[i - 1] * moments[j - i - 1]
        found.append(value)
    return found[1:]


def _averaged(expression: Expr, positive: Sequence[Any], kappas: Sequence[Any]) -> Any:
    """Put numbers in: E r^i for r^i (i from 1), and the kappas."""
    poly = sympy.Poly(expression, r)
    names = {kappa(j): value for j, value in enumerate(kappas, 2)}
    total: Any = 0
    for (power,), factor in poly.terms():
        value = _evaluate(factor, names)
        total = total + (value * positive[power - 1] if power else value)
    return total


def _evaluate(expression: Expr, names: dict[Symbol, Any]) -> Any:
    total: Any = 0
    for term in sympy.Add.make_args(expression):
        coefficient, rest = term.as_coeff_Mul()
        value: Any = None
        for factor in sympy.Mul.make_args(rest):
            base, power = factor.as_base_exp()
            number = names[base] ** int(power) if base in names else 1
            value = number if value is None else value * number
        total = total + value * int(coefficient.p) / int(coefficient.q)
    return total


def _moments_of(world: World, order: int) -> tuple[list[Expr], list[Expr]]:
    """Return E Y^j and E Y_+^j, j = 1..2*order, in closed form for a homogeneous world."""
    from numerics.worlds import Classes, Hypercube, Sphere

    top = range(1, 2 * order + 1)
    if isinstance(world, Sphere):
        half, conc = Rational(world.d, 2), _rational(world.conc)
        base = hyper([], [half], conc**2 / 4) if conc else Integer(1)
        negative = [hyper([], [half], j**2 / (4 * tau**2)) for j in top]
        positive = [hyper([], [half], (conc + j / tau) ** 2 / 4) / base for j in top]
        return negative, positive
    if isinstance(world, Hypercube):
        d, flip = world.d, _rational(world.flip)
        negative = [sympy.cosh(j / (d * tau)) ** d for j in top]
        up, down = [exp(j / (d * tau)) for j in top], [exp(-j / (d * tau)) for j in top]
        positive = [((1 - flip) * a + flip * b) ** d for a, b in zip(up, down, strict=True)]
        return negative, positive
    if isinstance(world, Classes):
        size = Integer(world.n)
        return [(exp(j / tau) + size - 1) / size for j in top], [exp(j / tau) for j in top]
    raise TypeError(f"no closed form for {type(world).__name__}")


def _rational(value: Any) -> Rational:
    fraction = Fraction(value)
    return Rational(fraction.numerator, fraction.denominator)


def closed_form(world: World, order: int, loss: Loss = "infonce") -> tuple[Expr, ...]:
    """Return c_1, ..., c_order of a homogeneous world as expressions in tau.

    Spheres give hypergeometric functions 0F1, hypercubes cosh, orthonormal classes exponentials.

    Raises
    ------
    TypeError
        For a finite world or embeddings, which have numbers only: see `values`.

    Examples
    --------
    >>> from numerics.worlds import Hypercube
    >>> closed_form(Hypercube(1, 0), 1, "dcl")
    (1/2 - cosh(2/tau)/(2*cosh(1/tau)**2),)
    """
    negative, positive = _moments_of(world, order)
    kappas = cumulants(negative[:])
    ratios = [p / negative[0] ** j for j, p in enumerate(positive, 1)]
    return tuple(
        powsimp(sympy.expand(_averaged(c, ratios, kappas))) for c in coefficients(order, loss)
    )


#: Up to this many (anchor, atom) pairs the coefficients are computed with mpmath.
_MANY = 2_000


def values(
    world: World, temperature: Fraction, order: int, loss: Loss = "infonce", digits: int = 15
) -> list[Any]:
    """Return c_1, ..., c_order of any world as numbers, averaged over anchors and positives.

    Small worlds are done with mpmath, whose precision is raised until the digits asked for no
    longer move; worlds of many atoms in float64, from central moments, which do not cancel.

    Examples
    --------
    >>> from numerics.worlds import Classes
    >>> round(float(values(Classes(2), Fraction(1), 1, "dcl")[0]), 10)
    -0.1067761335
    """
    import mpmath

    if world.anchors**2 > _MANY and world.anchors > 1:
        return _float_values(world, temperature, order, loss)
    precision = digits + 15
    previous: list[Any] | None = None
    while precision < 20_000:
        with mpmath.workdps(precision):
            current = _values_at(world, temperature, order, loss)
            if previous is not None and all(
                abs(a - b) <= abs(b) * mpmath.mpf(10) ** (-digits - 3)
                for a, b in zip(previous, current, strict=True)
            ):
                return current
        previous, precision = current, 2 * precision
    raise ArithmeticError("the coefficients did not settle")


def _values_at(world: World, temperature: Fraction, order: int, loss: Loss) -> list[Any]:
    totals: list[Any] = [0] * order
    for anchor in range(world.anchors):
        weight = world.weight(anchor)
        if not weight:
            continue
        negative = [world.moment(j, temperature, anchor) for j in range(1, 2 * order + 1)]
        positive = [world.positive_moment(j, temperature, anchor) for j in range(1, order + 1)]
        ratios = [p / negative[0] ** j for j, p in enumerate(positive, 1)]
        _add(totals, weight, ratios, cumulants(negative), loss)
    return totals


def _float_values(world: World, temperature: Fraction, order: int, loss: Loss) -> list[Any]:
    import numpy as np

    totals: list[Any] = [0.0] * order
    for law in world.laws(float(temperature)):
        y = np.exp((law.s - law.s.max()) / float(temperature))
        y /= law.p @ y
        central = [float(law.p @ (y - 1) ** j) for j in range(1, 2 * order + 1)]
        ratios = [float(law.m @ y**j) for j in range(1, order + 1)]
        _add(totals, law.weight, ratios, _recursion([0.0, *central[1:]]), loss)
    return totals


def _add(
    totals: list[Any], weight: Any, ratios: Sequence[Any], kappas: Sequence[Any], loss: Loss
) -> None:
    for i, coefficient in enumerate(coefficients(len(totals), loss)):
        totals[i] += weight * _averaged(coefficient, ratios, kappas)
