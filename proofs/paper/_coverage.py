"""A small class of embeddings on which Proposition 3 can be tried; all but the draw is exact.

The world has a few atoms, the class a few embeddings of them. The risk of each embedding is a sum
over all tuples; the empirical Rademacher complexity is a mean over all 2^n signs when n <= 12 and
over random signs beyond.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from proofs.evidence import Compared, Estimate, Evidence, Mutant, OnWorlds, Sampled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Indices = NDArray[np.int64]
    #: Takes tau, k, n, delta; returns what a bound adds to R_hat + 2 Rad_n.
    Slack = Callable[[float, int, int, float], float]

__all__ = [
    "LARGEST_EXACT",
    "SmallClass",
    "Trial",
    "coverage",
    "crosschecks",
    "looseness",
    "no_deviation",
    "rademacher",
    "trials",
]

#: Up to this many tuples the Rademacher complexity is computed over all signs.
LARGEST_EXACT = 12


@dataclass(frozen=True)
class SmallClass:
    """A finite world and a finite class of embeddings of its atoms.

    Parameters
    ----------
    pi : array, (N,)
        Law of anchors and negatives.
    positive : array, (N, N)
        Row-stochastic kernel of positives.
    similarities : array, (T, N, N)
        Inner products of the atoms under each of the T embeddings.
    tau : float
        Temperature.
    k : int
        Negatives in a tuple.
    decoupled : bool
        Whether the loss is DCL rather than InfoNCE.
    """

    pi: Array
    positive: Array
    similarities: Array
    tau: float
    k: int
    decoupled: bool = False

    @classmethod
    def random(
        cls, rng: np.random.Generator, *, tau: float, k: int, decoupled: bool = False
    ) -> SmallClass:
        """Return a world of 4 atoms with 6 embeddings of it into the sphere of R^3."""
        atoms, members, d = 4, 6, 3
        rows = rng.normal(size=(members, atoms, d))
        rows /= np.linalg.norm(rows, axis=2, keepdims=True)
        return cls(
            pi=rng.dirichlet(np.full(atoms, 3.0)),
            positive=rng.dirichlet(np.full(atoms, 0.7), size=atoms),
            similarities=rows @ rows.transpose(0, 2, 1),
            tau=tau,
            k=k,
            decoupled=decoupled,
        )

    def losses(self, tuples: Indices) -> Array:
        """Return the losses (nats), one row an embedding, of tuples (anchor, positive, ...)."""
        anchor, positive, negatives = tuples[:, 0], tuples[:, 1], tuples[:, 2:]
        exponents = self.similarities[:, anchor[:, None], negatives]
        exponents = (exponents - self.similarities[:, anchor, positive][:, :, None]) / self.tau
        total = np.logaddexp.reduce(exponents, axis=2)
        if not self.decoupled:
            total = np.logaddexp(0.0, total)
        return np.asarray(total - np.log(self.k))

    def risks(self) -> Array:
        """Return the risk of each embedding, a finite sum over all tuples."""
        atoms = range(len(self.pi))
        grid = np.meshgrid(*[atoms] * (2 + self.k), indexing="ij")
        tuples = np.stack(grid, axis=-1).reshape(-1, 2 + self.k)
        chance = self.pi[tuples[:, 0]] * self.positive[tuples[:, 0], tuples[:, 1]]
        chance *= self.pi[tuples[:, 2:]].prod(axis=1)
        return np.asarray(self.losses(tuples) @ chance)

    def draw(self, rng: np.random.Generator, n: int) -> Indices:
        """Return n independent tuples, one a row."""
        atoms = len(self.pi)
        anchor = rng.choice(atoms, n, p=self.pi)
        uniform = rng.random(n)
        positive = (uniform[:, None] > np.cumsum(self.positive[anchor], axis=1)).sum(axis=1)
        negatives = rng.choice(atoms, (n, self.k), p=self.pi)
        return np.column_stack([anchor, np.minimum(positive, atoms - 1), negatives])


def rademacher(losses: Array, rng: np.random.Generator) -> float:
    """Return the empirical Rademacher complexity of a (T, n) table of losses.

    Examples
    --------
    >>> rademacher(np.array([[0.0, 1.0], [1.0, 0.0]]), np.random.default_rng(0))
    0.25
    """
    n = losses.shape[1]
    if n <= LARGEST_EXACT:
        signs = ((np.arange(2**n)[:, None] >> np.arange(n)) & 1) * 2 - 1
    else:
        signs = rng.choice([-1, 1], size=(4096, n))
    return float((losses @ signs.T / n).max(axis=0).mean())


@dataclass(frozen=True)
class Trial:
    """One draw of n tuples: the largest R - R_hat in the class, and twice the complexity."""

    deviation: float
    twice_rademacher: float


def trials(world: SmallClass, *, n: int, count: int, rng: np.random.Generator) -> Iterator[Trial]:
    """Yield independent trials."""
    risks = world.risks()
    for _ in range(count):
        losses = world.losses(world.draw(rng, n))
        deviation = float((risks - losses.mean(axis=1)).max())
        yield Trial(deviation, 2 * rademacher(losses, rng))


def coverage(
    *,
    seed: int,
    slack: Slack,
    n: int = 10,
    delta: float = 0.05,
    count: int = 400,
    tau: float = 0.5,
    k: int = 2,
    decoupled: bool = False,
) -> Estimate:
    """Return the share of draws in which some embedding of the class exceeds the bound.

    The target is delta and the standard error that of a share whose true value is delta.
    """
    rng = np.random.default_rng(seed)
    world = SmallClass.random(rng, tau=tau, k=k, decoupled=decoupled)
    allowed = slack(tau, k, n, delta)
    failures = [
        t.deviation > t.twice_rademacher + allowed for t in trials(world, n=n, count=count, rng=rng)
    ]
    return Estimate(float(np.mean(failures)), float(np.sqrt(delta * (1 - delta) / count)), delta)


def looseness(
    *,
    slack: Slack,
    sizes: tuple[int, ...] = (4, 12, 40),
    delta: float = 0.05,
    count: int = 200,
    seed: int = 1,
    share: float = 1.0,
) -> Iterator[Compared]:
    """Yield, for each n, the (1 - delta)-quantile of the largest deviation and the mean bound.

    Only a `share` of the complexity is counted: 1 for the bound itself.
    """
    rng = np.random.default_rng(seed)
    for tau, k in ((1.0, 1), (0.2, 2)):
        world = SmallClass.random(rng, tau=tau, k=k)
        for n in sizes:
            drawn = list(trials(world, n=n, count=count, rng=rng))
            complexity = share * float(np.mean([t.twice_rademacher for t in drawn]))
            bound = complexity + slack(tau, k, n, delta)
            deviation = float(np.quantile([t.deviation for t in drawn], 1 - delta))
            yield Compared(f"tau = {tau:g}, k = {k}, n = {n}", deviation, bound)


def no_deviation(tau: float, k: int, n: int, delta: float) -> float:
    """Return 0: a bound that the experiments must reject."""
    return 0.0


def crosschecks(slack: Slack) -> list[Evidence]:
    """Return the experiments on a bound R <= R_hat + 2 Rad_n + slack, with their mutants."""
    return [
        Sampled(
            claim="Among draws of n = 10 tuples a share of at most delta exceeds the bound.",
            draw=coverage,
            relation="<=",
            arguments={"slack": slack},
            mutants=[Mutant("no deviation term", arguments={"slack": no_deviation})],
        ),
        OnWorlds(
            claim="The (1 - delta)-quantile of the largest deviation is below the mean bound.",
            sides=looseness,
            arguments={"slack": slack},
            mutants=[
                Mutant(
                    "a tenth of the complexity, no deviation term",
                    arguments={"slack": no_deviation, "share": 0.1},
                )
            ],
        ),
    ]
