"""Sampled: agreement with Monte Carlo, worlds or adversarial search. Never proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from proofs.evidence.base import Evidence, Finding, Outcome


@dataclass(frozen=True, kw_only=True)
class _Numerical(Evidence):
    """Numerical evidence: it stands beside a proof and never concludes one."""

    kind = "sampled"
    rank = 5
    concludes = False
    establishes = "agreement with Monte Carlo, with the chance of a false alarm stated"
    colour = ("#ece5dc", "#4a3f33")

    claim: Any

    @property
    def conclusion(self) -> None:
        """Sampled evidence gives later steps nothing to use."""
        return None


@dataclass(frozen=True)
class Estimate:
    """A Monte Carlo mean with its standard error, and the value it is compared with."""

    mean: float
    stderr: float
    target: float


@dataclass(frozen=True, kw_only=True)
class Sampled(_Numerical):
    """A Monte Carlo estimate against a computed value.

    Parameters
    ----------
    claim : relation or text
        What is being compared.
    draw : callable
        Takes ``seed`` and `arguments` as keywords and returns an `Estimate`.
    relation : {"==", "<="}
        Whether the estimate must agree with the target, or not exceed it.
    false_alarm : float
        The chance that a true claim is refuted (Gaussian approximation); printed with the result.
    """

    engine = "Monte Carlo"

    draw: Callable[..., Estimate]
    relation: Literal["==", "<="] = "=="
    false_alarm: float = 1e-6
    seed: int = 20260713
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def check(self) -> Finding:
        """Compare the estimate with its target in units of the standard error."""
        from scipy.stats import norm

        estimate = self.draw(seed=self.seed, **dict(self.arguments))
        numbers = (estimate.mean, estimate.target, estimate.stderr)
        if not (all(map(math.isfinite, numbers)) and estimate.stderr > 0):
            why = "estimate or target is not finite, or there is no standard error"
            return Finding(Outcome.UNKNOWN, why)
        z = (estimate.mean - estimate.target) / estimate.stderr
        two_sided = self.relation == "=="
        limit = float(norm.isf(self.false_alarm / (2 if two_sided else 1)))
        bad = abs(z) > limit if two_sided else z > limit
        detail = f"z = {z:.2f}, limit {limit:.2f} (false alarm {self.false_alarm:g})"
        return Finding(Outcome.REFUTED if bad else Outcome.PASSED, detail)


@dataclass(frozen=True)
class Compared:
    """The two sides of a bound at one point."""

    label: str
    left: float
    right: float


@dataclass(frozen=True, kw_only=True)
class OnWorlds(_Numerical):
    """A bound evaluated by the floating-point evaluators over worlds and parameters.

    Parameters
    ----------
    claim : relation or text
        The bound, ``left <= right``.
    sides : callable
        Takes `arguments` as keywords and yields `Compared`.
    rounding : float
        The relative error of the evaluators, which a failure must exceed.
    """

    engine = "exact evaluator (float64)"

    sides: Callable[..., Any]
    rounding: float = 1e-9
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def check(self) -> Finding:
        """Compare the sides everywhere; report the largest left/right met."""
        worst, where, count = -math.inf, "", 0
        for point in self.sides(**dict(self.arguments)):
            count += 1
            if not (math.isfinite(point.left) and math.isfinite(point.right)):
                return Finding(Outcome.UNKNOWN, f"{point.label}: a side is not finite")
            slack = self.rounding * max(abs(point.left), abs(point.right))
            if point.left > point.right + slack:
                return Finding(
                    Outcome.REFUTED, f"{point.label}: {point.left:.9g} > {point.right:.9g}"
                )
            ratio = point.left / point.right if point.right > 0 else -math.inf
            if ratio > worst:
                worst, where = ratio, point.label
        if not count:
            return Finding(Outcome.UNKNOWN, "there was no point")
        if not math.isfinite(worst):
            return Finding(Outcome.PASSED, f"{count} points")
        return Finding(
            Outcome.PASSED, f"{count} points, largest left/right {worst:.6g} at {where}", worst
        )

    def witness(self) -> Finding:
        """Exhibit the first point."""
        for point in self.sides(**dict(self.arguments)):
            return Finding(Outcome.PASSED, point.label)
        return Finding(Outcome.UNKNOWN, "there was no point")


@dataclass(frozen=True, kw_only=True)
class Attack(_Numerical):
    """An adversarial search for the largest left/right of a bound.

    Parameters
    ----------
    claim : relation or text
        The bound, ``left <= right``.
    search : callable
        Takes ``seed``, ``restarts`` and `arguments` as keywords and returns the worst `Compared`.
    restarts : int
        Restarts at the modest size of an ordinary run; ``infonce check --attack`` raises it.
    at_least : float, optional
        A ratio that the search is known to reach; falling short of it means a weak search, and the
        outcome is unknown.
    """

    engine = "SciPy search"

    search: Callable[..., Compared]
    restarts: int = 4
    seed: int = 20260713
    at_least: float | None = None
    rounding: float = 1e-9
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def check(self) -> Finding:
        """Search with the modest number of restarts."""
        return self.run(self.restarts, self.seed)

    def run(self, restarts: int, seed: int) -> Finding:
        """Search with a given number of restarts and report the largest left/right found."""
        worst = self.search(seed=seed, restarts=restarts, **dict(self.arguments))
        if not (math.isfinite(worst.left) and math.isfinite(worst.right)):
            return Finding(Outcome.UNKNOWN, f"{worst.label}: a side is not finite")
        slack = self.rounding * max(abs(worst.left), abs(worst.right))
        if worst.left > worst.right + slack:
            detail = f"{worst.label}: {worst.left:.9g} > {worst.right:.9g}"
            return Finding(Outcome.REFUTED, detail)
        ratio = worst.left / worst.right if worst.right > 0 else None
        if self.at_least is not None and (ratio is None or ratio < self.at_least):
            shown = "none" if ratio is None else f"{ratio:.6g}"
            return Finding(
                Outcome.UNKNOWN, f"weak search: ratio {shown} below the known {self.at_least:g}"
            )
        shown = "" if ratio is None else f"largest left/right {ratio:.6g} at "
        return Finding(Outcome.PASSED, f"{restarts} restarts, {shown}{worst.label}", ratio)
