"""Mathematics that the ledger writes plainly is typeset, and words stay words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from companion.prose import typeset

from proofs import ledger


@pytest.mark.parametrize(
    ("plain", "shown"),
    [
        ("within e^{2/tau}/k of it", r"within $e^{2/\tau}/k$ of it"),
        ("xi_1, ..., xi_m are iid pi", r"$\xi_{1}$, ..., $\xi_{m}$ are iid $\pi$"),
        ("M-hat_m(z, .) and mu-hat", r"$\hat M_{m}(z, \cdot)$ and $\hat \mu$"),
        ("E[w(Z, Z')^2] over k", r"$\mathbb{E} [w(Z, Z')^{2}]$ over $k$"),
        ("||phi(z) - phi'(z)|| <= 2", r"$\Vert \varphi(z) - \varphi'(z)\Vert  \le 2$"),
        ("exp(-s(a, +)/tau)", r"$\exp(-s(a, +)/\tau)$"),
        ("R - R_dcl, R - R_hat", r"$R - \tilde R$, $R - \hat R$"),
        ("beta = infinity, c*(tau)", r"$\beta = \infty$, $c^*(\tau)$"),
        ("the finite-k risk, M-invariant", r"the finite-$k$ risk, $M$-invariant"),
        ("<u, v - w> is sqrt(6)-Lipschitz", r"$\langle u, v - w\rangle $ is $\sqrt{6}$-Lipschitz"),
        ("values in [-1, 1], else (0, 1)", "values in $[-1, 1]$, else $(0, 1)$"),
    ],
)
def test_plain_mathematics_is_typeset(plain: str, shown: str) -> None:
    assert typeset(plain) == shown


@pytest.mark.parametrize(
    "words",
    [
        "a search among 1024 points, and an anchor",
        "(A): the tuples are iid; see (11) and [13] of A.2",
        "Jensen's inequality; Theorem 3.3 of i.e. two",
        "A machine, I say, e.g. sphere:d=3,conc=5",
        "`mu <= 1` and $\\mu \\le 1$ stay, as do 95% and 2/9",
    ],
)
def test_words_stay_words(words: str) -> None:
    assert typeset(words) == words


def _texts() -> Iterator[str]:
    for statement in ledger.statements().values():
        yield statement.title
        yield statement.remarks
        yield from statement.assumptions
        yield from (text for text in statement.definitions.values() if isinstance(text, str))
        yield from (constant.meaning for constant in statement.constants)
        if statement.correction is not None:
            yield statement.correction.note


def test_nothing_that_the_ledger_says_is_left_half_typeset() -> None:
    raw = re.compile(r"[\\^_]|<=|>=|\b(?:tau|mu|phi|beta|kappa|theta)\b")
    texts = list(_texts())
    shown = [re.sub(r"\$[^$]*\$|`[^`]*`", "", typeset(text)) for text in texts]
    assert len(texts) > 300
    assert [text for text in shown if raw.search(text)] == []
