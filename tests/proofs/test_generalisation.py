"""What is expected of Section 4's generalisation, and of [12], [13] and [32] of Section 3."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from sympy import Integral

from proofs import ledger
from proofs.check import closure, run_statement
from proofs.evaluate import mpmath_function
from proofs.evidence import Outcome
from proofs.ledger import Verdict
from proofs.paper import _class_world, _search_worlds, eq_13, eq_32
from proofs.paper._coverage import SmallClass, rademacher, trials
from proofs.paper._lipschitz_class import d_theta, radius
from proofs.paper.lemma_5 import LOSS_MAX, LOSS_MIN, LOSS_RANGE, range_share
from proofs.sharper import (
    _batches,
    _finite_simplices,
    _small_tables,
    prop_3_sharp,
    theorem_1_sharp,
)
from proofs.sharper.prop_3_sharp import loss_range
from proofs.sharper.prop_5_sharp import place, slope
from proofs.symbols import k as k_
from proofs.symbols import n as n_
from proofs.symbols import tau as tau_

EXPECTED = {
    "eq-12": Verdict.HOLDS,
    "eq-13": Verdict.HOLDS,
    "eq-32": Verdict.HOLDS,
    "erratum-vacuous-13": Verdict.HOLDS,
    "lemma-5": Verdict.HOLDS,
    "prop-3": Verdict.HOLDS,
    "dcl-exercise": Verdict.HOLDS,
    "early-stopping": Verdict.HOLDS,
    "prop-3-sharp": Verdict.HOLDS,
    "open-in-batch": Verdict.OPEN,
    "open-finite-k-simplex": Verdict.OPEN,
}


@pytest.fixture(scope="module")
def results() -> dict[str, ledger.Checked]:
    return {used: run_statement(used) for used in closure(list(EXPECTED))}


@pytest.mark.parametrize("id_", EXPECTED)
def test_verdicts(id_: str, results: dict[str, ledger.Checked]) -> None:
    assert ledger.verdict(id_, results) is EXPECTED[id_]
    for ran in results[id_].all:
        assert ran.outcome in (Outcome.PASSED, Outcome.CITED, Outcome.ARGUED), ran.finding
        for name, finding in ran.mutants:
            assert finding.outcome is Outcome.REFUTED, (name, finding)


# Lemma 5 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 50])
@pytest.mark.parametrize("tau", [0.01, 0.3, 2.0])
def test_no_tuple_leaves_the_range(tau: float, k: int) -> None:
    """Random tuples and the two extreme ones, straight from the definition, in the log domain."""
    rng = np.random.default_rng(0)
    s = rng.uniform(-1, 1, size=(1000, k + 1))
    s[0], s[1] = 1.0, -1.0
    s[0, 0], s[1, 0] = -1.0, 1.0
    exponents = np.logaddexp.reduce((s[:, 1:] - s[:, :1]) / tau, axis=1)
    losses = np.logaddexp(0.0, exponents) - math.log(k)
    with mpmath.workdps(120):  # e^{-2/tau} beside 1/k needs the digits
        at = (mpmath.mpf(tau), mpmath.mpf(k))
        low, high, width = (
            mpmath_function(e, (tau_, k_))(*at) for e in (LOSS_MIN, LOSS_MAX, LOSS_RANGE)
        )
        assert abs(high - low - width) < 1e-30
    assert losses.min() == losses[1] == pytest.approx(float(low), rel=1e-12, abs=1e-15)
    assert losses.max() == losses[0] == pytest.approx(float(high), rel=1e-12)
    share = range_share(Fraction(str(tau)), k)
    assert share == pytest.approx(float(width) * tau / 4, rel=1e-12)
    assert share <= 1


# [12] and [13] ----------------------------------------------------------------------------------


def test_search_gap_against_all_draws() -> None:
    """tau (CEhat_k - Rt) from every k-tuple of atoms, by the definition of the search."""
    world, k, agreed = _search_worlds.WORLDS[2], 3, 1
    atoms = range(len(world.pi))
    total = Fraction(0)
    for z in atoms:
        w = [world.kernel[z][i] / world.pi[i] for i in atoms]
        for draws in product(atoms, repeat=k):
            chance = world.pi[z] * math.prod((world.pi[i] for i in draws), start=Fraction(1))
            weight = sum((w[i] for i in draws), Fraction(0))
            hit = sum((w[i] * world.similarity(z, i) for i in draws), Fraction(0))
            total -= chance * (hit / weight if weight else agreed)
        for i in atoms:
            total += world.pi[z] * world.kernel[z][i] * world.similarity(z, i)
    assert world.search_gap(k, agreed) == total


@pytest.mark.parametrize("lam", [0.3, 1.0])
def test_class_world_against_all_draws(lam: float) -> None:
    tau, k = 0.8, 4
    size = _class_world.classes(tau)
    mass = np.full(size, 1 / size)
    positive = np.full(size, (1 - lam) / size)
    positive[0] += lam
    y = np.ones(size)
    y[0] = math.exp(1 / tau)
    w = positive / mass
    bias, mean_log = -positive[0], 0.0
    for draws in product(range(size), repeat=k):
        chance = size**-k
        weight = w[list(draws)].sum()
        bias += chance * (w[list(draws)] @ (np.array(draws) == 0) / weight if weight else 0.0)
        mean_log += chance * math.log(y[list(draws)].mean())
    expected = abs(bias) / tau / (math.log(y.mean()) - mean_log)
    assert _class_world.ratio(tau, lam, k) == pytest.approx(expected, rel=1e-10)
    assert _class_world.chi2(tau, lam) == pytest.approx(float(mass @ w**2))


def test_the_bound_13_is_loose_by_more_than_ten() -> None:
    share = eq_13.looseness(Fraction(1, 2))
    assert share is not None
    assert 0 < share < 0.1
    assert eq_13.looseness(Fraction(2)) is None


@pytest.mark.parametrize("size", [2, 3, 7])
def test_spread_of_orthonormal_classes(size: int) -> None:
    """Var/mu^2 in closed form, and its printed bound, where the number of classes jumps."""
    for high in (size + 1e-9, size + 0.5, size + 1.0):
        y = np.array([high, *[1.0] * (size - 1)])
        if math.ceil(high - 1) != size or high <= 2:
            continue
        x = (high - 1) / size
        assert y.var() / y.mean() ** 2 == pytest.approx(x * (high - 1 - x) / (1 + x) ** 2)
        assert y.var() / y.mean() ** 2 >= 2 / 9 * (high - 2)


# [32] -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 5, 40])
@pytest.mark.parametrize("p", [0.02, 0.5, 0.9])
def test_both_bounds_of_32(p: float, k: int) -> None:
    with mpmath.workdps(30):
        t = mpmath.mpf(1)
        high, low = mpmath.exp(t), mpmath.exp(-t)
        mean = p * high + (1 - p) * low
        gap = mpmath.log(mean) - mpmath.fsum(
            mpmath.binomial(k, j)
            * mpmath.mpf(p) ** j
            * mpmath.mpf(1 - p) ** (k - j)
            * mpmath.log((j * high + (k - j) * low) / k)
            for j in range(k + 1)
        )
        moment = [p * (high - mean) ** r + (1 - p) * (low - mean) ** r for r in range(4)]
        leading = moment[2] / (2 * mean**2)
        remainder = mpmath_function(eq_32.remainder, (tau_, k_))(mpmath.mpf(1), mpmath.mpf(k))
        assert k * gap >= leading - moment[3] / (3 * k * mean**3) >= leading - remainder


# Propositions 3 -----------------------------------------------------------------------------------


def test_risks_against_simulation() -> None:
    rng = np.random.default_rng(5)
    world = SmallClass.random(rng, tau=0.7, k=2)
    losses = world.losses(world.draw(rng, 200_000))
    stderr = losses.std(axis=1) / math.sqrt(losses.shape[1])
    assert (abs(losses.mean(axis=1) - world.risks()) < 5 * stderr).all()


def test_rademacher_by_exact_arithmetic() -> None:
    rng = np.random.default_rng(6)
    table = rng.integers(0, 5, size=(3, 6))
    exact = _small_tables.complexity(
        tuple(tuple(Fraction(int(v)) for v in column) for column in table.T)
    )
    assert rademacher(table.astype(float), rng) == pytest.approx(float(exact))


def test_estimated_complexity_is_close_to_the_exact_one() -> None:
    rng = np.random.default_rng(7)
    table = rng.normal(size=(4, 12))
    doubled = np.hstack([table, np.zeros((4, 1))])  # a 13th tuple that does nothing
    assert rademacher(doubled, rng) == pytest.approx(rademacher(table, rng) * 12 / 13, rel=0.05)


def test_symmetrisation_holds_in_the_small_class() -> None:
    rng = np.random.default_rng(8)
    drawn = list(trials(SmallClass.random(rng, tau=0.5, k=2), n=8, count=400, rng=rng))
    excess = np.array([t.deviation - t.twice_rademacher for t in drawn])
    assert excess.mean() + 5 * excess.std() / 20 < 0


def test_sharper_deviation() -> None:
    for tau, k, n, delta in ((0.05, 1, 100, 0.1), (0.5, 1000, 10_000, 0.01), (3.0, 7, 50, 0.5)):
        with mpmath.workdps(60):
            width = mpmath_function(LOSS_RANGE, (tau_, k_))(mpmath.mpf(tau), mpmath.mpf(k))
            expected = 2 * width * mpmath.sqrt(mpmath.log(1 / mpmath.mpf(delta)) / (2 * n))
        value = prop_3_sharp.deviation_sharp(tau, k, n, delta)
        assert value == pytest.approx(float(expected), rel=1e-12)
        assert value < 12 / tau * math.sqrt(math.log(2 / delta) / (2 * n)) / 1.5


# Theorem 1, sharper -----------------------------------------------------------------------------


def test_every_step_of_the_sharper_theorem() -> None:
    checked = run_statement("theorem-1-sharp")
    for ran in checked.all:
        assert ran.outcome in (Outcome.PASSED, Outcome.CITED, Outcome.ARGUED), ran.finding
        for name, finding in ran.mutants:
            assert finding.outcome is Outcome.REFUTED, (name, finding)


def test_the_complexity_bound_is_concave_and_increasing_in_the_lipschitz_constant() -> None:
    """The step that is argued: G on a grid across the switch at L R = Delta_k, by quadrature."""
    at = {radius: 1, d_theta: 1, n_: 1, loss_range: 2}
    values = []
    for lipschitz in np.linspace(0.25, 5.0, 20):
        expression = theorem_1_sharp.complexity(slope).subs({**at, slope: lipschitz})
        (integral,) = expression.atoms(Integral)
        function = mpmath_function(integral.function, (place,))
        area = mpmath.quad(function, [0, 1e-6, 1e-3, 0.1, 0.5])
        values.append(float(expression.subs(integral, area)))
    steps = np.diff(values)
    assert (steps > 0).all()
    assert (np.diff(steps) < 1e-9).all()
    assert (np.diff(steps) < -1e-3).sum() > 5


# Open questions ---------------------------------------------------------------------------------


def test_simplex_bias_against_quadrature() -> None:
    """The binomial sum against E log = int (e^{-u} - L(u)) du/u, and the pair at k = 1."""
    points, t, k = 4, 2.0, 3
    p, own, other = 1 / points, math.exp(t), math.exp(-t / (points - 1))
    mean = p * own + (1 - p) * other

    def integrand(u: mpmath.mpf) -> mpmath.mpf:
        laplace = p * mpmath.exp(-u * own / k) + (1 - p) * mpmath.exp(-u * other / k)
        return (mpmath.exp(-u) - laplace**k) / u

    mean_log = mpmath.quad(integrand, [0, 0.1, 1, 10, 100])
    expected = math.log(mean) - float(mean_log)
    assert _finite_simplices.simplex_bias(points, t, k) == pytest.approx(expected, rel=1e-9)
    assert _finite_simplices.simplex_bias(2, 3.0, 1) == pytest.approx(math.log(math.cosh(3.0)))


def test_variance_of_a_batch_by_simulation() -> None:
    world, tau, pairs, draws = _search_worlds.WORLDS[2], 0.5, 3, 200_000
    rng = np.random.default_rng(9)
    pi = np.array([float(p) for p in world.pi])
    kernel = np.array([[float(x) for x in row] for row in world.kernel])
    s = np.array([[float(world.similarity(i, j)) for j in range(3)] for i in range(3)]) / tau
    anchors = rng.choice(3, size=(draws, pairs), p=pi)
    uniform = rng.random((draws, pairs))
    chosen = (uniform[..., None] > np.cumsum(kernel[anchors], axis=2)).sum(axis=2).clip(max=2)
    logits = s[anchors[:, :, None], chosen[:, None, :]]
    own = logits[:, range(pairs), range(pairs)]
    losses = np.log(np.exp(logits).sum(axis=2)) - own - math.log(pairs - 1)
    simulated = losses.mean(axis=1).var() / (losses[:, 0].var() / pairs)
    assert _batches.variance_ratio(world, tau, pairs) == pytest.approx(simulated, rel=0.03)
