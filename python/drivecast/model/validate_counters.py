"""A model against the counters it is of.

Counters tell no single request, so neither distributions nor outcomes on devices can be compared. What can: the
model is played for as long as the log lasts, its requests are counted as the log counts, and both tables are held
side by side:

- totals, mean sizes, share of reads;
- reads, writes and bytes over sixty parts of the log, as the share that lies in the wrong part, and the busiest part;
- the queue depth: a model has no device, so its requests wait as long as the counters say that requests then took,
  and by Little's law the depth is rate × latency. The same sum over the counters' own requests is what it is held
  against.

Counts at the log's own interval are shown and not judged: a model has no more than sixty rates. A model of more than
`REQUESTS_MAX` requests is played at a part of its rates, and counts are scaled: of a thousand requests in a part the
error is 3 %. Limits are `assumed`: totals and sizes are fitted, so 5 % is what rounding may cost; the others are those
of `validate`.
"""

import json
from collections.abc import Sequence
from typing import Any

import polars as pl

from drivecast import _core
from drivecast.errors import InputError
from drivecast.model.validate import TIME_MAX, Part, Progress, Validation, misplaced, ratio
from drivecast.stage.model_file import Model

PARTS = 60
REQUESTS_MAX = 20_000_000
FITTED_MAX = 1.05
READ_FRACTION_MAX = 0.02
COUNTS = ("reads", "writes", "read_bytes", "written_bytes")


def validate(model: Model, samples: pl.DataFrame, *, seed: int, update: Progress) -> Validation:
    """Hold a model against the samples of a counter log.

    Raises `InputError` for a model without rates, and for a log without requests.
    """
    if not samples["reads"].sum() and not samples["writes"].sum():
        raise InputError("the log has no reads and no writes, so there is nothing to hold the model against")
    update(0.0, "playing the model")
    slowed, share = slow(model, samples)
    length_s = float(samples["time_ns"].to_list()[-1]) / 1e9
    played = _core.Workload.model(json.dumps(slowed), seed=seed, seconds=length_s)
    update(0.7, "comparing")
    theirs = counted(pl.DataFrame(played.rows()), samples, 1 / share)
    return Validation(
        model["name"],
        seed,
        [*_totals(samples, theirs), *_over_time(samples, theirs), *_depth(samples, theirs)],
    )


def slow(model: Model, samples: pl.DataFrame) -> tuple[Model, float]:
    """The model at a part of its rates, so that it can be held in memory, and which part."""
    streams = model["streams"]
    if any(stream["arrivals"]["loop"] != "open" for stream in streams):
        raise InputError(
            "a stream in a closed loop has no rate of its own to hold against counters\n"
            'hint: give its `arrivals` `loop = "open"` and `rate_iops`'
        )
    length_s = float(samples["time_ns"].to_list()[-1]) / 1e9
    expected = length_s * sum(stream["arrivals"]["rate_iops"] for stream in streams)
    share = min(1.0, REQUESTS_MAX / max(expected, 1.0))
    slower = [{**stream, "arrivals": _slower(stream["arrivals"], share)} for stream in streams]
    return {**model, "streams": slower}, share


def _slower(arrivals: dict[str, Any], share: float) -> dict[str, Any]:
    """Arrivals at a part of their rate; of listed bursts those that keep a request."""
    slower = {**arrivals, "rate_iops": arrivals["rate_iops"] * share}
    if listed := arrivals.get("listed"):
        bursts = [[at, requests * share, length] for at, requests, length in listed["bursts"]]
        slower["listed"] = {**listed, "bursts": [burst for burst in bursts if burst[1] >= 1] or bursts[:1]}
    return slower


