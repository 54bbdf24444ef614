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
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from numerics import _mc_kernels as kernels
from numerics._jit import source_digest
from numerics._mc_laws import Law, law
from numerics.drivers import Checkpoint, Progress, fold
from numerics.parse import InputError
from numerics.worlds import World

__all__ = ["Estimate", "bias", "risk"]

Floats = NDArray[np.float64]
Loss = Literal["infonce", "dcl"]

#: Exponentials span e^{-2/tau} .. 1 and must stay normal float64 numbers.
SMALLEST_TAU = Fraction(1, 350)
#: Var(muhat)/mu^2 up to which X and X^2 are used as control variates.
LIGHT = 0.1
#: Tuples that must be expected to show what the controls leave over (see :func:`_degrees`).
SHOWN = 1000


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


@dataclass(frozen=True)
class _Controls:
    """Exact facts about each anchor that the controlled estimator uses."""

    means: Floats
    kappas: Floats
    known: Floats
    degrees: NDArray[np.int64]


@dataclass(frozen=True)
class _Run:
    """All that determines the numbers of a run."""

    law: Law
    k: int
    inverse_tau: float
    tuples: int
    seed: int
    infonce: bool
    controls: _Controls | None = None

    @property
    def block(self) -> int:
        """Tuples in a block: a power of two, about a millisecond of work or one tuple."""
        wanted = max(1.0, 2**21 / self.law.cost)
        return int(2 ** min(14, math.floor(math.log2(wanted))))

    @property
    def parts(self) -> int:
        return -(-self.tuples // self.block)


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
    record = _fold(_plain, run, executor, threads, checkpoint, progress)
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
        _known,
        run,
        -(-len(weights) // _ANCHORS),
        lambda done, more: np.concatenate([done, more]),
        executor=executor,
        threads=threads,
    )
    means, kappas, skews, known = np.ascontiguousarray(rows.T)
    degrees = _degrees(kappas, skews, k, tuples)
    left_out = np.where(degrees > 0, known, 0.0) - np.where(degrees > 1, kappas / (2 * k), 0.0)
    base = math.fsum(weights * left_out)
    run = dataclasses.replace(run, controls=_Controls(means, kappas, known, degrees))
    record = _fold(_controlled, run, executor, threads, checkpoint, progress)
    mean, stderr = _intercept(record)
    rounding = 8 * np.finfo(float).eps * (abs(base) + abs(mean))
    return Estimate(base + mean, math.hypot(stderr, rounding), tuples)


def _degrees(kappas: Floats, skews: Floats, k: int, tuples: int) -> NDArray[np.int64]:
    """Degree of the controls that each anchor can bear: 0, 1 or 2.

    In terms of rare large exponentials, lam = k kappa_2^3/kappa_3^2 of which fall into a tuple, the
    controls of degree p leave over what tuples with p + 1 of them do, a share lam^{p+1} of all
    where lam < 1.  If too few such tuples are to be expected in the sample, its residuals say
    nothing of the error.
    """
    lam = np.minimum(1.0, k * kappas * (kappas / np.maximum(np.abs(skews), 1e-300)) ** 2)
    degrees = (tuples * lam**2 >= SHOWN).astype(np.int64) + (tuples * lam**3 >= SHOWN)
    return np.where(kappas <= LIGHT * k, degrees, 0)


def _check(
    world: World,
    tau: Fraction | float,
    k: int,
    tuples: int,
    seed: int,
    loss: str,
    positives: bool = False,
) -> _Run:
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
    return _Run(
        law(world, exact, k, positives), k, float(1 / exact), tuples, seed, loss == "infonce"
    )


def _fold(
    work: Callable[[_Run, int], Floats],
    run: _Run,
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
        _merge,
        executor=executor,
        threads=threads,
        checkpoint=kept,
        progress=progress,
    )


_ANCHORS = 64  # anchors whose exact moments are computed together


def _known(run: _Run, part: int) -> Floats:
    """Mean, kappa_2, kappa_3 and known part of the positive of some anchors, one row each."""
    low = part * _ANCHORS
    high = min(low + _ANCHORS, len(run.law.anchor_weights))
    exact = run.law.moments(low, high)
    out = np.zeros(high - low)
    if run.infonce:
        positives = run.law.positives(np.arange(low, high))
        kernels.known_part(out, np.ascontiguousarray(exact[:, 0]), *positives, float(run.k))
    return np.column_stack([exact, out])


def _block(run: _Run, part: int) -> tuple[int, Any, NDArray[np.int64], Floats]:
    """First tuple, seed, anchors and negatives' sums of a block."""
    first = part * run.block
    seed = np.uint64(run.seed)
    anchors = run.law.anchors(first, min(run.block, run.tuples - first), seed)
    return first, seed, anchors, run.law.sums(first, seed, anchors)


def _plain(run: _Run, part: int) -> Floats:
    first, seed, anchors, sums = _block(run, part)
    gaps = run.law.gaps(first, seed, anchors)
    kernels.losses(sums, gaps, float(run.k), run.inverse_tau, run.infonce)
    record: Floats = kernels.moments(sums[:, None])
    return record


def _controlled(run: _Run, part: int) -> Floats:
    assert run.controls is not None
    _, _, anchors, sums = _block(run, part)
    met, local = np.unique(anchors, return_inverse=True)
    own = run.controls
    out = np.empty((len(sums), 3))
    kernels.control(
        out,
        sums,
        local,
        own.means[met],
        own.kappas[met],
        own.known[met],
        own.degrees[met],
        *run.law.positives(met),
        float(run.k),
        run.infonce,
    )
    record: Floats = kernels.moments(out)
    return record


def _merge(a: Floats, b: Floats) -> Floats:
    """Moments of two sets of tuples together (Chan, Golub and LeVeque)."""
    p = math.isqrt(len(a))
    n = a[0] + b[0]
    shift = b[1 : 1 + p] - a[1 : 1 + p]
    means = a[1 : 1 + p] + shift * (b[0] / n)
    squares = a[1 + p :] + b[1 + p :] + np.outer(shift, shift).ravel() * (a[0] * b[0] / n)
    return np.concatenate([[n], means, squares])


def _intercept(record: Floats) -> tuple[float, float]:
    """Mean of the first column where the others, whose expectations are 0, are 0; with its error.

    Least squares with an intercept; a column that the earlier ones determine is left out.
    """
    p = math.isqrt(len(record))
    n = float(record[0])
    mean = record[1 : 1 + p].copy()
    square = record[1 + p :].reshape(p, p).copy()
    scale = square.diagonal().copy()
    leverage = 1 / n
    used = 0
    for j in range(1, p):
        if not square[j, j] > 1e-9 * scale[j]:
            continue
        slope = square[:, j] / square[j, j]
        leverage += mean[j] ** 2 / square[j, j]
        mean = mean - slope * mean[j]
        square = square - np.outer(slope, square[j])
        used += 1
    spare = max(1.0, n - 1 - used)
    return float(mean[0]), math.sqrt(max(0.0, float(square[0, 0])) / spare * leverage)
