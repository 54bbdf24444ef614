"""The companion's own statements, one file each; the file's name is the statement's id."""

#: The order in which a reader meets them.
ORDER = (
    "reciprocal-lemma",
    "two-point-lemma",
    "lemma-2-sharp",
    "prop-1-sharp",
    "eq-11-sharp",
    "leading-constant",
    "lemma-4-sharp",
    "lemma-3-sharp",
    "lemma-3-best-constant",
    "prop-2-sharp",
    "unequal-sizes",
    "lemma-7-sharp",
    "prop-4-sharp",
    "lemma-1-sharp",
    "prop-5-sharp",
    "prop-3-sharp",
    "theorem-1-sharp",
    "open-finite-k-simplex",
    "open-last-term",
    "open-two-encoders",
    "open-in-batch",
)
