"""k two-point draws against a shifted Poisson variable: the latter has the larger Jensen gap."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import (
    Eq,
    Expr,
    Ge,
    Gt,
    Le,
    Rational,
    Subs,
    UnevaluatedExpr,
    diff,
    exp,
    expand_log,
    log,
    logcombine,
    simplify,
)

from proofs.evidence import Cited, Decided, Derived, Enumerated, Mutant, Use
from proofs.ledger import Statement, Step
from proofs.paper._second_order import mu
from proofs.paper.lemma_2 import p
from proofs.sharper._domination_cases import domination_cases
from proofs.sharper._gap import gap_two
from proofs.sharper.poisson_constant import K, mean_log, x_rate
from proofs.sharper.two_point_lemma import log_ends, y_high, y_low
from proofs.symbols import declare, k

__all__ = ["at", "shifted_poisson", "statement"]

a_off = declare("a_off", "a", "Y_min over the distance of the ends", positive=True)
r_jump = declare("r_jump", "r", "1/(1 + 2a), the factor by which jumps shrink", positive=True)
slack_off = declare("slack_off", "A", "a - r a (1 + a)", nonnegative=True)
tilt = declare(
    "tilt", r"\theta", "p/(p + (1-p) e^y): p tilted by e^{-y}, in [0, 1]", nonnegative=True
)
y_exp = declare("y_exp", "y", "an exponent, y >= 0", nonnegative=True)
u_lap = declare("u_lap", "u", "argument of a Laplace transform", positive=True)

_width = y_high - y_low
_a, _r, _A, _y = a_off, r_jump, slack_off, y_exp
_definitions: dict[Any, Any] = {
    a_off: y_low / _width,
    r_jump: 1 / (1 + 2 * a_off),
    slack_off: a_off - r_jump * a_off * (1 + a_off),
    tilt: p / (p + (1 - p) * exp(y_exp)),
    mu: y_low + p * _width,
    K: k * a_off * (1 + a_off),
    x_rate: (slack_off + p) / (r_jump * a_off * (1 + a_off)),
    gap_two: log(mu) - log_ends,
}
_is = {symbol: Eq(symbol, value) for symbol, value in _definitions.items()}
#: By these the conclusion depends on the ends.
_SHOWN = (a_off, r_jump, slack_off, K, x_rate)


def shifted_poisson(low: Expr, high: Expr) -> dict[Any, Expr]:
    """Return what defines the shifted Poisson variable for two ends."""
    ends = {y_low: low, y_high: high}
    return {symbol: _definitions[symbol].subs(ends) for symbol in _SHOWN}


def at(low: Expr, high: Expr) -> tuple[Any, ...]:
    """Return the statement for two ends, after the definitions by which it speaks of them."""
    defined = (Eq(symbol, value) for symbol, value in shifted_poisson(low, high).items())
    return (*defined, Use("poisson-domination", {y_low: low, y_high: high}))


_hypotheses = (Gt(y_high, y_low), Le(p, 1))


def _two_point(y: Expr) -> Expr:
    """Return log E e^{-y(a + B)}, B = 1 with probability p, else 0."""
    return log(1 - p + p * exp(-y)) - y * _a


def _poisson(y: Expr) -> Expr:
    """Return log E e^{-y(r a (1 + a) + r N)}, N Poisson of rate (A + p)/r."""
    return -y * _r * _a * (1 + _a) - (_A + p) / _r * (1 - exp(-_r * y))


_tilt = _definitions[tilt]
_slope = _A + _tilt - (_A + p) * exp(-_r * _y)
_weighted = exp(_r * _y) * (_A + _tilt)
_growth = _r * (_A + tilt) - tilt * (1 - tilt)
_derivatives = (
    Eq(diff(_poisson(_y) - _two_point(_y), _y), _slope),
    Eq(diff(_weighted, _y), exp(_r * _y) * _growth.subs(tilt, _tilt)),
)
_at_zero = (
    Eq(Subs(_weighted, _y, 0), _A + p),
    Eq(Subs(_poisson(_y) - _two_point(_y), _y, 0), 0),
)
_grows = Ge(_growth, 0)
_weighted_grows = Ge(_weighted, _A + p)
_slope_positive = Ge(_slope, 0)
_dominated = Le(_two_point(_y), _poisson(_y))
_step = u_lap * _width / (k * mu)
#: The shifted Poisson variable, in units of mu: shift + jump N, N of rate `_rate`.
_shift = _r * _a * (1 + _a) * _width / mu
_jump = _r * _width / (k * mu)
_rate = k * (_A + p) / _r
_transforms = (
    Eq(k * _poisson(_step), -u_lap * _shift - _rate * (1 - exp(-u_lap * _jump))),
    Eq(k * _two_point(_step), k * log(1 - p + p * exp(-_step)) - u_lap * y_low / mu),
)
_shape = (
    Eq(UnevaluatedExpr(_shift) / UnevaluatedExpr(_jump), k * _a * (1 + _a)),
    Eq(UnevaluatedExpr(_rate * _jump) / UnevaluatedExpr(_shift), (_A + p) / (_r * _a * (1 + _a))),
    Eq(_shift * (1 + (_A + p) / (_r * _a * (1 + _a))), 1),
)
_log_shift = Eq(log(_shift), -log(1 + x_rate))
_frullani = Ge(log_ends - log(mu), log(_shift) + mean_log)
_below = Le(gap_two, log(1 + x_rate) - mean_log)
_is_k = Eq(K, k * y_low * y_high / _width**2)
claim = (_below, _is_k)
_parameters = (_is[slack_off], _is[r_jump], _is[a_off], _is[mu])


def _one_log(expression: Expr) -> Expr:
    """Simplify a sum of logarithms of positive numbers as the logarithm of a product."""
    return simplify(expand_log(logcombine(expression, force=True).simplify(), force=True))


statement = Statement(
    id="poisson-domination",
    title="k draws from two points have a smaller Jensen gap than a shifted Poisson variable",
    where="companion",
    assumptions=["the draws are Y_max with probability p in [0, 1], else Y_min"],
    hypotheses=_hypotheses,
    claim=claim,
    definitions={
        **_definitions,
        mean_log: "the mean over J, Poisson of rate K x",
        log_ends: "mean log of the average of the k draws",
    },
    witness={y_low: 1, y_high: 2, p: Rational(1, 2)},
    proof=[
        Step(
            text=(
                r"In units of the distance of the ends a draw is $a + B$, $B$ Bernoulli. Compare "
                r"it with $r a(1+a) + rN$, $N$ Poisson of rate $(A+p)/r$: the logarithms of their "
                r"Laplace transforms differ by a function with the derivative "
                r"$A + \theta - (A+p)e^{-ry}$, and $e^{ry}(A + \theta)$ has the derivative "
                r"$e^{ry}(r(A+\theta) - \theta(1-\theta))$."
            ),
            evidence=Derived(
                claim=_derivatives,
                given=(_is[slack_off],),
                mutants=[
                    Mutant(
                        "A for A + p",
                        Eq(_derivatives[0].lhs, _A + _tilt - _A * exp(-_r * _y)),
                    ),
                    Mutant(
                        "theta for theta(1 - theta)",
                        Eq(_derivatives[1].lhs, exp(_r * _y) * (_r * (_A + _tilt) - _tilt)),
                    ),
                ],
            ),
        ),
        Step(
            text=r"The last factor is not negative: it is $(\theta - (1-r)/2)^2$.",
            evidence=Decided(
                claim=_grows,
                given=(_is[r_jump], _is[slack_off]),
                mutants=[
                    Mutant("r/2 for r", Ge(_r / 2 * (_A + tilt) - tilt * (1 - tilt), 0)),
                    Mutant("any r", given=(_is[slack_off],)),
                ],
            ),
        ),
        Step(
            text=r"At $y = 0$ the two functions are $A + p$ and 0.",
            evidence=Derived(
                claim=_at_zero,
                mutants=[Mutant("A for A + p", Eq(_weighted.subs(_y, 0), _A))],
            ),
        ),
        Step(
            text=r"So $e^{ry}(A + \theta)$ never falls below its value at 0 ...",
            evidence=Cited(source="mean value theorem (monotone functions)", claim=_weighted_grows),
        ),
        Step(
            text=r"... which makes the derivative of the difference positive.",
            evidence=Decided(
                claim=_slope_positive,
                given=(_weighted_grows, _hypotheses[1]),
                mutants=[
                    Mutant("2A + p", Ge(_A + _tilt - (2 * _A + p) * exp(-_r * _y), 0)),
                    Mutant("its growth dropped", given=(_hypotheses[1],)),
                ],
            ),
        ),
        Step(
            text="Hence the transform of a draw is at most that of the Poisson variable.",
            evidence=Cited(source="mean value theorem (monotone functions)", claim=_dominated),
        ),
        Step(
            text=(
                r"For the average of $k$ draws over $\mu$ take $k$ times this at "
                r"$y = u(Y_{\max} - Y_{\min})/(k\mu)$: again a shifted Poisson variable."
            ),
            evidence=Derived(
                claim=_transforms,
                given=(_is[a_off],),
                mutants=[
                    Mutant(
                        "the rate without k",
                        Eq(
                            _transforms[0].lhs,
                            -u_lap * _shift - (_A + p) / _r * (1 - exp(-u_lap * _jump)),
                        ),
                    )
                ],
            ),
        ),
        Step(
            text=(
                r"Its shift over its jump is $K = ka(1+a)$, its rate is $Kx$, and its mean is 1, "
                r"so that the shift is $1/(1+x)$."
            ),
            evidence=Derived(
                claim=_shape,
                given=_parameters,
                mutants=[
                    Mutant("a^2 for a(1 + a)", Eq(_shift / _jump, k * _a**2)),
                    Mutant("mean 2", Eq(_shape[2].lhs, 2)),
                ],
            ),
        ),
        Step(
            text=r"Its logarithm:",
            evidence=Derived(
                claim=_log_shift,
                given=(_is[x_rate], *_parameters),
                by=_one_log,
                at=(
                    {p: Rational(1, 3), y_low: 1, y_high: 3},
                    {p: Rational(4, 5), y_low: 2, y_high: 3},
                ),
                mutants=[Mutant("the sign turned", Eq(log(_shift), log(1 + x_rate)))],
            ),
        ),
        Step(
            text=(
                r"Frullani: $\log S = \int_0^\infty (e^{-u} - e^{-uS})\,du/u$. The smaller "
                r"transform has the larger mean logarithm."
            ),
            evidence=Cited(source="Frullani's integral", claim=_frullani),
        ),
        Step(
            text=r"$K$ in terms of the ends.",
            evidence=Derived(
                claim=_is_k,
                given=(_is[K], _is[a_off]),
                mutants=[Mutant("Y_max^2", Eq(K, k * y_high**2 / _width**2))],
            ),
        ),
        Step(
            text=r"Subtract from $\log\mu$.",
            evidence=Decided(
                claim=claim,
                given=(_hypotheses[0], _frullani, _log_shift, _is[gap_two], _is_k),
                mutants=[
                    Mutant("half of it", Le(gap_two, (log(1 + x_rate) - mean_log) / 2)),
                    Mutant(
                        "Frullani's consequence dropped",
                        given=(_hypotheses[0], _log_shift, _is[gap_two]),
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim=_below,
            cases=domination_cases,
            mutants=[Mutant("9/10 of it", arguments={"scale": Fraction(9, 10)})],
        ),
    ],
    remarks=(
        "Equality is approached as k grows with K fixed: the binomial number of draws equal to "
        "Y_max then tends to a Poisson variable and r to 1."
    ),
)
