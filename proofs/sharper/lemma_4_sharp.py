"""Lemma 4 with log cosh(1/tau) for 2/tau: attained by an antipodal pair and one negative."""

from __future__ import annotations

from fractions import Fraction

from sympy import (
    Derivative,
    Eq,
    Expr,
    Ge,
    Integer,
    Le,
    Lt,
    Subs,
    Symbol,
    cosh,
    exp,
    expand_log,
    log,
    simplify,
    sinh,
)

from proofs.evidence import (
    Attack,
    Averaged,
    Cited,
    Compared,
    Decided,
    Derived,
    Mutant,
    OnWorlds,
)
from proofs.gateaux import Atoms, Dot, Embedding
from proofs.ledger import Constant, Statement, Step
from proofs.measure import largest_ratio, sides
from proofs.paper._second_order import Y, b, mu, mu_hat
from proofs.paper.eq_11 import _of_dcl
from proofs.sharper._gap import HALF_WIDTH, cosh_step
from proofs.sharper._pairs_of_anchors import phi, point, vanishes
from proofs.symbols import CE, Mean, R_dcl, declare, tau

s_minus = declare("s_minus", "s_{-}", "similarity of an anchor and a negative, in [-1, 1]")
s_bar = declare("s_bar", r"\bar s", "mean of s_- given the anchor")
s_hat = declare("s_hat", r"\hat s", "average of the k similarities s_j of a tuple")

upper = log(cosh(1 / tau))
claim = (Le(CE - R_dcl, upper), Lt(upper, 1 / tau))

#: The mean of phi under pi, and its squared length.
mean_phi = Embedding("phi_pi")(Symbol("pi"))
_length = Dot(mean_phi, mean_phi)
_once, _again = Atoms(index=Symbol("i", integer=True, positive=True)), Atoms()
_pairs = _once.integral(lambda x: _again.integral(lambda y: Dot(phi(x), phi(y))))
_vector = Dot(_once.integral(phi), _again.integral(phi))

_ch, _sh = cosh(1 / tau), sinh(1 / tau)
_positive = Mean(-log(b))
_am_gm = Ge(log(mu_hat), s_hat / tau)
_risk = Ge(R_dcl + _positive, _length / tau)
_chord = Le(Y, _ch + s_minus * _sh)
_mu_chord = Le(mu, _ch + s_bar * _sh)
_A = _ch + _length * _sh
_quotients = (
    Eq(log(mu / _A), log(mu) - log(_A)),
    Eq(log(_A / _ch), log(_A) - log(_ch)),
)
_limit = Le(CE + _positive, log(_A))
_x = Symbol("x", real=True)
_rise = _x * cosh(_x) - sinh(_x)
_tanh = Le(_sh, _ch / tau)
_concave = Le(log(_A) - _length / tau, upper)


def _pair_bias(first: Expr, second: Expr) -> Expr:
    """Return CE - R_dcl at k = 1 where Y takes two values with probability 1/2 each."""
    return log((first + second) / 2) - (log(first) + log(second)) / 2


def _by_logs(expression: Expr) -> Expr:
    return simplify(expand_log(expression, force=True))


def _attack(*, seed: int, restarts: int, scale: float = 1.0) -> Compared:
    import numpy as np

    from proofs.sharper._finite_search import dcl_bias, search

    return search(
        seed=seed,
        restarts=restarts,
        quantity=dcl_bias,
        bound=lambda at: scale * float(np.log(np.cosh(at.t))),
        taus=(0.3, 3.0),
        ks=(1, 2, 64),
    )


_arguments = {"left": _of_dcl, "right": upper, "loss": "dcl"}

