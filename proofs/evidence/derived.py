"""Derived: an identity, for all values of its symbols, by SymPy."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy
from sympy import Eq

from proofs.evidence.base import Evidence, Fact, Finding, Outcome, conjuncts, resolve

_POINTS = (
    (Fraction(2, 3), Fraction(5, 7), Fraction(4, 9), Fraction(7, 8), Fraction(3, 11)),
    (Fraction(5, 4), Fraction(8, 5), Fraction(9, 7), Fraction(3, 2), Fraction(12, 7)),
    (Fraction(7, 3), Fraction(1, 6), Fraction(13, 5), Fraction(2, 9), Fraction(11, 4)),
)
_INTEGERS = ((2, 3, 1, 4, 5), (3, 5, 4, 2, 7), (1, 2, 6, 3, 4))


@dataclass(frozen=True, kw_only=True)
class Derived(Evidence):
    """An identity: the difference of its sides simplifies to 0.

    The difference is first evaluated at exact points to 50 digits; a value that is certainly not
    zero refutes the claim, and only then is the simplification tried. Points that were chosen, and
    those of a simplification that was written for the step, are joined by points near them: an
    identity holds there too. A limit found by SymPy must be approached by values of its function.

    Parameters
    ----------
    claim : Eq or tuple of Eq
        The identities.
    given : facts
        Equations used from left to right as substitutions (definitions, earlier steps, `Use`).
    where : relations
        Hypotheses of this step alone, under which the points of `at` lie.
    by : callable, optional
        Takes the difference and returns a simplified form; the default is SymPy's own
        ``doit``, ``expand``, ``simplify``. The outcome passes only if 0 is reached.
    at : sequence of mappings, optional
        Points for the numeric test; by default three points that suit the symbols' assumptions.
    """

    kind = "derived"
    rank = 1
    establishes = "an identity, for all values of its symbols: the difference simplifies to 0"
    colour = ("#d7f5dd", "#12401f")
    engine = "SymPy"

    claim: Any
    given: tuple[Fact, ...] = ()
    where: tuple[Any, ...] = ()
    by: Callable[[sympy.Expr], sympy.Expr] | None = None
    at: tuple[Mapping[Any, Any], ...] = field(default=())

    def check(self) -> Finding:
        """Test the identity at exact points, then simplify the difference of the sides."""
        from proofs.evidence.reals import discharge

        unmet = discharge(self.given, self.where, list(self.where))
        if unmet is not None:
            return unmet
        parts = conjuncts(self.claim)
        if not parts:
            return Finding(Outcome.UNKNOWN, "there is no identity to check")
        for part in parts:
            if part is sympy.true:
                why = "SymPy settled the identity when it was built: leave it unevaluated"
                return Finding(Outcome.UNKNOWN, why)
            if part is sympy.false:
                return Finding(Outcome.REFUTED, "the sides differ structurally")
            if not isinstance(part, Eq):
                return Finding(Outcome.UNKNOWN, f"{part} is not an identity")
            finding = self._check_one(part)
            if finding.outcome is not Outcome.PASSED:
                return finding
        return Finding(Outcome.PASSED, "difference simplifies to 0")

    def witness(self) -> Finding:
        """Exhibit a point at which both sides have a finite value."""
        for part in conjuncts(self.claim):
            if part in (sympy.true, sympy.false):
                continue
            difference = self._difference(part)
            for point in self._points(difference):
                value = _value(difference, point)
                if value is not None:
                    shown = ", ".join(f"{s} = {v}" for s, v in point.items())
                    return Finding(Outcome.PASSED, shown or "no free symbols")
            return Finding(Outcome.UNKNOWN, "no point with a finite value was found")
        return Finding(Outcome.PASSED, "no free symbols")

    def _difference(self, identity: Eq) -> sympy.Expr:
        difference = identity.lhs - identity.rhs
        assumed, _ = resolve(self.given)
        for rule in assumed:
            if not isinstance(rule, Eq):
                raise TypeError(f"a derivation substitutes equations, not {rule}")
            difference = difference.subs(rule.lhs, rule.rhs)
        return difference

    def _check_one(self, identity: Eq) -> Finding:
        difference = self._difference(identity)
        points = self._points(difference)
        if self.by is not None or self.at:
            points += [near for point in points for near in self._near(point)]
        tested = 0
        for point in points:
            value = _value(difference, point)
            if value is None:
                continue
            tested += 1
            if abs(value) > sympy.Float("1e-30", 50):
                shown = ", ".join(f"{s} = {v}" for s, v in point.items())
                return Finding(Outcome.REFUTED, f"sides differ by {sympy.N(value, 6)} at {shown}")
            strange = unconfirmed_limit(difference, point)
            if strange is not None:
                return Finding(Outcome.UNKNOWN, f"its values do not approach {strange}")
        if not tested:
            return Finding(Outcome.UNKNOWN, "no point with a finite value was found")
        for attempt in self._attempts():
            result = attempt(difference)
            if result == 0:
                return Finding(Outcome.PASSED, "difference simplifies to 0")
        return Finding(Outcome.UNKNOWN, "the difference did not simplify to 0")

    def _attempts(self) -> Iterable[Callable[[sympy.Expr], sympy.Expr]]:
        if self.by is not None:
            yield self.by
            return
        yield lambda e: sympy.expand(e.doit())
        yield lambda e: sympy.simplify(e.doit())
        yield lambda e: sympy.simplify(sympy.expand(e.doit().rewrite(sympy.exp)))

    def _near(self, point: Mapping[Any, Any]) -> Iterable[dict[Any, Any]]:
        """Yield points near one, where the conditions hold as well: integers stay as they are."""
        for share in (sympy.Rational(1, 89), -sympy.Rational(1, 61)):
            moved = {
                symbol: value if symbol.is_integer else value * (1 + share * place)
                for place, (symbol, value) in enumerate(point.items(), 1)
            }
            if all(condition.subs(moved) is not sympy.false for condition in self.where):
                yield moved

    def _points(self, difference: sympy.Expr) -> list[dict[Any, Any]]:
        if self.at:
            return [dict(point) for point in self.at]
        symbols = sorted(difference.free_symbols, key=str)
        return [_point(symbols, i) for i in range(3)]


def _point(symbols: list[Any], i: int) -> dict[Any, Any]:
    point = {}
    for j, symbol in enumerate(symbols):
        if symbol.is_integer:
            point[symbol] = sympy.Integer(_INTEGERS[i][j % 5] + j // 5)
        else:
            value = _POINTS[i][j % 5] + j // 5
            rational = sympy.Rational(value.numerator, value.denominator)
            point[symbol] = rational if symbol.is_nonnegative or (i + j) % 2 else -rational
    return point


def unconfirmed_limit(expression: sympy.Expr, point: Mapping[Any, Any]) -> sympy.Expr | None:
    """Return a limit that the values of its function do not approach, if there is one.

    SymPy finds a limit by rules; the values are an independent test of what it found.

    >>> from sympy import Limit, oo, sin
    >>> from sympy.abc import x
    >>> unconfirmed_limit(Limit(sin(x) / x, x, 0), {}) is None
    True
    """
    for limit in expression.atoms(sympy.Limit):
        function, variable, end, direction = limit.args
        here = {symbol: value for symbol, value in point.items() if symbol != variable}
        claimed = _value(limit, here)
        if claimed is None:
            continue
        errors = []
        for power in (2, 4, 6):
            step = sympy.Integer(10) ** power
            side = -1 if str(direction) == "-" else 1
            at = (step if end > 0 else -step) if end.is_infinite else end + side / step
            value = _value(function, {**here, variable: at})
            if value is not None:
                errors.append(abs(value - claimed))
        shrinking = all(later <= sooner for sooner, later in itertools.pairwise(errors))
        if not errors or not shrinking or errors[-1] > (1 + abs(claimed)) / 1000:
            return limit
    return None


def _value(expression: sympy.Expr, point: Mapping[Any, Any]) -> sympy.Expr | None:
    """Return the value to 50 digits, or None where it is not a finite number."""
    try:
        value = expression.subs(dict(point), simultaneous=True)
        if not value.has(sympy.Integral):
            # SymPy returns wrong values of some definite integrals: those are done by quadrature.
            value = value.doit()
        number = sympy.N(value, 50, maxn=400)
    except (ValueError, TypeError, ZeroDivisionError, NotImplementedError, AttributeError):
        return None
    if not number.is_number or number.has(sympy.nan, sympy.zoo, sympy.oo):
        return None
    return number
