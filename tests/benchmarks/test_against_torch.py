"""The same work in PyTorch on the CPU, in float64."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from numerics import gram, montecarlo
from numerics.worlds import FiniteWorld, Sphere

TUPLES, NEGATIVES, TAU = 512, 8192, Fraction(1, 10)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def _scores(rows: int, d: int) -> torch.Tensor:
    u = torch.rand(rows, NEGATIVES, dtype=torch.float64)
    if d == 3:
        return u.mul_(2).sub_(1)
    angle = torch.rand(rows, NEGATIVES, dtype=torch.float64).sub_(0.5).mul_(math.pi)
    return u.pow_(2 / (d - 2)).neg_().add_(1).sqrt_().mul_(angle.sin_())


def _risk(d: int, rows: int) -> float:
    total = 0.0
    for _ in range(0, TUPLES, rows):
        scores = torch.cat([torch.full((rows, 1), 0.5, dtype=torch.float64), _scores(rows, d)], 1)
        total += float(torch.logsumexp(scores.mul_(10.0), 1).sum())
    return total


@pytest.mark.parametrize("d", [3, 16])
def test_monte_carlo(bench: Any, d: int) -> None:
    world = Sphere(d, Fraction(5))
    bench.compare(
        f"Monte Carlo against PyTorch, sphere d = {d}, n = {TUPLES}, k = {NEGATIVES}, one core",
        {
            "ours": lambda: montecarlo.risk(world, TAU, NEGATIVES, TUPLES, threads=1),
            "torch, blocks of 8 rows": lambda: _risk(d, 8),
            "torch, whole": lambda: _risk(d, TUPLES),
        },
        target="blocked 5, whole 8",
    )


def test_finite_world(bench: Any) -> None:
    rng = np.random.default_rng(0)
    phi = rng.normal(size=(1000, 16))
    phi /= np.linalg.norm(phi, axis=1, keepdims=True)
    world = FiniteWorld(phi, rng.dirichlet(np.ones(1000)), np.eye(1000))
    weights = torch.from_numpy(world.pi)
    exponentials = torch.exp((torch.from_numpy(phi @ phi.T) - 1) * 10)

    def multinomial() -> float:
        anchors = torch.multinomial(weights, TUPLES, replacement=True)
        total = 0.0
        for a in anchors.split(8):
            drawn = torch.multinomial(weights.expand(8, -1), NEGATIVES, replacement=True)
            sums = torch.gather(exponentials[a], 1, drawn).sum(1)
            total += float(torch.log(sums + 1).sum())
        return total

    bench.compare(
        f"Finite world against PyTorch, N = 1000, n = {TUPLES}, k = {NEGATIVES}, one core",
        {
            "ours": lambda: montecarlo.risk(world, TAU, NEGATIVES, TUPLES, threads=1),
            "torch.multinomial": multinomial,
        },
        target="20",
        rounds=5,
    )


@pytest.mark.parametrize("cores", [1, 2])
def test_embedding_pass(bench: Any, cores: int) -> None:
    """Three moments are ours; PyTorch is timed for three and for the first alone, in float32."""
    torch.set_num_threads(cores)
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(20_000, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    points = torch.from_numpy(rows)

    def blocked(powers: int) -> torch.Tensor:
        out = torch.empty(powers, len(rows))
        for start in range(0, len(rows), 512):
            part = slice(start, start + 512)
            tile = torch.mm(points[part], points.T).sub_(1).mul_(10).exp_()
            power = tile
            for j in range(powers):
                if j:
                    power = power * tile
                out[j, part] = power.sum(1)
        return out

    bench.compare(
        f"Embedding pass, N = 20,000, d = 384, tau = 0.1, float32 products, {cores} core(s)",
        {
            "ours, 3 moments": lambda: gram.moments(rows, 0.1, dtype="f4", threads=cores),
            "torch blocked exp, 1 moment": lambda: blocked(1),
            "torch blocked exp, 3 moments": lambda: blocked(3),
        },
        target="1.7",
        rounds=3,
        cores=cores,
    )
