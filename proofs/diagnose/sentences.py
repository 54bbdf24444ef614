"""What `infonce diagnose` says, in plain sentences."""

from __future__ import annotations

import math

from numerics.jackknife import LEVEL
from numerics.laws import decimal_text
from proofs.diagnose.bounds import NEEDS
from proofs.diagnose.estimates import LARGEST_CHANGE, NAMES, SMALLEST_SAMPLE
from proofs.diagnose.study import Diagnosis
from proofs.expansion import Loss

__all__ = ["LABELS", "number", "sentences", "why_not"]

LABELS: dict[Loss, str] = {"infonce": "InfoNCE", "dcl": "DCL"}
#: Below this median effective sample a bias of order 1/N is no longer a good description.
FEW = 10


def number(value: float, digits: int = 5) -> str:
    """A number for reading.

    >>> number(1234567.0), number(-0.00012345678), number(1000), number(1234.5)
    ('1.2346e+06', '-0.00012346', '1,000', '1234.5')
    """
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**12 else f"{value:.3e}"
    return f"{value:.{digits}g}"


def sentences(found: Diagnosis) -> dict[str, list[str]]:
    """Everything worth saying, under the headings of the report."""
    return {
        "data": _data(found),
        "summary": _summary(found),
        "limit": _limit(found),
        "coefficients": _coefficients(found),
        "risk": _risk(found),
        "target": _target(found),
        "information": _information(found),
        "concentration": _concentration(found),
        "anchors": _anchors(found),
        "temperatures": _temperatures(found),
        "bounds": _bounds(found),
    }


def _data(found: Diagnosis) -> list[str]:
    blocks, world = found.blocks, found.blocks.world
    others = (
        f"all {number(blocks.negatives)} rows of `negative`"
        if blocks.separate
        else f"the {number(found.n - 1)} other anchors"
    )
    said = [
        f"{found.source}: {number(found.n)} pairs in {number(world.anchor.shape[1])} dimensions, "
        f"tau = {decimal_text(found.tau)}. The negatives of an anchor are uniform on {others}.",
        "Losses are normalised by k and in nats (natural logarithms); the common log(1 + sum) is "
        "ours plus log k. InfoNCE has the positive in the denominator, DCL has not.",
        "For an anchor, s is the similarity to another row, pi the law of its negatives and M that "
        "of its positive; mu is the mean of exp(s/tau) under pi and kappa_2 the variance of "
        "exp(s/tau)/mu; Q, the softmax search, is pi weighted by exp(s/tau)/mu.",
        f"Intervals are at {LEVEL:.0%}, from a delete-block jackknife: {len(blocks.sizes)} blocks "
        f"of anchors{' and of negatives' if blocks.separate else ', with them as negatives,'} "
        f"left out in turn (seed {found.seed}).",
    ]
    copies = found.copies
    if copies.anchors:
        effect = (
            "they count twice" if blocks.separate else "a copy is a negative at similarity 1 and "
            "raises mu, so the limit and the size of c_1 come out too large"
        )  # fmt: skip
        verb = "equals" if copies.anchors == 1 else "equal"
        said.append(
            f"{number(copies.anchors)} of the anchors {verb} an earlier one: {effect}. "
            "Remove copies that do not occur in what the embeddings are for."
        )
    if copies.negatives:
        said.append(
            f"{number(copies.negatives)} rows of `negative` equal an anchor: an anchor that meets "
            "itself has a negative at similarity 1, which raises mu."
        )
    return said


def _summary(found: Diagnosis) -> list[str]:
    bias = found.risks.bias[:, found.risks.at(found.k)]
    first, second = (
        f"{number(abs(value), 3)} nats {'above' if value > 0 else 'below'}"
        for value in map(float, bias)
    )
    needs = [f"{_reach(found.least[loss].k)} for {label}" for loss, label in LABELS.items()]
    said = [
        f"With k = {number(found.k)} negatives the risk of InfoNCE lies {first} its limit for "
        f"large k, and that of DCL {second} it.",
        f"To stay within {decimal_text(found.target)} nats of the limit takes "
        f"k = {' and '.join(needs)}.",
    ]
    if found.main.all_estimable:
        said.append(f"The {_size(found)} are enough to estimate this at tau = {_tau(found)}.")
        return said
    said.append(
        f"Be careful at tau = {_tau(found)}: {_size(found)} are too few to say what holds beyond "
        "this file."
    )
    sample, count = found.main.median_sample, found.main.anchors.negatives
    if sample < min(SMALLEST_SAMPLE, count / 2):
        said.append(
            f"For half of the anchors nearly all weight falls on {number(sample, 3)} or fewer of "
            f"the {number(count)} negatives."
        )
    usable = _least_usable(found)
    if usable is not None:
        said.append(f"Of the temperatures tried {usable} is the least at which they are enough.")
    return said


