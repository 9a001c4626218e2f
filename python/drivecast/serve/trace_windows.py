"""Windows of a trace, for brush and zoom: rates, sizes and latency over time, addresses over time, latency alone.

A window is cut into bins of one length. A request counts in the bin in which it begins; a sample of counters in the bin
in which its interval begins, and bins are no finer than the samples. The table is scanned where it lies (Parquet), only
the columns and row groups of the window, a slice of time after another, so that memory does not grow with the trace;
at most two scans at a time, and the last answers are remembered. Left out: requests without an address in the heat map.
"""

import itertools
import math
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from drivecast.document.served import HeatWindow, Latencies, Series
from drivecast.errors import InputError, NoAnswer

BINS_MAX = 100_000
CELLS_MAX = 1_000_000
SLICE_ROWS = 1_000_000
"""About so many requests are in memory at a time."""
STEPS_A_DECADE = 20
COUNTERS = "counters"
_scans = threading.BoundedSemaphore(2)

Table = tuple[Path, int]
"""The place of a table, and when it was written."""


def table(path: Path) -> Table:
    """A table, to be scanned; remembered answers are of this very file."""
    return path, path.stat().st_mtime_ns


@lru_cache(maxsize=64)
def _facts(of: Table) -> tuple[frozenset[str], int, int, int]:
    """The columns, the end in ns, the end of the addresses, and the rows."""
    scan = pl.scan_parquet(of[0])
    names = frozenset(scan.collect_schema().names())
    end = pl.col("offset_bytes") + pl.col("size_bytes") if "offset_bytes" in names else pl.lit(0)
    with _scans:
        facts = scan.select(pl.col("time_ns").max(), end.max().alias("end"), pl.len())
        row = facts.collect(engine="streaming").row(0)
    # A request takes time; a sample is named by the end of its interval.
    return names, int(row[0] or 0) + ("interval_ns" not in names), int(row[1] or 0), int(row[2])


def _window(of: Table, from_s: float | None, to_s: float | None) -> tuple[int, int]:
    """A window in ns, within the trace.

    Raises `InputError` for one that is empty.
    """
    _, end, _, _ = _facts(of)
    begin = 0 if from_s is None else max(0, round(from_s * 1e9))
    until = end if to_s is None else min(end, round(to_s * 1e9))
    if begin >= until:
        raise InputError(f"the window is empty: the trace lasts {end / 1e9:,.3f} s")
    return begin, until


def _slices(of: Table, begin: int, until: int, step: float = 1.0) -> Iterator[tuple[int, int]]:
    """A window in parts of about `SLICE_ROWS`, as far as requests are spread evenly; none cuts a bin of `step`."""
    _, end, _, rows = _facts(of)
    count = max(1, round(rows * (until - begin) / end / SLICE_ROWS))
    bins = max(1, math.ceil((until - begin) / step))
    cuts = sorted({begin + math.ceil(bins * part / count) * step for part in range(count)})
    for low, high in itertools.pairwise((*cuts, until)):
        if math.ceil(low) < min(until, math.ceil(high)):
            yield math.ceil(low), min(until, math.ceil(high))


def series(of: Table, source: str, from_s: float | None, to_s: float | None, points: int) -> Series:
    """A window over time in at most `points` bins."""
    return _series(of, source, *_window(of, from_s, to_s), points)


