"""The `infonce` command: one file of :mod:`proofs.commands` a subcommand.

Standard output carries the answer alone; progress and notes go to standard error. Bad input ends
with one line on standard error and exit status 2, an interrupt with 130.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.exceptions import Abort, Exit, TyperException

from numerics.parse import InputError
from proofs.commands import book as book_command
from proofs.commands import bound, check, constants, graph, risk
from proofs.commands import diagnose as diagnose_command

__all__ = ["app", "main"]

INTERRUPTED = 130

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
app.command("check")(check.command)
app.command("constants")(constants.command)
app.command("risk")(risk.command)
app.command("bound")(bound.command)
app.command("diagnose")(diagnose_command.command)
app.command("graph")(graph.command)
app.command("book")(book_command.command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        In place of ``sys.argv[1:]``.
    """
    given: list[str] = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        outcome: Any = app(args=given, prog_name="infonce", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        return _refuse(str(error))
    except TyperException as error:
        message = " ".join(error.format_message().split())
        return _refuse(message) if message else 2
    except (KeyboardInterrupt, Abort):
        outcome = INTERRUPTED
    except Exit as error:
        outcome = error.exit_code
    except BrokenPipeError:
        # The reader went away (`infonce ... | head`): nothing is wrong, and nothing more to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if outcome == INTERRUPTED:  # the framework turns Ctrl-C into this status without a word
        print("infonce: interrupted", file=sys.stderr)
    return outcome if isinstance(outcome, int) else 0


def _refuse(message: str) -> int:
    print(f"infonce: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
