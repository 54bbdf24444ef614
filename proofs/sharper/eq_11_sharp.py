"""[11] with e^{1/tau} in place of e^{4/tau}: CE - R_dcl is at most Gamma_k."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from sympy import Eq, Ge, Integer, Le, Rational, cosh, exp, log

from proofs.constants import target
from proofs.evidence import (
    Attack,
    Averaged,
    Case,
    Cited,
    Compared,
    Decided,
    Derived,
    Enumerated,
    Mutant,
    OnWorlds,
    Use,
)
from proofs.evidence.supremum import Supremum
from proofs.expansion import kappa
from proofs.ledger import Constant, Statement, Step
from proofs.paper._second_order import Y, b, mu, mu_hat
from proofs.paper.lemma_2 import p
from proofs.sharper import two_point_lemma
from proofs.sharper._certified_numbers import Gamma, KForGamma
from proofs.sharper._gap import (
    GAP,
    HALF_WIDTH,
    Y_law,
    cosh_step,
    gap,
    gap_two,
    mu_hat_law,
    range_step,
    unit_range,
)
from proofs.sharper._pairs_of_anchors import X
from proofs.sharper.gap_second_order import G_2, G_4
from proofs.sharper.gap_second_order import statement as second_order
from proofs.sharper.two_point_lemma import log_ends, mean_log_of_ends
from proofs.symbols import CE, Mean, R_dcl, declare, k, q, tau

__all__ = ["statement", "upper"]

Y_one = declare("Y_one", "Y_1", "a draw from the law on the ends with mean 1", positive=True)
mu_hat_one = declare("mu_hat_one", r"\hat\mu_1", "the mean of k draws from it", positive=True)
gap_one = declare(
    "gap_one",
    r"\mathrm{gap}_k(p_1)",
    "the gap of the law on e^{1/tau}, e^{-1/tau} whose mean is 1, in nats",
    real=True,
)

upper = Gamma(k, tau)
_k2 = kappa(2)
_low, _high = exp(-1 / tau), exp(1 / tau)
_range = unit_range(Y, mu_hat)
_per_anchor = Le(gap, gap_two)
_member = Le(mu * gap_two, upper)
_with_x = Le(CE - R_dcl, upper * X)
_limit = cosh(1 / tau) - 1
_size = 1 + (Rational(2, 3) + 8 * G_4 * (q - 1) ** 2) / k
_bounds = (Le(k * upper, 2 * G_2 * HALF_WIDTH), Le(k * upper, HALF_WIDTH * _size))
_below = Ge(k * upper, HALF_WIDTH * (1 - Rational(2, 3) * (q - 1) / k))
_at_one = Le(gap_one, upper)
_two_point = two_point_lemma.at(_low, _high)
_law = {gap: gap_two, Y: Y_law, mu_hat: mu_hat_law}
#: The law on the two ends whose mean is 1: its probability of the upper, its mean logarithm.
_p_one = (1 - _low) / (_high - _low)
_log_one = mean_log_of_ends(_p_one, _low, _high)
_one = {gap: gap_one, mu: 1, _k2: 2 * HALF_WIDTH, Y: Y_one, mu_hat: mu_hat_one}
_range_law, _range_one = unit_range(Y_law, mu_hat_law), unit_range(Y_one, mu_hat_one)
_binomial = (Eq(Mean(log(mu_hat_law)), log_ends), Eq(Mean(log(mu_hat_one)), _log_one))
_definitions = {
    **two_point_lemma.law_on_ends(_low, _high),
    gap_one: -_log_one,
    _k2: p * (1 - p) * (_high - _low) ** 2 / mu**2,
    gap: GAP,
    **{symbol: second_order.definitions[symbol] for symbol in (q, G_2, G_4)},
}
_is = {symbol: Eq(symbol, value) for symbol, value in _definitions.items()}
_second = (*_range_law, _binomial[0], _is[gap_two], Use("gap-second-order", _law))
_variance = Eq(_k2, (_high - mu) * (mu - _low) / mu**2)
_cosh = Eq(cosh(1 / tau), HALF_WIDTH + 1)
claim = (
    Ge(CE - R_dcl, 0),
    Le(CE - R_dcl, upper),
    Le(k * upper, 2 * G_2 * _limit),
    Ge(k * upper, _limit * (1 - Rational(2, 3) * (q - 1) / k)),
    Le(k * upper, _limit * _size),
)


_TAUS = (Fraction(1, 2), Fraction(1), Fraction(3))
_KS = (1, 2, 16, 1024)


def _of_worlds(
    scale: float = 1.0, taus: Sequence[Fraction] = _TAUS, ks: Sequence[int] = _KS
) -> Iterator[Compared]:
    """Compare CE - R_dcl with Gamma_k over the standard worlds."""
    from numerics import exact
    from proofs.measure import standard_worlds
    from proofs.sharper._sufficient_k import gamma

    for temperature, count in product(taus, ks):
        bound = float(gamma(1 / temperature, count)) * scale
        for world in standard_worlds():
            left = -exact.evaluate(world, temperature, count, "dcl").bias
            yield Compared(f"{world.spec()}, tau = {temperature}, k = {count}", left, bound)


def _looseness(tau: Fraction | None = None, k: int | None = None) -> float:
    """Return the largest (CE - R_dcl)/Gamma_k met, at given tau and k or over all."""
    points = _of_worlds(
        taus=_TAUS if tau is None else (Fraction(tau),), ks=_KS if k is None else (k,)
    )
    return max(point.left / point.right for point in points)


def _gamma(*, digits: int, tau: Fraction, k: int) -> Any:
    from proofs.sharper._sufficient_k import gamma

    return gamma(1 / Fraction(tau), k, digits)


def _k_needed(*, digits: int, target: Fraction, tau: Fraction) -> Any:
    from proofs.sharper._sufficient_k import as_ball, sufficient_k

    return as_ball(sufficient_k("eq-11-sharp", 1 / Fraction(tau), Fraction(target)))


def _attack(*, seed: int, restarts: int, scale: float = 1.0) -> Compared:
    from proofs.sharper._finite_search import Setting, dcl_bias, search
    from proofs.sharper._sufficient_k import gamma

    def bound(at: Setting) -> float:
        return scale * float(gamma(Fraction(at.t).limit_denominator(10**4), at.k))

    return search(
        seed=seed, restarts=restarts, quantity=dcl_bias, bound=bound, taus=(0.4, 4.0), ks=(1, 2, 64)
    )


def _ratios(*, slope: Fraction = Fraction(4)) -> Iterator[Case]:
    """Compare k Gamma_k/(cosh t - 1) with 1 + (4/e) t, which nobody has proved."""
    from flint import arb, fmpq

    from proofs.sharper._sufficient_k import gamma

    for t in (Fraction(1, 5), Fraction(1), Fraction(3), Fraction(10), Fraction(30)):
        ball = arb(fmpq(t.numerator, t.denominator))
        right = 1 + arb(fmpq(slope.numerator, slope.denominator)) / arb(1).exp() * ball
        for count in (1, 3, 100, 10**6):
            left = count * gamma(t, count) / (ball.cosh() - 1)
            yield Case(f"t = {t}, k = {count}", left, "<=", right)


statement = Statement(
    id="eq-11-sharp",
    title="The DCL risk is within Gamma_k of the cross-entropy, with e^{1/tau} for e^{4/tau}",
    where="companion",
    assumptions=[
        "(A): the tuples are iid; phi has unit norm; anchors and negatives share pi and phi",
        "b = exp(-s(a, +)/tau) for the positive, Y = exp(s(a, z)/tau) for z ~ pi",
    ],
    claim=claim,
    definitions={
        upper: "the supremum over p in (0, 1) of mu gap_k(p), Y being e^{1/tau} with probability "
        "p, else e^{-1/tau}",
        b: "exp(-s(a, +)/tau)",
        **_definitions,
    },
    witness={},
    proof=[
        range_step(),
        Step(
            text=r"For one anchor: the law on the two ends with the same mean has the larger gap.",
            evidence=Decided(
                claim=_per_anchor,
                given=(*_range, *_two_point),
                mutants=[
                    Mutant("half of it", Le(gap, gap_two / 2)),
                    Mutant(
                        "the range of Y not known",
                        given=_two_point,
                    ),
                ],
            ),
        ),
        Step(
            name="member",
            text=r"$\mu$ times that gap is at most $\Gamma_k$, whatever $p$.",
            evidence=Cited(source="definition of a supremum", claim=_member),
        ),
        Step(
            text=(
                r"So the gap of an anchor is at most $\Gamma_k/\mu$. Average over the anchors, "
                r"with $X = \int \pi(dz)/\mu(z)$."
            ),
            evidence=Averaged(
                claim=_with_x,
                pointwise=Le(GAP, upper / mu),
                given=(_per_anchor, _member, _is[gap]),
                means={
                    log(mu): CE + Mean(-log(b)),
                    Mean(log(mu_hat)): R_dcl + Mean(-log(b)),
                    1 / mu: X,
                },
                mutants=[
                    Mutant("half of it", Le(CE - R_dcl, upper * X / 2)),
                    Mutant("the definition of Gamma_k dropped", given=(_per_anchor, _is[gap])),
                ],
            ),
        ),
        Step(
            text=r"By `reciprocal-lemma` $X \le 1$; the lower side is [11] itself.",
            evidence=Decided(
                claim=claim[:2],
                given=(_with_x, *_range, Use("reciprocal-lemma"), Use("eq-11")),
                mutants=[
                    Mutant("half of Gamma_k", Le(CE - R_dcl, upper / 2)),
                    Mutant("X <= 1 not used", claim[1], given=(_with_x,)),
                ],
            ),
        ),
        Step(
            text=(
                r"Now $\Gamma_k$ itself. A two-point law on the ends has the variance "
                r"$(e^{1/\tau} - \mu)(\mu - e^{-1/\tau})$."
            ),
            evidence=Derived(
                claim=_variance,
                given=(_is[_k2], _is[p]),
                mutants=[Mutant("half of it", Eq(_k2, _variance.rhs / 2))],
            ),
        ),
        Step(
            text=(
                "The two points lie in the range, and the number of draws equal to the upper one "
                "is binomial; in particular for the law with mean 1."
            ),
            evidence=Cited(
                source="definition of the law", claim=(*_range_law, *_range_one, *_binomial)
            ),
        ),
        Step(
            text=(
                r"By `gap-second-order`, $k\mu\,\mathrm{gap}_k(p)$ is at most $\mu\kappa_2$ times "
                r"$G_2$, and $\mu\kappa_2/2$ up to a factor $1 + O(1/k)$; and $\mu\kappa_2 = "
                r"e^{1/\tau} + e^{-1/\tau} - \mu - 1/\mu$ is largest at $\mu = 1$ (Bhatia-Davis)."
            ),
            evidence=Supremum(
                claim=_bounds,
                suprema={upper: mu * gap_two},
                varying=(mu, p, log_ends, gap_two, _k2, Y_law, mu_hat_law),
                given=(*_second, _variance),
                mutants=[
                    Mutant("half of the first", Le(k * upper, G_2 * HALF_WIDTH)),
                    Mutant("the variance not known", given=_second),
                    Mutant("no 1/k in the second", Le(k * upper, HALF_WIDTH)),
                ],
            ),
        ),
        Step(
            text=r"The law with mean 1 is one of those over which the supremum is taken ...",
            evidence=Decided(
                claim=_at_one,
                given=(
                    _is[gap_one],
                    Use("#member", {mu: 1, p: _p_one, log_ends: _log_one, gap_two: gap_one}),
                ),
                mutants=[Mutant("half of Gamma_k", Le(gap_one, upper / 2))],
            ),
        ),
        Step(
            text=r"... and its variance is $2(\cosh(1/\tau) - 1)$, which bounds $\Gamma_k$ below.",
            evidence=Decided(
                claim=_below,
                given=(
                    *_range_one,
                    _binomial[1],
                    _is[gap_one],
                    _at_one,
                    Use("gap-second-order", _one),
                ),
                mutants=[
                    Mutant("no 1/k", Ge(k * upper, HALF_WIDTH)),
                    Mutant("the law with mean 1 not used", given=_range_one),
                ],
            ),
        ),
        cosh_step(),
        Step(
            text=r"Together: $k\Gamma_k \to \cosh(1/\tau) - 1$, from both sides.",
            evidence=Decided(
                claim=claim,
                given=(*claim[:2], *_bounds, _below, _cosh),
                mutants=[
                    Mutant("sinh for cosh - 1", Le(k * upper, 2 * G_2 * (_limit - 1))),
                    Mutant("the lower bound not known", given=(*claim[:2], *_bounds, _cosh)),
                ],
            ),
        ),
    ],
    crosschecks=[
        OnWorlds(
            claim=claim[1],
            sides=_of_worlds,
            mutants=[Mutant("1/8 of Gamma_k", arguments={"scale": 0.125})],
        ),
        Attack(
            claim=claim[1],
            search=_attack,
            restarts=3,
            at_least=0.2,
            mutants=[Mutant("1/8 of Gamma_k", arguments={"scale": 0.125})],
        ),
        Enumerated(
            claim="k Gamma_k/(cosh t - 1) <= 1 + (4/e) t, t = 1/tau: seen, not proved",
            cases=_ratios,
            mutants=[Mutant("1/e for 4/e", arguments={"slope": Fraction(1)})],
        ),
    ],
    constants=[
        Constant(
            name="eq-11-sharp-gamma",
            sharpens="eq-11-upper",
            formula=upper,
            printed=False,
            meaning="upper bound on CE - R of DCL (and of InfoNCE), in nats",
            where="eq-11-sharp",
            looseness=_looseness,
            ball=_gamma,
        ),
        Constant(
            name="eq-11-sharp-limit",
            formula=cosh(1 / tau) - 1,
            printed=False,
            meaning="limit of k times the upper bound, in nats",
            where="eq-11-sharp",
        ),
        Constant(
            name="eq-11-sharp-exponent",
            formula=Integer(1),
            printed=False,
            meaning="the 1 of exp(1/tau) in the limit of k Gamma_k; 4 in print",
            where="eq-11-sharp",
        ),
        Constant(
            name="eq-11-sharp-k",
            sharpens="eq-11-k",
            formula=KForGamma(target, tau),
            printed=False,
            meaning="negatives that suffice for a DCL bias of at most the target",
            where="eq-11-sharp",
            ball=_k_needed,
        ),
    ],
)
