"""A model compared with the counters it is of.

Counters report no single request, so neither distributions nor outcomes on devices can be compared. What can: the
model is played for as long as the log lasts, its requests are counted as the log counts, and both tables are
compared:

- totals, mean sizes, share of reads;
- reads, writes and bytes over sixty parts of the log, as the share that lies in the wrong part, and the busiest part;
- the queue depth: a model has no device, so its requests wait as long as requests then took by the counters,
  and by Little's law the depth is rate × latency. It is compared with the same sum over the counters' own
  requests.

Counts at the log's own interval are shown and not judged: a model has no more than sixty rates. A model of more than
`REQUESTS_MAX` requests is played at a part of its rates, and counts are scaled: of a thousand requests in a part the
error is 3 %. Limits are `assumed`: totals and sizes are fitted, so 5 % is what rounding may cost; the others are those
of `validate`.
"""

from collections.abc import Sequence

import polars as pl

from drivecast.document.model import Model, Open
from drivecast.document.validation import Comparison, Validation
from drivecast.errors import HintedError, InputError
from drivecast.model.validate import TIME_MAX, Progress, misplaced, over_time, ratio
from drivecast.stage import model_file

PARTS = 60
REQUESTS_MAX = 20_000_000
FITTED_MAX = 1.05
READ_FRACTION_MAX = 0.02
COUNTS = ("reads", "writes", "read_bytes", "written_bytes")
OVER_TIME = {
    "reads": ("reads",),
    "writes": ("writes",),
    "bytes": ("read_bytes", "written_bytes"),
    "requests": ("reads", "writes"),
}


def validate(model: Model, samples: pl.DataFrame, *, seed: int, update: Progress) -> Validation:
    """Compare a model with the samples of a counter log.

    Raises `InputError` for a model without rates, and for a log without requests.
    """
    if not samples["reads"].sum() and not samples["writes"].sum():
        raise InputError("the log has no reads and no writes, so there is nothing to compare the model with")
    update(0.0, "playing the model")
    slowed, share = slow(model, samples)
    length_s = float(samples["time_ns"].to_list()[-1]) / 1e9
    played = model_file.workload(slowed, seed=seed, seconds=length_s)
    update(0.7, "comparing")
    theirs = counted(pl.DataFrame(played.rows()), samples, 1 / share)
    parts = [*_totals(samples, theirs), *_over_time(samples, theirs), *_depth(samples, theirs)]
    return Validation(schema_version=1, model=model.name, seed=seed, parts=parts)


def slow(model: Model, samples: pl.DataFrame) -> tuple[Model, float]:
    """The model at a part of its rates, so that it can be held in memory, and which part."""
    loops = [stream.arrivals for stream in model.streams if isinstance(stream.arrivals, Open)]
    if len(loops) < len(model.streams):
        raise HintedError(
            "a stream in a closed loop has no rate of its own to compare with counters",
            'give its `arrivals` `loop = "open"` and `rate_iops`',
        )
    length_s = float(samples["time_ns"].to_list()[-1]) / 1e9
    share = min(1.0, REQUESTS_MAX / max(length_s * sum(loop.rate_iops for loop in loops), 1.0))
    streams = [
        stream.model_copy(update={"arrivals": _slower(loop, share)})
        for stream, loop in zip(model.streams, loops, strict=True)
    ]
    return model.model_copy(update={"streams": streams}), share


def _slower(arrivals: Open, share: float) -> Open:
    """Arrivals at a part of their rate; of listed bursts those that keep a request."""
    listed = arrivals.listed
    if listed is not None:
        bursts = [(at, requests * share, length) for at, requests, length in listed.bursts]
        large = [burst for burst in bursts if burst[1] >= 1]
        listed = listed.model_copy(update={"bursts": large or bursts[:1]})
    return arrivals.model_copy(update={"rate_iops": arrivals.rate_iops * share, "listed": listed})


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


def _totals(ours: pl.DataFrame, theirs: pl.DataFrame) -> list[Comparison]:
    own, other = ({name: float(table[name].sum()) for name in COUNTS} for table in (ours, theirs))
    parts = [
        ratio("totals", name.replace("_", " "), "", own[name], other[name], limit=FITTED_MAX)
        for name in COUNTS
        if own[name]
    ]
    for op, size in (("read", "read_bytes"), ("write", "written_bytes")):
        if own[f"{op}s"] and other[f"{op}s"]:
            sizes = (own[size] / own[f"{op}s"], other[size] / other[f"{op}s"])
            parts.append(ratio("sizes", f"mean {op} size", "B", *sizes, limit=FITTED_MAX))
    shares = [sums["reads"] / max(1.0, sums["reads"] + sums["writes"]) for sums in (own, other)]
    apart = abs(shares[0] - shares[1])
    fraction = Comparison(
        group="totals",
        name="read fraction",
        unit="",
        measure="difference",
        distance=apart,
        limit=READ_FRACTION_MAX,
        trace=shares[0],
        model=shares[1],
    )
    return [*parts, fraction]


def _over_time(ours: pl.DataFrame, theirs: pl.DataFrame) -> list[Comparison]:
    parts = []
    for name, columns in OVER_TIME.items():
        own, other = (
            table.select(pl.sum_horizontal(columns)).to_series().to_list() for table in (ours, theirs)
        )
        if name != "requests":
            if sum(own):
                parts.append(over_time(name, sum_of(own), sum_of(other)))
            continue
        parts.append(
            ratio("over time", "requests in the busiest part", "", max(sum_of(own)), max(sum_of(other)))
        )
        fine = Comparison(
            group="over time",
            name="requests at the log's interval",
            unit="",
            measure="share misplaced",
            distance=misplaced(own, other),
            limit=TIME_MAX,
            judged=False,
        )
        parts.append(fine)
    return parts


def sum_of(values: Sequence[float]) -> list[float]:
    """The values summed up in at most sixty parts of equal numbers of samples."""
    count = min(PARTS, len(values))
    return [
        sum(values[part * len(values) // count : (part + 1) * len(values) // count]) for part in range(count)
    ]


def _depth(ours: pl.DataFrame, theirs: pl.DataFrame) -> list[Comparison]:
    waits = ours.select("read_latency_ns", "write_latency_ns").cast(pl.Float64)
    if all(waits[name].null_count() == len(waits) for name in waits.columns):
        return []
    covered = float(ours["interval_ns"].sum())
    depths = []
    for table in (ours, theirs):
        waited = [float((table[f"{op}s"] * waits[f"{op}_latency_ns"]).sum()) for op in ("read", "write")]
        depths.append(sum(waited) / covered)
    return [ratio("queue depth", "mean queue depth, rate × latency", "", depths[0], depths[1])]
