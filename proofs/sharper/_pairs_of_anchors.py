"""Two independent anchors drawn with density proportional to 1/mu: identities on any atoms.

P(dz) = pi(dz)/(X mu(z)) with X the integral of 1/mu. For z, z' iid P, a = X exp(s(z, z')/tau) and
c = cosh(log mu(z') - log mu(z)), the means of a c, a^2 c and s are sums over a symbolic number of
atoms with symbolic masses; SymPy compares them as rational functions of canonical sums.
"""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Rational, Sum, Symbol, cancel, exp, together

from proofs.gateaux import Atoms, Dot, Embedding, canonical
from proofs.symbols import declare, k, tau

__all__ = [
    "X",
    "a_pair",
    "c_pair",
    "down",
    "kernel",
    "mean_anchor",
    "mean_over_pairs",
    "mu_of",
    "phi",
    "point",
    "reciprocal_sum",
    "s_pair",
    "second_ratio",
    "squared_mean",
    "up",
    "vanishes",
]

phi = Embedding("phi")
X = declare(
    "X", "X", "integral of 1/mu over the anchors, mu(z) = int exp(s(z, z')/tau)", positive=True
)
s_pair = declare("s_pair", "s", "similarity of two anchors drawn independently from P, in [-1, 1]")
a_pair = declare("a_pair", "a", "X exp(s(z, z')/tau) for two anchors drawn from P", positive=True)
c_pair = declare("c_pair", "c", "cosh(log mu(z') - log mu(z)), at least 1", positive=True)
up = declare("up", r"\tfrac{\mu(z')}{\mu(z)}", "ratio of the means at two anchors", positive=True)
down = declare("down", r"\tfrac{\mu(z)}{\mu(z')}", "the inverse ratio", positive=True)

#: The mean of phi(z) for z ~ P, a vector.
mean_anchor = Embedding("phi_P")(Symbol("P"))

_outer = Atoms(index=Symbol("i", integer=True, positive=True))
_inner = Atoms()
_third = Atoms(index=Symbol("l", integer=True, positive=True))
_fourth = Atoms(index=Symbol("u", integer=True, positive=True))
_fifth = Atoms(index=Symbol("v", integer=True, positive=True))


def kernel(x: Expr, y: Expr) -> Expr:
    """Return exp(s(x, y)/tau)."""
    return exp(Dot(phi(x), phi(y)) / tau)


def mu_of(x: Expr) -> Expr:
    """Return the mean of the kernel over the negatives."""
    return _third.integral(lambda y: kernel(x, y))


def reciprocal_sum() -> Expr:
    """Return the integral of 1/mu, with indices of its own: it is put in where others are bound."""
    return _fourth.integral(lambda x: 1 / _fifth.integral(lambda y: kernel(x, y)))


def second_ratio() -> Expr:
    """Return the integral of E[Y^2]/mu^2 over the anchors."""
    return _outer.integral(lambda x: _inner.integral(lambda y: kernel(x, y) ** 2) / mu_of(x) ** 2)


def mean_over_pairs(integrand: Callable[[Expr, Expr], Expr], *, first_inside: bool = False) -> Expr:
    """Return the mean of a function of two anchors z, z' drawn independently from P.

    Parameters
    ----------
    integrand : callable
        Of the two points.
    first_inside : bool
        Whether the inner sum is over z; a finite double sum may be taken in either order.
    """

    def weighed(x: Expr, y: Expr) -> Expr:
        return integrand(x, y) / (X * mu_of(x) * X * mu_of(y))

    if first_inside:
        return _outer.integral(lambda y: _inner.integral(lambda x: weighed(x, y)))
    return _outer.integral(lambda x: _inner.integral(lambda y: weighed(x, y)))


def squared_mean() -> Expr:
    """Return the inner product of the mean of phi under P with itself, as a double sum."""
    once, again = (over.integral(lambda x: phi(x) / (X * mu_of(x))) for over in (_outer, _inner))
    return Dot(once, again)


def vanishes(expression: Expr) -> Expr:
    """Reduce a difference by canonical sums, with the sum for X put in."""
    # Equal sums meet once they have the same names, which may lower the sum around them.
    reduced = _named(_named(canonical(expression)))
    return cancel(together(_named(reduced.subs(X, reciprocal_sum()))))


def _named(expression: Expr) -> Expr:
    """Name every index by the height of its sum, so that sums that differ in names alone agree.

    A sum is higher than those inside it, so no index is captured. (SymPy's `as_dummy` captures: it
    gives nested sums the same index.)
    """
    if isinstance(expression, Sum):
        ((index, low, high),) = expression.limits
        name = Symbol(f"i_{_height(expression)}", integer=True, positive=True)
        return Sum(_named(expression.function.xreplace({index: name})), (name, low, high))
    return expression.func(*map(_named, expression.args)) if expression.has(Sum) else expression


def _height(expression: Expr) -> int:
    """Return how many sums are nested in an expression."""
    return max(map(_height, expression.args), default=0) + isinstance(expression, Sum)


#: Two atoms, with numbers for the embedding, for the numeric test of an identity.
point = {k: 2, tau: 2, Symbol("phi"): Rational(1, 2), X: Rational(3, 7)}
