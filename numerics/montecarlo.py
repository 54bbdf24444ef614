"""Monte Carlo estimates of the finite-k risk and of its bias, with standard errors.

Tuple i of a run is drawn from random streams keyed by (seed, i).  Runs are cut into blocks by their
parameters alone and the blocks are merged in order, so the bits of the answer do not depend on
threads, processes, machines or interruptions.  Memory does not grow with the number of tuples or
negatives.

* :func:`risk` averages the loss of sampled tuples.
* :func:`bias` estimates risk - limit as itself.  With X = muhat/mu - 1, muhat the mean of the k
  negatives' exponentials and mu its expectation, the bias is
  E[log(1 + X) + E_+ log(1 + Y_+/(k muhat))].  The positive is integrated out exactly; E X = 0 and
  E X^2 are known exactly, so the leading terms are put in by hand and X, X^2 serve as control
  variates for the rest.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from numerics._jit import source_digest
from numerics._mc_laws import law
from numerics._mc_runs import ANCHORS, Controls, Run, controlled, known_rows, plain
from numerics._mc_statistics import degrees_for, intercept, merge
from numerics.checkpoints import Checkpoint
from numerics.drivers import Progress, fold
from numerics.parse import InputError
from numerics.worlds import World

__all__ = ["Estimate", "bias", "risk"]

Floats = NDArray[np.float64]
Loss = Literal["infonce", "dcl"]

#: Exponentials span e^{-2/tau} .. 1 and must stay normal float64 numbers.
SMALLEST_TAU = Fraction(1, 350)


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error, in nats.

    Attributes
    ----------
    mean, stderr : float
        The estimate and its standard error.
    tuples : int
        How many independent tuples it comes from.
    """

    mean: float
    stderr: float
    tuples: int

    def z(self, truth: float) -> float:
        """Distance from the truth in standard errors."""
        gap = self.mean - truth
        if self.stderr == 0:
            return math.copysign(math.inf, gap) if gap else 0.0
        return gap / self.stderr


def risk(
    world: World,
    tau: Fraction | float,
    k: int,
    tuples: int,
    seed: int = 0,
    loss: Loss = "infonce",
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """Average loss of ``tuples`` independent tuples (anchor, positive, k negatives).

    Parameters
    ----------
    world : World
        Any world of :mod:`numerics.worlds`.
    tau : Fraction or float
        Temperature, at least 1/350.
    k : int
        Number of negatives, 1 to 2^53.
    tuples : int
        At least 2.
    seed : int, default 0
        0 to 2^64 - 1.
    loss : {"infonce", "dcl"}
        Normalised by k: log(1/k + (1/k) sum_j exp((s_j - s_+)/tau)), without the 1/k for DCL.
    executor, threads, progress
        Who computes and who is told; see :func:`numerics.drivers.fold`.
    checkpoint : path, optional
        File that keeps what is finished and from which the run resumes to the same bits.

    Returns
    -------
    Estimate
        Of the risk, in nats.

    Raises
    ------
    InputError
        If a parameter is out of range or the checkpoint belongs to other parameters.

    Examples
    --------
    >>> from numerics.worlds import Classes
    >>> estimate = risk(Classes(2), 1.0, k=64, tuples=4000)
    >>> round(estimate.mean, 1), estimate.tuples
    (-0.4, 4000)
    """
    run = _check(world, tau, k, tuples, seed, loss)
    record = _fold(plain, run, executor, threads, checkpoint, progress)
    count, mean, square = float(record[0]), float(record[1]), float(record[2])
    return Estimate(mean, math.sqrt(square / (count - 1) / count), tuples)


def bias(
    world: World,
    tau: Fraction | float,
    k: int,
    tuples: int,
    seed: int = 0,
    loss: Loss = "infonce",
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """Risk minus its limit, estimated as itself with control variates.

    The parameters are those of :func:`risk`.  Where the controls X and X^2 have too heavy tails for
    a sample of this size they are left out; the positive is integrated out always.

    Examples
    --------
    >>> from numerics.worlds import Classes
    >>> estimate = bias(Classes(2), 1.0, k=64, tuples=4000)
    >>> f"{estimate.mean:.4f}"
    '0.0210'
    """
    run = _check(world, tau, k, tuples, seed, loss, positives=True)
    weights = run.law.anchor_weights
    rows = fold(
        known_rows,
        run,
        -(-len(weights) // ANCHORS),
        lambda done, more: np.concatenate([done, more]),
        executor=executor,
        threads=threads,
    )
    means, kappas, skews, known = np.ascontiguousarray(rows.T)
    degrees = degrees_for(kappas, skews, k, tuples)
    left_out = np.where(degrees > 0, known, 0.0) - np.where(degrees > 1, kappas / (2 * k), 0.0)
    base = math.fsum(weights * left_out)
    run = dataclasses.replace(run, controls=Controls(means, kappas, known, degrees))
    record = _fold(controlled, run, executor, threads, checkpoint, progress)
    mean, stderr = intercept(record)
    rounding = 8 * np.finfo(float).eps * (abs(base) + abs(mean))
    return Estimate(base + mean, math.hypot(stderr, rounding), tuples)


def _check(
    world: World,
    tau: Fraction | float,
    k: int,
    tuples: int,
    seed: int,
    loss: str,
    positives: bool = False,
) -> Run:
    if not tau >= SMALLEST_TAU or tau == math.inf:
        rule = "must be finite and at least 1/350, where float64 holds exp(-2/tau)"
        raise InputError("tau", tau, rule)
    for name, value, low, high in (
        ("k", k, 1, 2**53),
        ("tuples", tuples, 2, 2**53),
        ("seed", seed, 0, 2**64 - 1),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise InputError(name, value, f"must be an integer from {low} to {high}")
    if loss not in ("infonce", "dcl"):
        raise InputError("loss", loss, "must be infonce or dcl")
    exact = Fraction(tau)
    return Run(
        law(world, exact, k, positives), k, float(1 / exact), tuples, seed, loss == "infonce"
    )


def _fold(
    work: Callable[[Run, int], Floats],
    run: Run,
    executor: Executor | None,
    threads: int | None,
    checkpoint: str | Path | None,
    progress: Progress | None,
) -> Floats:
    kept = None
    if checkpoint is not None:
        kept = Checkpoint(checkpoint, [work.__name__, source_digest(), run])
    return fold(
        work,
        run,
        run.parts,
        merge,
        executor=executor,
        threads=threads,
        checkpoint=kept,
        progress=progress,
    )
