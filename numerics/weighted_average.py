"""The self-normalised weighted average of lemma 3 on finite spaces, exactly and in float64.

Atoms 0..N-1 carry two laws, pi and nu; w = dnu/dpi. Of m independent draws from pi,

    T = sum f(xi_j) w(xi_j) / sum w(xi_j)

estimates E_nu f. Where all m weights vanish T is undefined, and any value in [-1, 1] may stand for
it. The bias E T - E_nu f is linear in f and in that value, so the worst f with values in [-1, 1] is
a vertex, and the worst bias is a sum of absolute values.

>>> half = Fraction(1, 2)
>>> mean_weights((half, half), (Fraction(1), Fraction(0)), 3)
((Fraction(7, 8), Fraction(0, 1)), Fraction(1, 8))
>>> worst_bias((half, half), (Fraction(1), Fraction(0)), 3)
Fraction(1, 4)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import factorial

import numpy as np
import numpy.typing as npt

__all__ = [
    "compositions",
    "density",
    "mean_inverse",
    "mean_square",
    "mean_weights",
    "second_moment",
    "sharp_bound",
    "smooth_bias",
    "worst_bias",
]

FloatArray = npt.NDArray[np.float64]
Law = Sequence[Fraction]
ZERO = Fraction(0)


def density(pi: Law, nu: Law) -> tuple[Fraction, ...]:
    """Return w = dnu/dpi; every atom must have pi > 0.

    >>> density((Fraction(1, 3), Fraction(2, 3)), (Fraction(1), Fraction(0)))
    (Fraction(3, 1), Fraction(0, 1))
    """
    return tuple(n / p for n, p in zip(nu, pi, strict=True))


def second_moment(pi: Law, nu: Law) -> Fraction:
    """Return E_pi[w^2], at least 1.

    >>> second_moment((Fraction(1, 3), Fraction(2, 3)), (Fraction(1), Fraction(0)))
    Fraction(3, 1)
    """
    return sum((n * n / p for n, p in zip(nu, pi, strict=True)), ZERO)


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield every way of writing `total` as an ordered sum of `parts` numbers >= 0.

    >>> list(compositions(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def counts(pi: Law, m: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield how often each atom may be drawn, with its multinomial probability."""
    for drawn in compositions(m, len(pi)):
        chance = Fraction(factorial(m))
        for p, times in zip(pi, drawn, strict=True):
            chance *= p**times / factorial(times)
        if chance:
            yield drawn, chance


def mean_weights(pi: Law, nu: Law, m: int) -> tuple[tuple[Fraction, ...], Fraction]:
    """Return the expected share of each atom in T, and the probability that all weights vanish.

    Parameters
    ----------
    pi, nu : sequence of Fraction
        Laws on N atoms; pi must be positive.
    m : int
        Number of draws, at least 1. The work is the number of compositions of m into N parts.

    Returns
    -------
    (shares, vanishing)
        ``E T = sum f_i shares_i``, plus the agreed value times `vanishing`.
    """
    w = density(pi, nu)
    shares, vanishing = [ZERO] * len(w), ZERO
    for drawn, chance in counts(pi, m):
        total = sum((times * weight for times, weight in zip(drawn, w, strict=True)), ZERO)
        if not total:
            vanishing += chance
            continue
        for i, times in enumerate(drawn):
            shares[i] += chance * times * w[i] / total
    return tuple(shares), vanishing


def worst_bias(pi: Law, nu: Law, m: int) -> Fraction:
    """Return the largest absolute bias over f and agreed values in [-1, 1]."""
    shares, vanishing = mean_weights(pi, nu, m)
    return sum((abs(s - n) for s, n in zip(shares, nu, strict=True)), vanishing)


