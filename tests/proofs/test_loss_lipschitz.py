"""Lemmas 6 to 8, proposition 4 and its sharper form: verdicts, and the numbers by other routes."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import mp
from scipy.optimize import minimize_scalar

from proofs import ledger
from proofs.check import Settings, run_statement
from proofs.evidence import Outcome
from proofs.paper import prop_4
from proofs.paper._pairs import (
    Setting,
    linear_gauge,
    loss_and_gradient,
    mean_against_max,
    power_mean,
    root_gauge,
)
from proofs.sharper import prop_4_sharp
from proofs.sharper._power_mean_factor import power_mean_factor

IDS = [
    "lemma-6",
    "lemma-7",
    "lemma-8",
    "prop-4",
    "eq-16",
    "eq-17",
    "eq-18",
    "lemma-7-sharp",
    "prop-4-sharp",
]


@pytest.fixture(scope="module")
def results() -> dict[str, ledger.Checked]:
    return {id_: run_statement(id_, Settings()) for id_ in IDS}


@pytest.mark.parametrize("id_", IDS)
def test_holds_and_every_mutant_is_refuted(id_: str, results: dict[str, ledger.Checked]) -> None:
    checked = results[id_]
    assert ledger.verdict(id_, results) is ledger.Verdict.HOLDS
    assert checked.hypotheses.outcome is Outcome.PASSED
    for ran in checked.all:
        assert ran.outcome in (Outcome.PASSED, Outcome.CITED, Outcome.ARGUED), ran.finding
        assert [n for n, f in ran.mutants if f.outcome is not Outcome.REFUTED] == []


def test_machines_check_the_steps(results: dict[str, ledger.Checked]) -> None:
    steps = [ran for id_ in IDS for ran in results[id_].steps]
    checked = sum(ran.outcome is Outcome.PASSED for ran in steps)
    argued = sum(ran.outcome is Outcome.ARGUED for ran in steps)
    assert argued == 1  # dominated convergence in lemma 6
    assert checked / (checked + argued) > 0.9


def random_tuple(rng: np.random.Generator, k: int, d: int) -> np.ndarray:
    rows = rng.normal(size=(k + 2, d))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize(("k", "tau"), [(1, 5.0), (4, 0.5), (32, 0.05)])
def test_the_gradient_of_the_search_is_the_complex_step(k: int, tau: float) -> None:
    rng = np.random.default_rng(k)
    rows = random_tuple(rng, k, 5)
    direction = rng.normal(size=rows.shape)
    step = 1e-60
    moved = rows + 1j * step * direction
    exponents = (moved[2:] - moved[1]) @ moved[0] / tau
    expected = np.log(1 / k + np.exp(exponents).mean()).imag / step
    value, gradient = loss_and_gradient(rows, tau)
    assert np.sum(gradient * direction) == pytest.approx(expected, rel=1e-10)
    exponents = (rows[2:] - rows[1]) @ rows[0] / tau
    assert value == pytest.approx(np.log(1 / k + np.exp(exponents).mean()), rel=1e-12)


@pytest.mark.parametrize("gauge", [root_gauge, linear_gauge(lambda at: (2, 1, at.beta))])
def test_the_gradients_of_the_bounds(gauge) -> None:
    norms = np.array([0.3, 0.2, 0.5, 0.4, 0.1])
    at = Setting(tau=0.7, k=3, beta=3.0)
    _, slope = gauge(norms, at)
    for i in range(len(norms)):
        step = np.zeros_like(norms)
        step[i] = 1e-6
        rise = (gauge(norms + step, at)[0] - gauge(norms - step, at)[0]) / 2e-6
        assert slope[i] == pytest.approx(rise, abs=1e-8)


def test_power_means_increase_with_their_order() -> None:
    values = np.array([0.0, 0.1, 0.7, 0.3])
    means = [power_mean(values, order)[0] for order in (1.0, 2.0, 10.0, 50.0, np.inf)]
    assert means == sorted(means)
    assert means[0] == pytest.approx(values.mean())
    assert means[-1] == values.max()
    assert power_mean(1e-200 * values, 50.0)[0] == pytest.approx(1e-200 * means[3], rel=1e-12)


@pytest.mark.parametrize("beta", [1.1, 1.5, 2.0, 7.0, 40.0])
@pytest.mark.parametrize("tau", [0.3, 1.0, 4.0])
def test_the_constant_of_lemma_7_is_the_maximum_over_shares(beta: float, tau: float) -> None:
    b = mp.mpf(beta) / (mp.mpf(beta) - 1)
    q = mp.exp(2 / mp.mpf(tau))

    def ratio(s: float) -> float:
        return float(-mp.log(s * q**b + 1 - s) / b + mp.log(s * q + 1 - s))

    best = minimize_scalar(ratio, bounds=(0, 1), method="bounded", options={"xatol": 1e-13})
    assert np.log(power_mean_factor(beta, tau)) == pytest.approx(-best.fun, rel=1e-7)


def test_the_constant_of_lemma_7_at_small_temperature() -> None:
    # H_2 = cosh(1/tau) exactly; tau = 0.01 is ordinary input.
    assert power_mean_factor(2, 0.01) == pytest.approx(np.cosh(100), rel=1e-12)
    with mp.workdps(60):
        b, q = mp.mpf(4) / 3, mp.exp(200)
        s = ((q**b - 1) - b * (q - 1)) / ((b - 1) * (q - 1) * (q**b - 1))
        exact = (s * q**b + 1 - s) ** (1 / b) / (s * q + 1 - s)
        assert power_mean_factor(4, 0.01) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("tau", [0.05, 0.3, 1.0, 5.0])
@pytest.mark.parametrize("beta", [1.0, 2.0, 50.0, np.inf])
def test_both_bounds_hold_on_random_pairs(tau: float, beta: float) -> None:
    rng = np.random.default_rng(int(100 * tau))
    for _ in range(20):
        k, d = int(rng.integers(1, 33)), int(rng.integers(2, 9))
        first, second = random_tuple(rng, k, d), random_tuple(rng, k, d)
        left = abs(loss_and_gradient(first, tau)[0] - loss_and_gradient(second, tau)[0])
        norms = np.linalg.norm(first - second, axis=1)
        mean, _ = power_mean(norms[2:], beta)
        printed = (4 * norms[0] + norms[1] + 3 * np.exp(2 / (beta * tau)) * mean) / tau
        theta = 1 / (1 + np.exp(-2 / tau) / k)
        factor = power_mean_factor(beta, tau)
        ours = theta * (2 * norms[0] + norms[1] + factor * mean) / tau
        assert left <= ours <= printed


def test_the_search_comes_close() -> None:
    printed = prop_4.search(seed=5, restarts=12)
    assert 0.75 < printed.left / printed.right <= 1
    alone = prop_4.search(seed=5, restarts=12, moving="anchor")
    assert 0.4 < alone.left / alone.right <= 0.5
    ours = prop_4_sharp.search(seed=5, restarts=8)
    assert 0.8 < ours.left / ours.right <= 1


def test_small_turns_reach_the_sharp_bound() -> None:
    # The anchor at a right angle to the positive, the negatives opposite: a closed form.
    tau, k, turn = 0.7, 10**6, 1e-4
    speeds = np.array([1.0, 0.5, 2.0])
    a, p, n = turn * speeds
    rise = np.sin(a + n) + np.sin(a + p)
    left = np.log((1 / k + np.exp(rise / tau)) / (1 / k + 1))
    right = (2 * 2 * np.sin(a / 2) + 2 * np.sin(p / 2) + 2 * np.sin(n / 2)) / tau
    assert left / right == pytest.approx(k / (k + 1), rel=1e-3)


def test_a_mean_settles_where_a_maximum_grows() -> None:
    rows = list(mean_against_max((10, 100, 1000, 10_000), tau=1, beta=2, index=2.5, seed=1))
    averaged = [row[2] for row in rows]
    older = [row[3] for row in rows]
    assert max(averaged) < 2 * min(averaged)
    assert older[-1] > 4 * older[0]
    assert averaged[0] > older[0]  # the constants are worse: for few negatives the older bound wins
    assert averaged[-1] < older[-1] / 4
    assert all(row[1] <= min(row[2], row[3]) for row in rows)
