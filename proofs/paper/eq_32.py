"""Equation 32: for one anchor the Jensen gap of the log is at least Var(Y)/(2 mu^2 k), nearly."""

from __future__ import annotations

from sympy import (
    Abs,
    Derivative,
    Eq,
    Expr,
    Ge,
    Integer,
    Le,
    Min,
    Rational,
    Subs,
    Sum,
    Symbol,
    binomial,
    exp,
    log,
    sqrt,
)

from proofs.evidence import Averaged, Cited, Decided, Derived, Enclosed, Mutant
from proofs.ledger import Constant, Statement, Step
from proofs.paper._second_order import Y, mean_at_least, mu, mu_hat, value_range, xi
from proofs.paper.lemma_2 import p
from proofs.symbols import Mean, declare, k, tau

__all__ = ["HYPOTHESES", "gap", "leading", "remainder", "statement", "third", "var_Y"]

deviation = declare("deviation", r"(Y-\mu)", "deviation of Y from its mean")
deviation_hat = declare(
    "deviation_hat", r"(\hat\mu-\mu)", "deviation of the mean of k copies of Y from its own mean"
)
cube_hat = declare(
    "cube_hat", r"|\hat\mu-\mu|^3", "absolute cube of the deviation of mu-hat", nonnegative=True
)
var_Y = declare("var_Y", r"\mathrm{Var}(Y)", "variance of Y = exp(s/tau)", nonnegative=True)
third = declare("third", r"\mathbb{E}(Y-\mu)^3", "third central moment of Y")
fourth = declare("fourth", r"\mathbb{E}(Y-\mu)^4", "fourth central moment of Y", nonnegative=True)
third_hat = declare(
    "third_hat",
    r"\mathbb{E}|\hat\mu-\mu|^3",
    "third absolute central moment of the mean of k copies of Y",
    nonnegative=True,
)
fourth_hat = declare(
    "fourth_hat",
    r"\mathbb{E}(\hat\mu-\mu)^4",
    "fourth central moment of the mean of k copies of Y",
    nonnegative=True,
)
xi_next = declare(
    "xi_next", r"\xi'", "an intermediate point of Taylor's formula one order further", positive=True
)

HYPOTHESES = value_range(1 / tau)
E, inverse = exp(1 / tau), exp(-1 / tau)
width = E - inverse
gap = log(mu) - Mean(log(mu_hat))
leading = var_Y / (2 * mu**2)
#: The O(k^{-1/2}) of [32], explicit.
remainder = (exp(2 / tau) - 1) ** 3 / (12 * sqrt(k))
printed = Ge(k * gap, leading - remainder)
signed = Ge(k * gap, leading - third / (3 * k * mu**3))

_u = deviation_hat
_parabola = log(mu) + _u / mu - _u**2 / (2 * mu**2)
_taylor = (Eq(log(mu_hat), _parabola + _u**3 / (3 * xi**3)), Ge(xi, Min(mu, mu_hat)))
_further = (
    Eq(log(mu_hat), _parabola + _u**3 / (3 * mu**3) - _u**4 / (4 * xi_next**4)),
    Ge(xi_next, Min(mu, mu_hat)),
)


def _cubic(factor: Expr) -> Expr:
    """Return the second-order expansion of log at mu, plus factor/3 times the absolute cube."""
    return _parabola + factor * cube_hat / 3


_cube = (Eq(deviation_hat, mu_hat - mu), Eq(cube_hat, Abs(_u) ** 3))
_above = Le(log(mu_hat), _cubic(exp(3 / tau)))
_signed_above = Le(log(mu_hat), _parabola + _u**3 / (3 * mu**3))
_means = {_u: 0, _u**2: var_Y / k, log(mu_hat): Mean(log(mu_hat))}
_averaged = Ge(gap, leading / k - exp(3 / tau) * third_hat / 3)
_signed_averaged = Ge(gap, leading / k - third / (3 * k**2 * mu**3))

_s = Symbol("s", real=True)
#: Log Laplace transform of Y - mu to fourth order; that of the mean of k copies is k K(s/k).
_K = var_Y * _s**2 / 2 + third * _s**3 / 6 + (fourth - 3 * var_Y**2) * _s**4 / 24
_laplace = exp(k * _K.subs(_s, _s / k))


def _moment(order: int) -> Expr:
    """Return a central moment of mu-hat as a derivative of its Laplace transform at 0."""
    return Subs(Derivative(_laplace, (_s, order)), _s, 0)


