"""What is said of embeddings: right numbers, honest words, one line for bad input."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numerics import exact, world_files
from numerics.worlds import Embeddings, Sphere
from proofs import data_sets, expansion
from proofs.cli import main
from proofs.diagnose import Diagnosis, diagnose, evaluations
from proofs.diagnose.bounds import bounds
from proofs.diagnose.document import document
from proofs.diagnose.estimates import NAMES
from proofs.diagnose.report import report
from proofs.diagnose.study import Copies

Capture = pytest.CaptureFixture[str]


def points(n: int, d: int, seed: int) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(n, d))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def pairs(n: int, d: int, seed: int = 0, spread: float = 0.4) -> Embeddings:
    anchor = points(n, d, seed)
    positive = anchor + spread * points(n, d, seed + 1)
    positive /= np.linalg.norm(positive, axis=1, keepdims=True)
    return Embeddings(anchor, positive)


def separate(n: int, m: int, d: int) -> Embeddings:
    world = pairs(n, d)
    return Embeddings(world.anchor, world.positive, points(m, d, 9))


@pytest.fixture(scope="module")
def small() -> Diagnosis:
    return diagnose(pairs(41, 3), Fraction(1, 3), k=50)


@pytest.fixture(scope="module")
def apart() -> Diagnosis:
    return diagnose(separate(30, 23, 3), Fraction(1, 3), k=50)


@pytest.fixture(scope="module")
def turning() -> Diagnosis:
    """Pairs whose InfoNCE bias changes sign."""
    return diagnose(pairs(41, 3, spread=2.0), Fraction(1, 6))


@pytest.fixture(scope="module")
def real() -> dict[str, Diagnosis]:
    """The shipped pairs at the encoder's own temperature and at a larger one."""
    world = world_files.read_npz(str(data_sets.path("stdlib-pairs")))
    return {tau: diagnose(world, Fraction(tau)) for tau in ("0.05", "0.2")}


