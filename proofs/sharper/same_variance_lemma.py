"""Of laws with given mean and variance, which has the largest Jensen gap of the logarithm."""

from __future__ import annotations

from sympy import (
    Derivative,
    Eq,
    Ge,
    Gt,
    Le,
    Lt,
    Rational,
    Symbol,
    diff,
    exp,
    log,
)

from proofs.evidence import Averaged, Cited, Decided, Derived, Enumerated, Mutant
from proofs.ledger import Statement, Step
from proofs.paper._second_order import Y, m2, mu, mu_hat
from proofs.sharper._gap import GAP, gap
from proofs.sharper._two_point_cases import same_variance_cases
from proofs.sharper.two_point_lemma import y_low
from proofs.symbols import Mean, declare, k

__all__ = ["gap_same", "statement", "y_far"]

y_far = declare(
    "y_far", "b", "larger value of the law {Y_min, b} with Y's mean and variance", positive=True
)
p_far = declare("p_far", "p_b", "probability of b", positive=True)
gap_same = declare(
    "gap_same",
    r"\mathrm{gap}_k\{Y_{\min}, b\}",
    "Jensen gap of log over k draws from {Y_min, b}, in nats",
    real=True,
)
depth_lap = declare(
    "depth_lap",
    r"\vartheta(b - Y_{\min})",
    "theta times the distance of b and Y_min",
    positive=True,
)
curve = declare("curve", "A", "curvature of the parabola: (e^U - 1 - U)/U^2", real=True)
theta_lap = declare("theta_lap", r"\vartheta", "argument of the Laplace transform", positive=True)
lap = declare("lap", r"\mathbb{E}e^{-\vartheta(Y-b)}", "Laplace transform of Y - b", positive=True)
lap_two = declare(
    "lap_two", r"(1-p_b)e^{\vartheta(b-Y_{\min})} + p_b", "the same for {Y_min, b}", positive=True
)
log_two = declare(
    "log_two", r"\mathbb{E}\log\hat\mu_b", "mean log of the average of k draws from {Y_min, b}"
)


_v = Symbol("v", real=True)
_hypotheses = (Ge(Y, y_low), Gt(mu, y_low))
_top = exp(-_v) - 1 + _v
_quotient = (
    Eq(diff(_top / _v**2, _v), (_v * diff(_top, _v) - 2 * _top) / _v**3),
    Eq(Derivative(_v * diff(_top, _v) - 2 * _top, _v), (1 + _v) * exp(-_v) - 1),
)
_tangent = Ge(exp(_v), 1 + _v)
_decay = exp(-theta_lap * (Y - y_far))
_parabola = 1 - theta_lap * (Y - y_far) + curve * theta_lap**2 * (Y - y_far) ** 2
_below = Le(_decay, _parabola)
_averaged = 1 - theta_lap * (mu - y_far) + curve * theta_lap**2 * (m2 - 2 * y_far * mu + y_far**2)
_definitions = {
    y_far: mu + (m2 - mu**2) / (mu - y_low),
    p_far: (mu - y_low) / (y_far - y_low),
    depth_lap: theta_lap * (y_far - y_low),
    curve: (exp(depth_lap) - 1 - depth_lap) / depth_lap**2,
    lap_two: (1 - p_far) * exp(depth_lap) + p_far,
    gap: GAP,
    gap_same: log(mu) - log_two,
}
_is = {symbol: Eq(symbol, value) for symbol, value in _definitions.items()}
_moments = Eq(m2, mu**2 + (y_far - mu) * (mu - y_low))
_smaller = Le(lap, lap_two)
_frullani = Ge(Mean(log(mu_hat)), log_two)
claim = Le(gap, gap_same)

