r"""Mathematics in the ledger's sentences: written plainly for a terminal, typeset on a page.

Titles, assumptions and remarks are read on a terminal too, so they say `e^{1/tau}` and `mu-hat`. A
recursive parser finds the expressions among the words; what it does not understand stays as it is.

>>> typeset("the DCL risk is within e^{1/tau}/k of CE, a limit")
'the DCL risk is within $e^{1/\\tau}/k$ of $\\mathrm{CE}$, a limit'
"""

from __future__ import annotations

import re

from companion.plain_math import NotMathematicsError, Reader, Token, tokens

_LEFT_ALONE = re.compile(r"(`[^`]*`|\$[^$]*\$|\[[^\]]*\]\([^)]*\))")


def typeset(text: str) -> str:
    """Return the text with its plain mathematics between dollar signs; code and $...$ are kept."""
    pieces = _LEFT_ALONE.split(text)
    return "".join(piece if i % 2 else _sentence(piece) for i, piece in enumerate(pieces))


def _sentence(text: str) -> str:
    found = tokens(text)
    out: list[str] = []
    place = 0
    while place < len(found):
        reader = Reader(found, place)
        label = "".join(token.text for token in found[place : place + 3])
        if label in ("(A)", "(B)", "(C)"):  # the paper's assumptions
            out.append(label)
            place += 3
            continue
        if _may_start(found, place):
            try:
                latex = reader.relation()
            except NotMathematicsError:
                latex = ""
            if latex and reader.means_something and not reader.cut_short():
                out.append(f"${latex}$")
                place = reader.place
                continue
        out.append(found[place].text)
        place += 1
    return "".join(out)


def _may_start(found: list[Token], place: int) -> bool:
    """Tell whether an expression may begin here: not inside a word, nor in the middle of a key."""
    token = found[place]
    if token.kind == "space" or token.text in ("+", ".", "...", ",", ":", ";", "'", "/", "~"):
        return False
    before = found[place - 1] if place else Token("space", " ")
    if before.kind == "space" or before.text in ("(", "[", '"', "|", "{"):
        return True
    if before.text == "-":  # "finite-k", but not the minus of a sum that was not understood
        return token.kind == "word" and place > 1 and found[place - 2].kind == "word"
    return False
