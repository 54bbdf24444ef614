"""The bounds that hold for every embedding, at given tau and k, and what the others would need.

No formula is typed here: each is a constant of the statement that proves it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, fmpq
from sympy import Integer

from numerics.balls import precision
from numerics.digits import ball_decimals
from proofs import ledger
from proofs.constants import target as target_symbol
from proofs.evaluate import enclose
from proofs.expansion import Loss
from proofs.symbols import k as k_symbol
from proofs.symbols import tau as tau_symbol

__all__ = ["NEEDS", "Bound", "bounds", "guaranteed_k", "trivial"]

DIGITS = 15
#: Digits where so many cannot be certified.
FEW_DIGITS = 6
#: Beyond this many negatives no k is looked for.
LARGEST_K = 10**15


@dataclass(frozen=True)
class Bound:
    """One bound on a bias.

    Attributes
    ----------
    name, statement : str
        The constant, and the statement that proves it.
    printed : bool
        The paper's, or the companion's sharper one.
    below : bool
        Whether it bounds CE - R (True) or R - CE (False).
    losses : tuple of str
        The losses whose risk R may be.
    two_encoders : bool
        Whether anchors and negatives may have different encoders or laws.
    value : str
        In nats, as a decimal string of at most 15 digits, all certified.
    vacuous : bool
        Whether it is not certainly below 2/tau, which is all that the length of the vectors gives.
    """

    name: str
    statement: str
    printed: bool
    below: bool
    losses: tuple[Loss, ...]
    two_encoders: bool
    value: str
    vacuous: bool


_BOTH: tuple[Loss, ...] = ("infonce", "dcl")
#: Statement, constant, whether it bounds CE - R, for which losses, and with two encoders.
_BOUNDS: tuple[tuple[str, str, bool, tuple[Loss, ...], bool], ...] = (
    ("prop-1", "prop-1-upper", True, ("infonce",), True),
    ("eq-11", "eq-11-upper", True, ("dcl",), True),
    ("lemma-2-sharp", "lemma-2-sharp-upper", True, _BOTH, True),
    ("eq-11-sharp", "eq-11-sharp-gamma", True, _BOTH, False),
    ("lemma-4", "lemma-4-upper", True, _BOTH, True),
    ("lemma-4-sharp", "lemma-4-sharp-upper", True, _BOTH, False),
    ("prop-1", "prop-1-lower", False, ("infonce",), True),
    ("prop-1-sharp", "prop-1-sharp-lower", False, ("infonce",), False),
)

#: What the other bounds of the paper need that embeddings do not hold.
NEEDS = {
    "prop-2": ("E[w^2], w the density of the positive's law against pi",),
    "eq-12": ("E[w^2], w the density of the positive's law against pi",),
    "theorem-1": (
        "E[w^2]",
        "the Lipschitz constant C of the encoder in its parameters",
        "the number of parameters d_Theta and the radius of the ball they lie in",
        "root mean square norms of the inputs",
        "the number n of training tuples and the empirical risk on them",
    ),
}


def _constant(statement: str, name: str) -> Any:
    return next(c for c in ledger.get(statement).constants if c.name == name)


def _ball(statement: str, name: str, digits: int = DIGITS + 3, **at: Any) -> Any:
    """The value of a constant at the parameters that its formula holds."""
    constant = _constant(statement, name)
    symbols = {"tau": tau_symbol, "k": k_symbol, "target": target_symbol}
    used = {x: value for x, value in at.items() if symbols[x] in constant.formula.free_symbols}
    if constant.ball is not None:
        try:
            return constant.ball(digits=digits, **used)
        except ArithmeticError:  # not certified to so many digits
            return constant.ball(digits=FEW_DIGITS, **used)
    exact = {symbols[x]: value for x, value in used.items()}
    return enclose(constant.formula, exact, digits=digits)


def trivial(tau: Fraction) -> Any:
    """2/tau as a ball: the similarities of unit vectors differ by at most 2.

    >>> trivial(Fraction(1, 2)).str(3, radius=False)
    '4.00'
    """
    return enclose(Integer(2) / tau_symbol, {tau_symbol: tau}, digits=DIGITS)


def bounds(tau: Fraction, k: int) -> list[Bound]:
    """Evaluate every bound that tau and k determine.

    Examples
    --------
    >>> {b.name: b.vacuous for b in bounds(Fraction(1, 10), 1000)}["prop-1-upper"]
    True
    """
    found = []
    for statement, name, below, losses, two_encoders in _BOUNDS:
        ball = _ball(statement, name, tau=tau, k=k)
        with precision(256):
            vacuous = not bool(ball < trivial(tau))
        certified = int(0.301 * ball.rel_accuracy_bits()) - 1
        value = ball_decimals(ball, min(DIGITS, certified))[0]
        printed = _constant(statement, name).printed
        found.append(Bound(name, statement, printed, below, losses, two_encoders, value, vacuous))
    return found


def guaranteed_k(tau: Fraction, target: Fraction, *, two_encoders: bool) -> dict[Loss, int | None]:
    """Negatives that bring the bias within a target for every embedding; None beyond 10^15.

    With two encoders the bound of `lemma-2-sharp` serves DCL; for InfoNCE the other side adds
    log(1 + e^{2/tau}/k), for which no constant of the ledger gives k.

    Examples
    --------
    >>> guaranteed_k(Fraction(1), Fraction(1, 10), two_encoders=False)
    {'infonce': 26, 'dcl': 7}
    """
    names: dict[Loss, tuple[str, str]] = {"dcl": ("lemma-2-sharp", "lemma-2-sharp-k")}
    if not two_encoders:
        names = {
            "infonce": ("prop-1-sharp", "prop-1-sharp-k"),
            "dcl": ("eq-11-sharp", "eq-11-sharp-k"),
        }
        at_most = _ball("eq-11-sharp", "eq-11-sharp-gamma", FEW_DIGITS, tau=tau, k=LARGEST_K)
        with precision(256):
            if bool(at_most > arb(fmpq(target.numerator, target.denominator))):
                return dict.fromkeys(names)
    found: dict[Loss, int | None] = {}
    for loss, (statement, name) in names.items():
        ball = _ball(statement, name, tau=tau, target=target)
        least = int(ball.upper().ceil().unique_fmpz())
        found[loss] = least if least <= LARGEST_K else None
    return found
