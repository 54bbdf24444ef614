"""Slow references, straight from the definitions.

Every function takes parameters and nothing else, works at the precision of mpmath
(``mpmath.workdps``), and shares no code with the rest of the project: no worlds, no scaled
variables, no closed forms.  What each one is independent of is said in its docstring.

A finite law is given by similarities ``s`` with negatives' probabilities ``p`` and positive's
probabilities ``m`` for one anchor; all may be ints, floats, Fractions or mpf.  Losses are in nats,
normalised by k: log(1/k + (1/k) sum_j exp((s_j - s_+)/tau)) for InfoNCE, without the first 1/k for
DCL.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import factorial, prod
from typing import Any

from mpmath import mp, mpf
from mpmath.calculus.quadrature import GaussLegendre

__all__ = [
    "bias_by_integral",
    "expected_cross_entropy",
    "limit",
    "risk_by_enumeration",
    "sphere_bias",
    "sphere_expectation",
    "sphere_pair_risk",
    "sphere_square_of_density",
]


def _mpf(x: Any) -> Any:
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpf(x)


def _all(values: Sequence[Any]) -> list[Any]:
    return [_mpf(x) for x in values]


def _multisets(size: int, draws: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """All multisets of atoms, each with its number of orderings."""
    for pick in itertools.combinations_with_replacement(range(size), draws):
        orderings = factorial(draws) // prod(factorial(c) for c in Counter(pick).values())
        yield pick, orderings


def risk_by_enumeration(
    s: Sequence[Any], p: Sequence[Any], m: Sequence[Any], tau: Any, k: int, loss: str
) -> Any:
    """Risk of one anchor: the loss averaged over all outcomes of k negatives and the positive.

    Independent of every formula: it is the definition.  The cost grows like N^{k+1}/k!.

    >>> mp.nprint(risk_by_enumeration([1, -1], [0.5, 0.5], [1, 0], 1, 1, "dcl"), 10)
    -1.0
    """
    s, p, m, tau = _all(s), _all(p), _all(m), _mpf(tau)
    total = mpf(0)
    for pick, orderings in _multisets(len(s), k):
        chance = orderings * mp.fprod(p[i] for i in pick)
        for plus, weight in zip(s, m, strict=True):
            inside = mp.fsum(mp.exp((s[i] - plus) / tau) for i in pick)
            if loss == "infonce":
                inside += 1
            total += chance * weight * mp.log(inside / k)
    return total


def limit(s: Sequence[Any], p: Sequence[Any], m: Sequence[Any], tau: Any) -> Any:
    """CE of one anchor: -(1/tau) E s_+ + log E exp(s/tau).

    >>> mp.nprint(limit([1, -1], [0.5, 0.5], [1, 0], 1), 10)
    -0.5662191695
    """
    s, p, m, tau = _all(s), _all(p), _all(m), _mpf(tau)
    return mp.log(mp.fdot(p, [mp.exp(x / tau) for x in s])) - mp.fdot(m, s) / tau


def expected_cross_entropy(
    s: Sequence[Any], p: Sequence[Any], m: Sequence[Any], tau: Any, points: int, empty: Any = 0
) -> Any:
    """CEhat of one anchor: the mean of CrossEnt[Mhat || Qhat] over all outcomes of unseen points.

    Mhat weighs a point by w = m/p; where all weights vanish, its average of s is taken to be
    ``empty``.  Independent of every formula: it is the definition.

    >>> mp.nprint(expected_cross_entropy([1, -1], [0.5, 0.5], [1, 0], 1, 1), 10)
    -0.5
    """
    s, p, m, tau = _all(s), _all(p), _all(m), _mpf(tau)
    w = [b / a if a else mpf(0) for a, b in zip(p, m, strict=True)]
    total = mpf(0)
    for pick, orderings in _multisets(len(s), points):
        chance = orderings * mp.fprod(p[i] for i in pick)
        weights = mp.fsum(w[i] for i in pick)
        average = mp.fsum(w[i] * s[i] for i in pick) / weights if weights else _mpf(empty)
        mean = mp.fsum(mp.exp(s[i] / tau) for i in pick) / points
        total += chance * (mp.log(mean) - average / tau)
    return total


Transform = Callable[[Any], Any]


def _bias(L: Transform, P: Transform, k: int, loss: str, extremes: tuple[Any, Any]) -> Any:
    """Integrate (e^{-u} - L(u/k)^k P(u/k)) du/u over log u, to relative accuracy.

    ``extremes`` are the smallest and largest Y.  Errors of the rule are absolute, so the sum is
    repeated with more digits if it turns out small.
    """
    wanted, extra = mp.dps, len(str(k))
    while True:
        with mp.workdps(wanted + extra):
            value = _sum(L, P, k, loss, extremes)
            needed = 2 - int(mp.floor(mp.log10(abs(value))))
        if needed <= extra:
            return +value
        extra = needed


def _sum(L: Transform, P: Transform, k: int, loss: str, extremes: tuple[Any, Any]) -> Any:
    nats = (mp.dps + 5) * mp.log(10)
    low = -nats - mp.log(max(1, extremes[1] / k)) - mp.log(k)
    high = mp.log(nats / min(1, extremes[0]))
    # The integrand is of the size of u/k or u^2/k for small u.
    precise = 3 * mp.dps + 20

    def integrand(v: Any) -> Any:
        with mp.workdps(precise):
            u = mp.exp(v)
            value = L(u / k) ** k
            if loss == "infonce":
                value *= P(u / k)
            return mp.exp(-u) - value

    pieces = mp.linspace(low, high, 2 + int((high - low) / 2))
    return mp.quad(integrand, pieces, method="gauss-legendre")


def bias_by_integral(
    s: Sequence[Any], p: Sequence[Any], m: Sequence[Any], tau: Any, k: int, loss: str
) -> Any:
    """Risk less limit of one anchor for any k, by log x = int (e^{-u} - e^{-u x}) du/u.

    With x = (Y_+ + Y_1 + ... + Y_k)/(k mu) the integrand is e^{-u} - P(u/k) L(u/k)^k.  It is
    written just so, with the digits that cancel made up for by precision, and integrated over
    log u by Gauss rules of mpmath.  Independent of recurrences, moments and node grids; it shares
    the integral itself with the exact evaluator, which :func:`risk_by_enumeration` does not.

    >>> atoms = [1, -1], [0.5, 0.5], [1, 0]
    >>> with mp.workdps(10):
    ...     a = bias_by_integral(*atoms, 1, 2, "infonce")
    ...     b = risk_by_enumeration(*atoms, 1, 2, "infonce") - limit(*atoms, 1)
    ...     mp.almosteq(a, b, 1e-8)
    True
    """

    def transform(weights: Sequence[Any]) -> Transform:
        return lambda w: mp.fdot(_all(weights), [mp.exp(-w * y) for y in scaled(mp.prec)])

    @cache
    def scaled(bits: int) -> list[Any]:  # Y, once for every working precision
        terms = [mp.exp(x / _mpf(tau)) for x in _all(s)]
        mu = mp.fdot(_all(p), terms)
        return [x / mu for x in terms]

    used = [y for y, a, b in zip(scaled(mp.prec), p, m, strict=True) if a or b]
    return _bias(transform(p), transform(m), k, loss, (min(used), max(used)))


def sphere_expectation(f: Callable[[Any], Any], d: int, tilt: Any = 0) -> Any:
    """E f(s) for s = <u, U>, U of density proportional to e^{tilt <u, U>} on S^{d-1}.

    By quadrature over the angle, against (sin angle)^{d-2}.  Independent of Bessel functions and of
    the substitution used for atoms.

    >>> mp.nprint(sphere_expectation(lambda s: s**2, 3), 10)
    0.3333333333
    """
    nodes = _angles(d, _mpf(tilt), mp.prec)
    return mp.fsum(weight * f(s) for s, weight in nodes)


@cache
def _angles(d: int, tilt: Any, bits: int) -> list[tuple[Any, Any]]:
    """Cosines and normalised weights of a Gauss-Legendre rule of 48 points on each of 4 pieces.

    It integrates functions as smooth as exp(s/tau) and exp(-w exp(s/tau)) to 15 digits for
    tau >= 0.2.
    """
    rule = GaussLegendre(mp).calc_nodes(5, bits + 20)
    with mp.workprec(bits + 20):
        pairs = []
        for piece in range(4):
            for x, weight in rule:
                angle = mp.pi / 4 * (piece + (1 + x) / 2)
                s = mp.cos(angle)
                density = mp.exp(tilt * (s - 1)) * mp.sin(angle) ** (d - 2)
                pairs.append((s, weight * density))
        total = mp.fsum(weight for _, weight in pairs)
        return [(s, weight / total) for s, weight in pairs]


def sphere_square_of_density(d: int, conc: Any) -> Any:
    """E w^2 for w the density of the tilted law with respect to the uniform one.

    >>> mp.nprint(sphere_square_of_density(3, 0), 10)
    1.0
    """
    conc = _mpf(conc)
    mean = sphere_expectation(lambda s: mp.exp(conc * s), d)
    return sphere_expectation(lambda s: (mp.exp(conc * s) / mean) ** 2, d)


def sphere_pair_risk(d: int, conc: Any, tau: Any) -> Any:
    """InfoNCE risk with k = 1: E log(1 + exp((s - s_+)/tau)), by quadrature in two dimensions.

    Independent of every formula: it is the definition.
    """
    tau = _mpf(tau)

    def inner(plus: Any) -> Any:
        return sphere_expectation(lambda s: mp.log1p(mp.exp((s - plus) / tau)), d)

    return sphere_expectation(inner, d, conc)


def sphere_bias(d: int, conc: Any, tau: Any, k: int, loss: str) -> Any:
    """Risk less limit for any k, both expectations in the integral by quadrature over the angle.

    What is independent is as in :func:`bias_by_integral` and :func:`sphere_expectation`.
    """
    tau = _mpf(tau)

    def transform(tilt: Any) -> Transform:
        return lambda w: sphere_expectation(lambda s: mp.exp(-w * mp.exp(s / tau) / mu), d, tilt)

    with mp.extradps(20):
        mu = sphere_expectation(lambda s: mp.exp(s / tau), d)
        extremes = mp.exp(-1 / tau) / mu, mp.exp(1 / tau) / mu
    return _bias(transform(0), transform(conc), k, loss, extremes)
