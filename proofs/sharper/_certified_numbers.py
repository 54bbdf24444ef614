"""Numbers without a closed form, as SymPy functions of their parameters.

Engines treat them as unknown nonnegative reals; the certified values are computed elsewhere
(`_poisson_constant`, `_simplex_constant`, `_worst_gap`, `_sufficient_k`).
"""

from __future__ import annotations

from typing import Any

from sympy import Function

__all__ = [
    "CStar",
    "Crossing",
    "Gamma",
    "KForGamma",
    "KForLeading",
    "KForRisk",
    "KOfSimplex",
    "LeadingConstant",
    "LeadingFactor",
]


class _Number(Function):  # type: ignore[misc]
    """A nonnegative number that depends on its arguments alone."""

    is_real = True
    NAME = ""
    TEXT = ""

    def _eval_is_nonnegative(self) -> bool:
        return True

    def _sympystr(self, printer: Any) -> str:
        return self.NAME.format(*(printer._print(a) for a in self.args))

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        text = self.TEXT.format(*(printer._print(a) for a in self.args))
        return text if exp is None else rf"\left({text}\right)^{{{exp}}}"


class Gamma(_Number):
    """Gamma(k, tau): the supremum over p of mu gap_k(p) for the law on e^{1/tau}, e^{-1/tau}.

    >>> from proofs.symbols import k, tau
    >>> Gamma(k, tau).free_symbols == {k, tau}
    True
    """

    nargs = 2
    NAME = "Gamma({0}, {1})"
    TEXT = r"\Gamma_{{{0}}}({1})"


class CStar(_Number):
    """C*: the supremum of 8 K (log(1 + x) - E log(1 + J/K)), J ~ Poisson(K x)."""

    nargs = 0
    NAME = "C_star"
    TEXT = r"C_*"


class LeadingConstant(_Number):
    """c*(tau): the largest (W - 1)/2 over regular simplices of a real number of points."""

    nargs = 1
    NAME = "c_star({0})"
    TEXT = r"c_*({0})"


class LeadingFactor(_Number):
    """c_k(tau): the supremum of k gap/kappa_2 over two-point laws of ratio at most e^{2/tau}."""

    nargs = 2
    NAME = "c_factor({0}, {1})"
    TEXT = r"c_{{{0}}}({1})"


class Crossing(_Number):
    """t_*: the positive root of sinh(t)^2 = t."""

    nargs = 0
    NAME = "t_star"
    TEXT = r"t_*"


class KForGamma(_Number):
    """The least k with Gamma_k at most a target: (target, tau)."""

    nargs = 2
    NAME = "min k with Gamma(k, {1}) <= {0}"
    TEXT = r"\min\{{k : \Gamma_k({1}) \le {0}\}}"


class KForRisk(_Number):
    """The least k with Gamma_k and log(1 + e^{1/tau}/k) at most a target: (target, tau)."""

    nargs = 2
    NAME = "min k with Gamma(k, {1}), log(1 + exp(1/{1})/k) <= {0}"
    TEXT = r"\min\{{k : \Gamma_k({1}), \log(1 + e^{{1/{1}}}/k) \le {0}\}}"


class KForLeading(_Number):
    """The least k with 2 c* c_k/k at most a target: (target, tau)."""

    nargs = 2
    NAME = "min k with 2 c_star({1}) c_factor(k, {1})/k <= {0}"
    TEXT = r"\min\{{k : 2 c_*({1}) c_k({1})/k \le {0}\}}"


class KOfSimplex(_Number):
    """The largest k found such that k - 1 negatives leave a simplex above a target: (target, tau).

    That simplex is certified; that no other needs more is not.
    """

    nargs = 2
    NAME = "largest k found with a simplex of bias > {0} at k - 1, {1}"
    TEXT = r"k\ \text{{(largest found): at}}\ k - 1,\ {1}\ \text{{a simplex has bias}} > {0}"