def _tau(found: Diagnosis) -> str:
    return decimal_text(found.tau)


def _least_usable(found: Diagnosis) -> str | None:
    usable = [each.tau for each in found.temperatures if each.all_estimable]
    return decimal_text(min(usable)) if usable else None


def _limit(found: Diagnosis) -> list[str]:
    means, halved = found.main.jackknife, found.main.halved
    count = found.main.anchors.negatives
    how = "plain" if found.blocks.separate else "plain, leave-one-out"
    said = [
        "The limit of both risks as k grows is the cross-entropy of softmax search, CE = "
        f"{number(float(means.plain[0]))} ({how}). On average this is the DCL risk at "
        f"k = {number(count)}, so it lies below the true limit.",
        f"With the bias of order 1/N corrected: {number(float(means.corrected[0]))}, "
        f"{_interval(found, 'limit')}.",
    ]
    if found.main.median_sample < FEW:
        moved = ""
        if halved is not None:
            moved = f" (with half the pairs the plain value is {number(float(halved[0]))})"
        said.append(
            f"The median effective sample is {number(found.main.median_sample, 3)} negatives. So "
            "few do not support a correction of order 1/N: the true limit may lie above the "
            f"interval{moved}."
        )
    return said


def _interval(found: Diagnosis, name: str) -> str:
    means, i = found.main.jackknife, NAMES.index(name)
    return f"interval [{number(float(means.low[i]))}, {number(float(means.high[i]))}]"


def why_not(found: Diagnosis, loss: Loss) -> list[str]:
    """Why the coefficients of a loss cannot be estimated; nothing if they can."""
    main, reasons = found.main, []
    if main.median_sample < SMALLEST_SAMPLE:
        reasons.append(
            f"the median effective sample is {number(main.median_sample, 3)} negatives, "
            f"{SMALLEST_SAMPLE} are needed"
        )
    change = main.change(loss)
    if change is None:
        reasons.append("there are too few pairs to halve")
    elif change > LARGEST_CHANGE:
        reasons.append(
            f"c_1 moves by {change:.0%} when N is halved, {LARGEST_CHANGE:.0%} is allowed"
        )
    return reasons


def _size(found: Diagnosis) -> str:
    pairs = f"{number(found.n)} pairs"
    if found.blocks.separate:
        return f"{pairs} and {number(found.blocks.negatives)} negatives"
    return pairs


def _coefficients(found: Diagnosis) -> list[str]:
    said = ["R = CE + c_1/k + c_2/k^2 + ... as k grows."]
    means = found.main.jackknife
    for loss, label in LABELS.items():
        reasons = why_not(found, loss)
        one, two = NAMES.index(f"c1_{loss}"), NAMES.index(f"c2_{loss}")
        if reasons:
            said.append(
                f"{label}: c_1 and c_2 are not estimable at this tau with {_size(found)}: "
                f"{'; '.join(reasons)}. Do not rely on the plain values "
                f"{number(float(means.plain[one]))} and {number(float(means.plain[two]))}."
            )
            continue
        for order, place in ((1, one), (2, two)):
            said.append(
                f"{label}: c_{order} = {number(float(means.plain[place]))}, corrected "
                f"{number(float(means.corrected[place]))}, {_interval(found, NAMES[place])}."
            )
    turns = found.risks.turns
    if turns:
        places = ", ".join(number(round(turn)) for turn in turns)
        said.append(f"The bias of InfoNCE changes sign near k = {places}.")
    return said


def _risk(found: Diagnosis) -> list[str]:
    which = "all anchors"
    if len(found.risks.drawn) < found.n:
        which = f"{number(len(found.risks.drawn))} anchors drawn by seed"
    said = [
        f"Exact for the empirical law, from {which}: k negatives drawn with replacement, no "
        "sampling. The expansion is CE + c_1/k + c_2/k^2 for the same anchors."
    ]
    if not found.main.all_estimable:
        said.append(
            "For k near the number of negatives and beyond these are risks of the empirical law, "
            "not of the law that the pairs come from: see what is not estimable above."
        )
    return said


