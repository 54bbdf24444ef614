"""SymPy relations over the reals, decided by Z3: what it is told, what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from proofs.evidence.base import Fact, Finding, Outcome, resolve
from proofs.symbols import Mean

__all__ = ["decide", "discharge", "find_witness", "is_polynomial"]


def decide(
    claim: Any,
    hypotheses: Sequence[Any],
    timeout: float = 60.0,
    terms: set[str] | None = None,
    *,
    where_defined: bool = False,
) -> Finding:
    """Decide whether one relation follows from the hypotheses over the reals.

    Hypotheses are assumed where no denominator in them vanishes. The claim must hold everywhere,
    or, with `where_defined`, where it is a hypothesis of something else.

    >>> from sympy.abc import x
    >>> from sympy import Symbol
    >>> y = Symbol("y", real=True)
    >>> decide(y**2 - 2 * y + 1 >= 0, []).outcome.value
    'passed'
    >>> decide(y**2 - 2 * y >= 0, []).outcome.value
    'refuted'
    """
    import z3

    if claim is sympy.true:
        return Finding(Outcome.PASSED, "true by the assumptions of its symbols")
    table = _Translator()
    relations = [table.fact(h) for h in hypotheses if h is not sympy.true]
    negated = z3.Not(table.fact(claim) if where_defined else table.relation(claim))
    facts = table.all_facts()
    answer = z3.unknown
    if table.logs:
        # The facts about logarithms are many; most deductions need none of them, and are quick.
        plain = z3.SimpleSolver()
        plain.set("timeout", int(min(500, 1000 * timeout)))
        plain.add(*relations, *table.facts, negated)
        answer = plain.check()
    if answer != z3.unsat:
        solver = _solver(timeout)
        solver.add(*relations, *facts, negated)
        answer = solver.check()
    if terms is not None:
        terms.update(table.free_terms)
    if answer == z3.unsat:
        return Finding(Outcome.PASSED, "no counterexample exists")
    if answer == z3.sat:
        return Finding(Outcome.REFUTED, f"fails at {table.show(solver.model())}")
    return Finding(Outcome.UNKNOWN, f"Z3 gave up: {solver.reason_unknown()}")


def is_polynomial(relations: Sequence[Any]) -> bool:
    """Tell whether Z3 sees the relations as they are: no term of them becomes a free real.

    >>> from sympy.abc import x
    >>> from sympy import log
    >>> is_polynomial([x**2 >= 1]), is_polynomial([log(x) >= 1])
    (True, False)
    """
    table = _Translator()
    for relation in relations:
        table.relation(relation)
    return not (table.free_terms or table.logs or table.exps)


def find_witness(
    hypotheses: Sequence[Any], claims: Sequence[Any], timeout: float = 60.0
) -> Finding:
    """Ask Z3 for a point that satisfies the hypotheses and the facts about the claims' terms."""
    import z3

    table = _Translator()
    relations = [table.relation(part) for part in hypotheses]
    relations += [denominator != 0 for denominator in table.denominators]
    for part in claims:
        table.relation(part)
    solver = _solver(timeout)
    solver.add(*relations, *table.all_facts())
    answer = solver.check()
    if answer == z3.sat:
        return Finding(Outcome.PASSED, table.show(solver.model()) or "no hypotheses")
    if answer == z3.unsat:
        return Finding(Outcome.REFUTED, "the hypotheses contradict each other")
    return Finding(Outcome.UNKNOWN, f"no witness found: {solver.reason_unknown()}")


def discharge(
    given: Sequence[Fact],
    where: Sequence[Any],
    hypotheses: list[Any],
    timeout: float = 60.0,
) -> Finding | None:
    """Add the given facts to `hypotheses`; return a finding if one is not entitled to be used.

    The obligations of a fact must follow from `where` and from the facts given before it, so that
    no fact helps to justify itself: give the facts in the order in which they are needed.
    """
    for fact in given:
        assumed, obligations = resolve([fact])
        for obligation in obligations:
            finding = decide(obligation, hypotheses, timeout, where_defined=True)
            if finding.outcome is not Outcome.PASSED:
                why = f"hypothesis {obligation} not met: {finding.detail}"
                return Finding(finding.outcome, why)
        hypotheses.extend(assumed)
    return None


