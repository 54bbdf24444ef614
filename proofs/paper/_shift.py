"""What InfoNCE's 1/k adds to the DCL risk: 0 <= R - R_dcl <= log(1 + e^{2/tau}/k)."""

from __future__ import annotations

from sympy import Eq, Ge, Le, exp, log

from proofs.evidence import Averaged, Derived, Mutant
from proofs.ledger import Step
from proofs.loss import S, dcl, infonce, s_plus
from proofs.paper._tuple import loss_phi
from proofs.symbols import R, R_dcl, declare, k, tau

__all__ = [
    "RANGE",
    "definitions",
    "harmless",
    "largest",
    "loss_dcl",
    "shift_bounds",
    "shift_steps",
    "split",
]

loss_dcl = declare("loss_dcl", r"\tilde\ell(\varphi)", "DCL loss of one tuple")

#: The positive's similarity is at most 1, and exp(s/tau) >= e^{-1/tau} for every negative.
RANGE = (Le(s_plus, 1), Ge(exp(1 / tau) * S, 1))
#: A point at which the relations of `RANGE` hold.
harmless = {s_plus: 0, S: 1}
#: The two losses of one tuple.
definitions = {loss_phi: infonce(s_plus, S), loss_dcl: dcl(s_plus, S)}

largest = log(1 + exp(2 / tau) / k)
shift_bounds = (Ge(R - R_dcl, 0), Le(R - R_dcl, largest))
split = Eq(loss_phi - loss_dcl, log(1 + exp(s_plus / tau) / (k * S)))
_defined = tuple(Eq(symbol, value) for symbol, value in definitions.items())
_means = {loss_phi: R, loss_dcl: R_dcl}


def shift_steps() -> list[Step]:
    """Return the two steps that bound R - R_dcl."""
    without_k = log(1 + exp(s_plus / tau) / S)
    smaller = log(1 + exp(1 / tau) / k)
    return [
        Step(
            text=r"The two losses of a tuple differ by $\log(1 + e^{s_+/\tau}/(k\hat\mu))$.",
            evidence=Derived(
                claim=split,
                given=_defined,
                mutants=[
                    Mutant("the sign turned", Eq(loss_dcl - loss_phi, split.rhs)),
                    Mutant("k dropped", Eq(loss_phi - loss_dcl, without_k)),
                ],
            ),
        ),
        Step(
            text=(
                r"It is positive, and at most $\log(1 + e^{2/\tau}/k)$, since $s_+ \le 1$ and "
                r"$\hat\mu \ge e^{-1/\tau}$. Take means."
            ),
            evidence=Averaged(
                claim=shift_bounds,
                pointwise=(Ge(loss_phi - loss_dcl, 0), Le(loss_phi - loss_dcl, largest)),
                given=(split, *RANGE),
                means=_means,
                mutants=[
                    Mutant(
                        "e^{1/tau} for e^{2/tau}",
                        Le(R - R_dcl, smaller),
                        pointwise=Le(loss_phi - loss_dcl, smaller),
                    ),
                    Mutant("s_+ <= 1 dropped", given=(split, RANGE[1])),
                    Mutant("mu-hat >= e^{-1/tau} dropped", given=(split, RANGE[0])),
                ],
            ),
        ),
    ]
