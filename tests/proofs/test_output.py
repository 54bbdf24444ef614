"""What the commands write: JSON as its schema says, whole tables, an honest z."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import proofs.commands
from proofs.cli import main
from proofs.commands._monte_carlo import estimates

Capture = pytest.CaptureFixture[str]

SCHEMAS = Path(proofs.commands.__file__).parent / "schemas"
BOUND = (
    "bound --tau 1 --k 100 --n 1e6 --delta 0.05 --empirical 0.1 --d-theta 1000 --radius 1 "
    "--lipschitz 1 --rms-anchor 1 --rms-positive 1 --rms-negative 1 --json"
)


def schema(command: str) -> jsonschema.Draft202012Validator:
    document = json.loads((SCHEMAS / f"{command}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


@pytest.mark.parametrize(
    "line",
    [
        "risk classes:n=5 --tau 0.3 --k 9 --json",
        "risk hypercube:d=3,flip=0.1 --tau 1/3 --k 1e9 --loss dcl --mc 100 --json",
        BOUND,
        f"{BOUND} --chi2 2 --power-mean-negative 1",
        "constants prop-1 prop-1-sharp --tau 1 --k 10 --target 0.1 --format json",
        "diagnose stdlib-pairs --tau 0.05 --json",
    ],
)
def test_json_is_what_its_schema_says(line: str, capsys: Capture) -> None:
    arguments = line.split()
    assert main(arguments) == 0
    document = json.loads(capsys.readouterr().out)
    schema(arguments[0]).validate(document)
    if isinstance(document, dict):
        removed = dict(document)
        removed.pop("tau" if "tau" in document else "trivial")
        assert not schema(arguments[0]).is_valid(removed)
        assert not schema(arguments[0]).is_valid({**document, "another": 1})


def test_the_json_of_check_and_graph_is_what_their_schemas_say(
    tmp_path: Path, capsys: Capture
) -> None:
    from proofs.commands.graph import render

    path = tmp_path / "check.json"
    assert main(["check", "eq-8", "--jobs", "1", "--json", str(path)]) == 0
    schema("check").validate(json.loads(path.read_text()))
    schema("graph").validate(json.loads(render("json", {"eq-8": "holds"})))


class TestMonteCarlo:
    LINE = "risk sphere:d=3,conc=5 --tau 0.5 --k 50 --mc 2000 --seed 3"

    def run(self, capsys: Capture, *more: str) -> Any:
        assert main([*self.LINE.split(), *more, "--json"]) == 0
        return json.loads(capsys.readouterr().out)["mc"]

    def test_the_bias_is_controlled(self, capsys: Capture) -> None:
        """False alarm: |z| > 5 has probability 6e-7 if z is normal."""
        found = self.run(capsys)
        assert abs(float(found["bias"]["z"])) < 5
        assert float(found["bias"]["stderr"]) < float(found["stderr"]) / 100

    def test_few_digits_asked_for_do_not_move_z(self, capsys: Capture) -> None:
        assert self.run(capsys, "--digits", "1") == self.run(capsys)

    def test_both_passes_are_kept(self, tmp_path: Path, capsys: Capture) -> None:
        kept = tmp_path / "run"
        found = self.run(capsys, "--checkpoint", str(kept))
        assert sorted(x.name for x in tmp_path.iterdir()) == ["run", "run.bias"]
        assert self.run(capsys, "--checkpoint", str(kept)) == found == self.run(capsys)

    def test_the_text_says_which_is_which(self, capsys: Capture) -> None:
        assert main(self.LINE.split()) == 0
        out, err = capsys.readouterr()
        for words in ("2,000 tuples", "bias, controlled", "risk, plain mean", "exact bias"):
            assert words in out
        assert err == ""

    def test_rounding_is_no_discrepancy(self, capsys: Capture) -> None:
        """At tau = 1e40 every loss is log 2 in float64: its last bit is all that is wrong."""
        line = "risk hypercube:d=1,flip=0 --tau 1e40 --k 1 --mc 50 --json"
        assert main(line.split()) == 0
        found = json.loads(capsys.readouterr().out)["mc"]
        assert abs(float(found["z"])) < 1
        assert abs(float(found["bias"]["z"])) < 1

    @pytest.mark.parametrize(
        ("text", "tau", "k"), [("sphere:d=3,conc=5", "1/2", 20), ("classes:n=4", "1/3", 300)]
    )
    @pytest.mark.parametrize("loss", ["infonce", "dcl"])
    def test_z_is_calibrated(self, text: str, tau: str, k: int, loss: Any) -> None:
        """Over 300 seeds the squares of z sum to chi-squared, within 5 standard deviations.

        The false alarm has probability below 1e-5 for each of 8 sums if z is normal.
        """
        from numerics.parse import world
        from proofs.commands.risk import compute

        law, exact = world(text), compute(world(text), Fraction(tau), k, loss, 18)
        truth = {x: (Fraction(exact[x]), Fraction(0)) for x in ("risk", "bias")}
        runs = [
            estimates(law, Fraction(tau), k, loss, 400, seed, truth, None, None)
            for seed in range(300)
        ]
        for zs in ([x["z"] for x in runs], [x["bias"]["z"] for x in runs]):
            total = sum(float(z) ** 2 for z in zs)
            assert abs(total - 300) < 5 * (2 * 300) ** 0.5


def test_a_narrow_terminal_costs_no_digit(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    arguments = ["risk", "classes:n=5", "--tau", "0.5", "--k", "7", "--digits", "90"]
    assert main([*arguments, "--json"]) == 0
    wanted = json.loads(capsys.readouterr().out)["risk"]
    monkeypatch.setenv("COLUMNS", "60")
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= 60
    assert wanted in "".join(re.findall("[-0-9.]+ *│$", out, re.M)).replace("│", "").replace(
        " ", ""
    )


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_table_of_statements_is_whole_at_any_width(width: int, capsys: Capture) -> None:
    from rich.console import Console

    from proofs import check, report

    ids = ["lemma-3", "eq-12", "prop-2"]
    results = {id_: check.run_statement(id_, check.Settings(mutants=False)) for id_ in ids}
    Console(width=width).print(report.table(results))
    out = capsys.readouterr().out
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= width
    for words in (*ids, "correction", "decided"):
        assert words in out
    assert ("left/right" in out) == (width == 200)


def test_diagnose_begins_with_the_short_answer(capsys: Capture) -> None:
    assert main(["diagnose", "stdlib-pairs", "--tau", "0.05"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    short, rest = text.split(" In short ")[1].split(" Limit ", 1)
    assert "risk of InfoNCE lies 0.308 nats below its limit" in short
    assert "2,000 pairs are too few" in short
    assert "0.15 is the least" in short
    assert "not estimable at this tau" in rest
    assert main(["diagnose", "stdlib-pairs", "--tau", "0.5"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "The 2,000 pairs are enough to estimate this at tau = 0.5." in text


def test_the_data_set_is_a_world_too(capsys: Capture) -> None:
    assert main(["risk", "stdlib-pairs", "--tau", "0.5", "--k", "10", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["world"].endswith("stdlib_pairs.npz")
    assert "float64" in err


def test_version(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    assert re.fullmatch(r"infonce [0-9.]+\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("shell", "said"),
    [
        ("{} >/dev/full", "infonce: standard output: No space left on device\n"),
        ("{} >&-", "infonce: standard output: is closed\n"),
    ],
)
def test_an_answer_that_cannot_be_written_is_one_line(shell: str, said: str) -> None:
    line = f"{sys.executable} -m proofs risk classes:n=5 --tau 1 --k 5"
    run = subprocess.run(
        ["sh", "-c", shell.format(line)], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (2, said)


def test_head_may_go_away() -> None:
    line = f"{sys.executable} -m proofs constants prop-1 | head -n 1"
    run = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (0, b"")
