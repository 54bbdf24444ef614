"""The loss difference as one slope on the chord between two embeddings: shared first steps.

Throughout, f of lemma 6 is a point (1-c) phi' + c phi of the chord and eta is phi - phi'.
"""

from __future__ import annotations

from typing import Any

from sympy import Abs, Eq, Expr, Ge, Integer, Le, Rational, Symbol, exp

from proofs.evidence import Cited, Decided, Derived, Mutant, Use
from proofs.gateaux import Dot, Embedding
from proofs.ledger import Step
from proofs.paper._tuple import loss_other, loss_phi
from proofs.paper.lemma_6 import G_eta, G_f, H, eta, f, slope_loss, x, y
from proofs.paper.lemma_8 import norm_f_anchor, norm_f_negative
from proofs.symbols import declare, k, tau

__all__ = [
    "DEFINITIONS",
    "MEAN_VALUE",
    "SMALL",
    "chord_steps",
    "norm_G_f",
    "norm_f_positive",
    "slope_bound",
    "slope_step",
    "term",
]

chord = declare("chord", "c", "position on the chord between two embeddings, in [0, 1]")
norm_f_positive = declare(
    "norm_f_positive", r"\Vert f(y)\Vert", "norm of f at the positive", nonnegative=True
)
norm_G_f = declare(
    "norm_G_f", r"\Vert G(f,f)\Vert", "norm of the softmax average of f", nonnegative=True
)
_phi, _other = Embedding("phi"), Embedding("phi'")
_at = {"a": Symbol("a"), "+": Symbol("+"), "j": Symbol("j")}
_norms = {"a": norm_f_anchor, "+": norm_f_positive, "j": norm_f_negative}
_cosines = {
    where: declare(
        f"cosine_{name}", rf"\cos\theta_{{{where}}}", f"<phi, phi'> at the {name}", real=True
    )
    for where, name in (("a", "anchor"), ("+", "positive"), ("j", "negative"))
}


def _on_chord(point: Symbol) -> Expr:
    return (1 - chord) * _other(point) + chord * _phi(point)


#: <D_a, G(f,f) - f(z_+)> + <f(z_a), G(f,D) - D_+>: tau times the slope of H.
term = Dot(eta(x), G_f - f(y)) + Dot(f(x), G_eta - eta(y))

_squares = {_norms[p] ** 2: Dot(_on_chord(z), _on_chord(z)) for p, z in _at.items()}
_unit: dict[Any, Any] = {Dot(g(z), g(z)): Integer(1) for g in (_phi, _other) for z in _at.values()}
_unit |= {Dot(_phi(z), _other(z)): _cosines[p] for p, z in _at.items()}
DEFINITIONS = {**_squares, **_unit}

_lengths = tuple(
    Eq(_norms[p] ** 2, (1 - chord) ** 2 + 2 * chord * (1 - chord) * _cosines[p] + chord**2)
    for p in _at
)
_on_segment = (Ge(chord, 0), Le(chord, 1))
_cosine_range = tuple(Le(_cosines[p], 1) for p in _at)
#: The difference of the losses is the slope at f along eta.
MEAN_VALUE = Eq(loss_phi - loss_other, slope_loss)
#: f lies in the unit ball at the anchor, the positive and the negatives, and so does G(f, f).
SMALL = (*(Le(norm, 1) for norm in _norms.values()), Le(norm_G_f, 1))


def slope_bound(weight: Expr = Integer(1)) -> Le:  # noqa: B008 - an immutable number
    """Return the relation |loss difference| <= weight |<D_a, ..> + <f(z_a), ..>|/tau."""
    return Le(Abs(loss_phi - loss_other), weight * Abs(term) / tau)


def chord_steps() -> list[Step]:
    """Return the steps that lead to `MEAN_VALUE` and `SMALL`."""
    return [
        Step(
            text=(
                "By the mean value theorem the difference of the losses is the slope at some "
                "$f = (1-c)\\varphi' + c\\varphi$, in the direction $\\eta = \\varphi-\\varphi'$."
            ),
            evidence=Cited(source="mean value theorem", claim=(MEAN_VALUE, *_on_segment)),
        ),
        Step(
            text="Squared norms on the chord of two unit vectors ...",
            evidence=Derived(
                claim=_lengths,
                given=tuple(Eq(a, b) for a, b in (*_squares.items(), *_unit.items())),
                mutants=[
                    Mutant(
                        "the cross term once, not twice",
                        Eq(
                            norm_f_anchor**2,
                            _lengths[0].rhs - chord * (1 - chord) * _cosines["a"],
                        ),
                    ),
                ],
            ),
        ),
        Step(
            text="... whose cosine is at most 1 ...",
            evidence=Cited(source="Cauchy-Schwarz inequality", claim=_cosine_range),
        ),
        Step(
            text="... are at most 1: the unit ball is convex.",
            evidence=Decided(
                claim=SMALL[:3],
                given=(*_lengths, *_cosine_range, *_on_segment),
                mutants=[
                    Mutant("the ball of radius 9/10", Le(norm_f_anchor, Rational(9, 10))),
                    Mutant("f beyond the ends of the chord", given=(*_lengths, *_cosine_range)),
                ],
            ),
        ),
        Step(
            text="The softmax average $G(f, f)$ of vectors of the unit ball lies in it as well.",
            evidence=Cited(source="triangle inequality", claim=SMALL[3]),
        ),
    ]


def slope_step() -> Step:
    """Return the step to `slope_bound()` with weight 1."""
    return Step(
        text=(
            "By lemma 6 the slope is $\\tfrac1\\tau\\, e^H/(1/k + e^H)$ times a sum of two inner "
            "products, and that weight is below 1."
        ),
        evidence=Decided(
            claim=slope_bound(),
            given=(MEAN_VALUE, Use("lemma-6")),
            mutants=[
                Mutant("9/10 for 1", slope_bound(Rational(9, 10))),
                Mutant("1 - the weight for the weight", slope_bound(1 / (1 + k * exp(H)))),
            ],
        ),
    )
