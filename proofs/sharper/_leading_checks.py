"""Searches against the leading constant, and its certified values for the table of constants."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sympy import Expr

from proofs.evaluate import enclose
from proofs.evidence import Case, Compared
from proofs.sharper._finite_search import Setting, dcl_bias, search, second_order
from proofs.symbols import tau

__all__ = [
    "best_simplex",
    "c_star_ball",
    "closed_cases",
    "finite_k",
    "k_needed",
    "k_of_simplex",
    "pair_cases",
    "upper_ball",
]


def _float_c_star(at: Setting) -> float:
    from proofs.sharper._simplex_constant import leading_constant

    return float(leading_constant(Fraction(at.t).limit_denominator(10**6)))


def finite_k(*, seed: int, restarts: int, scale: float = 1.0) -> Compared:
    """Search for CE - R_dcl above 2 c* c_k/k at finite k."""
    from proofs.sharper._sufficient_k import leading_factor

    def bound(at: Setting) -> float:
        t = Fraction(at.t).limit_denominator(10**6)
        return scale * 2 * _float_c_star(at) * float(leading_factor(t, at.k)) / at.k

    return search(
        seed=seed,
        restarts=restarts,
        quantity=dcl_bias,
        bound=bound,
        taus=(0.5, 3.0),
        ks=(2, 8, 64),
    )


def best_simplex(*, seed: int, restarts: int, scale: float = 1.0) -> Compared:
    """Search for lim k (CE - R_dcl) above every regular simplex of a whole number of points."""
    from proofs.sharper._simplex_constant import simplex_constant

    def bound(at: Setting) -> float:
        t = Fraction(at.t).limit_denominator(10**6)
        return scale * max(float(simplex_constant(t, points)) for points in range(2, 40))

    return search(seed=seed, restarts=restarts, quantity=second_order, bound=bound, taus=(0.4, 1.5))


def closed_cases(*, closed: Expr, scale: Fraction = Fraction(1)) -> Iterator[Case]:
    """Compare c* with its closed bound, in balls."""
    from proofs.sharper._simplex_constant import leading_constant

    for t in (Fraction(1, 10), Fraction(1), Fraction(3), Fraction(10), Fraction(20)):
        right = enclose(closed, {tau: 1 / t}, digits=30)
        right = right * scale.numerator / scale.denominator
        yield Case(f"t = {t}", leading_constant(t, 30), "<=", right)


def c_star_ball(*, digits: int, tau: Fraction) -> Any:
    """Return c*."""
    from proofs.sharper._simplex_constant import leading_constant

    return leading_constant(1 / Fraction(tau), digits)


def upper_ball(*, digits: int, tau: Fraction, k: int) -> Any:
    """Return 2 c* c_k/k."""
    from proofs.sharper._sufficient_k import leading_bound

    return leading_bound(1 / Fraction(tau), k, digits)


def k_needed(*, digits: int, target: Fraction, tau: Fraction) -> Any:
    """Return the least k with 2 c* c_k/k at most the target."""
    from proofs.sharper._sufficient_k import as_ball, sufficient_k

    return as_ball(sufficient_k("leading-constant", 1 / Fraction(tau), Fraction(target)))


def k_of_simplex(*, digits: int, target: Fraction, tau: Fraction) -> Any:
    """Return the largest k found at which, with one negative less, a simplex exceeds the target."""
    from proofs.sharper._sufficient_k import as_ball, necessary_k

    least = necessary_k(1 / Fraction(tau), Fraction(target))[0]
    return as_ball((least, least))


def pair_cases(*, scale: Fraction = Fraction(1)) -> Iterator[Case]:
    """Compare c*, as a maximum over many simplices of a real number of points, with the pair."""
    from flint import arb, fmpq

    from proofs.sharper._simplex_constant import leading_constant, ratio_constant

    for t in (Fraction(1, 10), Fraction(1, 2), Fraction(4, 5)):
        pair = arb(fmpq(t.numerator, t.denominator)).tanh() ** 2 / 2
        for v in (Fraction(1, 50), Fraction(1, 3), Fraction(9, 10)):
            largest = pair * scale.numerator / scale.denominator
            yield Case(f"t = {t}, u = 1 + {v}", ratio_constant(t, v), "<=", largest)
    for t in (Fraction(81, 100), Fraction(1), Fraction(3)):
        pair = arb(fmpq(t.numerator, t.denominator)).tanh() ** 2 / 2
        yield Case(f"t = {t}", pair, "<", leading_constant(t))
