import io
import json
import zipfile
from fractions import Fraction

import numpy as np
import pytest

from numerics.parse import InputError, embeddings, world
from numerics.worlds import Embeddings, FiniteWorld

PAIR = {"phi": [[1, 0], [0, 1]], "pi": [0.5, 0.5], "positive": [[1, 0], ["1/3", "2/3"]]}


@pytest.fixture
def write(tmp_path):
    def write(content, name="world.json"):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content)
        else:
            path.write_text(json.dumps(content))
        return str(path)

    return write


def test_a_finite_world_is_read_exactly(write):
    found = world(write(PAIR))
    assert isinstance(found, FiniteWorld)
    assert found.exact is not None
    assert found.exact[2][1] == (Fraction(1, 3), Fraction(2, 3))
    assert found.exact_gram() == ((1, 0), (0, 1))
    assert found.spec().endswith("world.json")


def test_decimals_rounded_in_print_are_scaled_exactly(write):
    third = [0.3333333333] * 3
    phi = [[1, 0], [0, 1], [0.6, 0.8]]
    found = world(write({"phi": phi, "pi": third, "positive": [third] * 3}))
    assert found.exact[1] == (Fraction(1, 3),) * 3
    assert found.exact_gram()[2][1] == Fraction(4, 5)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"phi": [[1, 0], [1.1, 0]]}, ["phi row 1", "norm 1.1"]),
        ({"phi": [[1, 0], ["1e400", 0]]}, ["phi row 1", "norm"]),
        ({"phi": [[1, 0], [1]]}, ["phi row 1", "1 entries"]),
        ({"phi": [[1, 0], []]}, ["phi row 1", "non-empty"]),
        ({"phi": []}, ["phi", "non-empty"]),
        ({"phi": 3}, ["phi", "array"]),
        ({"phi": [[1, True], [0, 1]]}, ["phi row 0 entry 1", "true"]),
        ({"phi": [[1, None], [0, 1]]}, ["phi row 0 entry 1", "null"]),
        ({"phi": [[1, "one"], [0, 1]]}, ["phi row 0 entry 1", "one"]),
        ({"phi": [[1, [0]], [0, 1]]}, ["phi row 0 entry 1"]),
        ({"phi": [[1, float("nan")], [0, 1]]}, ["phi row 0 entry 1", "NaN"]),
        ({"phi": [[1, float("inf")], [0, 1]]}, ["phi row 0 entry 1", "Infinity"]),
        ({"pi": [0.5, 0.4]}, ["pi", "sum 0.9", "must sum to 1"]),
        ({"pi": [1.5, -0.5]}, ["pi entry 0", "1.5"]),
        ({"pi": [-0.5, 1.5]}, ["pi entry 0", "-0.5"]),
        ({"pi": ["1e400", 0]}, ["pi entry 0"]),
        ({"pi": [1]}, ["pi", "1 entries"]),
        ({"pi": [[1, 0]]}, ["pi entry 0"]),
        ({"positive": [[1, 0], [0.5, 0.4]]}, ["positive row 1", "sum 0.9", "must sum to 1"]),
        ({"positive": [[1, 0], [1, 0], [1, 0]]}, ["positive", "3 x 2"]),
        ({"positive": [[1], [1]]}, ["positive", "2 x 1"]),
        ({"negative": 1}, ["key negative"]),
    ],
)
def test_a_bad_finite_world_names_row_and_rule(write, change, names):
    with pytest.raises(InputError) as caught:
        world(write(PAIR | change))
    for name in names:
        assert name in str(caught.value)


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ('{"phi": [[1, 0]],\n "pi" [1]}', ["line 2 column 7"]),
        ('{"phi": [[1]], "phi": [[1]]}', ["key phi twice"]),
        ('{"phi": [[1]], "pi": [1]}', ["no key positive"]),
        ("[1, 2]", ["list", "object"]),
        ("", ["line 1 column 1"]),
        (b"\xff\xfe", ["byte 0"]),
        ("[" * 100_000, ["nesting"]),
        ('{"phi": [[' + "1" * 5000 + ']], "pi": [1], "positive": [[1]]}', ["400 characters"]),
    ],
    ids=["syntax", "twice", "missing", "list", "empty", "bytes", "nested", "long"],
)
def test_a_file_that_is_no_world(write, content, names):
    with pytest.raises(InputError) as caught:
        world(write(content))
    for name in names:
        assert name in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "folder.npz").mkdir()
    for name in ("absent.json", "absent.npz", "folder.json", "folder.npz"):
        with pytest.raises(InputError, match="can be read"):
            world(str(tmp_path / name))


