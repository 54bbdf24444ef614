"""Handwritten digits with a known augmentation, so that the ideal search is known too.

A point is an image that was shifted by at most one pixel and given Gaussian noise; the images are
scikit-learn's.  Anchor and positive are two augmentations of one image, negatives augmentations of
images drawn anew.  With P(i | z) the posterior probability that z came from image i,

    M(z, .) = sum_i P(i|z) A(i, .),  pi = (1/n) sum_i A(i, .),  w(z, z') = n sum_i P(i|z) P(i|z'),

A(i, .) the law of an augmentation of image i.  Needs the extra ``book``.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from numerics.gram import one_blas_thread
from numerics.parse import InputError

__all__ = ["Digits", "load"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SIDE = 8
#: Shifts (down, right) in pixels and their probabilities.
SHIFTS = {(0, 0): 0.6, (1, 0): 0.1, (-1, 0): 0.1, (0, 1): 0.1, (0, -1): 0.1}


@dataclass(frozen=True, eq=False)
class Digits:
    """A law of augmented images.

    Attributes
    ----------
    shifted : (n, S, 64) array
        Every image under every shift, pixels in [0, 1], zeros coming in from outside.
    chances : (S,) array
        Probabilities of the shifts.
    noise : float
        Standard deviation of the noise of a pixel.
    labels : (n,) array of int
        Which digit an image shows; not used in training.
    """

    shifted: Floats
    chances: Floats
    noise: float
    labels: Integers

    @classmethod
    def of(cls, images: Floats, labels: Integers, noise: float) -> Digits:
        """Shift images (n, 8, 8).

        Examples
        --------
        >>> one = np.zeros((1, 8, 8)); one[0, 0, 0] = 1
        >>> Digits.of(one, np.array([1]), 0.1).shifted[0].sum(axis=1).tolist()  # two shifts lose it
        [1.0, 1.0, 0.0, 1.0, 0.0]
        """
        padded = np.pad(images, ((0, 0), (1, 1), (1, 1)))
        shifted = [
            padded[:, 1 - down : 1 - down + SIDE, 1 - right : 1 - right + SIDE]
            for down, right in SHIFTS
        ]
        rows = np.stack(shifted, axis=1).reshape(len(images), len(SHIFTS), SIDE * SIDE)
        return cls(rows, np.array(list(SHIFTS.values())), noise, labels)

    def sources(self, count: int, rng: np.random.Generator) -> Integers:
        """Draw images uniformly."""
        return rng.integers(len(self.shifted), size=count)

    def augment(self, sources: Integers, rng: np.random.Generator) -> Floats:
        """Augment images independently, (count, 64)."""
        which = rng.choice(len(self.chances), p=self.chances, size=len(sources))
        clean = self.shifted[sources, which]
        return np.asarray(clean + self.noise * rng.normal(size=clean.shape))

    def posterior(self, points: Floats) -> Floats:
        """P(i | z) for every point and image, (count, n)."""
        n, shifts, pixels = self.shifted.shape
        flat = self.shifted.reshape(-1, pixels)
        with one_blas_thread():
            inner = points @ flat.T
        fit = (inner - np.sum(flat**2, axis=1) / 2) / self.noise**2
        logs = logsumexp(fit.reshape(-1, n, shifts) + np.log(self.chances), axis=2)
        return np.asarray(np.exp(logs - logsumexp(logs, axis=1, keepdims=True)))

    def density(self, anchors: Floats, others: Floats) -> Floats:
        """The density w = dM(z, .)/dpi at pairs, (anchors, others)."""
        with one_blas_thread():
            return np.asarray(
                len(self.shifted) * self.posterior(anchors) @ self.posterior(others).T
            )


def load(count: int = 100, noise: float = 0.3) -> Digits:
    """Load the first images of scikit-learn's digits.

    Parameters
    ----------
    count : int
        Images, up to 1797.
    noise : float
        Standard deviation of the noise, in units of the brightest pixel.

    Raises
    ------
    InputError
        If scikit-learn is not installed, or there are not so many images.
    """
    try:
        datasets: Any = importlib.import_module("sklearn.datasets")
    except ImportError:
        rule = "must be installed: pip install 'infonce-companion[book]'"
        raise InputError("scikit-learn", "no such module", rule) from None
    data = datasets.load_digits()
    if not 1 <= count <= len(data.images):
        raise InputError("count", count, f"must be between 1 and {len(data.images)}")
    return Digits.of(data.images[:count] / 16.0, data.target[:count], noise)
