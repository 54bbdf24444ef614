"""The Monte Carlo part of `infonce risk`: the risk and the bias, estimated and compared."""

from __future__ import annotations

import math
import sys
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numerics.digits import decimal
from numerics.digits import exact as fraction
from proofs.commands._options import Loss

if TYPE_CHECKING:
    from numerics.montecarlo import Estimate
    from numerics.worlds import World

__all__ = ["estimates", "z_score"]


def estimates(
    law: World,
    tau: Fraction,
    k: int,
    loss: Loss,
    tuples: int,
    seed: int,
    truth: dict[str, tuple[Fraction, Fraction]],
    checkpoint: Path | None,
    scheduler: str | None,
) -> dict[str, Any]:
    """Estimate the risk and the bias from the same streams and compare them with the exact ones.

    Parameters
    ----------
    truth : dict
        For "risk" and "bias" the exact value and how far it may be rounded, in nats.
    checkpoint : Path, optional
        Keeps the pass for the risk; the pass for the bias is kept beside it, under the same name
        with ``.bias`` at its end.
    scheduler : str, optional
        Address of a Dask scheduler.

    Returns
    -------
    dict
        The part ``mc`` of the JSON: ``mean``, ``stderr`` and ``z`` of the risk, and under ``bias``
        the same of the controlled estimate of the bias (:func:`numerics.montecarlo.bias`).
    """
    from rich.console import Console
    from rich.progress import Progress

    from numerics import drivers, montecarlo

    console = Console(stderr=True)
    found: dict[str, dict[str, str | None]] = {}
    with ExitStack() as stack:
        executor = stack.enter_context(drivers.scheduler(scheduler)) if scheduler else None
        quiet = not console.is_terminal
        progress = stack.enter_context(Progress(console=console, transient=True, disable=quiet))
        for name, estimator in (("bias", montecarlo.bias), ("risk", montecarlo.risk)):
            task = progress.add_task(f"sampling the {name}", total=None)
            kept = checkpoint
            if checkpoint is not None and name == "bias":
                kept = checkpoint.with_name(f"{checkpoint.name}.bias")

            def tell(done: int, total: int, task: Any = task) -> None:
                progress.update(task, completed=done, total=total)

            estimate = estimator(
                law, tau, k, tuples, seed, loss, executor=executor, checkpoint=kept, progress=tell
            )
            z = z_score(estimate, *truth[name])
            found[name] = {
                "mean": decimal(fraction(estimate.mean), 15),
                "stderr": decimal(fraction(estimate.stderr), 6),
                "z": None if z is None else decimal(fraction(z), 6),
            }
    return {"tuples": tuples, "seed": seed, **found["risk"], "bias": found["bias"]}


def z_score(estimate: Estimate, truth: Fraction, rounding: Fraction) -> float | None:
    """Distance from the truth in standard errors; both roundings count as errors too.

    None where there is nothing to compare with: all is exactly 0.

    >>> from numerics.montecarlo import Estimate
    >>> z_score(Estimate(1.5, 0.25, 10), Fraction(1), Fraction(0))
    2.0
    >>> z_score(Estimate(0.0, 0.0, 10), Fraction(0), Fraction(0)) is None
    True
    """
    in_floats = 8 * sys.float_info.epsilon * abs(estimate.mean)
    scale = math.hypot(estimate.stderr, float(rounding), in_floats)
    return float(fraction(estimate.mean) - truth) / scale if scale else None
