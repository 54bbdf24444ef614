"""The `infonce` command: one file of :mod:`proofs.commands` a subcommand.

Standard output carries the answer alone; progress and notes go to standard error. Bad input, and an
answer that cannot be written, end with one line on standard error and exit status 2, an interrupt
with 130.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from fractions import Fraction
from importlib import metadata
from typing import Annotated, Any

import typer
from typer.exceptions import Abort, Exit, TyperException

from numerics.parse import InputError
from proofs.commands import book as book_command
from proofs.commands import bound, check, constants, graph, risk
from proofs.commands import diagnose as diagnose_command

__all__ = ["app", "main"]

INTERRUPTED = 130
#: Options by the names that the libraries below have for them.
_OPTIONS = {
    "tau": "--tau",
    "k": "--k",
    "seed": "--seed",
    "tuples": "--mc",
    "checkpoint": "--checkpoint",
    "scheduler": "--scheduler",
}

app = typer.Typer(
    name="infonce",
    help=(
        "A machine-checked companion to 'Similarity search generalisation in contrastive learning "
        "with InfoNCE loss' (arXiv:2607.09405)."
    ),
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("check", short_help="Check statements and say what holds.")(check.command)
app.command("constants", short_help="List constants, printed and sharp.")(constants.command)
app.command("risk", short_help="Risk at finite k, its limit and their difference.")(risk.command)
app.command("bound", short_help="The generalisation bound, term by term.")(bound.command)
app.command("diagnose", short_help="What the theory says of your embeddings.")(
    diagnose_command.command
)
app.command("graph", short_help="Draw which statement uses which.")(graph.command)
app.command("book", short_help="Where the built book is.")(book_command.command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"infonce {metadata.version('infonce-companion')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        In place of ``sys.argv[1:]``.
    """
    given: list[str] = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if sys.stdout is None:
        return _refuse("standard output: is closed")
    try:
        outcome: Any = app(args=given, prog_name="infonce", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        return _refuse(str(_as_typed(error, given)))
    except TyperException as error:
        message = " ".join(error.format_message().split())
        return _refuse(message) if message else 2
    except (KeyboardInterrupt, Abort):
        outcome = INTERRUPTED
    except Exit as error:
        outcome = error.exit_code
    except BrokenPipeError:
        # The reader went away (`infonce ... | head`): nothing is wrong, and nothing more to say.
        _drop_output()
        return 0
    except OSError as error:  # files that were named are refused above; what is left is the answer
        _drop_output()
        return _refuse(f"{error.filename or 'standard output'}: {error.strerror or error}")
    if outcome == INTERRUPTED:  # the framework turns Ctrl-C into this status without a word
        print("infonce: interrupted", file=sys.stderr)
    return outcome if isinstance(outcome, int) else 0


def _as_typed(error: InputError, given: Sequence[str]) -> InputError:
    """Name the option, and what was typed after it, where a library names its own parameter."""
    option = _OPTIONS.get(error.argument)
    if option is None:
        if not isinstance(error.value, int | float | Fraction):
            return error
        option = error.argument
    typed: object = error.value
    for word, following in zip(given, [*given[1:], None], strict=True):
        name, equals, value = word.partition("=")
        if name == option and (equals or following is not None):
            typed = value if equals else following
    return InputError(option, typed, error.rule)


def _drop_output() -> None:
    """Keep the interpreter from writing again, as it ends, what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(message: str) -> int:
    print(f"infonce: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
