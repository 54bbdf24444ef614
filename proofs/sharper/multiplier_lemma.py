"""The multiplier lemma: a parabola plus a logarithm that is largest at two points at once."""

from __future__ import annotations

from sympy import (
    Eq,
    Expr,
    Ge,
    Gt,
    Le,
    Lt,
    Or,
    Rational,
    Subs,
    diff,
    log,
)

from proofs.evidence import Cited, Decided, Derived, Enclosed, Mutant
from proofs.ledger import Statement, Step
from proofs.symbols import declare

__all__ = ["B_of", "multiplier", "ratio_top", "ratio_u", "statement", "value"]

ratio_u = declare("ratio_u", "u", "a positive ratio, at most y", positive=True)
ratio_top = declare("ratio_top", r"y", "the largest ratio, above 1", positive=True)
multiplier = declare("multiplier", "B", "(y^2 - 1 - 2 log y)/(y - 1 - log y)", real=True)


def B_of(y: Expr) -> Expr:
    """Return the multiplier for which the value at u = y is that at u = 1."""
    return (y**2 - 1 - 2 * log(y)) / (y - 1 - log(y))


def value(u: Expr, b: Expr = multiplier) -> Expr:
    """Return u^2 - B u + (B - 2) log u."""
    return u**2 - b * u + (b - 2) * log(u)


_u, _y, _B = ratio_u, ratio_top, multiplier
_hypotheses = (Gt(_y, 1), Le(_u, _y))
_is = Eq(_B, B_of(_y))
_below_log = log(_y) - 2 * (_y - 1) / (_y + 1)
_slope = Eq(diff(_below_log, _y), (_y - 1) ** 2 / (_y * (_y + 1) ** 2))
_logs = (Ge(log(_y), 2 * (_y - 1) / (_y + 1)), Lt(log(_y), _y - 1))
_size = Ge(_B, _y + 3)
_turn = _B / 2 - 1
_factored = Eq(_u * diff(value(_u), _u), 2 * (_u - 1) * (_u - _turn))
_level = (Eq(Subs(value(_u), _u, 1), 1 - _B), Eq(value(_y), 1 - _B))
_monotone = (
    Or(Gt(_u, 1), Ge(2 * (_u - 1) * (_u - _turn), 0)),
    Or(Lt(_u, 1), Gt(_u, _turn), Le(2 * (_u - 1) * (_u - _turn), 0)),
    Or(Lt(_u, _turn), Ge(2 * (_u - 1) * (_u - _turn), 0)),
)
_peaks = Or(Le(value(_u), 1 - _B), Le(value(_u), value(_y)))
claim = (Le(value(_u), 1 - _B), _level[1], _size)

statement = Statement(
    id="multiplier-lemma",
    title="A parabola plus a logarithm, largest at u = 1 and at the end u = y alike",
    where="companion",
    hypotheses=_hypotheses,
    claim=claim,
    definitions={_B: B_of(_y)},
    witness={_u: 1, _y: 2},
    proof=[
        Step(
            text=(
                r"$\log y - 2(y-1)/(y+1)$ vanishes at 1 and has the derivative "
                r"$(y-1)^2/(y(y+1)^2)$ ..."
            ),
            evidence=Derived(
                claim=_slope,
                mutants=[
                    Mutant(
                        "3 for 2",
                        Eq(
                            diff(log(_y) - 3 * (_y - 1) / (_y + 1), _y),
                            (_y - 1) ** 2 / (_y * (_y + 1) ** 2),
                        ),
                    )
                ],
            ),
        ),
        Step(
            text=r"... so $2(y-1)/(y+1) \le \log y < y - 1$ for $y > 1$.",
            evidence=Cited(source="mean value theorem; strict concavity of log", claim=_logs),
        ),
        Step(
            text=r"Hence $B \ge y + 3$, which exceeds 4.",
            evidence=Decided(
                claim=_size,
                given=(Gt(_y, 1), *_logs, _is),
                mutants=[
                    Mutant("4 for 3", Ge(_B, _y + 4)),
                    Mutant("the lower bound on log y dropped", given=(Gt(_y, 1), _logs[1], _is)),
                ],
            ),
        ),
        Step(
            text=r"With $F(u) = u^2 - Bu + (B-2)\log u$: $uF'(u) = 2(u-1)(u - B/2 + 1)$.",
            evidence=Derived(
                claim=_factored,
                mutants=[
                    Mutant(
                        "B/2 for B/2 - 1",
                        Eq(_u * diff(value(_u), _u), 2 * (_u - 1) * (_u - _B / 2)),
                    )
                ],
            ),
        ),
        Step(
            text=r"$F(1) = 1 - B$, and $B$ is such that $F(y) = F(1)$.",
            evidence=Derived(
                claim=_level,
                given=(_is,),
                mutants=[
                    Mutant("F(y) = -B", Eq(value(_y), -_B)),
                    Mutant("F(y^2) for F(y)", Eq(value(_y**2), 1 - _B)),
                ],
            ),
        ),
        Step(
            text=r"$F$ rises up to 1, falls from there to $B/2 - 1 \ge 1$, and then rises.",
            evidence=Decided(
                claim=_monotone,
                given=(Gt(_y, 1), _size),
                mutants=[
                    Mutant("B >= y + 3 dropped", given=(Gt(_y, 1),)),
                    Mutant("rising throughout", Ge(2 * (_u - 1) * (_u - _turn), 0)),
                ],
            ),
        ),
        Step(
            text=r"So on $(0, y]$ it is at most $F(1)$ or at most $F(y)$ ...",
            evidence=Cited(source="mean value theorem (monotone functions)", claim=_peaks),
        ),
        Step(
            text="... which are equal.",
            evidence=Decided(
                claim=claim,
                given=(_peaks, *_level, _size),
                mutants=[
                    Mutant("-B for 1 - B", Le(value(_u), -_B)),
                    Mutant("F(y) = F(1) dropped", given=(_peaks, _size)),
                ],
            ),
        ),
    ],
    tight=True,
    attained=Derived(
        claim=_level,
        given=(_is,),
        mutants=[Mutant("at y/2", Eq(value(_y / 2), 1 - _B))],
    ),
    crosschecks=[
        Enclosed(
            claim=Le(value(_u, B_of(_y)), 1 - B_of(_y)),
            box={_u: (Rational(1, 10), Rational(1, 2)), _y: (4, 20)},
            mutants=[Mutant("-B for 1 - B", Le(value(_u, B_of(_y)), -B_of(_y)))],
        ),
        Enclosed(
            claim=Le(value(_u, B_of(_y)), 1 - B_of(_y)),
            box={_u: (Rational(5, 4), Rational(3, 2)), _y: (5, 20)},
            mutants=[Mutant("-B for 1 - B", Le(value(_u, B_of(_y)), -B_of(_y)))],
        ),
    ],
)
