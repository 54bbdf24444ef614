r"""Erratum: networks without biases do not satisfy (C), and what they do satisfy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sympy import (
    Abs,
    E,
    Eq,
    Expr,
    Gt,
    Le,
    Matrix,
    Rational,
    Subs,
    factor_terms,
    simplify,
    sqrt,
    symbols,
)

from proofs.evidence import Case, Decided, Derived, Enumerated, Mutant, Use
from proofs.ledger import Correction, Statement, Step
from proofs.paper._covering import LEMMA_5
from proofs.paper._lipschitz_class import (
    A,
    complexity_bound,
    d_theta,
    distance,
    lipschitz,
    lipschitz_of_loss,
    rho,
)
from proofs.paper.lemma_1 import statement as lemma_1
from proofs.paper.prop_5 import statement as prop_5
from proofs.symbols import Rad_n, declare, n

scale = declare("scale", "t", "factor by which a point is scaled, t > 0", positive=True)
norm = declare("norm", r"\lVert z\rVert", "norm of a point, not zero", positive=True)
moved = declare(
    "moved",
    r"\lVert\varphi_\theta(z)-\varphi_{\theta'}(z)\rVert",
    "distance of the embeddings of one point under two parameters",
    nonnegative=True,
)
floor = declare("floor", r"\ell", "lower bound on the norm of a network's output", positive=True)
size_1 = declare("size_1", r"\lVert\psi\rVert", "norm of an output", positive=True)
size_2 = declare("size_2", r"\lVert\psi'\rVert", "norm of another output", positive=True)
cosine = declare("cosine", r"\cos", "cosine of the angle of the two outputs", real=True)
gap_raw = declare(
    "gap_raw", r"\lVert\psi-\psi'\rVert", "distance of the two outputs", nonnegative=True
)

_W = Matrix(2, 2, symbols("W1:5", real=True))
_V = Matrix(2, 2, symbols("V1:5", real=True))
_z = Matrix(symbols("z1:3", real=True))
#: Both hidden units are active here, and neither output is 0.
_POINT = {
    **dict(zip(_W, (1, Rational(1, 2), Rational(-1, 3), 2), strict=True)),
    **dict(zip(_V, (Rational(3, 4), -1, 1, Rational(2, 5)), strict=True)),
    **dict(zip(_z, (Rational(5, 7), Rational(4, 3)), strict=True)),
    scale: Rational(7, 3),
}


def relu(x: Expr) -> Expr:
    """Return (x + |x|)/2, with common factors taken out of the absolute value.

    >>> relu(Rational(-3)), relu(Rational(3))
    (0, 3)
    """
    x = factor_terms(x)
    return factor_terms((x + Abs(x)) / 2)


def network(z: Matrix, added: int = 0, bias: int = 0) -> Matrix:
    """Return the normalised output of a two-layer network with symbolic weights.

    `added` is a number added to the squared norm, `bias` one added before the activation; both are
    zero in the network of the statement.
    """
    output = (_V * (_W * z + Matrix([bias, 0])).applyfunc(relu)).applyfunc(factor_terms)
    return output / sqrt(factor_terms(output.dot(output) + added))


def _invariance(**changed: int) -> tuple[Eq, ...]:
    scaled = tuple(scale * coordinate for coordinate in _z)
    return tuple(Eq(Subs(value, tuple(_z), scaled), value) for value in network(_z, **changed))


def common_factors(difference: Expr) -> Expr:
    """Take common factors out of absolute values, then out of roots."""
    inside = difference.doit().replace(Abs, lambda x: Abs(factor_terms(x)))
    return simplify(inside.replace(lambda e: e.is_Add, factor_terms))


#: z -> (relu z, theta relu z), normalised, at a point z > 0: it depends on theta and not on z.
def example(theta: Fraction) -> tuple[Fraction, Fraction]:
    """Return the example's embedding for a parameter with rational 1/sqrt(1 + theta^2).

    >>> example(Fraction(3, 4))
    (Fraction(4, 5), Fraction(3, 5))
    """
    square = 1 + theta**2
    root = Fraction(_isqrt(square.numerator), _isqrt(square.denominator))
    return 1 / root, theta / root


def _isqrt(number: int) -> int:
    from math import isqrt

    root = isqrt(number)
    if root**2 != number:
        raise ValueError(f"{number} is not a square")
    return root


def printed_condition(constants: tuple[int, ...], norm_of: Fraction) -> Iterator[Case]:
    """Yield (C), squared, for the example at parameters 0 and 3/4 and a point of norm norm_of/C."""
    first, second = example(Fraction(0)), example(Fraction(3, 4))
    left = sum(((a - b) ** 2 for a, b in zip(first, second, strict=True)), Fraction(0))
    for c in constants:
        right = (c * (norm_of / c) * Fraction(3, 4)) ** 2
        yield Case(f"C = {c}, ||z|| = {norm_of / c}", left, "<=", right)


def near_zero(steps: int, start: Fraction = Fraction(0)) -> Iterator[Case]:
    """Yield ||phi_eps - phi_{-eps}|| = 2 for the output (eps, 0) at eps = start + 10^-j."""
    for j in range(1, steps + 1):
        eps = Fraction(1, 10**j)
        right, left = start + eps, start - eps
        apart = abs(right / abs(right) - left / abs(left))
        yield Case(f"parameters {right} and {left}", apart, "==", 2)


_normalised = Eq(moved**2, 2 - 2 * cosine)
_raw = Eq(gap_raw**2, size_1**2 + size_2**2 - 2 * size_1 * size_2 * cosine)
_cone = (Le(-1, cosine), Le(cosine, 1), Le(floor, size_1), Le(floor, size_2))
#: (C) with the envelope, and what proposition 5 asks for.
HYPOTHESES = (*lemma_1.hypotheses, *LEMMA_5)
_conclusion = (
    Le(rho, lipschitz_of_loss * distance),
    Le(Rad_n, complexity_bound(A, d_theta, n)),
)

statement = Statement(
    id="erratum-homogeneous",
    title="Networks without biases: an envelope instead of the norm in (C)",
    where="Section 5, neural networks",
    assumptions=[
        "(C), with an envelope g: ||phi_theta(z) - phi_theta'(z)|| <= C g(z) ||theta - theta'||",
        "phi_theta maps the points to unit vectors",
    ],
    hypotheses=HYPOTHESES,
    claim=_conclusion,
    witness=prop_5.witness,
    remarks=(
        "The printed (C) is the case $g(z) = \\lVert z\\rVert$. At $z = 0$ it makes the embedding "
        "independent of $\\theta$; a network without biases whose activation vanishes at 0 has "
        "output 0 there, which no scaling brings to the sphere. The nearest true statement: if the "
        "output $\\psi_\\theta(z)$ has norm at least $\\ell(z) > 0$ and moves by at most $C "
        "g_0(z)\\lVert\\theta-\\theta'\\rVert$, the normalised map has envelope $g = g_0/\\ell$. "
        "For a positively homogeneous network $g_0(z) = \\lVert z\\rVert$ and $\\ell(z)$ "
        "proportional to $\\lVert z\\rVert$ give a constant envelope: better than the norm, but "
        "only away from the zeros of the output."
    ),
    correction=Correction(
        printed="a normalised network without biases satisfies (C) with $g(z) = \\lVert z\\rVert$",
        refutation=Enumerated(
            claim="(C) for $z \\mapsto (1, \\theta)/\\sqrt{1 + \\theta^2}$, $z > 0$",
            cases=printed_condition,
            arguments={"constants": (1, 1000, 10**6), "norm_of": Fraction(1, 2)},
            mutants=[
                Mutant(
                    "nearer still to 0",
                    arguments={"constants": (1, 1000, 10**6), "norm_of": Fraction(1, 100)},
                ),
            ],
        ),
        note=(
            "Replace $\\lVert z\\rVert$ in (C) by an envelope $g(z)$ and bound the output below: "
            "Lemma 1 and Proposition 5 use nothing else. As printed, (C) holds for a normalised "
            "network without biases only if the network does not depend on its parameters."
        ),
    ),
    proof=[
        Step(
            text=(
                "A two-layer network $V\\,\\mathrm{relu}(Wz)$, normalised, takes the same value at "
                "$z$ and at $tz$ for every $t > 0$."
            ),
            evidence=Derived(
                claim=_invariance(),
                by=common_factors,
                at=(_POINT,),
                mutants=[
                    Mutant("sqrt(1 + norm^2) for the norm", _invariance(added=1)),
                    Mutant("a bias of 1", _invariance(bias=1)),
                ],
            ),
        ),
        Step(
            name="collapse",
            text=(
                "So (C) at the points $tz$ bounds one distance by $Ct\\lVert "
                "z\\rVert\\lVert\\theta-\\theta'\\rVert$ for every $t$; with $t$ so small that "
                "this is half the distance itself, the distance is 0."
            ),
            evidence=Decided(
                claim=Eq(moved, 0),
                where=(
                    Le(moved, lipschitz * scale * norm * distance),
                    Eq(2 * lipschitz * scale * norm * distance, moved),
                ),
                mutants=[
                    Mutant(
                        "t fixed at 1",
                        where=(Le(moved, lipschitz * norm * distance),),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                "But there are such networks that depend on $\\theta$: $(\\mathrm{relu}\\, z, "
                "\\theta\\, \\mathrm{relu}\\, z)$ at $\\theta = 0$ and $3/4$ has squared distance "
                "$2/5$ at every $z > 0$. Whatever $C$, (C) fails at $z = 1/(2C)$."
            ),
            evidence=Decided(
                claim=Gt(Rational(2, 5), (lipschitz * norm * Rational(3, 4)) ** 2),
                where=(Eq(2 * lipschitz * norm, 1),),
                mutants=[
                    Mutant("at z = 2/C", where=(Eq(lipschitz * norm, 2),)),
                ],
            ),
        ),
        Step(
            text=(
                "Repair: where both outputs have norm at least $\\ell$, normalising them "
                "divides their distance by $\\ell$ at worst."
            ),
            evidence=Decided(
                claim=Le(floor * moved, gap_raw),
                where=(_normalised, _raw, *_cone),
                mutants=[
                    Mutant("twice as much", Le(2 * floor * moved, gap_raw)),
                    Mutant("one output not bounded below", where=(_normalised, _raw, *_cone[:3])),
                ],
            ),
        ),
        Step(
            text=(
                "The lower bound is needed: near a zero of the output the normalised map jumps. "
                "The output $(\\theta, 0)$ at $\\theta = \\pm\\varepsilon$ gives embeddings at "
                "distance 2."
            ),
            evidence=Enumerated(
                claim="distance 2 at parameters 2 epsilon apart",
                cases=near_zero,
                arguments={"steps": 12},
                mutants=[
                    Mutant("away from the zero", arguments={"steps": 12, "start": Fraction(1)})
                ],
            ),
        ),
        Step(
            text=(
                "With the envelope, Lemma 1 and Proposition 5 are unchanged: their proofs know $g$ "
                "only through (C)."
            ),
            evidence=Decided(
                claim=_conclusion,
                given=(*HYPOTHESES, Use("lemma-1"), Use("prop-5")),
                mutants=[
                    Mutant("e dropped", Le(rho, lipschitz_of_loss / E * distance)),
                    Mutant("lemma 1 dropped", given=(*HYPOTHESES, Use("prop-5"))),
                    Mutant("proposition 5 dropped", given=(*HYPOTHESES, Use("lemma-1"))),
                ],
            ),
        ),
    ],
)
