r"""The loss and its limits, once, in SymPy.

Convention, said loudly because confusing it is the commonest mistake with InfoNCE code: the loss
is **normalised by k**,

    l = log( 1/k + (1/k) sum_j exp((s_j - s_+)/tau) )        (in nats),

so that it has a limit as k grows. The un-normalised InfoNCE loss log(1 + sum_j ...) that most
training code prints is l + log k. InfoNCE keeps the positive in the denominator (the 1/k term);
the decoupled loss DCL drops that term.

>>> from sympy import log, simplify
>>> simplify(unnormalised(infonce(s_plus, S, tau, k), k) - log(1 + k * S * exp(-s_plus / tau)))
0
"""

from __future__ import annotations

from sympy import Expr, Integer, exp, expand_log, log, simplify

from proofs.symbols import declare, k, tau

__all__ = ["S", "cross_entropy", "dcl", "infonce", "s_plus", "unnormalised"]

s_plus = declare("s_plus", "s_{+}", "similarity of the anchor and its positive, in [-1, 1]")
S = declare(
    "S",
    r"\hat\mu",
    "mean of exp(s/tau) over the k negatives of a tuple",
    positive=True,
)


def infonce(positive: Expr, negatives: Expr, temperature: Expr = tau, count: Expr = k) -> Expr:
    """Return the normalised InfoNCE loss of one tuple [14], in nats.

    Parameters
    ----------
    positive : Expr
        Similarity of the anchor and the positive, in [-1, 1].
    negatives : Expr
        Mean of ``exp(s_j/tau)`` over the negatives.
    temperature, count : Expr
        The temperature and the number of negatives.

    Examples
    --------
    >>> infonce(1, exp(1 / tau), tau, 1)
    log(2)
    """
    return simplify_log(Integer(1) / count + negatives * exp(-positive / temperature))


def dcl(positive: Expr, negatives: Expr, temperature: Expr = tau) -> Expr:
    """Return the decoupled (DCL) loss of one tuple: InfoNCE without the 1/k term, in nats.

    Examples
    --------
    >>> dcl(1, exp(1 / tau), tau)
    0
    """
    return simplify_log(negatives * exp(-positive / temperature))


def cross_entropy(mean_positive: Expr, log_mu: Expr, temperature: Expr = tau) -> Expr:
    """Return the limit [7] of both losses for one anchor: ``log mu - E s_+ / tau``, in nats."""
    return log_mu - mean_positive / temperature


def unnormalised(loss: Expr, count: Expr = k) -> Expr:
    """Return the un-normalised loss log(1 + sum_j ...), which is the normalised one plus log k."""
    return loss + log(count)


def simplify_log(argument: Expr) -> Expr:
    """Return log(argument) with constants collected."""
    return expand_log(log(simplify(argument)))