statement = Statement(
    id="same-variance-lemma",
    title="Of laws with given mean and variance, one on two points has the largest gap",
    where="companion",
    assumptions=[
        "Y_1, ..., Y_k are iid copies of Y, with mean mu, second moment mu_2 and average mu-hat",
        "Y need not be bounded above",
    ],
    hypotheses=_hypotheses,
    claim=claim,
    definitions={
        **_definitions,
        log_two: "mean log of the average of k draws: b with probability p_b, else Y_min",
    },
    witness={Y: 1, y_low: Rational(1, 2), mu: 1},
    proof=[
        Step(
            text=(
                r"$(e^{-v} - 1 + v)/v^2$ has a derivative whose numerator "
                r"vanishes at 0, and this numerator has the derivative $(1+v)e^{-v} - 1$ ..."
            ),
            evidence=Derived(
                claim=_quotient,
                mutants=[
                    Mutant(
                        "1 for 1 + v",
                        Eq(Derivative(_v * diff(_top, _v) - 2 * _top, _v), exp(-_v) - 1),
                    )
                ],
            ),
        ),
        Step(
            text="... (the exponential lies above its tangent at 0)",
            evidence=Cited(source="convexity of the exponential", claim=_tangent),
        ),
        Step(
            text=r"... which is not positive.",
            evidence=Decided(
                claim=Le((1 + _v) * exp(-_v) - 1, 0),
                given=(_tangent,),
                mutants=[Mutant("2 + v for 1 + v", Le((2 + _v) * exp(-_v) - 1, 0))],
            ),
        ),
        Step(
            text=(
                r"So the quotient falls, and $v = \vartheta(Y - b)$ is at least "
                r"$-\vartheta(b - Y_{\min})$: the exponential lies below the parabola that meets "
                r"it at $Y_{\min}$ and touches it at $b$."
            ),
            evidence=Cited(source="mean value theorem (monotone functions)", claim=_below),
        ),
        Step(
            text="The law $\\{Y_{\\min}, b\\}$ has the variance of $Y$.",
            evidence=Decided(
                claim=_moments,
                given=(*_hypotheses, _is[y_far]),
                mutants=[
                    Mutant("half of it", Eq(m2, mu**2 + (y_far - mu) * (mu - y_low) / 2)),
                    Mutant("b unrelated to the variance", given=_hypotheses),
                ],
            ),
        ),
        Step(
            text="The mean of the parabola depends on two moments of $Y$ only ...",
            evidence=Averaged(
                claim=Le(lap, _averaged),
                pointwise=_below,
                given=(_below,),
                means={_decay: lap, Y: mu, Y**2: m2},
                fixed=(theta_lap, y_far),
                mutants=[
                    Mutant(
                        "b^2 dropped",
                        Le(lap, _averaged - curve * theta_lap**2 * y_far**2),
                    )
                ],
            ),
        ),
        Step(
            text="... so it is the Laplace transform of the two-point law.",
            evidence=Derived(
                claim=Eq(_averaged, (1 - p_far) * exp(depth_lap) + p_far),
                given=(_moments, _is[p_far], _is[curve], _is[depth_lap]),
                mutants=[
                    Mutant(
                        "the probabilities exchanged",
                        Eq(_averaged, p_far * exp(depth_lap) + 1 - p_far),
                    )
                ],
            ),
        ),
        Step(
            text="Hence the transform of the sum of $k$ draws is smaller than for two-point draws.",
            evidence=Decided(
                claim=Le(k * log(lap), k * log(lap_two)),
                given=(
                    Le(lap, _averaged),
                    Eq(_averaged, (1 - p_far) * exp(depth_lap) + p_far),
                    _is[lap_two],
                ),
                mutants=[
                    Mutant("the bound dropped", given=()),
                    Mutant("strictly", Lt(k * log(lap), k * log(lap_two))),
                ],
            ),
        ),
        Step(
            text=(
                r"Frullani: $\log S = \int_0^\infty (e^{-u} - e^{-uS})\,du/u$, so a smaller "
                r"transform, at every $\vartheta = u/k$, means a larger mean of the logarithm."
            ),
            evidence=Cited(source="Frullani's integral", claim=_frullani),
        ),
        Step(
            text=r"Subtract from $\log\mu$.",
            evidence=Decided(
                claim=claim,
                given=(_frullani, _is[gap], _is[gap_same]),
                mutants=[
                    Mutant("the other way round", Ge(gap, gap_same)),
                    Mutant("Frullani's consequence dropped", given=(_is[gap], _is[gap_same])),
                ],
            ),
        ),
    ],
    tight=True,
    attained=Enumerated(
        claim="equality where Y has the two values Y_min and b already",
        cases=same_variance_cases,
        arguments={"two_valued": True},
        mutants=[
            Mutant("three values", arguments={"relation": "=="}),
        ],
    ),
    crosschecks=[
        Enumerated(
            claim="the mean of log 4x and of x/(1 + x) is smallest for {Y_min, b}: k = 1 to 4",
            cases=same_variance_cases,
            mutants=[Mutant("for the law on {a, Y_max}", arguments={"other_end": True})],
        ),
    ],
)
