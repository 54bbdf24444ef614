"""Every small class of losses: by how much one tuple can move the suprema of Proposition 3.

A class of T members on n tuples is a T x n table of losses. Tables with entries in a few levels of
[0, 1] are enumerated, in rational arithmetic, with every replacement of one column.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs.evidence import Case

__all__ = ["attained_case", "complexity", "excess", "sensitivity_cases"]

Column = tuple[Fraction, ...]
Table = tuple[Column, ...]


def complexity(table: Table) -> Fraction:
    """Return the empirical Rademacher complexity; the table is a tuple of columns, one a tuple.

    Examples
    --------
    >>> complexity(((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))))
    Fraction(1, 4)
    """
    n, members = len(table), range(len(table[0]))
    total = Fraction(0)
    for signs in product((-1, 1), repeat=n):
        total += max(
            sum((s * column[i] for s, column in zip(signs, table, strict=True)), Fraction(0))
            for i in members
        )
    return total / Fraction(n * 2**n)


def excess(risks: Column, table: Table) -> Fraction:
    """Return sup (R - R_hat) - 2 Rad_n of a class with the given risks."""
    n = len(table)
    gaps = (
        risk - sum((column[i] for column in table), Fraction(0)) / n for i, risk in enumerate(risks)
    )
    return max(gaps) - 2 * complexity(table)


def sensitivity_cases(
    *, members: int = 2, tuples: int = 2, levels: int = 3, factor: Fraction = Fraction(2)
) -> Iterator[Case]:
    """Yield, for each table, the largest move of `excess` under a change of its first column.

    The range of the losses is 1, so the claim is a move of at most ``2/n``, which is subtracted;
    the risks are the extreme ones, 0 or 1 for each member.
    """
    values = [Fraction(i, levels - 1) for i in range(levels)]
    columns = list(product(values, repeat=members))
    for rest in product(columns, repeat=tuples - 1):
        halves = {first: complexity((first, *rest)) for first in columns}
        for risks in product((Fraction(0), Fraction(1)), repeat=members):
            found = [
                max(
                    r - (first[i] + sum((c[i] for c in rest), Fraction(0))) / tuples
                    for i, r in enumerate(risks)
                )
                - 2 * halves[first]
                for first in columns
            ]
            move = max(found) - min(found)
            label = f"rest {_show(rest)}, risks {_show((risks,))}"
            yield Case(label, move - factor / tuples, "<=", Fraction(0))


def attained_case(*, move: Fraction = Fraction(2)) -> Iterator[Case]:
    """Yield one tuple, two members, risks 1 and 0: replacing losses 1, 0 by 0, 0 moves by 2."""
    one, zero = Fraction(1), Fraction(0)
    found = excess((one, zero), ((zero, zero),)) - excess((one, zero), ((one, zero),))
    yield Case("n = 1, losses (1, 0) replaced by (0, 0)", found, "==", move)


def _show(table: Table) -> str:
    return " ".join("(" + ", ".join(map(str, column)) + ")" for column in table)