_moments = (
    Eq(_moment(2), var_Y / k),
    Eq(_moment(3), third / k**2),
    Eq(fourth_hat, (fourth + 3 * (k - 1) * var_Y**2) / k**3),
)
_cauchy = Le(third_hat**2, var_Y / k * fourth_hat)
_fourth = Le(fourth, width**2 * var_Y)
_bhatia = Ge((mu - inverse) * (E - mu) - var_Y, 0)
_third = Le(k * third_hat, width**3 / (4 * sqrt(k)))
_deviations = (Eq(deviation, Y - mu), *HYPOTHESES[:2], Ge(mu, inverse), Le(mu, E))

_j = Symbol("j", integer=True, nonnegative=True)
_t = Symbol("t", positive=True)


def _two_point(kind: str) -> Expr:
    """Return k gap minus a lower bound, for the law {e^t with probability p, else e^{-t}}."""
    high, low = exp(_t), exp(-_t)
    mean = p * high + (1 - p) * low
    chance = binomial(k, _j) * p**_j * (1 - p) ** (k - _j)
    average = (_j * high + (k - _j) * low) / k
    spread = p * (1 - p) * (high - low) ** 2 / mean**2
    cube = p * (1 - p) * (1 - 2 * p) * (high - low) ** 3 / mean**3
    lost = {
        "printed": (exp(2 * _t) - 1) ** 3 / (12 * sqrt(k)),
        "signed": cube / (3 * k),
        "none": Integer(0),
    }[kind]
    return -k * Sum(chance * log(average / mean), (_j, 0, k)) - spread / 2 + lost


