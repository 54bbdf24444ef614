"""How the largest of k norms grows, beside their power mean: shared by two statements on B_tau."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import factorial

import numpy as np
from sympy import Eq, Expr, Le, Lt, Rational, expand_log, log

from proofs.evidence import Case, Decided, Derived, Estimate, Mutant
from proofs.ledger import Step
from proofs.symbols import declare, k

__all__ = [
    "STAY",
    "below",
    "gaussian_moment",
    "log_pareto_mean",
    "none_beyond",
    "plane_maximum",
    "product_rule",
    "stay",
]

stay = declare("stay", r"\mathbb P(g\le r)", "chance that one norm is at most r", positive=True)
below = declare(
    "below",
    r"\mathbb P(\max g\le r)",
    "chance that k independent norms are at most r",
    positive=True,
)

#: Some norms exceed r.
STAY = Lt(stay, 1)
_product: Expr = below * (1 + k * (1 - stay))
_logarithm = Eq(log(_product), k * log(stay) + log(1 + k * (1 - stay)))


def product_rule() -> Step:
    """Return the step that writes the chance as a power: the norms are independent."""
    return Step(
        text="The norms being independent, $\\mathbb P(\\max g \\le r) = \\mathbb P(g \\le r)^k$; "
        "in logarithms:",
        evidence=Derived(
            claim=_logarithm,
            given=(Eq(below, stay**k),),
            by=lambda e: expand_log(e, force=True).expand(),
            at=tuple({stay: Rational(1, j), k: j} for j in (2, 3, 7)),
            mutants=[
                Mutant(
                    "k + 1 norms",
                    Eq(log(_product), (k + 1) * log(stay) + log(1 + k * (1 - stay))),
                )
            ],
        ),
    )


def none_beyond() -> Step:
    """Return the step: all k norms are at most r with chance at most 1/(1 + k P(g > r))."""
    return Step(
        text=(
            "Since $\\log x \\le x - 1$, both logarithms cancel: $\\mathbb P(\\max g \\le r)"
            "\\,(1 + k\\,\\mathbb P(g > r)) \\le 1$."
        ),
        evidence=Decided(
            claim=Le(_product, 1),
            given=(_logarithm, STAY),
            mutants=[
                Mutant("2k for k", Le(below * (1 + 2 * k * (1 - stay)), 1)),
                Mutant("independence dropped", given=(STAY,)),
            ],
        ),
    )


def plane_maximum(order: int, shift: int = 0) -> Iterator[Case]:
    """Yield where the largest of k Gaussian norms in the plane overtakes their power mean.

    Half the squared norm of a standard Gaussian of R^2 is exponential: the largest of k has mean
    H_k, the k-th harmonic number, and its power of order r has mean r!. So the root mean square of
    the maximum exceeds the limit of the power mean of order 2r as soon as H_k^r > r!.
    """
    harmonic, at = Fraction(0), 0
    while harmonic**order <= factorial(order):
        at += 1
        harmonic += Fraction(1, at)
    yield Case(
        f"r = {order}, k = {at - 1}", (harmonic - Fraction(1, at)) ** order, "<=", factorial(order)
    )
    yield Case(
        f"r = {order}, k = {at - shift}",
        factorial(order),
        "<",
        sum((Fraction(1, i) for i in range(1, at - shift + 1)), Fraction(0)) ** order,
    )
    for count in range(1, 30):
        terms = (Fraction((-1) ** (i + 1) * _choose(count, i), i) for i in range(1, count + 1))
        exact = sum((Fraction(1, i) for i in range(1, count + 1)), Fraction(0))
        yield Case(f"mean of the largest of {count} exponentials", sum(terms), "==", exact)


def _choose(above: int, under: int) -> int:
    return factorial(above) // (factorial(under) * factorial(above - under))


def gaussian_moment(*, seed: int, dimension: int, order: int, k: int) -> Estimate:
    """Compare the mean of the order-th power of k Gaussian norms with its exact value.

    The order is even: E ||Z||^{2r} = d (d + 2) ... (d + 2r - 2).
    """
    points = np.random.default_rng(seed).normal(size=(k, dimension))
    powers = np.sum(points**2, axis=1) ** (order // 2)
    exact = float(np.prod(dimension + 2.0 * np.arange(order // 2)))
    return Estimate(float(powers.mean()), float(powers.std() / np.sqrt(k)), exact)


def log_pareto_mean(
    *,
    seed: int,
    index: float,
    order: float,
    k: int,
    repeats: int,
    claimed: float | None = None,
) -> Estimate:
    """Compare the mean log of a power mean of k Pareto norms with what their maximum forces.

    The largest norm alone gives a power mean of at least k^{-1/p} max, and the logarithm of the
    maximum has mean H_k/index. Returned is the estimate of bound - log(power mean), target 0. The
    bound is taken for the index `claimed`, if that is given.
    """
    rng = np.random.default_rng(seed)
    logs = rng.exponential(1 / index, size=(repeats, k))
    top = logs.max(axis=1)
    means = np.exp(order * (logs - top[:, None])).mean(axis=1)
    found = top + np.log(means) / order
    harmonic = float(np.sum(1 / np.arange(1, k + 1)))
    short = harmonic / (claimed or index) - np.log(k) / order - found
    return Estimate(float(short.mean()), float(short.std() / np.sqrt(repeats)), 0.0)