def counted(rows: pl.DataFrame, samples: pl.DataFrame, scale: float) -> pl.DataFrame:
    """The requests as counters would have them, in the intervals of these samples; what falls between is left out."""
    ends = samples.select(
        pl.col("time_ns").cast(pl.Int64), pl.col("interval_ns").cast(pl.Int64)
    ).with_row_index()
    at = rows.select(
        pl.col("time_ns").cast(pl.Int64), pl.col("op").cast(pl.String), pl.col("size_bytes").cast(pl.Int64)
    )
    placed = at.sort("time_ns").join_asof(
        ends.rename({"time_ns": "end"}).sort("end"), left_on="time_ns", right_on="end", strategy="forward"
    )
    inside = placed.filter(pl.col("time_ns") >= pl.col("end") - pl.col("interval_ns"))
    read, write = pl.col("op") == "read", pl.col("op") == "write"
    sums = inside.group_by("index").agg(
        read.sum().alias("reads"),
        write.sum().alias("writes"),
        pl.col("size_bytes").filter(read).sum().alias("read_bytes"),
        pl.col("size_bytes").filter(write).sum().alias("written_bytes"),
    )
    whole = ends.select("index").join(sums, on="index", how="left").sort("index")
    return whole.select((pl.col(COUNTS).fill_null(0) * scale).cast(pl.Float64))


def _totals(ours: pl.DataFrame, theirs: pl.DataFrame) -> list[Part]:
    one, other = ({name: float(table[name].sum()) for name in COUNTS} for table in (ours, theirs))
    parts = [
        ratio("totals", name.replace("_", " "), "", one[name], other[name], limit=FITTED_MAX)
        for name in COUNTS
        if one[name]
    ]
    for op, size in (("read", "read_bytes"), ("write", "written_bytes")):
        if one[f"{op}s"] and other[f"{op}s"]:
            sizes = (one[size] / one[f"{op}s"], other[size] / other[f"{op}s"])
            parts.append(ratio("sizes", f"mean {op} size", "B", *sizes, limit=FITTED_MAX))
    shares = [sums["reads"] / max(1.0, sums["reads"] + sums["writes"]) for sums in (one, other)]
    apart = abs(shares[0] - shares[1])
    parts.append(
        Part("totals", "read fraction", "", "difference", apart, READ_FRACTION_MAX, shares[0], shares[1])
    )
    return parts


def _over_time(ours: pl.DataFrame, theirs: pl.DataFrame) -> list[Part]:
    parts = []
    columns = {
        "reads": ("reads",),
        "writes": ("writes",),
        "bytes": ("read_bytes", "written_bytes"),
        "requests": ("reads", "writes"),
    }
    for name, of in columns.items():
        one, other = (
            [float(x) for x in table.select(pl.sum_horizontal(of)).to_series()] for table in (ours, theirs)
        )
        ends = [sum_of(one), sum_of(other)]
        if name == "requests":
            parts.append(ratio("over time", "requests in the busiest part", "", max(ends[0]), max(ends[1])))
            fine = misplaced(one, other)
            parts.append(
                Part(
                    "over time",
                    "requests at the log's interval",
                    "",
                    "share misplaced",
                    fine,
                    TIME_MAX,
                    judged=False,
                )
            )
        elif sum(one):
            apart, curve = misplaced(*ends), {"trace": ends[0], "model": ends[1]}
            parts.append(
                Part("over time", f"{name} over time", name, "share misplaced", apart, TIME_MAX, curve=curve)
            )
    return parts


def sum_of(values: Sequence[float]) -> list[float]:
    """The values summed up in at most sixty parts of equal numbers of samples."""
    count = min(PARTS, len(values))
    return [
        sum(values[part * len(values) // count : (part + 1) * len(values) // count]) for part in range(count)
    ]


def _depth(ours: pl.DataFrame, theirs: pl.DataFrame) -> list[Part]:
    waits = ours.select("read_latency_ns", "write_latency_ns").cast(pl.Float64)
    if all(waits[name].null_count() == len(waits) for name in waits.columns):
        return []
    covered = float(ours["interval_ns"].sum())
    depths = []
    for table in (ours, theirs):
        waited = [float((table[f"{op}s"] * waits[f"{op}_latency_ns"]).sum()) for op in ("read", "write")]
        depths.append(sum(waited) / covered)
    return [ratio("queue depth", "mean queue depth, rate × latency", "", depths[0], depths[1])]
