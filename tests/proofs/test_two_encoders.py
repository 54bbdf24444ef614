"""Two encoders: an open question, and the numbers that are known about it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp

from proofs import ledger
from proofs.check import closure, run_statement
from proofs.evidence import Outcome
from proofs.sharper._two_encoders import Laws, bias, bound, extremal, mixed, reciprocal_mean


def test_the_question_is_open_and_its_evidence_passes() -> None:
    results = {"open-two-encoders": run_statement("open-two-encoders")}
    assert ledger.verdict("open-two-encoders", results) is ledger.Verdict.OPEN
    for ran in results["open-two-encoders"].all:
        assert ran.outcome is Outcome.PASSED
        assert [n for n, f in ran.mutants if f.outcome is not Outcome.REFUTED] == []


def test_the_reciprocal_lemma_fails_with_two_encoders() -> None:
    apart = Laws(np.array([[1.0], [-1.0]]), np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    assert apart.distance == 1
    assert reciprocal_mean(apart, 0.5) == pytest.approx(np.exp(2))


@pytest.mark.parametrize("delta", [0.0, 0.2, 1.0])
def test_the_reciprocal_mean_is_linear_in_the_distance_at_most(delta: float) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        laws = mixed(rng, delta, 3, 5)
        assert reciprocal_mean(laws, 0.5) <= 1 + laws.distance * np.exp(2) + 1e-12


@pytest.mark.parametrize("k", [1, 7])
def test_the_bias_against_a_binomial_sum(k: int) -> None:
    t, laws = 2, extremal(Fraction(2), 0.3)
    p = mp.mpf(float(laws.negatives[0]))
    with mp.workdps(40):
        expected = mp.mpf(0)
        for weight, near in zip(laws.anchors, (p, 1 - p), strict=True):
            mean = near * mp.exp(t) + (1 - near) * mp.exp(-t)
            logs = [
                mp.binomial(k, j)
                * near**j
                * (1 - near) ** (k - j)
                * mp.log((j * mp.exp(t) + (k - j) * mp.exp(-t)) / k)
                for j in range(k + 1)
            ]
            expected += mp.mpf(float(weight)) * (mp.log(mean) - mp.fsum(logs))
    assert bias(laws, 1 / t, k) == pytest.approx(float(expected), rel=1e-12)


def test_the_bound_interpolates() -> None:
    t, k = Fraction(3), 1000
    one, half, two = (bound(t, k, delta) for delta in (0.0, 0.5, 1.0))
    assert one < half < two
    assert half - one == pytest.approx(two / 2, rel=1e-9)
    # Large k and small temperature: the term that is linear in the distance is met.
    laws = extremal(Fraction(6), 1.0)
    assert bias(laws, 1 / 6, 10**9) > 0.99 * bound(Fraction(6), 10**9, laws.distance)


def test_the_bound_in_terms_of_overlap_holds() -> None:
    results = {used: run_statement(used) for used in closure(["two-encoders"])}
    assert ledger.verdict("two-encoders", results) is ledger.Verdict.HOLDS
    for ran in results["two-encoders"].all:
        assert ran.outcome in (Outcome.PASSED, Outcome.CITED, Outcome.ARGUED), ran.finding
        assert [n for n, f in ran.mutants if f.outcome is not Outcome.REFUTED] == []
