"""An address space whose extents are permuted by a key: where data lies is gone, how it is accessed is not.

Model. The span is cut into extents of equal length, a power of two: as large as leaves `EXTENTS` of them, within
`BYTES_MIN` and `BYTES_MAX`. Neighbours are joined into a block where a request crosses their boundary, or where one
begins there that one of the `REACH` before it ended at: a run. The blocks are put into the order of x + f u, with x
where a block begins, f `FAR` of the span, and u in [0, 1) a keyed hash (BLAKE2b) of its number. So a block moves by f
at most, but for the length of a block: what was near is still near, which disks are sensitive to. Nothing within a
block moves, so no request is cut, and pages are one to one: footprint, sizes, runs, reuse and update distances are what
they were. A permutation that would join what was apart into a run is drawn again. Whatever is shorter than an extent at
the end of the span keeps its place, with all that is joined to it.

Left out: seek distances between blocks, and where these lie in the stripes of an array; both change.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from drivecast.errors import InputError
from drivecast.stage import address_map

EXTENTS = 256
BYTES_MIN, BYTES_MAX = address_map.CHUNK_BYTES, 1 << 28
REACH = 64
"""Reads and writes after which a run may be resumed: as many streams are followed at most."""
FAR = 1 / 8
"""Of the span, that a block moves by: anywhere in the span, p99 on a busy disk was three times as long."""
BLOCKS_MIN = 32
"""That change places: of fewer the order is soon guessed."""
DRAWS = 64

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Permutation:
    """Blocks of an address space in another order."""

    extent_bytes: int
    begins: Whole
    """Of each block, in bytes, ascending; the first is 0."""
    moved: Whole
    """By how many bytes each is moved."""

    def block(self, table: pl.DataFrame) -> Whole:
        """The block that each request begins in."""
        offset = table["offset_bytes"].to_numpy().astype(np.int64)
        found: Whole = np.searchsorted(self.begins, offset, side="right") - 1
        return found

    def of(self, table: pl.DataFrame) -> pl.DataFrame:
        """The requests where they lie now; those without a size are at 0."""
        offset = table["offset_bytes"].to_numpy().astype(np.int64)
        offset = np.where(table["size_bytes"].to_numpy() > 0, offset + self.moved[self.block(table)], 0)
        return table.with_columns(pl.Series("offset_bytes", offset, dtype=pl.UInt64))


def extent_bytes(span_bytes: int) -> int:
    """The length of the extents of a span."""
    power: int = 1 << max(0, (span_bytes // EXTENTS).bit_length() - 1)
    return min(max(power, BYTES_MIN), BYTES_MAX)


def permutation(tables: Sequence[pl.DataFrame], span_bytes: int, key: bytes) -> Permutation:
    """A permutation of the address space of these requests: `op`, `offset_bytes`, `size_bytes`, each in turn.

    The same key gives the same permutation. Raises `InputError` where runs join too much for anything to move.
    """
    length = extent_bytes(span_bytes)
    edges = [_at_edges(table, length) for table in tables]
    joined = np.unique(np.concatenate([_crossed(table, length) for table in tables] + [_resumed(edges)]))
    begins = np.setdiff1d(np.arange(0, span_bytes, length), joined)
    ends = np.r_[begins[1:], span_bytes]
    is_free = (ends % length == 0) if span_bytes % length else np.ones(len(begins), dtype=bool)
    if is_free.sum() < BLOCKS_MIN:
        raise InputError(
            f"expected {BLOCKS_MIN} parts of the address space that runs do not join, found {is_free.sum()}: "
            "the addresses cannot be permuted without cutting runs"
        )
    before = _follows(edges)
    for draw in range(DRAWS):
        at = begins + FAR * span_bytes * _drawn(len(begins), key, draw)
        order = np.argsort(np.where(is_free, at, np.inf), kind="stable")
        places = np.empty(len(begins), dtype=np.int64)
        places[order] = np.r_[0, np.cumsum((ends - begins)[order])[:-1]]
        found = Permutation(length, begins, places - begins)
        if _follows([_moved(found, edge) for edge in edges]).equals(before):
            return found
    raise InputError(f"none of {DRAWS} permutations of the address space leaves its runs as they are")


def _drawn(blocks: int, key: bytes, draw: int) -> NDArray[np.float64]:
    """A number in [0, 1) for each block, by a hash under the key."""
    secret = hashlib.sha256(key).digest()
    digests = [
        hashlib.blake2b(f"{draw} {block}".encode(), key=secret, digest_size=6).digest()
        for block in range(blocks)
    ]
    return np.array([int.from_bytes(digest) / 2**48 for digest in digests])


def _crossed(table: pl.DataFrame, length: int) -> Whole:
    """The boundaries of extents that requests cross, in bytes."""
    offset = table["offset_bytes"].to_numpy().astype(np.int64)
    size = table["size_bytes"].to_numpy().astype(np.int64)
    first, last = offset // length + 1, (offset + size - 1) // length
    spans = np.unique(np.c_[first, last][(size > 0) & (first <= last)], axis=0)
    parts = [np.arange(begin, end + 1) for begin, end in spans]
    return np.concatenate([*parts, np.empty(0, dtype=np.int64)]).astype(np.int64) * length


def _at_edges(table: pl.DataFrame, length: int) -> pl.DataFrame:
    """The reads and writes that begin or end at a boundary: `turn`, `offset_bytes`, `size_bytes`, `end`."""
    is_io = pl.col("op").is_in(["read", "write"]) & (pl.col("size_bytes") > 0)
    data = table.filter(is_io).select(
        pl.int_range(pl.len()).alias("turn"),
        pl.col("offset_bytes").cast(pl.Int64),
        pl.col("size_bytes").cast(pl.Int64),
        end=pl.col("offset_bytes").cast(pl.Int64) + pl.col("size_bytes").cast(pl.Int64),
    )
    return data.filter((pl.col("offset_bytes") % length == 0) | (pl.col("end") % length == 0))


def _moved(found: Permutation, edges: pl.DataFrame) -> pl.DataFrame:
    offset = found.of(edges)["offset_bytes"].cast(pl.Int64)
    return edges.with_columns(offset, end=offset + edges["size_bytes"])


def _follows(edges: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Which requests resume which: `table`, `turn`, and the `since` turn that ended where it begins."""
    return pl.concat([_resume(each).with_columns(table=place) for place, each in enumerate(edges)]).drop(
        "offset_bytes"
    )


def _resumed(edges: Sequence[pl.DataFrame]) -> Whole:
    """Where they do, in bytes."""
    return np.concatenate([_resume(each)["offset_bytes"].to_numpy() for each in edges])


def _resume(edges: pl.DataFrame) -> pl.DataFrame:
    ended = edges.select("end", since="turn", until=pl.col("turn") + 1)
    found = edges.select("turn", "offset_bytes").join_asof(
        ended,
        left_on="turn",
        right_on="until",
        by_left="offset_bytes",
        by_right="end",
        check_sortedness=False,
    )
    return found.filter(pl.col("turn") - pl.col("since") <= REACH).select("turn", "since", "offset_bytes")
