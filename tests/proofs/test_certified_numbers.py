"""C*, c*, Gamma_k, c_k and the negatives they ask for, by routes that share no code."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb, ctx
from mpmath import mp
from scipy.optimize import minimize_scalar
from scipy.stats import binom

from numerics.balls import precision
from proofs.constants import rows
from proofs.sharper import _binomial_gap as binomial_gap
from proofs.sharper._binomial_gap import gap, mean_log
from proofs.sharper._poisson_constant import (
    RECTANGLE,
    certify_outside_peak,
    certify_value,
    excess,
    poisson_constant,
)
from proofs.sharper._simplex_constant import crossing, leading_constant, peak, simplex_constant
from proofs.sharper._sufficient_k import (
    gamma,
    leading_factor,
    necessary_k,
    sufficient_for_risk,
    sufficient_k,
)
from proofs.sharper._worst_gap import certify, worst_gap
from proofs.sharper.poisson_constant import HIGH, LOW


def contains(ball: object, value: mpmath.mpf, digits: int = 25) -> bool:
    """Tell whether a ball holds a number known to that many digits."""
    with precision(200):
        text = mpmath.nstr(value, digits + 5)
        return bool(abs(ball - arb(text)) < arb(10) ** -digits + ball.rad())


def poisson_excess(shift: mpmath.mpf, rate: mpmath.mpf) -> mpmath.mpf:
    total = mpmath.fsum(
        mpmath.exp(-rate) * rate**j / mpmath.factorial(j) * mpmath.log(shift + j) for j in range(90)
    )
    return 8 * shift * (mpmath.log(shift + rate) - total)


def test_c_star_by_mpmath() -> None:
    """The stationary point found by secants on numerical derivatives, to 30 digits."""
    with mp.workdps(60):

        def slopes(shift: mpmath.mpf, rate: mpmath.mpf) -> tuple[mpmath.mpf, mpmath.mpf]:
            return (
                mpmath.diff(poisson_excess, (shift, rate), (1, 0)),
                mpmath.diff(poisson_excess, (shift, rate), (0, 1)),
            )

        point = mpmath.findroot(slopes, (mpmath.mpf("2.2386"), mpmath.mpf("2.642")), tol=1e-40)
        value = poisson_excess(*point)
    assert mpmath.nstr(value, 30) == poisson_constant(30).str(30, radius=False)
    assert contains(poisson_constant(30), value, 30)
    assert float(LOW) == pytest.approx(float(value), abs=1e-15)
    assert 0 < float(HIGH - LOW) < 2e-29
    assert float(point[1] / point[0]) == pytest.approx(1.18020, abs=5e-6)


def test_c_star_is_not_exceeded_anywhere_it_was_tried() -> None:
    rng = np.random.default_rng(0)
    for shift, x in np.exp(rng.uniform((-3, -2), (3, 2), size=(200, 2))):
        assert excess(arb(float(shift)), arb(float(shift * x))) < arb("1.00978741389839461")


def test_more_digits_of_c_star_agree() -> None:
    assert poisson_constant(100).overlaps(poisson_constant(30))
    assert poisson_constant(100).rel_accuracy_bits() > 330


def test_the_search_over_boxes_says_what_it_knows() -> None:
    k_range, x_range = (Fraction(2), Fraction(5, 2)), (Fraction(1), Fraction(3, 2))
    assert certify_outside_peak(Fraction("1.0099"), k_range, x_range).status == "passed"
    assert certify_outside_peak(Fraction("1.0097"), k_range, x_range).status == "refuted"
    few = certify_outside_peak(Fraction("1.0097874138979"), k_range, x_range, max_boxes=20)
    assert few.status == "unknown"
    assert certify_value(Fraction(1), Fraction("1.0097")).status == "refuted"


def test_the_rectangle_holds_the_peak() -> None:
    (k_low, k_high), (l_low, l_high) = RECTANGLE
    assert k_low < Fraction("2.238616714") < k_high
    assert l_low < Fraction("2.642017010") < l_high


@pytest.mark.parametrize(
    ("t", "expected"), [("0.5", 0.10678), ("1", 0.30015), ("2", 0.98019), ("3", 2.67119)]
)
def test_c_star_of_tau_by_a_search(t: str, expected: float) -> None:
    """c* as a maximum over p of (w(p) - 1)/2, straight from its definition."""
    slope = float(t)

    def negative(p: float) -> float:
        s_other = -p / (1 - p)
        second = p * math.exp(2 * slope) + (1 - p) * math.exp(2 * slope * s_other)
        first = p * math.exp(slope) + (1 - p) * math.exp(slope * s_other)
        return -(second / first**2 - 1) / 2

    found = minimize_scalar(
        negative, bounds=(1e-6, 0.5), method="bounded", options={"xatol": 1e-12}
    )
    best = max(-found.fun, -negative(0.5))
    ball = leading_constant(Fraction(t))
    assert float(ball) == pytest.approx(best, rel=1e-9)
    assert float(ball) == pytest.approx(expected, abs=5e-6)
    assert ball.rel_accuracy_bits() > 50


def test_the_antipodal_pair_is_best_up_to_the_crossing() -> None:
    root = mpmath.findroot(lambda x: mpmath.sinh(x) ** 2 - x, 0.8)
    assert float(crossing()) == pytest.approx(float(root), abs=1e-15)
    assert peak(Fraction(8, 10)) == 1
    assert peak(Fraction(81, 100)) < 1
    assert float(leading_constant(Fraction(1, 2))) == pytest.approx(math.tanh(0.5) ** 2 / 2)


@pytest.mark.parametrize("t", [Fraction(1), Fraction(3), Fraction(10)])
def test_no_whole_simplex_exceeds_c_star(t: Fraction) -> None:
    largest = max(float(simplex_constant(t, n)) for n in range(2, 40))
    assert largest <= float(leading_constant(t)) * (1 + 1e-12)


@pytest.mark.parametrize("t", [20, 100])
def test_c_star_at_low_temperature(t: int) -> None:
    with precision(200):
        assert float(leading_constant(Fraction(t)) / (arb(t).exp() / 8)) == pytest.approx(
            1, abs=1e-6
        )


def two_point_gap(count: int, p: float, spread: float) -> float:
    j = np.arange(count + 1)
    z = math.expm1(spread)
    return math.log1p(p * z) - float(binom.pmf(j, count, p) @ np.log1p(z * j / count))


@pytest.mark.parametrize(
    ("count", "p", "spread"), [(1, 0.5, 2.0), (64, 0.75, 0.25), (300, 2.0**-20, 20.0)]
)
def test_gap_by_the_binomial_sum(count: int, p: float, spread: float) -> None:
    ball = gap(count, arb(p), Fraction(spread))
    assert float(ball) == pytest.approx(two_point_gap(count, p, spread), rel=1e-9)


def test_gap_by_quadrature() -> None:
    """Frullani's integral at k = 10^6, where the moments serve, against mpmath's quadrature."""
    count, p, spread = 10**6, mpmath.mpf("0.375"), mpmath.mpf(2)
    with mp.workdps(40):
        z = mpmath.expm1(spread)
        mu = 1 + p * z

        def integrand(u: mpmath.mpf) -> mpmath.mpf:
            y = u / (count * mu)
            one = mpmath.log1p(p * mpmath.expm1(-y * z)) - y
            return (mpmath.exp(count * one) - mpmath.exp(-u)) / u

        value = mpmath.quad(integrand, [0, 1, 4, 16, 100])
    assert contains(gap(count, arb(0.375), Fraction(2), 80), value, 22)


@pytest.mark.parametrize(
    ("count", "p", "spread"), [(10**5, 0.375, 20), (10**6, 2.0**-11, 10), (20_000, 0.5, 1)]
)
def test_both_routes_to_the_gap(
    count: int, p: float, spread: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_moments = gap(count, arb(p), Fraction(spread))
    monkeypatch.setattr(binomial_gap, "_many", lambda k, p, bits: False)
    by_sum = gap(count, arb(p), Fraction(spread))
    assert by_sum.overlaps(by_moments)
    assert by_sum.rel_accuracy_bits() >= 53
    assert by_moments.rel_accuracy_bits() >= 53


def test_mean_log_at_the_ends() -> None:
    assert mean_log(5, arb(0), Fraction(2)) == 0
    assert mean_log(5, arb(1), Fraction(2)) == 2


def largest(count: int, spread: float, size: str) -> float:
    """Return the supremum over a fine grid of log-odds, in floating point."""
    p = 1 / (1 + np.exp(-np.linspace(-spread - 8, spread + 8, 8001)))
    z, j = math.expm1(spread), np.arange(count + 1)
    chance = binom.pmf(j[:, None], count, p)
    mu = 1 + p * z
    value = np.log1p(p * z) - np.log1p(z * j / count) @ chance
    if size == "mean":
        return float((mu * value).max())
    inner = (p > 0.001) & (p < 0.999)
    return float((value / (p * (1 - p) * (z / mu) ** 2))[inner].max())


@pytest.mark.parametrize(("count", "spread"), [(1, 2), (5, 2), (64, 4), (20, 6)])
def test_suprema_over_a_grid(count: int, spread: int) -> None:
    ball = worst_gap(count, Fraction(spread), "mean")
    assert float(ball) == pytest.approx(largest(count, spread, "mean"), rel=1e-5)
    assert ball.rel_accuracy_bits() > 45
    if count > 1:
        ball = worst_gap(count, Fraction(spread), "variance", 8)
        assert float(ball) == pytest.approx(largest(count, spread, "variance"), rel=1e-5)


def test_c_1_is_the_worst_factor_of_the_remainder() -> None:
    q = math.exp(2.0)
    expected = (2.0 - 1 + 1 / q) / (1 - 1 / q) ** 2
    assert float(leading_factor(Fraction(1), 1)) == pytest.approx(expected, rel=1e-6)


def test_c_k_at_very_low_temperature() -> None:
    """At k = 1 the factor is 2/tau - 1 up to e^{-2/tau}: no subtraction may lose it."""
    assert float(leading_factor(Fraction(300), 1)) == pytest.approx(599, rel=1e-6)


def test_c_k_is_attained_at_the_largest_ratio() -> None:
    """Over p and the ratio together: no smaller ratio does better."""
    t, count = 1.5, 4
    best = max(largest(count, spread, "variance") for spread in np.linspace(0.2, 2 * t, 15))
    assert count * best <= float(leading_factor(Fraction(3, 2), count)) * (1 + 1e-6)
    assert count * best == pytest.approx(float(leading_factor(Fraction(3, 2), count)), rel=1e-5)


def test_no_digit_is_printed_that_is_not_certified() -> None:
    (row,) = rows(["variance-factor-c-k"], tau=Fraction(1), k=10)
    assert row.value == "0.552287674222458"
    (row,) = rows(["variance-factor-c-k"], tau=Fraction(2), k=10**9)
    assert row.value is not None
    assert row.radius is not None
    assert len(row.value) <= len("0.500000000")
    assert abs(Fraction(row.value) - Fraction(1, 2)) <= Fraction(row.radius) < Fraction(1, 10**7)


def test_certify_refutes_and_gives_up() -> None:
    below = certify(4, Fraction(2), "mean", arb("0.44"))
    assert below.status == "refuted"
    assert below.point is None
    supremum = worst_gap(10**6, Fraction(2), "variance", 6)
    few = certify(10**6, Fraction(2), "variance", supremum.upper(), bits=80, max_intervals=50)
    assert few.status == "unknown"


@pytest.mark.parametrize(
    ("t", "target"), [(Fraction(1), Fraction(1, 10)), (Fraction(2), Fraction(1, 100))]
)
def test_sufficient_k_is_the_least(t: Fraction, target: Fraction) -> None:
    least, same = sufficient_k("eq-11-sharp", t, target)
    assert least == same
    scale = math.exp(-float(t))
    assert scale * largest(least - 1, 2 * float(t), "mean") > float(target)
    assert scale * largest(least, 2 * float(t), "mean") <= float(target)
    assert float(gamma(t, least)) <= float(target) < float(gamma(t, least - 1))


def test_negatives_at_tau_one_tenth() -> None:
    """A bias of 0.1 at tau = 0.1: printed, sharp, and what a simplex shows to be needed."""
    t, target = Fraction(10), Fraction(1, 10)
    printed = sufficient_k("eq-11", t, target)[0]
    with mp.workdps(40):
        assert printed == int(mpmath.ceil(mpmath.expm1(20) ** 2 / mpmath.mpf("0.8")))
    one_anchor = sufficient_k("lemma-2-sharp", t, target)[0]
    assert one_anchor == pytest.approx(1.0097874 * math.sinh(10) ** 2 / 0.2, rel=1e-6)
    by_gamma = sufficient_k("eq-11-sharp", t, target)[0]
    by_leading = sufficient_k("leading-constant", t, target)[0]
    needed, points = necessary_k(t, target)
    assert (by_gamma, by_leading, needed) == (515_989, 153_188, 27_673)
    assert needed < by_leading < by_gamma < one_anchor < printed
    spread = 10 * points / (points - 1)
    assert two_point_gap(needed - 1, 1 / points, spread) > 0.1
    for other in (*range(12_000, 22_000, 1000), 15_412, 16_415):
        assert two_point_gap(needed, 1 / other, 10 * other / (other - 1)) <= 0.1 + 1e-12
    assert sufficient_for_risk(t, target) == (by_gamma, by_gamma)


def test_infonce_may_need_more_than_dcl() -> None:
    t, target = Fraction(1), Fraction(1, 10)
    low, high = sufficient_for_risk(t, target)
    assert low == high == math.ceil(math.e / math.expm1(0.1))


def test_precision_is_left_as_it_was() -> None:
    before = ctx.prec
    sufficient_k("eq-11-sharp", Fraction(1, 2), Fraction(1, 50))
    poisson_constant(20)
    assert ctx.prec == before
