"""A diagnosis as JSON: numbers as decimal strings without exponent, null where there is none."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.digits import ball_decimals, decimal
from numerics.digits import exact as fraction
from numerics.jackknife import LEVEL, Estimate
from numerics.laws import decimal_text
from proofs.diagnose.bounds import NEEDS, trivial
from proofs.diagnose.estimates import LARGEST_CHANGE, NAMES, SMALLEST_SAMPLE, Estimates
from proofs.diagnose.risks import LOSSES
from proofs.diagnose.sentences import sentences, why_not
from proofs.diagnose.study import Diagnosis

__all__ = ["document"]

DIGITS = 15
_QUANTILES = {"smallest": 0.0, "lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75,
              "largest": 1.0}  # fmt: skip


def document(found: Diagnosis) -> dict[str, Any]:
    """Return all of a diagnosis as JSON."""
    main = found.main
    return {
        "embeddings": found.source,
        "n": found.n,
        "negatives": main.anchors.negatives,
        "separate_negatives": found.blocks.separate,
        "dimension": int(found.blocks.world.anchor.shape[1]),
        "tau": decimal_text(found.tau),
        "k": found.k,
        "seed": found.seed,
        "normalised_by_k": True,
        "unit": "nats",
        "copies": {"anchors": found.copies.anchors, "negatives": found.copies.negatives},
        **_means(found, main),
        "effective_sample": _text(main.median_sample),
        "effective_sample_quantiles": {
            name: _text(float(np.quantile(main.anchors.effective_sample, q)))
            for name, q in _QUANTILES.items()
        },
        "estimable": main.all_estimable,
        "estimability": {loss: _estimability(found, loss) for loss in LOSSES},
        "risk": [_risk(found, k) for k in found.reported],
        "sign_changes": [_text(turn) for turn in found.risks.turns],
        "k_for_target": _least(found),
        "mutual_information": _information(found),
        "intervals": _intervals(found, main.jackknife),
        "worst_anchors": _worst(found),
        "temperatures": [_temperature(each) for each in found.temperatures],
        "bounds": _bounds(found),
        "sentences": sentences(found),
    }


def _text(value: float | None) -> str | None:
    if value is None or not math.isfinite(value):
        return None
    return decimal(fraction(float(value)), DIGITS)


def _means(found: Diagnosis, main: Estimates) -> dict[str, Any]:
    plain, corrected = main.jackknife.plain, main.jackknife.corrected
    place = NAMES.index
    fields: dict[str, Any] = {}
    for name in ("limit", "reciprocal_mean", "kl"):
        fields[name] = _text(plain[place(name)])
        fields[f"{name}_corrected"] = _text(corrected[place(name)])
    for name in ("c1", "c2"):
        fields[name] = {x: _text(plain[place(f"{name}_{x}")]) for x in LOSSES}
        fields[f"{name}_corrected"] = {
            x: _text(corrected[place(f"{name}_{x}")]) if main.estimable(x) else None for x in LOSSES
        }
    return fields


def _estimability(found: Diagnosis, loss: Any) -> dict[str, Any]:
    return {
        "estimable": found.main.estimable(loss),
        "why_not": why_not(found, loss),
        "change_when_halved": _text(found.main.change(loss)),
        "largest_change": _text(LARGEST_CHANGE),
        "smallest_median_sample": SMALLEST_SAMPLE,
    }


def _risk(found: Diagnosis, k: int) -> dict[str, Any]:
    place = found.risks.at(k)
    row: dict[str, Any] = {"k": k}
    for i, loss in enumerate(LOSSES):
        row[loss] = _text(found.risk.plain[i, place])
        row[f"{loss}_corrected"] = _text(found.risk.corrected[i, place])
        row[f"{loss}_bias"] = _text(found.risks.bias[i, place])
        row[f"{loss}_expansion"] = _text(found.expansion(k, loss))
    return row


def _least(found: Diagnosis) -> dict[str, Any]:
    return {
        "target": decimal_text(found.target),
        **{loss: _integer(found.least[loss].k) for loss in LOSSES},
        "for_every_embedding": {loss: _integer(found.guaranteed.get(loss)) for loss in LOSSES},
    }


def _integer(value: int | None) -> str | None:
    return None if value is None else str(value)


def _information(found: Diagnosis) -> dict[str, Any]:
    corrected = -float(found.main.jackknife.corrected[0])
    return {
        "limit": _text(-found.limit),
        "limit_corrected": _text(corrected),
        "smallest_k_without_cap": _integer(found.uncapped),
        "log_n": _text(math.log(found.n)),
        "at": [
            {
                "k": k,
                "estimate": _text(found.information(k)[0]),
                "estimate_corrected": _text(found.information(k)[1]),
                "cap": _text(math.log1p(k)),
                "capped": math.log1p(k) < corrected,
            }
            for k in found.reported
        ],
    }


def _pair(means: Estimate, place: Any) -> list[str | None]:
    return [_text(float(means.low[place])), _text(float(means.high[place]))]


def _intervals(found: Diagnosis, means: Estimate) -> dict[str, Any]:
    place = NAMES.index
    fields: dict[str, Any] = {"level": str(LEVEL), "blocks": len(found.blocks.sizes)}
    for name in ("limit", "reciprocal_mean", "kl"):
        fields[name] = _pair(means, place(name))
    for name in ("c1", "c2"):
        fields[name] = {
            x: _pair(means, place(f"{name}_{x}")) if found.main.estimable(x) else None
            for x in LOSSES
        }
    fields["risk"] = [
        {"k": k, **{x: _pair(found.risk, (i, found.risks.at(k))) for i, x in enumerate(LOSSES)}}
        for k in found.reported
    ]
    fields["k_for_target"] = {
        x: [_integer(found.least[x].low), _integer(found.least[x].high)] for x in LOSSES
    }
    return fields


def _worst(found: Diagnosis) -> dict[str, Any]:
    def row(place: int, drawn: int | None) -> dict[str, Any]:
        anchors = found.main.anchors
        at = found.risks.at(found.k)
        biases: NDArray[np.float64] | None = None
        if drawn is not None:
            biases = found.risks.biases[:, drawn, at]
        return {
            "row": int(found.blocks.order[place]),
            "limit": _text(anchors.limit[place]),
            "effective_sample": _text(anchors.effective_sample[place]),
            "bias": {x: None if biases is None else _text(biases[i]) for i, x in enumerate(LOSSES)},
        }

    where = {int(place): i for i, place in enumerate(found.risks.drawn)}
    by_bias = [row(int(found.risks.drawn[i]), int(i)) for i in found.worst_by_bias()]
    by_limit = [row(int(place), where.get(int(place))) for place in found.worst_by_limit()]
    return {"by_bias": by_bias, "by_limit": by_limit}


def _temperature(each: Estimates) -> dict[str, Any]:
    means = dict(zip(NAMES, map(_text, each.anchors.means.tolist()), strict=True))
    return {
        "tau": decimal_text(each.tau),
        "limit": means["limit"],
        "c1": {x: means[f"c1_{x}"] for x in LOSSES},
        "c2": {x: means[f"c2_{x}"] for x in LOSSES},
        "reciprocal_mean": means["reciprocal_mean"],
        "kl": means["kl"],
        "effective_sample": _text(each.median_sample),
        "estimable": each.all_estimable,
        "estimable_by_loss": {x: each.estimable(x) for x in LOSSES},
    }


def _bounds(found: Diagnosis) -> dict[str, Any]:
    return {
        "trivial": ball_decimals(trivial(found.tau), DIGITS)[0],
        "values": [
            {
                "name": each.name,
                "statement": each.statement,
                "printed": each.printed,
                "bounds": "CE - R" if each.below else "R - CE",
                "losses": list(each.losses),
                "value": each.value,
                "vacuous": each.vacuous,
                "holds_with_two_encoders": each.two_encoders,
            }
            for each in found.bounds
        ],
        "others_need": {name: list(what) for name, what in NEEDS.items()},
    }
