"""The exercise left in the paper: Propositions 3 and 5 hold for DCL, with the same constants."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sympy import E, Eq, Expr, Ge, Le, exp, log, simplify

from proofs.evidence import (
    Averaged,
    Cited,
    Compared,
    Decided,
    Derived,
    Mutant,
    OnWorlds,
    Sampled,
    Use,
)
from proofs.evidence.supremum import Supremum
from proofs.ledger import Constant, Statement, Step
from proofs.loss import S, dcl, infonce, s_plus
from proofs.paper._circle_model import Tuples
from proofs.paper._coverage import coverage, no_deviation, rademacher
from proofs.paper._lipschitz_class import A, B_tau, complexity_bound, d_theta, lipschitz, radius
from proofs.paper._scaled_class import (
    DEVIATION,
    MEASURABLE,
    corr,
    ell,
    generalisation_steps,
    loss_range,
    scaled,
    sign,
    sup_corr,
)
from proofs.paper.lemma_5 import IN_RANGE, MEAN_IN_RANGE, combine
from proofs.paper.prop_3 import deviation
from proofs.paper.prop_5 import printed_complexity
from proofs.paper.prop_5 import statement as prop_5
from proofs.symbols import Mean, R_dcl, Rad_n, declare, k, n, tau

__all__ = ["R_dcl_hat", "Rad_dcl", "statement"]

R_dcl_hat = declare("R_dcl_hat", r"\hat{\tilde R}_n(\varphi)", "empirical DCL risk on n tuples")
Rad_dcl = declare(
    "Rad_dcl",
    r"\widehat{\mathrm{Rad}}_n(\tilde\ell)",
    "empirical Rademacher complexity of the class of DCL losses",
    nonnegative=True,
)
copies = declare(
    "copies", "r", "number of times each negative is repeated", integer=True, positive=True
)
ell_copies = declare(
    "ell_copies", r"\ell^{(r)}", "InfoNCE loss of the tuple with each negative repeated r times"
)
Rad_copies = declare(
    "Rad_copies",
    r"\widehat{\mathrm{Rad}}_n^{(r)}",
    "empirical Rademacher complexity of the InfoNCE losses with each negative repeated r times",
    nonnegative=True,
)
corr_copies = declare(
    "corr_copies",
    r"\overline{\sigma\ell^{(r)}}",
    "mean over the n tuples of sign times InfoNCE loss with repeated negatives",
)
sup_copies = declare(
    "sup_copies",
    r"\sup\overline{\sigma\ell^{(r)}}",
    "supremum over the class of the correlation with repeated negatives",
)

LOW = -2 / tau
_loss = Eq(ell, dcl(s_plus, S))
_positive = (Ge(s_plus, -1), Le(s_plus, 1))
_high_log = Eq(log(S * exp(-1 / tau)), log(S) - 1 / tau)
_low_log = Eq(log(S * exp(1 / tau)), log(S) + 1 / tau)

_excess = log(1 + exp(s_plus / tau) / (copies * k * S))
_repeated = Eq(ell_copies, ell + _excess)
_error = exp(2 / tau) / (copies * k)
_close = (Ge(ell_copies, ell), Le(ell_copies, ell + _error))
_copies = Eq(ell_copies, infonce(s_plus, S, tau, copies * k))
_signs = (Ge(sign, -1), Le(sign, 1))
_correlations = Le(corr, corr_copies + _error)
_suprema = Le(sup_corr, sup_copies + _error)
_complexities = Le(Rad_dcl, Rad_copies + _error)
_bound = complexity_bound(A, d_theta, n)
_for_every_r = Le(copies * k * (Rad_dcl - _bound), exp(2 / tau))
_prop_5 = Le(Rad_dcl, _bound)
_prop_3 = Le(R_dcl, R_dcl_hat + 2 * Rad_dcl + DEVIATION)
claim = (_prop_3, _prop_5)


def expand_shift(difference: Expr) -> Expr:
    """Merge the logarithms, whose arguments are positive."""
    return simplify(combine(difference))


def dcl_complexity(*, share: float = 1.0, draws: int = 8, seed: int = 6) -> Iterator[Compared]:
    """Yield the complexity of the DCL losses of the circle model against Proposition 5."""
    rng = np.random.default_rng(seed)
    for draw in range(draws):
        tuples = Tuples.random(rng, 1, 10, 0.5)
        size = float(10.0 ** (draw % 4 - 3))
        rows = []
        for theta in np.linspace(-size, size, 201):
            angles = tuples.points @ np.array([theta])
            similarities = np.cos(angles[:, :1] - angles[:, 1:]) / tuples.tau
            negatives = np.logaddexp.reduce(similarities[:, 1:], axis=1) - np.log(tuples.k)
            rows.append(negatives - similarities[:, 0])
        label = f"tau = {tuples.tau:.3g}, k = {tuples.k}, radius = {size:g}"
        bound = printed_complexity(tuples, 1, size, share)
        yield Compared(label, rademacher(np.stack(rows), rng), bound)


statement = Statement(
    id="dcl-exercise",
    title="Propositions 3 and 5 for the decoupled loss, with the same constants",
    where="Section 4, left as an exercise",
    assumptions=[
        "(A) for the first part, (C) for the second, as in Propositions 3 and 5",
        MEASURABLE,
        "in the second part Rad^(r) is the complexity of the InfoNCE losses with each negative "
        "repeated r times: same mean over the negatives, same B_tau, r k for k",
    ],
    hypotheses=(
        *prop_5.hypotheses,
        *_positive,
        *MEAN_IN_RANGE,
        *_signs,
    ),
    claim=claim,
    definitions={
        ell: dcl(s_plus, S),
        scaled: tau * (ell - LOW) / 4,
        ell_copies: infonce(s_plus, S, tau, copies * k),
        A: E * radius * B_tau * lipschitz,
        S: "mean of e^{s/tau} over the negatives, in [e^{-1/tau}, e^{1/tau}]",
    },
    witness={**prop_5.witness, S: 1, sign: 1},
    remarks=(
        "The range of the DCL loss is exactly 4/tau for every k, where that of InfoNCE is smaller. "
        "Repeating every negative r times leaves the DCL loss as it is and takes InfoNCE to it as "
        "r grows; a bound that does not depend on k passes to the limit."
    ),
    proof=[
        Step(
            text=r"Move $\mp 1/\tau$ inside the logarithm of $\hat\mu$;",
            evidence=Derived(
                claim=(_high_log, _low_log),
                by=expand_shift,
                mutants=[Mutant("2/tau", Eq(log(S * exp(-1 / tau)), log(S) - 2 / tau))],
            ),
        ),
        Step(
            text=(
                r"then $\log\hat\mu \in [-1/\tau, 1/\tau]$, and the DCL loss $\log\hat\mu - "
                r"s_+/\tau$ lies in $[-2/\tau, 2/\tau]$."
            ),
            evidence=Decided(
                claim=loss_range(LOW),
                given=(_loss, *_positive, *MEAN_IN_RANGE, _high_log, _low_log),
                mutants=[
                    Mutant("[-2/tau, 1/tau]", Le(ell, 1 / tau)),
                    Mutant(
                        "the range of the positive dropped",
                        given=(_loss, *MEAN_IN_RANGE, _high_log, _low_log),
                    ),
                ],
            ),
        ),
        *generalisation_steps(LOW, R_dcl, R_dcl_hat, Rad_dcl),
        Step(
            text=(
                r"For Proposition 5, repeat each negative $r$ times: $\hat\mu$ stays, and InfoNCE "
                r"exceeds DCL by $\log(1 + e^{s_+/\tau}/(rk\hat\mu))$,"
            ),
            evidence=Derived(
                claim=_repeated,
                given=(_copies, _loss),
                by=expand_shift,
                mutants=[
                    Mutant(
                        "r forgotten",
                        Eq(ell_copies, ell + log(1 + exp(s_plus / tau) / (k * S))),
                    ),
                ],
            ),
        ),
        Step(
            text=r"which is between 0 and $e^{2/\tau}/(rk)$.",
            evidence=Decided(
                claim=_close,
                given=(_repeated, *IN_RANGE, *MEAN_IN_RANGE),
                mutants=[
                    Mutant(
                        "e^{1/tau} for e^{2/tau}", Le(ell_copies, ell + exp(1 / tau) / (copies * k))
                    ),
                    Mutant(
                        "the range of the mean dropped",
                        given=(_repeated, *IN_RANGE),
                    ),
                ],
            ),
        ),
        Step(
            text="So are the correlations with any signs that close,",
            evidence=Averaged(
                claim=_correlations,
                pointwise=Le(sign * ell, sign * ell_copies + _error),
                given=(*_close, *_signs),
                means={
                    sign: Mean(sign),
                    ell: Mean(ell),
                    ell_copies: Mean(ell_copies),
                    sign * ell: corr,
                    sign * ell_copies: corr_copies,
                },
                mutants=[
                    Mutant(
                        "half of it",
                        Le(corr, corr_copies + _error / 2),
                        pointwise=Le(sign * ell, sign * ell_copies + _error / 2),
                    ),
                    Mutant("signs of any size", given=_close),
                ],
            ),
        ),
        Step(
            text="their suprema over the class,",
            evidence=Supremum(
                claim=_suprema,
                suprema={sup_corr: corr, sup_copies: corr_copies},
                varying=(corr, corr_copies),
                given=(_correlations,),
                mutants=[Mutant("half of it", Le(sup_corr, sup_copies + _error / 2))],
            ),
        ),
        Step(
            text="and the complexities.",
            evidence=Averaged(
                claim=_complexities,
                pointwise=_suprema,
                given=(_suprema,),
                means={sup_corr: Rad_dcl, sup_copies: Rad_copies},
                mutants=[Mutant("half of it", Le(Rad_dcl, Rad_copies + _error / 2))],
            ),
        ),
        Step(
            text=(
                "Proposition 5 bounds the latter by a number without $k$, hence without $r$: for "
                "every $r$"
            ),
            evidence=Decided(
                claim=_for_every_r,
                given=(
                    *prop_5.hypotheses,
                    Use("prop-5", {k: copies * k, Rad_n: Rad_copies}),
                    _complexities,
                ),
                mutants=[
                    Mutant(
                        "half of it",
                        Le(copies * k * (Rad_dcl - _bound), exp(2 / tau) / 2),
                    ),
                    Mutant("proposition 5 not used", given=(_complexities,)),
                ],
            ),
        ),
        Step(
            text="A number whose multiples are all below one bound is not positive.",
            evidence=Cited(source="Archimedean property of the real numbers", claim=_prop_5),
        ),
        Step(
            text="Both propositions, with their constants 12 and 96.",
            evidence=Decided(
                claim=claim,
                given=(_prop_3, _prop_5),
                mutants=[
                    Mutant("11 for 12", Le(R_dcl, R_dcl_hat + 2 * Rad_dcl + DEVIATION * 11 / 12)),
                    Mutant("95 for 96", Le(Rad_dcl, _bound * 95 / 96)),
                ],
            ),
        ),
    ],
    crosschecks=[
        Sampled(
            claim="Among draws of n = 10 tuples a share of at most delta exceeds the DCL bound.",
            draw=coverage,
            relation="<=",
            arguments={"slack": deviation, "decoupled": True},
            mutants=[
                Mutant("no deviation term", arguments={"slack": no_deviation, "decoupled": True})
            ],
        ),
        OnWorlds(
            claim=_prop_5,
            sides=dcl_complexity,
            mutants=[Mutant("a thousandth of the bound", arguments={"share": 0.001})],
        ),
    ],
    constants=[
        Constant(
            name="dcl-range",
            formula=4 / tau,
            printed=False,
            meaning="exact range of the DCL loss for every k, in nats",
            where="Section 4",
        ),
    ],
)