class TestEstimates:
    @pytest.mark.parametrize("name", ["small", "apart"])
    def test_plain_values_by_another_route(self, name: str, request: pytest.FixtureRequest) -> None:
        """The expansion's coefficients and the limit of the same world, from its own code."""
        found: Diagnosis = request.getfixturevalue(name)
        world = pairs(41, 3) if name == "small" else separate(30, 23, 3)
        means = dict(zip(NAMES, found.main.anchors.means, strict=True))
        assert means["limit"] == pytest.approx(float(world.limit(found.tau)), rel=1e-13)
        for loss in ("infonce", "dcl"):
            one, two = expansion.values(world, found.tau, 2, loss)  # type: ignore[arg-type]
            assert means[f"c1_{loss}"] == pytest.approx(float(one), rel=1e-12)
            assert means[f"c2_{loss}"] == pytest.approx(float(two), rel=1e-11)
        mus = [float(world.moment(1, found.tau, a)) for a in range(world.anchors)]
        assert means["reciprocal_mean"] == pytest.approx(np.mean(1 / np.array(mus)), rel=1e-13)

    def test_divergence_by_its_definition(self, small: Diagnosis) -> None:
        rows = pairs(41, 3).anchor
        logits = 3 * rows @ rows.T
        np.fill_diagonal(logits, -np.inf)
        q = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        wanted = np.sum(np.where(q > 0, q * np.log(np.where(q > 0, q, 1) * 40), 0), axis=1)
        assert small.main.anchors.means[6] == pytest.approx(wanted.mean(), rel=1e-12)

    @pytest.mark.parametrize("name", ["small", "apart"])
    def test_blocks_are_left_out_in_both_roles(
        self, name: str, request: pytest.FixtureRequest
    ) -> None:
        found: Diagnosis = request.getfixturevalue(name)
        blocks, world = found.blocks, found.blocks.world
        for b in (0, 7, len(blocks.sizes) - 1):
            kept = blocks.others(b)
            negative = None
            if world.negative is not None:
                negative = world.negative[blocks.other_negatives(b)]
            smaller = Embeddings(world.anchor[kept], world.positive[kept], negative)
            wanted = [float(smaller.limit(found.tau))]
            wanted += [
                float(expansion.values(smaller, found.tau, j, loss)[j - 1])  # type: ignore[arg-type]
                for j in (1, 2)
                for loss in ("infonce", "dcl")
            ]
            assert found.main.left_out is not None
            np.testing.assert_allclose(found.main.left_out[b, :5], wanted, rtol=1e-10)

    def test_halving_is_done_on_two_halves(self, small: Diagnosis) -> None:
        world, middle = small.blocks.world, int(small.blocks.cuts[10])
        halves = [
            Embeddings(world.anchor[part], world.positive[part])
            for part in (slice(0, middle), slice(middle, None))
        ]
        assert small.main.halved is not None
        wanted = np.mean([float(half.limit(small.tau)) for half in halves])
        assert small.main.halved[0] == pytest.approx(wanted, rel=1e-12)
        at_tau = next(x for x in small.temperatures if x.tau == small.tau)
        np.testing.assert_allclose(at_tau.halved, small.main.halved, rtol=1e-12)  # type: ignore[arg-type]

    def test_both_forms_of_the_sums_meet_at_tau_1(self) -> None:
        """Just below 1 the sums are of exp((s - 1)/tau), from 1 on of expm1(s/tau)."""
        world = pairs(60, 16)
        below, at = (diagnose(world, tau) for tau in (1 - Fraction(1, 10**12), Fraction(1)))
        np.testing.assert_allclose(
            below.main.anchors.means, at.main.anchors.means, rtol=1e-9, atol=1e-12
        )

    def test_intervals_cover_the_known_limit(self) -> None:
        """Sphere, uniform anchors: mu is known; 40 files of 150 rows, and no bias is left."""
        tau, hits, errors, plain = Fraction(1, 4), 0, [], []
        log_mu = math.log(float(Sphere(4, Fraction(1)).moment(1, tau)))
        for seed in range(40):
            rows = points(150, 4, seed)
            from numerics.group_sums import Groups, group_sums
            from proofs.diagnose.blocks import Blocks
            from proofs.diagnose.estimates import estimates

            blocks = Blocks.shuffle(Embeddings(rows, rows), seed)
            cuts = tuple(map(int, blocks.negative_cuts))
            (sums,) = group_sums(blocks.world.anchor, [Groups(tau, cuts)])
            means = estimates(sums, blocks, tau, intervals=True).jackknife
            truth = log_mu - float(1 / tau)
            hits += bool(means.low[0] <= truth <= means.high[0])
            errors.append(means.corrected[0] - truth)
            plain.append(means.plain[0] - truth)
        assert hits >= 32  # 38 expected; 31 or fewer has chance 0.0005
        assert abs(np.mean(errors)) < 4 * np.std(errors) / math.sqrt(40)
        assert np.mean(plain) < -4 * np.std(plain) / math.sqrt(40)


class TestEstimability:
    def test_real_pairs_at_the_encoders_own_temperature(self, real: dict[str, Diagnosis]) -> None:
        found = document(real["0.05"])
        assert found["n"] == 2000
        assert found["estimable"] is False
        assert float(found["effective_sample"]) < 10
        assert found["c1_corrected"] == {"infonce": None, "dcl": None}
        assert found["intervals"]["c1"] == {"infonce": None, "dcl": None}
        assert float(found["c1"]["dcl"]) < 0
        text = " ".join(found["sentences"]["coefficients"])
        assert text.count("not estimable at this tau with 2,000 pairs") == 2
        assert "plain value" in text

    def test_the_plain_coefficient_doubles_with_n_there(self, real: dict[str, Diagnosis]) -> None:
        change = real["0.05"].main.change("dcl")
        assert change is not None
        assert 0.4 < change < 0.6

    def test_real_pairs_at_a_larger_temperature(self, real: dict[str, Diagnosis]) -> None:
        found = document(real["0.2"])
        assert found["estimable"] is True
        for loss in ("infonce", "dcl"):
            low, high = map(float, found["intervals"]["c1"][loss])
            assert low < float(found["c1_corrected"][loss]) < high
        assert "not estimable" not in " ".join(found["sentences"]["coefficients"])

    def test_orthonormal_rows_have_no_dcl_bias_and_that_can_be_said(self) -> None:
        found = diagnose(Embeddings(np.eye(300), np.eye(300)), Fraction(1, 5))
        assert found.main.change("dcl") == 0
        assert found.main.all_estimable
        assert abs(float(found.main.anchors.means[2])) < 1e-14


