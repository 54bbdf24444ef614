"""Handwritten digits: the density is that of the augmentation, and training does what it says."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from numerics import digit_images, digit_search
from numerics.digit_images import Digits
from numerics.parse import InputError


@pytest.fixture(scope="module")
def few() -> Digits:
    return digit_images.load(20, noise=0.5)


def test_the_density_has_mean_one_for_every_anchor(few: Digits) -> None:
    rng = np.random.default_rng(0)
    anchors = few.augment(few.sources(30, rng), rng)
    others = few.augment(few.sources(20_000, rng), rng)
    w = few.density(anchors, others)
    z = (w.mean(axis=1) - 1) / (w.std(axis=1) / np.sqrt(w.shape[1]))
    assert np.abs(z).max() < 5


def test_positives_have_that_density(few: Digits) -> None:
    """E f(z, z_+) over pairs equals E f(z, z') w(z, z') over independent points."""
    rng, centre = np.random.default_rng(1), few.shifted.mean(axis=(0, 1))
    sources = few.sources(20_000, rng)
    anchor, positive = few.augment(sources, rng), few.augment(sources, rng)
    other = few.augment(few.sources(20_000, rng), rng)
    density = 20 * np.sum(few.posterior(anchor) * few.posterior(other), axis=1)

    def f(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.tanh(np.sum((x - centre) * (y - centre), axis=1))

    paired, weighted = f(anchor, positive), f(anchor, other) * density
    error = np.sqrt((paired.var() + weighted.var()) / 20_000)
    assert abs(paired.mean() - weighted.mean()) < 5 * error
    assert abs(paired.mean() - f(anchor, other).mean()) > 10 * error


def test_the_posterior_without_noise_finds_the_image() -> None:
    sharp = digit_images.load(20, noise=0.01)
    rng = np.random.default_rng(2)
    sources = sharp.sources(50, rng)
    posterior = sharp.posterior(sharp.augment(sources, rng))
    assert np.array_equal(posterior.argmax(axis=1), sources)
    np.testing.assert_allclose(posterior.sum(axis=1), 1, rtol=1e-12)


@pytest.mark.parametrize("tau", [0.15, 0.02])
def test_the_risk_and_its_gradient(few: Digits, tau: float) -> None:
    sample = digit_search.Sample.draw(few, 6, seed=0, tuples=15, pool=10)
    rng = np.random.default_rng(3)
    weights, centre = rng.normal(size=(64, 3)), rng.normal(size=64)
    embed = digit_search.Linear(weights, centre)
    a, p, n = embed(sample.anchor), embed(sample.positive), embed(sample.pool)
    losses = [
        np.log(1 / 6 + np.mean(np.exp((n[chosen] @ x - x @ y) / tau)))
        for x, y, chosen in zip(a, p, sample.negatives, strict=True)
    ]
    risk, gradient = sample.risk(weights, centre, tau)
    assert risk == pytest.approx(np.mean(losses), rel=1e-12)
    step = 1e-6
    for _ in range(5):
        direction = rng.normal(size=weights.shape)
        up, down = (
            sample.risk(weights + h * direction, centre, tau)[0] for h in (step, -step)
        )  # fmt: skip
        assert (up - down) / (2 * step) == pytest.approx(np.sum(gradient * direction), rel=1e-5)


def test_search_comes_closer_to_the_ideal_as_k_grows() -> None:
    digits = digit_images.load()
    unseen = digit_search.Unseen.draw(digits, seed=0, anchors=200, others=512)
    outcomes = [digit_search.judge(None, None, unseen, 0.15)]
    for k in (1, 8, 64):
        embed = digit_search.train(digits, k, seed=0, steps=30, tuples=2000)
        outcomes.append(digit_search.judge(embed, k, unseen, 0.15))
    nothing, one, eight, many = outcomes
    assert nothing.found == pytest.approx(1, abs=0.1)
    assert nothing.divergence - one.divergence > 3 * one.stderr
    assert one.divergence - eight.divergence > 3 * eight.stderr
    assert eight.divergence - many.divergence > 0
    assert nothing.found < one.found < eight.found < many.found
    assert abs(many.risk - many.cross_entropy) < abs(one.risk - one.cross_entropy) / 5


def test_training_is_the_same_for_the_same_seed(few: Digits) -> None:
    runs = [digit_search.train(few, 4, seed=s, steps=3, tuples=50).weights for s in (1, 1, 2)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


def test_without_scikit_learn_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(InputError, match=r"infonce-companion\[book\]"):
        digit_images.load()
    monkeypatch.undo()
    with pytest.raises(InputError, match="1797"):
        digit_images.load(5000)
