"""Which addresses a trace accessed, in the order of its accesses: how long ago, not only where.

Model. The requests of the whole trace, without their times: window, operation, offset and size. All of them where they
fit into `ROWS_MAX`. Otherwise the address space is cut into chunks of `CHUNK_BYTES`, of which the map has every R-th,
with R `copies`, when they are ordered by what is written to them and read from them (systematic sampling; in space, as
SHARDS: Waldspurger and others, FAST 2015). All requests that begin in a chunk of the sample are in the map, so reuse
and update distances within it are those of the trace, over R. A chunk with more than `HOT_SHARE` of all requests
represents itself; where such chunks fill half of the map, by each T-th of their requests, which come T times
(`again`).

`unfold` makes the requests of the whole of it. The copies of a chunk lie behind it, where no chunk of the sample is. In
a window they access one after another what the chunk accesses at a stretch, so runs stay together. What comes again
comes at even distances until the next request to its chunk.

Left out: what one chunk has to do with the next, but for their order.
"""

from collections.abc import Callable, Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

CHUNK_BYTES = 1 << 16
ROWS_MAX = 1_000_000
"""About 3 MB as they are stored."""
HOT_SHARE = 0.001
TOGETHER = 8

SCHEMA: dict[str, type[pl.DataType]] = {
    "window": pl.UInt32,
    "op": pl.String,
    "offset_bytes": pl.UInt64,
    "size_bytes": pl.UInt32,
    "copies": pl.UInt32,
    "again": pl.UInt32,
}
Whole = NDArray[np.int64]


