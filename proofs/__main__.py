"""``python -m proofs`` is the command `infonce`."""

import sys

from proofs.cli import main

# Worker processes import this module under another name: they must not run the command again.
if __name__ == "__main__":
    sys.exit(main())
