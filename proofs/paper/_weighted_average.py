"""The weighted average of lemma 3: its symbols, and finite worlds on which to try its bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sympy import And, Eq, Expr, Ge, Gt, Le, Or, Sum, Symbol

from numerics.weighted_average import Law, mean_weights, second_moment, worst_bias
from proofs.evidence import Case
from proofs.symbols import declare

__all__ = [
    "AVERAGE",
    "WITNESS",
    "WORLDS",
    "B",
    "F",
    "M",
    "T",
    "bias",
    "bound_cases",
    "describe",
    "f",
    "p0",
    "pair_sum",
    "vanishing_cases",
    "w",
    "w2",
    "wf2",
]

f = declare("f", "f", "a value of f, in [-1, 1]; in the setting a similarity", real=True)
F = declare("F", r"\mathbb{E}_\nu f", "the mean of f under nu", real=True)
w = declare("w", "w", "the density dnu/dpi at one point, w >= 0", nonnegative=True)
T = declare("T", "T", "the average of f over m points, weighted by w", real=True)
B = declare("B", r"\overline{w}", "the mean of the m weights", paper="B", nonnegative=True)
M = declare("M", r"\overline{wf}", "the mean of w f over the m points", real=True)
bias = declare("bias", r"\mathrm{bias}", "E T - E_nu f", real=True)
w2 = declare("w2", r"\mathbb{E}_\pi[w^2]", "mean of w^2 under pi; at least 1", positive=True)
p0 = declare("p0", r"p_0", "probability that all m weights vanish", nonnegative=True)
wf2 = declare("wf2", r"\mathbb{E}_\pi[w^2 f]", "mean of w^2 f under pi", real=True)

#: What T is: a weighted average where a weight is positive, any agreed value in [-1, 1] elsewhere.
AVERAGE = (
    Ge(f, -1),
    Le(f, 1),
    Ge(F, -1),
    Le(F, 1),
    Eq(M, T * B),
    Or(Gt(B, 0), And(Ge(T, -1), Le(T, 1))),
)

#: A point at which the relations of `AVERAGE` hold.
WITNESS = {f: 0, F: 0, T: 0, B: 1, M: 0}

_i, _j = (Symbol(name, integer=True, positive=True) for name in ("i", "j"))


def pair_sum(equal: Expr, different: Expr, count: Expr) -> Expr:
    """Return the sum over i, j = 1..count of `equal` where i = j and of `different` elsewhere.

    >>> from sympy import simplify
    >>> from proofs.symbols import m
    >>> simplify(pair_sum(w2, 1, m).doit() - m * w2 - m * (m - 1))
    0
    """
    others = Sum(different, (_j, 1, _i - 1)) + Sum(different, (_j, _i + 1, count))
    return Sum(equal + others, (_i, 1, count))


def _laws(*numbers: int) -> Law:
    return tuple(Fraction(number, sum(numbers)) for number in numbers)


#: Pairs (pi, nu), some with weights that vanish, each with the numbers m of points to try.
WORLDS: tuple[tuple[Law, Law, Sequence[int]], ...] = (
    (_laws(1, 1), _laws(1, 0), range(1, 13)),
    (_laws(1, 1), _laws(2, 1), range(1, 13)),
    (_laws(50, 1), _laws(1, 1), range(1, 41)),
    (_laws(1023, 1), _laws(15, 1), (1, 2, 5, 10, 20, 50, 100, 200)),
    (_laws(1, 1, 1), _laws(1, 1, 0), range(1, 8)),
    (_laws(10, 5, 1), _laws(1, 1, 3), range(1, 8)),
    (_laws(100, 1, 1), _laws(10, 1, 0), range(1, 8)),
    (_laws(2, 3, 5, 7), _laws(0, 0, 1, 1), range(1, 6)),
    (_laws(40, 20, 2, 1), _laws(1, 3, 1, 5), range(1, 6)),
)


def bound_cases(*, constant: Fraction = Fraction(4), vanishing: int = 1) -> Iterator[Case]:
    """Yield the worst bias against ``constant E[w^2]/m`` on all `WORLDS`.

    `vanishing` is the largest absolute value that may be agreed where all weights vanish.
    """
    for pi, nu, sizes in WORLDS:
        for m in sizes:
            left = worst_bias(pi, nu, m)
            if vanishing != 1:
                left += (vanishing - 1) * mean_weights(pi, nu, m)[1]
            yield Case(describe(pi, nu, m), left, "<=", constant * second_moment(pi, nu) / m)


def vanishing_cases(
    *, largest: int = 6, chance: Fraction | None = None, base: Fraction = Fraction(1, 2)
) -> Iterator[Case]:
    """Yield the probability that all weights vanish, pi uniform on {0, 1} and nu = delta_0.

    It is compared with `chance`, or with a power of `base`.
    """
    pi, nu = (Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(0))
    for m in range(1, largest + 1):
        expected = base**m if chance is None else chance
        label = f"pi uniform on {{0, 1}}, nu = delta_0, m = {m}"
        yield Case(label, mean_weights(pi, nu, m)[1], "==", expected)


def describe(pi: Law, nu: Law, m: int) -> str:
    """Return the label of a world."""
    return f"pi = {_show(pi)}, nu = {_show(nu)}, m = {m}"


def _show(law: Law) -> str:
    return "(" + ", ".join(map(str, law)) + ")"
