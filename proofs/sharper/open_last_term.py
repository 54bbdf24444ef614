"""Open: the largest possible R - R_dcl for two negatives or more."""

from __future__ import annotations

from sympy import Eq, Limit, exp, log, oo

from proofs.evidence import Attack, Derived, Mutant, OnWorlds
from proofs.ledger import Statement
from proofs.sharper._last_term_search import attack, bound_sides
from proofs.symbols import k, n, tau

_shift = log(1 + exp(1 / tau) / k)
#: With n orthonormal classes no negative is of the anchor's class with probability (1 - 1/n)^k.
_reached = (1 - 1 / n) ** k * _shift

statement = Statement(
    id="open-last-term",
    title="Best bound on R - R_dcl, what the positive in the denominator adds",
    where="companion",
    assumptions=["(A); anchors and negatives share phi and pi"],
    claim=(
        "For given tau and k >= 2, what is the largest R - R_dcl? At least log(1 + e^{1/tau}/k), "
        "at most the bound of `last-term` and Lambda_k of `last-term-sharp`. Is it the former?"
    ),
    crosschecks=[
        Derived(
            claim=Eq(Limit(_reached, n, oo), _shift),
            mutants=[
                Mutant("half of the tuples", Eq(Limit(_reached / 2, n, oo), _shift)),
            ],
        ),
        Attack(
            claim="R - R_dcl <= log(1 + e^{1/tau}/k) for k = 2, 3, 5: no world above was found",
            search=attack,
            restarts=3,
            at_least=0.9,
            mutants=[Mutant("3/4 of it", arguments={"scale": 0.75})],
        ),
        OnWorlds(
            claim="log(1 + e^{1/tau}/k), approached by n classes, against the bound of `last-term`",
            sides=bound_sides,
            mutants=[Mutant("a third of the bound", arguments={"scale": 0.33})],
        ),
    ],
    remarks=(
        "For k = 1 the answer is another one: (log 2 + log(1 + e^{2/tau}))/2, reached by an "
        "antipodal pair (`last-term-one-negative`). For k >= 2, n orthonormal classes with "
        "positives at their anchors approach log(1 + e^{1/tau}/k) as n grows, and searches over "
        "finite worlds found nothing above; near tau = infinity the second-order term has the "
        "sign of 1/k + 1/(k+1) - 1, which is positive for k = 1 only. As k grows the bounds and "
        "this value have the ratio 1; at fixed k and low temperature they differ by a factor of "
        "about 2, and by more between."
    ),
)
