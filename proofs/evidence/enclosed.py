"""Enclosed: an inequality or a value on a whole box of parameters, by ball arithmetic."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy
from sympy import Ge, Gt, Le, Lt

from proofs.evaluate import arb_function, to_rational
from proofs.evidence.base import Evidence, Fact, Finding, Outcome, conjuncts, resolve

Range = tuple[Any, Any] | Sequence[int]


@dataclass(frozen=True, kw_only=True)
class Enclosed(Evidence):
    """An inequality certified on a box by ball arithmetic with adaptive subdivision.

    Parameters
    ----------
    claim : inequality, conjunction or tuple
        Closed-form sides. A tight inequality can only be certified away from equality.
    box : mapping
        For each symbol ``(low, high)`` with exact ends (int, Fraction, decimal string), or a list
        or range of integers to be taken one by one (sums over a symbol are expanded then).
        The box is part of what was checked and is printed with it. It may be empty for a relation
        between numbers.
    where : relations
        Conditions, printed with the claim, that the box stands for (an argued reduction says why).
    max_boxes : int
        The work allowed for each combination of the integers.
    """

    kind = "enclosed"
    rank = 3
    establishes = "an inequality or a value on a whole box of parameters, by ball arithmetic"
    colour = ("#dbeafe", "#123a63")
    engine = "Arb"

    claim: Any
    box: Mapping[sympy.Symbol, Range] = field(default_factory=dict)
    given: tuple[Fact, ...] = ()
    where: tuple[Any, ...] = ()
    max_boxes: int = 20_000
    bits: int = 64
    by_derivative: bool = True

    @property
    def local_hypotheses(self) -> tuple[Any, ...]:
        """The box, as relations, and the conditions of `where`."""
        limits: list[Any] = list(self.where)
        for symbol, values in self.box.items():
            if _is_interval(values):
                limits += [Le(to_rational(values[0]), symbol), Le(symbol, to_rational(values[1]))]
            else:
                limits.append(sympy.Or(*[sympy.Eq(symbol, v) for v in values]))
        return tuple(limit for limit in limits if limit is not sympy.true)

    def check(self) -> Finding:
        """Certify every part of the claim on the box; a certified failure refutes it."""
        if self.given:
            resolve(self.given)
        parts = conjuncts(self.claim)
        if not parts:
            return Finding(Outcome.UNKNOWN, "there is no inequality to certify")
        if not self._integer_points():
            return Finding(Outcome.UNKNOWN, "the box is empty")
        boxes = 0
        for part in parts:
            for integers in self._integer_points():
                finding, count = self._check_one(part, integers)
                boxes += count
                if finding.outcome is not Outcome.PASSED:
                    return finding
        return Finding(Outcome.PASSED, f"certified on {boxes} boxes: {self.describe_box()}")

    def witness(self) -> Finding:
        """Exhibit the middle of the box, at which every side has a finite value."""
        integers = next(iter(self._integer_points()), {})
        point = {s: (low + high) / 2 for s, (low, high) in self._intervals().items()}
        for part in conjuncts(self.claim):
            if part in (sympy.true, sympy.false):
                continue
            function, symbols = self._function(part, integers)[0]
            value = function(*(_exact(point[s]) for s in symbols))
            if not value.is_finite():
                return Finding(Outcome.UNKNOWN, "no finite value in the middle of the box")
        shown = ", ".join(f"{s} = {v}" for s, v in {**integers, **point}.items())
        return Finding(Outcome.PASSED, shown or "no free symbols")

    def describe_box(self) -> str:
        """Return the box as text."""
        shown = []
        for symbol, values in self.box.items():
            if _is_interval(values):
                shown.append(f"{symbol} in [{values[0]}, {values[1]}]")
            else:
                numbers = list(values)
                if len(numbers) > 3 and numbers == list(range(numbers[0], numbers[-1] + 1)):
                    shown.append(f"{symbol} = {numbers[0]}..{numbers[-1]}")
                else:
                    shown.append(f"{symbol} in {{{', '.join(map(str, numbers))}}}")
        return ", ".join(shown) or "no parameters"

    def _intervals(self) -> dict[Any, tuple[Fraction, Fraction]]:
        return {
            s: (_fraction(v[0]), _fraction(v[1])) for s, v in self.box.items() if _is_interval(v)
        }

    def _integer_points(self) -> list[dict[Any, int]]:
        listed = {s: list(v) for s, v in self.box.items() if not _is_interval(v)}
        return [
            dict(zip(listed, values, strict=True)) for values in itertools.product(*listed.values())
        ]

    def _function(
        self, part: Any, integers: Mapping[Any, int]
    ) -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
        """Return the difference that must be >= 0 and its derivatives, as ball functions."""
        if not isinstance(part, Ge | Gt | Le | Lt):
            raise TypeError(f"ball arithmetic certifies inequalities, not {part}")
        difference = (part.gts - part.lts).subs(integers)
        if difference.has(sympy.Integral):
            raise TypeError("SymPy may be wrong about an integral: integrate in ball arithmetic")
        difference = difference.doit()
        symbols = tuple(self._intervals())
        outside = difference.free_symbols - set(symbols)
        if outside:
            raise ValueError(f"the box does not say where {outside} lie")
        expressions = [difference]
        if self.by_derivative and not difference.has(sympy.Max, sympy.Min, sympy.Abs):
            expressions += [sympy.diff(difference, s) for s in symbols]
        return [(arb_function(e, symbols), symbols) for e in expressions]

    def _check_one(self, part: Any, integers: Mapping[Any, int]) -> tuple[Finding, int]:
        from numerics.balls import certify_on_box

        if part in (sympy.true, sympy.false):
            why = "SymPy evaluated the relation: build it with evaluate=False for ball arithmetic"
            return Finding(Outcome.UNKNOWN, why), 0
        (function, _), *gradient = self._function(part, integers)
        report = certify_on_box(
            function,
            list(self._intervals().values()),
            gradient=[g for g, _ in gradient],
            strict=isinstance(part, Gt | Lt),
            max_boxes=self.max_boxes,
            bits=self.bits,
        )
        fixed = ", ".join(f"{s} = {v}" for s, v in integers.items())
        detail = report.detail + (f" with {fixed}" if fixed else "")
        return Finding(Outcome(report.status), detail), report.boxes


def _is_interval(values: Any) -> bool:
    return isinstance(values, tuple) and len(values) == 2


def _fraction(value: Any) -> Fraction:
    rational = to_rational(value)
    return Fraction(int(rational.p), int(rational.q))


def _exact(value: Fraction) -> Any:
    from numerics.balls import interval

    return interval(value, value)
