"""The expansion of the finite-k risk around its cross-entropy limit, to any order in 1/k."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from math import prod

from sympy import Derivative, Eq, Expr, Rational, Subs, Symbol, factorial
from sympy import log as sympy_log

from proofs import expansion as series_of
from proofs.evidence import Argued, Case, Compared, Derived, Enumerated, Mutant, OnWorlds
from proofs.expansion import kappa, r
from proofs.ledger import Statement, Step

CLAIM = (
    r"R = \mathrm{CE} + \sum_{j=1}^{J-1} c_j k^{-j} + O(k^{-J})\ \text{for every } J,\qquad "
    r"c_1 = \mathbb{E}\left[r - \tfrac12\kappa_2\right],\ "
    r"c_2 = \mathbb{E}\left[-\tfrac12 r^2 + r\kappa_2 + \tfrac13\kappa_3 "
    r"- \tfrac34\kappa_2^2\right]"
)

k2, k3, k4 = kappa(2), kappa(3), kappa(4)
eps = Symbol("eps", positive=True)
_u = Symbol("u", real=True)

FIRST = r - k2 / 2
SECOND = -(r**2) / 2 + r * k2 + k3 / 3 - Rational(3, 4) * k2**2
THIRD = (
    r**3 / 3
    - k4 / 4
    - r * k3
    + 2 * k2 * k3
    - Rational(3, 2) * r**2 * k2
    + 3 * r * k2**2
    - Rational(5, 2) * k2**3
)


def _coefficient(function: Expr, variable: Symbol, order: int) -> Expr:
    """Return a Taylor coefficient at 0 as a derivative that is left to the engine."""
    return Subs(Derivative(function, (variable, order)), variable, 0) / factorial(order)


def _by_hand(order: int) -> Expr:
    """Return the coefficient of eps^order in sum_p (-1)^{p+1} E u^p/p."""
    total = sum(
        Rational((-1) ** (p + 1), p) * series_of.moment_polynomial(p, eps)
        for p in range(1, 2 * order + 1)
    )
    return _coefficient(total, eps, order)


def _logarithm(sign: int) -> tuple[Eq, ...]:
    """Return the first six coefficients of log(1 + u), as sign^{p+1}/p."""
    one = sympy_log(1 + _u)
    return tuple(Eq(_coefficient(one, _u, p), Rational(sign ** (p + 1), p)) for p in range(1, 7))


def _moment_cases(shift: int = 0) -> Iterator[Case]:
    """Compare E u^p by listing all k-tuples of negatives with E u^p from cumulants, exactly."""
    values, weights = (Fraction(1, 3), Fraction(1), Fraction(5, 2)), (3, 2, 1)
    chance = [Fraction(w, sum(weights)) for w in weights]
    mean = sum(c * v for c, v in zip(chance, values, strict=True))
    moments = [sum(c * v**j for c, v in zip(chance, values, strict=True)) for j in range(1, 7)]
    cumulants = dict(zip(range(2, 7), series_of.cumulants(moments), strict=True))
    positive = Fraction(5, 2) / mean
    for count in (1, 2, 3, 4):
        for power in range(1, 7):
            listed = Fraction(0)
            for pick in itertools.product(range(3), repeat=count):
                here = sum(values[i] for i in pick) / (count * mean) - 1 + positive / count
                weight = prod((chance[i] for i in pick), start=Fraction(1))
                listed += weight * Fraction(here**power)
            polynomial = series_of.moment_polynomial(power, Rational(1, count + shift))
            at = {kappa(j): Rational(c.numerator, c.denominator) for j, c in cumulants.items()}
            at[r] = Rational(positive.numerator, positive.denominator)
            value = polynomial.subs(at)
            exact = Fraction(int(value.p), int(value.q))
            yield Case(f"k = {count}, p = {power}", listed, "==", exact)


def _remainders(loss: series_of.Loss, drop: int = 0) -> Iterator[Compared]:
    """Compare k^{J+1}(R - partial sum) with the next coefficient, as k doubles."""
    from numerics.digits import exact as fraction
    from numerics.exact_digits import evaluate_digits
    from proofs.measure import FEW_TAUS, standard_worlds

    order = 3
    for tau in FEW_TAUS:
        for world in standard_worlds():
            numbers = series_of.values(world, tau, order + 1, loss, 40)
            values = [fraction(number) for number in numbers]
            count = _large_enough(values)
            bias = fraction(evaluate_digits(world, tau, count, loss, 40).bias)
            partial = sum(v / count**j for j, v in enumerate(values[: order - drop], 1))
            scaled = (bias - partial) * count ** (order + 1)
            wanted = values[order]
            label = f"{loss}, {world.spec()}, tau = {tau}, k = {count}"
            yield Compared(label, float(abs(scaled - wanted)), float(abs(wanted)) / 100)


def _large_enough(values: list[Fraction]) -> int:
    """Return a k beyond which the next coefficient dominates the ones after it."""
    growth = max(abs(b / a) for a, b in itertools.pairwise(values) if a)
    return int(4000 * max(Fraction(1), growth))


statement = Statement(
    id="expansion",
    title="The finite-k risk to every order in 1/k",
    where="companion to Section 3.2",
    assumptions=[
        "(A): the tuples are iid; phi has unit norm",
        "for one anchor and positive, r = Y_+/mu and kappa_j is the j-th cumulant of Y over mu^j; "
        "DCL has r = 0",
    ],
    claim=CLAIM,
    proof=[
        Step(
            text=(
                "With $u = r/k + \\hat\\mu/\\mu - 1$ the loss is $\\log(b\\mu) + \\log(1 + u)$. "
                "Expand the logarithm:"
            ),
            evidence=Derived(
                claim=_logarithm(-1),
                mutants=[Mutant("all signs positive", _logarithm(1))],
            ),
        ),
        Step(
            text=(
                "The cumulants of $u$ are $r/k$ and $\\kappa_j k^{1-j}$, so $\\mathbb{E}u^p$ is a "
                "polynomial in $1/k$ that starts at order $\\lceil p/2\\rceil$: powers beyond "
                "$2j$ do not reach $k^{-j}$. For three atoms and $k \\le 4$ the moments so "
                "obtained equal those found by listing every tuple."
            ),
            evidence=Enumerated(
                claim="E u^p from cumulants equals E u^p from all tuples",
                cases=_moment_cases,
                mutants=[Mutant("k + 1 for k", arguments={"shift": 1})],
            ),
        ),
        Step(
            text="Collect powers of $1/k$. First order:",
            evidence=Derived(
                claim=Eq(_by_hand(1), FIRST),
                mutants=[Mutant("kappa_2 for kappa_2/2", Eq(_by_hand(1), r - k2))],
            ),
        ),
        Step(
            text="Second order:",
            evidence=Derived(
                claim=Eq(_by_hand(2), SECOND),
                mutants=[
                    Mutant("3/2 for 3/4", Eq(_by_hand(2), SECOND - Rational(3, 4) * k2**2)),
                    Mutant("the sign of r kappa_2", Eq(_by_hand(2), SECOND - 2 * r * k2)),
                ],
            ),
        ),
        Step(
            text="Third order; the same code gives any order.",
            evidence=Derived(
                claim=Eq(_by_hand(3), THIRD),
                mutants=[Mutant("5/3 for 5/2", Eq(_by_hand(3), THIRD + k2**3 * Rational(5, 6)))],
            ),
        ),
        Step(
            text=(
                "The remainder is of the order of the first term left out, and means over anchor "
                "and positive keep it so, since everything is bounded."
            ),
            evidence=Argued(
                text=(
                    "Where |u| <= 1/2, Taylor's remainder after 2J - 1 powers is at most a "
                    "constant times |u|^{2J}, whose mean is O(k^{-J}) because Y is bounded "
                    "(Rosenthal). The event |u| > 1/2 has probability exponentially small in k "
                    "(Hoeffding), and there log(1 + u) is bounded by 2/tau + log 2 because mu-hat "
                    "lies in [e^{-1/tau}, e^{1/tau}]. All constants depend on tau and J only, so "
                    "they survive the average over anchors and positives."
                ),
                why="an asymptotic statement for all J at once; the engines check each coefficient",
                claim=CLAIM,
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=f"k^4 (R - CE - c_1/k - c_2/k^2 - c_3/k^3) is within 1% of c_4: {loss}",
            sides=_remainders,
            arguments={"loss": loss},
            mutants=[
                Mutant("the term c_3 left out", arguments={"loss": loss, "drop": 1}),
            ],
        )
        for loss in ("infonce", "dcl")
    ],
)
