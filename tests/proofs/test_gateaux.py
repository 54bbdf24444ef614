"""Gateaux derivatives against the complex step, and against wrong formulas."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Expr, Integer, Symbol, exp, log

from proofs.gateaux import (
    Atom,
    Atoms,
    Dot,
    Embedding,
    Field,
    Mass,
    canonical,
    derivative,
    difference,
    log_partition,
    softmax_average,
)
from proofs.symbols import k, tau

PHI, ETA = Embedding("phi"), Embedding("eta")
X, Y = Symbol("x"), Symbol("y")
NEGATIVES = Atoms()


def partition(f: Field) -> Expr:
    return log_partition(f, X, Y, NEGATIVES)


def loss(f: Field) -> Expr:
    return log(1 / k + exp(partition(f)))


def lemma_6(sign: int = 1) -> Expr:
    first = Dot(ETA(X), softmax_average(PHI, PHI, X, NEGATIVES) - PHI(Y))
    second = Dot(PHI(X), softmax_average(PHI, ETA, X, NEGATIVES) - sign * ETA(Y))
    return (first + second) / tau


def masses(size: int) -> np.ndarray:
    """Return the masses that numbered atoms have in numeric tests."""
    return np.array([float(Mass(Integer(i + 1))) for i in range(size)])


def numeric(expression: Expr, phi: np.ndarray, eta: np.ndarray, size: int, t: float) -> float:
    """Evaluate at arrays whose rows are x, y, z_1, ..., z_k."""
    place = {X: 0, Y: 1} | {Atom(i + 1): i + 2 for i in range(size)}
    rows = {"phi": phi, "eta": eta}
    flat = expression.subs(k, size).doit()
    values = {
        atom: float(
            np.dot(*(rows[str(v.args[0])][place[v.args[1]]] for v in atom.args)),
        )
        for atom in flat.atoms(Dot)
    }
    values |= {tau: t}
    return float(flat.xreplace(values).evalf())


@pytest.mark.parametrize(("size", "d", "t"), [(1, 1, 0.7), (3, 2, 0.1), (5, 8, 5.0)])
def test_lemma_6_agrees_with_the_complex_step(size: int, d: int, t: float) -> None:
    rng = np.random.default_rng(size)
    phi, eta = rng.normal(size=(2, size + 2, d)) / np.sqrt(d)
    omega = masses(size)
    step = 1e-100
    moved = phi + 1j * step * eta
    exponents = (moved[2:] - moved[1]) @ moved[0] / t
    shift = exponents.real.max()
    H = shift + np.log(omega @ np.exp(exponents - shift))
    expected = H.imag / step
    assert numeric(lemma_6(), phi, eta, size, t) == pytest.approx(expected, rel=1e-12)
    assert numeric(derivative(partition, PHI, ETA), phi, eta, size, t) == pytest.approx(
        expected, rel=1e-12
    )
    expected_loss = np.log(1 / size + np.exp(H)).imag / step
    assert numeric(derivative(loss, PHI, ETA), phi, eta, size, t) == pytest.approx(
        expected_loss, rel=1e-12
    )


def test_lemma_6_for_any_number_of_atoms() -> None:
    assert difference(derivative(partition, PHI, ETA), lemma_6()) == 0


def test_a_wrong_sign_is_seen() -> None:
    gap = difference(derivative(partition, PHI, ETA), lemma_6(sign=-1))
    assert gap == -2 * Dot(PHI(X), ETA(Y)) / tau


def test_canonical_keeps_the_value() -> None:
    rng = np.random.default_rng(7)
    phi, eta = rng.normal(size=(2, 5, 3)) / 2
    slope = derivative(partition, PHI, ETA)
    assert numeric(canonical(slope), phi, eta, 3, 0.5) == pytest.approx(
        numeric(slope, phi, eta, 3, 0.5), rel=1e-12
    )


def test_inner_products_of_sums_keep_their_indices_apart() -> None:
    mean = NEGATIVES.integral(PHI)
    rng = np.random.default_rng(8)
    phi = rng.normal(size=(6, 2))
    omega = masses(4)
    square = numeric(Dot(mean, mean), phi, phi, 4, 1.0)
    assert square == pytest.approx(float(np.sum((omega @ phi[2:]) ** 2)), rel=1e-12)


@pytest.mark.parametrize("other", [Symbol("j'", integer=True, positive=True), Symbol("_0")])
def test_no_index_is_captured(other: Symbol) -> None:
    """The other vector holds the index free, and what the index might be called instead."""
    mean = NEGATIVES.integral(PHI)
    (index,) = mean.variables
    found = Dot(mean, PHI(Atom(index + other)))
    assert {index, other} <= found.free_symbols
    assert found.variables[0] not in (index, other)


def test_a_product_of_vectors_is_not_a_vector() -> None:
    with pytest.raises(TypeError, match="not a vector"):
        Dot(PHI(X) * PHI(Y), PHI(X))
    with pytest.raises(TypeError, match="not a vector"):
        Dot(PHI(X) + Integer(1), PHI(X))


def test_constants_leave_the_sums() -> None:
    c = Symbol("c")
    j = NEGATIVES.index
    split = canonical(NEGATIVES.integral(lambda z: exp(c + j) + c))
    assert split == c * NEGATIVES.integral(lambda z: Integer(1)) + exp(c) * NEGATIVES.integral(
        lambda z: exp(j)
    )
