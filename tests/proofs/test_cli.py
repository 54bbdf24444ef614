"""The command line as a user meets it, wrong input included."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from proofs.cli import main

Capture = pytest.CaptureFixture[str]

BOUND = [
    *("bound", "--tau", "1", "--k", "100", "--n", "1e6", "--delta", "0.05", "--empirical", "0.1"),
    *("--d-theta", "1000", "--radius", "1", "--lipschitz", "1"),
    *("--rms-anchor", "1", "--rms-positive", "1", "--rms-negative", "1"),
]

BAD = [
    (["risk", "sphere:d=7,conc=5", "--tau", "0", "--k", "1"], "--tau", "greater than 0"),
    (["risk", "sphere:d=7,conc=5", "--tau", "-1", "--k", "1"], "--tau", "greater than 0"),
    (["risk", "sphere:d=7,conc=5", "--tau", "nan", "--k", "1"], "--tau", "finite"),
    (["risk", "sphere:d=7,conc=5", "--tau", "inf", "--k", "1"], "--tau", "finite"),
    (["risk", "sphere:d=7,conc=5", "--tau", "1", "--k", "0"], "--k", "at least 1"),
    (["risk", "sphere:d=7,conc=5", "--tau", "1", "--k", "1.5"], "--k", "integer"),
    (["risk", "sphere:d=7,conc=5", "--tau", "1", "--k", "many"], "--k", "number"),
    (["risk", "sphere:d=7,conc=5", "--tau", "1", "--k", "1", "--loss", "mse"], "--loss", "dcl"),
    (["risk", "sphere:d=7,conc=5", "--tau", "1", "--k", "1", "--digits", "0"], "--digits", "1"),
    (["risk", "sphere:d=7,conc=5", "--tau", "1", "--k", "1", "--mc", "1"], "--mc", "2"),
    (["risk", "sphere:d=7", "--tau", "1", "--k", "1"], "sphere", "conc"),
    (["risk", "sphere:d=1,conc=5", "--tau", "1", "--k", "1"], "d", "1"),
    (["risk", "cube:d=3", "--tau", "1", "--k", "1"], "cube", ""),
    (["risk", "no-such-file.json", "--tau", "1", "--k", "1"], "no-such-file.json", ""),
    (["risk", "sphere:d=7,conc=5", "--k", "1"], "--tau", "Missing"),
    (["check", "lema-2"], "lema-2", "lemma-2"),
    (["check", "--jobs", "0"], "--jobs", "at least 1"),
    (["check", "--attack", "-1"], "--attack", "at least 0"),
    (["check", "eq-8", "--seed", "-1"], "--seed", "at least 0"),
    (["constants", "no-such-constant"], "no-such-constant", ""),
    (["constants", "prop-1-upper"], "prop-1-upper", "--tau"),
    (["constants", "--format", "xml"], "--format", "csv"),
    (["constants", "--tau", "0"], "--tau", "greater than 0"),
    (["graph", "--format", "png"], "--format", "svg"),
    (["diagnose", "stdlib-pair", "--tau", "1"], "stdlib-pair", "did you mean stdlib-pairs"),
    (["diagnose", "stdlib-pairs", "--tau", "1e400"], "--tau: got 1e400", "at most 1e50"),
    (["diagnose", "stdlib-pairs", "--tau=1e-400"], "--tau: got 1e-400", "at least 3/350"),
    (["diagnose", "stdlib-pairs", "--tau", "1", "--k", "1e400"], "--k: got 1e400", "1e18"),
    (["risk", "classes:n=2", "--tau", "1e400", "--k", "1"], "--tau: got 1e400", "at most 1e50"),
    (["risk", "classes:n=2", "--tau", "0.001", "--k", "1"], "--tau: got 0.001", "between 0.003"),
    (["risk", "classes:n=2", "--tau", "1", "--k", "1e400"], "--k: got 1e400", "between 1 and"),
    (
        ["risk", "classes:n=2", "--tau", "1", "--k", "1", "--mc", "9", "--checkpoint", "no/c"],
        "--checkpoint: got no/c",
        "folder that exists",
    ),
    (
        ["risk", "classes:n=2", "--tau", "1", "--k", "1", "--checkpoint", "c"],
        "--checkpoint",
        "--mc",
    ),
    (["risk", "classes:n=2", "--tau", "1", "--k", "1", "--scheduler", "c"], "--scheduler", "--mc"),
    ([*BOUND, "--tau", "1e400"], "--tau: got 1e400", "at most 1e50"),
    (["check", "LEMMA-2"], "LEMMA-2", "did you mean lemma-2"),
    (["check", "--json", "absent/x.json"], "--json", "folder that exists"),
    (["check", "--json", "."], "--json", "must not be a folder"),
    (["graph", "--format", "dot", "-o", "absent/x.dot"], "-o", "folder that exists"),
    (["graph", "--format", "dot", "-o", "."], "-o", "must not be a folder"),
    (["nonsense"], "nonsense", ""),
    (["check", "--nonsense"], "--nonsense", ""),
]


@pytest.mark.parametrize(("arguments", "named", "rule"), BAD)
def test_bad_input_is_one_line_and_status_2(
    arguments: list[str], named: str, rule: str, capsys: Capture
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1, err
    assert named in err
    assert rule in err


def bad_world(**changes: object) -> str:
    world: dict[str, object] = {
        "phi": [[1, 0], [0, 1]],
        "pi": ["1/2", "1/2"],
        "positive": [[1, 0], [0, 1]],
    }
    world.update(changes)
    return json.dumps({key: value for key, value in world.items() if value is not None})


BAD_WORLDS = [
    ("{not json", "JSON"),
    ("[1, 2]", ""),
    (bad_world(pi=None), "pi"),
    (bad_world(pi=["1/2", "1/3"]), "pi"),
    (bad_world(pi=[1.5, -0.5]), "pi"),
    (bad_world(positive=[[1, 0], [0.5, 0.4]]), "row"),
    (bad_world(positive=[[1, 0], [float("nan"), 1]]), ""),
    (bad_world(phi=[[1, 0], [0, 1.1]]), "row"),
    (bad_world(phi=[[1, 0], [0]]), "row"),
    (bad_world(positive=[[1, 0]]), "positive"),
    (bad_world(phi=[[1, 0], [0, "x"]]), "phi"),
    (bad_world(extra=1), "extra"),
]


@pytest.mark.parametrize(("text", "named"), BAD_WORLDS)
def test_a_bad_world_says_which_entry(
    text: str, named: str, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "world.json"
    path.write_text(text)
    assert main(["risk", str(path), "--tau", "1", "--k", "1"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert named in err


def run_json(capsys: Capture, *arguments: str) -> dict[str, object]:
    assert main([*arguments, "--json"]) == 0
    document: dict[str, object] = json.loads(capsys.readouterr().out)
    return document


class TestRisk:
    def test_the_fields_are_decimal_strings(self, capsys: Capture) -> None:
        document = run_json(capsys, "risk", "hypercube:d=20,flip=0.1", "--tau", "0.1", "--k", "1e9")
        for name in ("risk", "limit", "bias"):
            assert isinstance(document[name], str)
            assert "e" not in str(document[name]).lower()
        assert len(document["expansion"]) == 3  # type: ignore[arg-type]
        assert "mc" not in document

    def test_the_antipodal_pair_by_hand(self, capsys: Capture) -> None:
        """k = 1, tau = 1: the loss is log(1 + 1) or log(1 + e^{-2}), each with chance 1/2."""
        document = run_json(
            capsys, "risk", "hypercube:d=1,flip=0", "--tau", "1", "--k", "1", "--digits", "20"
        )
        from mpmath import exp, log, mp

        with mp.workdps(30):
            wanted = (log(2) + log(1 + exp(-2))) / 2
            assert abs(mp.mpf(document["risk"]) - wanted) < mp.mpf(10) ** -19

    def test_bias_is_risk_minus_limit(self, capsys: Capture) -> None:
        from fractions import Fraction

        document = run_json(
            capsys, "risk", "classes:n=5", "--tau", "0.5", "--k", "7", "--digits", "40"
        )
        risk, limit, bias = (Fraction(str(document[x])) for x in ("risk", "limit", "bias"))
        assert abs(risk - limit - bias) < Fraction(1, 10**37)

    def test_the_limit_is_the_same_for_both_losses(self, capsys: Capture) -> None:
        one = run_json(capsys, "risk", "classes:n=5", "--tau", "0.5", "--k", "7")
        other = run_json(capsys, "risk", "classes:n=5", "--tau", "0.5", "--k", "7", "--loss", "dcl")
        assert one["limit"] == other["limit"]
        assert float(str(other["bias"])) < 0

    def test_the_expansion_keeps_its_signs(self, capsys: Capture) -> None:
        document = run_json(
            capsys, "risk", "hypercube:d=1,flip=0", "--tau", "1", "--k", "1e6", "--loss", "dcl"
        )
        (first, *_) = document["expansion"]  # type: ignore[misc]
        assert float(first) == pytest.approx(-(np.tanh(1) ** 2) / 2)
        assert float(str(document["bias"])) == pytest.approx(float(first) / 1e6, rel=1e-5)

    def test_monte_carlo(self, capsys: Capture) -> None:
        arguments = ("risk", "sphere:d=3,conc=5", "--tau", "0.5", "--k", "50", "--mc", "2000")
        document = run_json(capsys, *arguments, "--seed", "3")
        assert abs(float(document["mc"]["z"])) < 5  # type: ignore[index]
        again = run_json(capsys, *arguments, "--seed", "3")
        assert again == document
        assert run_json(capsys, *arguments, "--seed", "4") != document

    def test_embeddings(self, tmp_path: Path, capsys: Capture) -> None:
        rng = np.random.default_rng(0)
        rows = rng.normal(size=(2, 12, 4))
        anchor, positive = rows / np.linalg.norm(rows, axis=2, keepdims=True)
        path = tmp_path / "pairs.npz"
        np.savez(path, anchor=anchor, positive=positive)
        document = run_json(capsys, "risk", str(path), "--tau", "0.5", "--k", "100")
        assert np.isfinite(float(str(document["risk"])))

    def test_the_convention_is_printed(self, capsys: Capture) -> None:
        assert main(["risk", "classes:n=5", "--tau", "0.5", "--k", "7"]) == 0
        out = capsys.readouterr().out
        assert "nats" in out
        assert "normalised by k" in out
        assert "denominator" in out


class TestConstants:
    def test_json(self, capsys: Capture) -> None:
        assert main(["constants", "prop-1", "--tau", "0.1", "--k", "1e9", "--format", "json"]) == 0
        rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
        assert rows["prop-1-eighth"]["value"] == "0.125"
        assert rows["prop-1-eighth"]["radius"] == "0"
        value = float(rows["prop-1-upper"]["value"])
        assert value == pytest.approx((np.exp(20) - 1) ** 2 / 8e9)
        keys = {"name", "statement", "formula", "value", "radius", "looseness", "latex"}
        assert keys <= set(rows["prop-1-upper"])
        assert rows["prop-1-upper"]["statement"] == "prop-1"

    def test_what_depends_on_tau_appears_when_it_is_given(self, capsys: Capture) -> None:
        assert main(["constants", "lemma-4", "--format", "json"]) == 0
        without = {row["name"] for row in json.loads(capsys.readouterr().out)}
        assert main(["constants", "lemma-4", "--tau", "2", "--format", "json"]) == 0
        given = {row["name"] for row in json.loads(capsys.readouterr().out)}
        assert given - without == {"lemma-4-upper"}

    def test_latex_macros_have_names_of_letters(self, capsys: Capture) -> None:
        assert main(["constants", "prop-1", "--format", "latex"]) == 0
        out = capsys.readouterr().out
        assert r"\newcommand{\InfoncePropOneEighth}{\ensuremath{0.125}}" in out

    def test_csv_and_table(self, capsys: Capture) -> None:
        assert main(["constants", "prop-1", "--format", "csv"]) == 0
        assert capsys.readouterr().out.splitlines()[0].startswith("name,statement")
        assert main(["constants", "prop-1"]) == 0
        assert "prop-1-eighth" in capsys.readouterr().out


class TestCheck:
    def test_json(self, tmp_path: Path, capsys: Capture) -> None:
        path = tmp_path / "check.json"
        assert main(["check", "eq-8", "--jobs", "1", "--json", str(path)]) == 0
        document = json.loads(path.read_text())
        (row,) = document["statements"]
        assert row["id"] == "eq-8"
        assert row["verdict"] == "holds"
        assert {step["outcome"] for step in row["steps"]} == {"passed"}
        mutants = [m for step in row["steps"] for m in step["mutants"]]
        assert mutants
        assert {m["outcome"] for m in mutants} == {"refuted"}
        assert "1 statement: 1 holds" in capsys.readouterr().out

    def test_what_is_used_is_run_too(self, tmp_path: Path) -> None:
        path = tmp_path / "check.json"
        assert main(["check", "prop-1", "--no-mutants", "--json", str(path)]) == 0
        document = json.loads(path.read_text())
        assert [row["id"] for row in document["statements"]] == ["lemma-2", "prop-1"]

    def test_a_folder_that_is_not_there(self, tmp_path: Path, capsys: Capture) -> None:
        path = tmp_path / "absent" / "check.json"
        assert main(["check", "eq-8", "--jobs", "1", "--json", str(path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_an_interrupted_check_keeps_what_was_finished(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture
) -> None:
    from proofs import check as runner

    def interrupted(ids: list[str], settings: object, *, jobs: object, on_done: Any) -> None:
        on_done("eq-8", runner.run_statement("eq-8"))
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "check", interrupted)
    path = tmp_path / "check.json"
    assert main(["check", "eq-8", "lemma-4", "--json", str(path)]) == 130
    out, err = capsys.readouterr()
    assert "1 statement: 1 holds" in out
    assert "1 statement was not finished" in err
    assert [row["id"] for row in json.loads(path.read_text())["statements"]] == ["eq-8"]


def test_ctrl_c_ends_with_130_and_no_traceback() -> None:
    arguments = [sys.executable, "-m", "proofs", "check", "--jobs", "2", "lemma-2", "prop-1"]
    with subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err


def test_help_needs_no_heavy_import() -> None:
    code = (
        "import sys; from proofs.cli import main; main(['--help']);"
        "names = 'sympy numba z3 scipy matplotlib flint mpmath'.split();"
        "sys.exit(any(name in sys.modules for name in names))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "check" in run.stdout


def test_the_module_is_the_command() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "proofs", "risk", "classes:n=1", "--tau", "1", "--k", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr.startswith("infonce: ")
