"""More data: the footprint g times as large, at the same rate.

Model. The address space is cut into extents of `EXTENT_BYTES`, as long as a disk is faster in one than between two. An
extent becomes ⌊g⌋ or ⌈g⌉ of them, so that there are g on average; in each window its requests go to one of
these, drawn by a hash (BLAKE2b) of window and extent. So runs within an extent stay together, and what is accessed in
window after window is g times as far apart. Left out: what is accessed in a single window is no more than it was.
"""

import hashlib
import math

import numpy as np
import polars as pl
from numpy.typing import NDArray

from drivecast.errors import InputError
from drivecast.model.change.stretches import Tables

EXTENT_BYTES = 16 << 20
TIMES_MAX = 64.0
NUMBER = float(1 << 48)
STREAM = b"growth"


def grown(found: Tables, times: float, seed: int) -> Tables:
    """The same requests over so many times the data.

    Raises `InputError` for less than 1: data that is left out is what its requests are about.
    """
    if not 1 <= times <= TIMES_MAX:
        raise InputError(f"a footprint {times:.4g} times as large; expected 1 to {TIMES_MAX:g}")
    span = found.header.span_bytes
    if span * math.ceil(times) >= 1 << 63:
        raise InputError(f"{times:g} times {span} bytes: beyond 8 EiB")
    played, whole = (_spread(each.rows, times, span, seed) for each in (found.played, found.whole))
    return found.each(played, whole, span_bytes=span * math.ceil(times))


def _spread(rows: pl.DataFrame, times: float, span: int, seed: int) -> pl.DataFrame:
    extent = (rows["offset_bytes"] // EXTENT_BYTES).to_numpy().astype(np.int64)
    window = rows["window"].to_numpy().astype(np.int64)
    pairs, place = np.unique(np.c_[extent, window], axis=0, return_inverse=True)
    extents, of = np.unique(pairs[:, 0], return_inverse=True)
    counts = math.floor(times) + (_drawn([(number,) for number in extents.tolist()], seed) < times % 1)
    drawn = _drawn([tuple(pair) for pair in pairs.tolist()], seed)
    copy = (drawn * counts[of]).astype(np.int64)[place.reshape(-1)]
    size = rows["size_bytes"].to_numpy()
    offset = rows["offset_bytes"].to_numpy().astype(np.int64) + np.where(size > 0, copy * span, 0)
    return rows.with_columns(pl.Series("offset_bytes", offset, dtype=pl.UInt64))


def _drawn(numbers: list[tuple[int, ...]], seed: int) -> NDArray[np.float64]:
    """A number in [0, 1) for each, the same whatever others there are."""
    found = (
        hashlib.blake2b(repr((seed, *each)).encode(), key=STREAM, digest_size=6).digest() for each in numbers
    )
    return np.array([int.from_bytes(digest) / NUMBER for digest in found])
