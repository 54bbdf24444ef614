"""The figure of a diagnosis: risk against k, and the bias anchor by anchor."""

from __future__ import annotations

from typing import Any

import numpy as np

from numerics.laws import decimal_text
from proofs.diagnose.risks import LOSSES
from proofs.diagnose.sentences import LABELS, number
from proofs.diagnose.study import Diagnosis
from proofs.figures import Palette, ThemedFigure

__all__ = ["figure"]

LARGEST = 10**6


def figure(found: Diagnosis) -> ThemedFigure:
    """Return the figure: on the left risk against k up to 10^6, on the right sorted biases at k."""

    def draw(axes: Any, palette: Palette) -> None:
        left, right = axes
        left.figure.patch.set(facecolor="#ffffff" if palette.ink < "#8" else "#0d1117", alpha=1)
        _risks(left, palette, found)
        _spectrum(right, palette, found)

    ends = found.risk.plain[:, found.risks.at(LARGEST)]
    alt = (
        f"Risk against k at tau = {decimal_text(found.tau)}: at k = 10^6 InfoNCE is "
        f"{number(float(ends[0]))} and DCL {number(float(ends[1]))} nats, the limit "
        f"{number(found.limit)}. Beside it each anchor's bias at k = {number(found.k)}, sorted."
    )
    return ThemedFigure(draw, alt, size=(10.0, 4.4), grid=(1, 2))


def _risks(axes: Any, palette: Palette, found: Diagnosis) -> None:
    shown = found.risks.ks <= LARGEST
    ks = found.risks.ks[shown]
    for i, loss in enumerate(LOSSES):
        colour = palette.hues[i]
        axes.plot(ks, found.risk.plain[i, shown], label=LABELS[loss], **palette.line(i))
        axes.fill_between(
            ks, found.risk.low[i, shown], found.risk.high[i, shown], color=colour, alpha=0.2, lw=0
        )
    low, high = axes.get_ylim()
    for i, loss in enumerate(LOSSES):
        series = np.array([found.expansion(k, loss) for k in ks])
        inside = (series > low) & (series < high)
        label = f"{LABELS[loss]}, to 1/k^2"
        style = palette.line(i, ls=":", lw=1.2)
        axes.plot(ks, np.where(inside, series, np.nan), label=label, **style)
    axes.axhline(found.limit, color=palette.ink, lw=0.8, label="limit, plain")
    corrected = float(found.main.jackknife.corrected[0])
    axes.axhline(corrected, color=palette.ink, lw=0.8, ls="--", label="limit, corrected")
    axes.set(xscale="log", xlabel="k", ylabel="risk, normalised by k (nats)")
    axes.set_title(
        f"tau = {decimal_text(found.tau)}, {number(found.n)} pairs; bands: 95%, corrected for N"
    )
    axes.legend(fontsize=8)


def _spectrum(axes: Any, palette: Palette, found: Diagnosis) -> None:
    biases = np.sort(found.risks.biases[:, :, found.risks.at(found.k)], axis=1)
    share = (np.arange(biases.shape[1]) + 0.5) / biases.shape[1]
    for i, loss in enumerate(LOSSES):
        axes.plot(share, biases[i], label=LABELS[loss], **palette.line(i))
    scale = float(np.quantile(np.abs(biases), 0.5)) or 1e-12
    axes.set_yscale("symlog", linthresh=scale)
    axes.axhline(0, color=palette.ink, lw=0.8)
    axes.set(xlabel="share of the anchors", ylabel="risk - limit of an anchor (nats)")
    axes.set_title(f"bias anchor by anchor at k = {number(found.k)}")
    axes.legend(fontsize=8)
