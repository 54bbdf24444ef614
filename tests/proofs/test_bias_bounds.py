"""The sharper bounds on the bias: verdicts, and what the proofs rest on."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sympy import Symbol

from proofs import ledger
from proofs.check import closure, run_statement
from proofs.evidence import Outcome
from proofs.ledger import Verdict
from proofs.sharper import _finite_search as finite
from proofs.sharper._pairs_of_anchors import X, kernel, mean_over_pairs, mu_of, vanishes
from proofs.symbols import k, tau

IDS = (
    "reciprocal-lemma",
    "two-point-lemma",
    "same-variance-lemma",
    "log-remainder",
    "multiplier-lemma",
    "gap-second-order",
    "eq-11-sharp",
    "prop-1-sharp",
    "poisson-domination",
    "poisson-constant",
    "lemma-2-sharp",
    "variance-factor",
    "simplex-dominance",
    "leading-constant",
    "simplex-peak",
    "simplex-peak-converse",
    "lemma-4-sharp",
)
USES = {
    "prop-1-sharp": {"eq-11-sharp", "reciprocal-lemma"},
    "eq-11-sharp": {"two-point-lemma", "reciprocal-lemma", "eq-11", "gap-second-order"},
    "lemma-2-sharp": {"two-point-lemma", "poisson-domination", "lemma-2", "poisson-constant"},
    "leading-constant": {
        "gap-second-order",
        "variance-factor",
        "simplex-dominance",
        "multiplier-lemma",
    },
}


@pytest.fixture(scope="module")
def results() -> dict[str, ledger.Checked]:
    return {id_: run_statement(id_) for id_ in closure(IDS)}


@pytest.mark.parametrize("id_", IDS)
def test_holds_and_every_mutant_is_refuted(id_: str, results: dict[str, ledger.Checked]) -> None:
    assert ledger.verdict(id_, results) is Verdict.HOLDS
    for ran in results[id_].all:
        assert ran.outcome in (Outcome.PASSED, Outcome.CITED, Outcome.ARGUED), ran.finding
        assert [n for n, f in ran.mutants if f.outcome is not Outcome.REFUTED] == []


def test_machines_check_the_steps(results: dict[str, ledger.Checked]) -> None:
    steps = [ran for id_ in IDS for ran in results[id_].steps]
    checked = sum(ran.outcome is Outcome.PASSED for ran in steps)
    argued = sum(ran.outcome is Outcome.ARGUED for ran in steps)
    assert argued == 2  # the induction over the draws, and the reduction of a box to its corners
    assert checked / (checked + argued) > 0.95


@pytest.mark.parametrize("id_", USES)
def test_uses(id_: str) -> None:
    assert set(ledger.get(id_).uses) == USES[id_]


@pytest.mark.parametrize("id_", ["eq-11-sharp", "prop-1-sharp", "leading-constant"])
def test_no_hypothesis_is_left_to_the_reader(id_: str) -> None:
    """They hold for every embedding: nothing beyond the setting in words."""
    assert not ledger.get(id_).hypotheses


def test_a_false_identity_between_sums_does_not_vanish() -> None:
    false = mean_over_pairs(lambda x, y: X * kernel(x, y)) - 1
    assert vanishes(false) != 0
    true = mean_over_pairs(lambda x, y: X * kernel(x, y) * mu_of(y) / mu_of(x)) - 1
    assert vanishes(true) == 0
    at = {k: 2, tau: 2, Symbol("phi"): Fraction(1, 2)}
    value = vanishes(false).subs(at).doit()
    assert abs(float(value)) > 0.1


def random_world(rng: np.random.Generator, atoms: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    rows = rng.normal(size=(atoms, d))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return np.clip(rows @ rows.T, -1, 1), rng.dirichlet(np.full(atoms, 0.7))


def test_the_reciprocal_lemma_on_random_worlds_and_not_for_two_encoders() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        similarity, masses = random_world(rng, int(rng.integers(1, 9)), int(rng.integers(2, 6)))
        t = float(np.exp(rng.uniform(-2, 3)))
        assert masses @ (1 / (np.exp(t * similarity) @ masses)) <= 1 + 1e-12
    t = 2.0  # anchor u, negatives -u
    assert 1 / np.exp(-t) == pytest.approx(np.exp(t))


@pytest.mark.parametrize("quantity", [finite.reciprocal, finite.second_order, finite.dcl_bias])
@pytest.mark.parametrize("at", [finite.Setting(1.5, 1), finite.Setting(3.0, 7)])
def test_the_gradients_of_the_search(quantity: finite.Quantity, at: finite.Setting) -> None:
    rng = np.random.default_rng(1)
    point = np.concatenate([rng.normal(size=15), rng.normal(size=5)])

    def value(flat: np.ndarray) -> float:
        return finite._negative_log(flat, 5, 3, at, quantity)[0]

    _, gradient = finite._negative_log(point, 5, 3, at, quantity)
    assert gradient == pytest.approx(approx_fprime(point, value, 1e-6), abs=1e-5)


@pytest.mark.parametrize(("count", "t"), [(1, 2.0), (4, 1.0), (64, 3.0)])
def test_the_bias_of_the_search_by_listing_the_negatives(count: int, t: float) -> None:
    """Two atoms: the number of negatives on the second is binomial."""
    from scipy.stats import binom

    similarity, masses = np.array([[1.0, 0.3], [0.3, 1.0]]), np.array([0.35, 0.65])
    value, _, _ = finite.dcl_bias(similarity, masses, finite.Setting(t, count))
    kernel = np.exp(t * similarity)
    j = np.arange(count + 1)
    chance = binom.pmf(j, count, masses[1])
    expected = 0.0
    for row, mass in zip(kernel, masses, strict=True):
        average = ((count - j) * row[0] + j * row[1]) / count
        expected += mass * (np.log(row @ masses) - chance @ np.log(average))
    assert value == pytest.approx(expected, rel=1e-8)
