"""Worlds with known answers.

The limit of both losses (normalised by k, in nats) as k grows is, for one anchor,

    CE = log E exp(s/tau) - E s_+ / tau.

Three worlds here are homogeneous (every anchor sees the same laws) and have closed forms;
:mod:`numerics.finite_worlds` holds the two that come from data, and :mod:`numerics.laws` what they
have in common.  All five are imported from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import mpmath
import numpy as np

from numerics.finite_worlds import Embeddings, FiniteWorld
from numerics.laws import AnchorLaw, FloatArray, World, decimal_text, real
from numerics.parse import InputError

__all__ = [
    "AnchorLaw",
    "Classes",
    "Embeddings",
    "FiniteWorld",
    "FloatArray",
    "Hypercube",
    "Sphere",
    "World",
]


@dataclass(frozen=True)
class Sphere(World):
    """Negatives uniform on S^{d-1}; the positive von Mises-Fisher about the anchor.

    The similarity of a negative has density proportional to (1 - s^2)^{(d-3)/2}, that of the
    positive the same times e^{conc s}.

    >>> Sphere(3, Fraction(5)).spec()
    'sphere:d=3,conc=5'
    """

    d: int
    conc: Fraction

    MAX_D: ClassVar[int] = 10**4
    MAX_CONC: ClassVar[Fraction] = Fraction(10**4)

    def __post_init__(self) -> None:
        _check("sphere: d", self.d, 2 <= self.d <= self.MAX_D, f"in [2, {self.MAX_D}]")
        ok = 0 <= self.conc <= self.MAX_CONC
        _check("sphere: conc", self.conc, ok, f"in [0, {self.MAX_CONC}]")

    def spec(self) -> str:
        """The text that names this world on the command line."""
        return f"sphere:d={self.d},conc={decimal_text(Fraction(self.conc))}"

    def laws(self, tau: float) -> Iterator[AnchorLaw]:
        """One law: the trapezoidal nodes of :func:`numerics.sphere_nodes.float_nodes`."""
        from numerics.sphere_nodes import float_nodes

        yield AnchorLaw(1.0, *float_nodes(self.d, float(self.conc), tau))

    def _transform(self, x: Any) -> Any:
        """``E exp(x s)`` = 0F1(; d/2; x^2/4), s a coordinate of a uniform point (DLMF 10.32.2)."""
        return _hyp0f1(mpmath.mpf(self.d) / 2, x * x / 4)

    def moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """``0F1(; d/2; j^2/(4 tau^2))``."""
        return self._transform(j / real(tau))

    def positive_moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """A ratio of transforms: exponential tilting adds conc to j/tau."""
        conc = real(self.conc)
        return self._transform(conc + j / real(tau)) / self._transform(conc)

    def mean_positive(self, anchor: int | None = None) -> Any:
        """``I_{d/2}(conc)/I_{d/2-1}(conc)``, the derivative of the log transform."""
        conc, half = real(self.conc), mpmath.mpf(self.d) / 2
        return conc / self.d * _hyp0f1(half + 1, conc**2 / 4) / self._transform(conc)

    def chi2(self) -> Any:
        """``E exp(2 conc s) / (E exp(conc s))^2``, as w = exp(conc s)/E exp(conc s)."""
        conc = real(self.conc)
        return self._transform(2 * conc) / self._transform(conc) ** 2


@dataclass(frozen=True)
class Hypercube(World):
    """Negatives uniform on {-1, 1}^d/sqrt(d); the positive flips each bit of the anchor.

    The similarity is 1 - 2B/d, B the number of differing bits: binomial with probability 1/2 for a
    negative, ``flip`` for the positive.

    >>> Hypercube(20, Fraction(1, 10)).spec()
    'hypercube:d=20,flip=0.1'
    """

    d: int
    flip: Fraction

    MAX_D: ClassVar[int] = 10**4

    def __post_init__(self) -> None:
        _check("hypercube: d", self.d, 1 <= self.d <= self.MAX_D, f"in [1, {self.MAX_D}]")
        _check("hypercube: flip", self.flip, 0 <= self.flip <= 1, "in [0, 1]")

    def spec(self) -> str:
        """The text that names this world on the command line."""
        return f"hypercube:d={self.d},flip={decimal_text(Fraction(self.flip))}"

    def laws(self, tau: float) -> Iterator[AnchorLaw]:
        """One law with d + 1 atoms."""
        with mpmath.workprec(80):
            p = [float(x) for x in binomial_weights(self.d, Fraction(1, 2))]
            m = [float(x) for x in binomial_weights(self.d, self.flip)]
        s = np.array([(self.d - 2 * b) / self.d for b in range(self.d + 1)])
        yield AnchorLaw(1.0, s, np.array(p), np.array(m))

    def moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """``cosh(j/(d tau))^d``: the bits are independent."""
        return mpmath.cosh(j / (self.d * real(tau))) ** self.d

    def positive_moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """``((1 - flip) e^{j/(d tau)} + flip e^{-j/(d tau)})^d``."""
        x, flip = j / (self.d * real(tau)), real(self.flip)
        return ((1 - flip) * mpmath.exp(x) + flip * mpmath.exp(-x)) ** self.d

    def mean_positive(self, anchor: int | None = None) -> Any:
        """``1 - 2 flip``."""
        return 1 - 2 * real(self.flip)

    def chi2(self) -> Any:
        """``(1 + (1 - 2 flip)^2)^d``: per bit w is 2(1 - flip) or 2 flip."""
        return (1 + (1 - 2 * real(self.flip)) ** 2) ** self.d


@dataclass(frozen=True)
class Classes(World):
    """n orthonormal vectors, uniform; the positive is in the anchor's class.

    A negative has s = 1 with probability 1/n, else 0; s_+ = 1.

    >>> Classes(100).spec()
    'classes:n=100'
    """

    n: int

    def __post_init__(self) -> None:
        _check("classes: n", self.n, self.n >= 2, "at least 2")

    def spec(self) -> str:
        """The text that names this world on the command line."""
        return f"classes:n={self.n}"

    def laws(self, tau: float) -> Iterator[AnchorLaw]:
        """One law with two atoms."""
        p = np.array([1 / self.n, (self.n - 1) / self.n])
        yield AnchorLaw(1.0, np.array([1.0, 0.0]), p, np.array([1.0, 0.0]))

    def moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """``1 + (e^{j/tau} - 1)/n``."""
        return 1 + mpmath.expm1(j / real(tau)) / self.n

    def positive_moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """``e^{j/tau}``."""
        return mpmath.exp(j / real(tau))

    def mean_positive(self, anchor: int | None = None) -> Any:
        """1."""
        return mpmath.mpf(1)

    def chi2(self) -> Any:
        """n: w = n on the anchor's class, which has probability 1/n."""
        return mpmath.mpf(self.n)


def _hyp0f1(b: Any, z: Any) -> Any:
    """0F1(; b; z) for z >= 0; its series needs about sqrt(z) terms, more than mpmath allows."""
    return mpmath.hyp0f1(b, z, maxterms=10**7)


def binomial_weights(d: int, q: Fraction) -> list[Any]:
    """Probabilities that b = 0, ..., d of d bits are set, each with probability q, as mpf.

    >>> [float(x) for x in binomial_weights(2, Fraction(1, 2))]
    [0.25, 0.5, 0.25]
    """
    yes, no, count, weights = real(q), real(1 - q), 1, []
    for b in range(d + 1):
        weights.append(count * yes**b * no ** (d - b))
        count = count * (d - b) // (b + 1)
    return weights


def _check(argument: str, value: object, ok: bool, rule: str) -> None:
    if not ok:
        raise InputError(f"world {argument}", value, f"must be {rule}")
