"""Theorem 1 evaluated term by term, as printed and with the companion's sharper parts.

What is bounded is the expected cross-entropy of a search among k unseen points (target "search",
Theorem 1) or the cross-entropy limit (target "limit", Proposition 1 in place of Proposition 2),
with probability at least 1 - delta for all embeddings of a Lipschitz class. Every number is a
ball, every formula comes from the statement that proves it.

>>> from fractions import Fraction as F
>>> known = dict(tau=F(1, 2), k=1000, n=10**9, delta=F(1, 20), empirical=F(0), d_theta=100)
>>> norms = dict(rms_anchor=F(1), rms_positive=F(1), rms_negative=F(1), power_mean_negative=F(1))
>>> result = evaluate(**known, radius=F(1), lipschitz=F(1), **norms, chi2=F(3))
>>> result.as_json()["vacuous"]
{'printed': False, 'sharp': False}
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from rich.console import RenderableType

from numerics.digits import ball_decimals
from numerics.parse import InputError
from proofs._bound_least import least_k, least_n
from proofs._bound_terms import Numbers, Side, Terms, terms, trivial

__all__ = ["SIDES", "Bound", "evaluate"]

NAMES = ("empirical", "complexity", "variability", "bias", "total")
DIGITS = 15
SIDES: tuple[Side, Side] = ("printed", "sharp")


@dataclass(frozen=True)
class Bound:
    """The printed and the sharp bound at given numbers, in nats.

    Attributes
    ----------
    numbers : Numbers
        What was given.
    printed, sharp : Terms
        The terms as balls; None where a number is missing.
    trivial : ball
        2/tau, the largest cross-entropy that unit vectors can have.
    """

    numbers: Numbers
    printed: Terms
    sharp: Terms
    trivial: Any

    def vacuous(self, side: str) -> bool | None:
        """Tell whether the bound says no more than 2/tau; None if it has no value."""
        total = getattr(self, side).total
        return None if total is None else not bool(total < self.trivial)

    @cached_property
    def least(self) -> dict[str, dict[str, int | None]]:
        """The smallest k and the smallest n, the rest as given, at which each is not vacuous."""
        return {
            "k": {side: least_k(self.numbers, side) for side in SIDES},
            "n": {side: least_n(self.numbers, side) for side in SIDES},
        }

    def gained(self, name: str) -> Any:
        """Return the printed term over the sharp one; None where one is missing or zero."""
        above, below = getattr(self.printed, name), getattr(self.sharp, name)
        if above is None or below is None or not below > 0:
            return None
        return above / below

    def as_json(self) -> dict[str, Any]:
        """Return the documented JSON: decimal strings without exponent, null where missing."""
        sides: dict[str, Any] = {
            side: {name: _text(getattr(getattr(self, side), name)) for name in NAMES}
            for side in SIDES
        }
        return {
            **sides,
            "trivial": _text(self.trivial),
            "vacuous": {side: self.vacuous(side) for side in SIDES},
            "dominant": {side: getattr(self, side).dominant for side in SIDES},
            "gained": {name: _text(self.gained(name), 6) for name in NAMES[1:]},
            "smallest_k": {s: _integer(v) for s, v in self.least["k"].items()},
            "smallest_n": {s: _integer(v) for s, v in self.least["n"].items()},
        }

    def __rich__(self) -> RenderableType:
        """Return the table for a terminal."""
        from proofs._bound_table import render

        return render(self)


def evaluate(
    *,
    tau: Fraction,
    k: int,
    n: int,
    delta: Fraction,
    empirical: Fraction,
    d_theta: int,
    radius: Fraction,
    lipschitz: Fraction,
    rms_anchor: Fraction,
    rms_positive: Fraction,
    rms_negative: Fraction,
    power_mean_negative: Fraction | None = None,
    chi2: Fraction | None = None,
    target: str = "search",
    loss: str = "infonce",
    two_encoders: bool = False,
) -> Bound:
    """Evaluate both bounds, term by term.

    Parameters
    ----------
    tau : Fraction
        Temperature, positive.
    k, n : int
        Negatives in a tuple; training tuples.
    delta : Fraction
        Chance that the bound fails, in (0, 1).
    empirical : Fraction
        Empirical risk **normalised by k**, in nats.
    d_theta : int
        Number of parameters.
    radius, lipschitz : Fraction
        R_Theta and C of assumption (C), positive.
    rms_anchor, rms_positive, rms_negative : Fraction
        Root mean square norms (or envelopes) of the training points, at least 0.
    power_mean_negative : Fraction, optional
        Power mean of order 2/min(1, tau) of the negatives' norms. The printed bound needs it; the
        sharp one uses it where it helps.
    chi2 : Fraction, optional
        E[w^2], at least 1; needed by the target "search".
    target : {"search", "limit"}
        Whether the search among k points or its limit is bounded.
    loss : {"infonce", "dcl"}
        Which loss the empirical risk is of.
    two_encoders : bool
        Whether anchors and negatives have different embeddings or laws; the limit is then reached
        by `lemma-2-sharp`, since `reciprocal-lemma` fails.

    Raises
    ------
    InputError
        Naming the option and the rule it breaks.
    """
    numbers = Numbers(
        tau=Fraction(tau),
        k=k,
        n=n,
        delta=Fraction(delta),
        empirical=Fraction(empirical),
        d_theta=d_theta,
        radius=Fraction(radius),
        lipschitz=Fraction(lipschitz),
        rms_anchor=Fraction(rms_anchor),
        rms_positive=Fraction(rms_positive),
        rms_negative=Fraction(rms_negative),
        power_mean_negative=None if power_mean_negative is None else Fraction(power_mean_negative),
        chi2=None if chi2 is None else Fraction(chi2),
        target=target,  # type: ignore[arg-type]
        loss=loss,  # type: ignore[arg-type]
        two_encoders=two_encoders,
    )
    _refuse(numbers)
    return Bound(numbers, terms(numbers, "printed"), terms(numbers, "sharp"), trivial(numbers))


def _refuse(numbers: Numbers) -> None:
    for name in ("tau", "radius", "lipschitz"):
        if getattr(numbers, name) <= 0:
            raise InputError(f"--{name}", getattr(numbers, name), "must be greater than 0")
    for name in ("k", "n", "d_theta"):
        value = getattr(numbers, name)
        if not isinstance(value, int) or value < 1:
            raise InputError(_option(name), value, "must be an integer of at least 1")
    if not 0 < numbers.delta < 1:
        raise InputError("--delta", numbers.delta, "must be between 0 and 1")
    for name in ("rms_anchor", "rms_positive", "rms_negative", "power_mean_negative"):
        value = getattr(numbers, name)
        if value is not None and value < 0:
            raise InputError(_option(name), value, "must be at least 0")
    mean = numbers.power_mean_negative
    if mean is not None and mean < numbers.rms_negative:
        rule = "must be at least --rms-negative: power means increase with their order"
        raise InputError("--power-mean-negative", mean, rule)
    if numbers.chi2 is not None and numbers.chi2 < 1:
        raise InputError("--chi2", numbers.chi2, "must be at least 1: E[w^2] >= (E w)^2 = 1")
    if numbers.target not in ("search", "limit"):
        raise InputError("--target", numbers.target, "must be search or limit")
    if numbers.loss not in ("infonce", "dcl"):
        raise InputError("--loss", numbers.loss, "must be infonce or dcl")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _text(ball: Any, digits: int = DIGITS) -> str | None:
    return None if ball is None else ball_decimals(ball, digits)[0]


def _integer(value: int | None) -> str | None:
    return None if value is None else str(value)
