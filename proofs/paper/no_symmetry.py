"""Nothing needs positives distributed as negatives: copies keep every bound exactly as tight."""

from __future__ import annotations

from fractions import Fraction

from sympy import Eq, Integer, UnevaluatedExpr, log

from proofs.evidence import Argued, Decided, Derived, Enumerated, Mutant, OnWorlds
from proofs.ledger import Statement, Step
from proofs.loss import S, cross_entropy, dcl, s_plus
from proofs.paper._copies import law_cases, ratio_cases, risk_sides
from proofs.paper._second_order import mu
from proofs.paper._shift import loss_dcl
from proofs.paper._weighted_average import F, w2, wf2
from proofs.symbols import CE, R, R_dcl, chi2, declare

__all__ = ["statement"]

copies = declare(
    "point_copies", "c", "number of copies of every point", integer=True, positive=True
)
imbalance = declare("imbalance", r"d_{\mathrm{TV}}(\pi M', \pi)", "positives against negatives")
R_copies = declare("R_copies", "R'", "InfoNCE risk of the world with copies")
CE_copies = declare("CE_copies", r"\mathrm{CE}'", "cross-entropy limit of the world with copies")
dcl_copies = declare("dcl_copies", r"\tilde R'", "DCL risk of the world with copies")
chi2_copies = declare("chi2_copies", r"\mathbb{E}[w'(Z,Z')^2]", "E[w^2] of the world with copies")
first_order = declare(
    ("first_order"),
    (r"\lim\, m\,\mathrm{bias}/(4\,\mathbb{E}_\pi[w^2])"),
    ("bias of lemma 3 over its bound"),
)
first_order_copies = declare(
    "first_order_copies",
    r"\lim\, m\,\mathrm{bias}'/(4\,\mathbb{E}_\pi[w'^2])",
    "the same in the world with copies",
)

limit_pair = declare("limit_pair", r"\log\mu - s_+/\tau", "what CE averages over pairs")

_split = (1 - 1 / copies + (copies - 1) * (1 / copies - 0)) / 2
#: First copies have the weight 1/c and the density c w.
_weight = UnevaluatedExpr(copies) ** 2 * chi2 / copies
_leading = (F * w2 - wf2) / (4 * w2)
_leading_copies = (F * copies * w2 - copies * wf2) / (4 * copies * w2)
definitions = {
    imbalance: _split,
    chi2_copies: _weight,
    first_order: _leading,
    first_order_copies: _leading_copies,
    limit_pair: cross_entropy(s_plus, log(mu)),
    loss_dcl: dcl(s_plus, S),
}
_defined = tuple(Eq(symbol, value) for symbol, value in definitions.items())
_same = (Eq(R_copies, R), Eq(CE_copies, CE), Eq(dcl_copies, R_dcl))
_broken = Eq(imbalance, 1 - 1 / copies)
_moment = Eq(chi2_copies, copies * chi2)
_ratio = Eq(first_order_copies, first_order)
# The DCL loss and its limit both contain minus s_+/tau.
_free = Eq(limit_pair - loss_dcl, log(mu) - log(S))
claim = (*_same, _broken, _moment, _ratio)

