r"""A grammar of mathematics as it is written in plain text, with its translation to LaTeX.

>>> reader = Reader(tokens("e^{1/tau}/k of it"), 0)
>>> reader.relation(), reader.means_something
('e^{1/\\tau}/k', True)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_GREEK = frozenset(
    re.findall(
        r"\w+",
        "alpha beta gamma delta eps epsilon eta theta kappa lambda mu nu xi pi rho sigma tau phi"
        " omega Gamma Delta Theta Lambda Phi Omega",
    )
)
_SPECIAL = {"eps": r"\varepsilon", "epsilon": r"\varepsilon", "phi": r"\varphi"}
_NAMES = {
    "CE": r"\mathrm{CE}",
    "CEhat": r"\widehat{\mathrm{CE}}",
    "PM": r"\mathrm{PM}",
    "dM": r"\mathrm{d}M",
    "dQ": r"\mathrm{d}Q",
    "dpi": r"\mathrm{d}\pi",
    "dnu": r"\mathrm{d}\nu",
}
#: Symbols only if something follows that shows it: gap_k, Rad^(r), Var(Y).
_BEFORE = {"gap": "_", "Rad": "^_", "Var": "("}
_FUNCTIONS = {
    name: "\\" + name
    for name in ("log", "exp", "sinh", "cosh", "tanh", "cos", "max", "min", "sup", "inf", "sum")
}
_RELATIONS = {
    "<=": r"\le",
    ">=": r"\ge",
    "<<": r"\ll",
    "->": r"\to",
    "!=": r"\ne",
    "~": r"\sim",
    "=": "=",
    "<": "<",
    ">": ">",
}
#: Letters that are words of English as well.
_WORDS = frozenset("aAI")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">", "|": "|", "||": "||"}
_BRACKETS = {"<": r"\langle ", ">": r"\rangle ", "||": r"\Vert ", "{": r"\{", "}": r"\}"}

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>\d+(?:\.\d+)?(?:\.\.\.)?)|(?P<word>[A-Za-z]+(?:-hat(?![A-Za-z]))?)"
    r"|(?P<sign><=|>=|<<|->|!=|\|\||\.\.\.|.)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Token:
    kind: str
    text: str


class NotMathematicsError(Exception):
    """The words at this place are words."""


def tokens(text: str) -> list[Token]:
    """Cut a text into spaces, numbers, words and signs."""
    return [Token(str(m.lastgroup), m[0]) for m in _TOKEN.finditer(text)]


class Reader:
    """Reads one expression as far as it goes."""

    def __init__(self, tokens: list[Token], place: int) -> None:
        self.tokens, self.place, self.means_something = tokens, place, False
        self.depth = 0
        self.in_norm = False

    # Tokens ---------------------------------------------------------------------------------

    def peek(self, ahead: int = 0) -> Token:
        at = self.place + ahead
        return self.tokens[at] if at < len(self.tokens) else Token("end", "")

    def skip(self) -> bool:
        space = self.peek().kind == "space"
        self.place += space
        return space

    def cut_short(self) -> bool:
        """Tell whether the expression stops in the middle of something like `k=3,d=4` or `i.e.`."""
        after = self.peek()
        if after.text in ("=", "_", "^", "<"):
            return True
        joined = self.peek(1).kind in ("word", "number")
        return after.kind in ("word", "number") or (after.text in (".", ",") and joined)

    def attempt(self, rule: Callable[[], str]) -> str | None:
        """Return what a rule reads, or None, having read nothing."""
        before = self.place, self.means_something, self.depth, self.in_norm
        try:
            return rule()
        except NotMathematicsError:
            self.place, self.means_something, self.depth, self.in_norm = before
            return None

    # Grammar --------------------------------------------------------------------------------

    def relation(self) -> str:
        """Read sums joined by relations."""
        found = self.sum()

        def more() -> str:
            self.skip()
            sign = self.peek().text
            if sign not in _RELATIONS:
                raise NotMathematicsError
            self.place += 1
            self.skip()
            if self.peek().text == "infinity":
                self.place += 1
                self.means_something = True
                return f" {_RELATIONS[sign]} \\infty"
            right = self.sum()
            self.means_something = True
            return f" {_RELATIONS[sign]} {right}"

        while (next_ := self.attempt(more)) is not None:
            found += next_
        return found

    def sum(self) -> str:
        """Read terms joined by plus and minus."""
        sign = ""
        if self.peek().text in ("-", "+"):
            sign = self.peek().text
            self.place += 1
        found = sign + self.product()

        def more() -> str:
            spaced = self.skip()
            sign = self.peek().text
            if sign not in ("+", "-"):
                raise NotMathematicsError
            self.place += 1
            if self.skip() != spaced:
                raise NotMathematicsError
            return f" {sign} {self.product()}"

        while (next_ := self.attempt(more)) is not None:
            found += next_
        return found

    def product(self) -> str:
        """Read factors, joined by a slash, a star, a space or nothing."""
        found = self.factor()

        def more() -> str:
            spaced = self.skip()
            sign = self.peek().text
            if sign in ("/", "*"):
                self.place += 1
                if self.skip() != spaced:
                    raise NotMathematicsError
                return ("/" if sign == "/" else r" \cdot ") + self.factor()
            if self.peek().kind == "number" and self.peek(1).text != "^":
                raise NotMathematicsError
            if sign in ("[", "-", "+", "<", "|") or (sign == "||" and self.in_norm):
                raise NotMathematicsError
            return " " + self.factor()

        while (next_ := self.attempt(more)) is not None:
            found += next_
        return found

    def factor(self) -> str:
        """Read an atom with its subscript, primes, powers and arguments."""
        found = self.atom()
        while True:
            text = self.peek().text
            if text == "'" and self.peek(1).kind != "word":
                self.place += 1
                found += "'"
            elif text in ("^", "_"):
                self.place += 1
                found += text + self.script()
                self.means_something = True
            elif text == "*" and self.peek(1).text in ("", " ", "(", ",", ".", ")", ":"):
                self.place += 1
                found += "^*"
            elif text == "(" and found[-1] != ")" and not found[-1].isdigit():
                arguments = self.attempt(lambda: self.group("(", arguments=True))
                if arguments is None:
                    return found
                found += arguments
            else:
                return found

    def script(self) -> str:
        """Read what stands after ^ or _."""
        token = self.peek()
        if token.text == "{":
            self.place += 1
            inside = self.relation()
            self.expect("}")
            return "{" + inside + "}"
        self.place += 1
        if token.text in ("+", "*"):
            return token.text
        if token.text == "-":
            return "{-" + self.script().strip("{}") + "}"
        if token.text == "(":
            self.place -= 1
            return "{" + self.group("(") + "}"
        if token.kind == "number":
            return "{" + token.text + "}"
        if token.text == "infinity":
            return r"{\infty}"
        if token.kind != "word":
            raise NotMathematicsError
        name = self.symbol(token.text) or rf"\mathrm{{{token.text}}}"
        while token.text in _GREEK and self.peek().text == "'":  # phi_theta'
            self.place += 1
            name += "'"
        return "{" + name + "}"

    def expect(self, text: str) -> None:
        self.skip()
        if self.peek().text != text:
            raise NotMathematicsError
        self.place += 1

    def group(self, opening: str, *, arguments: bool = False) -> str:
        """Read a list in brackets; an argument may be a dot or a plus."""
        self.place += 1
        items: list[str] = []
        self.depth += 1
        in_norm, self.in_norm = self.in_norm, opening == "||"
        while True:
            self.skip()
            if self.peek().text in (".", "+", "...") and self.peek(1).text in (",", ")"):
                items.append({".": r"\cdot", "...": r"\dots"}.get(self.peek().text, "+"))
                self.place += 1
            else:
                items.append(self.relation())
            self.skip()
            if self.peek().text != ",":
                break
            self.place += 1
        self.expect(_CLOSING[opening])
        self.depth -= 1
        self.in_norm = in_norm
        closing = _CLOSING[opening]
        self.means_something |= len(items) > 1 or arguments
        left, right = _BRACKETS.get(opening, opening), _BRACKETS.get(closing, closing)
        return left + ", ".join(items) + right

    def atom(self) -> str:
        """Read a number, a symbol, a function or something in brackets."""
        token = self.peek()
        if token.kind == "number":
            self.place += 1
            return token.text.replace("...", r"\ldots")
        if token.text in _CLOSING:
            return self.group(token.text)
        if token.kind != "word" or self.peek(1).kind == "number":
            raise NotMathematicsError
        return self.word(token.text)

    def word(self, text: str) -> str:
        """Read a word that is mathematics."""
        self.place += 1
        after = self.peek()
        if text in ("sqrt", "ceil") and after.text == "(":
            inside = self.group("(", arguments=True)[1:-1]
            return rf"\sqrt{{{inside}}}" if text == "sqrt" else rf"\lceil {inside} \rceil"
        if text in _FUNCTIONS:
            return self.applied(_FUNCTIONS[text])
        if text == "E" and after.text not in ("^", ")", ","):
            found = r"\mathbb{E}"
            if after.text == "_":
                self.place += 1
                found += "_" + self.script()
            self.skip()
            self.means_something = True
            return f"{found} {self.factor()}"
        if after.text == "_" and self.peek(1).text in ("hat", "dcl"):
            accent = {"hat": r"\hat", "dcl": r"\tilde"}[self.peek(1).text]
            self.place += 2
            self.means_something = True
            return f"{accent} {self.symbol(text) or text}"
        if text in _BEFORE and after.text and after.text in _BEFORE[text]:
            return rf"\mathrm{{{text}}}"
        if text == "R" and after.text == "^":
            return r"\mathbb{R}"
        name = self.symbol(text)
        if name is None:
            raise NotMathematicsError
        if text in _WORDS and not self.leans(after):
            raise NotMathematicsError
        self.means_something = True
        return name

    def applied(self, name: str) -> str:
        """Read what a function is applied to, perhaps after a power or a subscript."""
        while self.peek().text in ("^", "_"):
            sign = self.peek().text
            self.place += 1
            name += sign + self.script()
        if self.skip() and self.peek().text in _WORDS:
            raise NotMathematicsError
        argument = self.factor()
        self.means_something = True
        return f"{name}{argument}" if argument[0] in "([\\" else f"{name} {argument}"

    def leans(self, after: Token) -> bool:
        """Tell whether a letter that is also a word is used as a letter."""
        if self.depth or after.text in ("^", "_", "(", "/", "'"):
            return True
        follows = self.peek(1).text if after.kind == "space" else after.text
        return follows in _RELATIONS or (follows in ("+", "-") and self.peek(2).kind == "space")

    def symbol(self, text: str) -> str | None:
        """Return a letter or a named symbol in LaTeX, or None."""
        if text.endswith("-hat"):
            base = self.symbol(text.removesuffix("-hat"))
            return rf"\hat {base}" if base else None
        if text in _GREEK:
            return _SPECIAL.get(text, "\\" + text)
        return _NAMES.get(text, text if len(text) == 1 else None)
