"""Erratum: for the natural positive, one from the anchor's own class, [13] says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Eq, Expr, Ge, Gt, Implies, Integer, Le, Lt, Rational, exp, log

from proofs.evidence import Compared, Decided, Derived, Enclosed, Mutant, OnWorlds
from proofs.ledger import Constant, Statement, Step
from proofs.paper._class_world import ratio
from proofs.paper.eq_13 import CONSTRUCTION, classes
from proofs.symbols import declare, tau

__all__ = ["statement"]

lam = declare(
    "lam", r"\lambda", "probability that a positive comes from the anchor's class", nonnegative=True
)
chi2_mixed = declare(
    "chi2_mixed",
    r"\mathbb{E}[w^2]_{\lambda}",
    "mean of w^2 when a share lambda of the positives comes from the anchor's class",
    positive=True,
)
inverse_tau = declare("inverse_tau", "t", "1/tau", positive=True)

E = exp(1 / tau)
_own, _other = 1 - lam + lam * classes, 1 - lam
_mixed = Eq(chi2_mixed, _own**2 / classes + (1 - 1 / classes) * _other**2)
_closed = Eq(chi2_mixed, 1 + lam**2 * (classes - 1))
_log_two = Gt(log(2), Rational(9, 13), evaluate=False)


def _right(chi2: Expr) -> Expr:
    """Return the right side of [13]."""
    return 65 * chi2 / (tau * (E - 2))


_room = tau * (E - 2) / 65 - 1
_informs = (
    Implies(Lt(lam**2 * (classes - 1), _room), Lt(_right(chi2_mixed), 1)),
    Implies(Ge(lam**2 * (classes - 1), _room), Ge(_right(chi2_mixed), 1)),
)
_own_class = Eq(lam, 1)
_natural = Implies(_own_class, Gt(_right(chi2_mixed), 65 / tau))
claim = (Implies(_own_class, Gt(_right(chi2_mixed), 45)), *_informs)


def _decay(*, tau: float = 0.5, share: float = 1.0, limit: float = 1e-2) -> Iterator[Compared]:
    """Yield the true ratio of [13], less `limit` times its value at k = 1, as k grows."""
    first = ratio(tau, share, 1)
    for k in (100, 200, 400, 800):
        yield Compared(f"tau = {tau:g}, k = {k}", ratio(tau, share, k) - limit * first, 0.0)


statement = Statement(
    id="erratum-vacuous-13",
    title="For the natural positive the bound [13] exceeds 45",
    where="Section 3.4, after [13]",
    assumptions=[
        "the construction of A.2; log 2 < 1/tau says the same as e^{1/tau} > 2",
        "the positive is drawn from the anchor's own class with probability lambda (always, for "
        "natural positive) and from pi otherwise",
    ],
    hypotheses=(*CONSTRUCTION[:4], Gt(1 / tau, log(2)), Le(lam, 1)),
    claim=claim,
    definitions={
        chi2_mixed: _own**2 / classes + (1 - 1 / classes) * _other**2,
    },
    witness={tau: 1, classes: 2, lam: 1},
    remarks=(
        "[13] is right, but to say that the search is closer to the DCL risk than that is to its "
        "limit, its right side must be below 1. For the natural positive it is above 45, although "
        "the true ratio decays exponentially in k. It informs only where the positive hardly "
        "depends on the anchor, lambda^2 (N - 1) < tau (e^{1/tau} - 2)/65 - 1, and for no positive "
        "whatever when 1/tau <= 5.96, since E[w^2] is at least 1."
    ),
    proof=[
        Step(
            text=(
                r"The density of the positive is $1 - \lambda + \lambda N$ on the own class and "
                r"$1 - \lambda$ elsewhere, so $\mathbb{E}[w^2] = 1 + \lambda^2(N - 1)$."
            ),
            evidence=Derived(
                claim=_closed,
                given=(_mixed,),
                mutants=[
                    Mutant("lambda for its square", Eq(chi2_mixed, 1 + lam * (classes - 1))),
                    Mutant("N for N - 1", Eq(chi2_mixed, 1 + lam**2 * classes)),
                ],
            ),
        ),
        Step(
            text=(
                r"For the natural positive, $\lambda = 1$, that is $N \ge e^{1/\tau} - 1$, and the "
                r"right side of [13] exceeds $65/\tau$."
            ),
            evidence=Decided(
                claim=_natural,
                given=(*CONSTRUCTION[:4], _closed),
                mutants=[
                    Mutant("66 for 65", Implies(_own_class, Gt(_right(chi2_mixed), 66 / tau))),
                    Mutant("lambda = 1/2", Implies(Eq(lam, Rational(1, 2)), _natural.args[1])),
                ],
            ),
        ),
        Step(
            text=r"The construction needs $1/\tau > \log 2$, and $\log 2 > 9/13$.",
            evidence=Enclosed(
                claim=_log_two,
                mutants=[Mutant("7/10 for 9/13", Gt(log(2), Rational(7, 10), evaluate=False))],
            ),
        ),
        Step(
            text=(
                r"So the right side exceeds $65 \cdot 9/13 = 45$; and in general it is below 1 "
                r"exactly where $\lambda^2(N - 1) < \tau(e^{1/\tau} - 2)/65 - 1$."
            ),
            evidence=Decided(
                claim=claim,
                given=(*CONSTRUCTION[:4], Gt(1 / tau, log(2)), _natural, _log_two, _closed),
                mutants=[
                    Mutant("50 for 45", Implies(_own_class, Gt(_right(chi2_mixed), 50))),
                    Mutant(
                        "tau forgotten in the condition",
                        Implies(
                            Lt(lam**2 * (classes - 1), (E - 2) / 65 - 1),
                            Lt(_right(chi2_mixed), 1),
                        ),
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enclosed(
            claim=Lt(exp(inverse_tau) - 2 - 65 * inverse_tau, 0),
            box={inverse_tau: (Rational(69, 100), Rational(596, 100))},
            mutants=[
                Mutant("6 for 5.96", box={inverse_tau: (Rational(69, 100), Rational(6))}),
            ],
        ),
        OnWorlds(
            claim="for the natural positive the true ratio of [13] decays",
            sides=_decay,
            mutants=[Mutant("half of the positives from pi", arguments={"share": 0.5})],
        ),
    ],
    constants=[
        Constant(
            name="eq-13-natural",
            formula=Integer(45),
            printed=False,
            meaning="lower bound of the right side of [13] for the natural positive",
            where="[13]",
        ),
    ],
)
