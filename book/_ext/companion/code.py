"""The code of a check, printed from the very object that ran."""

from __future__ import annotations

import dataclasses
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import sympy
from pygments.lexers.python import PythonLexer
from pygments.token import Text, Token

from proofs.evidence import Evidence, Instance, Mutant, Use

_WIDTH = 88


class CheckLexer(PythonLexer):
    """Python with colour for keywords, strings and comments alone.

    A page with hundreds of checks would otherwise be mostly elements around single letters.
    """

    name = "Check"
    aliases: ClassVar = ["check"]
    url = ""

    def get_tokens_unprocessed(self, text: str, *args: Any) -> Iterator[tuple[int, Any, str]]:
        """Yield positions, kinds and pieces of text."""
        for at, kind, piece in super().get_tokens_unprocessed(text, *args):
            shown = kind in Token.Keyword or kind in Token.Literal.String or kind in Token.Comment
            yield at, kind if shown else Text, piece


def code_of(evidence: Evidence) -> str:
    """Return the evidence as Python: its fields, then the functions that it calls."""
    functions: dict[str, Callable[..., Any]] = {}
    text = f"{type(evidence).__name__}({_fields(evidence, functions)})"
    sources = []
    for function in functions.values():
        try:
            source = textwrap.dedent(inspect.getsource(function)).strip()
        except (OSError, TypeError):
            continue
        module = getattr(function, "__module__", "")
        sources.append(f"# {module}\n{source}")
    return "\n\n".join([text, *sources])


def _fields(value: Any, functions: dict[str, Callable[..., Any]]) -> str:
    lines = []
    # The mutants last: they are versions of what stands before them.
    for field in sorted(dataclasses.fields(value), key=lambda f: f.name == "mutants"):
        content = getattr(value, field.name)
        if _is_default(field, content):
            continue
        lines.append(f"{field.name}={_show(content, functions)}")
    return _bracket(lines)


def _is_default(field: dataclasses.Field[Any], content: Any) -> bool:
    if field.default is not dataclasses.MISSING:
        return bool(content is field.default or content == field.default)
    if field.default_factory is not dataclasses.MISSING:
        return bool(content == field.default_factory())
    return False


def _bracket(parts: list[str]) -> str:
    joined = ", ".join(parts)
    if len(joined) < _WIDTH - 12 and "\n" not in joined:
        return joined
    return "\n" + "".join(textwrap.indent(part, "    ") + ",\n" for part in parts)


def _show(value: Any, functions: dict[str, Callable[..., Any]]) -> str:
    if isinstance(value, str | int | float) or value is None:
        return repr(value)
    if isinstance(value, Mutant):
        changes = [f"{name}={_show(v, functions)}" for name, v in value.changes.items()]
        return f"Mutant({_bracket([repr(value.name), *changes])})"
    if isinstance(value, Use):
        at = f", {_show(value.at, functions)}" if value.at else ""
        return f'Use("{value.ref}"{at})'
    if isinstance(value, Instance):
        return f'Use("{value.ref}")'
    if isinstance(value, Mapping):
        return (
            "{"
            + _bracket([f"{_show(k, functions)}: {_show(v, functions)}" for k, v in value.items()])
            + "}"
        )
    if isinstance(value, range):
        return repr(value)
    if isinstance(value, tuple | list):
        open_, close = "()" if isinstance(value, tuple) else "[]"
        inside = _bracket([_show(v, functions) for v in value])
        single = isinstance(value, tuple) and len(value) == 1 and "\n" not in inside
        return f"{open_}{inside}{',' if single else ''}{close}"
    if isinstance(value, sympy.Basic):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return f"{type(value).__name__}({_fields(value, functions)})"
    if callable(value):
        name = getattr(value, "__name__", type(value).__name__)
        functions.setdefault(f"{getattr(value, '__module__', '')}.{name}", value)
        return "lambda" if name == "<lambda>" else name
    return str(value)