class TestRisk:
    def test_the_empirical_law_is_evaluated(self, small: Diagnosis) -> None:
        ks = [1, 10, 50, 1000]
        for i, loss in enumerate(("infonce", "dcl")):
            curve = exact.curve(pairs(41, 3), small.tau, ks, loss)  # type: ignore[arg-type]
            at = [small.risks.at(k) for k in ks]
            np.testing.assert_allclose(small.risks.bias[i, at], curve.bias, rtol=1e-11)
            np.testing.assert_allclose(small.risk.plain[i, at], curve.risk, rtol=1e-11)

    def test_without_a_block(self, small: Diagnosis) -> None:
        """Every anchor serves here in both parts, so only their interplay is left out."""
        b, world = 3, small.blocks.world
        kept = small.blocks.others(b)
        smaller = Embeddings(world.anchor[kept], world.positive[kept])
        wanted = exact.curve(smaller, small.tau, small.risks.ks, "dcl").bias
        np.testing.assert_allclose(small.risks.left_out[b, 1], wanted, rtol=1e-9)

    def test_many_anchors_are_drawn_by_seed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(evaluations, "DRAWN", 60)
        world = pairs(400, 3)
        one, same, other = (diagnose(world, Fraction(1, 2), seed=s) for s in (1, 1, 2))
        assert len(one.risks.drawn) == 60
        assert document(one) == document(same)
        rows = [set(x.blocks.order[x.risks.drawn].tolist()) for x in (one, other)]
        assert rows[0] != rows[1]
        whole = exact.curve(world, Fraction(1, 2), [100], "dcl").bias[0]
        at = one.risks.at(100)
        assert one.risks.jackknife.low[1, at] < whole < one.risks.jackknife.high[1, at]
        assert "60 anchors drawn by seed" in document(one)["sentences"]["risk"][0]

    @pytest.mark.parametrize("target", ["0.3", "0.02", "0.004", "0.0005"])
    def test_the_least_k_by_trying_every_k(self, turning: Diagnosis, target: str) -> None:
        ks = np.arange(1, 20_001)
        world = turning.blocks.world
        found = exact.anchor_biases(world, turning.tau, ks, "compiled")
        for loss in ("infonce", "dcl"):
            size = np.abs(found.of(loss).mean(axis=0))  # type: ignore[arg-type]
            above = np.flatnonzero(size > float(target))
            assert above[-1] < len(ks) - 1
            least = turning.risks.least(Fraction(target))[loss]  # type: ignore[index]
            assert least.k == ks[above[-1] + 1]

    def test_the_bias_of_infonce_falls_below_a_target_and_leaves_it_again(
        self, turning: Diagnosis
    ) -> None:
        (turn,) = turning.risks.turns
        least = turning.risks.least(Fraction("0.02"))["infonce"].k
        assert least is not None
        assert least > 3 * turn
        at_turn = exact.evaluate(turning.blocks.world, turning.tau, round(turn))
        assert abs(at_turn.bias) < 0.02

    def test_beyond_every_k(self) -> None:
        found = diagnose(pairs(12, 3), Fraction(1, 100), target=Fraction(1, 10**9))
        assert found.least["infonce"].k is None
        assert document(found)["k_for_target"]["infonce"] is None


class TestInformation:
    def test_log_k_caps_classes(self) -> None:
        """400 orthonormal classes: -CE = 1/tau = 5 nats, so the cap binds below k = e^5 - 1."""
        found = document(diagnose(Embeddings(np.eye(400), np.eye(400)), Fraction(1, 5), k=100))
        information = found["mutual_information"]
        assert float(information["limit"]) == pytest.approx(5)
        assert information["smallest_k_without_cap"] == str(math.ceil(math.exp(5) - 1))
        rows = {row["k"]: row for row in information["at"]}
        assert rows[100]["capped"]
        assert not rows[1000]["capped"]
        for row in rows.values():
            assert float(row["estimate"]) <= float(row["cap"])
        wanted = -math.log(1 + 100 * math.exp(-5)) + math.log(101)
        assert float(rows[100]["estimate"]) == pytest.approx(wanted, rel=1e-12)

    def test_pairs_that_do_not_match_inform_of_nothing(self) -> None:
        found = diagnose(Embeddings(points(60, 3, 0), points(60, 3, 1)), Fraction(1, 5))
        assert "says nothing" in document(found)["sentences"]["information"][0]


