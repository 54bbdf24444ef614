"""Where the data sets that come with the package are.

They are in the folder ``data`` of the repository, and in ``proofs/data`` once installed from it.
Licences, provenance and the scripts that make them are described in ``data/README.md``.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["FILES", "path"]

FILES = {"stdlib-pairs": "stdlib_pairs.npz"}


def path(name: str, suffix: str = ".npz") -> Path:
    """Return the file of a data set; with another suffix, the file beside it.

    Raises
    ------
    KeyError
        If there is no data set of that name.
    FileNotFoundError
        If the installation left it out.

    Examples
    --------
    >>> path("stdlib-pairs").name, path("stdlib-pairs", ".tsv").name
    ('stdlib_pairs.npz', 'stdlib_pairs.tsv')
    """
    file = Path(FILES[name]).with_suffix(suffix)
    here = Path(__file__).parent
    for folder in (here / "data", here.parent / "data"):
        if (folder / file).is_file():
            return folder / file
    raise FileNotFoundError(file)
