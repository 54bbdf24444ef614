"""What a world is: the law of the similarities that every anchor sees.

A world is a law of (anchor, positive, negative) reduced to what the loss sees: for every anchor,
the law of its similarity s with a negative and the law of its similarity s_+ with its positive.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def real(x: Any) -> Any:
    """The mpf nearest to a number, at the working precision of mpmath.

    >>> real(Fraction(1, 4))
    mpf('0.25')
    """
    if isinstance(x, Fraction):
        return mpmath.mpf(x.numerator) / x.denominator
    return mpmath.mpf(x)


def decimal_text(x: Fraction) -> str:
    """A number as a user would type it: a decimal if it has a finite one, else a ratio.

    >>> decimal_text(Fraction(1, 10)), decimal_text(Fraction(1, 3)), decimal_text(Fraction(-5))
    ('0.1', '1/3', '-5')
    """
    denominator = x.denominator
    twos = (denominator & -denominator).bit_length() - 1
    fives, rest = 0, denominator >> twos
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    places = max(twos, fives)
    if rest != 1 or places == 0:
        return str(x)
    digits = str(abs(x.numerator) * 10**places // denominator).rjust(places + 1, "0")
    return f"{'-' if x < 0 else ''}{digits[:-places]}.{digits[-places:]}"


@dataclass(frozen=True, eq=False)
class AnchorLaw:
    """What one anchor sees: atoms with similarities and two sets of weights.

    Attributes
    ----------
    weight : float
        Probability of the anchor.
    s : (N,) array
        Similarities of the atoms, in [-1, 1] up to rounding.
    p, m : (N,) arrays
        Probabilities of the atoms under the negatives' and the positive's law; each sums to 1.
    """

    weight: float
    s: FloatArray
    p: FloatArray
    m: FloatArray


class World(ABC):
    """A law of (anchor, positive, negative), seen through the similarities.

    Methods that take ``anchor`` return that anchor's value, or the mean over all anchors when it is
    ``None``.  They work at the precision of mpmath (``mpmath.workdps``) and take tau as a Fraction,
    a float or an mpf.
    """

    @abstractmethod
    def spec(self) -> str:
        """The text that names this world on the command line."""

    @property
    def anchors(self) -> int:
        """Number of different anchors; 1 for a homogeneous world."""
        return 1

    def weight(self, anchor: int) -> Any:
        """Probability of an anchor, as an mpf."""
        return mpmath.mpf(1)

    @abstractmethod
    def laws(self, tau: float) -> Iterator[AnchorLaw]:
        """The laws of all anchors of positive probability, as atoms fine enough for this tau."""

    @abstractmethod
    def moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """``E exp(j s/tau)`` for a negative."""

    @abstractmethod
    def positive_moment(self, j: int, tau: Any, anchor: int | None = None) -> Any:
        """``E exp(j s_+/tau)`` for the positive."""

    @abstractmethod
    def mean_positive(self, anchor: int | None = None) -> Any:
        """``E s_+``."""

    @abstractmethod
    def chi2(self) -> Any:
        """``E w(Z, Z')^2``, Z and Z' iid negatives, w the density of the positive's law.

        Infinite where the positive's law has no density.
        """

    def limit(self, tau: Any, anchor: int | None = None) -> Any:
        """CE in nats: the limit of the risk of either loss as k grows.

        >>> from numerics.worlds import Classes
        >>> mpmath.nprint(Classes(2).limit(1), 10)
        -0.379885493
        """
        if anchor is None:
            return mpmath.fsum(
                self.weight(a) * self.limit(tau, a) for a in range(self.anchors) if self.weight(a)
            )
        return mpmath.log(self.moment(1, tau, anchor)) - self.mean_positive(anchor) / real(tau)
