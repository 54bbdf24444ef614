"""Monte Carlo: against NumPy, against what one draw and one exponential cost, and variances."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numba
import numpy as np
import pytest
from scipy.special import logsumexp

from numerics import _vm, montecarlo
from numerics._jit import OPTIONS
from numerics.worlds import FiniteWorld, Sphere

TUPLES, NEGATIVES, TAU = 512, 8192, Fraction(1, 10)
SPHERES = {3: Sphere(3, Fraction(5)), 16: Sphere(16, Fraction(20))}


def finite_world(size: int = 1000, d: int = 16) -> FiniteWorld:
    """Random unit vectors with random weights; every positive is the anchor itself."""
    rng = np.random.default_rng(0)
    phi = rng.normal(size=(size, d))
    phi /= np.linalg.norm(phi, axis=1, keepdims=True)
    return FiniteWorld(phi, rng.dirichlet(np.ones(size)), np.eye(size))


@numba.njit(**OPTIONS)
def _floor(draws: int, two: bool, power: float) -> float:
    """One draw and one exponential each; or two draws, the transform and one exponential."""
    _vm.wide_vectors()
    terms = np.empty(1024)
    start = _vm.stream_start(np.uint64(1), 1, 0)
    step = _vm.stream_step(start)
    word = start
    total = 0.0
    for _ in range(0, draws, terms.size):
        if two:
            for i in range(terms.size):
                u = _vm.to_unit(_vm.mix(word))
                w = _vm.to_unit(_vm.mix(word + step))
                s = math.sqrt(1.0 - _vm.exp(power * _vm.log(u))) * _vm.sinpi(w - 0.5)
                terms[i] = _vm.exp((s - 1.0) * 10.0)
                word += step + step
        else:
            for i in range(terms.size):
                terms[i] = _vm.exp(_vm.to_unit(_vm.mix(word)) * 20.0 - 20.0)
                word += step
        total += terms[0]
    return total


def _numpy_scores(rng: np.random.Generator, d: int) -> Any:
    if d == 3:
        return 2 * rng.random((TUPLES, NEGATIVES)) - 1
    radius = np.sqrt(1 - rng.random((TUPLES, NEGATIVES)) ** (2 / (d - 2)))
    return radius * np.sin(np.pi * (rng.random((TUPLES, NEGATIVES)) - 0.5))


def _numpy(d: int) -> float:
    """The loss as written down."""
    scores = _numpy_scores(np.random.default_rng(1), d) / float(TAU)
    positives = np.full((TUPLES, 1), 5.0)
    joined = np.concatenate([positives, scores], axis=1)
    return float(np.mean(logsumexp(joined, axis=1) - positives[:, 0] - math.log(NEGATIVES)))


def _numpy_tuned(d: int) -> float:
    """Eight rows at a time in buffers that stay in the cache, the maximum known beforehand."""
    rng = np.random.default_rng(1)
    s, w = np.empty((2, 8, NEGATIVES))
    total = 0.0
    for _ in range(0, TUPLES, 8):
        rng.random(out=s)
        if d == 3:
            np.multiply(s, 20.0, out=s)
            np.subtract(s, 20.0, out=s)
        else:
            rng.random(out=w)
            np.log(s, out=s)
            np.multiply(s, 2 / (d - 2), out=s)
            np.expm1(s, out=s)
            np.negative(s, out=s)
            np.sqrt(s, out=s)
            np.subtract(w, 0.5, out=w)
            np.multiply(w, np.pi, out=w)
            np.sin(w, out=w)
            np.multiply(s, w, out=s)
            np.subtract(s, 1.0, out=s)
            np.multiply(s, 10.0, out=s)
        np.exp(s, out=s)
        total += float(np.log(s.sum(axis=1) + 1.0).sum())
    return total


@pytest.mark.parametrize("d", [3, 16])
def test_against_numpy_and_the_floor(bench: Any, d: int) -> None:
    title = f"Monte Carlo, sphere d = {d}, n = {TUPLES}, k = {NEGATIVES}, tau = 0.1, one core"
    floor = f"floor: {'draw + exp' if d == 3 else '2 draws, transform, exp'}"
    bench.compare(
        title,
        {
            "ours": lambda: montecarlo.risk(SPHERES[d], TAU, NEGATIVES, TUPLES, threads=1),
            floor: lambda: _floor(TUPLES * NEGATIVES, d > 3, 2 / max(1, d - 2)),
            "NumPy + logsumexp": lambda: _numpy(d),
            "NumPy, blocked, tuned": lambda: _numpy_tuned(d),
        },
        target=f"4 x tuned NumPy; floor {0.8 if d == 3 else 0.5}",
    )


def test_finite_world_against_numpy(bench: Any) -> None:
    world = finite_world()
    similarities = np.exp((world.phi @ world.phi.T - 1) / float(TAU))
    rng = np.random.default_rng(1)

    def choice() -> float:
        total = 0.0
        for a in rng.choice(1000, TUPLES, p=world.pi):
            drawn = rng.choice(1000, NEGATIVES, p=world.pi)
            total += math.log(1.0 + similarities[a, drawn].sum())
        return total

    bench.compare(
        f"Finite world, N = 1000, n = {TUPLES}, k = {NEGATIVES}, one core",
        {
            "ours": lambda: montecarlo.risk(world, TAU, NEGATIVES, TUPLES, threads=1),
            "numpy.random choice": choice,
        },
        rounds=5,
    )


@pytest.mark.parametrize("d", [3, 16])
def test_variance_of_the_bias(bench: Any, d: int) -> None:
    title = f"Variance of the bias, sphere d = {d}, k = 1000, tau = 0.1"
    plain = montecarlo.risk(SPHERES[d], TAU, 1000, 8192)
    ours = montecarlo.bias(SPHERES[d], TAU, 1000, 8192)
    bench.note(title, "control variates", f"{ours.stderr**2:.3g}", 1.0, "plain 1e4")
    ratio = (plain.stderr / ours.stderr) ** 2
    bench.note(title, "plain", f"{plain.stderr**2:.3g}", ratio, "plain 1e4")
    assert ratio > 1
