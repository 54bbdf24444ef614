import itertools
import os
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import reference
from numerics.exact import anchor_biases, curve, evaluate
from numerics.exact_digits import ball_parts, evaluate_digits
from numerics.parse import InputError
from numerics.worlds import Classes, Embeddings, FiniteWorld, Hypercube, Sphere

KS = [1, 2, 30, 1000, 10**6, 10**9, 10**12]


def plane(angle_tangents, pi, positive):
    """A finite world of rational unit vectors ((1 - t^2)/(1 + t^2), 2t/(1 + t^2))."""
    tangents = [Fraction(t) for t in angle_tangents]
    phi = [((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in tangents]
    return FiniteWorld.from_exact(phi, pi, positive)


TENTH = Fraction(1, 10)
PLANE = plane(
    [0, Fraction(1, 3), -2, 5],
    [TENTH, 4 * TENTH, 2 * TENTH, 3 * TENTH],
    [[1, 0, 0, 0], [0, Fraction(1, 2), Fraction(1, 2), 0], [0, 0, 0, 1], [TENTH, 0, 0, 9 * TENTH]],
)
RARE = Fraction(1, 10**12)
OUTLIER = plane([0, 1], [1 - RARE, RARE], [[1, 0], [0, 1]])

#: Worlds whose exact risks are quick to 50 digits.
QUICK = [
    Classes(2),
    Classes(10**6),
    Hypercube(1, Fraction(0)),
    Hypercube(20, TENTH),
    Hypercube(20, Fraction(1)),
    PLANE,
    OUTLIER,
]


@cache
def exact_parts(world, tau, k, digits):
    """Limit, bias of DCL and R - Rt as Fractions."""
    balls = ball_parts(world, tau, k, digits)
    limit, dcl, gap = (to_fraction(x.mid()) for x in balls)
    radii = [to_fraction(x.rad()) for x in balls]
    assert radii[0] < 1e-16 * (1 + 1 / tau)
    assert radii[1] + radii[2] < Fraction(1, 10**16) * (abs(dcl) + gap)
    return limit, dcl, gap


def to_fraction(middle):
    mantissa, exponent = middle.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def check(world, tau, k, digits, backend="auto"):
    limit, dcl, gap = exact_parts(world, tau, k, digits)
    for loss, bias in (("dcl", dcl), ("infonce", dcl + gap)):
        found = evaluate(world, tau, k, loss, backend)
        assert abs(Fraction(found.bias) - bias) <= Fraction(5, 10**14) * (abs(dcl) + gap)
        assert abs(Fraction(found.limit) - limit) <= 1e-15 * (1 + 4 / tau)
        assert found.risk == found.limit + found.bias


@pytest.mark.parametrize("world", QUICK, ids=lambda w: w.spec())
@pytest.mark.parametrize("tau", ["1/100", "1/20", "1/10", "1", "5"])
def test_biases_against_fifty_digits(world, tau):
    for k in KS if world.anchors == 1 else KS[::3]:
        check(world, Fraction(tau), k, 50)


@pytest.mark.parametrize("d", [2, 3, 7, 64])
@pytest.mark.parametrize("tau", ["1/50", "1/10", "5"])
def test_sphere_biases_against_many_digits(d, tau):
    for k in (1, 1000, 10**12):
        check(Sphere(d, Fraction(5)), Fraction(tau), k, 18)


@pytest.mark.parametrize("world", [Sphere(3, Fraction(100)), Classes(1000), PLANE])
def test_the_coldest_temperature(world):
    check(world, Fraction(3, 1000), 10**9, 16)


def test_the_largest_k_and_a_very_hot_temperature():
    check(Classes(5), TENTH, 10**18, 16)
    check(PLANE, Fraction(10**6), 10**6, 16)
    check(PLANE, Fraction(10**50), 3, 16)


@given(
    st.lists(st.fractions(-4, 4, max_denominator=8), min_size=2, max_size=4, unique=True),
    st.sampled_from(["1/50", "1/5", "1", "30"]),
    st.integers(1, 10**12),
    st.randoms(use_true_random=False),
)
@settings(max_examples=10, deadline=None)
def test_random_finite_worlds_against_many_digits(tangents, tau, k, random):
    def law():
        weights = [random.randint(0, 5) for _ in tangents]
        weights[random.randrange(len(weights))] += 1
        return [Fraction(w, sum(weights)) for w in weights]

    world = plane(tangents, law(), [law() for _ in tangents])
    check(world, Fraction(tau), k, 18)
    check(world, Fraction(tau), k, 18, "compiled")


def finite_world(n=40, d=5, seed=0):
    generator = np.random.default_rng(seed)
    phi = generator.normal(size=(n, d))
    phi /= np.linalg.norm(phi, axis=1, keepdims=True)
    pi = generator.dirichlet(np.ones(n))
    return FiniteWorld(phi, pi, generator.dirichlet(np.full(n, 0.1), size=n))


@pytest.mark.parametrize("tau", [0.003, 0.01, 0.1, 1.0, 100.0])
def test_both_backends_agree(tau):
    ks = [1, 1.5, 10, 1e3, 1e6, 1e12]
    for world in (finite_world(), Sphere(7, Fraction(5)), Classes(100), OUTLIER):
        slow = anchor_biases(world, tau, ks, "numpy")
        fast = anchor_biases(world, tau, ks, "compiled")
        for name in ("dcl", "gap", "limits", "weights"):
            np.testing.assert_allclose(getattr(slow, name), getattr(fast, name), rtol=2e-13)


def test_numbers_do_not_depend_on_the_number_of_threads(monkeypatch):
    world, results = finite_world(), []
    for cpus in (1, 2, 7):
        monkeypatch.setattr(os, "cpu_count", lambda cpus=cpus: cpus)
        results.append(anchor_biases(world, 0.1, [1, 100], "compiled"))
    for other in results[1:]:
        assert np.array_equal(results[0].dcl, other.dcl)
        assert np.array_equal(results[0].gap, other.gap)


@pytest.mark.parametrize("backend", ["numpy", "compiled"])
@pytest.mark.parametrize("loss", ["infonce", "dcl"])
def test_a_curve_is_its_points(backend, loss):
    world, ks = Hypercube(20, TENTH), np.logspace(0, 12, 25)
    whole = curve(world, 0.05, ks, loss, backend)
    for k, bias in zip(ks, whole.bias, strict=True):
        assert bias == pytest.approx(curve(world, 0.05, [k], loss, backend).bias[0], rel=1e-13)
    assert np.array_equal(whole.risk, whole.limit + whole.bias)


def test_signs_and_the_order_of_losses():
    found = anchor_biases(finite_world(), 0.2, np.logspace(0, 9, 10))
    assert (found.dcl < 0).all()
    assert (found.gap > 0).all()
    assert (np.diff(found.dcl, axis=1) > 0).all()  # the DCL risk rises with k
    assert np.array_equal(found.of("infonce"), found.dcl + found.gap)
    assert found.weights.sum() == pytest.approx(1, abs=1e-14)


def test_equal_similarities_leave_the_positive_alone():
    world = FiniteWorld.from_exact([[1, 0]], [1], [[1]])
    for backend in ("numpy", "compiled"):
        for k in (1, 10, 10**12):
            assert evaluate(world, 0.01, k, "dcl", backend).bias == 0
            found = evaluate(world, 0.01, k, "infonce", backend)
            assert found.bias == pytest.approx(np.log1p(1 / k), rel=1e-14)
            assert found.limit == 0


@pytest.mark.parametrize("tau", [0.003, 0.01, 1e49])
def test_extreme_similarities_stay_finite(tau):
    opposite = [[0, 1], [1, 0]]
    antipodal = FiniteWorld.from_exact([[1], [-1]], [Fraction(1, 2)] * 2, opposite)
    lonely = FiniteWorld.from_exact([[1], [-1]], [1, 0], opposite)  # s = 1, s_+ = -1 for certain
    apart = Embeddings(np.array([[1.0]]), np.array([[1.0]]), np.array([[-1.0]]))  # s = -1, s_+ = 1
    for world in (antipodal, lonely, apart):
        for k in KS:
            for loss in ("infonce", "dcl"):
                found = evaluate(world, tau, k, loss)
                assert np.isfinite([found.risk, found.limit, found.bias]).all()
    # gap = log(1 + e^{-2/tau}/k) keeps its digits next to a DCL bias of 0.
    small = np.log1p(np.exp(-2 / tau) / 10)
    assert evaluate(lonely, tau, 10).bias == pytest.approx(small, rel=1e-12)
    large = np.logaddexp(0, 2 / tau - np.log(10))
    assert evaluate(apart, tau, 10).bias == pytest.approx(large, rel=1e-14)


def test_the_loss_is_normalised_by_k():
    """The un-normalised InfoNCE loss log(1 + sum_j exp((s_j - s_+)/tau)) is larger by log k."""
    tau, k = 0.5, 3
    total = 0.0
    for i, plus in itertools.product(range(4), repeat=2):
        for picks in itertools.product(range(4), repeat=k):
            chance = PLANE.pi[i] * PLANE.positive[i, plus] * np.prod(PLANE.pi[list(picks)])
            s = PLANE.phi @ PLANE.phi[i]
            total += chance * np.log(1 + np.exp((s[list(picks)] - s[plus]) / tau).sum())
    assert evaluate(PLANE, tau, k).risk + np.log(k) == pytest.approx(total, rel=1e-14)
    # At k = 1 the two agree: log 2 for equal similarities.
    alone = FiniteWorld.from_exact([[1, 0]], [1], [[1]])
    assert evaluate(alone, tau, 1).risk == pytest.approx(np.log(2), rel=1e-15)


@pytest.mark.parametrize("separate", [False, True])
def test_embeddings_leave_the_anchor_out_of_its_negatives(separate):
    world = finite_world(12)
    negative = finite_world(5, seed=1).phi if separate else None
    embeddings = Embeddings(world.phi, finite_world(12, seed=2).phi, negative)
    tau, losses = 0.3, []
    for i, own in enumerate(embeddings.anchor):
        others = np.delete(embeddings.anchor, i, axis=0) if negative is None else negative
        losses.append(np.log1p(np.exp((others - embeddings.positive[i]) @ own / tau)).mean())
    assert evaluate(embeddings, tau, 1).risk == pytest.approx(np.mean(losses), rel=1e-13)


def test_biases_against_the_definition():
    """Independent of the integral: every outcome of k negatives and the positive, listed."""
    s = [
        [sum(a * b for a, b in zip(x, y, strict=True)) for y in PLANE.exact[0]]
        for x in PLANE.exact[0]
    ]
    for tau, k, loss in itertools.product((0.05, 1, 20), (1, 2, 4), ("infonce", "dcl")):
        risks = [
            reference.risk_by_enumeration(s[i], PLANE.exact[1], PLANE.exact[2][i], tau, k, loss)
            for i in range(4)
        ]
        expected = float(sum(w * r for w, r in zip(map(float, PLANE.pi), risks, strict=True)))
        assert evaluate(PLANE, tau, k, loss).risk == pytest.approx(expected, rel=1e-13, abs=1e-13)


@pytest.mark.parametrize(
    ("tau", "k", "argument"),
    [
        (0.0029, 10, "tau"),
        (0, 10, "tau"),
        (-1, 10, "tau"),
        (float("nan"), 10, "tau"),
        (float("inf"), 10, "tau"),
        (1, 0, "k"),
        (1, -5, "k"),
        (1, float("nan"), "k"),
        (1, 10**18 + 1, "k"),
    ],
)
def test_out_of_range(tau, k, argument):
    with pytest.raises(InputError) as caught:
        evaluate(Classes(2), tau, k)
    assert caught.value.argument == argument
    with pytest.raises(InputError):
        evaluate_digits(Classes(2), tau, k)
