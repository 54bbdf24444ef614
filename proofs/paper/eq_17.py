"""Equation 17: the older Lipschitz bound on the loss, with the largest move of a negative."""

from __future__ import annotations

from sympy import Abs, Eq, Expr, Integer, Le, log, sqrt

from proofs.evidence import Attack, Compared, Decided, Derived, Mutant, Use
from proofs.ledger import Constant, Statement, Step
from proofs.paper._tuple import (
    D_anchor,
    D_max,
    D_negative,
    D_positive,
    loss_other,
    loss_phi,
    small_turn,
)
from proofs.paper.eq_16 import shift, sum_other, sum_v, v_j, v_other
from proofs.paper.eq_18 import inner_1, inner_2, move_u, move_v, move_w
from proofs.paper.eq_18 import statement as eq_18
from proofs.symbols import declare, k, tau

v_top = declare("v_top", "v_i", "the exponent that moves most, under phi")
v_other_top = declare("v_other_top", "v'_i", "the same exponent under phi'")

_losses = {loss_phi: log(1 / k + sum_v / k), loss_other: log(1 / k + sum_other / k)}
_definitions = tuple(Eq(loss, value) for loss, value in _losses.items())
_pulled_out = (
    Eq(loss_phi, log(1 + sum_v) - log(k)),
    Eq(loss_other, log(1 + sum_other) - log(k)),
)
_close = Le(Abs(v_j - v_other), shift)
_reached = Eq(shift, Abs(v_top - v_other_top))
_largest = Le(D_negative, D_max)
_by_exponents = Le(Abs(loss_phi - loss_other), shift)
_moves = {move_u: D_anchor, move_v: D_positive, move_w: D_negative}
#: The two exponents as inner products of unit vectors, as in [18].
_exponents = {
    v_top: eq_18.definitions[inner_1] / tau,
    v_other_top: eq_18.definitions[inner_2] / tau,
}
_cosines = (
    *(Eq(exponent, value) for exponent, value in _exponents.items()),
    Use("eq-18", {inner_1: tau * v_top, inner_2: tau * v_other_top, **_moves}),
)


def bound(negative: Expr, square: Expr) -> Expr:
    """Return (root of `square`)/tau times the norm of the moves."""
    return sqrt(square) / tau * sqrt(D_anchor**2 + D_positive**2 + negative**2)


_one_exponent = Le(Abs(v_top - v_other_top), bound(D_negative, Integer(6)))
claim = Le(Abs(loss_phi - loss_other), bound(D_max, Integer(6)))


def search(*, seed: int, restarts: int, factor: float = 6**0.5) -> Compared:
    """Return the pair of embeddings with the largest left/right that was found."""
    from proofs.paper._pairs import root_gauge
    from proofs.paper._pairs import search as search_pairs

    return search_pairs(
        seed=seed,
        restarts=restarts,
        gauge=lambda norms, at: root_gauge(norms, at, factor),
        betas=(1.0,),
    )


statement = Statement(
    id="eq-17",
    title="Older Lipschitz bound on the loss, with a maximum over negatives",
    where="Section 4.2, [17]",
    assumptions=[
        "phi and phi' map the points to unit vectors",
        "j is any negative and i one whose exponent moves most",
    ],
    hypotheses=(_close, _reached, _largest),
    claim=claim,
    definitions={**_losses, **_exponents},
    witness={v_j: 0, v_other: 1, v_top: 0, v_other_top: 1, shift: 1, D_negative: 0, D_max: 1},
    proof=[
        Step(
            text="The loss is $\\log(1 + \\sum_j e^{-v_j})$ up to the constant $\\log k$.",
            evidence=Derived(
                claim=_pulled_out,
                given=_definitions,
                mutants=[Mutant("+ log k", Eq(loss_phi, log(1 + sum_v) + log(k)))],
            ),
        ),
        Step(
            text="So it moves by at most the largest move of an exponent, [16].",
            evidence=Decided(
                claim=_by_exponents,
                given=(*_pulled_out, _close, Use("eq-16")),
                mutants=[
                    Mutant("half the move", Le(Abs(loss_phi - loss_other), shift / 2)),
                    Mutant("[16] not used", given=_pulled_out),
                ],
            ),
        ),
        Step(
            text="An exponent is $\\langle u, v-w\\rangle/\\tau$ for three unit vectors: [18].",
            evidence=Decided(
                claim=_one_exponent,
                given=_cosines,
                mutants=[
                    Mutant(
                        "sqrt(5) for sqrt(6)",
                        Le(Abs(v_top - v_other_top), bound(D_negative, Integer(5))),
                    ),
                    Mutant("tau dropped", Le(Abs(v_top - v_other_top), tau * _one_exponent.rhs)),
                ],
            ),
        ),
        Step(
            text="The move of that negative is at most the largest.",
            evidence=Decided(
                claim=claim,
                given=(_by_exponents, _reached, _one_exponent, _largest),
                mutants=[
                    Mutant(
                        "sqrt(5) for sqrt(6)",
                        Le(Abs(loss_phi - loss_other), bound(D_max, Integer(5))),
                    ),
                    Mutant(
                        "the smallest for the largest move",
                        given=(_by_exponents, _reached, _one_exponent),
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        Attack(
            claim=claim,
            search=search,
            restarts=8,
            at_least=0.4,
            mutants=[Mutant("1 for sqrt(6)", arguments={"factor": 1.0})],
        ),
    ],
    constants=[
        Constant(
            name="eq-17-factor",
            formula=sqrt(6) / tau,
            meaning="factor of the root of ||D_a||^2 + ||D_+||^2 + max ||D_j||^2",
            where="[17]",
            looseness=small_turn(1),
        ),
    ],
)
