"""The theory applied to a file of embeddings."""

from __future__ import annotations

from proofs.diagnose.study import Diagnosis, diagnose

__all__ = ["Diagnosis", "diagnose"]
