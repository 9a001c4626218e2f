"""A model compared with the trace it is of.

The model is played for as long as the trace lasts, and compared with it: distributions (see `trace_measures`),
counts over time, queue depth, and the outcome on the reference devices. Each part has a limit; its score is 1
where nothing differs, ½ at the limit and 0 at twice that. The score of the whole is their mean. The model is
valid if every outcome and the queue depths are within 15 %, and no distribution is farther than its limit; a
distribution of which the trace has few values is shown and not judged.

Limits are `assumed`: 15 % is what a prediction of latency may be off before a choice of drives changes; 0.2
of the requests is how much of a distribution may lie elsewhere.
"""

import math
from collections.abc import Callable, Sequence

import polars as pl

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.document.outcome import Outcome
from drivecast.document.validation import Comparison, Validation
from drivecast.model import reference, trace_measures

RATIO_MAX = 1.15
KS_MAX = 0.2
TIME_MAX = 0.2
VALUES_MIN = 100
QUANTILES = (("p50", "q0.5"), ("p99", "q0.99"))


Progress = Callable[[float, str], None]


def validate(
    name: str,
    played: _core.Workload,
    trace: _core.Workload,
    catalog: Catalog,
    *,
    seed: int,
    update: Progress,
) -> Validation:
    """Compare a model with a trace; it is played for as long as the trace lasts."""
    update(0.0, "playing the model")
    length_s = trace.duration_s or 0.0
    ours, theirs = (trace_measures.requests(pl.DataFrame(load.rows())) for load in (trace, played))
    update(0.1, "comparing distributions")
    parts = [*_distributions(ours, theirs), *_over_time(ours, theirs, length_s)]
    parts += _outcomes(trace, played, ours, theirs, catalog, update)
    return Validation(schema_version=1, model=name, seed=seed, parts=parts)


def _distributions(ours: pl.DataFrame, theirs: pl.DataFrame) -> list[Comparison]:
    parts = []
    for (name, unit, own), (_, _, other) in zip(
        trace_measures.distributions(ours), trace_measures.distributions(theirs), strict=True
    ):
        found = trace_measures.distance(own, other)
        if found is None:
            continue
        shares = Comparison(
            group="distribution",
            name=name,
            unit=unit,
            measure="Kolmogorov-Smirnov",
            distance=found.ks,
            limit=KS_MAX,
            judged=min(len(own), len(other)) >= VALUES_MIN,
            curve={
                "trace": trace_measures.quantiles(own).to_list(),
                "model": trace_measures.quantiles(other).to_list(),
            },
        )
        decades = {"name": f"{name}, decades", "measure": "Wasserstein-1 of log₁₀", "limit": 1.0}
        unjudged = {"distance": found.decades, "judged": False, "curve": {}}
        parts += [shares, shares.model_copy(update=decades | unjudged)]
    return parts


def _over_time(ours: pl.DataFrame, theirs: pl.DataFrame, length_s: float) -> list[Comparison]:
    own, other = trace_measures.over_time(ours, length_s), trace_measures.over_time(theirs, length_s)
    return [over_time(name, own[name].to_list(), other[name].to_list()) for name in ("requests", "bytes")]


def _outcomes(
    trace: _core.Workload,
    played: _core.Workload,
    ours: pl.DataFrame,
    theirs: pl.DataFrame,
    catalog: Catalog,
    update: Progress,
) -> list[Comparison]:
    span = int(max(ours["end"].max(), theirs["end"].max()))  # type: ignore[type-var, arg-type]
    update(0.2, "playing the trace")
    parts = []
    for place, (device, own) in enumerate(reference.devices(trace, span, catalog)):
        update(0.4 + 0.1 * place, f"playing the model on the {device.name}")
        found = reference.play(device, played, catalog)
        parts += ratios("outcome", device, own, found)
        where = _where(device)
        depths = (own.queue_depth_mean or 0.0, found.queue_depth_mean or 0.0)
        parts.append(ratio("queue depth", f"{device.name}: mean queue depth", where, *depths, judged=False))
    written = trace_measures.written_bytes(ours)
    if written and trace_measures.written_bytes(theirs):
        update(0.7, "wearing a drive")
        drive = reference.worn(span, written)
        values = (reference.wear(drive, trace, catalog), reference.wear(drive, played, catalog))
        parts.append(ratio("outcome", "write amplification", f"`{drive}`", *values))
    return parts


def ratios(group: str, device: reference.Device, own: Outcome, found: Outcome) -> list[Comparison]:
    """The quantiles of a trace and of a model on a device; those of few requests are not judged."""
    return [
        ratio(
            group,
            f"{device.name}: {op} {name}",
            _where(device),
            own.latency_of(op, key),
            found.latency_of(op, key),
            judged=own.stream(op).requests >= VALUES_MIN,
        )
        for op in ("read", "write")
        for name, key in QUANTILES
        if min(own.stream(op).requests, found.stream(op).requests) > 0
    ]


def _where(device: reference.Device) -> str:
    slower = f" at {device.speedup:g} × the speed" if device.speedup != 1 else ""
    return f"{device.name} `{device.design}`{slower}"


def misplaced(own: Sequence[float], other: Sequence[float]) -> float:
    """The share of both that lies elsewhere in the other."""
    apart = sum(abs(a - b) for a, b in zip(own, other, strict=True))
    return apart / ((sum(own) + sum(other)) or 1.0)


def over_time(name: str, own: list[float], other: list[float]) -> Comparison:
    """A quantity in each interval of the log, by the share in the wrong interval."""
    return Comparison(
        group="over time",
        name=f"{name} over time",
        unit=name,
        measure="share misplaced",
        distance=misplaced(own, other),
        limit=TIME_MAX,
        curve={"trace": own, "model": other},
    )


def ratio(
    group: str,
    name: str,
    unit: str,
    own: float,
    found: float,
    *,
    limit: float = RATIO_MAX,
    judged: bool = True,
) -> Comparison:
    """Two figures, compared by the factor between them."""
    factor = math.exp(abs(math.log(found / own))) if own > 0 and found > 0 else None
    return Comparison(
        group=group,
        name=name,
        unit=unit,
        measure="factor - 1",
        distance=None if factor is None else factor - 1,
        limit=limit - 1,
        trace=own,
        model=found,
        judged=judged,
    )
