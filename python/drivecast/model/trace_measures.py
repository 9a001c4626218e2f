"""What of a trace is compared with its model: distributions over requests, and counts over time.

Reuse distance: requests since the last one that began in the same 4 KiB page. Update distance: bytes written since
that page was last the beginning of a write. Seek distance: bytes from where the request before ended. Run
length: bytes of requests each of which begins where the one before ended.

How far two distributions are apart. Kolmogorov-Smirnov: the largest difference of the two shares below a value, in
[0, 1]; blind to how far values lie apart, so it suits anything. Wasserstein-1 of log₁₀: how many decades the mean value
would have to be moved, over both quantile functions; it sees how far the tails are off. A value of zero counts as one
unit.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

PAGE_BYTES = 4096
INTERVALS = 60
"""Intervals in which counts are compared over time."""


def requests(rows: pl.DataFrame) -> pl.DataFrame:
    """The reads and writes of a trace, with where each begins in pages and what lies before it."""
    data = rows.filter((pl.col("size_bytes") > 0) & pl.col("op").cast(pl.String).is_in(["read", "write"]))
    end = pl.col("offset_bytes").cast(pl.Int64) + pl.col("size_bytes").cast(pl.Int64)
    return data.select(
        pl.col("time_ns").cast(pl.Int64),
        pl.col("op").cast(pl.String),
        pl.col("offset_bytes").cast(pl.Int64),
        pl.col("size_bytes").cast(pl.Int64),
        (pl.col("offset_bytes") // PAGE_BYTES).alias("page"),
        end.alias("end"),
    ).with_row_index()


def distributions(data: pl.DataFrame) -> Iterator[tuple[str, str, pl.Series]]:
    """Name, unit and values of each distribution."""
    for op in ("read", "write"):
        yield f"{op} size", "B", data.filter(pl.col("op") == op)["size_bytes"]
    yield "inter-arrival time", "ns", data["time_ns"].diff().drop_nulls()
    since = pl.col("index").cast(pl.Int64).diff().over("page")
    yield "reuse distance", "requests", data.select(since.alias("distance"))["distance"].drop_nulls()
    written = data.filter(pl.col("op") == "write").with_columns(
        pl.col("size_bytes").cum_sum().alias("written")
    )
    update = written.select(pl.col("written").diff().over("page").alias("distance"))
    yield "update distance", "B", update["distance"].drop_nulls()
    jump = (pl.col("offset_bytes") - pl.col("end").shift()).abs()
    yield "seek distance", "B", data.select(jump.alias("distance"))["distance"].drop_nulls()
    begins = (pl.col("offset_bytes") != pl.col("end").shift()).fill_null(value=True).cum_sum()
    runs = data.with_columns(begins.alias("run")).group_by("run").agg(pl.col("size_bytes").sum())
    yield "run length", "B", runs["size_bytes"]


def over_time(data: pl.DataFrame, length_s: float) -> pl.DataFrame:
    """Requests and bytes in each of the intervals of a length of time."""
    width_ns = length_s * 1e9 / INTERVALS
    at = (pl.col("time_ns") / width_ns).floor().cast(pl.Int64).clip(upper_bound=INTERVALS - 1)
    counted = data.group_by(at.alias("interval")).agg(
        pl.len().cast(pl.Float64).alias("requests"),
        pl.col("size_bytes").sum().cast(pl.Float64).alias("bytes"),
    )
    every = pl.DataFrame({"interval": pl.Series(range(INTERVALS), dtype=pl.Int64)})
    return every.join(counted, on="interval", how="left").fill_null(0.0).sort("interval")


def written_bytes(data: pl.DataFrame) -> int:
    """Distinct bytes written, in pages: of each write its first page and as many as it is long."""
    pages = data.filter(pl.col("op") == "write").select(
        pl.int_ranges("page", (pl.col("end") - 1) // PAGE_BYTES + 1).alias("page")
    )
    return pages.explode("page")["page"].n_unique() * PAGE_BYTES if len(pages) else 0


POINTS = 400
"""Quantiles at which two distributions are compared by Wasserstein's distance."""


@dataclass(frozen=True)
class Distance:
    """Between the values of a trace and of its model."""

    ks: float
    decades: float


def distance(ours: pl.Series, theirs: pl.Series) -> Distance | None:
    """The distance of two sets of values; `None` where either is empty."""
    if ours.is_empty() or theirs.is_empty():
        return None
    return Distance(_ks(ours, theirs), _decades(ours, theirs))


def _ks(ours: pl.Series, theirs: pl.Series) -> float:
    """The largest difference of the cumulative shares: of whole counts, which add up alike in any order."""
    own = pl.DataFrame({"value": ours.cast(pl.Float64), "own": 1, "other": 0})
    other = pl.DataFrame({"value": theirs.cast(pl.Float64), "own": 0, "other": 1})
    counts = pl.concat([own, other]).group_by("value").agg(pl.col("own", "other").sum()).sort("value")
    apart = counts["own"].cum_sum() / len(ours) - counts["other"].cum_sum() / len(theirs)
    return float(apart.abs().max() or 0.0)  # type: ignore[arg-type]


def _decades(ours: pl.Series, theirs: pl.Series) -> float:
    logs = [quantiles(values).clip(lower_bound=1.0).log10() for values in (ours, theirs)]
    return float((logs[0] - logs[1]).abs().mean() or 0.0)  # type: ignore[arg-type]


def quantiles(values: pl.Series) -> pl.Series:
    """The values at even shares."""
    ordered = values.cast(pl.Float64).sort()
    places = [round(point * (len(ordered) - 1) / (POINTS - 1)) for point in range(POINTS)]
    return ordered.gather(places)
