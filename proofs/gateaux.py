r"""Gateaux derivatives of functionals of an embedding, with as many atoms as one likes.

An embedding is a map into R^d. It enters the losses only through inner products of its values, so
neither d nor the values themselves are needed: `Dot` is an unevaluated symmetric bilinear form, and
an integral over the negatives is a `Sum` with a symbolic number of terms and symbolic weights.
The derivative in a direction is then taken by SymPy once for every d, every k and all weights.

>>> from sympy import Symbol
>>> f, eta, x, y = Embedding("f"), Embedding("eta"), Symbol("x"), Symbol("y")
>>> derivative(lambda g: Dot(g(x), g(y)), f, eta)
Dot(eta(x), f(y)) + Dot(eta(y), f(x))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sympy import (
    Add,
    Derivative,
    Dummy,
    Expr,
    Function,
    Integer,
    Mul,
    Rational,
    Subs,
    Sum,
    Symbol,
    cancel,
    diff,
    exp,
    expand,
    expand_mul,
    log,
    sympify,
    together,
)

from proofs.symbols import k, tau

__all__ = [
    "Atom",
    "Atoms",
    "Dot",
    "Embedding",
    "Field",
    "Mass",
    "canonical",
    "derivative",
    "difference",
    "log_partition",
    "softmax_average",
]

#: A vector field on the space of points: an embedding, or a sum of multiples of embeddings.
Field = Callable[[Expr], Expr]


class Value(Function):  # type: ignore[misc]
    """The vector f(x), named by its embedding and its point."""

    nargs = 2

    def _sympystr(self, printer: object) -> str:
        name, point = (printer._print(a) for a in self.args)  # type: ignore[attr-defined]
        return f"{name}({point})"

    def _latex(self, printer: object) -> str:
        name, point = (printer._print(a) for a in self.args)  # type: ignore[attr-defined]
        return rf"{name}\left({point}\right)"


@dataclass(frozen=True)
class Embedding:
    """A map of points to vectors; `Embedding("f")(x)` is the vector f(x)."""

    name: str

    def __call__(self, point: Expr) -> Expr:
        """Return the vector at a point."""
        return Value(Symbol(self.name), point)


class Dot(Function):  # type: ignore[misc]
    """The inner product of two vectors: symmetric, bilinear, and linear over `Sum`.

    >>> from sympy import Symbol
    >>> u, c = Embedding("u"), Symbol("c")
    >>> x, y = Symbol("x"), Symbol("y")
    >>> Dot(u(x) - c * u(y), u(y))
    -c*Dot(u(y), u(y)) + Dot(u(x), u(y))
    """

    nargs = 2
    is_real = True
    is_commutative = True

    @classmethod
    def eval(cls, left: Expr, right: Expr) -> Expr | None:
        """Expand by bilinearity; leave the product of two plain vectors alone, in order."""
        if isinstance(left, Value) and isinstance(right, Value):
            if all(label.is_number for label in (*left.args, *right.args)):
                pairs = zip(_sample(*left.args), _sample(*right.args), strict=True)
                return Add(*(a * b for a, b in pairs))
            return None if left.sort_key() <= right.sort_key() else cls(right, left)
        return Add(
            *(a * b * _dot(cls, u, v) for a, u in _components(left) for b, v in _components(right))
        )

    def _eval_is_nonnegative(self) -> bool | None:
        return True if self.args[0] == self.args[1] else None

    def _latex(self, printer: object, power: str | None = None) -> str:
        left, right = (printer._print(a) for a in self.args)  # type: ignore[attr-defined]
        text = rf"\left\langle {left}, {right}\right\rangle"
        return text if power is None else rf"{text}^{{{power}}}"


def _sample(name: Expr, point: Expr) -> tuple[Expr, ...]:
    """Return the vector with this numbered name at this numbered point, for numeric tests."""
    p = point.args[0] + Rational(1, 3) if isinstance(point, Atom) else point
    return name + p, name * p - 1, name**2 - p, name - p**2


def _dot(cls: type[Dot], u: Expr, v: Expr) -> Expr:
    if isinstance(u, Sum):
        ((index, low, high),) = u.limits
        # Not SymPy's `as_dummy`, which gives every sum the same index, that of a sum in v as well.
        other = index
        while other in v.atoms(Symbol) or (other != index and other in u.atoms(Symbol)):
            other = Symbol(f"{other.name}'", **index.assumptions0)
        return Sum(cls(u.function.xreplace({index: other}), v), (other, low, high))
    return _dot(cls, v, u) if isinstance(v, Sum) else cls(u, v)


def _components(vector: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield (scalar, plain vector or Sum of vectors), whose combination the vector is."""
    for term in Add.make_args(expand_mul(sympify(vector))):
        if term.is_zero:
            continue
        vectors = [a for a in Mul.make_args(term) if _is_vector(a)]
        if len(vectors) != 1:
            raise TypeError(f"not a vector: {term}")
        yield Mul(*(a for a in Mul.make_args(term) if a is not vectors[0])), vectors[0]


def _is_vector(factor: Expr) -> bool:
    """Whether a factor is vector-valued: f(x), or a Sum of multiples of such."""
    if isinstance(factor, Sum):
        return any(_is_vector(a) for a in Mul.make_args(Add.make_args(factor.function)[0]))
    return isinstance(factor, Value)


