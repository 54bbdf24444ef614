"""Open: the best bound for two encoders in terms of how far their laws overlap."""

from __future__ import annotations

from sympy import Eq, Symbol, exp

from proofs.evidence import Derived, Mutant, OnWorlds
from proofs.ledger import Statement
from proofs.sharper._two_encoders import sides
from proofs.symbols import tau

_similarity = Symbol("s", real=True)
#: X = 1/mu for an anchor u and all negatives at -u, where s = -1.
_reciprocal = 1 / exp(_similarity / tau)

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
    crosschecks=[
        Derived(
            claim=Eq(_reciprocal, exp(1 / tau)),
            where=(Eq(_similarity, -1),),
            by=lambda difference: difference.subs(_similarity, -1),
            at=({_similarity: -1, tau: 1}, {_similarity: -1, tau: 2}),
            mutants=[Mutant("the reciprocal lemma for two encoders", Eq(_reciprocal, 1))],
        ),
        OnWorlds(
            claim="CE - R_dcl <= Gamma_k + delta C* sinh^2(1/tau)/(2k) on pairs of laws",
            sides=sides,
            mutants=[Mutant("half the bound", arguments={"scale": 0.5})],
        ),
    ],
    remarks=(
        "The reciprocal lemma fails: with the anchor at u and the negatives at -u the mean of 1/mu "
        "is e^{1/tau}. What is known: per anchor the gap is at most Gamma_k/mu and at most "
        "C* sinh^2(1/tau)/(2k). Split the anchors' law into what it shares with the negatives' "
        "law, to which the reciprocal lemma applies, and the rest, of mass delta: so "
        "CE - R_dcl <= Gamma_k + delta C* sinh^2(1/tau)/(2k). The order in delta is right: "
        "negatives rarely at u and else at -u, with a share delta of extra anchors at u, come to "
        "within C* of the second term for large k and small tau. Open is the best function of "
        "delta."
    ),
)
