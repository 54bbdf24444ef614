r"""The entropy integral of proposition 5: Cauchy-Schwarz, and the integral of a logarithm."""

from __future__ import annotations

from sympy import (
    Derivative,
    Eq,
    Expr,
    Ge,
    Le,
    Limit,
    expand_log,
    log,
    together,
)

from proofs.evidence import Averaged, Decided, Derived, Mutant, Use
from proofs.ledger import Step
from proofs.paper._covering import TWICE, c_cover, entropy, eps
from proofs.paper._lipschitz_class import d_theta
from proofs.symbols import declare

__all__ = ["FROM_ZERO", "dudley", "integral_steps", "limit", "log_area", "split_logs"]

limit = declare("limit", "U", "upper limit of the entropy integral, in nats", positive=True)
root_entropy = declare(
    "root_entropy", r"\sqrt{\log N(\varepsilon)}", "square root of the entropy", nonnegative=True
)
dudley = declare(
    "dudley",
    r"\int_0^U\sqrt{\log N}",
    "entropy integral of the class of losses up to U",
    nonnegative=True,
)
area = declare("area", r"\int_0^U\log N", "integral of the entropy up to U", nonnegative=True)
log_area = declare(
    "log_area",
    r"\int_0^U\log(1+c/\varepsilon)\,d\varepsilon",
    "integral of log(1 + c/eps) up to U",
    nonnegative=True,
)

_primitive = eps * log(1 + c_cover / eps) + c_cover * log(c_cover + eps)
FROM_ZERO = _primitive.subs(eps, limit) - c_cover * log(c_cover)
_closed = limit * log(1 + c_cover / limit) + c_cover * log(1 + limit / c_cover)
_simple = Le(log_area, limit * (log(1 + c_cover / limit) + 1))
_cauchy_schwarz = Ge(area / limit - dudley**2 / limit**2, 0)
_area = Le(area / limit, d_theta * log_area / limit)
_square = Le(dudley**2, d_theta * limit**2 * (log(1 + c_cover / limit) + 1))


def split_logs(difference: Expr) -> Expr:
    """Write the logarithm of a quotient of positive quantities as a difference.

    >>> split_logs(log(1 + eps) - log((1 + eps) / eps))
    log(eps)
    """
    together_ = difference.replace(log, lambda argument: log(together(argument)))
    return expand_log(together_, force=True).expand()


def integral_steps() -> list[Step]:
    """Return the steps from the entropy to the square of its integral ("#square")."""
    return [
        Step(
            text="Cauchy-Schwarz on $[0, U]$: the variance of $\\sqrt{\\log N}$ is not negative.",
            evidence=Averaged(
                claim=_cauchy_schwarz,
                pointwise=Ge(
                    root_entropy**2, 2 * root_entropy * dudley / limit - (dudley / limit) ** 2
                ),
                means={root_entropy: dudley / limit, root_entropy**2: area / limit},
                mutants=[
                    Mutant("half the area", Ge(area / (2 * limit) - dudley**2 / limit**2, 0)),
                ],
            ),
        ),
        Step(
            name="area",
            text="Integrate the bound on the entropy over $[0, U]$.",
            evidence=Averaged(
                claim=_area,
                pointwise=Le(entropy, d_theta * log(1 + c_cover / eps)),
                given=(Use("#volume"),),
                where=(TWICE,),
                means={
                    entropy: area / limit,
                    eps: limit / 2,
                    log(1 + c_cover / eps): log_area / limit,
                },
                mutants=[
                    Mutant("the dimension dropped", Le(area / limit, log_area / limit)),
                ],
            ),
        ),
        Step(
            text="A primitive of $\\log(1 + c/\\varepsilon)$, and its limit at 0:",
            evidence=Derived(
                claim=(
                    Eq(Derivative(_primitive, eps), log(1 + c_cover / eps)),
                    Eq(Limit(_primitive, eps, 0), c_cover * log(c_cover)),
                ),
                mutants=[
                    Mutant(
                        "its second term left out",
                        Eq(Derivative(eps * log(1 + c_cover / eps), eps), log(1 + c_cover / eps)),
                    ),
                    Mutant("limit 0", Eq(Limit(_primitive, eps, 0), 0)),
                ],
            ),
        ),
        Step(
            text="so the integral is $U\\log(1 + c/U) + c\\log(1 + U/c)$.",
            evidence=Derived(
                claim=Eq(log_area, _closed),
                given=(Eq(log_area, FROM_ZERO),),
                by=split_logs,
                mutants=[
                    Mutant("c for U in front", Eq(log_area, c_cover * _closed / limit)),
                ],
            ),
        ),
        Step(
            text="Since $\\log(1 + U/c) \\le U/c$, it is at most $U(\\log(1 + c/U) + 1)$.",
            evidence=Decided(
                claim=_simple,
                given=(Eq(log_area, _closed),),
                mutants=[
                    Mutant("without the 1", Le(log_area, limit * log(1 + c_cover / limit))),
                ],
            ),
        ),
        Step(
            name="square",
            text="Together, the square of the entropy integral:",
            evidence=Decided(
                claim=_square,
                given=(_cauchy_schwarz, Use("#area"), _simple),
                where=(TWICE,),
                mutants=[
                    Mutant(
                        "without the 1",
                        Le(dudley**2, d_theta * limit**2 * log(1 + c_cover / limit)),
                    ),
                    Mutant("Cauchy-Schwarz dropped", given=(Use("#area"), _simple)),
                ],
            ),
        ),
    ]
