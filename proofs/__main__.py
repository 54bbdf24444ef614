"""Runs `python -m proofs` as the command `infonce`."""

from proofs.cli import main

if __name__ == "__main__":
    main()