statement = Statement(
    id="lemma-4-sharp",
    title="The DCL risk is within log cosh(1/tau) of the cross-entropy for every k",
    where="companion",
    assumptions=[
        "phi has unit norm; anchors and negatives share pi and phi, and are independent",
        "Y = exp(s(a, z)/tau) for z ~ pi; b = exp(-s(a, +)/tau)",
    ],
    claim=claim,
    definitions={
        b: "exp(-s(a, +)/tau)",
        mu: "E Y given the anchor",
        mu_hat: "the average of exp(s_j/tau) over the k negatives of a tuple",
        _length: "the squared length of the mean of phi under pi",
    },
    proof=[
        Step(
            text=r"The log of an average is at least the average of the logs, here $s_j/\tau$.",
            evidence=Cited(source="inequality of arithmetic and geometric means", claim=_am_gm),
        ),
        Step(
            text=(
                r"Anchor and negative are independent with the same law, so $s$ has the mean "
                r"$\Vert\int\varphi\,d\pi\Vert^2$ (any number of atoms; in general, integrals)."
            ),
            evidence=Derived(
                claim=Eq(_pairs, _vector, evaluate=False),
                by=vanishes,
                at=(point,),
                mutants=[
                    Mutant(
                        "each point with itself",
                        Eq(_once.integral(lambda x: Dot(phi(x), phi(x))), _vector),
                    )
                ],
            ),
        ),
        Step(
            text=r"Mean over tuples: $\log\hat\mu$ exceeds the DCL loss by $s_+/\tau$.",
            evidence=Averaged(
                claim=_risk,
                pointwise=_am_gm,
                given=(_am_gm,),
                means={log(mu_hat): R_dcl + _positive, s_hat: _length},
                mutants=[Mutant("twice that", Ge(R_dcl + _positive, 2 * _length / tau))],
            ),
        ),
        Step(
            text=r"The exponential lies below its chord on $[-1, 1]$.",
            evidence=Cited(source="convexity of the exponential", claim=_chord),
        ),
        Step(
            text="Mean over the negative, given the anchor.",
            evidence=Averaged(
                claim=_mu_chord,
                pointwise=_chord,
                given=(_chord,),
                means={Y: mu, s_minus: s_bar},
                mutants=[Mutant("cosh alone", Le(mu, _ch))],
            ),
        ),
        Step(
            text=r"With $A = \cosh(1/\tau) + \Vert\int\varphi\,d\pi\Vert^2 \sinh(1/\tau)$:",
            evidence=Derived(
                claim=_quotients,
                by=lambda e: expand_log(e, force=True),
                mutants=[Mutant("the sum", Eq(log(mu / _A), log(mu) + log(_A)))],
            ),
        ),
        Step(
            text=(
                r"Jensen: $\log\mu \le \log A + \mu/A - 1$; over the anchors $\bar s$ has the same "
                r"mean, so that the last terms cancel."
            ),
            evidence=Averaged(
                claim=_limit,
                pointwise=Le(log(mu), log(_A) + (_ch + s_bar * _sh) / _A - 1),
                given=(_mu_chord, _quotients[0]),
                means={log(mu): CE + _positive, s_bar: _length},
                mutants=[
                    Mutant("log cosh for log A", Le(CE + _positive, log(_ch))),
                    Mutant("the chord not used", given=_quotients[:1]),
                ],
            ),
        ),
        Step(
            text=r"$x\cosh x - \sinh x$ vanishes at 0 and has the derivative $x \sinh x$ ...",
            evidence=Derived(
                claim=(
                    Eq(Derivative(_rise, _x), _x * sinh(_x)),
                    Eq(Subs(_rise, _x, 0), 0),
                ),
                mutants=[Mutant("cosh for sinh", Eq(Derivative(_rise, _x), _x * cosh(_x)))],
            ),
        ),
        Step(
            text=r"... so $\tanh(1/\tau) \le 1/\tau$.",
            evidence=Cited(source="mean value theorem (monotone functions)", claim=_tanh),
        ),
        Step(
            text=(
                r"Hence $\log A - \log\cosh(1/\tau)$ is at most $\Vert\int\varphi\,d\pi\Vert^2 "
                r"\tanh(1/\tau) \le \Vert\int\varphi\,d\pi\Vert^2/\tau$."
            ),
            evidence=Decided(
                claim=_concave,
                given=(_quotients[1], _tanh),
                mutants=[
                    Mutant("half the square", Le(log(_A) - _length / (2 * tau), upper)),
                    Mutant("tanh x <= x dropped", given=_quotients[1:]),
                ],
            ),
        ),
        cosh_step(),
        Step(
            text=r"Together; and $\cosh x < e^x$ for $x > 0$.",
            evidence=Decided(
                claim=claim,
                given=(_risk, _limit, _concave, Eq(cosh(1 / tau), HALF_WIDTH + 1)),
                mutants=[
                    Mutant("half of it", Le(CE - R_dcl, upper / 2)),
                    Mutant("1/(2 tau)", Lt(upper, 1 / (2 * tau))),
                    Mutant("the mean similarity not used", given=(_limit, _concave)),
                ],
            ),
        ),
    ],
    tight=True,
    attained=Derived(
        claim=Eq(_pair_bias(exp(1 / tau), exp(-1 / tau)), upper, evaluate=False),
        by=lambda e: _by_logs(e.rewrite(exp)),
        mutants=[Mutant("an orthogonal pair", Eq(_pair_bias(exp(1 / tau), Integer(1)), upper))],
    ),
    crosschecks=[
        OnWorlds(
            claim=claim[0],
            sides=sides,
            arguments=_arguments,
            mutants=[Mutant("0.9 of it", arguments={**_arguments, "scale": Fraction(9, 10)})],
        ),
        Attack(
            claim=claim[0],
            search=_attack,
            restarts=4,
            at_least=0.9,
            mutants=[Mutant("0.9 of it", arguments={"scale": 0.9})],
        ),
    ],
    constants=[
        Constant(
            name="lemma-4-sharp-upper",
            sharpens="lemma-4-upper",
            formula=upper,
            printed=False,
            meaning="upper bound on CE - R of DCL for every k, in nats; attained at k = 1",
            where="lemma-4-sharp",
            looseness=largest_ratio(_of_dcl, upper, "dcl"),
        ),
        Constant(
            name="lemma-4-sharp-one",
            sharpens="lemma-4-two",
            formula=Integer(1),
            printed=False,
            meaning="the 1 of 1/tau, in nats times tau; 2 in print",
            where="lemma-4-sharp",
        ),
    ],
)
