"""C*, the largest Jensen gap of the logarithm of a shifted Poisson variable, certified."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import (
    And,
    Derivative,
    Eq,
    Expr,
    Ge,
    Gt,
    Integer,
    Le,
    Lt,
    Not,
    Or,
    Rational,
    Subs,
    Symbol,
    diff,
    exp,
    expand_log,
    log,
    simplify,
)

from numerics.balls import BoxReport
from proofs.evaluate import arb_function, to_rational
from proofs.evidence import Argued, Averaged, Cited, Decided, Derived, Enclosed, Mutant, Use
from proofs.evidence.certificate import Certificate
from proofs.evidence.supremum import Supremum
from proofs.ledger import Statement, Step
from proofs.sharper._certified_numbers import CStar
from proofs.sharper._poisson_constant import RECTANGLE
from proofs.sharper.log_remainder import depth, dev, remainder_factor, taylor
from proofs.symbols import declare

__all__ = ["J", "K", "excess", "mean_log", "statement", "x_rate"]

K = declare("K_shift", "K", "a shift, K > 0", positive=True)
x_rate = declare("x_rate", "x", "rate of the Poisson variable over the shift, x > 0", positive=True)
d_poisson = declare("d_poisson", "d", "J - K x, the deviation of J from its mean", real=True)
J = declare("J_poisson", "J", "a Poisson variable of rate K x", nonnegative=True)
mean_log = declare(
    "mean_log", r"\mathbb{E}\log(1 + J/K)", "mean log of 1 + J/K, J ~ Poisson(Kx)", nonnegative=True
)
excess = declare("excess", "F(K, x)", "8 K (log(1 + x) - E log(1 + J/K))", real=True)
peak_excess = declare("peak_excess", "F(K_0, x_0)", "the same at the peak found by Newton's method")
far_bound = declare(
    "far_bound", "B_6", "the bound of F from Taylor's formula of order 6", real=True
)
out_bound = declare("out_bound", "B_2", "8 (log(1 + x) - x/(1 + x))/x, a bound of F", real=True)
G_out = declare("G_out", "G_2", "(log(1 + x) - x/(1 + x)) (1 + x)^2/x^2", real=True)
G_far = declare("G_far", "G_6", "worst factor of D^6 for D >= -x/(1 + x)", real=True)

#: C* to 30 digits, cut off and rounded up.
LOW = Rational("1.00978741389839460120692403156")
HIGH = LOW + Rational(1, 10**29)
#: What F stays below away from its peak, and far out.
NEAR, FAR = Rational("1.0097874138979"), Rational("1.0097")
K_LOW, K_HIGH = Rational(1, 23), Rational(16)
X_LOW, X_HIGH = Rational(1, 6), Rational(16)

_x = x_rate
_y = _x / (1 + _x)
_scale = K * (1 + _x)
_dev = d_poisson / _scale
_shifted = log(1 + _x + d_poisson / K)
_definitions: dict[Any, Any] = {
    d_poisson: J - K * _x,
    excess: 8 * K * (log(1 + _x) - mean_log),
    depth: _y,
    G_out: remainder_factor(2, depth),
    G_far: remainder_factor(6, depth),
}
_is = {symbol: Eq(symbol, value) for symbol, value in _definitions.items()}
_loss = log(1 + _x) - _shifted
_logs = (
    Eq(log(1 + _dev), _shifted - log(1 + _x)),
    Eq(log(1 - _y), -log(1 + _x)),
)
_remainder = Use("log-remainder", {dev: _dev})
_pointwise = (
    Le(_loss, taylor(1, _dev) + G_out * _dev**2),
    Le(_loss, taylor(5, _dev) + G_far * _dev**6),
)
_t = Symbol("t", real=True)
_rate = K * _x
_central = (
    Integer(0),
    _rate,
    _rate,
    _rate + 3 * _rate**2,
    _rate + 10 * _rate**2,
    _rate + 25 * _rate**2 + 15 * _rate**3,
)
_generating = exp(_rate * (exp(_t) - 1 - _t))
_derivatives = [Subs(Derivative(_generating, (_t, i)), _t, 0) for i in range(1, 7)]
_means = {d_poisson ** (i + 1): moment for i, moment in enumerate(_central)}
_means[_shifted] = log(1 + _x) - excess / (8 * K)


def _far(y: Expr, s: Expr, g: Expr) -> Expr:
    """Return the bound of F at K = 1/s and x = y/(1 - y), g being the worst factor of D^6."""
    r = 1 - y
    order_1 = -y * r**2 / 3 + 3 * y**2 * r**2 / 4
    order_2 = y * r**3 / 4 - 2 * y**2 * r**3 + 15 * g * y**3 * r**3
    order_3 = -y * r**4 / 5 + 25 * g * y**2 * r**4
    order_4 = g * y * r**5
    return 8 * (y * r / 2 + s * (order_1 + s * (order_2 + s * (order_3 + s * order_4))))


_by_variance = Le(excess, 8 * K * G_out * _rate / _scale**2)
_out = 8 * (log(1 + _x) - _x / (1 + _x)) / _x
_moment_terms = [_central[i - 1] / (Rational(i) * (-_scale) ** i) for i in range(2, 6)]
_by_moments = Le(excess, 8 * K * (sum(_moment_terms) + G_far * _central[5] / _scale**6))
_is_out, _is_far = Eq(out_bound, _out), Eq(far_bound, _by_moments.rhs)
_room = _x / 8 - log(1 + _x) + _x / (1 + _x)
_slope = Rational(1, 8) - _x / (1 + _x) ** 2
_between = And(Gt(_x, X_LOW), Lt(_x, X_HIGH))
_outside_x = Or(_between, Ge(_room, 0))
_small_k = Or(Gt(K, K_LOW), Gt(_x, X_HIGH), Lt(8 * K * log(1 + _x), 1))
_at_the_corner = Lt(8 * K_LOW * log(1 + X_HIGH), 1, evaluate=False)
_far_off = Or(Lt(K, K_HIGH), Lt(_x, X_LOW), Gt(_x, X_HIGH), Lt(far_bound, FAR))
_pieces = (
    Or(_between, Le(excess, 1)),
    Or(Gt(K, K_LOW), Gt(_x, X_HIGH), Lt(excess, 1)),
    Or(Lt(K, K_HIGH), Lt(_x, X_LOW), Gt(_x, X_HIGH), Lt(excess, FAR)),
)
_beyond = Or(Not(_between), Lt(K, K_LOW), Gt(K, K_HIGH))
_in_rectangle = And(
    *(
        part
        for value, ends in zip((K, K * _x), RECTANGLE, strict=True)
        for part in (Ge(value, to_rational(ends[0])), Le(value, to_rational(ends[1])))
    )
)
_corners = Or(_beyond, _in_rectangle, Le(excess, NEAR))
_peak = (Or(Not(_in_rectangle), Le(excess, HIGH)), Ge(peak_excess, LOW))
_member = Le(peak_excess, CStar())
claim = (Ge(CStar(), LOW), Le(CStar(), HIGH))


def _outside(*, bound: Rational = NEAR) -> BoxReport:
    """Certify F below the bound on the box, outside the rectangle about the peak."""
    from proofs.sharper._poisson_constant import certify_outside_peak

    return certify_outside_peak(_fraction(bound), _ends(K_LOW, K_HIGH), _ends(X_LOW, X_HIGH))


def _value(*, low: Rational = LOW, high: Rational = HIGH) -> BoxReport:
    """Certify the maximum on the rectangle."""
    from proofs.sharper._poisson_constant import certify_value

    return certify_value(_fraction(low), _fraction(high))


def _far_report(*, bound: Rational = FAR) -> BoxReport:
    """Certify the bound for large K, in y = x/(1 + x) and s = 1/K."""
    from numerics.balls import certify_on_box

    y, s = Symbol("y", real=True), Symbol("s", real=True)
    right = _far(y, s, remainder_factor(6, y))
    parts = [bound - right, -diff(right, y), -diff(right, s)]
    function, *gradient = (arb_function(part, (y, s)) for part in parts)
    box = [
        _ends(X_LOW / (1 + X_LOW), X_HIGH / (1 + X_HIGH)),
        _ends(Rational(0), 1 / K_HIGH),
    ]
    return certify_on_box(function, box, gradient=gradient, strict=True, max_boxes=60_000)


def _fraction(value: Rational) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _ends(low: Rational, high: Rational) -> tuple[Fraction, Fraction]:
    return _fraction(low), _fraction(high)


def _ball(*, digits: int) -> Any:
    from proofs.sharper._poisson_constant import poisson_constant as enclosure

    return enclosure(digits)


def _by_logs(expression: Expr) -> Expr:
    return expand_log(simplify(expression), force=True).simplify()


statement = Statement(
    id="poisson-constant",
    title="C*, the largest Jensen gap of the logarithm of a shifted Poisson variable",
    where="companion",
    assumptions=["J is Poisson with rate K x; F(K, x) = 8 K (log(1 + x) - E log(1 + J/K))"],
    claim=claim,
    definitions={
        CStar(): "the supremum of F(K, x) over K > 0 and x > 0",
        **_definitions,
        out_bound: _out,
        far_bound: _by_moments.rhs,
        peak_excess: "F at the point K_0 = 2.2386167..., x_0 = 1.1802006... of Newton's method",
    },
    proof=[
        Step(
            text=r"The moments of $d = J - Kx$; its generating function is $e^{Kx(e^t - 1 - t)}$.",
            evidence=Derived(
                claim=tuple(map(Eq, _derivatives[1:], _central[1:])),
                mutants=[
                    Mutant("2 for 3 in the fourth", Eq(_derivatives[3], _rate + 2 * _rate**2))
                ],
            ),
        ),
        Step(
            text=r"Logarithms of quotients.",
            evidence=Derived(
                claim=_logs,
                by=_by_logs,
                mutants=[Mutant("the sign turned", Eq(log(1 - _y), log(1 + _x)))],
            ),
        ),
        Step(
            text=(
                r"$D = d/(K(1+x))$ has mean 0 and is at least $-x/(1+x)$, as $J \ge 0$: apply "
                r"`log-remainder` with the orders 2 and 6."
            ),
            evidence=Decided(
                claim=_pointwise,
                given=(
                    _is[d_poisson],
                    _is[depth],
                    _is[G_out],
                    _is[G_far],
                    _remainder,
                    _logs[0],
                ),
                mutants=[
                    Mutant("half the remainder", Le(_loss, taylor(1, _dev) + G_out * _dev**2 / 2)),
                ],
            ),
        ),
        Step(
            text="Mean of the bound of order 2.",
            evidence=Averaged(
                claim=_by_variance,
                pointwise=Le(8 * K * _loss, 8 * K * _pointwise[0].rhs),
                given=(_pointwise[0], _is[excess]),
                means=_means,
                fixed=(K, _x),
                mutants=[Mutant("4 for 8", Le(excess, _by_variance.rhs / 2))],
            ),
        ),
        Step(
            text=r"It does not depend on $K$.",
            evidence=Derived(
                claim=Eq(_by_variance.rhs, _out),
                given=(_is[G_out], _is[depth], _logs[1]),
                by=_by_logs,
                mutants=[Mutant("x^2 for x", Eq(_by_variance.rhs, _out / _x))],
            ),
        ),
        Step(
            text=r"$x/8 - \log(1+x) + x/(1+x)$ has the derivative $1/8 - x/(1+x)^2$ ...",
            evidence=Derived(
                claim=Eq(Derivative(_room, _x), _slope),
                mutants=[
                    Mutant("1 + x for its square", Eq(Derivative(_room, _x), Rational(1, 8) - _y))
                ],
            ),
        ),
        Step(
            text=r"... which is not negative for $x \le 1/6$ and for $x \ge 6$ ...",
            evidence=Decided(
                claim=Or(Ge(_slope, 0), And(Gt(_x, X_LOW), Lt(_x, 6))),
                mutants=[
                    Mutant(
                        "1/4 for 1/6", Or(Ge(_slope, 0), And(Gt(_x, Rational(1, 4)), Lt(_x, 6)))
                    ),
                    Mutant("5 for 6", Or(Ge(_slope, 0), And(Gt(_x, X_LOW), Lt(_x, 5)))),
                ],
            ),
        ),
        Step(
            text=r"... and it is positive at 16.",
            evidence=Enclosed(
                claim=Gt(_room.subs(_x, X_HIGH), 0, evaluate=False),
                mutants=[Mutant("at 14", Gt(_room.subs(_x, 14), 0, evaluate=False))],
            ),
        ),
        Step(
            text=r"So it is not negative for $x \le 1/6$ (it vanishes at 0) and for $x \ge 16$.",
            evidence=Cited(source="mean value theorem (monotone functions)", claim=_outside_x),
        ),
        Step(
            text=r"For $K \le 1/23$ and $x \le 16$: $8K\log(1+x) \le \frac{8}{23}\log 17 < 1$ ...",
            evidence=Enclosed(
                claim=_at_the_corner,
                mutants=[Mutant("1/22 for 1/23", Lt(Rational(8, 22) * log(17), 1, evaluate=False))],
            ),
        ),
        Step(
            text="... since the logarithm increases.",
            evidence=Decided(
                claim=_small_k,
                given=(_at_the_corner,),
                mutants=[
                    Mutant(
                        "K <= 1 for K <= 1/23",
                        Or(Gt(K, 1), Gt(_x, X_HIGH), Lt(8 * K * log(1 + _x), 1)),
                    )
                ],
            ),
        ),
        Step(
            text="Mean of the bound of order 6.",
            evidence=Averaged(
                claim=_by_moments,
                pointwise=Le(8 * K * _loss, 8 * K * _pointwise[1].rhs),
                given=(_pointwise[1], _is[excess]),
                means=_means,
                fixed=(K, _x),
                mutants=[Mutant("no remainder", Le(excess, 8 * K * sum(_moment_terms)))],
            ),
        ),
        Step(
            text=r"In $y = x/(1+x)$ and $s = 1/K$ this is a polynomial in $s$.",
            evidence=Derived(
                claim=Eq(_by_moments.rhs, _far(_y, 1 / K, G_far)),
                mutants=[Mutant("2 G_6", Eq(_by_moments.rhs, _far(_y, 1 / K, 2 * G_far)))],
            ),
        ),
        Step(
            text=r"For $K \ge 16$ and $1/6 \le x \le 16$ it is below 1.0097.",
            evidence=Certificate(
                claim=_far_off,
                certificate=_far_report,
                mutants=[Mutant("1.001", arguments={"bound": Rational("1.001")})],
            ),
        ),
        Step(
            text=(
                r"What is left is cut into boxes. $\mathbb{E}\log(K+J)$ is concave in "
                r"$K$ and in $L = Kx$, so it lies above the bilinear interpolant of its corners; "
                r"$\log(K+L)$ lies below a tangent plane and $c/K$ above a tangent line."
            ),
            evidence=Argued(
                text=(
                    "log(K + j) is concave in K for each j, hence so is its mean. In L: the "
                    "derivative of the mean of f(J), J ~ Poisson(L), is the mean of f(J + 1) - "
                    "f(J), so the second derivative is the mean of f(J + 2) - 2 f(J + 1) + f(J), "
                    "which is negative for f = log(K + .) since (y + 2) y < (y + 1)^2. A function "
                    "that is concave along both axes lies above the chord in K, whose ends lie "
                    "above their chords in L. F <= B is log(K + L) - E log(K + J) <= B/(8K). With "
                    "the three bounds the difference of the sides is at most a function that is "
                    "linear in K for fixed L and in L for fixed K; on a box such a function is "
                    "largest at a corner. So four evaluations in ball arithmetic decide a box."
                ),
                why="a reduction of a box to its corners; the corners are then certified",
            ),
        ),
        Step(
            text=r"Outside a small rectangle about the peak $F < 1.0097874138979$.",
            evidence=Certificate(
                claim=_corners,
                certificate=_outside,
                mutants=[Mutant("1.0097", arguments={"bound": Rational("1.0097")})],
            ),
        ),
        Step(
            text=(
                r"On the rectangle the Hessian of $F$ in $(K, L)$ is at most $-\alpha < 0$, so "
                r"$\max F \le F(z) + |\nabla F(z)|^2/(2\alpha)$ for any $z$ in it; Newton's method "
                r"supplies $z$."
            ),
            evidence=Certificate(
                claim=_peak,
                certificate=_value,
                mutants=[
                    Mutant("10^{-29} lower", arguments={"low": 2 * LOW - HIGH, "high": LOW}),
                    Mutant("10^{-29} higher", arguments={"low": HIGH, "high": 2 * HIGH - LOW}),
                ],
            ),
        ),
        Step(
            text="The peak is one of the points over which the supremum is taken.",
            evidence=Cited(source="definition of a supremum", claim=_member),
        ),
        Step(
            text="So far out $F$ is small, one way or another.",
            evidence=Decided(
                claim=_pieces,
                given=(
                    _is[excess],
                    _is_out,
                    _is_far,
                    _by_variance,
                    Eq(_by_variance.rhs, _out),
                    _outside_x,
                    _small_k,
                    _by_moments,
                    _far_off,
                ),
                mutants=[
                    Mutant("x < 8 for x < 16", Or(And(Gt(_x, X_LOW), Lt(_x, 8)), Le(excess, 1)))
                ],
            ),
        ),
        Step(
            text="Every point lies in one of the pieces.",
            evidence=Supremum(
                claim=Le(CStar(), HIGH),
                suprema={CStar(): excess},
                varying=(excess, K, _x),
                given=(*_pieces, _corners, _peak[0]),
                mutants=[
                    Mutant("1.0097", Le(CStar(), FAR)),
                    Mutant("the boxes left out", given=(*_pieces, _peak[0])),
                ],
            ),
        ),
        Step(
            text="Together.",
            evidence=Decided(
                claim=claim,
                given=(Le(CStar(), HIGH), _member, _peak[1]),
                mutants=[
                    Mutant("10^{-29} lower", Le(CStar(), LOW)),
                    Mutant("the peak not a member", given=(Le(CStar(), HIGH), _peak[1])),
                ],
            ),
        ),
    ],
    constants=[],
)
