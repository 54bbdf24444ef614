"""Everything the ledger knows of one statement, on the page that names it."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

import proofs
from companion import parts
from companion.code import code_of
from companion.constants import constant_rows
from companion.state import book, log
from proofs import report
from proofs.evidence import Attack, Evidence, Outcome, conjuncts
from proofs.ledger import Checked, Ran, Statement, Step
from proofs.render import latex as to_latex

_ROOT = Path(inspect.getfile(proofs)).parents[1]


class StatementDirective(SphinxDirective):
    """``{statement} lemma-2``: the statement, its proof, its checks."""

    required_arguments = 1
    option_spec: ClassVar = {"open": directives.flag}

    def run(self) -> list[nodes.Node]:
        return show(self, self.arguments[0], open_="open" in self.options)


class OtherStatements(SphinxDirective):
    """``{other-statements}``: every statement that no page shows by name."""

    def run(self) -> list[nodes.Node]:
        found: list[nodes.Node] = []
        for id_ in book.others():
            found += show(self, id_)
        return found or [nodes.paragraph(text="Every statement has a page of its own.")]


class StatementBody(SphinxDirective):
    """What stands inside the block of a statement. Written by `show` alone."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return _body(self, self.arguments[0])


class Specimen(SphinxDirective):
    """``{specimen} lemma-2``: a statement as its own page shows it, for a page that explains it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        id_ = self.arguments[0]
        checked = book.results[id_]
        said = parts.words(self, checked.statement.title)
        title = nodes.title("", "", nodes.Text(f"{book.names[id_]} ("), *said, nodes.Text(")"))
        block = nodes.admonition("", title, *_body(self, id_), classes=["proof"])
        return [block, _proof(self, checked, open_=True, prefix="specimen-")]


def show(directive: SphinxDirective, id_: str, *, open_: bool = False) -> list[nodes.Node]:
    """Return a statement with its proof."""
    if id_ not in book.results:
        if id_ not in book.pending:
            log.warning("no such statement: %s", id_, location=directive.get_location())
        return []
    name = book.names[id_]
    title = parts.typeset(book.statements[id_].title)
    block = [
        f"::::{{prf:{name.block}}} {title[:1].upper()}{title[1:]}",
        f":label: {id_}",
        "",
        f":::{{statement-body}} {id_}",
        ":::",
        "::::",
    ]
    found = parts.markdown(directive, "\n".join(block))
    checked = book.results[id_]
    if checked.steps:
        found.append(_proof(directive, checked, open_))
    if checked.crosschecks:
        found.append(_crosschecks(directive, checked))
    return found


# The block ------------------------------------------------------------------------------------


def _body(directive: SphinxDirective, id_: str) -> list[nodes.Node]:
    checked = book.results[id_]
    statement = checked.statement
    found: list[nodes.Node] = [_badges(id_, statement)]
    found += _conditions(directive, statement)
    found += _claim(directive, statement)
    if statement.definitions:
        found += _definitions(directive, statement)
    if statement.correction is not None:
        found.append(_correction(directive, checked))
    if statement.remarks:
        found += parts.markdown(directive, parts.said(statement.remarks))
    if statement.constants:
        found.append(constant_rows(directive, statement))
    found.append(_footer(directive, id_, checked))
    return found


def _badges(id_: str, statement: Statement) -> nodes.paragraph:
    line = nodes.paragraph("", "", parts.verdict_badge(id_), classes=["statement-line"])
    strength = book.strengths[id_]
    if strength is not None:
        line += [nodes.Text(" weakest evidence: "), parts.kind_badge(strength)]
    if statement.tight:
        line += [
            nodes.Text(" "),
            parts.badge("tight", "plain", "the bound is attained or approached"),
        ]
    where = "the companion's own" if statement.ours else statement.where
    line += [nodes.Text(f" {where} · "), nodes.literal(text=id_)]
    return line


def _conditions(directive: SphinxDirective, statement: Statement) -> list[nodes.Node]:
    words = [
        nodes.list_item("", nodes.paragraph("", "", *parts.words(directive, text)))
        for text in statement.assumptions
    ]
    relations = [to_latex(part) for part in conjuncts(tuple(statement.hypotheses))]
    if relations:
        math = []
        for i, relation in enumerate(relations):
            math += [nodes.Text(", ")] if i else []
            math.append(nodes.math(relation, relation))
        words.append(nodes.list_item("", nodes.paragraph("", "", *math)))
    if not words:
        return []
    intro = nodes.paragraph("", "", nodes.strong(text="Given"), classes=["statement-part"])
    return [intro, nodes.bullet_list("", *words)]


def _claim(directive: SphinxDirective, statement: Statement) -> list[nodes.Node]:
    if isinstance(statement.claim, str):
        formula = parts.latex_lines(statement.claim)
        return [formula] if formula else parts.markdown(directive, parts.said(statement.claim))
    return [parts.display(parts.claim_latex(statement.claim))]


def _definitions(directive: SphinxDirective, statement: Statement) -> list[nodes.Node]:
    """Say what the letters of the claim are, and in a fold those that only the proof uses."""
    shown = _needed(statement)
    items: dict[bool, list[nodes.Node]] = {True: [], False: []}
    for symbol, meaning in statement.definitions.items():
        latex = to_latex(symbol)
        line: list[nodes.Node] = [nodes.math(latex, latex)]
        if isinstance(meaning, str):
            line += [nodes.Text(": "), *parts.words(directive, meaning)]
        else:
            latex = f"{latex} = {to_latex(meaning)}"
            line = [nodes.math(latex, latex)]
        items[symbol in shown].append(nodes.list_item("", nodes.paragraph("", "", *line)))
    found: list[nodes.Node] = []
    if items[True]:
        intro = nodes.paragraph("", "", nodes.strong(text="Here"), classes=["statement-part"])
        found += [intro, nodes.bullet_list("", *items[True])]
    if items[False]:
        title = [nodes.Text("Letters of the proof")]
        fold = parts.make_fold(title, nodes.bullet_list("", *items[False]), classes=["check-fold"])
        found.append(fold)
    return found


def _needed(statement: Statement) -> set[Any]:
    """Return the defined letters that claim and hypotheses use, directly or through another."""
    if isinstance(statement.claim, str):
        return set(statement.definitions)
    claim = statement.claim if isinstance(statement.claim, tuple | list) else [statement.claim]
    said: list[Any] = [*claim, *statement.hypotheses]
    needed: set[Any] = set()
    while True:
        more = {
            symbol
            for symbol in set(statement.definitions) - needed
            if any(hasattr(e, "has") and e.has(symbol) for e in said)
        }
        if not more:
            return needed
        needed |= more
        said += [statement.definitions[symbol] for symbol in more]


def _correction(directive: SphinxDirective, checked: Checked) -> nodes.container:
    correction = checked.statement.correction
    assert correction is not None
    box = nodes.container("", classes=["correction"])
    box += nodes.paragraph("", "", nodes.strong(text="What changes"))
    box += parts.markdown(directive, parts.said(correction.note))
    box += nodes.paragraph(text="As printed:")
    if isinstance(correction.printed, str):
        box += parts.markdown(directive, parts.said(correction.printed))
    else:
        box += parts.display(parts.claim_latex(correction.printed))
    if checked.refutation is not None:
        title = [
            nodes.Text("Refuted by a witness: "),
            parts.kind_badge(checked.refutation.evidence.kind),
        ]
        box += parts.make_fold(title, *_check(directive, checked.refutation))
    if correction.transcription:
        text = "The slip may belong to the transcription that we read and not to the paper."
        box += nodes.paragraph("", "", nodes.emphasis(text=text))
    return box


def _footer(directive: SphinxDirective, id_: str, checked: Checked) -> nodes.paragraph:
    statement = checked.statement
    line = nodes.paragraph("", "", classes=["statement-line"])
    pieces: list[list[nodes.Node]] = []
    if statement.uses:
        pieces.append([nodes.Text("Uses "), *parts.links(directive, statement.uses)])
    if book.users[id_]:
        pieces.append([nodes.Text("Used by "), *parts.links(directive, book.users[id_])])
    ratio = report.looseness(checked)
    if ratio is not None:
        text = f"Largest left/right met in the checks: {ratio:.3g}"
        pieces.append([nodes.Text(text)])
    path = Path(inspect.getfile(type(statement))).parent  # the file of the statement itself
    room = "sharper" if statement.ours else "paper"
    for folder in (room, "paper", "sharper"):
        file = path / folder / f"{id_.replace('-', '_')}.py"
        if file.exists():
            pieces.append([nodes.literal(text=str(file.relative_to(_ROOT)))])
            break
    for i, piece in enumerate(pieces):
        line += [nodes.Text(" · ")] if i else []
        line += piece
    return line


# The proof ------------------------------------------------------------------------------------


def _proof(
    directive: SphinxDirective, checked: Checked, open_: bool, prefix: str = ""
) -> parts.fold:
    id_ = checked.statement.id
    counts = Counter(ran.evidence.kind for ran in checked.steps)
    number = len(checked.steps)
    title: list[nodes.Node] = [nodes.Text(f"Proof in {number} step{'s' if number > 1 else ''}: ")]
    for kind in sorted(counts, key=lambda k: Evidence.KINDS[k].rank):
        title += [parts.badge(f"{counts[kind]} {kind}", f"kind-{kind}"), nodes.Text(" ")]
    items = [
        _step(directive, f"{prefix}{id_}-step-{number}", step, ran)
        for number, (step, ran) in enumerate(
            zip(checked.statement.proof, checked.steps, strict=True), 1
        )
    ]
    steps = nodes.enumerated_list("", *items, enumtype="arabic", prefix="", suffix=".")
    steps["classes"].append("proof-steps")
    proof = parts.make_fold(title, steps, classes=["proof-fold"])
    if open_:
        proof["open"] = True
    return proof


def _step(directive: SphinxDirective, anchor: str, step: Step, ran: Ran) -> nodes.list_item:
    evidence = ran.evidence
    item = nodes.list_item("", ids=[anchor])
    item += parts.markdown(directive, parts.linked(step.text))
    claim = getattr(evidence, "claim", None)
    if conjuncts(claim):
        item += parts.display(parts.claim_latex(claim))
    local = [to_latex(part) for part in conjuncts(tuple(evidence.local_hypotheses))]
    if local:
        line = nodes.paragraph("", "where ", classes=["statement-part"])
        for i, relation in enumerate(local):
            line += [nodes.Text(", ")] if i else []
            line += nodes.math(relation, relation)
        item += line
    argument = getattr(evidence, "text", "")
    if argument:
        item += nodes.container(
            "", *parts.markdown(directive, parts.linked(argument)), classes=["argument"]
        )
    title = [parts.kind_badge(evidence.kind), nodes.Text(" "), *_outcome(ran)]
    item += parts.make_fold(title, *_check(directive, ran), classes=["check-fold"])
    return item


def _outcome(ran: Ran) -> list[nodes.Node]:
    if not ran.evidence.machine:
        return [nodes.Text("not checked by machine")]
    mutants = len(ran.mutants)
    dead = sum(finding.outcome is Outcome.REFUTED for _, finding in ran.mutants)
    text = f"{ran.outcome} by {ran.evidence.engine}; {dead} of {mutants} mutants refuted"
    return [nodes.Text(text)]


def _check(directive: SphinxDirective, ran: Ran) -> list[nodes.Node]:
    """Return what a check was and what came of it."""
    evidence = ran.evidence
    found: list[nodes.Node] = []
    source = getattr(evidence, "source", "")
    why = getattr(evidence, "why", "")
    if source:
        line = nodes.paragraph("", "", nodes.strong(text="Cited: "))
        line += parts.inline(directive, source)
        found.append(line)
    if why:
        line = nodes.paragraph("", "", nodes.strong(text="Why no engine applies: "))
        line += parts.words(directive, why)
        found.append(line)
    if not evidence.machine:
        return found
    facts = [
        ("Engine", evidence.engine),
        ("Outcome", f"{ran.outcome}: {ran.finding.detail}" if ran.finding.detail else ran.outcome),
        ("Witness", ran.witness.detail or str(ran.witness.outcome)),
        ("Time", f"{ran.seconds:.2f} s with its mutants"),
    ]
    if ran.finding.ratio is not None:
        facts.append(("Largest left/right", f"{ran.finding.ratio:.6g}"))
    rows = [
        nodes.field(
            "", nodes.field_name(text=name), nodes.field_body("", nodes.paragraph(text=text))
        )
        for name, text in facts
    ]
    found.append(nodes.field_list("", *rows))
    if ran.mutants:
        found.append(
            parts.table(
                ["Mutant", "Outcome", "Because"],
                [
                    [
                        [nodes.Text(name)],
                        [nodes.Text(str(finding.outcome))],
                        [nodes.Text(finding.detail)],
                    ]
                    for name, finding in ran.mutants
                ],
                "mutants",
            )
        )
    code = code_of(evidence)
    found.append(nodes.literal_block(code, code, language="check"))
    return found


def _crosschecks(directive: SphinxDirective, checked: Checked) -> parts.fold:
    number = len(checked.crosschecks)
    beside = " beside the proof" if checked.steps else ""
    title: list[nodes.Node] = [nodes.Text(f"{number} check{'s' if number > 1 else ''}{beside}: ")]
    counts = Counter(ran.evidence.kind for ran in checked.crosschecks)
    for kind in sorted(counts, key=lambda k: Evidence.KINDS[k].rank):
        title += [parts.badge(f"{counts[kind]} {kind}", f"kind-{kind}"), nodes.Text(" ")]
    content: list[nodes.Node] = []
    for i, ran in enumerate(checked.crosschecks):
        attained = i == 0 and checked.statement.attained is not None
        role = "Attained: " if attained else "Attack: " if isinstance(ran.evidence, Attack) else ""
        line: list[nodes.Node] = [parts.kind_badge(ran.evidence.kind), nodes.Text(f" {role}")]
        line += _outcome(ran)
        content.append(parts.make_fold(line, *_claim_of(directive, ran), *_check(directive, ran)))
    return parts.make_fold(title, *content, classes=["proof-fold"])


def _claim_of(directive: SphinxDirective, ran: Ran) -> Sequence[nodes.Node]:
    claim: Any = getattr(ran.evidence, "claim", None)
    if isinstance(claim, str):
        return parts.markdown(directive, parts.said(claim))
    return [parts.display(parts.claim_latex(claim))] if conjuncts(claim) else []


__all__ = ["OtherStatements", "StatementBody", "StatementDirective", "show"]
