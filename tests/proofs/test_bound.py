"""`infonce bound` against formulas typed again here, in mpmath, and by brute force."""

from __future__ import annotations

import io
import json
import re
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from rich.console import Console
from scipy.optimize import minimize_scalar
from scipy.stats import binom

from numerics.parse import InputError
from proofs import bound
from proofs._bound_terms import terms

F = Fraction
KNOWN: dict[str, Any] = {
    "tau": F(1, 2),
    "k": 1000,
    "n": 10**6,
    "delta": F(1, 20),
    "empirical": F(1, 10),
    "d_theta": 100,
    "radius": F(3, 2),
    "lipschitz": F(2, 3),
    "rms_anchor": F(1),
    "rms_positive": F(5, 4),
    "rms_negative": F(1),
    "power_mean_negative": F(6, 5),
    "chi2": F(3),
}


def at(**changed: Any) -> bound.Bound:
    return bound.evaluate(**{**KNOWN, **changed})


def number(ball: Any) -> float:
    return float(ball)


def mp(value: Fraction) -> mpf:
    return mpf(value.numerator) / value.denominator


def loss_range(tau: mpf, k: int) -> mpf:
    q = mpmath.exp(2 / tau)
    return mpmath.log(1 / mpf(k) + q) - mpmath.log(1 / mpf(k) + 1 / q)


def best_factor(tau: float, beta: float) -> float:
    """The largest softmax average over a power mean, over shares of two sizes of weight."""
    b, q = beta / (beta - 1), np.exp(2 / tau)

    def minus(s: float) -> float:
        return -float((s * q**b + 1 - s) ** (1 / b) / (s * q + 1 - s))

    grid = np.linspace(1e-6, 1 - 1e-6, 2001)
    start = grid[int(np.argmin([minus(s) for s in grid]))]
    found = minimize_scalar(
        minus,
        bounds=(max(1e-9, start - 1e-3), start + 1e-3),
        method="bounded",
        options={"xatol": 1e-12},
    )
    return -float(found.fun)


@pytest.mark.parametrize("tau", [F(1, 10), F(1, 2), F(1), F(3)])
@pytest.mark.parametrize("radius", [F(1, 1000), F(3, 2)])
def test_printed_terms_are_those_of_theorem_1(tau: Fraction, radius: Fraction) -> None:
    got = at(tau=tau, radius=radius).printed
    t, n = mp(tau), mpf(KNOWN["n"])
    b_tau = mp(KNOWN["rms_anchor"]) + mp(KNOWN["rms_positive"]) + mp(KNOWN["power_mean_negative"])
    a = mpmath.e * mp(radius) * b_tau * mp(KNOWN["lipschitz"])
    branch = min(a * mpmath.sqrt(mpmath.log(3) + 1), mpmath.sqrt(mpmath.log(1 + 2 * a) + 1))
    complexity = 192 / t * mpmath.sqrt(KNOWN["d_theta"] / n) * branch
    variability = 12 / t * mpmath.sqrt(mpmath.log(2 / mpf("0.05")) / (2 * n))
    bias = 4 * mpf(3) / (t * 1000) + mpmath.log(1 + mpmath.exp(2 / t) / 1000)
    for name, value in (("complexity", complexity), ("variability", variability), ("bias", bias)):
        assert number(getattr(got, name)) == pytest.approx(float(value), rel=1e-13), name
    total = mpf("0.1") + complexity + variability + bias
    assert number(got.total) == pytest.approx(float(total), rel=1e-13)