def mean_inverse(pi: Law, nu: Law, m: int, own: Fraction) -> Fraction:
    """Return h(w) = E[m/(w + w_2 + .. + w_m)] at w = `own` > 0.

    >>> mean_inverse((Fraction(1, 2),) * 2, (Fraction(1), Fraction(0)), 2, Fraction(2))
    Fraction(3, 4)
    """
    w = density(pi, nu)
    return sum(
        (
            chance * m / (own + sum((t * x for t, x in zip(drawn, w, strict=True)), ZERO))
            for drawn, chance in counts(pi, m - 1)
        ),
        ZERO,
    )


def sharp_bound(pi: Law, nu: Law, m: int) -> Fraction:
    """Return 2 E_nu[(w - 1)^+/(w + m - 1)], the bound of `lemma-3-sharp`.

    >>> sharp_bound((Fraction(1, 2),) * 2, (Fraction(1), Fraction(0)), 1)
    Fraction(1, 1)
    """
    w = density(pi, nu)
    terms = (n * max(x - 1, ZERO) / (x + m - 1) for n, x in zip(nu, w, strict=True) if n)
    return 2 * sum(terms, ZERO)


def smooth_bias(
    values: FloatArray, negatives: FloatArray, positives: FloatArray, m: int
) -> tuple[float, float]:
    """Return the bias of T for one function, and the bound of `lemma-3-sharp`, in float64.

    h(w) is the integral over u > 0 of ``e^{-uw/m} L(u/m)^{m-1}``, L the Laplace transform of the
    weight of one draw; the trapezoidal rule in log u is good to about 1e-10. Where all weights
    vanish 0 stands for T.

    Parameters
    ----------
    values : (N,) array
        f on the atoms.
    negatives, positives : (N,) arrays
        The laws pi and nu on the atoms; nu = 0 where pi = 0.
    m : int
        Number of draws, at least 1.

    Examples
    --------
    >>> pi, nu = np.array([0.5, 0.5]), np.array([1.0, 0.0])
    >>> round(smooth_bias(np.array([1.0, -1.0]), pi, nu, 3)[0], 10)
    -0.125
    """
    kept = negatives > 0
    f, p, nu = values[kept], negatives[kept], positives[kept]
    w = nu / p
    seen = w > 0
    log_u = np.arange(-45.0, np.log(60.0 * m / w[seen].min()) + 1, 0.05)
    v = np.exp(log_u) / m
    least = w.min()
    fall = -np.outer(w - least, v)
    lost = p @ np.expm1(fall)
    # 1 + lost is accurate near 1; where it is small, the logarithm is taken of the sum itself.
    summed = np.logaddexp.reduce(np.log(p)[:, None] + fall, axis=0)
    log_laplace = np.where(lost > -0.5, np.log1p(np.maximum(lost, -0.5)), summed)
    log_decay = (m - 1) * (log_laplace - least * v)
    h = 0.05 * np.exp(log_decay + log_u - np.outer(w[seen], v)).sum(axis=1)
    bias = float(f[seen] * nu[seen] @ h - f @ nu)
    excess = np.maximum(w[seen] - 1, 0) / (w[seen] + m - 1)
    return bias, float(2 * nu[seen] @ excess)


def mean_square(pi: Law, nu: Law, m: int, values: Sequence[Fraction], agreed: Fraction) -> Fraction:
    """Return E (T - E_nu f)^2 exactly; `agreed` stands for T where all weights vanish.

    >>> half = Fraction(1, 2)
    >>> mean_square((half, half), (Fraction(1), Fraction(0)), 1, (half, half), Fraction(0))
    Fraction(1, 8)
    """
    w = density(pi, nu)
    mean = sum((n * x for n, x in zip(nu, values, strict=True)), ZERO)
    square = ZERO
    for drawn, chance in counts(pi, m):
        shares = [times * weight for times, weight in zip(drawn, w, strict=True)]
        total = sum(shares, ZERO)
        average = agreed
        if total:
            average = sum((s * x for s, x in zip(shares, values, strict=True)), ZERO) / total
        square += chance * (average - mean) ** 2
    return square
