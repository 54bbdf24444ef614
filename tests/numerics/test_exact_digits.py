"""Results with many digits, against the definition and against rules they share nothing with."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from numerics import reference
from numerics.exact_digits import ball_parts, evaluate_digits
from numerics.parse import InputError
from numerics.worlds import Classes, Embeddings, FiniteWorld, Hypercube, Sphere

TENTH = Fraction(1, 10)
HALF = Fraction(1, 2)
LOSSES = ("infonce", "dcl")


def laws(world):
    """Similarities and weights of one anchor, typed in anew."""
    match world:
        case Classes(n=n):
            return [1, 0], [Fraction(1, n), Fraction(n - 1, n)], [1, 0]
        case Hypercube(d=d, flip=f):
            s = [Fraction(d - 2 * b, d) for b in range(d + 1)]
            p = [Fraction(math.comb(d, b), 2**d) for b in range(d + 1)]
            return s, p, [math.comb(d, b) * f**b * (1 - f) ** (d - b) for b in range(d + 1)]


def agree(text, value, digits):
    """The printed number is within one unit of the digits compared."""
    with mp.workdps(70):
        return abs(mp.mpf(text) - value) <= mp.mpf(10) ** (1 - digits) * abs(value)


@pytest.mark.parametrize("world", [Classes(3), Hypercube(2, TENTH)], ids=lambda w: w.spec())
@pytest.mark.parametrize("tau", [Fraction(1, 100), HALF, Fraction(5)])
def test_against_the_definition(world, tau):
    s, p, m = laws(world)
    with mp.workdps(60):
        limit = reference.limit(s, p, m, tau)
        for k, loss in itertools.product((1, 2, 5), LOSSES):
            risk = reference.risk_by_enumeration(s, p, m, tau, k, loss)
            found = evaluate_digits(world, tau, k, loss, 40)
            assert agree(found.risk, risk, 40)
            assert agree(found.limit, limit, 40)
            assert agree(found.bias, risk - limit, 40)


@pytest.mark.parametrize("loss", LOSSES)
def test_against_a_binomial_sum(loss):
    """For classes the number of negatives in the anchor's class is binomial."""
    n, tau, k = 7, TENTH, 60
    with mp.workdps(60):
        e, extra = mp.exp(10), mp.exp(10) if loss == "infonce" else 0
        risk = mp.fsum(
            mp.binomial(k, j) * mp.mpf(n - 1) ** (k - j) / mp.mpf(n) ** k
            * mp.log((j * e + k - j + extra) / k)
            for j in range(k + 1)
        ) - 10  # fmt: skip
        assert agree(evaluate_digits(Classes(n), tau, k, loss, 45).risk, risk, 45)


@pytest.mark.parametrize("world", [Classes(10**6), Hypercube(3, TENTH)], ids=lambda w: w.spec())
@pytest.mark.parametrize("tau", [Fraction(1, 100), HALF, Fraction(5)])
def test_any_k_against_the_integral_by_gauss_rules(world, tau):
    s, p, m = laws(world)
    for k, loss in itertools.product((30, 10**12), LOSSES):
        with mp.workdps(18):
            value = reference.bias_by_integral(s, p, m, tau, k, loss)
        assert agree(evaluate_digits(world, tau, k, loss, 18).bias, value, 17)


def test_sphere_against_quadrature_over_angles():
    tau = HALF
    with mp.workdps(15):
        risk = reference.sphere_pair_risk(3, 2, tau)
    assert agree(evaluate_digits(Sphere(3, Fraction(2)), tau, 1, "infonce", 15).risk, risk, 13)
    with mp.workdps(8):
        bias = reference.sphere_bias(5, 2, tau, 1000, "infonce")
    found = evaluate_digits(Sphere(5, Fraction(2)), tau, 1000, "infonce", 15)
    assert agree(found.bias, bias, 7)


