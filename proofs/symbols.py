"""Every symbol once: its assumptions, its LaTeX, and what it means in the paper and here.

The paper and its companion reuse letters (E, M, m, t, R and C each have two meanings). In the code
a letter has one meaning, given by the name under which it is exported here; the book prints
:data:`CONCORDANCE` as a table.

>>> tau.is_positive, k.is_integer
(True, True)
>>> CONCORDANCE["CE"].meaning.startswith("cross-entropy")
True
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sympy import Function, Symbol, exp

__all__ = ["CONCORDANCE", "PARAMETERS", "Mean", "Meaning", "declare"]


@dataclass(frozen=True)
class Meaning:
    """One row of the concordance: a symbol, how it is printed, and what it stands for."""

    code: str
    latex: str
    paper: str
    meaning: str


CONCORDANCE: dict[str, Meaning] = {}
_SYMBOLS: dict[str, Symbol] = {}
_PARAMETERS_OF: dict[str, frozenset[Symbol]] = {}


def declare(
    name: str,
    latex: str,
    meaning: str,
    *,
    paper: str = "",
    of: Collection[Symbol] = (),
    **assumptions: bool,
) -> Symbol:
    """Return the symbol `name`, entering it in the concordance.

    Parameters
    ----------
    name : str
        The Python-like name, unique in the project.
    latex : str
        How the book prints it.
    meaning : str
        One phrase, with units (nats) where it has any.
    paper : str
        The paper's own notation, when it differs from `latex`.
    of : collection of Symbol
        The parameters of the setting on which it depends: an instance for another value of one of
        them has to name another quantity.
    assumptions : bool
        SymPy assumptions (``positive=True`` and so on); ``real=True`` is the default.

    Raises
    ------
    ValueError
        If the name is taken by another meaning: a letter has one meaning.

    Examples
    --------
    >>> declare("x_example", "x", "an example").is_real
    True
    """
    row = Meaning(name, latex, paper or latex, meaning)
    known = CONCORDANCE.get(name)
    if known is not None and known != row:
        raise ValueError(f"symbol {name!r} already means {known.meaning!r}")
    if not assumptions:
        assumptions = {"real": True}
    CONCORDANCE[name] = row
    _PARAMETERS_OF[name] = frozenset(of)
    return _SYMBOLS.setdefault(name, Symbol(name, **assumptions))


def parameters_of(symbol: Symbol) -> frozenset[Symbol]:
    """Return the parameters on which a declared symbol depends, as far as it was said.

    >>> parameters_of(R) == {k, tau}
    True
    """
    return _PARAMETERS_OF.get(symbol.name, frozenset())


def latex_names() -> dict[Symbol, str]:
    """Return the table by which SymPy's LaTeX printer prints the declared symbols."""
    return {symbol: CONCORDANCE[name].latex for name, symbol in _SYMBOLS.items()}


class Mean(Function):  # type: ignore[misc]
    """An expectation that is not evaluated: ``Mean(exp(X))`` prints as E[e^X].

    Engines treat it as an unknown real number, so a fact about it has to be given to them.
    """

    nargs = (1, 2)
    is_real = True

    def _latex(self, printer: object, exp: str | None = None) -> str:
        body = printer._print(self.args[0])  # type: ignore[attr-defined]
        over = f"_{{{printer._print(self.args[1])}}}" if len(self.args) == 2 else ""  # type: ignore[attr-defined]
        text = rf"\mathbb{{E}}{over}\left[{body}\right]"
        return text if exp is None else rf"{text}^{{{exp}}}"


# Parameters of the setting.
tau = declare("tau", r"\tau", "temperature, tau > 0", positive=True)
k = declare("k", "k", "number of negatives in a training tuple", integer=True, positive=True)
n = declare("n", "n", "number of training tuples", integer=True, positive=True)
m = declare("m", "m", "number of unseen points in the search task", integer=True, positive=True)
delta = declare("delta", r"\delta", "probability that a bound may fail, in (0, 1)", positive=True)
beta = declare("beta", r"\beta", "exponent of a power mean, beta >= 1", positive=True)
#: They vary with no draw.
PARAMETERS = frozenset({tau, k, n, m, delta, beta})

# Quantities of the paper, opaque to the engines. Losses and risks are in nats.
R = declare(
    "R", r"R(\varphi;k,\tau)", "population InfoNCE risk, normalised by k", of=(k, tau), real=True
)
R_dcl = declare("R_dcl", r"\tilde R(\varphi;k,\tau)", "population DCL risk", of=(k, tau), real=True)
R_hat = declare(
    "R_hat", r"\hat R_n(\varphi)", "empirical InfoNCE risk on n tuples", of=(n, k, tau), real=True
)
CE = declare(
    "CE",
    r"\mathrm{CE}(\varphi)",
    "cross-entropy limit: mean over anchors of CrossEnt[M(z, .) || Q(z, .)]",
    paper=r"\int \mathrm{CrossEnt}[M(z,\cdot)\Vert Q(z,\cdot)]\,\pi(dz)",
    of=(tau,),
    real=True,
)
CE_hat = declare(
    "CE_hat",
    r"\widehat{\mathrm{CE}}_k(\varphi)",
    "expected cross-entropy of the empirical search among k unseen points",
    paper=r"\mathbb E\int \mathrm{CrossEnt}[\hat M_k(z,\cdot)\Vert \hat Q_k(z,\cdot)]\,\pi(dz)",
    of=(k, tau),
    real=True,
)
CE_hat_m = declare(
    "CE_hat_m",
    r"\widehat{\mathrm{CE}}_m(\varphi)",
    "expected cross-entropy of the empirical search among m unseen points",
    of=(m, tau),
    real=True,
)
Rad_n = declare(
    "Rad_n",
    r"\widehat{\mathrm{Rad}}_n",
    "empirical Rademacher complexity of the loss class",
    of=(n, k, tau),
    nonnegative=True,
)
chi2 = declare(
    "chi2",
    r"\mathbb{E}[w(Z,Z')^2]",
    "mean of the squared density w = dM(z, .)/dpi over independent Z, Z' ~ pi; at least 1",
    positive=True,
)

#: e^{2/tau}: in this letter most of the paper's inequalities are polynomial.
q = declare("q", "q", "e^{2/tau}, greater than 1", positive=True)
#: e^{1/tau}, as an expression; q stands for its square.
e_tau = exp(1 / tau)