@lru_cache(maxsize=8)
def _series(of: Table, source: str, begin: int, until: int, points: int) -> Series:
    scan = pl.scan_parquet(of[0])
    if source == COUNTERS:
        scan = scan.with_columns(time_ns=pl.col("time_ns") - pl.col("interval_ns").cast(pl.UInt64))
    least = 1_000
    if source == COUNTERS:
        with _scans:
            least = int(scan.select(pl.col("interval_ns").median()).collect().item() or 1e9)  # few rows
    step = max(least, -(-(until - begin) // points))
    step = -(-step // least) * least if source == COUNTERS else step
    bins = -(-(until - begin) // step)
    place = ((pl.col("time_ns") - begin) // step).alias("bin").cast(pl.Int64)
    figures = _of_counters(of) if source == COUNTERS else _of_requests(of)
    with _scans:
        found = pl.concat(
            [
                scan.filter(pl.col("time_ns") >= low, pl.col("time_ns") < high)
                .group_by(place)
                .agg(**figures)
                .collect()
                for low, high in _slices(of, begin, until, step)
            ]
        )
    whole = pl.DataFrame({"bin": np.arange(bins)}).join(found, on="bin", how="left", maintain_order="left")
    seconds = step / 1e9
    columns = {
        **{
            f"{name}_per_s": (whole[name].fill_null(0).cast(pl.Float64) / seconds).to_list()
            for name in ("reads", "writes", "read_bytes", "written_bytes")
        },
        **{
            name: _finite(whole[name])
            for name in ("size_bytes_mean", *(f"latency_ns_{each}" for each in ("mean", "q50", "q99", "max")))
        },
        "time_s": (begin / 1e9 + np.arange(bins) * seconds).tolist(),
    }
    head = {"from_s": begin / 1e9, "to_s": until / 1e9, "step_s": seconds, "duration_s": _facts(of)[1] / 1e9}
    return Series.model_validate({**head, "source": source, **columns})


def _finite(column: pl.Series) -> list[float | None]:
    return column.cast(pl.Float64).fill_nan(None).to_list()


def _of_requests(of: Table) -> dict[str, pl.Expr]:
    """What is computed of the requests in a bin."""
    names = _facts(of)[0]
    op, size = pl.col("op").cast(pl.String), pl.col("size_bytes").cast(pl.Float64)
    reads, writes = op == "read", op == "write"
    moved = (reads | writes) & (size > 0)
    latency = pl.col("latency_ns") if "latency_ns" in names else pl.lit(None, pl.Float64)
    return {
        "reads": reads.sum(),
        "writes": writes.sum(),
        "read_bytes": size.filter(reads).sum(),
        "written_bytes": size.filter(writes).sum(),
        "size_bytes_mean": size.filter(moved).mean(),
        "latency_ns_mean": latency.mean(),
        "latency_ns_q50": latency.quantile(0.5),
        "latency_ns_q99": latency.quantile(0.99),
        "latency_ns_max": latency.max(),
    }


def _of_counters(of: Table) -> dict[str, pl.Expr]:
    """What is computed of the samples in a bin; a mean over requests is weighted by how many there were."""
    names = _facts(of)[0]

    def known(name: str) -> pl.Expr:
        return pl.col(name).cast(pl.Float64).fill_nan(None) if name in names else pl.lit(None, pl.Float64)

    reads, writes = known("reads"), known("writes")
    requests = reads.fill_null(0) + writes.fill_null(0)
    moved = known("read_bytes").fill_null(0) + known("written_bytes").fill_null(0)
    latencies = [(known("read_latency_ns"), reads), (known("write_latency_ns"), writes)]
    waited = sum(((each * count).fill_null(0) for each, count in latencies), start=pl.lit(0.0))
    timed = sum(
        (pl.when(each.is_null()).then(0).otherwise(count.fill_null(0)) for each, count in latencies),
        start=pl.lit(0.0),
    )
    nothing = pl.lit(None, pl.Float64)
    return {
        "reads": reads.sum(),
        "writes": writes.sum(),
        "read_bytes": known("read_bytes").sum(),
        "written_bytes": known("written_bytes").sum(),
        "size_bytes_mean": moved.sum() / requests.sum(),
        "latency_ns_mean": waited.sum() / timed.sum(),
        "latency_ns_q50": nothing.first(),
        "latency_ns_q99": nothing.first(),
        "latency_ns_max": nothing.first(),
    }


def heat_map(
    of: Table,
    source: str,
    times: tuple[float | None, float | None],
    addresses: tuple[int | None, int | None],
    bins: tuple[int, int],
    op: str | None,
) -> HeatWindow:
    """Requests by time and address.

    Raises `NoAnswer` for counters, which have no addresses, and `InputError` for an empty window.
    """
    _has_requests(source)
    end_bytes = _facts(of)[2]
    low = addresses[0] or 0
    high = end_bytes if addresses[1] is None else min(addresses[1], max(end_bytes, 1))
    if low >= high:
        raise InputError(f"the window is empty: the addresses end at {end_bytes:,}")
    if bins[0] * bins[1] > CELLS_MAX:
        raise InputError(f"expected at most {CELLS_MAX:,} cells, found {bins[0] * bins[1]:,}")
    return _heat_map(of, _window(of, *times), (low, high), bins, op)


@lru_cache(maxsize=8)
def _heat_map(
    of: Table, window: tuple[int, int], addresses: tuple[int, int], bins: tuple[int, int], op: str | None
) -> HeatWindow:
    (begin, until), (low, high) = window, addresses
    step, width = (until - begin) / bins[0], (high - low) / bins[1]
    offset = pl.col("offset_bytes")
    cell = (
        ((pl.col("time_ns") - begin) / step).floor().cast(pl.Int64).clip(0, bins[0] - 1) * bins[1]
        + ((offset - low) / width).floor().cast(pl.Int64).clip(0, bins[1] - 1)
    ).alias("cell")
    counts = np.zeros(bins[0] * bins[1], dtype=np.int64)
    for part in _slices(of, begin, until):
        rows = _filtered(of, part, op).filter(offset >= low, offset < high, pl.col("size_bytes") > 0)
        with _scans:
            found = rows.group_by(cell).agg(pl.len()).collect()
        counts[found["cell"].to_numpy()] += found["len"].to_numpy()
    return HeatWindow(
        from_s=begin / 1e9,
        to_s=until / 1e9,
        from_bytes=low,
        to_bytes=high,
        time_bin_s=step / 1e9,
        address_bin_bytes=width,
        time_bins=bins[0],
        address_bins=bins[1],
        counts=counts.reshape(bins).tolist(),
    )


def latencies(of: Table, source: str, from_s: float | None, to_s: float | None, op: str | None) -> Latencies:
    """The distribution of latency in a window.

    Raises `NoAnswer` where single requests, or their latencies, are unknown.
    """
    _has_requests(source)
    if "latency_ns" not in _facts(of)[0]:
        raise NoAnswer("the trace has no latencies")
    window = _window(of, from_s, to_s)
    step = (pl.col("latency_ns").clip(lower_bound=1).log(10) * STEPS_A_DECADE).floor().cast(pl.Int64)
    parts = []
    for part in _slices(of, *window):
        rows = _filtered(of, part, op).filter(pl.col("latency_ns").is_not_null())
        with _scans:
            parts.append(rows.group_by(step.alias("step")).agg(pl.len()).collect())
    found = pl.concat(parts).group_by("step").agg(pl.col("len").sum()).sort("step")
    counts, steps = found["len"].to_numpy(), found["step"].to_numpy()
    total = int(counts.sum())
    return Latencies(
        from_s=window[0] / 1e9,
        to_s=window[1] / 1e9,
        requests=total,
        below_ns=(10.0 ** ((steps + 1) / STEPS_A_DECADE)).tolist(),
        shares=(np.cumsum(counts) / max(total, 1)).tolist(),
    )


def _filtered(of: Table, window: tuple[int, int], op: str | None) -> pl.LazyFrame:
    scan = pl.scan_parquet(of[0]).filter(pl.col("time_ns") >= window[0], pl.col("time_ns") < window[1])
    return scan if op is None else scan.filter(pl.col("op").cast(pl.String) == op)


def _has_requests(source: str) -> None:
    if source == COUNTERS:
        raise NoAnswer("counters have no single requests", "record a trace: `drivecast capture`")


def forgotten() -> None:
    """Let go of all that is remembered."""
    caches: tuple[Callable[[], Any], ...] = (_facts.cache_clear, _series.cache_clear, _heat_map.cache_clear)
    for clear in caches:
        clear()
