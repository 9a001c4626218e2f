"""A model against the trace it is of.

The model is played for as long as the trace lasts, and compared with it: distributions (see `distance`),
counts over time, queue depth, and the outcome on the reference devices. Each part has a limit; its score is 1
where nothing differs, ½ at the limit and 0 at twice that. The score of the whole is their mean. The model is
valid if every outcome and the queue depths are within 15 %, and no distribution is farther than its limit; a
distribution of which the trace has few values is shown and not judged.

Limits are `assumed`: 15 % is what a prediction of latency may be off before a choice of drives changes; 0.2
of the requests is how much of a distribution may lie elsewhere.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import polars as pl

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.model import measures, reference
from drivecast.model.distance import distance, quantiles
from drivecast.stage.model_file import Model

RATIO_MAX = 1.15
KS_MAX = 0.2
TIME_MAX = 0.2
VALUES_MIN = 100
QUANTILES = (("p50", "q0.5"), ("p99", "q0.99"))


@dataclass(frozen=True)
class Part:
    """One comparison."""

    group: str
    name: str
    unit: str
    measure: str
    distance: float
    limit: float
    trace: float | None = None
    model: float | None = None
    judged: bool = True
    curve: dict[str, list[float]] = field(default_factory=dict)

    @property
    def passes(self) -> bool:
        """Whether the distance is within the limit."""
        return self.distance <= self.limit

    @property
    def score(self) -> float:
        """1 at no distance, ½ at the limit, 0 from twice that on."""
        return max(0.0, 1.0 - self.distance / (2 * self.limit))


@dataclass(frozen=True)
class Validation:
    """All parts, in order."""

    model: str
    seed: int
    parts: list[Part]

    @property
    def score(self) -> float:
        """The mean score of what is judged."""
        judged = [part.score for part in self.parts if part.judged]
        return sum(judged) / len(judged) if judged else 0.0

    @property
    def failures(self) -> list[Part]:
        """What is judged and does not pass."""
        return [part for part in self.parts if part.judged and not part.passes]

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        parts = [{**asdict(part), "score": part.score, "passes": part.passes} for part in self.parts]
        return {
            "schema_version": 1,
            "model": self.model,
            "seed": self.seed,
            "score": self.score,
            "valid": not self.failures,
            "parts": parts,
        }


Progress = Callable[[float, str], None]


def validate(
    model: Model, trace: _core.Workload, catalog: Catalog, *, seed: int, update: Progress
) -> Validation:
    """Hold a model against a trace."""
    update(0.0, "playing the model")
    length_s = trace.duration_s or 0.0
    played = _core.Workload.model(json.dumps(model), seed=seed, seconds=length_s)
    ours, theirs = (measures.requests(pl.DataFrame(load.rows())) for load in (trace, played))
    update(0.1, "comparing distributions")
    parts = [*_distributions(ours, theirs), *_over_time(ours, theirs, length_s)]
    parts += _outcomes(trace, played, ours, theirs, catalog, update)
    return Validation(model["name"], seed, parts)


def _distributions(ours: pl.DataFrame, theirs: pl.DataFrame) -> list[Part]:
    parts = []
    for (name, unit, one), (_, _, other) in zip(
        measures.distributions(ours), measures.distributions(theirs), strict=True
    ):
        found = distance(one, other)
        if found is None:
            continue
        curve = {"trace": quantiles(one).to_list(), "model": quantiles(other).to_list()}
        judged = min(len(one), len(other)) >= VALUES_MIN
        parts.append(
            Part(
                "distribution", name, unit, "Kolmogorov-Smirnov", found.ks, KS_MAX, judged=judged, curve=curve
            )
        )
        parts.append(
            Part(
                "distribution",
                f"{name}, decades",
                unit,
                "Wasserstein-1 of log₁₀",
                found.decades,
                1.0,
                judged=False,
            )
        )
    return parts


def _over_time(ours: pl.DataFrame, theirs: pl.DataFrame, length_s: float) -> list[Part]:
    one, other = measures.over_time(ours, length_s), measures.over_time(theirs, length_s)
    parts = []
    for name in ("requests", "bytes"):
        curve = {"trace": one[name].to_list(), "model": other[name].to_list()}
        apart = misplaced(curve["trace"], curve["model"])
        parts.append(
            Part("over time", f"{name} over time", name, "share misplaced", apart, TIME_MAX, curve=curve)
        )
    return parts


def _outcomes(
    trace: _core.Workload,
    played: _core.Workload,
    ours: pl.DataFrame,
    theirs: pl.DataFrame,
    catalog: Catalog,
    update: Progress,
) -> list[Part]:
    span = int(max(ours["end"].max(), theirs["end"].max()))  # type: ignore[type-var, arg-type]
    update(0.2, "playing the trace")
    parts = []
    for place, (device, own) in enumerate(reference.devices(trace, span, catalog)):
        update(0.4 + 0.1 * place, f"playing the model on the {device.name}")
        found = reference.play(device, played, catalog)
        slower = f" at {device.speedup:g} × the speed" if device.speedup != 1 else ""
        where = f"{device.name} `{device.design}`{slower}"
        for op in ("read", "write"):
            if min(own[op]["requests"], found[op]["requests"]) == 0:
                continue
            judged = own[op]["requests"] >= VALUES_MIN
            for name, key in QUANTILES:
                values = (own[op]["latency_ns"][key], found[op]["latency_ns"][key])
                parts.append(ratio("outcome", f"{device.name}: {op} {name}", where, *values, judged=judged))
        depths = (own["queue_depth_mean"], found["queue_depth_mean"])
        parts.append(ratio("queue depth", f"{device.name}: mean queue depth", where, *depths, judged=False))
    written = measures.written_bytes(ours)
    if written and measures.written_bytes(theirs):
        update(0.7, "wearing a drive")
        drive = reference.worn(span, written)
        values = (reference.wear(drive, trace, catalog), reference.wear(drive, played, catalog))
        parts.append(ratio("outcome", "write amplification", f"`{drive}`", *values))
    return parts


def misplaced(one: Sequence[float], other: Sequence[float]) -> float:
    """The share of both that lies elsewhere in the other."""
    apart = sum(abs(a - b) for a, b in zip(one, other, strict=True))
    return apart / ((sum(one) + sum(other)) or 1.0)


def ratio(
    group: str,
    name: str,
    unit: str,
    own: float,
    found: float,
    *,
    limit: float = RATIO_MAX,
    judged: bool = True,
) -> Part:
    """A part that compares two figures by the factor between them."""
    factor = math.exp(abs(math.log(found / own))) if own > 0 and found > 0 else math.inf
    return Part(group, name, unit, "factor - 1", factor - 1, limit - 1, own, found, judged)
