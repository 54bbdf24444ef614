"""Suprema over p of the binomial gap, certified by bisection of (0, 1).

The companion's bounds on CE - R_dcl come from one supremum each, of gap_k(p) over a size of the
two-point law with values 1 and e^{spread}:

    size "mean"       1/mu, so that the supremum is that of mu gap       (Gamma_k, up to a factor)
    size "variance"   kappa_2 = Var(Y)/mu^2                              (c_k/k)

:func:`certify` proves D = gap - slope * size <= 0 on (0, 1). On an interval of length h, D lies
below its chord plus h^2/8 times a bound of -D'' (:meth:`_Search.bend`), so that the ends decide.

>>> worst_gap(1, Fraction(2), "mean", digits=12).str(12, radius=False)
'1.83804259085'
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, log
from typing import Any, Literal

from flint import arb, fmpq

from numerics.balls import BoxReport, precision
from proofs.sharper._binomial_gap import gap, mean, relative_variance

__all__ = ["Size", "certify", "maximiser", "ratio", "worst_gap"]

Ball = Any
Size = Literal["mean", "variance"]


def ratio(k: int, p: Ball, spread: Fraction, size: Size, bits: int = 53) -> Ball:
    """Return gap_k(p)/size at one exact p in (0, 1)."""
    value = gap(k, p, spread, bits)
    with precision(2 * bits + 64):
        if size == "mean":
            return value * mean(p, spread)
        return value / relative_variance(p, spread)


def maximiser(k: int, spread: Fraction, size: Size, bits: int = 53) -> Ball:
    """Return an exact p at which the ratio is nearly largest (not certified: `certify` does that).

    A scan over log(p/(1 - p)), then golden sections down to a width of 2^(-bits/2).
    """

    def value(y: Ball) -> Ball:
        return ratio(k, _logistic(y), spread, size, bits).mid()

    reach = int(spread) + 6
    with precision(bits + 32 + 3 * reach):
        steps = 48
        grid = [arb(reach) * (2 * i - steps) / steps for i in range(steps + 1)]
        best = max(range(steps + 1), key=lambda i: float(value(grid[i]).log()))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, steps)]
        golden = (arb(5).sqrt() - 1) / 2
        left, right = high - golden * (high - low), low + golden * (high - low)
        at_left, at_right = value(left), value(right)
        while (high - low).mid() > arb(2) ** (-bits // 2):
            if at_left < at_right:
                low, left, at_left = left, right, at_right
                right = (low + golden * (high - low)).mid()
                at_right = value(right)
            else:
                high, right, at_right = right, left, at_left
                left = (high - golden * (high - low)).mid()
                at_left = value(left)
        return _logistic((low + high) / 2)


def _logistic(y: Ball) -> Ball:
    return (1 / (1 + (-y).exp())).mid()


@lru_cache(maxsize=512)
def worst_gap(k: int, spread: Fraction, size: Size, digits: int = 15) -> Ball:
    """Return the supremum over p of gap_k(p)/size as a ball with `digits` correct digits.

    Raises
    ------
    ArithmeticError
        If the scan missed the supremum, so that nothing is certified.
    """
    bits = 4 * digits + 16
    p = maximiser(k, spread, size, bits)
    lower = ratio(k, p, spread, size, bits)
    with precision(2 * bits + 2 * k.bit_length()):
        if size == "variance":
            lower = lower.max(limit_at_one(k, spread))
        upper = lower * (1 + arb(10) ** (-digits - 1))
    report = certify(k, spread, size, upper, bits=bits)
    if report.status != "passed":
        raise ArithmeticError(f"the supremum was not certified at k = {k}: {report.detail}")
    with precision(2 * bits):
        return lower.union(upper)


def limit_at_one(k: int, spread: Fraction) -> Ball:
    """Return the limit of gap_k(p)/kappa_2 as p tends to 1, the supremum when k = 1."""
    decay = (-arb(fmpq(spread.numerator, spread.denominator))).exp()
    z = 1 - decay
    # 1 - z/k, which for k = 1 is tiny and must not be found by subtraction
    return (-k * ((k - 1 + decay) / k).log() - z) / (z * z)


@dataclass(frozen=True)
class _End:
    """One end of an interval: p, and there mu, the gap (to `bits` bits) and D."""

    p: Ball
    mean: Ball
    gap: Ball
    excess: Ball
    bits: int


def certify(
    k: int,
    spread: Fraction,
    size: Size,
    slope: Ball,
    *,
    bits: int = 64,
    max_intervals: int = 20_000,
) -> BoxReport:
    """Certify gap_k(p) <= slope * size for all p in [0, 1].

    Parameters
    ----------
    k : int
        Number of draws.
    spread : Fraction
        Logarithm of the larger value over the smaller.
    size : {"mean", "variance"}
        1/mu or kappa_2.
    slope : Ball
        The constant.
    bits : int
        Accuracy of what is compared; a slope close to the supremum needs more.

    Examples
    --------
    >>> certify(4, Fraction(2), "mean", arb("0.442")).status
    'passed'
    >>> certify(4, Fraction(2), "mean", arb("0.44")).status
    'refuted'
    """
    with precision(2 * bits + 2 * k.bit_length() + 3 * int(spread) + 64):
        search = _Search(k, spread, size, slope)
        stack = [(arb(0), arb(0.5)), (arb(0.5), arb(1))]
        examined = 0
        while stack:
            low, high = stack.pop()
            examined += 1
            # The chord is off by the square of the width: no more accuracy than that is needed.
            width = float(((high - low) / (low.max(1 - high))).mid().log()) / log(2)
            needed = min(bits, max(40, 32 * ceil((20 - 2 * width) / 32)))
            ends = (search.end(low, needed), search.end(high, needed))
            if search.holds(*ends):
                continue
            for end in ends:
                if end.excess > 0:
                    place = f"fails at p = {end.p.str(8, radius=False)}"
                    return BoxReport("refuted", examined, None, place)
            if examined >= max_intervals:
                return BoxReport("unknown", examined, None, f"{max_intervals} intervals")
            middle = _cut(low, high)
            stack += [(low, middle), (middle, high)]
    return BoxReport("passed", examined, None, f"certified on {examined} intervals")


def _cut(low: Ball, high: Ball) -> Ball:
    """Return a point between, closer to 0 or 1 in proportion."""
    if high <= 0.5:
        return high / 16 if low == 0 else (low * high).sqrt().mid()
    if high == 1:
        return 1 - (1 - low) / 16
    return (low + high) / 2


class _Search:
    """The comparison at one p and on one interval."""

    def __init__(self, k: int, spread: Fraction, size: Size, slope: Ball) -> None:
        self.k, self.spread, self.size, self.slope = k, spread, size, slope
        self.log_top = arb(fmpq(spread.numerator, spread.denominator))
        self.top = self.log_top.exp()
        self.z = self.log_top.expm1()

        self.known: dict[Any, _End] = {}

    def end(self, p: Ball, bits: int) -> _End:
        """Return what is known at p, with the gap to at least that many bits."""
        key = p.man_exp()
        if key not in self.known or self.known[key].bits < bits:
            mu = 1 + p * self.z
            outer = p == 0 or p == 1
            value = arb(0) if outer else gap(self.k, p, self.spread, bits)
            size = 1 / mu if self.size == "mean" else relative_variance(p, self.spread)
            self.known[key] = _End(p, mu, value, value - self.slope * size, bits)
        return self.known[key]

    def holds(self, low: _End, high: _End) -> bool:
        if self.size == "variance" and low.p == 0:
            # log mu <= pz, the mean of the logarithm above its chord, mu at most that of `high`.
            slope = self.z - (high.mean.log() - high.gap) / high.p
            return bool(slope < self.slope * (1 - high.p) * (self.z / high.mean) ** 2)
        if self.size == "variance" and high.p == 1:
            decline = self.log_top - low.mean.log() + low.gap
            slope = decline / (1 - low.p) - self.z / self.top
            return bool(slope < self.slope * low.p * (self.z / self.top) ** 2)
        correction = (high.p - low.p) ** 2 / 8 * self.bend(low, high).max(arb(0))
        return bool(low.excess + correction < 0) and bool(high.excess + correction < 0)

    def bend(self, low: _End, high: _End) -> Ball:
        """Return an upper bound of -D'' on an interval.

        -(log mu)'' = (z/mu)^2. Second differences give -(E log)'' >= (1 - 1/k) z^2 E y^{-2} with
        y = 1 + z(J' + 1)/k, J' ~ Bin(k - 2, p), and E y^{-2} is at least m^{-2} (Jensen) and
        m^{-2} + 3 V m^{-4} - 4 T m^{-5} (Taylor), with the mean and two central moments of y.
        """
        k, z = self.k, self.z
        p, mu = low.p.union(high.p), low.mean.union(high.mean)
        bend = arb(1)  # in units of (z/mu)^2
        if k > 1:
            widening = 1 + z * (1 - 2 * p) / (k * mu)
            step = z / (k * mu * widening)
            variance = step**2 * (k - 2) * p * (1 - p)
            curved = variance * (3 - 4 * step * (1 - 2 * p))
            bend -= (1 - arb(1) / k) * (1 + curved.max(arb(0))) / widening**2
        if self.size == "mean":
            bend += 2 * self.slope / mu
        else:
            bend += self.slope * (2 * (self.top + 1) / mu - 6 * self.top / mu**2)
        return (z / low.mean) ** 2 * bend
