"""The quantities of one training tuple under two embeddings phi and phi'."""

from __future__ import annotations

from proofs.symbols import declare

loss_phi = declare("loss_phi", r"\ell(\varphi)", "InfoNCE loss of one tuple, normalised by k")
loss_other = declare("loss_other", r"\ell(\varphi')", "InfoNCE loss of the same tuple under phi'")
D_anchor = declare(
    "D_anchor", r"\Vert D_a\Vert", "||phi(z_a) - phi'(z_a)|| at the anchor", nonnegative=True
)
D_positive = declare(
    "D_positive", r"\Vert D_+\Vert", "||phi(z_+) - phi'(z_+)|| at the positive", nonnegative=True
)
D_negative = declare(
    "D_negative", r"\Vert D_j\Vert", "||phi(z_j) - phi'(z_j)|| at a negative", nonnegative=True
)
D_max = declare(
    "D_max", r"\max_j\Vert D_j\Vert", "largest ||D_j|| over the negatives", nonnegative=True
)
