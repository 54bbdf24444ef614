"""Lemma 6: the Gateaux derivative of the log partition function, hence of the loss."""

from __future__ import annotations

from sympy import Abs, Eq, Expr, Ge, Le, Rational, Symbol, exp, log

from proofs.evidence import Argued, Cited, Decided, Derived, Mutant
from proofs.gateaux import (
    Atoms,
    Dot,
    Embedding,
    Field,
    derivative,
    difference,
    log_partition,
    softmax_average,
)
from proofs.ledger import Statement, Step
from proofs.symbols import declare, k, tau

f, eta = Embedding("f"), Embedding("eta")
x, y, z = Symbol("x"), Symbol("y"), Symbol("z")
negatives = Atoms()
#: The softmax averages G(f, f) and G(f, eta); they depend on the anchor x.
G_f, G_eta = Embedding("G_{f,f}")(x), Embedding("G_{f,eta}")(x)

H = declare(
    "H", "H(f)", "log partition function of a tuple: log of the mean of e^{(s_j - s_+)/tau}"
)
slope_H = declare("slope_H", r"\mathrm{d}H(f)[\eta]", "Gateaux derivative of H at f along eta")
slope_loss = declare("slope_loss", r"\mathrm{d}\ell(f)[\eta]", "Gateaux derivative of the loss")
slope_dcl = declare(
    "slope_dcl", r"\mathrm{d}\tilde\ell(f)[\eta]", "Gateaux derivative of the DCL loss"
)
move = declare("move", r"\epsilon", "size of a move of the embedding along eta, in [-1, 1]")
order_0 = declare("order_0", "A_0", "<f(x), f(z) - f(y)>, tau times the exponent")
order_1 = declare("order_1", "A_1", "coefficient of epsilon in tau times the exponent")
order_2 = declare("order_2", "A_2", "coefficient of epsilon^2 in tau times the exponent")
sup_f = declare("sup_f", r"\Vert f\Vert_\infty", "supremum of ||f||", nonnegative=True)
sup_eta = declare("sup_eta", r"\Vert\eta\Vert_\infty", "supremum of ||eta||", nonnegative=True)


def partition(g: Field) -> Expr:
    """Return H(g)."""
    return log_partition(g, x, y, negatives)


def infonce_of(g: Field) -> Expr:
    """Return the loss log(1/k + e^{H(g)}) of one tuple."""
    return log(1 / k + exp(partition(g)))


def slope(*, sign: int = 1, half: Expr = 1 / tau) -> Expr:
    """Return the derivative of H claimed by the lemma; other arguments falsify it."""
    return half * (Dot(eta(x), G_f - f(y)) + Dot(f(x), G_eta - sign * eta(y)))


def vanishes(expression: Expr) -> Expr:
    """Reduce a difference by canonical sums, which are the same for any number of atoms."""
    return difference(expression, 0)


_moved_exponent = Dot(f(x) + move * eta(x), f(z) + move * eta(z) - f(y) - move * eta(y))
_orders = {
    order_0: Dot(f(x), f(z) - f(y)),
    order_1: Dot(eta(x), f(z) - f(y)) + Dot(f(x), eta(z) - eta(y)),
    order_2: Dot(eta(x), eta(z) - eta(y)),
}
_quadratic = order_0 + move * order_1 + move**2 * order_2
_averages = {
    Dot(eta(x), G_f): Dot(eta(x), softmax_average(f, f, x, negatives)),
    Dot(f(x), G_eta): Dot(f(x), softmax_average(f, eta, x, negatives)),
}
_slopes = {
    H: partition(f),
    slope_H: derivative(partition, f, eta),
    slope_loss: derivative(infonce_of, f, eta),
    slope_dcl: derivative(partition, f, eta),
}
_loss_slope = Eq(slope_loss, exp(H) / (1 / k + exp(H)) * slope())
claim = (Eq(slope_H, slope()), _loss_slope, Eq(slope_dcl, slope()))

#: One cheap point for the numeric test: two atoms, and a number for each name and each point.
_point = {k: 2, tau: 2, x: 1, y: Rational(2, 3), Symbol("f"): Rational(1, 2)}
_point[Symbol("eta")] = Rational(-1, 3)

