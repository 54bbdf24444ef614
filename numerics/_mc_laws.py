"""From a world to its Monte Carlo law."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from numerics._mc_cloud_law import CloudLaw
from numerics._mc_homogeneous import RowLaw, SphereLaw, atoms_of
from numerics._mc_law import Law
from numerics.worlds import Classes, Embeddings, FiniteWorld, Hypercube, Sphere, World


def law(world: World, tau: Fraction, k: int, positives: bool) -> Law:
    """The law of a world; ``positives`` if the positives' laws will be asked for as atoms."""
    if isinstance(world, Embeddings):
        others = world.anchor if world.negative is None else world.negative
        exclude = world.negative is None
        count = len(others) - exclude
        return CloudLaw(
            k=k,
            inverse_tau=float(1 / tau),
            points=np.ascontiguousarray(world.anchor),
            anchor_weights=np.full(world.anchors, 1 / world.anchors),
            others=np.ascontiguousarray(others),
            weights=np.full(count, 1 / count),
            even=True,
            exclude=exclude,
            paired=np.ascontiguousarray(world.positive),
        )
    if isinstance(world, FiniteWorld):
        pi = world.pi / world.pi.sum()
        return CloudLaw(
            k=k,
            inverse_tau=float(1 / tau),
            points=np.ascontiguousarray(world.phi),
            anchor_weights=pi,
            others=np.ascontiguousarray(world.phi),
            weights=pi,
            even=bool((pi == pi[0]).all()),
            exclude=False,
            laws=np.ascontiguousarray(world.positive),
        )
    if isinstance(world, Sphere):
        return SphereLaw(world, tau, k, atoms_of(world, tau) if positives else None)
    if isinstance(world, Hypercube | Classes):
        return RowLaw(world, tau, k, atoms_of(world, tau))
    raise TypeError(f"no sampler for {type(world).__name__}")
