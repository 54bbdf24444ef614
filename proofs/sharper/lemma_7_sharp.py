"""The exact constant H_beta of lemma 7: softmax average against power mean, over all k."""

from __future__ import annotations

from typing import Any

from sympy import (
    Eq,
    Expr,
    Ge,
    Gt,
    Integer,
    Le,
    Rational,
    Symbol,
    cosh,
    exp,
    expand_log,
    log,
    powsimp,
    simplify,
)

from proofs.evidence import Averaged, Cited, Decided, Derived, Mutant, OnWorlds
from proofs.ledger import Statement, Step
from proofs.paper.lemma_7 import power_mean, soft_a, x_j
from proofs.sharper._power_mean_factor import best_vertices
from proofs.symbols import beta, declare, q, tau

conjugate = declare("conjugate", r"\beta'", "conjugate exponent beta/(beta-1)", positive=True)
q_power = declare("q_power", r"q^{\beta'}", "q to the conjugate exponent", positive=True)
W_j = declare("W_j", "W_j", "e^{(x_j+1)/tau}, a multiple of the softmax weight", positive=True)
share = declare("share", "s", "(mean W - 1)/(q - 1)")
mean_W_power = declare(
    "mean_W_power", r"\overline{W^{\beta'}}", "mean of the W_j^beta'", positive=True
)
best_share = declare("best_share", "s_*", "share at which the ratio of means is largest")
best_power = declare("best_power", "u_*", "mean of the W^beta' at the best share", positive=True)
H_beta = declare(
    "H_beta", r"H_\beta", "largest ratio of a softmax average to a power mean", positive=True
)
H_2 = declare("H_2", "H_2", "H_beta at beta = 2", positive=True)

mean_W = 1 + share * (q - 1)
best_mean = 1 + best_share * (q - 1)


def best_share_of(b: Expr, power: Expr) -> Expr:
    """Return the share of the k weights that are q times the smallest, at the maximum."""
    return ((power - 1) - b * (q - 1)) / ((b - 1) * (q - 1) * (power - 1))


def ratio_of(b: Expr, s: Expr) -> Expr:
    """Return the ratio for weights q (a share s of them) and 1 (the rest)."""
    return (s * q**b + 1 - s) ** (1 / b) / (s * q + 1 - s)


def factor(b: Expr) -> Expr:
    """Return H_beta as a function of q and the conjugate exponent b."""
    return ratio_of(b, best_share_of(b, q**b))


_definitions: dict[Any, Any] = {
    q: exp(2 / tau),
    conjugate: beta / (beta - 1),
    q_power: q**conjugate,
    W_j: exp((x_j + 1) / tau),
    best_share: best_share_of(conjugate, q_power),
    best_power: 1 + best_share * (q_power - 1),
    H_beta: best_power ** (1 / conjugate) / best_mean,
    H_2: factor(Integer(2)),
}
_is = {symbol: Eq(symbol, value) for symbol, value in _definitions.items()}

_range = (Ge(x_j, -1), Le(x_j, 1), Gt(beta, 1))
_logs = (Eq(log(W_j), (x_j + 1) / tau), Eq(log(W_j / q), (x_j - 1) / tau))
_sizes = (Ge(W_j, 1), Le(W_j, q), Gt(q, 1), Gt(conjugate, 1))
_hoelder = Le(soft_a, mean_W_power ** (1 / conjugate) / mean_W * power_mean)
_chord = Le(W_j**conjugate, 1 + (q_power - 1) * (W_j - 1) / (q - 1))
_mean_power = Le(mean_W_power, 1 + (q_power - 1) * share)
_mean_at_least = Ge(share, 0)
_bernoulli = (
    Ge(q_power - 1, conjugate * (q - 1)),
    Ge(1 / q_power - 1, conjugate * (1 / q - 1)),
)
_share_range = (Ge(best_share, 0), Le(best_share, 1))
_stationary = Eq((q_power - 1) * best_mean, conjugate * (q - 1) * best_power)
_tangent = Le(
    mean_W_power ** (1 / conjugate),
    best_power ** (1 / conjugate) * (1 + (mean_W_power / best_power - 1) / conjugate),
)
_root = Le(mean_W_power ** (1 / conjugate), H_beta * mean_W)
_exact = Le(soft_a, H_beta * power_mean)
_at_2 = Eq(H_2, cosh(1 / tau))
_log_facts = (
    Eq(log(H_beta), log(best_power) / conjugate - log(best_mean)),
    Eq(log(q_power / q * best_mean), (conjugate - 1) * log(q) + log(best_mean)),
    Eq(log(q ** (1 / beta)), log(q) / beta),
)
_below = Le(H_beta, q ** (1 / beta))
claim = (_exact, _at_2, _below)
_means = {W_j: mean_W, W_j**conjugate: mean_W_power}


