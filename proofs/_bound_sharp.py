"""The terms of the companion's theorem, `theorem-1-sharp`, as balls; see `_bound_terms`."""

from __future__ import annotations

from typing import Any

from sympy import Integer, Limit, cosh, exp, oo

from proofs._bound_terms import Numbers, class_numbers, constant, exact, value, working
from proofs.evaluate import to_rational
from proofs.symbols import beta, delta, k, n, q, tau

__all__ = ["complexity", "gamma", "two_encoders", "variability"]

Ball = Any


def _range(numbers: Numbers, digits: int) -> Ball:
    """Return the exact range of the loss."""
    decoupled = numbers.loss == "dcl"
    name = ("dcl-exercise", "dcl-range") if decoupled else ("lemma-5", "loss-range")
    return value(constant(*name).formula, {tau: numbers.tau, k: numbers.k}, digits)


def variability(numbers: Numbers, digits: int) -> Ball:
    """Return the deviation of `prop-3-sharp`."""
    from proofs.sharper.prop_3_sharp import DEVIATION_SHARP, loss_range

    at = {n: numbers.n, delta: numbers.delta}
    unit = value(DEVIATION_SHARP.subs(loss_range, 1), at, digits)
    with working(digits):
        return unit * _range(numbers, digits)


def _slope(numbers: Numbers, digits: int) -> Ball:
    """Return L of `lemma-1-sharp`: the smaller of what beta = 2 and beta = 2/min(1, tau) give."""
    from proofs.paper._lipschitz_class import PAPER_ORDER, pm_order, rms_negatives
    from proofs.sharper.lemma_1_sharp import lipschitz_sharp
    from proofs.sharper.lemma_7_sharp import factor
    from proofs.sharper.prop_4_sharp import theta_k

    choices = [lipschitz_sharp(cosh(1 / tau), rms_negatives)]
    if numbers.power_mean_negative is not None:
        order = PAPER_ORDER.subs(tau, to_rational(numbers.tau))
        largest = factor(beta / (beta - 1)).subs({q: exp(2 / tau), beta: order})
        choices.append(lipschitz_sharp(largest, pm_order))
    if numbers.loss == "dcl":  # every negative repeated r times, r growing: r k for k
        choices = [c.subs(theta_k, Limit(theta_k, k, oo).doit()) for c in choices]
    first, *others = (value(choice, class_numbers(numbers), digits) for choice in choices)
    for other in others:
        first = first.min(other)
    return first


def complexity(numbers: Numbers, digits: int) -> Ball:
    """Return twice the bound of `prop-5-sharp`, with the Lipschitz constant of `lemma-1-sharp`."""
    from proofs.paper._lipschitz_class import d_theta
    from proofs.sharper._entropy_integral import integral_of_ball
    from proofs.sharper.prop_5_sharp import chaining

    slope, width = _slope(numbers, digits), _range(numbers, digits)
    at = {d_theta: numbers.d_theta, n: numbers.n}
    factor = value(2 * chaining(Integer(1), Integer(1)), at, digits)
    with working(digits):
        reach = slope * exact(numbers.radius, digits)
        if reach == 0:
            return reach
        upper = reach.min(width)
        return factor * upper * integral_of_ball(2 * reach / upper, 4 * digits + 64)


def gamma(numbers: Numbers, digits: int) -> Ball:
    """Return Gamma_k: anchors and negatives share their embedding (`eq-11-sharp`)."""
    return _ball("eq-11-sharp", "eq-11-sharp-gamma", numbers, digits)


def two_encoders(numbers: Numbers, digits: int) -> Ball:
    """Return C* sinh(1/tau)^2/(2k), one anchor at a time (`lemma-2-sharp`)."""
    return _ball("lemma-2-sharp", "lemma-2-sharp-upper", numbers, digits)


def _ball(id_: str, name: str, numbers: Numbers, digits: int) -> Ball:
    ball = constant(id_, name).ball
    assert ball is not None
    return ball(digits=digits, tau=numbers.tau, k=numbers.k)
