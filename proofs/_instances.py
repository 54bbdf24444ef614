"""What an instance asks for: a used statement, or a step, with other quantities in its symbols.

The symbols of a statement are quantities that belong together: a mean and what it is the mean of, a
defined symbol and what defines it, a risk and its number of negatives. An instance may put others
in their places, but has to take along what belongs to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy

from proofs.evidence.base import Evidence, Instance, Use, conjuncts
from proofs.symbols import PARAMETERS, parameters_of

__all__ = ["Basis", "LedgerError", "Link", "instance", "link", "renamed"]

#: The random symbols of a term, and the symbols of its mean.
Link = tuple[frozenset[Any], frozenset[Any]]


class LedgerError(ValueError):
    """A statement is not well formed: the proof uses what nobody established, or concludes less."""


@dataclass(frozen=True)
class Basis:
    """What a fact rests on.

    Parameters
    ----------
    hypotheses : frozenset of relations
        Hypotheses and definitions of the statement.
    links : frozenset
        Means that its derivation took, with what they are the means of.
    """

    hypotheses: frozenset[Any] = frozenset()
    links: frozenset[Link] = field(default_factory=frozenset)

    def __or__(self, other: Basis) -> Basis:
        return Basis(self.hypotheses | other.hypotheses, self.links | other.links)

    def apart_from(self, replaced: Iterable[Any]) -> Basis:
        """Return what an instance rests on as before: the rest is asked of it."""
        kept = {fact for fact in self.hypotheses if not fact.free_symbols & set(replaced)}
        return Basis(frozenset(kept), self.links)


def link(evidence: Evidence) -> frozenset[Link]:
    """Return the means that a piece of evidence takes."""
    return frozenset(getattr(evidence, "links", ()))


def instance(use: Use, conclusion: Any, asked: Sequence[Any], basis: Basis) -> Instance:
    """Return the conclusion with the values of a `Use`, and the obligations.

    Parameters
    ----------
    use : Use
        The reference and the values.
    conclusion : relations
        What is instantiated.
    asked : sequence of relations
        Hypotheses that every instance has to meet.
    basis : Basis
        What the conclusion rests on besides; of this, what a replaced symbol touches is asked.

    Raises
    ------
    LedgerError
        If a replaced symbol leaves behind what belongs to it.
    """
    at = {s: sympy.sympify(v) for s, v in use.at.items()}
    replaced = {s for s, value in at.items() if value != s}
    facts = conjuncts(conclusion)
    touched = _touched(facts, basis.hypotheses, replaced)
    hypotheses = (*conjuncts(tuple(asked)), *touched)
    limits = [h for h in hypotheses if h not in touched or not _is_definition(h)]
    _refuse_chosen(use.ref, at, _symbols(limits) - _symbols(facts), _random(basis))
    constrained = _symbols((*facts, *hypotheses, *basis.hypotheses))
    links = {pair for pair in basis.links if pair[0] & constrained}
    _refuse_torn(use.ref, at, replaced, facts, links)
    return Instance(
        ref=use.ref,
        facts=tuple(part.subs(at, simultaneous=True) for part in facts),
        obligations=tuple(
            part.subs(at, simultaneous=True) for part in (*hypotheses, *_assumptions(at))
        ),
    )


def _touched(facts: Sequence[Any], basis: frozenset[Any], replaced: set[Any]) -> list[Any]:
    """Return what the basis asks of an instance.

    Hypotheses that hold a replaced symbol are asked, and the definitions by which a symbol of the
    conclusion depends on one. A symbol that is only defined, from replaced ones, is as good as new:
    it may be defined anew, unless a hypothesis restricts it, which no instance can meet.
    """
    definitions = {fact.lhs: fact for fact in basis if _is_definition(fact)}
    changed = set(replaced)
    while grown := {
        s for s, fact in definitions.items() if s not in changed and fact.rhs.free_symbols & changed
    }:
        changed |= grown
    needed = (_symbols(facts) & changed) | (replaced & definitions.keys())
    while further := {
        s
        for target in needed & definitions.keys()
        for s in definitions[target].rhs.free_symbols & changed
        if s not in needed
    }:
        needed |= further
    asked = [definitions[s] for s in needed & definitions.keys()]
    renewed = changed - needed - replaced
    for fact in basis - set(definitions.values()):
        if fact.free_symbols & renewed:
            asked.append(sympy.false)
        elif fact.free_symbols & (replaced | needed):
            asked.append(fact)
    return sorted(asked, key=str)


def _is_definition(fact: Any) -> bool:
    return isinstance(fact, sympy.Eq) and fact.lhs.is_Symbol


def _symbols(relations: Iterable[Any]) -> set[Any]:
    return {symbol for relation in relations for symbol in relation.free_symbols}


def _random(basis: Basis) -> set[Any]:
    """Return the symbols that vary with a draw: those averaged over, and what defines them."""
    found = {symbol for random, _ in basis.links for symbol in random}
    definitions = {fact.lhs: fact for fact in basis.hypotheses if _is_definition(fact)}
    while more := _symbols(definitions[s].rhs for s in found & definitions.keys()) - found:
        found |= more
    return found


def _refuse_chosen(ref: str, at: Mapping[Any, Any], hidden: set[Any], random: set[Any]) -> None:
    """Refuse a value in the place of a quantity of which the conclusion says nothing.

    A hypothesis about it speaks of all its values: choosing one would meet it by fiat. A number is
    refused, and for what varies with a draw also an expression of the setting's parameters.
    """
    for symbol in hidden & at.keys():
        symbols = at[symbol].free_symbols
        if not symbols or (symbol in random and symbols <= PARAMETERS):
            raise LedgerError(
                f"{ref} at {symbol} = {at[symbol]}: a hypothesis about {symbol} has to be met, "
                f"not a value chosen"
            )


def _refuse_torn(
    ref: str,
    at: Mapping[Any, Any],
    replaced: set[Any],
    facts: Sequence[Any],
    links: Iterable[Link],
) -> None:
    """Refuse another mean of the same quantity, and the same risk for another parameter.

    A random quantity of which nothing is asked or said is as good as new in every instance.
    """
    for random, mean in links:
        if mean & replaced and not random & replaced:
            names = ", ".join(sorted(str(s) for s in mean & replaced))
            of = ", ".join(sorted(map(str, random)))
            raise LedgerError(f"{ref} replaces {names}, a mean of {of}, and leaves {of}")
    left = _symbols(facts) - at.keys()
    for symbol in left:
        if parameters_of(symbol) & replaced:
            names = ", ".join(sorted(str(s) for s in parameters_of(symbol) & replaced))
            raise LedgerError(f"{ref} replaces {names} and leaves {symbol}, which depends on it")


def _assumptions(at: Mapping[Any, Any]) -> list[Any]:
    """Return what the assumptions of the replaced symbols ask of what replaces them."""
    wanted: list[Any] = []
    for symbol, value in at.items():
        if getattr(symbol, "is_integer", False) and not value.is_integer:
            wanted.append(sympy.false)
        if getattr(symbol, "is_positive", False):
            wanted.append(sympy.Gt(symbol, 0, evaluate=False))
        elif getattr(symbol, "is_nonnegative", False):
            wanted.append(sympy.Ge(symbol, 0, evaluate=False))
    return wanted


def renamed(links: Iterable[Link], at: Mapping[Any, Any]) -> frozenset[Link]:
    """Return the links of an instance."""

    def now(symbols: frozenset[Any]) -> frozenset[Any]:
        values = (sympy.sympify(at.get(s, s)) for s in symbols)
        return frozenset(s for value in values for s in value.free_symbols) - PARAMETERS

    return frozenset((now(random), now(mean)) for random, mean in links)