statement = Statement(
    id="no-symmetry",
    title="No bound needs positives to be distributed as negatives",
    where="Section 2.2",
    assumptions=[
        "pi M = pi in the world one starts from; every point is split into c copies of equal "
        "weight and equal phi, and all positives fall on the first copy"
    ],
    claim=claim,
    definitions=definitions,
    proof=[
        Step(
            text=(
                "Splitting points and sending all positives to first copies leaves the joint law "
                "of the embedded tuple as it was. So risks, limit and every bound that holds for "
                r"them in terms of $\tau$ and $k$ are exactly as they were: all of Section 3 up "
                "to [11], and Section 4."
            ),
            evidence=Argued(
                text=(
                    "phi does not tell copies apart. Forgetting the copy maps the new anchor and "
                    "negatives to pi and the new positive, given the anchor, to M: the tuple "
                    "(phi(a), phi(+), phi(1), .., phi(k)) has the law it had. Loss, cross-entropy "
                    "and Rademacher complexity are functions of that law."
                ),
                why="an image of a measure on an arbitrary space; enumerated below on finite ones",
                claim=_same,
            ),
        ),
        Step(
            text=(
                r"Yet positives and negatives are at total variation $1 - 1/c$: the first copies, "
                r"of $\pi$-weight $1/c$, carry all positives, and the other $c - 1$ none."
            ),
            evidence=Derived(
                claim=_broken,
                given=_defined[:1],
                mutants=[Mutant("1 - 2/c", Eq(imbalance, 1 - 2 / copies))],
            ),
        ),
        Step(
            text=(
                r"$w' = c\,w$ on first copies and 0 elsewhere, so $\mathbb{E}[w'^2] = c\,\mathbb{E}"
                r"[w^2]$: only the bounds that contain $\mathbb{E}[w^2]$ change."
            ),
            evidence=Derived(
                claim=_moment,
                given=_defined[1:2],
                mutants=[Mutant("c^2 for c", Eq(chi2_copies, copies**2 * chi2))],
            ),
        ),
        Step(
            text=(
                r"They change with what they bound: $m$ times the bias of lemma 3 tends to "
                r"$\mathbb{E}_\nu f\,\mathbb{E}_\pi[w^2] - \mathbb{E}_\pi[w^2 f]$."
            ),
            evidence=Argued(
                text=(
                    "In the proof of lemma 3 the mean error is minus (E[w^2 f] - E_nu f E[w^2])/m "
                    "plus the mean of (T - E_nu f)(w-bar - 1)^2. Here T - E_nu f is bounded and "
                    "tends to 0, and m (w-bar - 1)^2 is uniformly integrable when w^2 has a mean, "
                    "so the second part is o(1/m)."
                ),
                why="uniform integrability is not algebra",
            ),
        ),
        Step(
            text="Both are multiplied by $c$, and bias over bound tends to what it tended to.",
            evidence=Derived(
                claim=_ratio,
                given=_defined[2:4],
                mutants=[
                    Mutant(
                        "the bias not multiplied",
                        given=(_defined[2], Eq(first_order_copies, _leading / copies)),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                r"Besides, $\mathrm{CE} - \tilde R$ does not depend on $M$ at all: $-s_+/\tau$ "
                "stands in both."
            ),
            evidence=Derived(
                claim=_free,
                given=_defined[4:],
                mutants=[
                    Mutant(
                        "the positive of one without its temperature",
                        given=(
                            Eq(limit_pair, cross_entropy(s_plus, log(mu), Integer(1))),
                            _defined[5],
                        ),
                    ),
                ],
            ),
        ),
        Step(
            text=(
                r"As $c$ grows the positives become singular to the negatives, and every bound is "
                "as tight as before."
            ),
            evidence=Decided(
                claim=claim,
                given=(*_same, _broken, _moment, _ratio),
                mutants=[
                    Mutant("E[w^2] as before", Eq(chi2_copies, chi2)),
                    Mutant("total variation 1", Eq(imbalance, 1)),
                ],
            ),
        ),
    ],
    crosschecks=[
        Enumerated(
            claim="the law of a tuple's similarities with 3 copies; total variation 1 - 1/c",
            cases=law_cases,
            mutants=[Mutant("all positives at one atom", arguments={"distort": True})],
        ),
        Enumerated(
            claim="worst bias over bound: no smaller with c copies and c m points than before",
            cases=ratio_cases,
            mutants=[Mutant("twice as large", arguments={"share": Fraction(2)})],
        ),
        OnWorlds(
            claim="Proposition 1 and Lemma 4, every positive in its own class",
            sides=risk_sides,
            arguments={"broken": False},
            mutants=[
                Mutant("a third of the bounds", arguments={"broken": False, "scale": 0.33}),
            ],
        ),
        OnWorlds(
            claim="Proposition 1 and Lemma 4, every positive at the first atom",
            sides=risk_sides,
            arguments={"broken": True},
            mutants=[
                Mutant("a third of the bounds", arguments={"broken": True, "scale": 0.33}),
            ],
        ),
    ],
)
