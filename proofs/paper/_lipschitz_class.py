r"""Symbols of assumption (C): embeddings that depend on a parameter in a Lipschitz way.

(C), with an envelope g in place of the norm: Theta is a Euclidean ball of radius R_Theta about
theta_0 in R^{d_Theta}, and ||phi_theta(z) - phi_theta'(z)|| <= C g(z) ||theta - theta'||. The paper
takes g(z) = ||z||. Nothing below uses more of g than that it is nonnegative, so every statement
that rests on (C) holds with an envelope.
"""

from __future__ import annotations

from sympy import E, Expr, Max, Min, Rational, log, sqrt

from proofs.symbols import declare, tau

__all__ = [
    "PAPER_BETA",
    "PAPER_ORDER",
    "A",
    "B_tau",
    "complexity_bound",
    "d_theta",
    "distance",
    "g_anchor",
    "g_negatives",
    "g_positive",
    "lipschitz",
    "lipschitz_of_loss",
    "pm_order",
    "radius",
    "rho",
    "rms_anchor",
    "rms_negatives",
    "rms_positive",
    "switch",
]

lipschitz = declare("lipschitz", "C", "Lipschitz constant of the embedding in (C)", positive=True)
distance = declare(
    "distance",
    r"\lVert\theta-\theta'\rVert",
    "distance of two parameters",
    nonnegative=True,
)
radius = declare(
    "radius", r"R_\Theta", "radius of the ball of parameters, R_Theta > 0", paper="R", positive=True
)
d_theta = declare("d_theta", r"d_\Theta", "dimension of the parameter", integer=True, positive=True)

g_anchor = declare(
    "g_anchor",
    r"g(z_a)",
    "envelope at the anchor; the norm in the paper",
    paper=r"\lVert z_a\rVert",
    nonnegative=True,
)
g_positive = declare(
    "g_positive",
    r"g(z_+)",
    "envelope at the positive; the norm in the paper",
    paper=r"\lVert z_+\rVert",
    nonnegative=True,
)
g_negatives = declare(
    "g_negatives",
    r"\mathrm{PM}_\beta(g)",
    "power mean of order beta of the envelope over the negatives of one tuple",
    nonnegative=True,
)
rms_anchor = declare(
    "rms_anchor", r"\mathrm{rms}_a", "root mean square of g over the n anchors", nonnegative=True
)
rms_positive = declare(
    "rms_positive",
    r"\mathrm{rms}_{+}",
    "root mean square of g over the n positives",
    nonnegative=True,
)
rms_negatives = declare(
    "rms_negatives",
    r"\mathrm{rms}_{-,\beta}",
    "root mean square over the n tuples of the power mean of order beta of g over their negatives",
    nonnegative=True,
)
pm_order = declare(
    "pm_order",
    r"\mathrm{PM}_{2/\min(1,\tau)}",
    "power mean of order 2/min(1, tau) of g over all nk negatives",
    nonnegative=True,
)
B_tau = declare(
    "B_tau", r"B_\tau", "rms_a + rms_+ + the power mean over all negatives", nonnegative=True
)
rho = declare(
    "rho",
    r"\rho_n",
    "root mean square over the tuples of a loss difference, in nats",
    nonnegative=True,
)
A = declare("A", "A", "e R_Theta B_tau C", positive=True)

#: The exponent inside a tuple that the paper chooses, and the order of the power mean it leads to.
PAPER_BETA = Max(1, 2 / tau)
PAPER_ORDER = 2 / Min(1, tau)

#: L of lemma 1: the loss moves by at most L times the distance of the parameters (nats).
lipschitz_of_loss: Expr = 4 * E / tau * B_tau * lipschitz


def complexity_bound(a: Expr, dimension: Expr, tuples: Expr, temperature: Expr = tau) -> Expr:
    """Return the right side of proposition 5, which bounds the Rademacher complexity (nats).

    >>> complexity_bound(1, 4, 4) == 96 / tau * sqrt(log(3) + 1)
    True
    """
    branches = Min(a * sqrt(log(3) + 1), sqrt(log(1 + 2 * a) + 1))
    return 96 / temperature * sqrt(Rational(1) * dimension / tuples) * branches


def switch(a: Expr) -> Expr:
    """Return the square of the second branch of proposition 5 minus that of the first."""
    return log(1 + 2 * a) + 1 - a**2 * (log(3) + 1)
