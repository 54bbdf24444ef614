"""Erratum: E[w(Z, Z')^2] needs a density that is jointly measurable, which (B) does not give."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from sympy import Eq, Integer, Le, Rational

from proofs.evidence import Argued, Case, Cited, Decided, Derived, Enumerated, Mutant
from proofs.ledger import Correction, Statement, Step
from proofs.symbols import declare

__all__ = ["statement"]

guess = declare("guess", "v", "a value that does not depend on the coin", real=True)
off = declare("off", r"\mathbb{E}(2\omega_x - v)^2", "mean square distance of v from 2 omega_x")

# The coin omega_x is 0 or 1, each with probability one half.
_coin = Eq(off, (2 - guess) ** 2 / 2 + (0 - guess) ** 2 / 2)
_distance = Eq(off, 1 + (1 - guess) ** 2)
claim = (
    "If the sigma-algebra of Z is countably generated, (B) gives a density w that is jointly "
    "measurable, and E[w(Z, Z')^2] is defined (it may be infinite). In general (B) gives none: "
    "that w is jointly measurable is an assumption."
)


def coin_cases(*, least: Fraction = Fraction(1), seen: int = 0) -> Iterator[Case]:
    """Yield E(2 omega_x - v)^2 against ``least + E(1 - v)^2``, v any function of the other coins.

    There are n = 1 to 3 coins, and v has the values 0, 1/2 and 2. With `seen` = 1 it may depend on
    the coin at x as well.
    """
    values = (Fraction(0), Fraction(1, 2), Fraction(2))
    for n in range(1, 4 - seen):
        tosses = list(product((0, 1), repeat=n))  # the last coin is the one at x
        told = [toss[: n - 1 + seen] for toss in tosses]
        for choice in product(values, repeat=len(set(told))):
            v = dict(zip(sorted(set(told)), choice, strict=True))
            pairs = [(toss[-1], v[known]) for toss, known in zip(tosses, told, strict=True)]
            apart = sum(((2 * coin - guess) ** 2 for coin, guess in pairs), Fraction(0))
            around = sum(((1 - guess) ** 2 for _, guess in pairs), Fraction(0))
            label = f"{n} coins, v = {', '.join(map(str, choice))}"
            yield Case(label, apart / len(pairs), "==", least + around / len(pairs))


statement = Statement(
    id="erratum-measurability",
    title="That the density be jointly measurable is an assumption",
    where="Section 3.3, (B) and Proposition 2",
    assumptions=["(B): M(z, .) << pi for every z; nothing else of the measurable space Z"],
    claim=claim,
    definitions={off: _coin.rhs},
    proof=[
        Step(
            text="On a countably generated sigma-algebra a jointly measurable density exists.",
            evidence=Cited(
                source=(
                    "Doob; C. Dellacherie and P.-A. Meyer, Probabilities and Potential B (1982), "
                    "Theorem V.58: densities of kernels on a separable space"
                ),
            ),
        ),
        Step(
            text=(
                r"Let $Z = [0,1] \times \{0,1\}^{[0,1]}$ with the product sigma-algebra, $\pi$ "
                r"uniform with independent fair coins, and $M((x, \omega), \cdot)$ the law $\pi$ "
                r"with the coin at $x$ set to 1. This is a kernel with density $w = 2\omega'_x$."
            ),
            evidence=Argued(
                text=(
                    "A measurable set A depends on the coins at countably many places only. For x "
                    "off these places M((x, omega), A) = pi(A), so that M(., A) is constant off a "
                    "countable set, hence measurable: M is a kernel. Setting a fair coin to 1 is "
                    "conditioning on an event of probability 1/2, whence the density 2 omega'_x, "
                    "measurable in omega' for each x, with E_pi[w(z, .)^2] = 2 for every z."
                ),
                why="a construction on an uncountable product",
            ),
        ),
        Step(
            text=r"Whatever does not depend on the coin at $x$ is at distance 1 or more from it.",
            evidence=Derived(
                claim=_distance,
                given=(_coin,),
                mutants=[
                    Mutant("a coin that falls on 1 always", given=(Eq(off, (2 - guess) ** 2),)),
                ],
            ),
        ),
        Step(
            text=(
                r"No jointly measurable $v(z, z')$ is a density of $M(z, \cdot)$ for almost every "
                r"$z$: it depends on countably many coins of $\omega'$ only."
            ),
            evidence=Argued(
                text=(
                    "Every set of the product sigma-algebra on Z x Z belongs to the one generated "
                    "by countably many coins (and the uniform coordinates). So v(z, .) does not "
                    "depend on the coin at x unless x is one of countably many places, and off "
                    "these it is at mean square distance 1 or more from 2 omega'_x, by the step "
                    "before. The places have probability 0. So (B) alone gives no w for which "
                    "E[w(Z, Z')^2] is the integral of a measurable function; where the "
                    "sigma-algebra is countably generated Doob's theorem does."
                ),
                why="measurability on an uncountable product",
                claim=claim,
            ),
        ),
    ],
    correction=Correction(
        printed="Under (B) E[w(Z, Z')^2] is defined.",
        refutation=Decided(
            claim=Eq(off, Integer(0)),
            given=(_distance,),
            mutants=[Mutant("at most 1/2", Le(off, Rational(1, 2)))],
        ),
        note=(
            "Assume w jointly measurable; it can be chosen so on a countably generated "
            "sigma-algebra, such as that of a separable metric space. For one anchor nothing is "
            "needed: lemma 3 uses w(z, .) only."
        ),
    ),
    crosschecks=[
        Enumerated(
            claim="E(2 omega_x - v)^2 = 1 + E(1 - v)^2 for functions v of up to two other coins",
            cases=coin_cases,
            mutants=[
                Mutant("1/2 for 1", arguments={"least": Fraction(1, 2)}),
                Mutant("v sees the coin at x", arguments={"seen": 1}),
            ],
        ),
    ],
)
