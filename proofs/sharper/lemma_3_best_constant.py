"""The factor 2 of the sharper lemma 3 is the best possible: a rare heavy set reaches it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sympy import Eq, Ge, Integer, Le

from numerics.weighted_average import second_moment, worst_bias
from proofs.evidence import Argued, Averaged, Case, Decided, Derived, Enumerated, Mutant
from proofs.ledger import Statement, Step
from proofs.paper._weighted_average import bias, w2
from proofs.sharper.lemma_3_sharp import others
from proofs.symbols import declare, m

__all__ = ["statement"]

size = declare(
    "size", "r", "an integer r >= 2 that indexes the worlds", integer=True, positive=True
)
rare = declare("best_rare", "a", "nu-probability of the heavy set", positive=True)
heavy_w = declare("heavy_w", "w_H", "density on the heavy set", positive=True)
light_w = declare("light_w", "w_L", "density off the heavy set", positive=True)
h_heavy = declare("h_heavy", "h(w_H)", "h at the density of the heavy set", positive=True)
h_light = declare("h_light", "h(w_L)", "h at the density off the heavy set", positive=True)

definitions = {
    rare: 1 / size**2,
    heavy_w: size**4,
    m: size**5,
    light_w: (1 - rare) / (1 - rare / heavy_w),
    w2: rare * heavy_w + (1 - rare) * light_w,
}
_defined = tuple(Eq(symbol, value) for symbol, value in definitions.items())
_in_size = _defined[:3]
hypotheses = (Ge(size, 2), Ge(others, (m - 1) * light_w))
_law = (
    Eq(rare / heavy_w * heavy_w + (1 - rare / heavy_w) * light_w, 1),
    Eq(rare / heavy_w * heavy_w**2 + (1 - rare / heavy_w) * light_w**2, w2),
)
_light = (Ge(light_w, 1 - rare), Le(light_w, 1))
_h_low = Le(h_heavy, m / (heavy_w + (m - 1) * light_w))
_formula = (
    Eq(rare * h_heavy + (1 - rare) * h_light, 1),
    Eq(bias, -rare * h_heavy + (1 - rare) * h_light - (1 - 2 * rare)),
)
_bias = Ge(bias, 2 * rare * (1 - m / (heavy_w + (m - 1) * light_w)))
claim = Ge(m * bias / w2, 2 - 6 / size)


def ratio_cases(
    *,
    sizes: Sequence[int] = (2, 3, 4),
    limit: Fraction = Fraction(2),
    slope: Fraction = Fraction(6),
) -> Iterator[Case]:
    """Yield ``limit - slope/r`` against m (worst bias)/E[w^2] in the worlds of the statement.

    With the slope 6 the bound is positive from r = 4 on.
    """
    for r in sizes:
        a, weight, points = Fraction(1, r**2), Fraction(r**4), r**5
        pi, nu = (1 - a / weight, a / weight), (1 - a, a)
        ratio = points * worst_bias(pi, nu, points) / second_moment(pi, nu)
        yield Case(f"r = {r}, m = {points}", limit - slope / r, "<=", ratio)


statement = Statement(
    id="lemma-3-best-constant",
    title="In the bias of a weighted average, 2 E[w^2]/m cannot be improved",
    where="companion",
    assumptions=[
        "the heavy set H has nu-probability a = r^{-2} and pi-probability r^{-6}; the density is "
        "constant on H and off H",
        "m = r^5; f is -1 on H and 1 off H",
    ],
    hypotheses=hypotheses,
    claim=claim,
    definitions=definitions,
    witness={size: 2, others: 40, m: 32, light_w: 1},
    proof=[
        Step(
            text=(
                "With density $w_H = r^4$ on $H$ and $w_L = (1-a)/(1-a/w_H)$ off $H$ the law "
                r"$\nu$ is a probability, and $\mathbb{E}_\pi[w^2] = a w_H + (1-a) w_L$."
            ),
            evidence=Derived(
                claim=_law,
                given=(_defined[4], _defined[3]),
                mutants=[
                    Mutant("1 off the heavy set", given=(_defined[4], Eq(light_w, Integer(1)))),
                ],
            ),
        ),
        Step(
            text=r"$1 - a \le w_L \le 1$.",
            evidence=Decided(
                claim=_light,
                given=(*_in_size, _defined[3], hypotheses[0]),
                mutants=[
                    Mutant("1 - a/2 below", Ge(light_w, 1 - rare / 2)),
                    Mutant("at most 1 - a", Le(light_w, 1 - rare)),
                ],
            ),
        ),
        Step(
            text=r"No weight is below $w_L$, so $h(w_H) \le m/(w_H + (m-1) w_L)$.",
            evidence=Averaged(
                claim=_h_low,
                pointwise=Le(m / (heavy_w + others), m / (heavy_w + (m - 1) * light_w)),
                given=hypotheses[1:],
                means={1 / (heavy_w + others): h_heavy / m, others: m - 1},
                fixed=(heavy_w,),
                mutants=[
                    Mutant(
                        "m for m - 1",
                        Le(h_heavy, m / (heavy_w + m * light_w)),
                        pointwise=Le(m / (heavy_w + others), m / (heavy_w + m * light_w)),
                    ),
                    Mutant("no lower bound on the weights", given=()),
                ],
            ),
        ),
        Step(
            text=(
                r"No weight vanishes, so $\mathbb{E}T = \mathbb{E}_\nu[f h(w)]$ and, with $f = 1$, "
                r"$\mathbb{E}_\nu h(w) = 1$."
            ),
            evidence=Argued(
                text=(
                    "The first step of `lemma-3-sharp`: the m summands of T are exchangeable and "
                    "weighing by w turns pi into nu. Here w takes two values, nu-probabilities a "
                    "and 1 - a, and f is -1 and 1 on the two sets, so that E_nu f = 1 - 2a."
                ),
                why="exchangeability and a change of measure, as in `lemma-3-sharp`",
                claim=_formula,
            ),
        ),
        Step(
            text=r"So the bias is $2a(1 - h(w_H))$, and large where $h(w_H)$ is small.",
            evidence=Decided(
                claim=_bias,
                given=(*_formula, _h_low, *_in_size),
                mutants=[
                    Mutant(
                        "3a for 2a", Ge(bias, 3 * rare * (1 - m / (heavy_w + (m - 1) * light_w)))
                    ),
                    Mutant("E_nu h = 1 dropped", given=(_formula[1], _h_low, *_in_size)),
                ],
            ),
        ),
        Step(
            text=(
                r"In $r$ this is a rational function, and $m\,\mathrm{bias}/\mathbb{E}_\pi[w^2] "
                r"\ge 2 - 6/r$. As $r$ grows no factor below 2 is left."
            ),
            evidence=Decided(
                claim=claim,
                given=(*_defined, *_light, _bias, hypotheses[0]),
                mutants=[
                    Mutant("1/r for 6/r", Ge(m * bias / w2, 2 - 1 / size)),
                    Mutant("2.1 for 2", Ge(m * bias / w2, Integer(21) / 10 - 6 / size)),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=claim,
            cases=ratio_cases,
            mutants=[Mutant("1/r for 6/r", arguments={"slope": Fraction(1)})],
        ),
    ],
)