def _target(found: Diagnosis) -> list[str]:
    goal = decimal_text(found.target)
    said = []
    for loss, label in LABELS.items():
        least = found.least[loss]
        said.append(
            f"{label}: |R - CE| stays at most {goal} from k = {_reach(least.k)} on; corrected for "
            f"N, from a k in [{_reach(least.low)}, {_reach(least.high)}]."
        )
    for loss, enough in found.guaranteed.items():
        said.append(
            f"The bounds promise this of {LABELS[loss]} for every embedding at this temperature "
            f"{'from k = ' + number(enough) if enough else 'only beyond k = 10^15'}."
        )
    if not found.main.all_estimable:
        said.append(
            "The k from the data is that of the empirical law; as the coefficients are not "
            "estimable, the law that the pairs come from may need more."
        )
    return said


def _reach(k: int | None) -> str:
    return "beyond 10^18" if k is None else number(k)


def _information(found: Diagnosis) -> list[str]:
    corrected = -float(found.main.jackknife.corrected[0])
    if corrected <= 0:
        return [
            f"As a lower bound on mutual information -CE = {number(corrected)} says nothing: at "
            "this temperature the similarities fit the pairs worse than constant ones would."
        ]
    k, binds = found.k, found.uncapped
    said = [
        "log(1 + 1/k) - R of InfoNCE bounds KL(M || pi) from below, averaged over anchors; that is "
        "the mutual information of anchor and positive if positives have the law of the "
        f"negatives. Corrected for N it is {number(found.information(k)[1])} nats at k = "
        f"{number(k)} and -CE = {number(corrected)} in the limit.",
        f"It cannot exceed log(k + 1), which is {number(math.log1p(k))} at k = {number(k)}.",
    ]
    if binds is None:
        said.append("This cap lies below -CE at every k up to e^700.")
    elif binds > 1:
        said.append(f"This cap lies below -CE for k < {number(binds)}.")
    else:
        said.append("This cap lies above -CE at every k.")
    if corrected > math.log(found.n):
        said.append(
            f"-CE exceeds log N = {number(math.log(found.n))}, the most that N pairs can "
            "certify without assumptions (McAllester and Stratos, 2020)."
        )
    return said


def _concentration(found: Diagnosis) -> list[str]:
    means = found.main.jackknife
    reciprocal, kl = NAMES.index("reciprocal_mean"), NAMES.index("kl")
    value, corrected = (float(x[reciprocal]) for x in (means.plain, means.corrected))
    known = "at most 1 if anchors and negatives share law and encoder"
    if not found.blocks.separate:
        known = "at most 1 for a law, though leave-one-out may exceed it"
    divergence = float(means.plain[kl])
    count = found.main.anchors.negatives
    return [
        f"The mean of 1/mu is {number(value)} ({known}); corrected for N {number(corrected)}, "
        f"{_interval(found, 'reciprocal_mean')}.",
        f"KL(Q || pi) is {number(divergence)} on average; corrected for N "
        f"{number(float(means.corrected[kl]))}, {_interval(found, 'kl')}. With "
        f"{number(count)} negatives the plain value is at most {number(math.log(count))}: here the "
        f"softmax search is as spread as a uniform draw from "
        f"{number(count * math.exp(-divergence), 4)} of them. A larger tau brings Q towards pi.",
        f"The effective sample (negatives over 1 + kappa_2) has median "
        f"{number(found.main.median_sample, 4)} over the anchors.",
    ]


def _anchors(found: Diagnosis) -> list[str]:
    return [
        f"Rows count from 0. The largest |R - CE| of InfoNCE at k = {number(found.k)}, among the "
        f"{number(len(found.risks.drawn))} evaluated anchors, and the largest cross-entropies."
    ]


def _temperatures(found: Diagnosis) -> list[str]:
    usable = _least_usable(found)
    if usable is None:
        return ["At none of these temperatures can c_1 be estimated for both losses."]
    return [
        "Plain values. The least of these temperatures at which c_1 can be estimated for both "
        f"losses is {usable}."
    ]


def _bounds(found: Diagnosis) -> list[str]:
    said = [
        f"These hold for every embedding at this temperature and k = {number(found.k)}. Vacuous: "
        f"not below 2/tau = {number(float(2 / found.tau))}, all that unit vectors give."
    ]
    if found.blocks.separate:
        said.append(
            "With separate negatives those marked * hold only if anchors and negatives share law "
            "and encoder."
        )
    said += [f"{name} would also need: {'; '.join(what)}." for name, what in NEEDS.items()]
    said.append("`infonce bound` evaluates theorem 1 once these are known.")
    return said
