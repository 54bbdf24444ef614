"""The integrals of :mod:`numerics.laplace` for one anchor, at the working precision of Arb.

The same mathematics in other arithmetic, with other nodes and without the recurrence for
e^x - 1 - x: log L + w is computed as such, and the bits that it loses are added to the working
precision (:func:`guard_bits`).  At a node w

* atoms with w Y <= 1/4 contribute through their moments, summed once for every octave of Y;
* the next atoms contribute exp(-w Y), squared from one octave of w to the next;
* atoms beyond contribute nothing.

So the work at a node depends on the atoms within a fixed factor of 1/w only, which is what makes
the 10^4 atoms of a sphere at tau = 0.01 affordable.  Rounding errors are carried by the balls;
errors of the rule are not, and are seen by comparing two evaluations.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain, count
from operator import mul
from typing import Any

import numpy as np
from flint import arb, arb_poly, ctx

from numerics import laplace
from numerics.ball_laws import BallLaw, Balls, ball
from numerics.laws import World

#: Where the upper nodes start, as a multiple of 1/max(Y).
START = 2.0**-3


def guard_bits(world: World, tau: float, k: float) -> int:
    """Bits lost at most by :func:`integrals`, estimated in floats over all anchors.

    log L + w and 1 - P are small next to the numbers they are taken from, and k multiplies errors.
    """
    worst = math.log2(k)
    for law in world.laws(tau):
        scaled = laplace.scale(law.s[None], law.p[None], law.m[None], tau)
        with np.errstate(over="ignore"):
            squares = (np.sqrt(scaled.p[0]) * scaled.centred[0]) ** 2
        spread = float(np.clip(squares.sum(), 1e-300, 1e300))
        first = float(np.clip(scaled.m[0] @ scaled.Y[0], 1e-300, 1))
        top = math.log2(scaled.top[0] / START)
        worst = max(worst, 2 * top - math.log2(spread), top - math.log2(first))
    return math.ceil(worst) + 32


@dataclass(frozen=True)
class Integrals:
    """CE, bias of DCL and R - Rt of one anchor, as balls."""

    limit: Any
    dcl: Any
    gap: Any


Node = tuple[Any, Any, Any, Any]
"""w, log L(w) + w, log L(w) and 1 - P(w)."""


def integrals(law: BallLaw, tau: Fraction, k: int, nats: float) -> Integrals:
    """Integrate for one anchor up to relative errors of about e^{-nats}."""
    atoms = _Atoms.of(law, tau)
    per_octave = math.ceil(1.05 * math.log(2) * nats / math.pi**2)
    h = arb(2).log() / per_octave
    dcl, gap = arb(0), arb(0)
    for node in chain(atoms.upper_nodes(h, per_octave, k, nats), atoms.lower_nodes(h, k, nats)):
        a, b = _integrands(node, k)
        dcl, gap = dcl + a, gap + b
    # Below the last node the integrands are powers t^2 and t.
    dcl, gap = dcl + a / (2 * h).expm1(), gap + b / h.expm1()
    return Integrals(atoms.limit, -h * dcl, h * gap)


def _integrands(node: Node, k: int) -> tuple[Any, Any]:
    """L^k - e^{-t} and L^k (1 - P)."""
    w, ell, log_L, gone = node
    decayed, power = (-k * w).exp(), (k * log_L).exp()
    exponent = k * ell
    return decayed * exponent.expm1() if exponent < 1 else power - decayed, power * gone


@dataclass(frozen=True, eq=False)
class _Atoms:
    """The atoms of one anchor, scaled to E Y = 1.

    Attributes
    ----------
    limit : ball
        CE.
    Y, p, m : lists of balls
        Y in rising order, with the negatives' and the positive's weights.
    top : float
        The largest Y.
    ends : list of int
        ``ends[o]`` is the number of atoms with Y <= top/2^o.
    L, P : lists of polynomials
        The parts of L and P that come from those atoms, in powers of -w.
    """

    limit: Any
    Y: Balls
    p: Balls
    m: Balls
    top: float
    ends: list[int]
    L: list[Any]
    P: list[Any]

    @classmethod
    def of(cls, law: BallLaw, tau: Fraction) -> _Atoms:
        t = ball(1 / tau)
        atoms = [a for a in zip(law.s, law.p, law.m, strict=True) if a[1] != 0 or a[2] != 0]
        atoms.sort(key=lambda atom: float(atom[0].mid()))
        s, p, m = (list(column) for column in zip(*atoms, strict=True))
        terms = [((x - s[-1]) * t).exp() for x in s]
        mu = _dot(p, terms)
        limit = mu.log() + _dot(m, [s[-1] - x for x in s]) * t
        Y = [x / mu for x in terms]
        sizes = [float(y.mid()) for y in Y]
        octaves = math.floor(math.log2(sizes[-1] / sizes[0])) + 2
        ends = [bisect_right(sizes, sizes[-1] / 2.0**o) for o in range(octaves)]
        L, P = (_moments(weights, Y, ends) for weights in (p, m))
        return cls(limit, Y, p, m, sizes[-1], ends, L, P)

    def lower_nodes(self, h: Any, k: int, nats: float) -> Iterator[Node]:
        """Nodes from START/top, exclusive, downwards to where the integrands are powers of t."""
        size = len(self.L[0])
        exponential = arb_poly([(-1) ** j / arb.fac_ui(j) for j in range(size)])
        # e^w L(w) - 1 in powers of -w: its coefficients are E (Y - 1)^j/j!, and E (Y - 1) = 0.
        grown = arb_poly([0, 0, *(exponential * self.L[0]).coeffs()[2:size]])
        lost = arb_poly([0, *self.P[0].coeffs()[1:]])
        w, factor = ball(START / self.top), (-h).exp()
        last = math.exp(-nats / 2) * min(1 / k, 1 / self.top)
        while float(w.mid()) > last:
            w = w * factor
            ell = grown(-w).log1p()
            yield w, ell, ell - w, -lost(-w)

    def upper_nodes(self, h: Any, per_octave: int, k: int, nats: float) -> Iterator[Node]:
        """Nodes from START/top upwards, chain by chain, each until L^k is negligible."""
        spread = float(_dot(self.p, [(y - 1) ** 2 for y in self.Y]).mid()) / 2
        first = float(_dot(self.m, self.Y).mid())
        least = min(x for x in (spread, first, 1.0) if x > 0) / k  # near the smaller integral
        lowest = math.log(least) - nats - 5
        nothing = arb(2) ** math.floor(lowest / math.log(2) - 64)
        for r in range(per_octave):
            w = ball(START / self.top) * (r * h).exp()
            decayed: Balls = []
            end = len(self.Y)
            for octave in count():
                # Atoms before ``end`` have w Y <= 2 START throughout the octave.
                old, end = end, self.ends[octave] if octave < len(self.ends) else 0
                decayed = [(-w * y).exp() for y in self.Y[end:old]] + decayed
                while decayed and decayed[-1] < nothing:
                    decayed.pop()
                L, P = _dot(self.p[end:], decayed), _dot(self.m[end:], decayed)
                if end:
                    L, P = L + self.L[octave](-w), P + self.P[octave](-w)
                if not L > 0:  # what is left is below the working precision
                    break
                log_L = L.log()
                yield w, log_L + w, log_L, 1 - P
                if not k * log_L > lowest:
                    break
                decayed = [x * x for x in decayed]
                w = 2 * w


def _dot(a: Balls, b: Balls) -> Any:
    """Sum of products; the longer list is cut."""
    return sum(map(mul, a, b), arb(0))


def _moments(weights: Balls, Y: Balls, ends: list[int]) -> list[Any]:
    """For every end, the sum of weight e^{u Y} over the atoms before it, as a polynomial in u.

    The terms left out are below the working precision for |u| Y <= 2 START.
    """
    table: list[Balls] = [[] for _ in ends]
    power, bits = weights, 0.0
    for j in count():
        factorial = arb.fac_ui(j)
        sums = list(accumulate(power, initial=arb(0)))
        for row, end in zip(table, ends, strict=True):
            row.append(sums[end] / factorial)
        bits += math.log2((j + 1) / (2 * START))
        if bits > ctx.prec:
            return [arb_poly(row) for row in table]
        power = list(map(mul, power, Y))
    raise AssertionError
