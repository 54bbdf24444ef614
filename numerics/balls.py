"""Ball arithmetic: certified comparisons and adaptive subdivision of boxes.

Everything that the project calls rigorous goes through here. A comparison is certified only when it
is positively true of finite balls: ``not (a > b)`` certifies nothing, and a NaN ball overlaps
anything, so balls that are not finite are never compared.

>>> from flint import arb
>>> certified_positive(arb(1)), certified_positive(arb("nan")), certified_positive(arb(0, 1))
(True, False, False)
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

__all__ = [
    "BoxReport",
    "certified_nonnegative",
    "certified_positive",
    "certify_on_box",
    "interval",
    "precision",
]

Status = Literal["passed", "refuted", "unknown"]
Box = Sequence[tuple[Fraction, Fraction]]


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Let Arb work with the given number of bits.

    >>> from flint import ctx
    >>> with precision(200):
    ...     ctx.prec
    200
    """
    import flint

    old = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = old


def certified_positive(ball: Any) -> bool:
    """Tell whether the ball is finite and every number in it is > 0."""
    return bool(ball.is_finite()) and bool(ball > 0)


def certified_nonnegative(ball: Any) -> bool:
    """Tell whether the ball is finite and every number in it is >= 0."""
    return bool(ball.is_finite()) and bool(ball >= 0)


def interval(low: Fraction, high: Fraction) -> Any:
    """Return a ball that contains the closed interval [low, high].

    >>> b = interval(Fraction(1, 3), Fraction(1, 2))
    >>> b.contains(0.4), bool(b > 0.3)
    (True, True)
    """
    from flint import arb, fmpq

    a = arb(fmpq(low.numerator, low.denominator))
    if high == low:
        return a
    return a.union(arb(fmpq(high.numerator, high.denominator)))


@dataclass(frozen=True)
class BoxReport:
    """What a subdivision found.

    Attributes
    ----------
    status : {"passed", "refuted", "unknown"}
        Passed: the inequality holds on the whole box. Refuted: it certainly fails at `point`.
    boxes : int
        How many boxes were examined.
    point : tuple of Fraction or None
        Where it fails, or the middle of the box that resisted.
    detail : str
        One phrase for a report.
    """

    status: Status
    boxes: int
    point: tuple[Fraction, ...] | None
    detail: str


def certify_on_box(
    function: Callable[..., Any],
    box: Box,
    *,
    gradient: Sequence[Callable[..., Any]] = (),
    strict: bool = False,
    max_boxes: int = 20_000,
    bits: int = 64,
) -> BoxReport:
    """Certify ``function >= 0`` (``> 0`` if strict) on a whole box by adaptive subdivision.

    On each box the function is enclosed naively and, when its partial derivatives are given, by the
    mean value form f(c) + f'(box)(box - c), which converges quadratically. A box that resists is
    cut in two along its widest side (relative to the starting box).

    Parameters
    ----------
    function : callable
        Takes one ball a coordinate and returns a ball.
    box : sequence of (low, high)
        Closed intervals with exact ends.
    gradient : sequence of callables
        Partial derivatives, or empty.
    strict : bool
        Whether equality counts as a failure.
    max_boxes : int
        The work allowed; beyond it the answer is "unknown".
    bits : int
        Working precision; a point check uses four times as many.

    Examples
    --------
    >>> from fractions import Fraction as F
    >>> certify_on_box(lambda x: x * x - x + 1, [(F(-3), F(3))]).status
    'passed'
    >>> certify_on_box(lambda x: x * x - x, [(F(-3), F(3))]).status
    'refuted'
    """
    widths = [high - low for low, high in box]
    counter = itertools.count()
    queue: list[tuple[float, int, Box]] = [(0.0, next(counter), tuple(box))]
    examined = 0
    accept = certified_positive if strict else certified_nonnegative
    while queue:
        _, _, current = heapq.heappop(queue)
        examined += 1
        middle = tuple((low + high) / 2 for low, high in current)
        with precision(bits):
            ball = _enclose(function, gradient, current, middle)
        if accept(ball):
            continue
        for point in _probes(current, middle):
            if _fails_at(function, point, strict, 4 * bits):
                return BoxReport("refuted", examined, point, f"fails at {_show(point)}")
        if not current:
            return BoxReport("unknown", examined, middle, f"undecided at {bits} bits")
        side = _widest(current, widths)
        low, high = current[side]
        if high == low or (high - low) / widths[side] < Fraction(1, 2**60):
            return BoxReport("unknown", examined, middle, f"undecided at {_show(middle)}")
        if examined >= max_boxes:
            where = _show(middle)
            return BoxReport("unknown", examined, middle, f"{max_boxes} boxes, stuck near {where}")
        cut = (low + high) / 2
        for part in ((low, cut), (cut, high)):
            child = (*current[:side], part, *current[side + 1 :])
            # Boxes that look worst come first, so that a failure is found early.
            heapq.heappush(queue, (_priority(ball), next(counter), child))
    return BoxReport("passed", examined, None, f"certified on {examined} boxes")


def _enclose(
    function: Callable[..., Any],
    gradient: Sequence[Callable[..., Any]],
    box: Box,
    middle: tuple[Fraction, ...],
) -> Any:
    balls = [interval(low, high) for low, high in box]
    ball = function(*balls)
    if not gradient or certified_positive(ball):
        return ball
    centre = [interval(c, c) for c in middle]
    mean_value = function(*centre)
    for derivative, whole, mid in zip(gradient, balls, centre, strict=True):
        mean_value = mean_value + derivative(*balls) * (whole - mid)
    if not mean_value.is_finite():
        return ball
    return mean_value if not ball.is_finite() or mean_value.rad() < ball.rad() else ball


def _probes(box: Box, middle: tuple[Fraction, ...]) -> list[tuple[Fraction, ...]]:
    return [middle, tuple(low for low, _ in box), tuple(high for _, high in box)]


def _fails_at(
    function: Callable[..., Any], point: tuple[Fraction, ...], strict: bool, bits: int
) -> bool:
    with precision(bits):
        value = function(*(interval(c, c) for c in point))
        if not value.is_finite():
            return False
        return bool(value <= 0) if strict else bool(value < 0)


def _widest(box: Box, widths: Sequence[Fraction]) -> int:
    return max(
        range(len(box)),
        key=lambda i: (box[i][1] - box[i][0]) / widths[i] if widths[i] else Fraction(0),
    )


def _priority(ball: Any) -> float:
    return float(ball.lower()) if ball.is_finite() else -1e300


def _show(point: Sequence[Fraction]) -> str:
    return "(" + ", ".join(f"{float(c):.6g}" for c in point) + ")"
