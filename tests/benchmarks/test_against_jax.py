"""The same work in JAX, compiled, in float64."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from numerics import montecarlo
from numerics.worlds import Sphere

TUPLES, NEGATIVES, TAU = 512, 8192, Fraction(1, 10)

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")


@pytest.mark.parametrize("d", [3, 16])
def test_monte_carlo(bench: Any, d: int) -> None:
    def risk(key: Any) -> Any:
        first, second = jax.random.split(key)
        u = jax.random.uniform(first, (TUPLES, NEGATIVES), dtype=jnp.float64)
        if d == 3:
            s = 2 * u - 1
        else:
            w = jax.random.uniform(second, (TUPLES, NEGATIVES), dtype=jnp.float64)
            s = jnp.sqrt(1 - u ** (2 / (d - 2))) * jnp.sin(math.pi * (w - 0.5))
        return jnp.mean(jnp.logaddexp(5.0, jax.nn.logsumexp(s * 10, axis=1)))

    compiled = jax.jit(risk)
    key = jax.random.key(0)
    world = Sphere(d, Fraction(5))
    bench.compare(
        f"Monte Carlo against JAX, sphere d = {d}, n = {TUPLES}, k = {NEGATIVES}, one core",
        {
            "ours": lambda: montecarlo.risk(world, TAU, NEGATIVES, TUPLES, threads=1),
            "JAX jit": lambda: compiled(key).block_until_ready(),
        },
    )