_s = Symbol("s", positive=True)
_b = Symbol("b", positive=True)


def _two_atoms(power: Expr) -> Expr:
    """Return softmax average over power mean: weights q and 1, a = W^power, shares s and 1."""
    average = (_s * q * q**power + 1) / (_s * q + 1)
    order = _b / (_b - 1)
    mean = (_s * powsimp((q**power) ** order) + 1) / (_s + 1)
    return average / mean ** (1 / order)


def by_logs(expression: Expr) -> Expr:
    """Simplify a difference of logarithms of positive numbers."""
    return simplify(expand_log(expression, force=True))


statement = Statement(
    id="lemma-7-sharp",
    title="The exact constant of lemma 7",
    where="companion",
    assumptions=[
        "the a_j are not all 0; if they are, both sides are 0",
        "1 < beta < infinity; H_1 = q by lemma 7, and H_infinity = 1 because the weights sum to 1",
    ],
    hypotheses=_range,
    claim=claim,
    definitions=_definitions,
    witness={x_j: 0, beta: 2},
    tight=True,
    attained=Derived(
        claim=Eq(log(_two_atoms(_b - 1)), log(ratio_of(_b, _s / (1 + _s)))),
        by=by_logs,
        mutants=[
            Mutant(
                "a = W for a = W^{b-1}",
                Eq(log(_two_atoms(Integer(1))), log(ratio_of(_b, _s / (1 + _s)))),
            )
        ],
    ),
    proof=[
        Step(
            text="Up to a factor the softmax weights are $W_j = e^{(x_j+1)/\\tau}$; in logarithms:",
            evidence=Derived(
                claim=_logs,
                given=(_is[W_j], _is[q]),
                mutants=[Mutant("x_j for x_j + 1", Eq(log(W_j), x_j / tau))],
            ),
        ),
        Step(
            text="So $1 \\le W_j \\le q$; and the conjugate exponent exceeds 1.",
            evidence=Decided(
                claim=_sizes,
                given=(*_logs, _is[q], _is[conjugate], *_range),
                mutants=[
                    Mutant("e^{1/tau} for q", Le(W_j, exp(1 / tau))),
                    Mutant("2 for 1", Gt(conjugate, 2)),
                ],
            ),
        ),
        Step(
            text="Hoelder's inequality for the weights $W_j/\\sum_i W_i$ and the $a_j$.",
            evidence=Cited(source="Hoelder's inequality", claim=_hoelder),
        ),
        Step(
            text="$u \\mapsto u^{\\beta'}$ is convex, so below its chord over $[1, q]$.",
            evidence=Cited(source="convexity of powers of exponent at least 1", claim=_chord),
        ),
        Step(
            text="Mean of the chord, where $\\overline{W} = 1 + s(q-1)$ defines $s \\ge 0$.",
            evidence=Averaged(
                claim=_mean_power,
                pointwise=_chord,
                given=(_chord, Gt(q, 1)),
                means=_means,
                mutants=[
                    Mutant(
                        "q^beta' - 2 for q^beta' - 1",
                        Le(mean_W_power, 1 + (q_power - 2) * share),
                    ),
                ],
            ),
        ),
        Step(
            text="And $s \\ge 0$.",
            evidence=Averaged(
                claim=Ge((q - 1) * share, 0),
                pointwise=Ge(W_j - 1, 0),
                given=_sizes,
                means=_means,
                mutants=[Mutant("W_j - 2", Ge((q - 1) * share - 1, 0), pointwise=Ge(W_j - 2, 0))],
            ),
        ),
        Step(
            text="Bernoulli's inequality at $q$ and at $1/q$ ...",
            evidence=Cited(source="Bernoulli's inequality", claim=_bernoulli),
        ),
        Step(
            text="... puts the best share $s_*$ between 0 and 1.",
            evidence=Decided(
                claim=_share_range,
                given=(*_sizes, *_bernoulli, _is[best_share]),
                mutants=[
                    Mutant("1/2 for 1", Le(best_share, Rational(1, 2))),
                    Mutant("Bernoulli at q only", given=(*_sizes, _bernoulli[0], _is[best_share])),
                ],
            ),
        ),
        Step(
            text="At $s_*$ the logarithmic derivative of the ratio of the two means vanishes.",
            evidence=Derived(
                claim=_stationary,
                given=(_is[best_power], _is[best_share]),
                mutants=[
                    Mutant("beta' dropped", Eq(_stationary.lhs, (q - 1) * best_power)),
                ],
            ),
        ),
        Step(
            text="$u \\mapsto u^{1/\\beta'}$ is concave, so below its tangent at $u_*$.",
            evidence=Cited(source="Bernoulli's inequality", claim=_tangent),
        ),
        Step(
            text="By stationarity the tangent is $H_\\beta$ times the mean of the $W_j$.",
            evidence=Decided(
                claim=_root,
                given=(
                    *_sizes,
                    _tangent,
                    _mean_power,
                    _is[best_power],
                    *_share_range,
                    _stationary,
                    _is[H_beta],
                ),
                mutants=[
                    Mutant(
                        "9/10 of H_beta",
                        Le(_root.lhs, Rational(9, 10) * H_beta * mean_W),
                    ),
                    Mutant(
                        "any share for the best",
                        given=(
                            *_sizes,
                            _tangent,
                            _mean_power,
                            _is[best_power],
                            *_share_range,
                            _is[H_beta],
                        ),
                    ),
                ],
            ),
        ),
        Step(
            text="For $\\beta = 2$, $s_* = 1/(q+1)$ and $H_2 = (q+1)/(2\\sqrt q)$, a $\\cosh$.",
            evidence=Derived(
                claim=_at_2,
                given=(_is[H_2], _is[q]),
                by=lambda e: simplify(e.rewrite(exp)),
                mutants=[Mutant("e^{1/tau} for cosh", Eq(H_2, exp(1 / tau)))],
            ),
        ),
        Step(
            text="Logarithms, for the comparison with lemma 7.",
            evidence=Derived(
                claim=_log_facts,
                given=(
                    _is[H_beta],
                    _is[q_power],
                ),
                by=by_logs,
                mutants=[Mutant("the sign turned", Eq(log(H_beta), -_log_facts[0].rhs))],
            ),
        ),
        Step(
            text="Hence the bound, and $H_\\beta \\le q^{1/\\beta}$: it implies lemma 7.",
            evidence=Decided(
                claim=claim,
                given=(
                    *_sizes,
                    *_range,
                    _is[conjugate],
                    Ge((q - 1) * share, 0),
                    _hoelder,
                    _root,
                    _at_2,
                    *_share_range,
                    _is[best_power],
                    *_bernoulli,
                    *_log_facts,
                ),
                mutants=[
                    Mutant("9/10 of H_beta", Le(soft_a, Rational(9, 10) * H_beta * power_mean)),
                    Mutant("q^{1/beta}/2", Le(H_beta, q ** (1 / beta) / 2)),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=_exact,
            sides=best_vertices,
            mutants=[Mutant("99/100 of H_beta", arguments={"shrink": 0.99})],
        ),
    ],
    remarks=(
        "The constant is exact as a supremum over k: it is approached when a share s_* of the x_j "
        "is 1 and the rest -1, with a_j proportional to W_j^{beta'-1}."
    ),
)
