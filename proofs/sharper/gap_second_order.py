"""The Jensen gap of one anchor to second order: kappa_2/(2k), with explicit errors."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from sympy import Eq, Expr, Ge, Integer, Le, Rational, exp, expand_log, log

from proofs.evaluate import arb_function, enclose
from proofs.evidence import Averaged, Case, Decided, Derived, Enumerated, Mutant, Use
from proofs.expansion import kappa
from proofs.ledger import Statement, Step
from proofs.paper._second_order import Y, mu, mu_hat
from proofs.sharper import log_remainder
from proofs.sharper._gap import GAP, gap, moments, unit_range
from proofs.sharper._two_point_cases import gap_and_variance, three_points
from proofs.sharper.log_remainder import remainder_factor, taylor
from proofs.symbols import declare, k, q, tau

__all__ = ["G_2", "G_4", "hypotheses", "statement"]

G_2 = declare("G_2", "G_2", "(2/tau - 1 + 1/q)/(1 - 1/q)^2: worst factor of D^2", positive=True)
G_4 = declare(
    "G_4", "G_4", "the worst factor of D^4 in the remainder of -log(1 + D)", positive=True
)

hypotheses = unit_range(Y, mu_hat)
_fall = 1 - exp(-2 / tau)
_definitions = {
    q: exp(2 / tau),
    G_2: remainder_factor(2, _fall),
    G_4: remainder_factor(4, _fall),
    gap: GAP,
}
_is = {symbol: Eq(symbol, value) for symbol, value in _definitions.items()}
k2, k3, k4 = kappa(2), kappa(3), kappa(4)
_dev = mu_hat / mu - 1
_remainder = Use("log-remainder", log_remainder.at(_dev, _fall))
_one, _all = moments(Y, Integer(1)), moments(mu_hat, k)
_range = (Le(mu, exp(1 / tau)), Ge(mu, exp(-1 / tau)))
_loss = log(mu) - log(mu_hat)
_split = Eq(log(mu_hat / mu), log(mu_hat) - log(mu))

_pointwise = (
    Le(_loss, taylor(1, _dev) + G_2 * _dev**2),
    Le(_loss, taylor(3, _dev) + G_4 * _dev**4),
    Ge(_loss, taylor(3, _dev)),
)
_second = k2 / (2 * k)
_gaps = (
    Le(gap, G_2 * k2 / k),
    Le(gap, _second - k3 / (3 * k**2) + G_4 * (k4 + 3 * k * k2**2) / k**3),
    Ge(gap, _second - k3 / (3 * k**2)),
)
_sizes = (
    Ge(k2, 0),
    Le(k2, (q - 1) ** 2),
    Ge(k3, -k2),
    Le(k3, (q - 1) * k2),
    Le(k4 + 3 * k2**2, (q - 1) ** 2 * k2),
)
claim = (
    Le(gap, G_2 * k2 / k),
    Le(gap, _second * (1 + (Rational(2, 3) + 8 * G_4 * (q - 1) ** 2) / k)),
    Ge(gap, _second * (1 - Rational(2, 3) * (q - 1) / k)),
)


def _moved(power: int) -> Expr:
    return (Y - mu) ** power


_one_pointwise = (
    Ge(_moved(2), 0, evaluate=False),
    Le(_moved(2), (q - 1) ** 2 * mu**2),
    Ge(_moved(3), -mu * _moved(2)),
    Le(_moved(3), (q - 1) * mu * _moved(2)),
    Le(_moved(4), (q - 1) ** 2 * mu**2 * _moved(2)),
)
_one_means = (
    Ge(mu**2 * k2, 0),
    Le(mu**2 * k2, (q - 1) ** 2 * mu**2),
    Ge(mu**3 * k3, -(mu**3) * k2),
    Le(mu**3 * k3, (q - 1) * mu**3 * k2),
    Le(mu**4 * (k4 + 3 * k2**2), (q - 1) ** 2 * mu**4 * k2),
)


def _cases(relative: Fraction = Fraction(1)) -> Iterator[Case]:
    """Compare the sides of each inequality for laws on three points, k = 1 to 4, in balls."""
    symbols = (gap, k2, G_2, G_4, q, k)
    for temperature, law, count in product(
        (Fraction(1, 2), Fraction(3)), three_points(), (1, 2, 4)
    ):
        at = {tau: temperature}
        constants = [enclose(_definitions[c].subs(at), digits=30) for c in (G_2, G_4, q)]
        numbers = gap_and_variance(law, 1 / temperature, count)
        for number, part in enumerate(claim, 1):
            left, right = (
                arb_function(side, symbols)(*numbers, *constants, count)
                for side in (part.lts, part.gts)
            )
            label = f"part {number}, tau = {temperature}, masses {law}, k = {count}"
            yield Case(label, left, "<=", right * relative.numerator / relative.denominator)


statement = Statement(
    id="gap-second-order",
    title="The Jensen gap of one anchor to second order, with explicit errors",
    where="companion",
    assumptions=[
        "Y has values in [e^{-1/tau}, e^{1/tau}] and mean mu; mu-hat is the average of k copies",
        "kappa_j is the j-th cumulant of Y over mu^j",
    ],
    hypotheses=hypotheses,
    claim=claim,
    definitions=_definitions,
    witness={Y: 1, mu_hat: 1, tau: 1},
    proof=[
        Step(
            text=r"The mean of $Y$ lies in the same range.",
            evidence=Averaged(
                claim=_range,
                pointwise=(Le(Y, exp(1 / tau)), Ge(Y, exp(-1 / tau))),
                given=hypotheses[:2],
                means={Y: mu},
                mutants=[
                    Mutant("1 for e^{1/tau}", Le(mu, 1), pointwise=Le(Y, 1)),
                    Mutant("the range of Y dropped", given=()),
                ],
            ),
        ),
        Step(
            text=r"$\log\mu - \log\hat\mu = -\log(1 + D)$ with $D = \hat\mu/\mu - 1$.",
            evidence=Derived(
                claim=_split,
                by=lambda e: expand_log(e, force=True),
                mutants=[Mutant("the sum", Eq(log(mu_hat / mu), log(mu_hat) + log(mu)))],
            ),
        ),
        Step(
            text=(
                r"Since $D \ge -(1 - e^{-2/\tau})$, `log-remainder` bounds it by Taylor "
                r"polynomials of degree 1 and 3, with the factors $G_2$ and $G_4$."
            ),
            evidence=Decided(
                claim=_pointwise,
                given=(*hypotheses, *_range, _is[G_2], _is[G_4], _remainder, _split),
                mutants=[
                    Mutant("G_2/2", Le(_loss, taylor(1, _dev) + G_2 * _dev**2 / 2)),
                    Mutant(
                        "any G_2",
                        Le(_loss, taylor(1, _dev) + G_2 * _dev**2),
                        given=(*hypotheses, *_range, _is[G_4], _remainder, _split),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                r"Means: $\mathbb{E}D = 0$, $\mathbb{E}D^2 = \kappa_2/k$, $\mathbb{E}D^3 = "
                r"\kappa_3/k^2$, $\mathbb{E}D^4 = \kappa_4/k^3 + 3\kappa_2^2/k^2$."
            ),
            evidence=Averaged(
                claim=_gaps,
                pointwise=_pointwise,
                given=_pointwise,
                means={**_all, log(mu_hat): log(mu) - gap},
                mutants=[
                    Mutant(
                        "kappa_2/3 for kappa_2/2", Ge(gap, k2 / (3 * k)), pointwise=_pointwise[2]
                    ),
                    Mutant(
                        "k + 1 for k",
                        Le(gap, G_2 * k2 / (k + 1)),
                        pointwise=_pointwise[0],
                    ),
                ],
            ),
        ),
        Step(
            text=(
                r"For one copy $Y - \mu \ge -\mu$ and $|Y - \mu| \le (q-1)\mu$, which bounds the "
                r"cumulants by $\kappa_2$."
            ),
            evidence=Averaged(
                claim=_one_means,
                pointwise=_one_pointwise,
                given=(*hypotheses[:2], *_range, _is[q]),
                means=_one,
                mutants=[
                    Mutant(
                        "(q - 1)/2 for q - 1",
                        Le(mu**3 * k3, (q - 1) * mu**3 * k2 / 2),
                        pointwise=Le(_moved(3), (q - 1) * mu * _moved(2) / 2),
                    ),
                    Mutant("the range of mu dropped", given=(*hypotheses[:2], _is[q])),
                ],
            ),
        ),
        Step(
            text="Divide by the powers of the mean.",
            evidence=Decided(
                claim=_sizes,
                given=_one_means,
                mutants=[Mutant("kappa_3 >= 0", Ge(k3, 0))],
            ),
        ),
        Step(
            text=(
                r"Put these in: $-\kappa_3 \le \kappa_2$, and $\kappa_4/k + 3\kappa_2^2 \le "
                r"4(q-1)^2\kappa_2$."
            ),
            evidence=Decided(
                claim=claim,
                given=(*_gaps, *_sizes),
                mutants=[
                    Mutant("1/4 for 1/2", Ge(gap, k2 / (4 * k) * (1 + (q - 1) / k))),
                    Mutant("2 G_4 for 8 G_4", Le(gap, _second * (1 + 2 * G_4 * (q - 1) ** 2 / k))),
                    Mutant("the sizes of the cumulants dropped", given=_gaps),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=claim,
            cases=_cases,
            mutants=[Mutant("half the bounds", arguments={"relative": Fraction(1, 2)})],
        ),
    ],
)
