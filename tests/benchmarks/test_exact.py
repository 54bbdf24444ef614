"""The exact evaluator: its error, and a cost that does not grow with k."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np

from numerics import exact
from numerics.exact_digits import evaluate_digits
from numerics.laws import AnchorLaw
from numerics.worlds import Classes, Hypercube, Sphere

TAUS = (Fraction(1, 100), Fraction(1, 20), Fraction(1, 10), Fraction(1), Fraction(5))


def _anchor(size: int = 1000) -> AnchorLaw:
    """What one anchor of a random cloud of this size sees."""
    rng = np.random.default_rng(0)
    phi = rng.normal(size=(size, 32))
    phi /= np.linalg.norm(phi, axis=1, keepdims=True)
    p, m = rng.dirichlet(np.ones(size), size=2)
    return AnchorLaw(1.0, phi @ phi[0], p, m)


def test_error_against_fifty_digits(bench: Any) -> None:
    """Largest error in units of |bias of DCL| + |R - Rt|, over worlds, temperatures and k."""
    for world in (Sphere(3, Fraction(5)), Hypercube(20, Fraction(1, 10)), Classes(100)):
        worst = 0.0
        for tau, k in itertools.product(TAUS, (1, 1000, 10**12)):
            losses: tuple[exact.Loss, exact.Loss] = ("dcl", "infonce")
            found = [Fraction(exact.evaluate(world, tau, k, loss).bias) for loss in losses]
            truth = [Fraction(evaluate_digits(world, tau, k, loss, 50).bias) for loss in losses]
            scale = abs(truth[0]) + abs(truth[1] - truth[0])
            errors = (abs(a - b) / scale for a, b in zip(found, truth, strict=True))
            worst = max(worst, *map(float, errors))
        title = "Exact evaluator, tau from 0.01 to 5, k from 1 to 1e12, against 50 digits"
        bench.note(title, world.spec(), f"{worst:.2g}", worst / 1e-12, "error 1e-12, ratio 1")
        assert worst < 1e-9


def test_cost_does_not_grow_with_k(bench: Any) -> None:
    law = _anchor()

    def one(k: float) -> Any:
        return exact._batch([law], 0.1, np.array([k]), "compiled", 1)

    bench.compare(
        "Exact evaluator, one anchor of N = 1000, tau = 0.1",
        {"k = 1e3": lambda: one(1e3), "k = 1e6": lambda: one(1e6), "k = 1e12": lambda: one(1e12)},
        target="1.2",
        rounds=41,
    )


def test_a_curve_of_121_points(bench: Any) -> None:
    law = _anchor()
    ks = np.logspace(0, 12, 121)
    bench.compare(
        "Exact evaluator, one anchor of N = 1000, 121 values of k from 1 to 1e12, tau = 0.1",
        {"one table": lambda: exact._batch([law], 0.1, ks, "compiled", 1)},
        target="1 ms",
        rounds=41,
    )
