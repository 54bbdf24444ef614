"""Lemma 8: the softmax average of a difference of embeddings against a power mean of its norms."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Abs, Ge, Le, Rational, exp

from proofs.evidence import Cited, Compared, Decided, Mutant, OnWorlds, Use
from proofs.ledger import Statement, Step
from proofs.paper.lemma_7 import bound, power_mean, soft_a, x_j
from proofs.symbols import beta, declare, tau

norm_f_anchor = declare(
    "norm_f_anchor", r"\Vert f(x)\Vert", "norm of f at the anchor", nonnegative=True
)
norm_f_negative = declare(
    "norm_f_negative", r"\Vert f(z_j)\Vert", "norm of f at a negative", nonnegative=True
)
norm_G = declare(
    "norm_G",
    r"\Vert G(f,\varphi-\varphi')\Vert",
    "norm of the softmax average of the differences phi(z_j) - phi'(z_j)",
    nonnegative=True,
)

_unit_ball = (Le(norm_f_anchor, 1), Le(norm_f_negative, 1))
_cauchy_schwarz = Le(Abs(x_j), norm_f_anchor * norm_f_negative)
_similarity = (Ge(x_j, -1), Le(x_j, 1))
_triangle = Le(norm_G, soft_a)
claim = Le(norm_G, bound)


def aligned_pairs(factor: float = 2.0, seed: int = 1) -> Iterator[Compared]:
    """Yield ||G(f, D)|| against e^{factor/(beta tau)} times the power mean of the ||D_j||.

    f is the anchor's vector or its opposite at the negatives; the D_j are parallel, of the sizes
    for which Hoelder's inequality is an equality.
    """
    import numpy as np

    from proofs.paper._pairs import power_mean as mean_of_order

    rng = np.random.default_rng(seed)
    for t in (0.05, 0.3, 1.0, 5.0):
        for order in (1.0, 2.0, 10.0, np.inf):
            k = int(rng.integers(1, 33))
            direction = rng.normal(size=int(rng.integers(1, 9)))
            direction /= np.linalg.norm(direction)
            signs = np.where(np.arange(k) < max(1, k * np.exp(-2 / t)), 1.0, -1.0)
            weights = np.exp((signs - 1) / t)
            weights /= weights.sum()
            sizes = (weights / weights.max()) ** (min(1 / (order - 1), 40) if order > 1 else 40)
            moved = sizes[:, None] * direction
            mean, _ = mean_of_order(np.linalg.norm(moved, axis=1), order)
            yield Compared(
                f"tau = {t}, beta = {order}, k = {k}, d = {len(direction)}",
                float(np.linalg.norm(weights @ moved)),
                float(np.exp(factor / (order * t)) * mean),
            )


statement = Statement(
    id="lemma-8",
    title="Softmax average of differences against a power mean of their norms",
    where="Appendix B.1, Lemma 8",
    assumptions=["f maps the points to the closed unit ball of R^d; the differences are not all 0"],
    hypotheses=(*_unit_ball, Ge(beta, 1)),
    claim=claim,
    definitions={
        x_j: "<f(x), f(z_j)>",
        soft_a: "the softmax average of the a_j = ||phi(z_j) - phi'(z_j)||",
    },
    witness={norm_f_anchor: 1, norm_f_negative: 1, beta: 1},
    proof=[
        Step(
            text="The exponents are inner products of vectors of the unit ball.",
            evidence=Cited(source="Cauchy-Schwarz inequality", claim=_cauchy_schwarz),
        ),
        Step(
            text="So they lie in $[-1, 1]$.",
            evidence=Decided(
                claim=_similarity,
                given=(_cauchy_schwarz, *_unit_ball),
                mutants=[
                    Mutant("1/2 for 1", Le(x_j, Rational(1, 2))),
                    Mutant("f(z_j) not in the unit ball", given=(_cauchy_schwarz, _unit_ball[0])),
                ],
            ),
        ),
        Step(
            text="The norm of an average is at most the average of the norms.",
            evidence=Cited(source="triangle inequality", claim=_triangle),
        ),
        Step(
            text="Lemma 7 with $a_j = \\Vert\\varphi(z_j) - \\varphi'(z_j)\\Vert$.",
            evidence=Decided(
                claim=claim,
                given=(*_similarity, Ge(beta, 1), Use("lemma-7"), _triangle),
                mutants=[
                    Mutant(
                        "e^{1/(beta tau)} for e^{2/(beta tau)}",
                        Le(norm_G, exp(1 / (beta * tau)) * power_mean),
                    ),
                    Mutant("the triangle inequality dropped", given=()),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=claim,
            sides=aligned_pairs,
            mutants=[Mutant("e^{0}", arguments={"factor": 0.0})],
        ),
    ],
)
