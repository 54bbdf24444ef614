"""The kinds of evidence, from derived and decided to cited and argued, strongest first.

Each kind is one module of this package. A module dropped in here is found by itself, with its name,
rank, colour and legend, so that adding a kind touches one file.

>>> [kind.kind for kind in kinds()]
['derived', 'decided', 'enclosed', 'enumerated', 'sampled', 'cited', 'argued']
"""

from __future__ import annotations

import importlib
import pkgutil

from proofs.evidence.averaged import Averaged
from proofs.evidence.base import (
    Evidence,
    Fact,
    Finding,
    Instance,
    Mutant,
    Outcome,
    Use,
    conjuncts,
    to_latex,
)
from proofs.evidence.decided import Decided
from proofs.evidence.derived import Derived
from proofs.evidence.enclosed import Enclosed
from proofs.evidence.enumerated import Case, Enumerated
from proofs.evidence.literature import Argued, Cited
from proofs.evidence.sampled import Attack, Compared, Estimate, OnWorlds, Sampled

__all__ = [
    "Argued",
    "Attack",
    "Averaged",
    "Case",
    "Cited",
    "Compared",
    "Decided",
    "Derived",
    "Enclosed",
    "Enumerated",
    "Estimate",
    "Evidence",
    "Fact",
    "Finding",
    "Instance",
    "Mutant",
    "OnWorlds",
    "Outcome",
    "Sampled",
    "Use",
    "conjuncts",
    "kinds",
    "to_latex",
]

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")


def kinds() -> list[type[Evidence]]:
    """Return the kinds of evidence, strongest first."""
    return sorted(Evidence.KINDS.values(), key=lambda kind: kind.rank)
