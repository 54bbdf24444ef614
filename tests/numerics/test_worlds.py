import itertools
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp, roots_gegenbauer

from numerics.laws import decimal_text
from numerics.parse import InputError
from numerics.worlds import Classes, Embeddings, FiniteWorld, Hypercube, Sphere

HOMOGENEOUS = [
    Sphere(2, Fraction(0)),
    Sphere(3, Fraction(50)),
    Sphere(7, Fraction(5)),
    Sphere(384, Fraction(10**4)),
    Hypercube(1, Fraction(0)),
    Hypercube(20, Fraction(1, 10)),
    Hypercube(2000, Fraction(1)),
    Classes(2),
    Classes(10**6),
]


def log_mean(weights, exponents):
    some = weights > 0
    return logsumexp(np.log(weights[some]) + exponents[some])


@pytest.mark.parametrize("world", HOMOGENEOUS, ids=lambda w: w.spec())
@pytest.mark.parametrize("tau", [0.003, 0.01, 0.1, 1.0, 5.0])
def test_atoms_reproduce_the_closed_forms(world, tau):
    (law,) = world.laws(tau)
    assert law.p.sum() == pytest.approx(1, abs=1e-14)
    assert law.m.sum() == pytest.approx(1, abs=1e-14)
    assert law.m @ law.s == pytest.approx(float(world.mean_positive()), abs=1e-13)
    with mpmath.workdps(30):
        for j in (1, 2):
            exact = float(mpmath.log(world.moment(j, tau)))
            atoms = log_mean(law.p, j * law.s / tau)
            assert atoms == pytest.approx(exact, rel=1e-14, abs=1e-13)
            exact = float(mpmath.log(world.positive_moment(j, tau)))
            atoms = log_mean(law.m, j * law.s / tau)
            assert atoms == pytest.approx(exact, rel=1e-14, abs=1e-13)


@pytest.mark.parametrize("d", [2, 3, 7, 30])
@pytest.mark.parametrize("w", [1e-3, 1.0, 1e3, 1e9])
def test_sphere_nodes_agree_with_a_gauss_rule(d, w):
    """The integrand of the exact risk, by Gauss-Gegenbauer nodes: another rule, another library."""
    tau = 0.1
    nodes, weights = roots_gegenbauer(400, d / 2 - 1) if d > 2 else chebyshev(400)
    (law,) = Sphere(d, Fraction(4)).laws(tau)
    for tilt, mine in ((0, law.p), (4, law.m)):
        gauss = weights * np.exp(tilt * nodes)
        value = np.exp(-w * np.exp((nodes - 1) / tau)) @ gauss / gauss.sum()
        assert mine @ np.exp(-w * np.exp((law.s - 1) / tau)) == pytest.approx(value, rel=1e-11)


def chebyshev(n):
    """Gauss-Gegenbauer for d = 2, where SciPy's parameter would be 0."""
    return np.cos((np.arange(n) + 0.5) * np.pi / n), np.full(n, np.pi / n)


def hypercube_as_finite_world(d, flip):
    corners = list(itertools.product((-1, 1), repeat=d))
    root = int(d**0.5)  # d is a square: the vectors are rational
    phi = [[Fraction(x, root) for x in corner] for corner in corners]

    def positive(a, b):
        differing = sum(x != y for x, y in zip(a, b, strict=True))
        return flip**differing * (1 - flip) ** (d - differing)

    kernel = [[positive(a, b) for b in corners] for a in corners]
    return FiniteWorld.from_exact(phi, [Fraction(1, 2**d)] * 2**d, kernel)


def classes_as_finite_world(n):
    eye = [[int(i == j) for j in range(n)] for i in range(n)]
    return FiniteWorld.from_exact(eye, [Fraction(1, n)] * n, eye)


@pytest.mark.parametrize(
    ("closed", "finite"),
    [
        (Hypercube(4, Fraction(1, 10)), hypercube_as_finite_world(4, Fraction(1, 10))),
        (Hypercube(1, Fraction(0)), hypercube_as_finite_world(1, Fraction(0))),
        (Classes(5), classes_as_finite_world(5)),
    ],
    ids=["hypercube", "pair", "classes"],
)
def test_closed_forms_agree_with_the_enumerated_world(closed, finite):
    with mpmath.workdps(40):
        close = lambda x, y: abs(x - y) < mpmath.mpf(10) ** -36 * abs(y)  # noqa: E731
        for tau in (Fraction(1, 100), Fraction(1, 2), 5):
            for j in (1, 2, 3):
                assert close(closed.moment(j, tau), finite.moment(j, tau))
                assert close(closed.moment(j, tau), finite.moment(j, tau, 0))
                assert close(closed.positive_moment(j, tau), finite.positive_moment(j, tau))
            assert close(closed.limit(tau), finite.limit(tau))
        assert close(closed.mean_positive(), finite.mean_positive())
        assert close(closed.chi2(), finite.chi2())