@pytest.mark.parametrize("tau", [F(1, 10), F(1, 2), F(3)])
@pytest.mark.parametrize("radius", [F(1, 1000), F(3, 2)])
@pytest.mark.parametrize("loss", ["infonce", "dcl"])
def test_sharp_terms_by_quadrature_and_search(tau: Fraction, radius: Fraction, loss: str) -> None:
    got = at(tau=tau, radius=radius, loss=loss).sharp
    t, k, n = mp(tau), KNOWN["k"], mpf(KNOWN["n"])
    width = 4 / t if loss == "dcl" else loss_range(t, k)
    weight = mpf(1) if loss == "dcl" else 1 / (1 + mpmath.exp(-2 / t) / k)
    order = 2 / min(1.0, float(tau))
    negatives = min(float(mpmath.cosh(1 / t)) * 1.0, best_factor(float(tau), order) * 1.2)
    slope = weight / t * mp(KNOWN["lipschitz"]) * (2 * 1 + mpf("1.25") + negatives)
    reach = slope * mp(radius)
    upper = min(reach, width)

    def integrand(x: mpf) -> mpf:
        return mpmath.sqrt(mpmath.log(1 + 2 * reach / x))

    nodes = [0, *(upper / 2 * mpf(10) ** -j for j in range(14, -1, -1))]
    integral = mpmath.quad(integrand, nodes)
    complexity = 2 * 4 * mpmath.sqrt(2) * mpmath.sqrt(KNOWN["d_theta"] / n) * integral
    variability = 2 * width * mpmath.sqrt(mpmath.log(20) / (2 * n))
    bias = 2 * (mpf(3) - mpf(3) / 4) / (k * t)
    assert number(got.complexity) == pytest.approx(float(complexity), rel=1e-8)
    assert number(got.variability) == pytest.approx(float(variability), rel=1e-13)
    assert number(got.bias) == pytest.approx(float(bias), rel=1e-13)


def gap(p: float, k: int, tau: float) -> float:
    values = np.log(np.arange(k + 1) * np.exp(2 / tau) + k - np.arange(k + 1)) - np.log(k)
    mean = p * np.exp(1 / tau) + (1 - p) * np.exp(-1 / tau)
    return float(mean * (np.log(mean) + 1 / tau - binom.pmf(np.arange(k + 1), k, p) @ values))


@pytest.mark.parametrize(("tau", "k"), [(F(1, 2), 4), (F(1), 30), (F(1, 4), 200)])
def test_bias_of_the_limit_is_gamma_by_brute_force(tau: Fraction, k: int) -> None:
    got = at(tau=tau, k=k, target="limit").sharp.bias
    grid = np.exp(np.linspace(-12, -1e-3, 4000))
    best = grid[int(np.argmax([gap(p, k, float(tau)) for p in grid]))]
    found = minimize_scalar(
        lambda p: -gap(p, k, float(tau)),
        bounds=(best * 0.98, min(1, best * 1.02)),
        method="bounded",
        options={"xatol": 1e-12},
    )
    assert number(got) == pytest.approx(-float(found.fun), rel=1e-9)


@pytest.mark.parametrize("loss", ["infonce", "dcl"])
def test_printed_bias_of_the_limit(loss: str) -> None:
    got = at(target="limit", loss=loss).printed.bias
    assert number(got) == pytest.approx((np.exp(4) - 1) ** 2 / 8000, rel=1e-13)


def test_two_encoders_have_the_constant_of_one_anchor() -> None:
    one, two = at(target="limit"), at(target="limit", two_encoders=True)
    assert number(two.sharp.bias) == pytest.approx(
        1.0097874138983946 * np.sinh(2) ** 2 / 2000, rel=1e-13
    )
    assert number(two.sharp.bias) > number(one.sharp.bias)
    search = at(two_encoders=True)
    assert number(search.sharp.total) == number(at().sharp.total)


def test_json_has_the_documented_shape() -> None:
    got = at().as_json()
    names = ["empirical", "complexity", "variability", "bias", "total"]
    assert list(got["printed"]) == names == list(got["sharp"])
    assert got["trivial"] == "4"
    assert set(got["vacuous"]) == {"printed", "sharp"}
    for side in ("printed", "sharp"):
        for text in got[side].values():
            assert re.fullmatch(r"-?\d+(\.\d+)?", text), text
    assert json.loads(json.dumps(got)) == got


def test_no_exponent_at_low_temperature() -> None:
    got = at(tau=F(1, 60), target="limit").as_json()
    assert re.fullmatch(r"\d{101}", got["printed"]["bias"])
    assert got["vacuous"] == {"printed": True, "sharp": True}


