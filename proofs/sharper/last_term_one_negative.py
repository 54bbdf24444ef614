"""With one negative the largest R - R_dcl is known: an antipodal pair reaches it."""

from __future__ import annotations

from sympy import (
    Derivative,
    Eq,
    Gt,
    Integer,
    Le,
    Subs,
    Symbol,
    exp,
    log,
)

from proofs.evidence import Attack, Averaged, Cited, Compared, Decided, Derived, Mutant
from proofs.ledger import Constant, Statement, Step
from proofs.loss import S, dcl, infonce, s_plus
from proofs.paper._shift import loss_dcl
from proofs.paper._tuple import loss_phi
from proofs.symbols import R, R_dcl, declare, e_tau, tau

__all__ = ["statement"]

x = Symbol("x", real=True)
s_one = declare("last_s_one", "s", "similarity of the anchor and the only negative")
squared = declare(
    "last_squared", r"\Vert\mathbb{E}\varphi\Vert^2", "squared length of the mean", nonnegative=True
)

_q = exp(2 / tau)
bound = (log(2) + log(1 + _q)) / 2
_definitions = {loss_phi: infonce(s_plus, S, tau, Integer(1)), loss_dcl: dcl(s_plus, S)}
_defined = tuple(Eq(symbol, value) for symbol, value in _definitions.items())
_softplus = log(1 + exp(1 / tau - s_one / tau))
_split = Eq(loss_phi - loss_dcl, log(1 + exp(s_plus / tau) / S))
_sigmoid = exp(x) / (1 + exp(x))
_curvature = Eq(Derivative(log(1 + exp(x)), x, 2), _sigmoid * (1 - _sigmoid))
_convex = Gt(_sigmoid * (1 - _sigmoid), 0)
_chord = Le(_softplus, (1 + s_one) / 2 * log(2) + (1 - s_one) / 2 * log(1 + _q))
_own = Eq(S, exp(s_one / tau))
_averaged = Le(R - R_dcl, (1 + squared) / 2 * log(2) + (1 - squared) / 2 * log(1 + _q))
_pointwise = Le(loss_phi - loss_dcl, (1 + s_one) / 2 * log(2) + (1 - s_one) / 2 * log(1 + _q))
claim = Le(R - R_dcl, bound)


def _attack(*, seed: int, restarts: int, scale: float = 1.0) -> Compared:
    import numpy as np

    from proofs.sharper._finite_search import search
    from proofs.sharper._last_term_search import difference

    return search(
        seed=seed,
        restarts=restarts,
        quantity=difference,
        bound=lambda at: scale * float(np.log(2) + np.log1p(np.exp(2 * at.t))) / 2,
        taus=(0.2, 5.0),
        atoms=8,
        ks=(1,),
    )


statement = Statement(
    id="last-term-one-negative",
    title="With one negative the largest R - R_dcl is (log 2 + log(1 + e^{2/tau}))/2",
    where="companion",
    assumptions=[
        "k = 1; phi has unit norm; the anchor and the negative are independent with law pi",
    ],
    hypotheses=(Le(s_plus, 1),),
    claim=claim,
    definitions={**_definitions, S: exp(s_one / tau)},
    witness={s_plus: 0},
    proof=[
        Step(
            text=r"The losses of a tuple differ by $\log(1 + e^{s_+/\tau} e^{-s/\tau})$.",
            evidence=Derived(
                claim=_split,
                given=_defined,
                mutants=[Mutant("the sign turned", Eq(loss_dcl - loss_phi, _split.rhs))],
            ),
        ),
        Step(
            text=(
                r"The second derivative of $\log(1 + e^x)$ is $\sigma(1-\sigma)$, $\sigma = "
                "e^x/(1+e^x)$,"
            ),
            evidence=Derived(
                claim=_curvature,
                mutants=[Mutant("sigma", Eq(_curvature.lhs, _sigmoid))],
            ),
        ),
        Step(
            text="which is positive:",
            evidence=Decided(
                claim=_convex,
                mutants=[Mutant("sigma (1 - 2 sigma)", Gt(_sigmoid * (1 - 2 * _sigmoid), 0))],
            ),
        ),
        Step(
            text=(
                "so as a function of $s$ the difference lies below its chord from $s = 1$ to $-1$."
            ),
            evidence=Cited(source="A convex function lies below its chords", claim=_chord),
        ),
        Step(
            text=r"With $s_+ \le 1$ the difference is below the chord.",
            evidence=Decided(
                claim=_pointwise,
                given=(_split, _own, Le(s_plus, 1), _chord),
                mutants=[
                    Mutant("s_+ <= 1 dropped", given=(_split, _own, _chord)),
                    Mutant("the chord dropped", given=(_split, _own, Le(s_plus, 1))),
                ],
            ),
        ),
        Step(
            text=(
                r"Take means: anchor and negative are independent with the same law, so "
                r"$\mathbb{E}s = \Vert\mathbb{E}\varphi\Vert^2$."
            ),
            evidence=Averaged(
                claim=_averaged,
                pointwise=_pointwise,
                given=(_pointwise,),
                means={loss_phi: R, loss_dcl: R_dcl, s_one: squared},
                mutants=[Mutant("E s = 1", Le(R - R_dcl, log(2)))],
            ),
        ),
        Step(
            text=r"This is not negative, and $\log 2 < \log(1 + e^{2/\tau})$.",
            evidence=Decided(
                claim=claim,
                given=(_averaged,),
                mutants=[
                    Mutant("9/10 of it", Le(R - R_dcl, bound * 9 / 10)),
                    Mutant("log 2", Le(R - R_dcl, log(2))),
                ],
            ),
        ),
    ],
    tight=True,
    attained=Derived(
        claim=Eq(sum(Subs(log(1 + e_tau / S), S, end) / 2 for end in (e_tau, 1 / e_tau)), bound),
        mutants=[
            Mutant(
                ("two orthogonal points"),
                Eq(log(1 + e_tau / e_tau) / 2 + log(1 + e_tau) / 2, bound),
            )
        ],
    ),
    crosschecks=[
        Attack(
            claim=claim,
            search=_attack,
            restarts=2,
            at_least=0.999,
            mutants=[Mutant("9/10 of it", arguments={"scale": 0.9})],
        ),
    ],
    constants=[
        Constant(
            name="last-term-one-negative-bound",
            formula=bound,
            printed=False,
            meaning="largest R - R_dcl at k = 1, in nats; reached by an antipodal pair",
            where="last-term-one-negative",
            looseness=lambda tau, k: 1.0,
        ),
    ],
    remarks=(
        "It is reached by two opposite points of equal probability with positives at their "
        "anchors: half of the negatives coincide with the anchor, half are opposite."
    ),
)
