"""The dimension of the sphere is in no bound of Section 4."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Eq, Matrix, Rational, Symbol, symbols

from proofs import ledger
from proofs.evidence import Case, Derived, Enumerated, Mutant, Use
from proofs.evidence.base import conjuncts
from proofs.ledger import Statement, Step
from proofs.paper._lipschitz_class import d_theta
from proofs.symbols import declare

d = declare(
    "d",
    "d",
    "dimension of the space whose unit sphere holds the embeddings",
    integer=True,
    positive=True,
)

SECTION_4 = (
    "lemma-5",
    "prop-3",
    "lemma-6",
    "lemma-7",
    "lemma-8",
    "prop-4",
    "eq-16",
    "eq-17",
    "eq-18",
    "lemma-1",
    "prop-5",
    "theorem-1",
)
_claim = "$d$ is in no bound of Section 4: they hold on spheres of every dimension, with one value."


def occurrences(dimension: Symbol) -> Iterator[Case]:
    """Yield how often a symbol stands in the claim of each numbered statement of Section 4."""
    for id_ in SECTION_4:
        claim = ledger.get(id_).claim
        count = sum(dimension in part.free_symbols for part in conjuncts(claim))
        yield Case(f"{dimension} in the claim of {id_}", count, "==", 0)


_x, _y = Matrix(symbols("x1:3", real=True)), Matrix(symbols("y1:3", real=True))


def _inner(last: int) -> Eq:
    """Return <Qx, Qy> = <x, y> for an isometry Q of R^2 into R^3; another last entry spoils it."""
    isometry = Matrix([[1, 2], [2, 1], [2, last]]) * Rational(1, 3)
    return Eq((isometry * _x).dot(isometry * _y), _x.dot(_y))


statement = Statement(
    id="dimension-free",
    title="No bound of Section 4 contains the dimension of the embedding",
    where="Section 4",
    claim=_claim,
    remarks=(
        "The dimension may still enter through the class: through the number of parameters and the "
        "constant $C$ of the architecture. What is free of $d$ is the passage from parameters to "
        "losses, since Proposition 4 speaks of lengths only."
    ),
    proof=[
        Step(
            text=(
                "A loss sees an embedding through inner products alone, and these do not change "
                "when the sphere is put into one of higher dimension: an isometry of $\\mathbb "
                "R^2$ into $\\mathbb R^3$."
            ),
            evidence=Derived(
                claim=_inner(-2),
                mutants=[Mutant("columns that are not orthogonal", _inner(-1))],
            ),
        ),
        Step(
            text=(
                "The claims of the numbered statements of Section 4 and of [16] to [18], as they "
                "stand in the ledger, have no symbol for the dimension. (The list is complete.)"
            ),
            evidence=Enumerated(
                claim=_claim,
                cases=occurrences,
                arguments={"dimension": d},
                given=tuple(Use(id_) for id_ in SECTION_4),
                complete=True,
                mutants=[
                    Mutant("the dimension of the parameter", arguments={"dimension": d_theta}),
                ],
            ),
        ),
    ],
)
