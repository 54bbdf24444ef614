"""Tables of the whole ledger: statements, corrections, symbols, legends."""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective, SphinxRole

from companion import parts
from companion.state import book, log
from proofs import report
from proofs.evidence import kinds
from proofs.symbols import CONCORDANCE


class StatementRole(SphinxRole):
    """``{st}`lemma-2```: a link to a statement, with the sign of its verdict."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        id_ = self.text
        if id_ not in book.results:
            if id_ not in book.pending:
                log.warning("no such statement: %s", id_, location=self.get_location())
            return [nodes.literal(text=id_)], []
        verdict = book.verdicts[id_]
        reference = parts.link(id_)
        reference["refdoc"] = self.env.docname
        sign, meaning, _ = parts.VERDICTS[verdict]
        mark = parts.badge(sign, f"mark {parts.verdict_class(verdict)}", f"{verdict}: {meaning}")
        mark["classes"] = ["badge-word", "mark", parts.verdict_class(verdict)]
        return [reference, nodes.Text("\u202f"), mark], []


class StatementTable(SphinxDirective):
    """``{statement-table}``: a row a statement, with backlinks."""

    option_spec: ClassVar = {"ours": directives.flag, "paper": directives.flag}

    def run(self) -> list[nodes.Node]:
        rows = []
        for id_ in book.order():
            statement = book.statements[id_]
            if ("ours" in self.options and not statement.ours) or (
                "paper" in self.options and statement.ours
            ):
                continue
            strength = book.strengths[id_]
            rows.append(
                [
                    parts.links(self, [id_]),
                    parts.words(self, statement.title),
                    [parts.verdict_badge(id_)]
                    + ([nodes.Text(" "), parts.kind_badge(strength)] if strength else []),
                    parts.links(self, statement.uses) or [nodes.Text("–")],
                    parts.links(self, book.users[id_]) or [nodes.Text("–")],
                ]
            )
        heads = ["Statement", "What it says", "Verdict, weakest evidence", "Uses", "Used by"]
        return [parts.table(heads, rows, "statements")]


class CorrectionsTable(SphinxDirective):
    """``{corrections-table}``: what does not stand as printed."""

    def run(self) -> list[nodes.Node]:
        rows = []
        for id_ in book.order():
            statement = book.statements[id_]
            if statement.correction is None:
                continue
            note = parts.words(self, statement.correction.note)
            whose = "maybe of the transcription" if statement.correction.transcription else "yes"
            rows.append(
                [parts.links(self, [id_]), note, [parts.verdict_badge(id_)], [nodes.Text(whose)]]
            )
        return [parts.table(["Statement", "Correction", "Verdict", "In the paper"], rows)]


class UncheckedSteps(SphinxDirective):
    """``{unchecked-steps}``: every step that no machine checked, with its reason or its source."""

    option_spec: ClassVar = {"kind": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        wanted = self.options["kind"]
        rows = []
        for id_ in book.order():
            checked = book.results[id_]
            steps = zip(checked.statement.proof, checked.steps, strict=True)
            for number, (step, ran) in enumerate(steps, 1):
                if ran.evidence.kind != wanted:
                    continue
                because = getattr(ran.evidence, "source", "") or getattr(ran.evidence, "why", "")
                where = parts.here(self, parts.link(id_))
                name = [where, nodes.Text(f", step {number}")]
                reason = parts.inline if wanted == "cited" else parts.words
                text = parts.inline(self, parts.linked(step.text))
                rows.append([name, text, reason(self, because)])
        last = "Source" if wanted == "cited" else "Why no engine applies"
        return [parts.table(["Step", "What it says", last], rows)]


class VerdictLegend(SphinxDirective):
    """``{verdict-legend}``: what each verdict means."""

    def run(self) -> list[nodes.Node]:
        counts = {v: sum(x == v for x in book.verdicts.values()) for v in parts.VERDICTS}
        rows = [
            [
                [parts.verdict_word(verdict)],
                [nodes.Text(meaning)],
                [nodes.Text(str(counts[verdict]))],
            ]
            for verdict, (_, meaning, _) in parts.VERDICTS.items()
        ]
        return [parts.table(["Verdict", "Meaning", "Statements"], rows)]


class EvidenceLegend(SphinxDirective):
    """``{evidence-legend}``: what each kind of evidence establishes, strongest first."""

    def run(self) -> list[nodes.Node]:
        runs = [r for c in book.results.values() for r in (*c.steps, *c.crosschecks)]
        rows = []
        for kind in kinds():
            number = sum(r.evidence.kind == kind.kind for r in runs)
            engine = sorted({r.evidence.engine for r in runs if r.evidence.kind == kind.kind})
            who = ", ".join(engine) if kind.machine and engine else "a reader"
            if kind.machine and not engine:
                who = kind.engine
            rows.append(
                [
                    [parts.kind_badge(kind.kind)],
                    [nodes.Text(kind.establishes)],
                    [nodes.Text(who)],
                    [nodes.Text("yes" if kind.concludes else "never")],
                    [nodes.Text(str(number))],
                ]
            )
        heads = ["Kind", "What it establishes", "Checked by", "Can conclude", "Used here"]
        return [parts.table(heads, rows)]


class StatusSummary(SphinxDirective):
    """``{status-summary}``: the whole ledger in a few words, computed."""

    def run(self) -> list[nodes.Node]:
        return [nodes.paragraph(text=report.summary(book.results)["text"])]


class SecondsTable(SphinxDirective):
    """``{seconds-table}``: how long each statement took, the slowest first."""

    def run(self) -> list[nodes.Node]:
        times = {}
        for id_, checked in book.results.items():
            runs = [*checked.all, *([checked.refutation] if checked.refutation else [])]
            times[id_] = (len(checked.steps), len(runs), sum(run.seconds for run in runs))
        rows = [
            [parts.links(self, [id_])]
            + [[nodes.Text(text)] for text in (str(a), str(b), f"{c:.1f}")]
            for id_, (a, b, c) in sorted(times.items(), key=lambda item: -item[1][2])
        ]
        total = [[nodes.strong(text="All")]] + [
            [nodes.Text(text)]
            for text in (
                str(sum(a for a, _, _ in times.values())),
                str(sum(b for _, b, _ in times.values())),
                f"{sum(c for _, _, c in times.values()):.0f}",
            )
        ]
        heads = ["Statement", "Steps", "Checks in all", "Seconds of one processor"]
        return [parts.table(heads, [total, *rows])]


class Concordance(SphinxDirective):
    """``{concordance}``: every symbol and its meaning; with `differ`, those renamed alone."""

    option_spec: ClassVar = {"differ": directives.flag}

    def run(self) -> list[nodes.Node]:
        differ = "differ" in self.options
        rows = []
        for row in sorted(CONCORDANCE.values(), key=lambda r: r.code.lower()):
            if row.code.endswith("example") or (differ and row.paper == row.latex):
                continue
            paper = [[nodes.math(row.paper, row.paper)]] if differ else []
            rows.append(
                [
                    *paper,
                    [nodes.math(row.latex, row.latex)],
                    parts.words(self, row.meaning),
                    [nodes.literal(text=row.code)],
                ]
            )
        heads = [*(["Paper"] if differ else []), "Here", "Meaning", "Code"]
        return [parts.table(heads, rows, "concordance")]
