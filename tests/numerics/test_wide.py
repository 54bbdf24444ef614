"""Long doubles against balls: the error bounds, and decimals that come out the same."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from numerics import exact_digits, wide
from numerics.exact_digits import ball_parts, evaluate_digits
from numerics.worlds import Classes, Embeddings, FiniteWorld

GENERATOR = np.random.default_rng(0)


def unit(n, d):
    rows = GENERATOR.normal(size=(n, d))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


FLOATS = FiniteWorld(
    unit(12, 3), GENERATOR.dirichlet(np.ones(12)), GENERATOR.dirichlet(np.ones(12), size=12)
)
RATIONAL = FiniteWorld.from_exact(
    [[Fraction(3, 5), Fraction(4, 5)], [1, 0], [Fraction(-5, 13), Fraction(12, 13)]],
    [Fraction(1, 7), Fraction(2, 7), Fraction(4, 7)],
    [[Fraction(1, 3)] * 3, [0, 1, 0], [Fraction(1, 10), 0, Fraction(9, 10)]],
)
PAIRED = Embeddings(unit(8, 4), unit(8, 4))
SEPARATE = Embeddings(unit(5, 4), unit(5, 4), unit(9, 4))


def middle(ball):
    mantissa, exponent = ball.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


@pytest.fixture
def long_doubles():
    """Whether this machine has any that are longer than doubles; else balls do all the work."""
    return np.finfo(np.longdouble).nmant >= 63


@pytest.mark.parametrize("world", [FLOATS, RATIONAL, PAIRED, SEPARATE])
@pytest.mark.parametrize("tau", ["1/100", "1/10", "5"])
def test_errors_stay_well_within_their_bounds(world, tau, long_doubles):
    tau, widened = Fraction(tau), 1 if long_doubles else 3000
    for k in (1, 10**6):
        found = wide.wide_parts(world, tau, k)
        limit, dcl, gap = (middle(x) for x in ball_parts(world, tau, k, 24))
        of_limit, of_bias = (widened * x / 3 for x in wide.errors(tau, dcl, gap))
        assert abs(found[0] - limit) < of_limit
        assert abs(found[1] - dcl) < of_bias
        assert abs(found[2] - gap) < of_bias


def test_decimals_are_those_of_balls(monkeypatch):
    cases = itertools.product((FLOATS, PAIRED), (Fraction(1, 20), Fraction(1)), ("infonce", "dcl"))
    for world, tau, loss in cases:
        monkeypatch.setattr(wide, "LARGE", 10**9)
        by_balls = evaluate_digits(world, tau, 100, loss, 15)
        monkeypatch.setattr(wide, "LARGE", 1)
        assert evaluate_digits(world, tau, 100, loss, 15) == by_balls


def test_a_number_near_a_change_of_digits_is_left_to_balls(monkeypatch):
    monkeypatch.setattr(wide, "LARGE", 1)
    monkeypatch.setattr(wide, "UNIT", Fraction(1, 10))
    assert exact_digits._by_wide_floats(PAIRED, Fraction(1), 3, "dcl", 15) is None
    assert evaluate_digits(PAIRED, Fraction(1), 3, "dcl", 6).limit


def test_it_is_used_where_it_pays(long_doubles):
    large = Embeddings(unit(40, 4), unit(40, 4))
    assert wide.suits(large, 15) == long_doubles
    assert not wide.suits(large, 16)
    assert not wide.suits(PAIRED, 15)
    assert not wide.suits(Classes(10**6), 15)