statement = Statement(
    id="eq-32",
    title="Second-order lower bound on the Jensen gap of one anchor",
    where="Appendix A.1, [32]",
    assumptions=[
        "Y = exp(s(z, Z)/tau) for one anchor z and Z ~ pi; mu-hat is the mean of k copies of Y"
    ],
    hypotheses=HYPOTHESES,
    claim=(printed, signed),
    definitions={
        Y: "exp(s(z, Z)/tau) for one negative Z",
        mu: "E Y",
        mu_hat: "the mean of k independent copies of Y",
        deviation: Y - mu,
        deviation_hat: mu_hat - mu,
        cube_hat: Abs(deviation_hat) ** 3,
        fourth_hat: _moment(4),
    },
    witness={Y: 1, mu_hat: 1, tau: 1},
    remarks=(
        "The printed order $O(k^{-1/2})$ comes from the absolute value of the cube; with its sign "
        "the error is $O(1/k)$. The factor printed for the remainder is inverted "
        "(`erratum-taylor`); what is checked here has it the right way up."
    ),
    proof=[
        mean_at_least(1 / tau),
        Step(
            text=r"Likewise $\mu \le e^{1/\tau}$.",
            evidence=Averaged(
                claim=Le(mu, E),
                pointwise=Le(Y, E),
                given=HYPOTHESES[:2],
                means={Y: mu},
                mutants=[Mutant("1 for e^{1/tau}", Le(mu, 1), pointwise=Le(Y, 1))],
            ),
        ),
        Step(
            text=(
                r"Expand the logarithm to third order about $\mu$; the intermediate point lies "
                r"between $\mu$ and $\hat\mu$."
            ),
            evidence=Cited(source="Taylor's formula with Lagrange's remainder", claim=_taylor),
        ),
        Step(
            text=(
                r"Both are at least $e^{-1/\tau}$, so the cube's factor $1/(3\xi^3)$ is at most "
                r"$e^{3/\tau}/3$."
            ),
            evidence=Decided(
                claim=_above,
                given=(*_taylor, *_cube, Ge(mu, inverse), HYPOTHESES[2]),
                mutants=[
                    Mutant(
                        "e^{-3/tau} for e^{3/tau}, as printed",
                        Le(log(mu_hat), _cubic(exp(-3 / tau))),
                    ),
                    Mutant("e^{2/tau} for e^{3/tau}", Le(log(mu_hat), _cubic(exp(2 / tau)))),
                    Mutant("no lower bound on the mean", given=(*_taylor, *_cube, HYPOTHESES[2])),
                ],
            ),
        ),
        Step(
            text=(
                r"Cumulants of independent copies add, so the Laplace transform of $\hat\mu - \mu$ "
                r"is $e^{kK(s/k)}$, where $e^{K(s)}$ is that of $Y - \mu$; its derivatives at 0 "
                r"are the moments."
            ),
            evidence=Derived(
                claim=_moments,
                given=(Eq(fourth_hat, _moment(4)),),
                mutants=[
                    Mutant("k for k - 1", Eq(fourth_hat, (fourth + 3 * k * var_Y**2) / k**3)),
                    Mutant("the third moment over k", Eq(_moment(3), third / k)),
                ],
            ),
        ),
        Step(
            text=r"Take means: $\hat\mu - \mu$ has mean 0 and variance $\mathrm{Var}(Y)/k$.",
            evidence=Averaged(
                claim=_averaged,
                pointwise=_above,
                given=(_above,),
                means={**_means, cube_hat: third_hat},
                mutants=[
                    Mutant(
                        "the variance of one copy",
                        Ge(gap, leading - exp(3 / tau) * third_hat / 3),
                    ),
                    Mutant("no remainder", Ge(gap, leading / k)),
                ],
            ),
        ),
        Step(
            text=(
                "The third absolute moment squared is at most the product of the second and the "
                "fourth."
            ),
            evidence=Cited(source="Cauchy-Schwarz inequality", claim=_cauchy),
        ),
        Step(
            text=(
                r"Since $|Y - \mu| \le e^{1/\tau} - e^{-1/\tau}$, the fourth moment of $Y$ is at "
                r"most the square of that times the variance."
            ),
            evidence=Averaged(
                claim=_fourth,
                pointwise=Le(deviation**4, width**2 * deviation**2),
                given=_deviations,
                means={deviation: 0, deviation**2: var_Y, deviation**4: fourth},
                mutants=[
                    Mutant(
                        "e^{1/tau} - 1 for the length",
                        Le(fourth, (E - 1) ** 2 * var_Y),
                        pointwise=Le(deviation**4, (E - 1) ** 2 * deviation**2),
                    ),
                ],
            ),
        ),
        Step(
            text=r"The variance is at most $(\mu - e^{-1/\tau})(e^{1/\tau} - \mu)$.",
            evidence=Averaged(
                claim=_bhatia,
                pointwise=Ge((mu - inverse + deviation) * (E - mu - deviation), 0),
                given=_deviations[:3],
                means={deviation: 0, deviation**2: var_Y},
                mutants=[
                    Mutant(
                        "1 for e^{-1/tau}",
                        Ge((mu - 1) * (E - mu) - var_Y, 0),
                        pointwise=Ge((mu - 1 + deviation) * (E - mu - deviation), 0),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                r"Hence $k\,\mathbb{E}|\hat\mu - \mu|^3 \le (e^{1/\tau} - e^{-1/\tau})^3/"
                r"(4\sqrt k)$ for every $k$."
            ),
            evidence=Decided(
                claim=_third,
                given=(_moments[2], _cauchy, _fourth, _bhatia),
                mutants=[
                    Mutant("8 for 4", Le(k * third_hat, width**3 / (8 * sqrt(k)))),
                    Mutant("k for the square root of k", Le(k * third_hat, width**3 / (4 * k))),
                    Mutant("no bound on the variance", given=(_moments[2], _cauchy, _fourth)),
                ],
            ),
        ),
        Step(
            text="Now keep the cube's sign: one order further the remainder is not positive.",
            evidence=Cited(source="Taylor's formula with Lagrange's remainder", claim=_further),
        ),
        Step(
            text=r"Take means; the third central moment of $\hat\mu$ is that of $Y$ over $k^2$.",
            evidence=Averaged(
                claim=_signed_averaged,
                pointwise=_signed_above,
                given=_further,
                means={**_means, _u**3: third / k**2},
                mutants=[
                    Mutant(
                        "the third moment over k",
                        means={**_means, _u**3: third / k},
                    ),
                    Mutant(
                        "4 for 3",
                        Ge(gap, leading / k - third / (4 * k**2 * mu**3)),
                        pointwise=Le(log(mu_hat), _parabola + _u**3 / (4 * mu**3)),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                r"Multiply by $k$ and collect, with $e^{1/\tau}(e^{1/\tau} - e^{-1/\tau}) = "
                r"e^{2/\tau} - 1$: the printed order with an explicit constant, and a better one."
            ),
            evidence=Decided(
                claim=(printed, signed),
                given=(_averaged, _third, _signed_averaged),
                mutants=[
                    Mutant("no remainder", Ge(k * gap, leading)),
                    Mutant("13 for 12", Ge(k * gap, leading - remainder * 12 / 13)),
                    Mutant("Var/mu^2 without the half", Ge(k * gap, 2 * leading - remainder)),
                    Mutant(
                        "the third moment over k^2",
                        Ge(k * gap, leading - third / (3 * k**2 * mu**3)),
                    ),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enclosed(
            claim=(Ge(_two_point("printed"), 0), Ge(_two_point("signed"), 0)),
            box={
                p: (Rational(1, 5), Rational(4, 5)),
                _t: (Rational(1, 2), Rational(1)),
                k: [1, 2],
            },
            mutants=[Mutant("no remainder", Ge(_two_point("none"), 0))],
        ),
    ],
    constants=[
        Constant(
            name="eq-32-remainder",
            formula=remainder,
            printed=False,
            meaning="explicit form of the O(k^{-1/2}) of [32], in nats",
            where="[32]",
        ),
    ],
)
