"""One file of embeddings at one temperature: everything that `infonce diagnose` computes."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from numerics.drivers import Progress
from numerics.exact import MAX_K, MAX_TAU
from numerics.group_sums import Groups, check_tau, group_sums
from numerics.jackknife import Estimate
from numerics.parse import InputError
from numerics.worlds import Embeddings
from proofs.diagnose.blocks import Blocks
from proofs.diagnose.bounds import Bound, bounds, guaranteed_k
from proofs.diagnose.estimates import Estimates, estimates
from proofs.diagnose.evaluations import risks
from proofs.diagnose.risks import LOSSES, TABLE, Least, Risks
from proofs.expansion import Loss

__all__ = ["TAUS", "Copies", "Diagnosis", "diagnose"]

#: Temperatures of the table.
TAUS = tuple(Fraction(x, 100) for x in (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100))
DEFAULT_K = 1000
DEFAULT_TARGET = Fraction(1, 100)


@dataclass(frozen=True)
class Copies:
    """Rows that occur more than once.

    Attributes
    ----------
    anchors : int
        Anchors that equal an earlier one.
    negatives : int
        Separate negatives that equal an anchor; 0 if there are none.
    """

    anchors: int
    negatives: int

    @classmethod
    def of(cls, world: Embeddings) -> Copies:
        """Count them.

        >>> Copies.of(Embeddings(np.array([[1.0, 0.0], [1.0, -0.0]]), np.eye(2)))
        Copies(anchors=1, negatives=0)
        """
        seen = {row.tobytes() for row in world.anchor + 0.0}  # + 0.0 turns -0.0 into 0.0
        negatives = 0
        if world.negative is not None:
            negatives = sum(row.tobytes() in seen for row in world.negative + 0.0)
        return cls(len(world.anchor) - len(seen), negatives)


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """What the theory says of embeddings; losses normalised by k, in nats.

    Attributes
    ----------
    blocks : Blocks
        The shuffled embeddings.
    tau, k, target : Fraction, int, Fraction
        Temperature; negatives for which anchors are compared; bias allowed.
    seed : int
        Of the shuffling.
    main : Estimates
        At ``tau``, with confidence intervals.
    temperatures : list of Estimates
        At the temperatures of the table and at ``tau``, increasing, without intervals.
    risks : Risks
        The biases on the empirical law at ``tau``.
    least : dict
        For each loss the least k from which |bias| stays at most ``target``.
    bounds : list of Bound
        At ``tau`` and ``k``.
    guaranteed : dict
        For each loss the k that suffices for every embedding; None beyond 10^15.
    copies : Copies
        Rows that occur more than once.
    """

    blocks: Blocks
    tau: Fraction
    k: int
    target: Fraction
    seed: int
    main: Estimates
    temperatures: list[Estimates]
    risks: Risks
    least: dict[Loss, Least]
    bounds: list[Bound]
    guaranteed: dict[Loss, int | None]
    copies: Copies

    @property
    def source(self) -> str:
        """The file, or the number of anchors."""
        return self.blocks.world.spec()

    @property
    def n(self) -> int:
        """Number of pairs."""
        return len(self.blocks.order)

    @property
    def limit(self) -> float:
        """The plain estimate of CE."""
        return float(self.main.anchors.means[0])

    @cached_property
    def risk(self) -> Estimate:
        """The risk, (2, K): InfoNCE and DCL at ``risks.ks``."""
        assert self.main.left_out is not None
        return self.risks.risk(self.limit, self.main.left_out[:, 0])

    @property
    def reported(self) -> list[int]:
        """Values of k of the table of risks."""
        return sorted({*TABLE, self.k})

    def expansion(self, k: int, loss: Loss) -> float:
        """CE + c_1/k + c_2/k^2, plain, c_1 and c_2 from the anchors whose risk is evaluated."""
        one, two = self._evaluated[loss]
        return self.limit + one / k + two / k / k

    @cached_property
    def _evaluated(self) -> dict[Loss, list[float]]:
        anchors, drawn = self.main.anchors, self.risks.drawn
        return {
            loss: [float(np.mean(anchors.coefficient(j, loss)[drawn])) for j in (1, 2)]
            for loss in LOSSES
        }

    @cached_property
    def uncapped(self) -> int | None:
        """The least k with log(k + 1) at least -CE (corrected): below, the cap binds."""
        information = -float(self.main.jackknife.corrected[0])
        if information > 700:
            return None
        return max(1, math.ceil(math.exp(information) - 1))

    def information(self, k: int) -> tuple[float, float]:
        """log(1 + 1/k) - R of InfoNCE, a lower bound on information: plain and corrected."""
        place = (0, self.risks.at(k))
        plain, corrected = float(self.risk.plain[place]), float(self.risk.corrected[place])
        return math.log1p(1 / k) - plain, math.log1p(1 / k) - corrected

    def worst_by_bias(self, count: int = 5) -> NDArray[np.int64]:
        """Places among ``risks.drawn`` with the largest |bias of InfoNCE| at k."""
        sizes = np.abs(self.risks.biases[0, :, self.risks.at(self.k)])
        return np.argsort(-sizes, kind="stable")[:count]

    def worst_by_limit(self, count: int = 5) -> NDArray[np.int64]:
        """Shuffled anchors with the largest cross-entropy."""
        return np.argsort(-self.main.anchors.limit, kind="stable")[:count]


def diagnose(
    world: Embeddings,
    tau: Fraction,
    *,
    k: int = DEFAULT_K,
    target: Fraction = DEFAULT_TARGET,
    seed: int = 0,
    executor: Executor | None = None,
    checkpoint: str | Path | None = None,
    progress: Callable[[str], Progress] | None = None,
) -> Diagnosis:
    """Apply the theory to embeddings.

    Parameters
    ----------
    world : Embeddings
        See :func:`numerics.parse.embeddings`; at least 3 anchors, and 3 negatives.
    tau : Fraction
        Temperature, at least 3/350.
    k : int
        Number of negatives at which the bounds are taken and anchors compared, up to 10^18.
    target : Fraction
        Largest |bias| allowed, in nats.
    seed : int
        Of the shuffling into blocks, and so of the anchors that are drawn.
    executor, checkpoint
        For the long parts: see :func:`numerics.drivers.fold`. The pass over all pairs is kept in
        the file ``checkpoint``, the evaluations at finite k in the same name with ``.risks`` added.
    progress : callable, optional
        Takes the name of a stage and returns what to call with (parts done, parts).

    Raises
    ------
    InputError
        Naming the option or array and the rule it breaks.

    Examples
    --------
    >>> rows = np.random.default_rng(0).normal(size=(30, 3))
    >>> rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    >>> found = diagnose(Embeddings(rows, rows), Fraction(1, 2))
    >>> found.n, found.main.estimable("dcl")
    (30, False)
    """
    _refuse(world, tau, k, target)
    blocks = Blocks.shuffle(world, seed)
    several = sorted({*TAUS, tau})
    halves = (0, blocks.half_cut, blocks.negatives)
    wanted = [Groups(tau, tuple(map(int, blocks.negative_cuts)))]
    wanted += [Groups(each, halves) for each in several]
    main, *others = group_sums(
        blocks.world.anchor,
        wanted,
        blocks.world.negative,
        executor=executor,
        checkpoint=checkpoint,
        progress=progress("pairs") if progress else None,
    )
    biases = risks(
        blocks,
        tau,
        k,
        executor=executor,
        checkpoint=None if checkpoint is None else f"{checkpoint}.risks",
        progress=progress("risks") if progress else None,
    )
    return Diagnosis(
        blocks,
        tau,
        k,
        target,
        seed,
        estimates(main, blocks, tau, intervals=True),
        [
            estimates(sums, blocks, each, intervals=False)
            for each, sums in zip(several, others, strict=True)
        ],
        biases,
        biases.least(target),
        bounds(tau, k),
        guaranteed_k(tau, target, two_encoders=blocks.separate),
        Copies.of(world),
    )


def _refuse(world: Embeddings, tau: Fraction, k: int, target: Fraction) -> None:
    check_tau(tau, "--tau")
    if tau > MAX_TAU:
        raise InputError("--tau", float(tau), "must be at most 1e50")
    if not 1 <= k <= MAX_K:
        raise InputError("--k", k, "must be between 1 and 1e18")
    if not target > 0:
        raise InputError("--target", target, "must be greater than 0")
    if len(world.anchor) < 3:
        raise InputError("anchor", f"{len(world.anchor)} rows", "must have at least 3 rows")
    if world.negative is not None and len(world.negative) < 3:
        raise InputError("negative", f"{len(world.negative)} rows", "must have at least 3 rows")
