"""`infonce diagnose` from its options to its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from pathlib import Path

from numerics.drivers import Progress, scheduler
from numerics.group_sums import check_tau
from numerics.parse import InputError
from numerics.parse import embeddings as read
from proofs import data_sets
from proofs.diagnose.study import DEFAULT_K, DEFAULT_TARGET, Diagnosis, diagnose

__all__ = ["run"]

_STAGES = {"pairs": "similarities of all pairs", "risks": "risks at finite k"}


def run(
    embeddings: str,
    tau: Fraction,
    *,
    k: int | None = None,
    target: Fraction | None = None,
    seed: int = 0,
    normalise: bool = False,
    plot: Path | None = None,
    checkpoint: Path | None = None,
    scheduler_address: str | None = None,
    write: Callable[[Path, str, str], None],
) -> Diagnosis:
    """Read a file of embeddings, or a data set by its name, diagnose it, and draw it on request.

    Parameters
    ----------
    embeddings : str
        A path, or a name of :data:`proofs.data_sets.FILES`.
    plot : Path, optional
        Where to draw, an ``.svg`` file.
    scheduler_address : str, optional
        Of a Dask scheduler, for the long parts.
    write : callable
        Writes a file whole or not at all: takes the path, the text and the option's name.

    Raises
    ------
    InputError
        Before anything is computed or written.
    """
    check_tau(tau, "--tau")
    if plot is not None:
        _check_plot(plot)
    world = read(data_sets.found(embeddings), normalise)
    with ExitStack() as stack:
        executor = None
        if scheduler_address is not None:
            executor = stack.enter_context(scheduler(scheduler_address))
        found = diagnose(
            world,
            tau,
            k=DEFAULT_K if k is None else k,
            target=DEFAULT_TARGET if target is None else target,
            seed=seed,
            executor=executor,
            checkpoint=checkpoint,
            progress=stack.enter_context(_bars()),
        )
    if plot is not None:
        from proofs.diagnose.plot import figure

        write(plot, figure(found).light, "--plot")
    return found


def _check_plot(plot: Path) -> None:
    if plot.suffix != ".svg":
        raise InputError("--plot", plot, "must end in .svg")
    if not plot.parent.is_dir():
        raise InputError("--plot", plot, "must be in a folder that exists")
    if plot.is_dir():
        raise InputError("--plot", plot, "must not be a folder")


@contextmanager
def _bars() -> Iterator[Callable[[str], Progress]]:
    """Progress bars on standard error, if somebody is looking."""
    from rich.console import Console
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    with Bars(console=console, transient=True, disable=not console.is_terminal) as bars:

        def stage(name: str) -> Progress:
            task = bars.add_task(_STAGES[name], total=None)
            return lambda done, total: bars.update(task, completed=done, total=total)

        yield stage
