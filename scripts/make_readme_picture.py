"""Draw docs/negatives.svg: the negatives that suffice for a bias of 0.1 nats, printed and sharp.

Every number comes from the ledger. From a checkout: ``python scripts/make_readme_picture.py``.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from matplotlib.figure import Figure

from proofs import constants

TARGET = Fraction(1, 10)
TAUS = [Fraction(n, 100) for n in (6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 70, 100)]
CURVES = {
    "eq-11-k": ("as printed, (11)", "#8a2d3b", "-"),
    "eq-11-sharp-k": ("sharp: $\\Gamma_k$", "#1f5fa8", "--"),
    "leading-constant-k": ("sharp: leading constant", "#17703c", "-."),
    "leading-constant-k-of-simplex": ("no bound can go below", "#444444", ":"),
}


def main() -> None:
    """Compute the four curves and write the picture."""
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.add_subplot()
    for name, (label, colour, dashes) in CURVES.items():
        needed = [
            float(
                constants.rows([name], tau=tau, target=TARGET, with_looseness=False)[0].value or 0
            )
            for tau in TAUS
        ]
        axes.loglog([float(t) for t in TAUS], needed, dashes, color=colour, label=label, lw=1.8)
    axes.set_xlabel("temperature $\\tau$")
    axes.set_ylabel("negatives $k$")
    axes.set_title("Negatives that suffice for a DCL bias of at most 0.1 nats", fontsize=10)
    axes.set_xticks([0.06, 0.1, 0.2, 0.5, 1], ["0.06", "0.1", "0.2", "0.5", "1"])
    axes.minorticks_off()
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(frameon=False, fontsize=9)
    path = Path(__file__).resolve().parents[1] / "docs" / "negatives.svg"
    figure.savefig(path, metadata={"Date": None}, facecolor="white")
    print(path)


if __name__ == "__main__":
    main()