_cauchy_schwarz = (
    Le(Abs(order_0), 2 * sup_f**2),
    Le(Abs(order_1), 4 * sup_f * sup_eta),
    Le(Abs(order_2), 2 * sup_eta**2),
)
_range = (Ge(move, -1), Le(move, 1))
_dominated = (
    Le(Abs(_quadratic), 2 * (sup_f + sup_eta) ** 2),
    Le(Abs(order_1 + 2 * move * order_2), 4 * sup_eta * (sup_f + sup_eta)),
)


def _equations(table: dict[Expr, Expr]) -> tuple[Eq, ...]:
    return tuple(Eq(left, right, evaluate=False) for left, right in table.items())


statement = Statement(
    id="lemma-6",
    title="Gateaux derivative of the log partition function and of the loss",
    where="Appendix B.1, Lemma 6 and [42]",
    assumptions=[
        "f and eta are bounded maps to R^d; d is any dimension and plays no part",
        "the negatives are k points z_j with masses omega_j (1/k each in the loss); for a general "
        "finite measure, read integrals for the sums",
    ],
    claim=claim,
    definitions={**_orders, **_averages, **_slopes},
    proof=[
        Step(
            text=(
                "Moving $f$ to $f + \\epsilon\\eta$ makes the exponent a quadratic in $\\epsilon$: "
                "the inner product is bilinear."
            ),
            evidence=Derived(
                claim=Eq(_moved_exponent, _quadratic),
                given=_equations(_orders),
                mutants=[
                    Mutant("no second-order term", Eq(_moved_exponent, order_0 + move * order_1)),
                    Mutant(
                        "the first order doubled",
                        Eq(_moved_exponent, _quadratic + move * order_1),
                    ),
                ],
            ),
        ),
        Step(
            text="Its three coefficients are bounded by Cauchy-Schwarz.",
            evidence=Cited(source="Cauchy-Schwarz inequality", claim=_cauchy_schwarz),
        ),
        Step(
            name="dominated",
            text=(
                "For $|\\epsilon| \\le 1$ the exponent and its slope stay bounded, so that the "
                "integrand's derivative is at most $\\tfrac{4}{\\tau}\\Vert\\eta\\Vert_\\infty"
                "(\\Vert f\\Vert_\\infty + \\Vert\\eta\\Vert_\\infty)\\,"
                "e^{2(\\Vert f\\Vert_\\infty + \\Vert\\eta\\Vert_\\infty)^2/\\tau}$, a constant."
            ),
            evidence=Decided(
                claim=_dominated,
                given=_cauchy_schwarz,
                where=_range,
                mutants=[
                    Mutant(
                        "sup f^2 + sup eta^2 for the square of the sum",
                        Le(Abs(_quadratic), 2 * (sup_f**2 + sup_eta**2)),
                    ),
                    Mutant("epsilon not bounded", where=()),
                ],
            ),
        ),
        Step(
            text=(
                "So the derivative may be taken under the integral. For finitely many atoms, as in "
                "the loss, there is nothing to exchange."
            ),
            evidence=Argued(
                text=(
                    "By the mean value theorem the difference quotients of the integrand are, for "
                    "0 < |epsilon| <= 1, at most the constant of the previous step, which is "
                    "integrable because the measure is finite; dominated convergence applies."
                ),
                why="dominated convergence is measure theory; the engines see only its constant",
            ),
        ),
        Step(
            text=(
                "Differentiate: the factor $e^{-\\langle f(x), f(y)\\rangle/\\tau}$ leaves both "
                "sums and cancels. The loss is $\\log(1/k + e^{H})$ and the DCL loss is $H$ itself."
            ),
            evidence=Derived(
                claim=claim,
                given=(*_equations(_slopes), *_equations(_averages)),
                by=vanishes,
                at=(_point,),
                mutants=[
                    Mutant("+ eta(y)", Eq(slope_H, slope(sign=-1))),
                    Mutant("1/tau halved", Eq(slope_H, slope(half=1 / (2 * tau)))),
                    Mutant("the loss with the factor of DCL", Eq(slope_loss, slope())),
                    Mutant(
                        "1 for 1/k",
                        Eq(slope_loss, exp(H) / (1 + exp(H)) * slope()),
                    ),
                ],
            ),
        ),
    ],
)
