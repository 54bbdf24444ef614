"""Early stopping: as the ball of parameters shrinks to a point, so does the complexity."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from sympy import E, Eq, Expr, Implies, Le, log, sqrt

from proofs.evidence import Compared, Decided, Mutant, OnWorlds, Use
from proofs.ledger import Constant, Statement, Step
from proofs.paper._circle_model import Tuples
from proofs.paper._coverage import rademacher
from proofs.paper._lipschitz_class import A, B_tau, d_theta, lipschitz, radius
from proofs.paper.prop_5 import statement as prop_5
from proofs.symbols import Rad_n, declare, n, tau

__all__ = ["SLOPE", "statement"]

target = declare("target", r"\epsilon", "a target for the complexity, in nats", positive=True)

#: Rad_n is at most this times the radius (nats per unit of the parameter).
SLOPE = 96 * E * sqrt(log(3) + 1) / tau * sqrt(d_theta) / sqrt(n) * B_tau * lipschitz


def _branch(a: Expr, factor: int = 96) -> Expr:
    return factor / tau * sqrt(d_theta) / sqrt(n) * a * sqrt(log(3) + 1)


_linear = Le(Rad_n, _branch(A))
_a = Eq(A, E * radius * B_tau * lipschitz)
claim = (Le(Rad_n, SLOPE * radius), Implies(Le(SLOPE * radius, target), Le(Rad_n, target)))


def _shrinking(*, power: float = 1.0, draws: int = 4, seed: int = 7) -> Iterator[Compared]:
    """Yield the complexity of a ball of a tenth of the radius, less a tenth^power of the whole's.

    The balls are about theta = 1, and small enough for the losses to be all but linear in them.
    """
    rng = np.random.default_rng(seed)
    for _ in range(draws):
        tuples = Tuples.random(rng, 1, 10, 0.5)
        start = 1e-3 * tuples.tau
        values = []
        for size in (start, start / 10, start / 100):
            grid = 1 + np.linspace(-size, size, 401)
            losses = np.stack([tuples.losses(np.array([theta])) for theta in grid])
            values.append(rademacher(losses, rng))
        for i, (larger, smaller) in enumerate(pairwise(values)):
            label = f"tau = {tuples.tau:.3g}, k = {tuples.k}, radius = {start:.2g}/{10 ** (i + 1)}"
            yield Compared(label, smaller - larger * 1.05 / 10**power, 0.0)


statement = Statement(
    id="early-stopping",
    title="The complexity vanishes with the radius of the ball of parameters",
    where="Section 4, after Proposition 5",
    assumptions=[
        "(C), with an envelope g for the norm; a run that is stopped early stays in a small ball "
        "about its starting point theta_0",
        "the complexity is never negative: the supremum is at least the correlation at theta_0, "
        "whose mean over the signs is 0",
    ],
    hypotheses=prop_5.hypotheses,
    claim=claim,
    definitions={A: E * radius * B_tau * lipschitz},
    witness=prop_5.witness,
    proof=[
        Step(
            text="The smaller of the two branches of Proposition 5 is at most the first.",
            evidence=Decided(
                claim=_linear,
                given=(*prop_5.hypotheses, Use("prop-5")),
                mutants=[
                    Mutant("95 for 96", Le(Rad_n, _branch(A, 95))),
                    Mutant("proposition 5 not used", given=tuple(prop_5.hypotheses)),
                ],
            ),
        ),
        Step(
            text=(
                r"It is linear in $A = eR_\Theta B_\tau C$, hence in the radius: $R_\Theta \to 0$ "
                r"forces the complexity to 0, whatever $\tau$, $n$, $k$ and the data."
            ),
            evidence=Decided(
                claim=claim,
                given=(_linear, _a),
                mutants=[
                    Mutant("half the slope", Le(Rad_n, SLOPE * radius / 2)),
                    Mutant(
                        "twice the radius",
                        Implies(Le(SLOPE * radius, 2 * target), Le(Rad_n, target)),
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim="a tenth of the radius, a tenth of the complexity",
            sides=_shrinking,
            mutants=[Mutant("a hundredth of the complexity", arguments={"power": 2.0})],
        ),
    ],
    constants=[
        Constant(
            name="early-stopping-slope",
            formula=96 * E * sqrt(log(3) + 1),
            printed=False,
            meaning="factor of R_Theta B_tau C sqrt(d_Theta/n)/tau in a bound on the complexity",
            where="Proposition 5, first branch",
        ),
    ],
)
