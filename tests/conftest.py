"""What all tests share: a statement is run once a session, however many tests look at it."""

from __future__ import annotations

import functools

from proofs import check

# Test modules import `run_statement` from `proofs.check` after this file has been loaded.
check.run_statement = functools.cache(check.run_statement)
