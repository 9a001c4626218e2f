"""More or less load: reads and writes k times as many.

Model. For k above 1 windows are superposed with copies of themselves: copy i is shifted by i φ of the length of its
stretch (φ the golden ratio, so that no two copies come together), around its end, and has data of its own behind that
of the copy before. The last copy, and the only one for k below 1, is thinned to a share s. It keeps the
requests of a share s of the extents of `EXTENT_BYTES` (sampling in space, as SHARDS: Waldspurger and others, FAST
2015): those whose place, by their requests, has a van der Corput number below s. Of an extent with more than
`HOT_SHARE` of the requests, and of requests without an address, it keeps every (1/s)-th. With `same_data` copies have
the addresses of the first, and every extent is thinned so.

`faster` divides all times instead: as many requests, in a shorter time.

Left out: what copies share besides devices (caches, locks, pauses of clients that wait).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from drivecast.document.windows import Windows
from drivecast.errors import InputError
from drivecast.model.change.stretches import Tables, Timed
from drivecast.stage import windows_play

EXTENT_BYTES = 1 << 20
HOT_SHARE = 0.001
TIMES_MAX = 64.0
TIMES_MIN = 1 / TIMES_MAX
GOLDEN = (math.sqrt(5) - 1) / 2
_BITS = 32

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Factors:
    """What reads and writes are multiplied by; what is neither is taken as a write."""

    read: float
    write: float

    def __post_init__(self) -> None:
        for name, value in (("reads", self.read), ("writes", self.write)):
            if value:
                check(name, value)

    @property
    def copies(self) -> int:
        """How many there are, the last of them in part."""
        return max(1, math.ceil(max(self.read, self.write) - 1e-9))


def check(what: str, times: float) -> None:
    """Raise `InputError` for a factor beyond what windows can be made of."""
    if not TIMES_MIN <= times <= TIMES_MAX:
        raise InputError(f"{what} times {times:.4g}; expected {TIMES_MIN:.4g} to {TIMES_MAX:g}")


def mixed(found: Tables, times: float, reads: float | None) -> Factors:
    """The factors that make a load so many `times` as large, with this share of reads.

    Raises `InputError` for a share that the workload cannot have: of what it has nothing of.
    """
    check("rate", times)
    if reads is None:
        return Factors(times, times)
    data = found.whole.rows.filter(pl.col("op").is_in(["read", "write"]))
    now = float((data["op"] == "read").mean() or 0.0)  # type: ignore[arg-type]
    if not 0 <= reads <= 1 or (now in (0.0, 1.0) and reads != now):
        raise InputError(f"reads {reads:.4g}: a share from 0 to 1 of a workload that has {now:.0%} reads")
    if now in (0.0, 1.0):
        return Factors(times, times)
    return Factors(times * reads / now, times * (1 - reads) / (1 - now))


def multiplied(found: Tables, factors: Factors, *, same_data: bool) -> Tables:
    """Requests as many times as the factors have it, at the same windows."""
    span = found.header.span_bytes
    far = 0 if same_data else span
    if (factors.copies - 1) * far + span >= 1 << 63:
        raise InputError(f"{factors.copies} times {span} bytes: the copies reach beyond 8 EiB")
    extents = numbered(found, same_data=same_data)
    played, whole = (
        pl.concat([_copy(each, factors, copy, far, extents) for copy in range(factors.copies)]).sort(
            "time_ns", maintain_order=True
        )
        for each in (found.played, found.whole)
    )
    return found.each(played, whole, span_bytes=(factors.copies - 1) * far + span)


def _copy(table: Timed, factors: Factors, copy: int, far: int, extents: pl.DataFrame) -> pl.DataFrame:
    """One copy, thinned where it is the last."""
    shares = {op: min(max(value - copy, 0.0), 1.0) for op, value in vars(factors).items()}
    rows = _thinned(table.rows, shares, extents)
    time = rows["time_ns"].to_numpy().astype(np.int64)
    stretch = table.stretch(time)
    begin, length = table.bounds_ns[stretch], np.diff(table.bounds_ns)[stretch]
    shift = (copy * GOLDEN % 1 * length).astype(np.int64)
    moved = pl.Series("time_ns", begin + (time - begin + shift) % length, dtype=pl.UInt64)
    behind = pl.when(pl.col("size_bytes") > 0).then(copy * far).otherwise(0)
    return rows.with_columns(moved, offset_bytes=pl.col("offset_bytes") + behind.cast(pl.UInt64))


def _thinned(rows: pl.DataFrame, shares: Mapping[str, float], extents: pl.DataFrame) -> pl.DataFrame:
    """The requests of a share of extents; of those to be thinned by turns every so many-th."""
    if all(share == 1 for share in shares.values()):
        return rows
    share = pl.when(pl.col("op") == "read").then(shares["read"]).otherwise(shares["write"])
    found = rows.with_columns(_extent().alias("extent"), share=share).join(
        extents, on="extent", how="left", maintain_order="left"
    )
    turn = pl.int_range(pl.len()).over("extent", "op")
    place = turn * pl.col("share") + pl.col("number")
    nth = (place + pl.col("share")).floor() > place.floor()
    keep = pl.when(pl.col("by_turns")).then(nth).otherwise(pl.col("number") < pl.col("share"))
    return found.filter(keep).select(rows.columns)


def _extent() -> pl.Expr:
    """The extent that a request begins in; -1 for what has no address."""
    number = (pl.col("offset_bytes") // EXTENT_BYTES).cast(pl.Int64)
    return pl.when(pl.col("size_bytes") > 0).then(number).otherwise(-1)


def numbered(found: Tables, *, same_data: bool) -> pl.DataFrame:
    """Each `extent` with its van der Corput `number`, in the order of their requests, and how it is thinned.

    Of those that are thinned `by_turns` the number is the phase.
    """
    rows = pl.concat([each.rows.select(_extent().alias("extent")) for each in (found.whole, found.played)])
    counts = rows.group_by("extent").agg(requests=pl.len()).sort("requests", "extent")
    place = np.arange(len(counts), dtype=np.uint32)
    numbers = np.zeros(len(counts))
    for bit in range(_BITS):
        numbers += ((place >> np.uint32(bit)) & np.uint32(1)) / 2.0 ** (bit + 1)
    is_hot = (pl.col("requests") > HOT_SHARE * len(rows)) | (pl.col("extent") < 0) | same_data
    return counts.select("extent", pl.Series("number", numbers), by_turns=is_hot)


def faster(found: Tables, times: float) -> Tables:
    """All times divided by this."""
    check("rate", times)
    header = found.header
    clusters = [
        cluster.model_copy(update={"leads_s": [lead / times for lead in cluster.leads_s]})
        for cluster in header.clusters
    ]
    header = header.model_copy(
        update={
            "clusters": clusters,
            "window_s": round(header.window_s * 1e9 / times) / 1e9,
            "duration_s": header.duration_s / times,
        }
    )
    header = Windows.model_validate(header.model_dump())
    bounds = np.r_[1, np.array(windows_play.parts_ns(header), dtype=np.int64) + 1]
    every = np.arange(header.windows + 1, dtype=np.int64) * round(header.window_s * 1e9)
    played, whole = _squeezed(found.played, bounds), _squeezed(found.whole, every)
    return Tables(header, played, whole)


def _squeezed(table: Timed, bounds_ns: Whole) -> Timed:
    """The requests of each stretch in one of another length."""
    time = table.rows["time_ns"].to_numpy().astype(np.int64)
    stretch = table.stretch(time)
    before, after = np.diff(table.bounds_ns)[stretch], np.diff(bounds_ns)[stretch]
    share = (time - table.bounds_ns[stretch]) / np.maximum(before, 1)
    at = np.minimum((share * after).astype(np.int64), np.maximum(after - 1, 0))
    moved = pl.Series("time_ns", bounds_ns[stretch] + at, dtype=pl.UInt64)
    return Timed(table.rows.with_columns(moved), bounds_ns)
