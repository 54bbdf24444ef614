"""Eq. 8: temperature as a regulariser, the softmax kernel lies within e^{2/tau} of pi."""

from __future__ import annotations

from fractions import Fraction

from sympy import Eq, Expr, Ge, Integer, Le, Rational, exp

from proofs.evidence import Averaged, Case, Decided, Enumerated, Mutant
from proofs.ledger import Constant, Statement, Step
from proofs.paper._second_order import Y, mu
from proofs.symbols import declare, tau

inside = declare("inside", r"1_A", "indicator of the set A at a negative", nonnegative=True)
pi_A = declare("pi_A", r"\pi(A)", "probability of a measurable set A", nonnegative=True)
I_A = declare(
    "I_A", r"\int_A e^{s(z,z')/\tau}\pi(dz')", "integral of exp(s/tau) over A", nonnegative=True
)
Q_A = declare("Q_A", r"Q(z,A)", "softmax kernel at z of the set A", nonnegative=True)

low, high = exp(-1 / tau), exp(1 / tau)
kernel = Eq(Q_A * mu, I_A)
hypotheses = (Ge(Y, low), Le(Y, high), Ge(mu, low), Le(mu, high), kernel)
claim = (Ge(Q_A, exp(-2 / tau) * pi_A), Le(Q_A, exp(2 / tau) * pi_A))


def _on_set(bound: Expr, upper: bool) -> Averaged:
    sign = Le if upper else Ge
    return Averaged(
        claim=sign(I_A, bound * pi_A),
        pointwise=sign(Y * inside, bound * inside),
        given=hypotheses[:2],
        means={Y * inside: I_A, inside: pi_A},
        mutants=[
            Mutant("1 for e^{1/tau}", sign(I_A, pi_A), pointwise=sign(Y * inside, inside)),
        ],
    )


def _cases(power: int = 2) -> list[Case]:
    """Compare exactly on three atoms whose exponentials are rational: e^{1/tau} = E."""
    cases = []
    for e in (Fraction(3, 2), Fraction(4), Fraction(100)):
        for pi in ((1, 1, 1), (1, 5, 2), (1, 0, 97)):
            weights = [Fraction(w, sum(pi)) for w in pi]
            values = [e, Fraction(1), 1 / e]
            mean = sum(w * v for w, v in zip(weights, values, strict=True))
            for i in range(3):
                q = weights[i] * values[i] / mean
                label = f"e^(1/tau) = {e}, pi = {pi}, atom {i + 1}"
                cases.append(Case(label, q, "<=", e**power * weights[i]))
                cases.append(Case(label, weights[i] / e**power, "<=", q))
    return cases


statement = Statement(
    id="eq-8",
    title="Temperature as a regulariser of the softmax kernel",
    where="Section 3.1, (8)",
    assumptions=["phi has unit norm, so that every similarity s lies in [-1, 1]; Y = exp(s/tau)"],
    hypotheses=hypotheses,
    claim=claim,
    definitions={
        Y: "exp(s(z, z')/tau), z' ~ pi",
        mu: "E Y, the normaliser mu(z)",
        Q_A: "I_A/mu(z)",
    },
    witness={Y: 1, mu: 1, tau: 1, Q_A: Rational(1, 2), I_A: Rational(1, 2)},
    proof=[
        Step(
            text="On $A$, $e^{s/\\tau} \\le e^{1/\\tau}$; integrate over $A$.",
            evidence=_on_set(high, True),
        ),
        Step(
            text="On $A$, $e^{s/\\tau} \\ge e^{-1/\\tau}$; integrate over $A$.",
            evidence=_on_set(low, False),
        ),
        Step(
            text="Divide by the normaliser, which lies in $[e^{-1/\\tau}, e^{1/\\tau}]$ as well.",
            evidence=Decided(
                claim=claim,
                given=(*hypotheses[2:], Le(I_A, high * pi_A), Ge(I_A, low * pi_A)),
                mutants=[
                    Mutant("e^{1/tau} above", Le(Q_A, exp(1 / tau) * pi_A)),
                    Mutant("e^{-1/tau} below", Ge(Q_A, exp(-1 / tau) * pi_A)),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim="eq. 8 on three atoms",
            cases=_cases,
            mutants=[Mutant("e^{1/tau} for e^{2/tau}", arguments={"power": 1})],
        )
    ],
    constants=[
        Constant(
            name="eq-8-exponent",
            formula=Integer(2),
            meaning="the 2 of exp(2/tau)",
            where="(8)",
        ),
        Constant(
            name="eq-8-factor",
            formula=exp(2 / tau),
            meaning="largest ratio of Q(z, A) to pi(A)",
            where="(8)",
        ),
    ],
)
