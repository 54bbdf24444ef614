"""Open: the best bound for two encoders in terms of how far their laws overlap."""

from __future__ import annotations

from sympy import Eq, Integer, exp

from proofs.evidence import Derived, Mutant, OnWorlds
from proofs.ledger import Statement
from proofs.sharper._two_encoders import met
from proofs.symbols import declare, tau

__all__ = ["statement"]

mu_apart = declare(
    "mu_apart",
    r"\mu(u)",
    "mean of exp(s/tau) for an anchor u and all negatives at -u",
    positive=True,
)

statement = Statement(
    id="open-two-encoders",
    title="Best bound for two encoders whose laws overlap",
    where="companion",
    assumptions=[
        "anchors are embedded by one encoder, positives and negatives by another, as in CLIP",
        "delta is the total variation distance of the laws of the anchors' and the negatives' "
        "embeddings",
    ],
    claim=(
        "For given delta, tau and k, what is the largest CE - R_dcl? At delta = 0 it is at most "
        "Gamma_k, at delta = 1 at most C* sinh^2(1/tau)/(2k)."
    ),
    definitions={mu_apart: exp(Integer(-1) / tau)},
    crosschecks=[
        Derived(
            claim=Eq(1 / mu_apart, exp(1 / tau)),
            given=(Eq(mu_apart, exp(Integer(-1) / tau)),),
            mutants=[Mutant("at most 1, as with one encoder", Eq(1 / mu_apart, 1))],
        ),
        OnWorlds(
            claim="extremal laws have at least 19/20 of the part of the bound due to delta",
            sides=met,
            mutants=[Mutant("21/20 of it", arguments={"share": 1.05})],
        ),
    ],
    remarks=(
        "The reciprocal lemma fails: with the anchor at u and the negatives at -u the mean of 1/mu "
        "is e^{1/tau}. `two-encoders` bounds the bias by Gamma_k + delta C* sinh^2(1/tau)/(2k). "
        "Its order in delta is right: negatives rarely at u and else at -u, with a share delta of "
        "extra anchors at u, come to within C* of the second term for large k and small tau. What "
        "the best function of delta is we do not know; Gamma_k may well be too large a first term."
    ),
)
