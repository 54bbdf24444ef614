"""What is expected of lemma 1, proposition 5, theorem 1, their sequels and their errata."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from sympy import Matrix, Rational

from proofs import ledger
from proofs.check import Settings, closure, run_statement
from proofs.evaluate import mpmath_function
from proofs.evidence import Outcome
from proofs.ledger import Verdict
from proofs.paper import _class_search, _growth, dimension_free
from proofs.paper._circle_model import Tuples, power_mean
from proofs.paper._lipschitz_class import A, complexity_bound, d_theta, switch
from proofs.paper.erratum_homogeneous import example, network
from proofs.paper.lemma_1 import printed_slope
from proofs.sharper._entropy_integral import entropy_integral, entropy_integral_float
from proofs.sharper._power_mean_factor import power_mean_factor
from proofs.sharper.lemma_1_sharp import sharp_slope
from proofs.symbols import n, tau

EXPECTED = {
    "lemma-1": Verdict.HOLDS,
    "prop-5": Verdict.HOLDS,
    "theorem-1": Verdict.HOLDS,
    "erratum-diameter": Verdict.CORRECTED,
    "erratum-homogeneous": Verdict.CORRECTED,
    "erratum-heavy-tails": Verdict.CORRECTED,
    "limit-stable-in-k": Verdict.HOLDS,
    "dimension-free": Verdict.HOLDS,
    "low-temperature": Verdict.HOLDS,
    "lemma-1-sharp": Verdict.HOLDS,
    "prop-5-sharp": Verdict.HOLDS,
}
USES = {
    "lemma-1": {"prop-4"},
    "prop-5": {"lemma-1", "lemma-5"},
    "theorem-1": {"prop-2", "prop-3", "prop-5"},
    "erratum-diameter": {"lemma-1", "lemma-1-sharp"},
    "erratum-homogeneous": {"lemma-1", "prop-5"},
    "erratum-heavy-tails": {"lemma-1-sharp"},
    "lemma-1-sharp": {"prop-4-sharp", "lemma-7-sharp"},
    "prop-5-sharp": {"lemma-5"},
    "dimension-free": set(dimension_free.SECTION_4),
}


@pytest.fixture(scope="module")
def results() -> dict[str, ledger.Checked]:
    return {
        used: run_statement(used, Settings(mutants=used in EXPECTED))
        for used in closure(list(EXPECTED))
    }


@pytest.mark.parametrize("id_", EXPECTED)
def test_verdicts(id_: str, results: dict[str, ledger.Checked]) -> None:
    assert ledger.verdict(id_, results) is EXPECTED[id_]
    for ran in results[id_].all:
        assert ran.outcome in (Outcome.PASSED, Outcome.CITED, Outcome.ARGUED), ran.finding
        for name, finding in ran.mutants:
            assert finding.outcome is Outcome.REFUTED, (name, finding)


@pytest.mark.parametrize("id_", USES)
def test_proofs_use_what_they_say(id_: str) -> None:
    assert set(ledger.get(id_).uses) == USES[id_]


# Lemma 1 and its sequel -------------------------------------------------------------------------


def test_the_circle_model_satisfies_assumption_c() -> None:
    rng = np.random.default_rng(0)
    z = rng.normal(size=(1000, 3))
    first, second = rng.normal(size=(2, 3))
    a, b = z @ first, z @ second
    moved = np.hypot(np.cos(a) - np.cos(b), np.sin(a) - np.sin(b))
    assert np.all(moved <= np.linalg.norm(z, axis=1) * np.linalg.norm(first - second) + 1e-12)


def test_the_model_loss_is_the_loss_of_the_definition() -> None:
    rng = np.random.default_rng(1)
    tuples = Tuples(rng.normal(size=(2, 5, 2)), 0.3)
    theta = np.array([0.7, -1.1])
    for points, loss in zip(tuples.points, tuples.losses(theta), strict=True):
        phi = np.stack([np.cos(points @ theta), np.sin(points @ theta)], axis=1)
        s = phi[0] @ phi.T
        direct = math.log(1 / 3 + sum(math.exp((x - s[1]) / 0.3) for x in s[2:]) / 3)
        assert loss == pytest.approx(direct, rel=1e-12)


@pytest.mark.parametrize("temperature", [0.05, 0.3, 0.99, 1.0, 1.5, 2.0, 7.0])
def test_nested_power_means_in_the_three_cases(temperature: float) -> None:
    rng = np.random.default_rng(2)
    beta, order = max(1.0, 2 / temperature), 2 / min(1.0, temperature)
    for _ in range(50):
        g = np.exp(rng.normal(size=(4, 6)))
        inner = power_mean(g, beta, axis=1)
        outer = math.sqrt(float(np.mean(inner**2)))
        assert outer <= float(power_mean(g.ravel(), order, axis=0)) * (1 + 1e-12)
        assert math.exp(2 / (beta * temperature)) <= math.e * (1 + 1e-12)


def test_the_sharp_constant_is_at_most_a_quarter_of_the_printed_one() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        tuples = Tuples.random(rng, 2, int(rng.integers(1, 6)), 1.5)
        assert sharp_slope(tuples) <= printed_slope(tuples) / 4 * (1 + 1e-12)


def test_one_exponent_serves_all_temperatures() -> None:
    for temperature in np.geomspace(0.02, 50, 60):
        order = 2 / min(1.0, temperature)
        assert power_mean_factor(order, temperature) <= math.e * (1 + 1e-12)


# Proposition 5 and its sequel -------------------------------------------------------------------


@pytest.mark.parametrize("c", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("upper", [0.1, 2.0])
def test_the_integral_of_the_logarithm_by_quadrature(c: float, upper: float) -> None:
    direct = mpmath.quad(lambda e: mpmath.log(1 + c / e), [0, upper / 1000, upper])
    closed = upper * math.log(1 + c / upper) + c * math.log(1 + upper / c)
    assert float(direct) == pytest.approx(closed, rel=1e-9)
    assert closed <= upper * (math.log(1 + c / upper) + 1)


def test_the_printed_bound_dominates_the_entropy_integral() -> None:
    value = mpmath_function(complexity_bound(A, d_theta, n), (A, d_theta, n, tau))
    for a in (0.01, 0.5, 1.0, 2.0, 40.0):
        for temperature in (0.1, 1.0, 3.0):
            upper = min(4 / temperature, 4 * a / temperature)
            c = 8 * a / temperature
            nodes = [0, *(upper * 10.0**-j for j in range(12, -1, -1))]
            integral = mpmath.quad(lambda e, c=c: mpmath.sqrt(mpmath.log(1 + c / e)), nodes)
            dudley = 24 * math.sqrt(7 / 100) * float(integral)
            assert dudley <= float(value(a, 7, 100, temperature))


def test_the_branches_cross_at_one_only() -> None:
    value = mpmath_function(switch(A), (A,))
    signs = [float(value(a)) for a in np.linspace(0.001, 5, 2000)]
    assert float(value(1)) == pytest.approx(0, abs=1e-14)
    assert sum(x * y < 0 for x, y in itertools.pairwise(signs)) <= 1


@pytest.mark.parametrize("ratio", [Fraction(2), Fraction(7, 3), Fraction(1000), Fraction(10**9)])
def test_the_entropy_integral_by_quadrature(ratio: Fraction) -> None:
    with mpmath.workdps(30):
        r = mpmath.mpf(ratio.numerator) / ratio.denominator
        nodes = [0, *(mpmath.mpf(10) ** -j / 2 for j in range(25, -1, -1))]
        direct = mpmath.quad(lambda x: mpmath.sqrt(mpmath.log(1 + r / x)), nodes)
        ball = entropy_integral(ratio, 20)
        assert abs(mpmath.mpf(ball.mid().str(25, radius=False)) - direct) < mpmath.mpf(10) ** -18
    assert ball.rel_accuracy_bits() > 60
    assert entropy_integral_float(float(ratio)) == pytest.approx(float(direct), rel=1e-13)


def test_the_numbers_that_the_book_quotes() -> None:
    chaining = 4 * math.sqrt(2) * entropy_integral_float(2.0)
    assert chaining == pytest.approx(4.41023, abs=5e-6)
    assert 24 * math.sqrt(math.log(3) + 1) == pytest.approx(34.768, abs=5e-4)
    sums = sum(2 * 2.0**-j * math.sqrt(2 * math.log1p(2.0 ** (j + 1))) for j in range(1, 80))
    assert sums == pytest.approx(4.15605, abs=5e-6)
    assert sums < chaining


def test_links_of_a_chain_are_short() -> None:
    """Build the chain for a small class: every link is as short as the proof says."""
    rng = np.random.default_rng(4)
    tuples = Tuples.random(rng, 1, 8, 0.3)
    grid = np.linspace(-1, 1, 201)
    losses = np.stack([tuples.losses(np.array([x])) for x in grid])

    def rho(i: int, j: int) -> float:
        return float(np.sqrt(np.mean((losses[i] - losses[j]) ** 2)))

    top = max(rho(100, i) for i in range(201))
    centres = [[100]]
    for level in range(1, 6):
        chosen: list[int] = []
        for i in range(201):
            if all(rho(i, c) > top * 2.0**-level for c in chosen):
                chosen.append(i)
        for c in chosen:
            assert min(rho(c, parent) for parent in centres[-1]) <= 2 * top * 2.0**-level
        assert max(min(rho(i, c) for c in chosen) for i in range(201)) <= top * 2.0**-level
        centres.append(chosen)


# Theorem 1 ---------------------------------------------------------------------------------------


def test_search_cross_entropy_by_simulation() -> None:
    rng = np.random.default_rng(5)
    theta, temperature, k = 0.8, 0.7, 3
    points = _class_search.POINTS
    s = np.cos(theta * (points[:, None] - points[None, :]))
    density = _class_search.KERNEL / _class_search.PI
    anchor = rng.choice(3, 200_000, p=_class_search.PI)
    drawn = rng.choice(3, (200_000, k), p=_class_search.PI)
    w, sims = density[anchor[:, None], drawn], s[anchor[:, None], drawn]
    values = np.log(np.mean(np.exp(sims / temperature), axis=1))
    values -= (w * sims).sum(axis=1) / w.sum(axis=1) / temperature
    exact = _class_search.search_cross_entropy(theta, temperature, k)
    assert abs(values.mean() - exact) < 6 * values.std() / math.sqrt(len(values))


# Errata and remarks ------------------------------------------------------------------------------


def test_a_network_without_biases_ignores_the_size_of_its_input() -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        w, v = rng.normal(size=(2, 5, 3))
        z = rng.normal(size=3)
        w[0] = z  # at least one unit is active
        outs = [v.T @ np.maximum(w @ (t * z), 0) for t in (1.0, 1e-9)]
        first, second = (o / np.linalg.norm(o) for o in outs)
        assert np.allclose(first, second, atol=1e-12)
    symbolic = network(Matrix([1, 2]))
    names = sorted(symbolic.free_symbols, key=str)
    point = {name: Rational(i + 2, 3) for i, name in enumerate(names)}
    assert sum(x.subs(point) ** 2 for x in symbolic) == 1


def test_the_example_against_c_is_on_the_circle() -> None:
    for theta in (Fraction(0), Fraction(3, 4), Fraction(5, 12)):
        x, y = example(theta)
        assert x**2 + y**2 == 1
    with pytest.raises(ValueError, match="not a square"):
        example(Fraction(1))


def test_gaussian_maximum_overtakes_at_52_points() -> None:
    cases = list(_growth.plane_maximum(10))
    assert cases[1].label == "r = 10, k = 52"


def test_heavy_tails_grow_like_a_fifth_root() -> None:
    rng = np.random.default_rng(7)
    logs = []
    for k in (10**3, 10**5):
        g = rng.pareto(4, size=(200, k)) + 1
        logs.append(float(np.median(np.log(power_mean(g, 20.0, axis=1)))))
    rate = (logs[1] - logs[0]) / math.log(100)
    assert rate == pytest.approx(0.2, abs=0.03)
