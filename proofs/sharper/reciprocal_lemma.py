"""The reciprocal lemma: over the anchors, 1/mu has mean at most 1."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from sympy import Eq, Ge, Integer, Le, Limit, exp, log, oo

from proofs.evidence import (
    Attack,
    Averaged,
    Case,
    Compared,
    Decided,
    Derived,
    Enumerated,
    Mutant,
)
from proofs.gateaux import Dot
from proofs.ledger import Statement, Step
from proofs.sharper._finite_search import reciprocal, search
from proofs.sharper._pairs_of_anchors import (
    X,
    a_pair,
    down,
    kernel,
    mean_anchor,
    mean_over_pairs,
    mu_of,
    phi,
    point,
    reciprocal_sum,
    s_pair,
    squared_mean,
    up,
    vanishes,
)
from proofs.symbols import Mean, n, tau

__all__ = ["ASSUMPTIONS", "statement"]

ASSUMPTIONS = [
    "anchors and negatives have the same law pi and the same embedding phi, into the unit sphere "
    "of any Hilbert space",
    "the sums run over any number of atoms of pi; for a general pi read integrals (all integrands "
    "are bounded)",
]

claim = Le(X, 1)
_definitions = {X: reciprocal_sum(), a_pair: X * exp(s_pair / tau), down: 1 / up}
_is = {symbol: Eq(symbol, value, evaluate=False) for symbol, value in _definitions.items()}

_mean_a = Mean(a_pair)
_length = Dot(mean_anchor, mean_anchor)
_one = (
    Eq(mean_over_pairs(lambda x, y: X * kernel(x, y) * mu_of(y) / mu_of(x)), 1),
    Eq(mean_over_pairs(lambda x, y: X * kernel(x, y) * mu_of(x) / mu_of(y), first_inside=True), 1),
)
_at_most_one = Le(_mean_a, 1)
_tangent = Eq(log(a_pair / X), s_pair / tau)
_at_least = Ge(_mean_a, X * (1 + _length / tau))


def _worlds() -> Iterator[tuple[str, list[list[Fraction]], list[Fraction]]]:
    """Yield (name, e^{s/tau}, masses), exact: e^{1/tau} = 4, and 2s is an integer."""
    hexagon = [(2, 1), (1, 2), (-1, 1), (-2, -1), (-1, -2), (1, -1)]
    roots = [r for r in product((-1, 0, 1), repeat=4) if sorted(r) == [-1, 0, 0, 1]]
    # In the hexagon's oblique coordinates 2s = 2xx' + 2yy' - xy' - x'y, over 3.
    twice = [[(2 * x * u + 2 * y * v - x * v - y * u) // 3 for u, v in hexagon] for x, y in hexagon]
    inner = [[sum(a * b for a, b in zip(r, s, strict=True)) for s in roots] for r in roots]
    for name, exponents in (("hexagon", twice), ("root system A3", inner)):
        kernel_ = [[Fraction(2) ** e for e in row] for row in exponents]
        for heavy in (1, 3, 40):
            raw = [Fraction(heavy if i == 0 else 1 + i % 3) for i in range(len(kernel_))]
            yield f"{name}, first mass {heavy}", kernel_, [m / sum(raw) for m in raw]


def _cases(largest: Fraction = Fraction(1), *, turned: bool = False) -> Iterator[Case]:
    """Compare X with 1 exactly; `turned` puts the negatives at minus the anchors."""
    for name, matrix, masses in _worlds():
        rows = [[1 / entry for entry in row] for row in matrix] if turned else matrix
        means = [sum(m * e for m, e in zip(masses, row, strict=True)) for row in rows]
        value = sum((m / mu for m, mu in zip(masses, means, strict=True)), Fraction(0))
        yield Case(name, value, "<=", largest)


def _attack(*, seed: int, restarts: int, largest: float = 1.0) -> Compared:
    return search(
        seed=seed,
        restarts=restarts,
        quantity=reciprocal,
        bound=lambda at: largest,
        taus=(0.5, 10.0),
    )


statement = Statement(
    id="reciprocal-lemma",
    title="The reciprocal of mu has mean at most 1 over the anchors",
    where="companion",
    assumptions=ASSUMPTIONS,
    claim=claim,
    definitions=_definitions,
    proof=[
        Step(
            text=(
                r"Draw $z, z'$ independently from $P(dz) = \pi(dz)/(X\mu(z))$, and let "
                r"$a = X e^{s(z,z')/\tau}$. Then $\mathbb{E}[a\,\mu(z')/\mu(z)] = 1$: the factor "
                r"$\mu(z')$ cancels, the inner integral is $\mu(z)$, and what is left is $X/X$. "
                r"By symmetry $\mathbb{E}[a\,\mu(z)/\mu(z')] = 1$."
            ),
            evidence=Derived(
                claim=_one,
                given=(_is[X],),
                by=vanishes,
                at=(point,),
                mutants=[
                    Mutant(
                        "E a for E[a mu(z')/mu(z)]",
                        Eq(mean_over_pairs(lambda x, y: X * kernel(x, y)), 1),
                    ),
                    Mutant(
                        "the square of the ratio",
                        Eq(
                            mean_over_pairs(
                                lambda x, y: X * kernel(x, y) * mu_of(y) ** 2 / mu_of(x) ** 2
                            ),
                            1,
                        ),
                    ),
                ],
            ),
        ),
        Step(
            text=r"A positive number and its inverse sum to at least 2; hence $\mathbb{E}a \le 1$.",
            evidence=Averaged(
                claim=Le(2 * _mean_a, 2),
                pointwise=Le(2 * a_pair, a_pair * up + a_pair * down),
                given=(_is[down],),
                means={a_pair: _mean_a, a_pair * up: 1, a_pair * down: 1},
                mutants=[
                    Mutant(
                        "3 for 2",
                        Le(3 * _mean_a, 2),
                        pointwise=Le(3 * a_pair, a_pair * up + a_pair * down),
                    ),
                    Mutant("not inverse to each other", given=()),
                ],
            ),
        ),
        Step(
            text=(
                r"The mean of $s(z,z') = \langle\varphi(z),\varphi(z')\rangle$ is "
                r"$\Vert\int\varphi\,dP\Vert^2$, since $z$ and $z'$ are independent."
            ),
            evidence=Derived(
                claim=Eq(mean_over_pairs(lambda x, y: Dot(phi(x), phi(y))), squared_mean()),
                given=(_is[X],),
                by=vanishes,
                at=(point,),
                mutants=[
                    Mutant(
                        "the anchor with itself",
                        Eq(mean_over_pairs(lambda x, y: Dot(phi(x), phi(x))), squared_mean()),
                    )
                ],
            ),
        ),
        Step(
            text=r"The exponent of $a/X$ is $s/\tau$ ...",
            evidence=Derived(
                claim=_tangent,
                given=(_is[a_pair],),
                mutants=[Mutant("2s for s", Eq(log(a_pair / X), 2 * s_pair / tau))],
            ),
        ),
        Step(
            text=(
                r"... so $a \ge X(1 + s/\tau)$, and $\mathbb{E}a \ge "
                r"X(1 + \Vert\int\varphi\,dP\Vert^2/\tau)$."
            ),
            evidence=Averaged(
                claim=_at_least,
                pointwise=Ge(a_pair, X * (1 + s_pair / tau)),
                given=(_tangent,),
                means={a_pair: _mean_a, s_pair: _length},
                mutants=[
                    Mutant(
                        "2s for s",
                        Ge(_mean_a, X * (1 + 2 * _length / tau)),
                        pointwise=Ge(a_pair, X * (1 + 2 * s_pair / tau)),
                    ),
                ],
            ),
        ),
        Step(
            text=r"A squared length is not negative: $X \le \mathbb{E}a \le 1$.",
            evidence=Decided(
                claim=claim,
                given=(Le(2 * _mean_a, 2), _at_least),
                mutants=[
                    Mutant("9/10 for 1", Le(X, Integer(9) / 10)),
                    Mutant("E a <= 1 dropped", given=(_at_least,)),
                ],
            ),
        ),
    ],
    tight=True,
    attained=Derived(
        claim=Eq(Limit(1 / (1 + (exp(1 / tau) - 1) / n), n, oo), 1),
        mutants=[
            Mutant(
                "one class out of two in place of one out of n",
                Eq(Limit(1 / (1 + (exp(1 / tau) - 1) / 2), n, oo), 1),
            )
        ],
    ),
    crosschecks=[
        Enumerated(
            claim=claim,
            cases=_cases,
            mutants=[
                Mutant("1/2 for 1", arguments={"largest": Fraction(1, 2)}),
                Mutant(
                    "two encoders: negatives opposite to the anchors", arguments={"turned": True}
                ),
            ],
        ),
        Attack(
            claim=claim,
            search=_attack,
            restarts=3,
            at_least=0.9,
            mutants=[Mutant("3/4 for 1", arguments={"largest": 0.75})],
        ),
    ],
    remarks=(
        "Equality is approached by n orthonormal classes, X = 1/(1 + (e^{1/tau} - 1)/n), and by "
        "the uniform law on spheres of growing dimension. With two encoders (CLIP) the lemma "
        "fails: anchors at u and negatives at -u give X = e^{1/tau}. The proof shows more: "
        "X(1 + v/tau) <= 1, where v is the squared length of the mean embedding under P."
    ),
)
