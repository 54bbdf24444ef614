"""The parts of the kernels: elementary functions, random bits, variates, and the cache."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import mpmath
import numba
import numpy as np
import pytest
from scipy import stats

import numerics
from numerics import _mc_atoms, _mc_counts, _mc_kernels, _vm
from numerics._jit import OPTIONS


@numba.njit(**OPTIONS)
def _elementary(x: np.ndarray, w: np.ndarray, u: np.ndarray, y: np.ndarray) -> np.ndarray:
    out = np.empty((6, x.size))
    for i in range(x.size):
        out[0, i] = _vm.exp(x[i])
        out[1, i] = _vm.sinpi(w[i])
        out[2, i] = _vm.log(u[i])
        out[3, i] = _vm.log1p(y[i])
        out[4, i] = _vm.log1p_remainder(y[i])
        out[5, i] = _vm.exp2(1.44 * x[i])
    return out


def _ulps(got: np.ndarray, args: np.ndarray, f: Callable[[mpmath.mpf], mpmath.mpf]) -> float:
    worst = 0.0
    with mpmath.workprec(160):
        for value, arg in zip(got.tolist(), args.tolist(), strict=True):
            truth = f(mpmath.mpf(arg))
            worst = max(worst, abs(float((value - truth) / math.ulp(float(truth)))))
    return worst


def test_elementary_functions_are_right_to_three_units_in_the_last_place() -> None:
    rng = np.random.default_rng(0)
    n = 4000
    x = rng.uniform(-708, 709, n)
    x[:8] = [-708, 709, 0, 1e-300, -1e-17, math.log(2) / 2, -math.log(2) / 2, 1.0]
    w = rng.uniform(-0.5, 0.5, n) * 10.0 ** rng.choice([-8, -3, 0], n)
    w[:3] = [-0.5, 0.5, 0.0]
    u = 10.0 ** rng.uniform(-300, 300, n)
    u[: n // 2] = rng.uniform(0.3, 3, n // 2)
    u[:4] = [2.0**-53, math.sqrt(0.5), 1 - 2.0**-53, 1 + 2.0**-52]
    y = np.concatenate(
        [10.0 ** rng.uniform(-20, 3, n // 2), -(10.0 ** rng.uniform(-20, -0.01, n // 2))]
    )
    exp, sin, log, log1p, rest, exp2 = _elementary(x, w, u, y)
    assert _ulps(exp2, 1.44 * x, lambda v: mpmath.mpf(2) ** v) < 3
    assert _ulps(exp, x, mpmath.exp) < 3
    assert _ulps(sin, w, mpmath.sinpi) < 3
    assert _ulps(log, u, mpmath.log) < 3
    assert _ulps(log1p, y, mpmath.log1p) < 3
    big = np.abs(y) > 1e-100  # cubes below that underflow
    with mpmath.workprec(400):
        truth = np.array(
            [float(mpmath.log1p(v) - v + mpmath.mpf(v) ** 2 / 2) for v in y[big].tolist()]
        )
    np.testing.assert_allclose(rest[big], truth, rtol=1e-10)


@numba.njit(**OPTIONS)
def _uniforms(seed: int, role: int, first: int, tuples: int, draws: int) -> np.ndarray:
    out = np.empty((tuples, draws))
    for i in range(tuples):
        start = _vm.stream_start(np.uint64(seed), role, first + i)
        step = _vm.stream_step(start)
        for j in range(draws):
            out[i, j] = _vm.uniform(start, step, j + 1)
    return out


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.corrcoef(a.ravel(), b.ravel())[0, 1]) * math.sqrt(a.size)


def test_uniform_numbers_of_neighbouring_streams() -> None:
    """Uniform, and uncorrelated along a stream and between tuples, seeds and roles.

    Nine tests, each with a false alarm of 1e-6 at fresh seeds.
    """
    u = _uniforms(7, _vm.NEGATIVES, 0, 1000, 256)
    assert 0 < u.min()
    assert u.max() < 1
    counts = np.bincount((u.ravel() * 1024).astype(int), minlength=1024)
    assert 1e-6 < stats.chisquare(counts).pvalue
    pairs = (u[:, ::2] * 32).astype(int) * 32 + (u[:, 1::2] * 32).astype(int)
    assert 1e-6 < stats.chisquare(np.bincount(pairs.ravel(), minlength=1024)).pvalue
    low_bits = (u.ravel() * 2.0**52).astype(np.int64) & 255
    assert 1e-6 < stats.chisquare(np.bincount(low_bits, minlength=256)).pvalue
    limit = stats.norm.isf(5e-7)
    others = [
        (u[:, :-1], u[:, 1:]),
        (u[:-1], u[1:]),
        (u, _uniforms(8, _vm.NEGATIVES, 0, 1000, 256)),
        (u, _uniforms(7, _vm.POSITIVE, 0, 1000, 256)),
        (u, _uniforms(7, _vm.NEGATIVES, 2**40, 1000, 256)),
    ]
    for a, b in others:
        assert abs(_correlation(a, b)) < limit
    means = (u.mean(axis=1) - 0.5) * math.sqrt(12 * 256)
    assert stats.kstest(means, "norm").pvalue > 1e-6
    assert len(np.unique(u)) == u.size


@pytest.mark.parametrize("d", [2, 3, 4, 5, 16, 1000])
def test_sums_over_the_sphere_have_their_moments(d: int) -> None:
    """Mean and variance of one exponential against 0F1; false alarm 1e-6 each."""
    n, tau = 200_000, 0.5
    sums = np.empty(n)
    _mc_kernels.sphere_sums(sums, 0, np.uint64(d), d, 1, 1 / tau)
    first, second, third, fourth = (
        float(mpmath.hyp0f1(d / 2, (j / tau) ** 2 / 4) * mpmath.exp(-j / tau)) for j in (1, 2, 3, 4)
    )
    limit = stats.norm.isf(5e-7)
    variance = second - first**2
    assert abs(sums.mean() - first) < limit * math.sqrt(variance / n)
    central = fourth - 4 * third * first + 6 * second * first**2 - 3 * first**4
    assert abs(sums.var() - variance) < limit * math.sqrt((central - variance**2) / n)


@numba.njit(**OPTIONS)
def _halves(seed: int, tuple_: int, draws: int) -> np.ndarray:
    out = np.empty(draws + draws % 2)
    start = _vm.stream_start(np.uint64(seed), _vm.NEGATIVES, tuple_)
    word = start
    for j in range(0, draws, 2):
        word += _vm.stream_step(start)
        out[j] = _vm.lower_half(_vm.mix(word))
        out[j + 1] = _vm.upper_half(_vm.mix(word))
    return out[:draws]


def test_halves_of_words_are_uniform_and_independent() -> None:
    u = np.array([_halves(7, i, 512) for i in range(1000)])
    assert u.min() > 0
    assert u.max() < 1
    assert stats.kstest(u.ravel(), "uniform").pvalue > 1e-6
    assert (
        stats.kstest(u[:, ::2].ravel() - u[:, 1::2].ravel(), "triang", (0.5, -1, 2)).pvalue > 1e-6
    )
    assert abs(_correlation(u[:, ::2], u[:, 1::2])) < 5
    assert abs(_correlation(u[:, 1:-1:2], u[:, 2::2])) < 5


@pytest.mark.parametrize("k", [1, 2, 15, 16, 17, 1023, 1024, 1025, 5000])
def test_a_sum_is_the_sum_of_its_terms(k: int) -> None:
    """Whatever k is modulo the lanes and the blocks: a stream gives its first k halves."""
    sums = np.empty(3)
    _mc_kernels.sphere_sums(sums, 4, np.uint64(1), 3, k, 2.0)
    u = np.array([_halves(1, 4 + i, k) for i in range(3)])
    np.testing.assert_allclose(sums, np.exp(4 * (u - 1)).sum(axis=1), rtol=1e-13)


@numba.njit(**OPTIONS)
def _binomials(seed: int, count: int, n: float, p: float) -> np.ndarray:
    out = np.empty(count)
    for i in range(count):
        start = _vm.stream_start(np.uint64(seed), 1, i)
        out[i], _ = _mc_counts.binomial(start, _vm.stream_step(start), 1, n, p)
    return out


@pytest.mark.parametrize(
    ("n", "p"),
    [
        (1, 0.5),
        (7, 0.2),
        (30, 0.9),
        (40, 0.3),
        (25, 0.5),
        (1000, 0.009),
        (1000, 0.011),
        (1000, 0.7),
        (10**6, 1e-6),
        (10**6, 3e-5),
        (10**5, 0.5),
    ],
)
def test_binomial_counts_have_their_law(n: int, p: float) -> None:
    """Chi-square over cells of expected count 20 or more; false alarm 1e-6 for each of 11."""
    size = 40_000
    x = _binomials(n, size, float(n), p).astype(np.int64)
    law = stats.binom(n, p)
    edges = np.unique(law.ppf(np.linspace(0.001, 0.999, 200))).astype(np.int64)
    expected = size * np.diff(law.cdf(np.concatenate([[-1], edges, [n]])))
    observed = np.bincount(np.searchsorted(edges, x), minlength=len(edges) + 1)
    full = expected >= 20
    observed = np.append(observed[full], observed[~full].sum())
    expected = np.append(expected[full], expected[~full].sum())
    kept = expected > 1e-9 * size
    assert observed[~kept].sum() == 0
    assert stats.chisquare(observed[kept], expected[kept]).pvalue > 1e-6


@pytest.mark.parametrize("n", [10**9, 10**12, 10**15])
def test_huge_binomial_counts(n: int) -> None:
    """Kolmogorov-Smirnov against the normal law, exact to 1e-4 here; false alarm 1e-6 each."""
    p = 0.3
    x = _binomials(3, 20_000, float(n), p)
    z = (x - n * p) / math.sqrt(n * p * (1 - p))
    assert stats.kstest(z, "norm").pvalue > 1e-6
    assert (x == np.floor(x)).all()


def test_log_pmf_keeps_its_digits() -> None:
    with mpmath.workdps(40):
        for n, p in ((50, 0.3), (10**6, 0.01), (10**12, 0.4)):
            centre = n * p
            for shift in (-5, -1, 0, 0.3, 4):
                x = max(0, math.floor(centre + shift * math.sqrt(centre * (1 - p))))
                truth = (
                    mpmath.loggamma(n + 1) - mpmath.loggamma(x + 1) - mpmath.loggamma(n - x + 1)
                    + x * mpmath.log(p) + (n - x) * mpmath.log1p(-mpmath.mpf(p))
                    + mpmath.log(2 * mpmath.pi) / 2
                )  # fmt: skip
                assert (
                    abs(_mc_counts._log_pmf(float(x), float(n), p) - float(truth))
                    < 1e-13 + 1e-21 * n
                )


@pytest.mark.parametrize("n", [1, 2, 17, 1000])
def test_alias_tables_hold_the_weights(n: int) -> None:
    weights = np.random.default_rng(n).dirichlet(np.full(n, 0.3))
    weights[: n // 3] = 0
    weights /= weights.sum()
    thresholds, aliases = _mc_atoms.alias_tables(weights)
    held = thresholds / n
    np.add.at(held, aliases, (1 - thresholds) / n)
    np.testing.assert_allclose(held, weights, atol=1e-14)
    assert (held[weights == 0] == 0).all()


@pytest.mark.parametrize("mode", [_mc_atoms.ALIAS, _mc_atoms.COUNTS])
def test_sums_over_atoms_have_their_moments(mode: int) -> None:
    """Alias draws and multinomial counts: mean and variance; false alarm 1e-6 each."""
    rng = np.random.default_rng(2)
    weights, row = rng.dirichlet(np.ones(9)), rng.uniform(size=9)
    k, n = 300, 20_000
    sums = np.empty(n)
    tables = _mc_atoms.alias_tables(weights)
    _mc_atoms.law_sums(sums, 0, np.uint64(5), k, row, weights, *tables, mode)
    mean = weights @ row
    variance = weights @ (row - mean) ** 2
    limit = stats.norm.isf(5e-7)
    assert abs(sums.mean() - k * mean) < limit * math.sqrt(k * variance / n)
    assert abs(sums.var() / (k * variance) - 1) < limit * math.sqrt(2.1 / n)


def test_the_cache_sees_an_edit_in_an_inlined_function(tmp_path: Path) -> None:
    """Numba's own cache would go on with the old log after _vm.py has changed."""
    source = Path(numerics.__file__).parent
    copy = tmp_path / "numerics"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    script = (
        "import numpy as np; from numerics import _mc_kernels as k; x = np.ones(1);"
        "k.losses(x, np.zeros(1), 1.0, 1.0, True); print(x[0], k.losses._cache_hits.total())"
    )

    def run() -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    first = run()
    assert (round(float(first[0]), 12), first[1]) == (round(math.log(2), 12), "0")
    assert run() == [first[0], "1"]
    text = (copy / "_vm.py").read_text()
    old = "r, odd), r, 1.0)"
    assert old in text
    (copy / "_vm.py").write_text(text.replace(old, "r, odd), r, 3.0)"))
    value, hits = run()
    assert (round(float(value), 12), hits) == (round(math.log(4), 12), "0")
