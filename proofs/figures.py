"""Figures that come in two colour schemes, light and dark, with the text that stands for them.

>>> @themed("A rising line.", size=(3, 2))
... def figure(axes, palette):
...     axes.plot([1, 2], [1, 2], **palette.line(0))
>>> "A rising line." in figure._repr_html_()
True
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

__all__ = ["DARK", "LIGHT", "Palette", "ThemedFigure", "themed"]

_STYLE = (
    ".figure-dark{display:none}"
    'html[data-theme="dark"] .figure-dark{display:inline}'
    'html[data-theme="dark"] .figure-light{display:none}'
)
_DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (8, 2)))
_MARKERS = ("o", "s", "^", "D", "v")


@dataclass(frozen=True)
class Palette:
    """Colours of one scheme. Lines differ in dashes and lightness too: they read in greyscale.

    Attributes
    ----------
    ink, faint : str
        For text and axes, and for grids.
    hues : sequence of str
        For lines and points, from the darkest (on light ground) to the lightest.
    """

    ink: str
    faint: str
    hues: Sequence[str]

    def line(self, i: int, **changes: Any) -> dict[str, Any]:
        """Return the style of line number `i` as keyword arguments of ``plot``."""
        style = {"color": self.hues[i % len(self.hues)], "ls": _DASHES[i % len(_DASHES)], "lw": 1.7}
        return style | changes

    def points(self, i: int, **changes: Any) -> dict[str, Any]:
        """Return the style of points number `i` with their error bars, for ``errorbar``."""
        colour = self.hues[i % len(self.hues)]
        style: dict[str, Any] = {"color": colour, "fmt": _MARKERS[i % len(_MARKERS)]}
        return style | {"ms": 4, "capsize": 3, "lw": 1.2, "ls": "none"} | changes


LIGHT = Palette("#1b1f24", "#c9d1d9", ("#0b3d91", "#b3261e", "#00695c", "#8a5a00", "#7b3fa0"))
DARK = Palette("#e6edf3", "#484f58", ("#79b8ff", "#ff9d8a", "#5fd3bc", "#f0c674", "#d2a8ff"))

Draw = Callable[[Any, Palette], object]


class ThemedFigure:
    """A figure drawn twice; a notebook and the book show the one that suits their ground.

    Parameters
    ----------
    draw : callable
        Takes the axes (an array of them if there are several) and the palette.
    alt : str
        What the figure shows, for readers who cannot see it.
    size : pair of float
        Width and height in inches.
    grid : pair of int
        Rows and columns of axes.
    """

    def __init__(
        self,
        draw: Draw,
        alt: str,
        size: tuple[float, float] = (7.2, 4.4),
        grid: tuple[int, int] = (1, 1),
    ) -> None:
        self.draw, self.alt, self.size, self.grid = draw, alt, size, grid

    @cached_property
    def light(self) -> str:
        """The figure for light ground, as SVG."""
        return self._svg(LIGHT)

    @cached_property
    def dark(self) -> str:
        """The figure for dark ground, as SVG."""
        return self._svg(DARK)

    def _svg(self, palette: Palette) -> str:
        import matplotlib
        from matplotlib.figure import Figure

        settings: Any = {
            "axes.edgecolor": palette.ink,
            "axes.labelcolor": palette.ink,
            "axes.titlecolor": palette.ink,
            "axes.titlesize": 10,
            "axes.labelsize": 10,
            "font.size": 9.5,
            "grid.color": palette.faint,
            "grid.linewidth": 0.5,
            "legend.edgecolor": palette.faint,
            "legend.facecolor": "none",
            "legend.labelcolor": palette.ink,
            "mathtext.fontset": "cm",
            "svg.fonttype": "path",
            "svg.hashsalt": "companion",
            "text.color": palette.ink,
            "xtick.color": palette.ink,
            "ytick.color": palette.ink,
        }
        with matplotlib.rc_context(settings):
            figure = Figure(figsize=self.size, layout="constrained")
            figure.patch.set_alpha(0)
            axes = figure.subplots(*self.grid)
            for each in getattr(axes, "flat", [axes]):
                each.patch.set_alpha(0)
                each.grid(True)
            self.draw(axes, palette)
            buffer = io.StringIO()
            figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        return buffer.getvalue()

    def _repr_html_(self) -> str:
        images = "".join(
            f'<img class="figure-{name}" alt="{html.escape(self.alt, quote=True)}" '
            f'src="data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}">'
            for name, svg in (("light", self.light), ("dark", self.dark))
        )
        return f'<style>{_STYLE}</style><div class="themed-figure">{images}</div>'


def themed(
    alt: str, *, size: tuple[float, float] = (7.2, 4.4), grid: tuple[int, int] = (1, 1)
) -> Callable[[Draw], ThemedFigure]:
    """Turn a drawing function into a figure: see `ThemedFigure`."""
    return lambda draw: ThemedFigure(draw, alt, size, grid)