def sample(rows: pl.DataFrame, window_ns: int, rows_max: int = ROWS_MAX) -> tuple[pl.DataFrame, int]:
    """The map of a trace in at most about so many rows, and its R."""
    table = rows.select(
        (pl.col("time_ns") // window_ns).cast(pl.UInt32).alias("window"),
        pl.col("op").cast(pl.String),
        pl.col("offset_bytes").cast(pl.UInt64),
        pl.col("size_bytes").cast(pl.UInt32),
        copies=pl.lit(1, pl.UInt32),
        again=pl.lit(1, pl.UInt32),
    )
    if len(table) <= rows_max:
        return table.cast(SCHEMA), 1  # type: ignore[arg-type]
    # What has no address is sampled by its turn, as if each were a chunk of its own.
    table = table.with_columns(
        chunk=pl.when(pl.col("size_bytes") > 0)
        .then((pl.col("offset_bytes") // CHUNK_BYTES).cast(pl.Int64))
        .otherwise(-1 - pl.int_range(pl.len()))
    ).with_row_index()
    chunks = table.group_by("chunk").agg(requests=pl.len(), written=(pl.col("op") == "write").sum())
    is_hot = pl.col("requests") > HOT_SHARE * len(table)
    hot, others = chunks.filter(is_hot), chunks.filter(~is_hot).sort("written", "requests", "chunk")
    again = max(1, -(-2 * int(hot["requests"].sum()) // rows_max))
    left = max(rows_max - int(hot["requests"].sum()), rows_max // 2)
    rate = max(1, -(-int(others["requests"].sum()) // left))
    picked = others[rate // 2 :: rate].select("chunk", copies=pl.lit(rate, pl.UInt32))
    mine = pl.col("chunk").is_in(hot["chunk"].implode())
    nth = table.filter(mine).filter(pl.int_range(pl.len()).over("chunk") % again == 0)
    others = table.drop("copies").join(picked, on="chunk", how="inner")
    found = pl.concat([nth.with_columns(again=pl.lit(again, pl.UInt32)), others.select(nth.columns)]).sort(
        "index"
    )
    return found.select(*SCHEMA).cast(SCHEMA), rate  # type: ignore[arg-type]


def unfold(table: pl.DataFrame, span_bytes: int) -> pl.DataFrame:
    """The requests of all that a map represents, in order: `window`, `op`, `offset_bytes`, `size_bytes`."""
    copies, again = (table[name].to_numpy().astype(np.int64) for name in ("copies", "again"))
    counts = copies * again
    if len(counts) == 0 or counts.max() == 1:
        return table.drop("copies", "again")
    window = table["window"].to_numpy().astype(np.int64)
    chunk = _chunks(table)
    together = _together(table, chunk, window)
    row = np.repeat(np.arange(len(counts)), counts)
    turn = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    copy, time = turn // again[row], turn % again[row]
    # What comes again comes on the way to the next request to its chunk.
    at = np.where(again[row] > 1, row + time / again[row] * _until(chunk)[row], together[row])
    order = np.lexsort((row, copy, at))
    at, row, copy = at[order], row[order], copy[order]
    moved = _moved(table, chunk, copies, span_bytes)(row, copy)
    found = table[row].drop("copies", "again")
    size, offset = found["size_bytes"].to_numpy(), found["offset_bytes"].to_numpy().astype(np.int64)
    offset = np.clip(offset + moved * CHUNK_BYTES, 0, np.maximum(span_bytes - size.astype(np.int64), 0))
    return found.with_columns(
        pl.Series("window", window[at.astype(np.int64)], dtype=pl.UInt32),
        pl.Series("offset_bytes", offset, dtype=pl.UInt64),
    )


def _chunks(table: pl.DataFrame) -> Whole:
    """The chunk that each request begins in; -1 where it has no address."""
    chunk = (table["offset_bytes"] // CHUNK_BYTES).to_numpy().astype(np.int64)
    return np.where(table["size_bytes"].to_numpy() > 0, chunk, -1)


def _together(table: pl.DataFrame, chunk: Whole, window: Whole) -> Whole:
    """Of each request the first of those that are accessed before their copies are.

    A stretch of requests to a chunk up to its end is followed by its copies, as a run is by the next chunk; others go
    `TOGETHER` at a time, from chunk to chunk as in the trace.
    """
    begins = np.r_[True, (chunk[1:] != chunk[:-1]) | (window[1:] != window[:-1])]
    first = np.flatnonzero(begins)
    last = np.r_[first[1:], len(chunk)] - 1
    end = (table["offset_bytes"] + table["size_bytes"]).to_numpy().astype(np.int64)[last]
    runs = end >= (chunk[last] + 1) * CHUNK_BYTES
    new = np.r_[True, (window[first][1:] != window[first][:-1])] | runs | np.r_[False, runs[:-1]]
    since = np.arange(len(first)) - np.maximum.accumulate(np.where(new, np.arange(len(first)), 0))
    new |= since % TOGETHER == 0
    head = first[np.maximum.accumulate(np.where(new, np.arange(len(first)), 0))]
    found: Whole = head[np.cumsum(begins) - 1]
    return found


def _until(chunk: Whole) -> Whole:
    """How many requests later the next comes to the chunk of each; none after the last."""
    at = np.arange(len(chunk))
    order = np.lexsort((at, chunk))
    follows = np.r_[chunk[order][1:] == chunk[order][:-1], False]
    found = np.zeros(len(chunk), dtype=np.int64)
    found[order[follows]] = np.diff(order)[follows[:-1]]
    return found


def _moved(
    table: pl.DataFrame, chunk: Whole, copies: Whole, span_bytes: int
) -> Callable[[Whole, Whole], Whole]:
    """By how many chunks a copy of a request is behind it."""
    known, first, place = np.unique(chunk, return_index=True, return_inverse=True)
    end = (table["offset_bytes"] + table["size_bytes"]).to_numpy().astype(np.int64)
    wide = np.zeros(len(known), dtype=np.int64)
    np.maximum.at(wide, place, -(-end // CHUNK_BYTES) - chunk)
    times = np.where(known < 0, 1, copies[first])
    begin = np.cumsum(times) - times
    moves = np.array(list(_moves(known, wide, times, max(1, span_bytes // CHUNK_BYTES))), dtype=np.int64)
    of = begin[place]
    last = times[place] - 1
    return lambda row, copy: moves[of[row] + np.minimum(copy, last[row])]


def _moves(known: Whole, wide: Whole, times: Whole, behind: int) -> Iterator[int]:
    """Of each chunk and copy by how many chunks that is behind the first: where no known chunk is, or from 0 again."""
    taken = list(zip(known.tolist(), (known + wide).tolist(), strict=True))
    at = beside = 0
    for (number, end), count in zip(taken, times.tolist(), strict=True):
        length = end - number
        if number >= at:
            at, beside = end, 0
        yield 0
        for _ in range(1, count):
            if at + length > behind:
                at, beside = 0, 0
            while beside < len(taken) and taken[beside][0] < at + length:
                at = max(at, taken[beside][1])
                beside += 1
            yield at - number
            at += length