@pytest.mark.parametrize(
    "world",
    [Sphere(2, Fraction(0)), Sphere(7, Fraction(5)), Hypercube(20, TENTH), Classes(100)],
    ids=lambda w: w.spec(),
)
def test_limit_is_the_closed_form(world):
    for tau in (Fraction(1, 20), Fraction(1)):
        with mp.workdps(50):
            assert agree(evaluate_digits(world, tau, 10, "dcl", 40).limit, world.limit(tau), 40)


def test_one_dcl_negative_is_exact_for_every_sphere():
    """At k = 1 the DCL risk is (E s - E s_+)/tau."""
    world, tau = Sphere(7, Fraction(5)), TENTH
    with mp.workdps(50):
        value = -10 * world.mean_positive()
        assert agree(evaluate_digits(world, tau, 1, "dcl", 40).risk, value, 40)


@given(st.integers(1, 40), st.integers(1, 10**12), st.sampled_from(LOSSES))
@settings(max_examples=15, deadline=None)
def test_fewer_digits_are_more_digits_rounded(digits, k, loss):
    world = Hypercube(5, Fraction(1, 3))
    few = evaluate_digits(world, TENTH, k, loss, digits)
    many = evaluate_digits(world, TENTH, k, loss, digits + 25)
    for name in ("risk", "limit", "bias"):
        short, long = Fraction(getattr(few, name)), Fraction(getattr(many, name))
        unit = Fraction(10) ** (math.floor(math.log10(abs(long))) + 1 - digits)
        assert abs(short - long) <= unit / 2 * (1 + Fraction(1, 10**20))
        assert "e" not in getattr(few, name).lower()


def test_finite_worlds_are_their_closed_forms():
    eye = [[int(i == j) for j in range(3)] for i in range(3)]
    listed = FiniteWorld.from_exact(eye, [Fraction(1, 3)] * 3, eye)
    for loss in LOSSES:
        a, b = (evaluate_digits(w, TENTH, 1000, loss, 30) for w in (listed, Classes(3)))
        assert a == b


def test_embeddings_take_floats_at_their_exact_values():
    world = finite_circle(4)
    embeddings = Embeddings(world, world[::-1].copy())
    found = evaluate_digits(embeddings, HALF, 1, "infonce", 30)
    with mp.workdps(40):
        total = mp.mpf(0)
        for i, own in enumerate(world.tolist()):
            plus = mp.fdot(own, world[::-1][i].tolist())
            for j, other in enumerate(world.tolist()):
                if j != i:
                    total += mp.log1p(mp.exp(2 * (mp.fdot(own, other) - plus))) / 12
        assert agree(found.risk, total, 30)


def finite_circle(n):
    import numpy as np

    angles = np.arange(n) ** 1.5
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def test_a_number_that_is_zero_is_printed_so():
    world = FiniteWorld.from_exact([[1, 0]], [1], [[1]])
    found = evaluate_digits(world, Fraction(1), 3, "infonce", 5)
    assert found.limit == "0"
    assert agree(found.bias, mp.log(4) - mp.log(3), 5)


def test_a_tiny_risk_beside_a_large_limit_keeps_its_digits():
    """Aligned positives: the risk is about e^{-1/tau}, limit and bias are not."""
    world, tau = Hypercube(4, Fraction(0)), Fraction(1, 50)
    s, p, m = laws(world)
    with mp.workdps(60):
        risk = reference.risk_by_enumeration(s, p, m, tau, 1, "infonce")
        assert agree(evaluate_digits(world, tau, 1, "infonce", 20).risk, risk, 20)


def test_balls_shrink_with_digits():
    world = Hypercube(6, TENTH)
    for digits in (10, 30, 60):
        for ball, finer in zip(
            ball_parts(world, TENTH, 100, digits), ball_parts(world, TENTH, 100, digits + 20),
            strict=True,
        ):  # fmt: skip
            assert abs(ball - finer) < 10.0 ** (1 - digits) * abs(finer)


@pytest.mark.parametrize("digits", [0, -1, 1001])
def test_digits_out_of_range(digits):
    with pytest.raises(InputError) as caught:
        evaluate_digits(Classes(2), TENTH, 1, "dcl", digits)
    assert caught.value.argument == "digits"
