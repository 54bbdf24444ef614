"""Proposition 3 in one application of McDiarmid's inequality, with the exact range of the loss."""

from __future__ import annotations

import math
from fractions import Fraction

from sympy import (
    Eq,
    Expr,
    Integer,
    Le,
    Subs,
    Symbol,
    log,
    sqrt,
)

from proofs.evidence import (
    Averaged,
    Cited,
    Decided,
    Derived,
    Enumerated,
    Mutant,
)
from proofs.evidence.supremum import Supremum
from proofs.ledger import Constant, Statement, Step
from proofs.paper._coverage import crosschecks
from proofs.paper._scaled_class import MEASURABLE, ell
from proofs.paper.lemma_5 import (
    LOSS_MAX,
    LOSS_MIN,
    LOSS_RANGE,
    combine,
    loss,
    one_embedding,
    other,
    other_embedding,
)
from proofs.paper.lemma_5 import statement as lemma_5
from proofs.sharper._small_tables import attained_case, sensitivity_cases
from proofs.symbols import Mean, R, R_hat, Rad_n, declare, delta, n, tau

__all__ = ["DEVIATION_SHARP", "deviation_sharp", "loss_range", "statement", "sup_gap"]

loss_range = declare(
    "loss_range", r"\Delta_k", "exact range of the InfoNCE loss at k, in nats", positive=True
)
ell_new = declare("ell_new", r"\ell'", "loss of the tuple that replaces another, in nats")
sup_gap = declare("sup_gap", r"\sup(R-\hat R_n)", "supremum over the class of R - R_hat")
sup_gap_new = declare(
    "sup_gap_new", r"\sup(R-\hat R_n')", "the same after one tuple has been replaced"
)
Rad_new = declare(
    "Rad_new",
    r"\widehat{\mathrm{Rad}}{}_n'",
    "empirical Rademacher complexity after one tuple has been replaced",
    nonnegative=True,
)
rest = declare("rest_of_the_sum", r"\Sigma", "sum of sign times loss over the other n - 1 tuples")
sup_rest = declare("sup_rest", r"\sup\Sigma", "supremum over the class of that sum")
sup_plus = declare("sup_plus", r"\sup(\Sigma+\ell)", "the same with the tuple's loss added")
sup_minus = declare("sup_minus", r"\sup(\Sigma-\ell)", "the same with the tuple's loss subtracted")
sup_plus_new = declare("sup_plus_new", r"\sup(\Sigma+\ell')", "the same for the new tuple")
sup_minus_new = declare("sup_minus_new", r"\sup(\Sigma-\ell')", "the same for the new tuple")
half_sum = declare("half_sum", "T", "mean of the two suprema over the sign of one tuple")
half_sum_new = declare("half_sum_new", "T'", "the same for the new tuple")

#: What replaces (12/tau) sqrt(log(2/delta)/(2n)), in nats.
DEVIATION_SHARP = 2 * loss_range * sqrt(log(1 / delta) / (2 * n))


def deviation_sharp(tau: float, k: int, n: int, delta: float) -> float:
    """Return 2 Delta_k sqrt(log(1/delta)/(2n)) in nats.

    >>> round(deviation_sharp(0.5, 1, 1000, 0.05), 6)
    0.309618
    """
    upper = float(max(0.0, math.log(k) + 2 / tau))
    top = upper + math.log1p(math.exp(min(0.0, math.log(k) + 2 / tau) - upper))
    width = top - math.log1p(k * math.exp(-2 / tau))
    return 2 * width * math.sqrt(math.log(1 / delta) / (2 * n))


_width = Eq(LOSS_MAX - LOSS_MIN, loss_range)
_definitions = (Eq(ell, loss), Eq(ell_new, other))
_low, _high = LOSS_MIN, LOSS_MIN + loss_range
_range = (Le(_low, ell), Le(ell, _high), Le(_low, ell_new), Le(ell_new, _high))
_halves = (
    Eq(half_sum, (sup_plus + sup_minus) / 2),
    Eq(half_sum_new, (sup_plus_new + sup_minus_new) / 2),
)
_gap = Le(sup_gap_new, sup_gap + loss_range / n)
_two_signs = (
    Le(sup_plus, sup_rest + _high),
    Le(sup_minus, sup_rest - _low),
    Le(2 * sup_rest, sup_plus_new + sup_minus_new),
)
_half = Le(half_sum, half_sum_new + loss_range / 2)
_rad = Le(n * Rad_n, n * Rad_new + loss_range / 2)
_bounded = Le(sup_gap_new - 2 * Rad_new - (sup_gap - 2 * Rad_n), 2 * loss_range / n)
_symmetrised = Le(Mean(sup_gap), 2 * Mean(Rad_n))


