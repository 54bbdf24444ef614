"""Open: whether regular simplices are extremal for CE - R_dcl at every number of negatives."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Eq, Sum, Symbol, binomial, cosh, exp, log

from proofs.evidence import Attack, Compared, Derived, Mutant, OnWorlds
from proofs.ledger import Statement
from proofs.sharper._finite_search import dcl_bias, search
from proofs.sharper._finite_simplices import best_simplex, simplex_bias
from proofs.symbols import tau

__all__ = ["statement"]

_hits = Symbol("h", integer=True, nonnegative=True)


def _antipodal(count: int) -> object:
    """Return CE - R_dcl of the antipodal pair with `count` negatives, as a binomial sum."""
    average = (_hits * exp(1 / tau) + (count - _hits) * exp(-1 / tau)) / count
    chance = binomial(count, _hits) / 2**count
    return log(cosh(1 / tau)) - Sum(chance * log(average), (_hits, 0, count))


def attack(*, seed: int, restarts: int, share: float = 1.0) -> Compared:
    """Return the finite world with the largest bias over that of the best simplex."""
    return search(
        seed=seed,
        restarts=restarts,
        quantity=dcl_bias,
        bound=lambda at: share * best_simplex(at),
        taus=(0.25, 3.0),
        atoms=8,
        ks=(2, 3, 4, 8, 16),
    )


def ties(*, share: float = 1.0, draws: int = 2) -> Iterator[Compared]:
    """Yield the largest bias found where the simplices of 2 and 3 points tie.

    A world between the two would show there, if anywhere.
    """
    from scipy.optimize import brentq

    for k in (2, 3, 4):
        t = brentq(lambda t, k=k: simplex_bias(2, t, k) - simplex_bias(3, t, k), 0.3, 4.0)
        found = search(
            seed=k,
            restarts=draws,
            quantity=dcl_bias,
            bound=lambda at: share * best_simplex(at),
            taus=(1 / t, 1 / t * (1 + 1e-9)),
            atoms=6,
            ks=(k,),
        )
        yield Compared(f"k = {k}, {found.label}", found.left, found.right)


statement = Statement(
    id="open-finite-k-simplex",
    title="Are regular simplices extremal at every number of negatives?",
    where="companion",
    assumptions=[
        "anchors and negatives share phi and pi; any law pi and any embedding into a sphere",
        "k >= 2; for k = 1 the antipodal pair attains log cosh(1/tau), which is the largest value "
        "(`lemma-4-sharp`)",
    ],
    claim=(
        "For given tau and k >= 2, is the largest CE - R_dcl that of a regular simplex, the "
        "uniform law on N points with inner products -1/(N - 1), for the best N >= 2?"
    ),
    crosschecks=[
        Derived(
            claim=Eq(_antipodal(1), log(cosh(1 / tau))),
            mutants=[Mutant("half of it", Eq(_antipodal(1), log(cosh(1 / tau)) / 2))],
        ),
        Attack(
            claim="no finite world exceeds the best simplex",
            search=attack,
            restarts=4,
            at_least=0.999,
            rounding=1e-8,
            mutants=[Mutant("nine tenths of it", arguments={"share": 0.9})],
        ),
        OnWorlds(
            claim="nor where the simplices of 2 and 3 points tie",
            sides=ties,
            rounding=1e-8,
            mutants=[Mutant("nine tenths of it", arguments={"share": 0.9})],
        ),
    ],
    remarks=(
        "Searches over worlds of up to 8 atoms, free masses and dimensions included, end at the "
        "best simplex and never above it. As k grows the number of points of the best simplex "
        "approaches the maximiser of `leading-constant`; there the upper bound is larger unless an "
        "integer attains it."
    ),
)
