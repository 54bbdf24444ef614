"""The two sides of a bound over a fixed set of worlds, temperatures and numbers of negatives.

Cross-checks and the looseness of constants both come from here: the left side from the exact
evaluator, the right side from the claim's own SymPy expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from sympy import Expr

from proofs.evaluate import enclose
from proofs.evidence import Compared
from proofs.symbols import k as k_symbol
from proofs.symbols import tau as tau_symbol

if TYPE_CHECKING:
    from numerics.exact import Risk
    from numerics.worlds import World

__all__ = ["KS", "TAUS", "largest_ratio", "sides", "standard_worlds"]

Loss = Literal["infonce", "dcl"]
TAUS = (Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(3))
KS = (1, 2, 16, 1024, 10**6)
FEW_TAUS = (Fraction(1, 2), Fraction(2))


@lru_cache(maxsize=1)
def standard_worlds() -> tuple[World, ...]:
    """Return the worlds over which looseness is measured.

    Spheres and hypercubes of small and moderate dimension, orthonormal classes, and the antipodal
    pair with aligned and with opposite positives.
    """
    from numerics.worlds import Classes, Hypercube, Sphere

    return (
        Sphere(2, Fraction(1)),
        Sphere(3, Fraction(10)),
        Sphere(16, Fraction(40)),
        Hypercube(1, Fraction(0)),
        Hypercube(1, Fraction(1)),
        Hypercube(8, Fraction(1, 10)),
        Classes(2),
        Classes(50),
    )


Left = Callable[["Risk"], float]


def sides(
    left: Left,
    right: Expr,
    *,
    taus: Sequence[Fraction] = TAUS,
    ks: Sequence[int] = KS,
    loss: Loss = "infonce",
    scale: Fraction = Fraction(1),
) -> Iterator[Compared]:
    """Yield left and right of a bound over all worlds, temperatures and numbers of negatives.

    Parameters
    ----------
    left : callable
        Of the exact evaluator's result (risk, limit, bias).
    right : Expr
        In tau and k.
    scale : Fraction
        By which a mutant multiplies the right side.
    """
    from numerics import exact

    for temperature in taus:
        for count in ks:
            bound = float(enclose(right, {tau_symbol: temperature, k_symbol: count})) * float(scale)
            for world in standard_worlds():
                result = exact.evaluate(world, temperature, count, loss)
                label = f"{world.spec()}, tau = {temperature}, k = {count}"
                yield Compared(label, left(result), bound)


def largest_ratio(left: Left, right: Expr, loss: Loss = "infonce") -> Callable[..., float | None]:
    """Return a constant's looseness: the largest left/right, at given tau and k or over all."""

    def ratio(tau: Fraction | None = None, k: int | None = None) -> float | None:
        points = sides(
            left,
            right,
            taus=TAUS if tau is None else (tau,),
            ks=KS if k is None else (k,),
            loss=loss,
        )
        ratios = [p.left / p.right for p in points if p.right > 0]
        return max(ratios) if ratios else None

    return ratio
