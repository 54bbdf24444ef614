import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics.parse import InputError, exact_number, integer, positive, world
from numerics.worlds import Classes, Hypercube, Sphere


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.3", Fraction(3, 10)),
        ("3/10", Fraction(3, 10)),
        ("-3/10", Fraction(-3, 10)),
        ("1e9", Fraction(10**9)),
        (" +.5 ", Fraction(1, 2)),
        ("2.", Fraction(2)),
        ("1E-400", Fraction(1, 10**400)),
    ],
)
def test_numbers_are_exact(text, value):
    assert exact_number(text, "x") == value


@given(st.fractions())
def test_every_fraction_survives(x):
    assert exact_number(str(x), "x") == x


@given(st.decimals(allow_nan=False, allow_infinity=False, places=12))
def test_every_decimal_survives(x):
    assert exact_number(str(x), "x") == Fraction(x)


@pytest.mark.parametrize(
    "text",
    ["", " ", "nan", "inf", "-Infinity", "1e401", "1e-401", "1e999999999", "1/0", "1.5/2", "0x10",
     "1_000", "1,5", "--1", "1 2", "1/2/3", "٣", "e5", ".", "1" * 401, "1\n2", "True"],
)  # fmt: skip
def test_garbage_is_refused_on_one_line(text):
    with pytest.raises(InputError) as caught:
        exact_number(text, "tau")
    assert caught.value.argument == "tau"
    message = str(caught.value)
    assert message.startswith("tau: got ")
    assert len(message.splitlines()) == 1


@given(st.text())
def test_any_text_is_a_number_or_an_input_error(text):
    try:
        exact_number(text, "x")
    except InputError as error:
        lines = str(error).splitlines()
    else:
        lines = [text]
    assert len(lines) == 1


def test_booleans_and_floats_are_no_exact_numbers():
    for value in (True, 0.3, None):
        with pytest.raises(InputError):
            exact_number(value, "x")


def test_ranges():
    assert positive("1e-2", "tau") == Fraction(1, 100)
    assert integer("1e9", "k") == 10**9
    assert integer("6/3", "k") == 2
    for call in (
        lambda: positive("0", "tau"),
        lambda: positive("-1", "tau"),
        lambda: integer("1.5", "k"),
        lambda: integer("0", "k"),
        lambda: integer("11", "k", at_most=10),
    ):
        with pytest.raises(InputError):
            call()


def test_the_error_survives_pickling():
    error = pickle.loads(pickle.dumps(InputError("tau", "-1", "must be greater than 0")))
    assert (error.argument, error.value, error.rule) == ("tau", "-1", "must be greater than 0")


def test_named_worlds():
    assert world("sphere:d=7,conc=5") == Sphere(7, Fraction(5))
    assert world("sphere:conc=1/3,d=7") == Sphere(7, Fraction(1, 3))
    assert world("hypercube:d=20,flip=0.1") == Hypercube(20, Fraction(1, 10))
    assert world("classes:n=1e2") == Classes(100)


@pytest.mark.parametrize(
    "text",
    ["sphere:d=7,conc=5", "hypercube:d=20,flip=0.125", "hypercube:d=3,flip=1/3", "classes:n=100"],
)
def test_the_name_of_a_world_reads_back(text):
    assert world(text).spec() == text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("sphere:d=7", "conc"),
        ("sphere:d=7,conc=5,conc=5", "conc"),
        ("sphere:d=7,conc=5,e=1", "e=1"),
        ("sphere:", "d"),
        ("sphere:d=7,conc", "conc"),
        ("sphere:d=1,conc=5", "d"),
        ("sphere:d=1e5,conc=5", "d"),
        ("sphere:d=2.5,conc=5", "d"),
        ("sphere:d=7,conc=-1", "conc"),
        ("sphere:d=7,conc=inf", "conc"),
        ("sphere:d=7,conc=1e5", "conc"),
        ("hypercube:d=20,flip=1.1", "flip"),
        ("hypercube:d=0,flip=0.1", "d"),
        ("classes:n=1", "n"),
        ("torus:d=3", "torus"),
        ("world.txt", "world.txt"),
        ("a\0.json", "NUL"),
        ("", "sphere"),
    ],
)
def test_bad_names_are_refused(text, names):
    with pytest.raises(InputError) as caught:
        world(text)
    assert names in str(caught.value)
