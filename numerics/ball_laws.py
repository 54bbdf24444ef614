"""The laws of every world in ball arithmetic, at the working precision of Arb.

The counterpart of ``World.laws`` for results with many digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from numerics import sphere_nodes
from numerics.laws import World
from numerics.worlds import Classes, Embeddings, FiniteWorld, Hypercube, Sphere

Balls = list[Any]


@dataclass(frozen=True, eq=False)
class BallLaw:
    """What one anchor sees, in balls; see :class:`numerics.laws.AnchorLaw`."""

    weight: Any
    s: Balls
    p: Balls
    m: Balls


def ball(x: Fraction | float | int) -> Any:
    """The ball around a rational or a float, taken at its exact value.

    >>> from fractions import Fraction
    >>> ball(Fraction(1, 4))
    0.250000000000000
    """
    exact = Fraction(x)
    return arb(fmpq(exact.numerator, exact.denominator))


def ball_laws(world: World, tau: Fraction, nats: float) -> Iterator[BallLaw]:
    """The laws of all anchors of positive probability.

    Parameters
    ----------
    world : World
        Any world of :mod:`numerics.worlds`.
    tau : Fraction
        Temperature for which the atoms must be fine enough.
    nats : float
        Atoms stand for continuous laws up to relative errors of about e^{-nats}.

    Examples
    --------
    >>> law = next(ball_laws(Classes(4), Fraction(1), 40.0))
    >>> law.p
    [0.250000000000000, 0.750000000000000]
    """
    match world:
        case Sphere():
            yield _sphere(world, tau, nats)
        case Hypercube():
            yield _hypercube(world)
        case Classes():
            p = [ball(Fraction(1, world.n)), ball(Fraction(world.n - 1, world.n))]
            yield BallLaw(arb(1), [arb(1), arb(0)], p, [arb(1), arb(0)])
        case FiniteWorld():
            yield from _finite(world)
        case Embeddings():
            yield from _embeddings(world)
        case _:
            raise TypeError(f"no balls for {type(world).__name__}")


def _sphere(world: Sphere, tau: Fraction, nats: float) -> BallLaw:
    """The nodes of :mod:`numerics.sphere_nodes`."""
    h, multiples = sphere_nodes.kept(world.d, float(world.conc), float(tau), nats)
    conc, half_pi, step = ball(world.conc), arb.pi() / 2, ball(h)
    s, p, m = [], [], []
    for j in multiples.tolist():
        sinh_y, cosh_y = (step * int(j)).sinh_cosh()
        x = half_pi * sinh_y
        sinh_x, cosh_x = x.sinh_cosh()
        s.append(sinh_x / cosh_x)
        p.append(cosh_y / cosh_x ** (world.d - 1))
        gap = 2 / ((2 * x).exp() + 1)  # 1 - s, not as a difference of close numbers
        m.append(p[-1] * (-conc * gap).exp())
    return BallLaw(arb(1), s, _scaled(p), _scaled(m))


def _scaled(weights: Balls) -> Balls:
    total = sum(weights, arb(0))
    return [x / total for x in weights]


def _hypercube(world: Hypercube) -> BallLaw:
    d, flip = world.d, ball(world.flip)
    s, p, m = [], [], []
    count = 1
    for b in range(d + 1):
        s.append(ball(Fraction(d - 2 * b, d)))
        p.append(arb(count) / arb(2) ** d)
        m.append(count * flip**b * (1 - flip) ** (d - b))
        count = count * (d - b) // (b + 1)
    return BallLaw(arb(1), s, p, m)


def _dot(a: Balls, b: Balls) -> Any:
    return sum((x * y for x, y in zip(a, b, strict=True)), arb(0))


def _rows(rows: Sequence[Sequence[Fraction | float]]) -> list[Balls]:
    return [[ball(x) for x in row] for row in rows]


def _finite(world: FiniteWorld) -> Iterator[BallLaw]:
    exact_phi, exact_pi, exact_positive = world.exact_parts()
    phi, pi = _rows(exact_phi), [ball(x) for x in exact_pi]
    for i, weight in enumerate(pi):
        if exact_pi[i]:
            s = [_dot(phi[i], row) for row in phi]
            yield BallLaw(weight, s, pi, [ball(x) for x in exact_positive[i]])


def _embeddings(world: Embeddings) -> Iterator[BallLaw]:
    anchor, positive = _rows(world.anchor.tolist()), _rows(world.positive.tolist())
    negative = anchor if world.negative is None else _rows(world.negative.tolist())
    n = len(anchor)
    for i, own in enumerate(anchor):
        others = [row for j, row in enumerate(negative) if world.negative is not None or j != i]
        s = [*(_dot(own, row) for row in others), _dot(own, positive[i])]
        p = [ball(Fraction(1, len(others)))] * len(others)
        yield BallLaw(ball(Fraction(1, n)), s, [*p, arb(0)], [arb(0)] * len(others) + [arb(1)])