class TestBounds:
    def test_values_are_the_ledgers(self) -> None:
        from proofs.paper import eq_11, lemma_4, prop_1
        from proofs.symbols import k, tau

        values = {b.name: float(b.value) for b in bounds(Fraction(1, 2), 77)}
        at = {tau: Fraction(1, 2), k: 77}
        for name, formula in {
            "prop-1-upper": prop_1.upper,
            "prop-1-lower": -prop_1.lower,
            "eq-11-upper": eq_11.upper,
            "lemma-4-upper": lemma_4.upper,
        }.items():
            assert values[name] == pytest.approx(float(formula.subs(at)), rel=1e-14)
        assert values["eq-11-sharp-gamma"] < values["lemma-2-sharp-upper"] < values["eq-11-upper"]
        assert values["prop-1-sharp-lower"] < values["prop-1-lower"]

    @pytest.mark.parametrize("tau", ["0.2", "1", "3"])
    def test_no_bound_is_broken_and_vacuous_means_what_it_says(self, tau: str) -> None:
        found = diagnose(pairs(200, 3), Fraction(tau), k=20)
        bias = dict(zip(("infonce", "dcl"), found.risks.bias[:, found.risks.at(20)], strict=True))
        for bound in found.bounds:
            for loss in bound.losses:
                assert (-bias[loss] if bound.below else bias[loss]) <= float(bound.value)
            assert bound.vacuous == (float(bound.value) >= 2 / float(tau))

    def test_what_the_others_need(self, small: Diagnosis) -> None:
        said = " ".join(document(small)["sentences"]["bounds"])
        for word in ("Lipschitz", "parameters", "E[w^2]"):
            assert word in said

    def test_two_encoders_are_told_apart(self, apart: Diagnosis) -> None:
        found = document(apart)
        assert found["separate_negatives"] is True
        assert found["k_for_target"]["for_every_embedding"]["infonce"] is None
        assert "share law and encoder" in " ".join(found["sentences"]["bounds"])

    def test_many_negatives_do_not_break_the_certificates(self) -> None:
        values = {b.name: b for b in bounds(Fraction(1, 20), 10**12)}
        assert not values["eq-11-sharp-gamma"].vacuous


def npz(path: Path, **arrays: Any) -> str:
    np.savez(path, **arrays)
    return str(path)


GOOD = pairs(40, 5)