_move = Symbol("c", positive=True)


def _mcdiarmid(move: Expr) -> Expr:
    """Return the deviation of a function of n tuples that one of them moves by at most `move`."""
    return sqrt(n * move**2 * log(1 / delta) / 2)


_moves = (
    Eq(Subs(_mcdiarmid(_move), _move, 2 * loss_range / n), DEVIATION_SHARP),
    Eq(Subs(_mcdiarmid(_move), _move, loss_range / n), DEVIATION_SHARP / 2),
)
_concentrated = (
    Le(sup_gap - 2 * Rad_n, Mean(sup_gap) - 2 * Mean(Rad_n) + _mcdiarmid(2 * loss_range / n)),
    Le(sup_gap, Mean(sup_gap) + _mcdiarmid(loss_range / n)),
)
_shorter = Le(loss_range, 4 / tau)
_largest = Le(R - R_hat, sup_gap)
claim = (
    Le(R, R_hat + 2 * Rad_n + DEVIATION_SHARP),
    Le(R, R_hat + 2 * Mean(Rad_n) + DEVIATION_SHARP / 2),
    _shorter,
)

statement = Statement(
    id="prop-3-sharp",
    title="Generalisation with the exact range of the loss and one deviation",
    where="companion",
    assumptions=[
        "(A): the n tuples are iid; the embeddings map to unit vectors",
        MEASURABLE,
        "each of the two bounds holds with probability at least 1 - delta, for all embeddings at "
        "once; 0 < delta < 1",
    ],
    hypotheses=(*lemma_5.hypotheses, _largest),
    claim=claim,
    definitions={
        loss_range: LOSS_RANGE,
        ell: loss,
        ell_new: other,
        half_sum: (sup_plus + sup_minus) / 2,
        half_sum_new: (sup_plus_new + sup_minus_new) / 2,
        sup_gap: "supremum over the class of R - R_hat",
    },
    witness={**lemma_5.witness, R: 0, R_hat: 0, sup_gap: 0},
    remarks=(
        "The printed proof pays for two concentrations, of sup(R - R_hat) and of the empirical "
        "complexity: 3 times the range 4/tau, with delta/2 for each. Their difference has bounded "
        "differences of its own, 2/n times the range, and mean at most 0."
    ),
    proof=[
        Step(
            text="The two extreme values of lemma 5 differ by $\\Delta_k$.",
            evidence=Derived(
                claim=_width,
                given=(Eq(loss_range, LOSS_RANGE),),
                by=combine,
                mutants=[Mutant("k + 1 for k", Eq(LOSS_MAX - LOSS_MIN, log(2) + loss_range))],
            ),
        ),
        Step(
            text="So every loss lies in one interval of that length, at most $4/\\tau$,",
            evidence=Decided(
                claim=(*_range[:2], _shorter),
                given=(*one_embedding(), _definitions[0], _width),
                mutants=[
                    Mutant("half the length", Le(ell, LOSS_MIN + loss_range / 2)),
                    Mutant("3/tau", Le(loss_range, 3 / tau)),
                ],
            ),
        ),
        Step(
            text="that of a tuple which replaces another included.",
            evidence=Decided(
                claim=_range[2:],
                given=(
                    *other_embedding(),
                    _definitions[1],
                    _width,
                ),
                mutants=[Mutant("half the length", Le(ell_new, LOSS_MIN + loss_range / 2))],
            ),
        ),
        Step(
            text=(
                "Replace one tuple: at every embedding $\\hat R_n$ moves by at most "
                "$\\Delta_k/n$, hence so does $\\sup(R - \\hat R_n)$."
            ),
            evidence=Supremum(
                claim=_gap,
                suprema={sup_gap: R - R_hat, sup_gap_new: R - R_hat - (ell_new - ell) / n},
                varying=(R, R_hat, ell, ell_new),
                given=_range,
                mutants=[
                    Mutant("half of it", Le(sup_gap_new, sup_gap + loss_range / (2 * n))),
                    Mutant("losses of any size", given=()),
                ],
            ),
        ),
        Step(
            text=(
                "Add and subtract the tuple's loss in the sum over the others: the mean of the two "
                "suprema is at least $\\sup\\Sigma$, and exceeds it by at most $\\Delta_k/2$."
            ),
            evidence=Supremum(
                claim=_two_signs,
                suprema={
                    sup_rest: rest,
                    sup_plus: rest + ell,
                    sup_minus: rest - ell,
                    sup_plus_new: rest + ell_new,
                    sup_minus_new: rest - ell_new,
                },
                varying=(rest, ell, ell_new),
                given=_range,
                mutants=[
                    Mutant("half the range", Le(sup_plus, sup_rest + _low + loss_range / 2)),
                    Mutant("3 for 2", Le(3 * sup_rest, sup_plus_new + sup_minus_new)),
                ],
            ),
        ),
        Step(
            text="This holds before and after the replacement, with the same $\\sup\\Sigma$:",
            evidence=Decided(
                claim=_half,
                given=(*_two_signs, *_halves),
                mutants=[
                    Mutant("a third of the range", Le(half_sum, half_sum_new + loss_range / 3)),
                    Mutant("the lower bound dropped", given=(*_two_signs[:2], *_halves)),
                ],
            ),
        ),
        Step(
            text="Average over the other signs: the complexity moves by half as much.",
            evidence=Averaged(
                claim=_rad,
                pointwise=_half,
                given=(_half,),
                means={half_sum: n * Rad_n, half_sum_new: n * Rad_new},
                mutants=[
                    Mutant("a third of the range", Le(n * Rad_n, n * Rad_new + loss_range / 3)),
                ],
            ),
        ),
        Step(
            text=(
                "So $\\sup(R - \\hat R_n) - 2\\,\\widehat{\\mathrm{Rad}}_n$ moves by at most "
                "$2\\Delta_k/n$."
            ),
            evidence=Decided(
                claim=_bounded,
                given=(_gap, _rad),
                mutants=[
                    Mutant("3/2 for 2", Le(_bounded.lhs, 3 * loss_range / (2 * n))),
                    Mutant("the complexity not bounded", given=(_gap,)),
                ],
            ),
        ),
        Step(
            text="Its mean is at most 0: symmetrisation.",
            evidence=Cited(
                source="Boucheron, Lugosi & Massart (2013), Lemma 11.4", claim=_symmetrised
            ),
        ),
        Step(
            text=(
                "McDiarmid's inequality, for this difference and for $\\sup(R - \\hat R_n)$ alone: "
                "with probability at least $1 - \\delta$ each is at most its mean plus "
                "$\\sqrt{\\tfrac n2 c^2 \\log(1/\\delta)}$, where $c$ bounds its move."
            ),
            evidence=Cited(
                source="McDiarmid's inequality: Boucheron, Lugosi & Massart (2013), Theorem 6.2",
                claim=_concentrated,
                given=(_bounded, _gap),
            ),
        ),
        Step(
            text="With $c = 2\\Delta_k/n$ and $c = \\Delta_k/n$:",
            evidence=Derived(
                claim=_moves,
                mutants=[
                    Mutant(
                        "n for its root",
                        Eq(_mcdiarmid(2 * loss_range / n), DEVIATION_SHARP / sqrt(n)),
                    )
                ],
            ),
        ),
        Step(
            text="Together, with $\\Delta_k \\le 4/\\tau$ from lemma 5.",
            evidence=Decided(
                claim=claim,
                given=(
                    _shorter,
                    _largest,
                    _symmetrised,
                    *_concentrated,
                    *_moves,
                ),
                mutants=[
                    Mutant(
                        "1 for 2 with the empirical complexity",
                        Le(R, R_hat + 2 * Rad_n + DEVIATION_SHARP / 2),
                    ),
                    Mutant(
                        "no symmetrisation", given=(_shorter, _largest, *_concentrated, *_moves)
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=_bounded,
            cases=sensitivity_cases,
            mutants=[Mutant("3/2 for 2", arguments={"factor": Fraction(3, 2)})],
        ),
        Enumerated(
            claim="the move 2 Delta_k/n is attained",
            cases=attained_case,
            mutants=[Mutant("1 for 2", arguments={"move": Fraction(1)})],
        ),
        *crosschecks(deviation_sharp),
    ],
    constants=[
        Constant(
            name="prop-3-sharp-two",
            formula=Integer(2),
            printed=False,
            meaning="factor of Delta_k sqrt(log(1/delta)/(2n)); 12/tau and 2/delta are printed",
            where="companion",
        ),
    ],
)