class Atom(Function):  # type: ignore[misc]
    """The point z_j."""

    nargs = 1

    def _sympystr(self, printer: object) -> str:
        return f"z[{printer._print(self.args[0])}]"  # type: ignore[attr-defined]

    def _latex(self, printer: object) -> str:
        return f"z_{{{printer._print(self.args[0])}}}"  # type: ignore[attr-defined]


class Mass(Function):  # type: ignore[misc]
    """The positive mass of the point z_j."""

    nargs = 1
    is_positive = True

    @classmethod
    def eval(cls, number: Expr) -> Expr | None:
        """Return the mass of a numbered atom, for numeric tests."""
        return number / (number + 2) if number.is_number else None

    def _sympystr(self, printer: object) -> str:
        return f"omega[{printer._print(self.args[0])}]"  # type: ignore[attr-defined]

    def _latex(self, printer: object, power: str | None = None) -> str:
        text = rf"\omega_{{{printer._print(self.args[0])}}}"  # type: ignore[attr-defined]
        return text if power is None else rf"{text}^{{{power}}}"


INDEX = Symbol("j", integer=True, positive=True)


@dataclass(frozen=True)
class Atoms:
    """A finite measure with a symbolic number of atoms z_1, ..., z_count and symbolic masses."""

    index: Symbol = INDEX
    count: Symbol = k

    def integral(self, integrand: Callable[[Expr], Expr]) -> Expr:
        """Return the integral of a function of one point; it may be vector-valued.

        >>> Atoms().integral(Embedding("f"))
        Sum(omega[j]*f(z[j]), (j, 1, k))
        """
        j = self.index
        return Sum(Mass(j) * integrand(Atom(j)), (j, 1, self.count))


def log_partition(f: Field, anchor: Expr, positive: Expr, negatives: Atoms) -> Expr:
    """Return H(f) = log of the integral of exp(<f(anchor), f(z) - f(positive)>/tau) over z."""
    return log(negatives.integral(lambda z: exp(Dot(f(anchor), f(z) - f(positive)) / tau)))


def softmax_average(f: Field, eta: Field, anchor: Expr, negatives: Atoms) -> Expr:
    """Return the vector G(f, eta): the average of eta over the negatives, weighted by softmax.

    The weight of z is proportional to its mass times exp(<f(anchor), f(z)>/tau).
    """

    def weight(z: Expr) -> Expr:
        return exp(Dot(f(anchor), f(z)) / tau)

    total = negatives.integral(weight)
    return negatives.integral(lambda z: weight(z) * eta(z)) / total


def derivative(functional: Callable[[Field], Expr], f: Field, eta: Field) -> Expr:
    """Return d/d(eps) of functional(f + eps eta) at eps = 0.

    Differentiation is term by term in each Sum: for finitely many atoms nothing is exchanged.

    Raises
    ------
    NotImplementedError
        If SymPy leaves a derivative unevaluated.

    >>> from sympy import Symbol
    >>> f, eta, x = Embedding("f"), Embedding("eta"), Symbol("x")
    >>> derivative(lambda g: Atoms().integral(lambda z: Dot(g(x), g(z))), f, eta)
    Sum((Dot(eta(x), f(z[j])) + Dot(eta(z[j]), f(x)))*omega[j], (j, 1, k))
    """
    eps = Dummy("epsilon", real=True)
    moved = functional(lambda point: f(point) + eps * eta(point))
    slope = diff(moved, eps).subs(eps, 0)
    if slope.has(Derivative, Subs):
        raise NotImplementedError(f"cannot differentiate {moved}")
    return slope


def canonical(expression: Expr) -> Expr:
    """Return the expression with every Sum split into terms and cleared of constant factors.

    Two expressions that agree as rational functions of their canonical sums are equal; see
    `difference`.

    >>> from sympy import Symbol
    >>> j, c = Atoms().index, Symbol("c")
    >>> canonical(Atoms().integral(lambda z: exp(c + j) + c))
    c*Sum(omega[j], (j, 1, k)) + exp(c)*Sum(exp(j)*omega[j], (j, 1, k))
    """
    expression = sympify(expression)
    if not expression.has(Sum):
        return expression
    if isinstance(expression, Sum):
        inner = expand(canonical(expression.function), power_exp=False)
        return Add(*(_pull_out(t, expression.limits) for t in Add.make_args(inner)))
    return expression.func(*(canonical(a) for a in expression.args))


def _pull_out(term: Expr, limits: tuple[Expr, ...]) -> Expr:
    index = limits[0][0]
    inside: list[Expr] = []
    outside: list[Expr] = []
    exponent = Integer(0)
    for factor in Mul.make_args(term):
        if isinstance(factor, exp):
            exponent += factor.args[0]
        else:
            (inside if factor.has(index) else outside).append(factor)
    constant, dependent = expand(exponent).as_independent(index, as_Add=True)
    return Mul(exp(constant), *outside) * Sum(Mul(exp(dependent), *inside), *limits)


def difference(left: Expr, right: Expr) -> Expr:
    """Return left - right, reduced: 0 if they agree as rational functions of canonical sums.

    A result other than 0 does not prove them different; evaluate both on numbers for that.
    """
    return cancel(together(canonical(left) - canonical(right)))
