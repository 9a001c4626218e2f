"""Which addresses a trace accessed, in the order of its accesses: how long ago, not only where.

Model. The requests of the whole trace, without their times: window, operation, offset and size. All of them where
they fit into `ROWS_MAX`; otherwise the address space is cut into chunks of `CHUNK_BYTES`, of which the map has every
R-th, with R `copies`, when they are ordered by what is written to them and read from them (systematic sampling; in
space, as SHARDS: Waldspurger and others, FAST 2015). All requests that begin in a chunk of the sample are in the map,
so reuse and update distances within it are those of the trace, over R. A chunk with more than `HOT_SHARE` of all
requests is in it for itself; where these chunks fill half of the map, with each T-th of their requests, which come T
times (`again`): short distances are shorter yet.

`unfold` makes the requests of the whole of it: each chunk of the sample with R - 1 copies at free chunks after it. In
a window the copies access one after another what the chunk accesses at a stretch, so runs stay together.

Left out: a request that begins in one chunk and ends in the next is whole, and is of the first; copies of it may
reach into a neighbour's.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

CHUNK_BYTES = 1 << 20
ROWS_MAX = 1_000_000
"""About 3 MB as they are stored."""
HOT_SHARE = 0.001

SCHEMA = {
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
    )
    chunks = table.group_by("chunk").agg(requests=pl.len(), written=(pl.col("op") == "write").sum())
    is_hot = pl.col("requests") > HOT_SHARE * len(table)
    hot, others = chunks.filter(is_hot), chunks.filter(~is_hot).sort("written", "requests", "chunk")
    again = -(-2 * int(hot["requests"].sum()) // rows_max) if len(hot) else 1
    left = max(rows_max - int(hot["requests"].sum()), rows_max // 2)
    rate = max(1, -(-int(others["requests"].sum()) // left))
    picked = others[rate // 2 :: rate].select("chunk", copies=pl.lit(rate, pl.UInt32))
    mine = pl.col("chunk").is_in(hot["chunk"].implode())
    burning = (
        table.with_row_index().filter(mine).gather_every(again).with_columns(again=pl.lit(again, pl.UInt32))
    )
    others = table.with_row_index().drop("copies").join(picked, on="chunk", how="inner")
    found = pl.concat([burning, others.select(burning.columns)]).sort("index")
    return found.select(*SCHEMA).cast(SCHEMA), rate  # type: ignore[arg-type]


def unfold(table: pl.DataFrame, span_bytes: int) -> pl.DataFrame:
    """The requests of all that a map represents, in order: `window`, `op`, `offset_bytes`, `size_bytes`."""
    copies, again = (table[name].to_numpy().astype(np.int64) for name in ("copies", "again"))
    counts = copies * again
    if len(counts) == 0 or counts.max() == 1:
        return table.drop("copies", "again")
    window = table["window"].to_numpy().astype(np.int64)
    chunk = _chunks(table)
    stretch = np.cumsum(np.r_[True, (chunk[1:] != chunk[:-1]) | (window[1:] != window[:-1])])
    row = np.repeat(np.arange(len(counts)), counts)
    copy = (np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)) // again[row]
    turn = np.lexsort((row, copy, stretch[row]))
    row, copy = row[turn], copy[turn]
    moved = _moved(chunk, copies, span_bytes, row, copy)
    found = table[row].drop("copies", "again")
    size, offset = found["size_bytes"].to_numpy(), found["offset_bytes"].to_numpy().astype(np.int64)
    offset = np.clip(offset + moved * CHUNK_BYTES, 0, np.maximum(span_bytes - size.astype(np.int64), 0))
    return found.with_columns(pl.Series("offset_bytes", offset.astype(np.uint64)))


def _chunks(table: pl.DataFrame) -> Whole:
    """The chunk that each request begins in; -1 where it has no address."""
    chunk = (table["offset_bytes"] // CHUNK_BYTES).to_numpy().astype(np.int64)
    return np.where(table["size_bytes"].to_numpy() > 0, chunk, -1)


def _moved(chunk: Whole, copies: Whole, span_bytes: int, row: Whole, copy: Whole) -> Whole:
    """By how many chunks each copy lies after its own: the free ones that follow, from the start again at the end."""
    known, first, place = np.unique(chunk, return_index=True, return_inverse=True)
    times = copies[first]
    begin = np.cumsum(times) - times
    moves = np.zeros(int(times.sum()), dtype=np.int64)
    behind, taken, at = max(1, span_bytes // CHUNK_BYTES), set(known.tolist()), 0
    for number, start, count in zip(known.tolist(), begin.tolist(), times.tolist(), strict=True):
        at = max(at, number + 1)
        for turn in range(1, count if number >= 0 else 0):
            at = _free(at, taken, behind)
            if at < behind:
                moves[start + turn] = at - number
                taken.add(at)
    found: Whole = moves[begin[place[row]] + copy]
    return found


def _free(at: int, taken: set[int], behind: int) -> int:
    """The next chunk that is not taken, from the start again at the end; `behind` where there is none."""
    for begin in (at, 0):
        at = begin
        while at in taken:
            at += 1
        if at < behind:
            return at
    return behind
