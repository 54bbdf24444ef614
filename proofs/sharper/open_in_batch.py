"""Open: in-batch negatives, which are the other positives of a batch, and so dependent."""

from __future__ import annotations

from sympy import Ge, Le

from proofs.evidence import Averaged, Enumerated, Mutant, OnWorlds
from proofs.ledger import Statement
from proofs.paper._scaled_class import ell
from proofs.paper.lemma_5 import LOSS_MIN
from proofs.sharper._batches import law_cases, variances
from proofs.sharper.prop_3_sharp import loss_range
from proofs.symbols import declare

__all__ = ["statement"]

ell_batch = declare("ell_batch", r"\bar\ell", "mean of the losses of one batch, in nats")

statement = Statement(
    id="open-in-batch",
    title="In-batch negatives: do n batches of B pairs count as n B tuples?",
    where="companion",
    assumptions=[
        "a batch is B = k + 1 independent pairs (anchor, positive); the negatives of a pair are "
        "the positives of the others; the n batches are independent",
    ],
    claim=(
        "Do Proposition 3 and Theorem 1 hold for in-batch negatives with the number n B of pairs "
        "in the place of n, up to a factor that does not depend on B?"
    ),
    crosschecks=[
        Enumerated(
            claim="each tuple of a batch has the law of a tuple with negatives from pi M",
            cases=law_cases,
            mutants=[Mutant("negatives from pi", arguments={"from_pi": True})],
        ),
        Averaged(
            claim=(Ge(ell_batch, LOSS_MIN), Le(ell_batch, LOSS_MIN + loss_range)),
            pointwise=(Ge(ell, LOSS_MIN), Le(ell, LOSS_MIN + loss_range)),
            where=(Ge(ell, LOSS_MIN), Le(ell, LOSS_MIN + loss_range)),
            means={ell: ell_batch},
            mutants=[
                Mutant(
                    "half the range",
                    (Ge(ell_batch, LOSS_MIN), Le(ell_batch, LOSS_MIN + loss_range / 2)),
                )
            ],
        ),
        OnWorlds(
            claim="a batch's loss varies at most twice as much as the mean of B independent ones",
            sides=variances,
            arguments={"bound": 2.0},
            mutants=[Mutant("half as much again", arguments={"bound": 1.5})],
        ),
    ],
    remarks=(
        "What holds: the mean of a batch's loss is R with negatives drawn from pi M, the law of "
        "the positives, so where pi is M-invariant everything said of bias stands; and the loss "
        "of a batch has the range of one loss, so that `prop-3-sharp` holds with n the number of "
        "batches. What is open is the gain of averaging within a batch, for a class: the losses of "
        "one batch share all their positives. On the worlds enumerated the variance of a batch's "
        "loss is between half and twice that of the mean of B independent losses."
    ),
)
