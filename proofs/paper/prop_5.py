"""Proposition 5: the empirical Rademacher complexity of the losses under (C)."""

from __future__ import annotations

from sympy import E, Eq, Expr, Ge, Implies, Integer, Le, Limit, diff, expand_log, log, sqrt

from proofs.evaluate import numpy_function
from proofs.evidence import Averaged, Cited, Decided, Derived, Enclosed, Mutant, OnWorlds, Use
from proofs.ledger import Constant, Statement, Step
from proofs.paper._circle_model import Tuples, class_sides
from proofs.paper._lipschitz_class import (
    A,
    B_tau,
    complexity_bound,
    d_theta,
    distance,
    lipschitz,
    lipschitz_of_loss,
    radius,
    rho,
    switch,
)
from proofs.paper.lemma_1 import statement as lemma_1
from proofs.paper.lemma_5 import loss, other
from proofs.paper.lemma_5 import statement as lemma_5
from proofs.symbols import Rad_n, declare, n, tau

__all__ = ["c_cover", "entropy", "eps", "limit", "slope", "statement", "volume"]

eps = declare("eps", r"\varepsilon", "radius of the balls of a cover, in nats", positive=True)
slope = declare("slope", "L", "a Lipschitz constant of the loss in theta, in nats", nonnegative=True)
limit = declare("limit", "U", "upper limit of the entropy integral, in nats", positive=True)
c_cover = declare("c_cover", "c", "2 L R_Theta, in nats", nonnegative=True)
entropy = declare(
    "entropy",
    r"\log N(\varepsilon)",
    "logarithm of the number of balls of radius eps that cover the class of losses",
    nonnegative=True,
)
root_entropy = declare(
    "root_entropy", r"\sqrt{\log N(\varepsilon)}", "square root of the entropy", nonnegative=True
)