def run(capsys: Capture, *arguments: str) -> dict[str, Any]:
    assert main(["diagnose", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


class TestCommand:
    def test_the_json_is_decimal_strings(self, tmp_path: Path, capsys: Capture) -> None:
        path = npz(tmp_path / "good.npz", anchor=GOOD.anchor, positive=GOOD.positive)
        found = run(capsys, path, "--tau", "0.01", "--k", "3e4", "--target", "1/3")
        for name in ("n", "tau", "limit", "c1", "c2", "reciprocal_mean", "effective_sample",
                     "estimable", "risk", "k_for_target", "intervals", "bounds"):  # fmt: skip
            assert name in found
        assert [row["k"] for row in found["risk"]] == [1, 10, 100, 1000, 10**4, 30000, 10**5, 10**6]
        assert found["k_for_target"]["target"] == "1/3"
        text = json.dumps({k: v for k, v in found.items() if k not in ("sentences", "embeddings")})
        assert not re.search(r'"-?[0-9.]+[eE]', text)
        assert "NaN" not in text
        assert "Infinity" not in text

    def test_the_text_says_everything(self, tmp_path: Path, capsys: Capture) -> None:
        path = npz(tmp_path / "good.npz", anchor=GOOD.anchor, positive=GOOD.positive)
        assert main(["diagnose", path, "--tau", "0.2"]) == 0
        out, err = capsys.readouterr()
        text = " ".join(out.split())
        for words in ("in nats", "normalised by k", "positive in the denominator", "jackknife",
                      "not estimable at this tau with 40 pairs", "Worst anchors", "vacuous",
                      "log(k + 1)", "KL(Q || pi)", "Other temperatures"):  # fmt: skip
            assert words in text
        assert err == ""

    @pytest.mark.parametrize("layout", ["float16", "float32", "fortran", "int64"])
    def test_layouts(self, layout: str, tmp_path: Path, capsys: Capture) -> None:
        rows = np.eye(20)[np.random.default_rng(0).permutation(20)]
        rows = np.asfortranarray(rows) if layout == "fortran" else rows.astype(layout)
        arrays = {"anchor": rows, "positive": rows}
        found = run(capsys, npz(tmp_path / "rows.npz", **arrays), "--tau", "0.5")
        assert float(found["limit"]) == pytest.approx(-2)

    def test_mapped_and_strided_arrays(self, tmp_path: Path) -> None:
        path = tmp_path / "rows.npy"
        np.save(path, np.repeat(GOOD.anchor, 2, axis=0))
        mapped = np.load(path, mmap_mode="r")[::2]
        world = world_files.from_arrays(mapped, np.asfortranarray(GOOD.positive))
        one, other = diagnose(world, Fraction(1, 3)), diagnose(GOOD, Fraction(1, 3))
        np.testing.assert_array_equal(one.main.anchors.means, other.main.anchors.means)

    def test_normalise(self, tmp_path: Path, capsys: Capture) -> None:
        path = npz(tmp_path / "long.npz", anchor=3 * GOOD.anchor, positive=GOOD.positive)
        assert main(["diagnose", path, "--tau", "0.2"]) == 2
        assert "anchor row 0" in capsys.readouterr().err
        found = run(capsys, path, "--tau", "0.2", "--normalise")
        plain = float(diagnose(GOOD, Fraction(1, 5)).limit)
        assert float(found["limit"]) == pytest.approx(plain, rel=1e-12)

    def test_copies_are_counted(self, tmp_path: Path, capsys: Capture) -> None:
        anchor = GOOD.anchor.copy()
        anchor[[3, 9, 20]] = anchor[0]
        path = npz(tmp_path / "copies.npz", anchor=anchor, positive=GOOD.positive)
        found = run(capsys, path, "--tau", "0.2")
        assert found["copies"] == {"anchors": 3, "negatives": 0}
        assert "3 of the anchors equal an earlier one" in " ".join(found["sentences"]["data"])
        world = Embeddings(anchor, GOOD.positive, anchor[:5])
        assert Copies.of(world) == Copies(anchors=3, negatives=5)

    def test_the_plot(self, tmp_path: Path, capsys: Capture) -> None:
        path = npz(tmp_path / "good.npz", anchor=GOOD.anchor, positive=GOOD.positive)
        svg = tmp_path / "out.svg"
        run(capsys, path, "--tau", "0.2", "--plot", str(svg))
        assert svg.read_text().startswith("<?xml")
        assert sorted(x.name for x in tmp_path.iterdir()) == ["good.npz", "out.svg"]

    @pytest.mark.parametrize("stage", ["pairs", "risks"])
    def test_resumes_to_the_same_answer(self, stage: str, tmp_path: Path, capsys: Capture) -> None:
        world = pairs(300, 3)
        path = npz(tmp_path / "pairs.npz", anchor=world.anchor, positive=world.positive)
        wanted = run(capsys, path, "--tau", "0.5")
        kept = tmp_path / "kept"

        def stop(name: str) -> Any:
            def tell(done: int, parts: int) -> None:
                if name == stage and done == 1:
                    raise KeyboardInterrupt

            return tell

        read = world_files.read_npz(path)
        with pytest.raises(KeyboardInterrupt):
            diagnose(read, Fraction(1, 2), checkpoint=kept, progress=stop)
        assert kept.is_file()
        assert Path(f"{kept}.risks").is_file() == (stage == "risks")
        arguments = (path, "--tau", "0.5", "--checkpoint", str(kept))
        assert run(capsys, *arguments) == wanted
        assert run(capsys, *arguments) == wanted
        assert main(["diagnose", path, "--tau", "0.4", "--checkpoint", str(kept)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert "other parameters" in err

    def test_a_data_set_by_its_name(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture
    ) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(data_sets, "FILES", {"tiny": "tiny.npz"})
        monkeypatch.setattr(data_sets, "path", lambda name: tmp_path / "elsewhere.npz")
        npz(tmp_path / "elsewhere.npz", anchor=GOOD.anchor, positive=GOOD.positive)
        assert run(capsys, "tiny", "--tau", "0.2")["n"] == 40

    def test_the_report_fits_a_terminal(self, real: dict[str, Diagnosis]) -> None:
        from rich.console import Console

        for found in real.values():
            console = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
            console.print(report(found))
            console.file.close()
            text = console.export_text()
            assert max(map(len, text.splitlines())) <= 80
            assert "…" not in text


def changed(**arrays: Any) -> dict[str, Any]:
    return {"anchor": GOOD.anchor, "positive": GOOD.positive, **arrays}


def with_row(row: int, value: float) -> np.ndarray:
    rows = GOOD.anchor.copy()
    rows[row, 2] = value
    return rows


BAD = [
    (changed(anchor=with_row(7, 3.0)), [], ["anchor row 7", "must be 1 within 1e-06"]),
    (changed(positive=with_row(5, np.nan)), [], ["positive row 5", "finite"]),
    (changed(anchor=with_row(6, np.inf)), [], ["anchor row 6", "finite"]),
    (changed(anchor=with_row(6, np.inf)), ["--normalise"], ["anchor row 6", "finite"]),
    (changed(anchor=GOOD.anchor * (np.arange(40) != 4)[:, None]), ["--normalise"],
     ["anchor row 4", "positive"]),
    (changed(anchor=GOOD.anchor[:2], positive=GOOD.positive[:2]), [], ["anchor", "at least 3"]),
    (changed(positive=GOOD.positive[:30]), [], ["positive", "30 x 5", "40 x 5"]),
    (changed(positive=GOOD.positive[:, :4]), [], ["positive", "40 x 4", "40 x 5"]),
    (changed(negative=GOOD.anchor[:, :4]), [], ["negative", "5 columns"]),
    (changed(negative=GOOD.anchor[:2]), [], ["negative", "at least 3"]),
    (changed(anchor=np.array([[1, None]], dtype=object)), [], ["npz", "numeric"]),
    (changed(anchor=GOOD.anchor * 1j), [], ["anchor", "real numbers"]),
    (changed(anchor=GOOD.anchor[0]), [], ["anchor", "rows x columns"]),
    (changed(label=GOOD.anchor), [], ["array label", "only"]),
    ({"anchor": GOOD.anchor}, [], ["no array positive"]),
    (changed(), ["--tau", "0.008"], ["--tau", "3/350"]),
    (changed(), ["--tau", "1e60"], ["--tau", "1e50"]),
    (changed(), ["--k", "0"], ["--k", "at least 1"]),
    (changed(), ["--k", "1e19"], ["--k", "1e18"]),
    (changed(), ["--target", "0"], ["--target", "greater than 0"]),
    (changed(), ["--plot", "out.png"], ["--plot", ".svg"]),
    (changed(), ["--plot", "absent/out.svg"], ["--plot", "folder"]),
    (changed(), ["--checkpoint", "absent/kept"], ["checkpoint", "folder"]),
    (changed(), ["--scheduler", "tcp://localhost:1"], ["scheduler", "running Dask"]),
]  # fmt: skip


@pytest.mark.parametrize(("arrays", "options", "words"), BAD)
def test_bad_input_is_one_line_that_names_row_and_rule(
    arrays: dict[str, Any],
    options: list[str],
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = npz(tmp_path / "file.npz", **arrays)
    tau = [] if "--tau" in options else ["--tau", "0.5"]
    assert main(["diagnose", path, *tau, *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    for word in words:
        assert word in err
    assert [x.name for x in tmp_path.iterdir()] == ["file.npz"]


@pytest.mark.parametrize("kept", [0, 5, 1000, -900, -1])
def test_a_truncated_file_is_one_line(kept: int, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "file.npz"
    np.savez(path, **changed())
    path.write_bytes(path.read_bytes()[:kept])
    assert main(["diagnose", str(path), "--tau", "0.5"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "file.npz" in err