def _solver(timeout: float) -> Any:
    import z3

    solver = z3.SolverFor("QF_NRA")
    solver.set("timeout", int(1000 * timeout))
    return solver


class _Translator:
    """Translates SymPy relations to Z3, one real variable a symbol or opaque term."""

    def __init__(self) -> None:
        self.variables: dict[Any, Any] = {}
        self.facts: list[Any] = []
        self.free_terms: set[str] = set()
        self.logs: list[tuple[Any, Any]] = []
        self.exps: list[tuple[Any, Any]] = []
        #: What was divided by and is not known to differ from 0.
        self.denominators: list[Any] = []

    def all_facts(self) -> list[Any]:
        """Return what is known of the variables, the monotonicity of log included."""
        import z3

        pairs = list(self.logs)
        if pairs:  # the logarithm of e^x is x
            pairs += [(value, self.term(argument)) for value, argument in list(self.exps)]
        facts = list(self.facts)
        for i, (x, log_x) in enumerate(pairs):
            facts.append(
                z3.Implies(
                    x > 0,
                    z3.And(log_x <= x - 1, (x >= 1) == (log_x >= 0), (x <= 1) == (log_x <= 0)),
                )
            )
            for y, log_y in pairs[:i]:
                both = z3.And(x > 0, y > 0)
                order = z3.And((x <= y) == (log_x <= log_y), (y <= x) == (log_y <= log_x))
                facts.append(z3.Implies(both, order))
        return facts

    def fact(self, given: Any) -> Any:
        """Return a relation that may be assumed: it holds where no denominator in it vanishes.

        An identity that cancels x - 1, say, is no reason for x not to be 1.
        """
        import z3

        before = len(self.denominators)
        relation = self.relation(given)
        nonzero = [denominator != 0 for denominator in self.denominators[before:]]
        return z3.Implies(z3.And(*nonzero), relation) if nonzero else relation

    def relation(self, claim: Any) -> Any:
        import z3

        if claim is sympy.true or claim is sympy.false:
            return z3.BoolVal(bool(claim))
        if isinstance(claim, sympy.And):
            return z3.And(*[self.relation(a) for a in claim.args])
        if isinstance(claim, sympy.Or):
            return z3.Or(*[self.relation(a) for a in claim.args])
        if isinstance(claim, sympy.Not):
            return z3.Not(self.relation(claim.args[0]))
        if isinstance(claim, sympy.Implies):
            return z3.Implies(*[self.relation(a) for a in claim.args])
        if not isinstance(claim, sympy.core.relational.Relational):
            raise TypeError(f"not a relation: {claim}")
        left, right = self.term(claim.lhs), self.term(claim.rhs)
        if isinstance(claim, sympy.Eq):
            return left == right
        if isinstance(claim, sympy.Ne):
            return left != right
        if isinstance(claim, sympy.Le):
            return left <= right
        if isinstance(claim, sympy.Lt):
            return left < right
        if isinstance(claim, sympy.Ge):
            return left >= right
        return left > right

    def term(self, expr: Any) -> Any:
        import z3

        if expr.is_Rational:
            return z3.Q(int(expr.p), int(expr.q))
        if isinstance(expr, sympy.Add):
            return z3.Sum(*[self.term(a) for a in expr.args])
        if isinstance(expr, sympy.Mul):
            return z3.Product(*[self.term(a) for a in expr.args])
        if isinstance(expr, sympy.exp) or expr is sympy.E:
            return self._exponential(expr)
        if isinstance(expr, sympy.Pow):
            return self._power(expr)
        if isinstance(expr, sympy.Abs):
            inner = self.term(expr.args[0])
            return z3.If(inner >= 0, inner, -inner)
        if isinstance(expr, sympy.Max | sympy.Min):
            return self._extreme(expr)
        if isinstance(expr, sympy.log):
            return self._logarithm(expr)
        return self.variable(expr)

    def _logarithm(self, expr: Any) -> Any:
        known = expr in self.variables
        variable = self.variable(expr)
        if not known:
            self.logs.append((self.term(expr.args[0]), variable))
        return variable

    def variable(self, expr: Any) -> Any:
        import z3

        if expr not in self.variables:
            name = str(expr)
            # Z3 tells variables apart by name alone, and two terms may print alike.
            variable = z3.Real(f"{name}#{len(self.variables)}")
            self.variables[expr] = variable
            if not isinstance(expr, sympy.Symbol) or isinstance(expr, Mean):
                self.free_terms.add(name)
            if expr.is_integer and expr.is_positive:
                self.facts.append(variable >= 1)
            elif expr.is_positive:
                self.facts.append(variable > 0)
            elif expr.is_nonnegative:
                self.facts.append(variable >= 0)
            elif expr.is_negative:
                self.facts.append(variable < 0)
            elif expr.is_nonpositive:
                self.facts.append(variable <= 0)
        return self.variables[expr]

    def _power(self, expr: Any) -> Any:
        import z3

        base, power = expr.as_base_exp()
        if power.is_Integer:
            value = self.term(base)
            result: Any = z3.Q(1, 1)
            for _ in range(abs(int(power))):
                result = result * value
            if power > 0:
                return result
            # 1/x is the number y with x y = 1, and any number where x = 0: that a quotient is
            # written down does not make its denominator different from 0.
            inverse = self.variable(expr)
            self.free_terms.discard(str(expr))
            inverts = inverse * result == 1
            if base.is_nonzero or base.is_positive:
                self.facts.append(inverts)
            else:
                self.facts.append(z3.Implies(value != 0, inverts))
                self.denominators.append(value)
            return inverse
        if power.is_Rational and power.q == 2 and base.is_nonnegative:
            root = self.variable(sympy.sqrt(base))
            self.free_terms.discard(str(sympy.sqrt(base)))
            self.facts.extend([root >= 0, root * root == self.term(base)])
            if power < 0 and not base.is_positive:
                self.denominators.append(root)
            return _z3_power(root, int(power.p))
        return self.variable(expr)

    def _exponential(self, expr: Any) -> Any:
        argument = sympy.Integer(1) if expr is sympy.E else expr.args[0]
        coefficient, rest = argument.as_coeff_Mul()
        if rest is sympy.S.One and argument.is_Rational:
            rest, coefficient = sympy.S.One, argument
        if argument.is_Add:
            result: Any = None
            for part in argument.args:
                factor = self.term(sympy.exp(part))
                result = factor if result is None else result * factor
            return result
        # exp(c x) for rational c: a power of exp(x / d), where d is the denominator of c.
        base = self._exp_base(rest, int(coefficient.q))
        value = _z3_power(base, int(coefficient.p))
        self.exps.append((value, argument))
        return value

    def _exp_base(self, rest: Any, denominator: int) -> Any:
        root = sympy.exp(rest / denominator)
        base = self.variable(root)
        self.free_terms.discard(str(root))
        if rest.is_positive:
            self.facts.append(base > 1)
        if denominator > 1:
            whole = self._exp_base(rest, 1)
            self.facts.append(_z3_power(base, denominator) == whole)
        return base

    def _extreme(self, expr: Any) -> Any:
        import z3

        largest = isinstance(expr, sympy.Max)
        first, *others = (self.term(a) for a in expr.args)
        for other in others:
            chosen = first >= other if largest else first <= other
            first = z3.If(chosen, first, other)
        return first

    def show(self, model: Any) -> str:
        """Return the model as text, `x = 1/2, y = 3`."""
        shown = []
        for expr, variable in self.variables.items():
            shown.append(f"{expr} = {model.eval(variable)}")
        return ", ".join(shown)


def _z3_power(base: Any, power: int) -> Any:
    import z3

    result: Any = z3.Q(1, 1)
    for _ in range(abs(power)):
        result = result * base
    return result if power >= 0 else 1 / result
