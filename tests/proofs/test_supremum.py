"""Relations between suprema over a class."""

from __future__ import annotations

import pytest
from sympy import Eq, Ge, Le, Lt, Symbol

from proofs.evidence import Mutant, Outcome
from proofs.evidence.supremum import Supremum

x, y, c = (Symbol(name, real=True) for name in "xyc")
top_x, top_y, top_sum = (Symbol(name, real=True) for name in ("X", "Y", "S"))
SUPREMA = {top_x: x, top_y: y, top_sum: x + y}
NONE = Mutant("never run", Le(top_sum, 0))


def supremum(claim: object, **changes: object) -> Supremum:
    fields = {"suprema": SUPREMA, "varying": (x, y), "mutants": [NONE], **changes}
    return Supremum(claim=claim, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("claim", "given", "outcome"),
    [
        (Le(top_sum, top_x + top_y), (), Outcome.PASSED),
        (Le(2 * top_sum + c, 2 * top_x + 2 * top_y + c), (), Outcome.PASSED),
        (Ge(top_y + 1, top_x), (Le(x, y + 1),), Outcome.PASSED),
        (Le(top_x, top_sum), (), Outcome.REFUTED),
        (Le(top_x, top_y), (Le(x, y + 1),), Outcome.REFUTED),
        # What depends on the member does not bound a supremum.
        (Le(top_x, x + c), (Ge(c, 0),), Outcome.REFUTED),
        (Le(top_x + y, top_x + top_y), (), Outcome.REFUTED),
        # A supremum with a negative factor is an infimum.
        (Le(-top_x, -top_y), (Ge(x, y),), Outcome.REFUTED),
        # Two suprema on the smaller side need two members.
        (Le(top_x + top_y, top_sum), (), Outcome.UNKNOWN),
        (Lt(top_x, c), (Lt(x, c),), Outcome.UNKNOWN),
        (Eq(top_x, top_y), (Eq(x, y),), Outcome.UNKNOWN),
    ],
)
def test_one_member_stands_for_all(claim: object, given: tuple[object], outcome: Outcome) -> None:
    assert supremum(claim, given=given).check().outcome is outcome


def test_random_classes_agree() -> None:
    """sup(x + y) <= sup x + sup y on tables of numbers; the converse fails somewhere."""
    import numpy as np

    rng = np.random.default_rng(0)
    table = rng.normal(size=(200, 5, 2))
    of_sum = table.sum(axis=2).max(axis=1)
    apart = table.max(axis=1).sum(axis=1)
    assert (of_sum <= apart).all()
    assert (of_sum < apart).any()
