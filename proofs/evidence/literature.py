"""Cited and argued: the steps that no engine checks, labelled so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from proofs.evidence.base import Evidence, Fact, Finding, Outcome


@dataclass(frozen=True, kw_only=True)
class _Unchecked(Evidence):
    """Evidence that a reader weighs: it may state a relation for later steps to use."""

    claim: Any = None
    given: tuple[Fact, ...] = ()
    where: tuple[Any, ...] = ()
    uses: tuple[str, ...] = ()

    def unmet(self) -> Finding | None:
        """Return a finding if an instance among the given facts asks for what is not given."""
        from proofs.evidence.reals import discharge

        return discharge(self.given, self.where, list(self.where))


@dataclass(frozen=True, kw_only=True)
class Cited(_Unchecked):
    """A theorem taken from the literature.

    Parameters
    ----------
    source : str
        Author, year and theorem number, or the standard name ("Jensen's inequality").
    claim : relation, optional
        What it gives here, for later steps to use.
    """

    kind = "cited"
    rank = 6
    machine = False
    establishes = "a theorem taken from the literature, with its number"
    colour = ("#e4e0f5", "#3b3363")

    source: str

    def check(self) -> Finding:
        """Return the outcome `cited`: only what it was given is checked."""
        return self.unmet() or Finding(Outcome.CITED, self.source)


@dataclass(frozen=True, kw_only=True)
class Argued(_Unchecked):
    """A step of measure theory or prose, written out in full for a reader.

    Parameters
    ----------
    text : str
        The argument.
    why : str
        Why no engine applies.
    claim : relation, optional
        What it gives, for later steps to use.
    """

    kind = "argued"
    rank = 7
    machine = False
    establishes = "a step of measure theory or prose, written out in full for a reader"
    colour = ("#fff1c2", "#4d3c00")

    text: str
    why: str

    def __post_init__(self) -> None:
        if not self.text.strip() or not self.why.strip():
            raise ValueError("an argued step needs its argument and the reason no engine applies")

    def check(self) -> Finding:
        """Return the outcome `argued`: a person has to read it."""
        return self.unmet() or Finding(Outcome.ARGUED, self.why)