def unit(shape, dtype=np.float64, seed=0):
    rows = np.random.default_rng(seed).normal(size=shape)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(dtype)


@pytest.fixture
def save(tmp_path):
    def save(**arrays):
        np.savez(tmp_path / "e.npz", **arrays)
        return str(tmp_path / "e.npz")

    return save


def test_embeddings_of_every_width_become_float64(save):
    for dtype in (np.float64, np.float32, np.float16):
        found = world(save(anchor=unit((5, 8), dtype), positive=unit((5, 8), dtype, 1)))
        assert isinstance(found, Embeddings)
        assert found.anchor.dtype == np.float64
        tolerance = 1e-6 if dtype == np.float32 else 1e-15
        assert np.abs(np.linalg.norm(found.anchor, axis=1) - 1).max() < tolerance


def test_normalise_scales_rows(save):
    path = save(anchor=3 * unit((5, 8)), positive=unit((5, 8), seed=1))
    with pytest.raises(InputError, match="norm 3"):
        embeddings(path)
    assert np.allclose(embeddings(path, normalise=True).anchor, unit((5, 8)), atol=1e-15)


GOOD = {"anchor": unit((5, 8)), "positive": unit((5, 8), seed=1)}


def spoil(row, value, dtype=np.float64):
    rows = unit((5, 8))
    rows[row] = value
    return rows.astype(dtype)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"positive": unit((4, 8))}, ["positive", "4 x 8", "5 x 8"]),
        ({"negative": unit((4, 7))}, ["negative", "4 x 7", "8 columns"]),
        ({"anchor": spoil(3, np.nan)}, ["anchor row 3", "nan"]),
        ({"positive": spoil(2, -np.inf)}, ["positive row 2", "-inf"]),
        ({"anchor": spoil(3, 1.0)}, ["anchor row 3", "norm 2.8284", "1e-06"]),
        ({"anchor": spoil(3, 0.0)}, ["anchor row 3", "norm 0"]),
        ({"anchor": spoil(3, 1e200)}, ["anchor row 3", "norm inf"]),
        ({"anchor": spoil(3, 1.0, np.float16)}, ["anchor row 3", "0.001"]),
        ({"anchor": unit((5, 8)) * (1 + 2e-6)}, ["anchor row 0", "norm 1.000002"]),
        ({"anchor": unit((1, 8)), "positive": unit((1, 8))}, ["anchor", "at least 2"]),
        ({"anchor": unit((5, 8)).ravel()}, ["anchor", "(40)"]),
        ({"anchor": np.zeros((0, 8))}, ["anchor", "(0 x 8)"]),
        ({"anchor": np.ones((5, 8), dtype=bool)}, ["anchor", "bool"]),
        ({"anchor": unit((5, 8)).astype(complex)}, ["anchor", "complex"]),
        ({"anchor": np.full((5, 8), "a")}, ["anchor", "real numbers"]),
        ({"anchor": np.full((5, 8), None)}, ["pickle"]),
        ({"labels": np.ones(5)}, ["array labels"]),
    ],
)
def test_bad_embeddings_name_row_and_rule(save, change, names):
    with pytest.raises(InputError) as caught:
        world(save(**(GOOD | change)))
    for name in names:
        assert name in str(caught.value)


def test_one_anchor_with_separate_negatives_is_a_world(save):
    one = unit((1, 8))
    found = world(save(anchor=one, positive=one, negative=unit((4, 8))))
    assert next(found.laws(1.0)).p.sum() == 1


def test_an_archive_without_positives(save):
    with pytest.raises(InputError, match="no array positive"):
        world(save(anchor=unit((5, 8))))


def test_archives_that_are_none(tmp_path, save):
    whole = (path := tmp_path / "e.npz", save(**GOOD), path.read_bytes())[2]
    flipped = bytearray(whole)
    flipped[200] ^= 255
    twice = io.BytesIO()
    with zipfile.ZipFile(twice, "w") as archive:
        archive.writestr("anchor.npy", b"")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("anchor.npy", b"")
    text = io.BytesIO()
    with zipfile.ZipFile(text, "w") as archive:
        archive.writestr("anchor.npy", b"no array")
        archive.writestr("positive.txt", b"no array")
    single = io.BytesIO()
    np.save(single, GOOD["anchor"])
    contents = [b"", b"text", whole[: len(whole) // 2], bytes(flipped), twice.getvalue(),
                text.getvalue(), single.getvalue()]  # fmt: skip
    for content in contents:
        path.write_bytes(content)
        with pytest.raises(InputError) as caught:
            world(str(path))
        assert len(str(caught.value).splitlines()) == 1