def test_what_is_missing_is_null_and_nothing_else_is() -> None:
    got = at(chi2=None, power_mean_negative=None).as_json()
    assert got["printed"]["complexity"] is None
    assert got["printed"]["bias"] is got["sharp"]["bias"] is None
    assert got["printed"]["total"] is got["sharp"]["total"] is None
    assert got["vacuous"] == {"printed": None, "sharp": None}
    assert got["sharp"]["complexity"] is not None
    limit = at(chi2=None, power_mean_negative=None, target="limit").as_json()
    assert limit["sharp"]["total"] is not None
    assert limit["printed"]["total"] is None


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"target": "limit"},
        {"target": "limit", "two_encoders": True},
        {"tau": F(1, 10), "n": 10**12},
        {"tau": F(1, 10), "n": 10**12, "target": "limit"},
        {"loss": "dcl", "n": 10**5},
        {"tau": F(1), "n": 90_000, "empirical": F(3, 2)},
    ],
)
@pytest.mark.parametrize("side", ["printed", "sharp"])
def test_the_least_k_and_n_are_least(changed: dict[str, Any], side: Any) -> None:
    result = at(**changed)

    def says_something(**point: int) -> bool:
        return bool(terms(result.numbers.at(**point), side).total < result.trivial)

    for name, of_side in result.least.items():
        least = of_side[side]
        if least is None:
            assert not says_something(**{name: 10**60})
            continue
        assert says_something(**{name: least})
        assert least == 1 or not says_something(**{name: least - 1})


def test_least_k_at_low_temperature_is_found_to_six_digits() -> None:
    result = at(tau=F(1, 40), n=10**7, target="limit")
    least = result.least["k"]["sharp"]
    assert least is not None
    for k, expected in ((least, True), (least - least // 10**5, False)):
        assert bool(terms(result.numbers.at(k=k), "sharp").total < result.trivial) is expected


def test_a_term_dominates() -> None:
    assert at().printed.dominant == "complexity"
    assert at(n=10**12, target="limit", tau=F(1, 10)).printed.dominant == "bias"
    assert at(n=1000, d_theta=1, radius=F(1, 10**6)).sharp.dominant == "variability"


def test_all_norms_zero_leave_no_complexity() -> None:
    zero = {name: F(0) for name in KNOWN if name.startswith("rms")}
    got = at(**zero, power_mean_negative=F(0))
    assert number(got.printed.complexity) == number(got.sharp.complexity) == 0
    assert got.as_json()["sharp"]["complexity"] == "0"


@settings(max_examples=25, deadline=None)
@given(
    tau=st.fractions(F(1, 20), F(5), max_denominator=100),
    k=st.integers(1, 10**6),
    n=st.integers(1, 10**9),
    radius=st.fractions(F(1, 1000), F(100), max_denominator=1000),
    chi2=st.fractions(F(1), F(50), max_denominator=50),
    extra=st.fractions(F(0), F(3), max_denominator=10),
)
def test_no_sharp_term_exceeds_the_printed_one(
    tau: Fraction, k: int, n: int, radius: Fraction, chi2: Fraction, extra: Fraction
) -> None:
    got = at(tau=tau, k=k, n=n, radius=radius, chi2=chi2, power_mean_negative=1 + extra)
    for name in ("complexity", "variability", "bias", "total"):
        assert getattr(got.sharp, name) < getattr(got.printed, name)


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        ({"tau": F(0)}, "--tau"),
        ({"k": 0}, "--k"),
        ({"n": 0}, "--n"),
        ({"delta": F(1)}, "--delta"),
        ({"d_theta": 0}, "--d-theta"),
        ({"radius": F(-1)}, "--radius"),
        ({"rms_positive": F(-1)}, "--rms-positive"),
        ({"chi2": F(1, 2)}, "--chi2"),
        ({"power_mean_negative": F(1, 2)}, "--power-mean-negative"),
        ({"target": "both"}, "--target"),
        ({"loss": "triplet"}, "--loss"),
    ],
)
def test_bad_numbers_are_refused_by_name(changed: dict[str, Any], names: str) -> None:
    with pytest.raises(InputError) as error:
        at(**changed)
    assert str(error.value).startswith(f"{names}: got ")


def test_the_table_says_what_a_reader_must_know() -> None:
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(at())
    shown = console.export_text()
    for phrase in (
        "normalised by k",
        "nats",
        "positive in the denominator",
        "vacuous",
        "dominates",
    ):
        assert phrase in shown
