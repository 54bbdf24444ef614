"""Monte Carlo: the same bits for everyone, unbiased, and honest about its error."""

from __future__ import annotations

import dataclasses
import itertools
import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from multiprocessing import get_context

import numpy as np
import pytest
from scipy import integrate, stats

from numerics import _mc_runs, _mc_statistics, exact, montecarlo
from numerics.parse import InputError
from numerics.worlds import Classes, Embeddings, FiniteWorld, Hypercube, Sphere, World

TENTH = Fraction(1, 10)


def _finite(size: int = 12, even: bool = False) -> FiniteWorld:
    rng = np.random.default_rng(3)
    phi = rng.normal(size=(size, 4))
    phi /= np.linalg.norm(phi, axis=1, keepdims=True)
    pi = np.full(size, 1 / size) if even else rng.dirichlet(np.ones(size))
    return FiniteWorld(phi, pi, rng.dirichlet(np.full(size, 0.2), size=size))


def _embeddings(size: int = 30, separate: bool = False) -> Embeddings:
    rng = np.random.default_rng(4)
    anchor, noise, other = rng.normal(size=(3, size, 20))
    rows = [anchor, anchor + 0.3 * noise, other[: size // 2]]
    rows = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in rows]
    return Embeddings(rows[0], rows[1], rows[2] if separate else None)


WORLDS: dict[str, World] = {
    "circle": Sphere(2, Fraction(3)),
    "sphere": Sphere(3, Fraction(5)),
    "sphere16": Sphere(16, Fraction(20)),
    "hypercube": Hypercube(20, TENTH),
    "classes": Classes(10),
    "finite": _finite(),
    "even": _finite(even=True),
    "embeddings": _embeddings(),
    "separate": _embeddings(separate=True),
}


@pytest.fixture(params=WORLDS, name="world")
def _world(request: pytest.FixtureRequest) -> World:
    return WORLDS[request.param]


@pytest.mark.parametrize("k", [1, 7, 2000])
def test_same_bits_for_any_number_of_threads(world: World, k: int) -> None:
    answers = {
        (
            montecarlo.risk(world, TENTH, k, 500, threads=n),
            montecarlo.bias(world, 1, k, 500, threads=n),
        )
        for n in (1, 2, 8)
    }
    assert len(answers) == 1
    ((risk, bias),) = answers
    assert math.isfinite(risk.mean)
    assert math.isfinite(bias.mean)
    assert montecarlo.risk(world, TENTH, k, 500, seed=1) != risk


def test_same_bits_on_processes_and_threads_of_others() -> None:
    run = {"world": WORLDS["sphere"], "tau": TENTH, "k": 100_000, "tuples": 64}
    alone = montecarlo.bias(**run, threads=1)
    with ThreadPoolExecutor(3) as threads:
        assert montecarlo.bias(**run, executor=threads) == alone
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert montecarlo.bias(**run, executor=processes) == alone


def test_values_are_keyed_by_tuple(monkeypatch: pytest.MonkeyPatch, world: World) -> None:
    """However the run is cut, tuple i has the same loss."""
    run = montecarlo._check(world, TENTH, 40, 96, 5, "infonce")

    def sums(block: int) -> np.ndarray:
        monkeypatch.setattr(_mc_runs.Run, "block", block)
        return np.concatenate([_mc_runs.block_sums(run, part)[3] for part in range(96 // block)])

    whole = sums(96)
    for block in (1, 32, 48):
        np.testing.assert_array_equal(sums(block), whole)


@pytest.mark.parametrize("loss", ["infonce", "dcl"])
@pytest.mark.parametrize(("k", "tau"), [(1, Fraction(1)), (5, Fraction(1, 2)), (3000, TENTH)])
def test_plain_and_controlled_agree(world: World, k: int, tau: Fraction, loss: str) -> None:
    """Two estimators with nothing in common but the streams of the negatives.

    False alarm: |z| > 5 has probability 6e-7 for each of 54 cases if z is normal.
    """
    plain = montecarlo.risk(world, tau, k, 20_000 if k < 100 else 1500, 7, loss)  # type: ignore[arg-type]
    bias = montecarlo.bias(world, tau, k, 4000 if k < 100 else 1500, 8, loss)  # type: ignore[arg-type]
    gap = plain.mean - float(world.limit(tau)) - bias.mean
    assert abs(gap) < 5 * math.hypot(plain.stderr, bias.stderr)


@pytest.mark.parametrize(("k", "tau"), [(1, Fraction(1)), (64, Fraction(1, 2)), (1000, TENTH)])
@pytest.mark.parametrize("loss", ["infonce", "dcl"])
def test_agrees_with_the_exact_bias(world: World, k: int, tau: Fraction, loss: str) -> None:
    """False alarm: |z| > 5 has probability 6e-7 for each of 54 cases if z is normal."""
    estimate = montecarlo.bias(world, tau, k, 4000, 9, loss)  # type: ignore[arg-type]
    assert abs(estimate.z(exact.evaluate(world, tau, k, loss).bias)) < 5  # type: ignore[arg-type]


def test_the_bias_has_ten_digits_where_risk_and_limit_agree_to_fourteen() -> None:
    """At k = 10^14 the difference of risk and limit would have no digit left."""
    world = Hypercube(5, TENTH)
    truth = exact.evaluate(world, 1, 10**14, "infonce").bias
    estimate = montecarlo.bias(world, 1, 10**14, 1000)
    assert abs(estimate.mean / truth - 1) < 1e-10


@pytest.mark.parametrize(
    ("name", "k", "tau"),
    [
        ("sphere", 1000, TENTH),
        ("sphere16", 1000, TENTH),
        ("sphere16", 20, TENTH),
        ("classes", 30, Fraction(1, 2)),
        ("finite", 100, Fraction(1, 5)),
        ("embeddings", 100, Fraction(1, 5)),
    ],
)
def test_z_scores_are_calibrated(name: str, k: int, tau: Fraction) -> None:
    """200 independent runs: Kolmogorov-Smirnov of z against the normal law.

    With other seeds each case would fail with probability 1e-3, were z exactly normal.  The fourth
    has few large terms in a tuple, the third too many for control variates.
    """
    truth = exact.evaluate(WORLDS[name], tau, k, "infonce").bias
    z = [montecarlo.bias(WORLDS[name], tau, k, 2000, s, threads=1).z(truth) for s in range(200)]
    assert stats.kstest(z, "norm").pvalue > 1e-3
    assert max(map(abs, z)) < 5


@pytest.mark.parametrize("name", ["sphere", "sphere16"])
def test_control_variates_are_worth_ten_thousand_times_the_tuples(name: str) -> None:
    plain = montecarlo.risk(WORLDS[name], TENTH, 1000, 4000)
    controlled = montecarlo.bias(WORLDS[name], TENTH, 1000, 4000)
    assert (plain.stderr / controlled.stderr) ** 2 > 1e4


def test_rare_terms_switch_the_controls_off() -> None:
    """A sample too small to show the residuals must not fit them away."""
    few = np.array([1 / 0.07]), np.array([1 / 0.07**2])  # 0.07 large terms in a tuple
    assert _mc_statistics.degrees_for(*few, 1, 2000) == 0
    assert _mc_statistics.degrees_for(*few, 100, 2000) == 0  # kappa_2/k is above 0.1
    assert _mc_statistics.degrees_for(*few, 1000, 2000) == 2
    assert _mc_statistics.degrees_for(*few, 1000, 500) == 0
    assert _mc_statistics.degrees_for(np.zeros(1), np.zeros(1), 1, 2000) in (0, 2)


def test_low_temperature_is_ordinary(world: World) -> None:
    for tau in (Fraction(1, 100), montecarlo.SMALLEST_TAU):
        plain = montecarlo.risk(world, tau, 50, 300)
        bias = montecarlo.bias(world, tau, 50, 300)
        assert all(map(math.isfinite, (plain.mean, plain.stderr, bias.mean, bias.stderr)))
        assert plain.stderr > 0


@pytest.mark.parametrize(
    ("changed", "argument"),
    [
        ({"tau": 0.0}, "tau"),
        ({"tau": float("nan")}, "tau"),
        ({"tau": math.inf}, "tau"),
        ({"tau": Fraction(1, 351)}, "tau"),
        ({"k": 0}, "k"),
        ({"k": 1.5}, "k"),
        ({"tuples": 1}, "tuples"),
        ({"seed": -1}, "seed"),
        ({"loss": "nce"}, "loss"),
    ],
)
def test_bad_parameters_are_named(changed: dict[str, object], argument: str) -> None:
    run = {"world": Classes(3), "tau": 1.0, "k": 4, "tuples": 8} | changed
    for estimator in (montecarlo.risk, montecarlo.bias):
        with pytest.raises(InputError) as caught:
            estimator(**run)
        assert caught.value.argument == argument


def test_memory_does_not_grow_with_the_work() -> None:
    import tracemalloc

    world = WORLDS["sphere"]
    montecarlo.risk(world, TENTH, 4, 10)
    peaks = []
    for k, tuples in ((4, 20_000), (4, 400_000), (40_000, 100)):
        tracemalloc.start()
        montecarlo.risk(world, TENTH, k, tuples, threads=1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert max(peaks) < 2_000_000


def _positive_mean(world: World) -> tuple[float, float]:
    """Mean of sampled positives' similarities, and its standard error."""
    law = montecarlo._check(world, 1, 1, 50_000, 11, "dcl").law
    seed = np.uint64(11)
    gaps = law.gaps(0, seed, law.anchors(0, 50_000, seed))
    return 1 + float(gaps.mean()), float(gaps.std()) / math.sqrt(len(gaps)) + 1e-15


def test_positives_have_their_means(world: World) -> None:
    """False alarm 6e-7 a world."""
    mean, error = _positive_mean(world)
    assert abs(mean - float(world.mean_positive())) < 5 * error


@pytest.mark.parametrize("d", [2, 3, 4, 16, 200])
@pytest.mark.parametrize("conc", [0, Fraction(1, 2), 5, 200, Sphere.MAX_CONC])
def test_von_mises_fisher_sampler_has_its_distribution(d: int, conc: Fraction) -> None:
    """Kolmogorov-Smirnov against a quadrature of the density; false alarm 1e-6 for each of 25."""
    law = montecarlo._check(Sphere(d, Fraction(conc)), 1, 1, 10, 1, "dcl").law
    angles = np.sort(np.arccos(1 + law.gaps(0, np.uint64(d), np.zeros(4000, dtype=np.int64))))
    grid = np.concatenate([[0.0], angles[::40], angles[-1:], [math.pi]])

    def log_density(angle: float) -> float:  # of the angle, unnormalised
        tilt = -2 * float(conc) * math.sin(angle / 2) ** 2
        return tilt + (d - 2) * math.log(math.sin(angle)) if d > 2 else tilt

    top = log_density(angles[2000])

    def density(angle: float) -> float:
        return math.exp(log_density(angle) - top)

    pieces = [integrate.quad(density, *ends)[0] for ends in itertools.pairwise(grid)]
    cdf = np.cumsum(pieces)[:-1] / math.fsum(pieces)
    below = np.searchsorted(angles, grid[1:-1], side="right") / len(angles)
    limit = stats.kstwobign.isf(1e-6) / math.sqrt(len(angles))
    assert np.abs(below - cdf).max() < limit


def test_estimate_is_data() -> None:
    estimate = montecarlo.Estimate(1.0, 0.5, 9)
    assert dataclasses.astuple(estimate) == (1.0, 0.5, 9)
    assert estimate.z(0.0) == 2
    certain = montecarlo.Estimate(1.0, 0.0, 9)
    assert (certain.z(1.0), certain.z(2.0)) == (0.0, -math.inf)


def test_a_world_of_one_point_has_no_chance_in_it() -> None:
    one = FiniteWorld(np.ones((1, 1)), np.ones(1), np.ones((1, 1)))
    for estimate in (montecarlo.risk(one, 1, 3, 10), montecarlo.bias(one, 1, 3, 10)):
        assert estimate.mean == pytest.approx(math.log(4 / 3), rel=1e-15)
        assert estimate.stderr < 1e-14
