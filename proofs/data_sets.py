"""Where the data sets that come with the package are.

They are in the folder ``data`` of the repository, and in ``proofs/data`` once installed from it.
Licences, provenance and the scripts that make them are described in ``data/README.md``.
"""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from numerics.parse import InputError

__all__ = ["FILES", "found", "path"]

FILES = {"stdlib-pairs": "stdlib_pairs.npz"}


def found(text: str) -> str:
    """Return the file of a data set named so, unless a file has that name; else the text itself.

    Raises
    ------
    InputError
        If the name is nearly that of a data set, and there is no such file.

    Examples
    --------
    >>> found("embeddings.npz"), Path(found("stdlib-pairs")).name
    ('embeddings.npz', 'stdlib_pairs.npz')
    """
    if Path(text).exists():
        return text
    if text in FILES:
        return str(path(text))
    close = get_close_matches(text.lower().replace("_", "-"), FILES, 1, cutoff=0.8)
    if close:
        raise InputError("data set", text, f"is not here; did you mean {close[0]}?")
    return text


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
