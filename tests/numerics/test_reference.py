"""The references against each other and against numbers that can be had by hand."""

from fractions import Fraction

import pytest
from mpmath import mp

from numerics import reference
from numerics.worlds import Hypercube, Sphere

HALF = Fraction(1, 2)
PAIR = [1, -1], [HALF, HALF], [1, 0]


def test_two_points_by_hand():
    with mp.workdps(30):
        # One negative: s = 1 or -1 with equal chances, s_+ = 1.
        infonce = (mp.log(2) + mp.log1p(mp.exp(-2))) / 2
        assert mp.almosteq(reference.risk_by_enumeration(*PAIR, 1, 1, "infonce"), infonce)
        assert mp.almosteq(reference.risk_by_enumeration(*PAIR, 1, 1, "dcl"), -1)
        assert mp.almosteq(reference.limit(*PAIR, 1), mp.log(mp.cosh(1)) - 1)


def test_enumeration_counts_orderings():
    """With all similarities equal, the probabilities of the outcomes sum to 1."""
    s, p, m = [0, 0, 0], [HALF, Fraction(1, 3), Fraction(1, 6)], [1, 0, 0]
    with mp.workdps(30):
        for k in (1, 2, 5):
            risk = reference.risk_by_enumeration(s, p, m, 1, k, "infonce")
            assert mp.almosteq(risk, mp.log(1 + mp.mpf(1) / k))


@pytest.mark.parametrize("loss", ["infonce", "dcl"])
@pytest.mark.parametrize("tau", [Fraction(1, 100), HALF, 5])
def test_the_integral_is_the_definition(loss, tau):
    s, p, m = [1, HALF, -1], [Fraction(1, 7), HALF, Fraction(5, 14)], [HALF, 0, HALF]
    with mp.workdps(20):
        limit = reference.limit(s, p, m, tau)
        for k in (1, 3, 8):
            risk = reference.risk_by_enumeration(s, p, m, tau, k, loss)
            bias = reference.bias_by_integral(s, p, m, tau, k, loss)
            assert abs(bias - (risk - limit)) < mp.mpf(10) ** -17 * (abs(risk) + abs(limit))


def test_the_integral_for_large_k_is_its_first_term():
    """k times the bias tends to r - kappa_2/2, here with Y = e^{+-1}/cosh 1."""
    k = 10**12
    with mp.workdps(15):
        variance = mp.tanh(1) ** 2
        bias = reference.bias_by_integral(*PAIR, 1, k, "dcl")
        assert abs(k * bias + variance / 2) < 1e-11
        gap = reference.bias_by_integral(*PAIR, 1, k, "infonce") - bias
        assert abs(k * gap - mp.e / mp.cosh(1)) < 1e-11


def test_expected_cross_entropy_by_hand():
    # One point: it is the positive's (w = 2) or has w = 0 and the agreed average.
    for empty in (0, 1, -1):
        found = reference.expected_cross_entropy(*PAIR, 1, 1, empty)
        assert mp.almosteq(found, ((1 - 1) + (-1 - empty)) / mp.mpf(2))
    # Positive law equal to the negatives': w = 1, both terms are plain averages.
    s, p = [1, -1], [HALF, HALF]
    logs = [mp.log(mp.exp(1)), mp.log(mp.cosh(1)), mp.log(mp.exp(-1))]
    assert mp.almosteq(
        reference.expected_cross_entropy(s, p, p, 1, 2), (logs[0] + 2 * logs[1] + logs[2]) / 4
    )


def test_expected_cross_entropy_tends_to_the_limit():
    s, p, m = [1, 0, -1], [Fraction(1, 3)] * 3, [HALF, HALF, 0]
    limit = reference.limit(s, p, m, 1)
    errors = [
        abs(reference.expected_cross_entropy(s, p, m, 1, points) - limit) for points in (8, 16, 32)
    ]
    assert errors[1] < 0.6 * errors[0]
    assert errors[2] < 0.6 * errors[1]


@pytest.mark.parametrize("d", [2, 3, 7])
def test_sphere_quadrature_against_closed_forms(d):
    conc, tau = Fraction(4), Fraction(2, 5)
    world = Sphere(d, conc)
    with mp.workdps(25):
        t = 1 / mp.mpf("0.4")
        for j in (1, 2, 3):
            power = lambda s, j=j: mp.exp(j * t * s)  # noqa: E731
            assert close(reference.sphere_expectation(power, d), world.moment(j, tau))
            tilted = reference.sphere_expectation(power, d, conc)
            assert close(tilted, world.positive_moment(j, tau))
        mean = reference.sphere_expectation(lambda s: s, d, conc)
        assert close(mean, world.mean_positive())
        assert close(reference.sphere_square_of_density(d, conc), world.chi2())


def close(a, b):
    return abs(a - b) < mp.mpf(10) ** -18 * abs(b)


def test_hypercube_density_by_enumeration():
    d, flip = 3, Fraction(1, 5)
    total = Fraction(0)
    for b, ways in enumerate((1, 3, 3, 1)):
        w = flip**b * (1 - flip) ** (d - b) * 2**d
        total += Fraction(ways, 2**d) * w * w
    with mp.workdps(30):
        assert close(Hypercube(d, flip).chi2(), mp.mpf(total.numerator) / total.denominator)