def test_a_finite_world_of_floats_is_exact_too():
    phi = np.array([[0.6, 0.8], [1.0, 0.0]])
    world = FiniteWorld(phi, np.array([0.1, 0.9]), np.full((2, 2), 0.5))
    exact_phi, pi, positive = world.exact_parts()
    assert exact_phi[0][0] == Fraction(0.6)
    assert sum(pi) == 1
    assert positive[0] == (Fraction(1, 2),) * 2
    assert float(world.exact_gram()[0][1]) == 0.6
    for law, s in zip(world.laws(1.0), phi @ phi.T, strict=True):
        assert np.array_equal(law.s, s)


def test_chi2_is_infinite_where_the_positive_leaves_the_negatives():
    identity = [[1, 0], [0, 1]]
    assert FiniteWorld.from_exact(identity, [1, 0], [[1, 0], [0, 1]]).chi2() == 1
    assert FiniteWorld.from_exact(identity, [1, 0], [[0, 1], [0, 1]]).chi2() == mpmath.inf


def test_anchors_without_probability_are_left_out():
    world = FiniteWorld.from_exact([[1, 0], [0, 1]], [1, 0], [[0, 1], [0, 1]])
    assert [law.weight for law in world.laws(1.0)] == [1.0]


@pytest.mark.parametrize("separate", [False, True])
def test_embeddings_leave_the_anchor_out(separate):
    generator = np.random.default_rng(0)

    def unit(n):
        rows = generator.normal(size=(n, 3))
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    negative = unit(7) if separate else None
    world = Embeddings(unit(300), unit(300), negative)
    tau = 0.3
    laws = list(world.laws(tau))
    assert len(laws) == 300
    assert sum(law.weight for law in laws) == pytest.approx(1, abs=1e-14)
    for i in (0, 255, 256, 299):
        others = np.delete(world.anchor, i, axis=0) if negative is None else negative
        expected = np.exp(others @ world.anchor[i] / tau).mean()
        law = laws[i]
        assert law.p @ np.exp(law.s / tau) == pytest.approx(expected, rel=1e-14)
        assert float(world.moment(1, tau, i)) == pytest.approx(expected, rel=1e-14)
        s_positive = world.anchor[i] @ world.positive[i]
        assert law.m @ law.s == pytest.approx(s_positive, rel=1e-14)
        assert float(world.mean_positive(i)) == pytest.approx(s_positive, rel=1e-14)
    if negative is None:  # its 300 x 299 exponentials in mpmath take seconds
        world = Embeddings(world.anchor[:20], world.positive[:20])
        laws = list(world.laws(tau))
    limits = [np.log(law.p @ np.exp(law.s / tau)) - law.m @ law.s / tau for law in laws]
    assert float(world.limit(tau)) == pytest.approx(np.mean(limits), rel=1e-13)
    assert world.chi2() == mpmath.inf


@pytest.mark.parametrize(
    "build",
    [
        lambda: Sphere(1, Fraction(0)),
        lambda: Sphere(3, Fraction(-1)),
        lambda: Hypercube(0, Fraction(0)),
        lambda: Hypercube(3, Fraction(2)),
        lambda: Classes(1),
        lambda: FiniteWorld(np.eye(2), np.ones(2), np.eye(2)),
        lambda: FiniteWorld(np.eye(2), np.full(2, 0.5), np.eye(3)),
        lambda: FiniteWorld(np.eye(2), np.full(2, 0.5), np.array([[1.0, 0.0], [np.nan, 1.0]])),
        lambda: FiniteWorld(2 * np.eye(2), np.full(2, 0.5), np.eye(2)),
        lambda: Embeddings(np.eye(2), np.eye(3)),
        lambda: Embeddings(np.eye(1), np.eye(1)),
    ],
)
def test_worlds_refuse_what_is_none(build):
    with pytest.raises(InputError):
        build()


@given(st.fractions())
def test_decimal_text_reads_back(x):
    text = decimal_text(x)
    assert Fraction(text) == x
    assert "e" not in text
