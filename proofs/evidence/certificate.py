"""Enclosed by a computation of its own, where the general search over boxes is no match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from proofs.evidence.base import Evidence, Fact, Finding, Outcome

if TYPE_CHECKING:
    from numerics.balls import BoxReport


@dataclass(frozen=True, kw_only=True)
class Certificate(Evidence):
    """A relation certified by a ball-arithmetic computation written for it.

    For quantities that are not closed forms (a mean over a Poisson variable, a supremum), or whose
    structure decides a box better than interval evaluation does.

    Parameters
    ----------
    claim : relation, tuple or text
        What the computation certifies, its box included.
    certificate : callable
        Takes `arguments` as keywords and returns a `numerics.balls.BoxReport`: "passed" only if the
        claim was positively certified, "refuted" only if it certainly fails somewhere.
    arguments : mapping
        What a mutant changes.
    """

    kind = "enclosed"
    rank = 3
    establishes = "an inequality or a value on a whole box of parameters, by ball arithmetic"
    colour = ("#dbeafe", "#123a63")
    engine = "Arb"

    claim: Any
    certificate: Callable[..., BoxReport]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    given: tuple[Fact, ...] = ()
    where: tuple[Any, ...] = ()

    def check(self) -> Finding:
        """Run the computation."""
        report = self.certificate(**dict(self.arguments))
        return Finding(Outcome(report.status), report.detail)
