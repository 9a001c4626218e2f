"""How much of a log a cache may serve: what is met again, and what is met for the first time.

MODEL. The log is played through LRU caches without time (`crates/workload/src/eviction`), by block of 4 KiB. Its second
half counts, and its first half warms the cache: misses of the whole less misses of the first half, which LRU, who does
not look ahead, has in both. Some misses meet a block for the first time in the log. Nobody knows whether such a block
was met before the log began. Assumed: that it may be any of the data, so that it is in the cache with the share of the
data that the cache holds; of uniform requests over all data the share of hits then is that of the data, as it is.

Warm-up is the time until an empty cache has met nine tenths of the blocks of the log that it can hold; blocks met by
parts of the log, a line between. Longer logs than `REFERENCES_MAX` references are a sample by blocks.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from drivecast import _core
from drivecast.caching import curve_knee
from drivecast.caching.cache_sizes import BLOCK_BYTES
from drivecast.caching.curve_knee import UNLIMITED
from drivecast.errors import InputError
from drivecast.lock import temporary_folder
from drivecast.quantity.year import DAY_S
from drivecast.stage import trace

REFERENCES_MAX = 2_000_000
PARTS = (1 / 64, 1 / 16, 1 / 4, 1 / 2)
"""Of the log, from its beginning; the last one is the half that warms the cache."""

Counts = dict[str, float]


@dataclass(frozen=True)
class Reuse:
    """The references of a log, and what caches make of them."""

    whole: "_core.Accesses"
    half: "_core.Accesses | None"
    """The first half; none where nothing is in it."""
    met: tuple[tuple[float, float], ...]
    """Share of the log, and the distinct blocks met until then."""
    known: dict[int, Counts] = field(default_factory=dict, compare=False, repr=False)
    """The second half by size of the cache."""

    def late(self, size_bytes: int) -> Counts:
        """What the log's second half does in a cache of a size that its first half warmed."""
        if size_bytes not in self.known:
            before = {} if self.half is None else self.half.play("lru", size_bytes, seed=0)
            after = self.whole.play("lru", size_bytes, seed=0)
            self.known[size_bytes] = {
                name: max(0.0, value - before.get(name, 0.0)) for name, value in after.items()
            }
        return self.known[size_bytes]

    @property
    def new_read_ratio(self) -> float:
        """The share of the second half's reads that meet a block for the first time."""
        new = self.late(UNLIMITED)
        return new["read_misses"] / new["reads"] if new["reads"] else 0.0

    def read_miss_ratio(self, size_bytes: int, data_bytes: int) -> float:
        """The share of reads that a cache before so much data is expected to miss."""
        again, new = self.read_misses(size_bytes)
        return again + new * max(0.0, 1 - size_bytes / data_bytes)

    def read_misses(self, size_bytes: int) -> tuple[float, float]:
        """The shares of reads that miss: of blocks that were met before, and of those that are new to the log."""
        found = self.late(size_bytes)
        if not found["reads"]:
            return 0.0, 0.0
        new = min(self.late(UNLIMITED)["read_misses"], found["read_misses"])
        return (found["read_misses"] - new) / found["reads"], new / found["reads"]

    def written_bytes_per_day(self, size_bytes: int) -> float:
        """What is written into the cache at the rate of the second half: by the host, and because it was read."""
        found, seconds = self.late(size_bytes), self.whole.duration_s * (1 - PARTS[-1])
        return (found["fill_bytes"] + found["write_bytes"]) * DAY_S / seconds if seconds > 0 else 0.0

    @property
    def references(self) -> float:
        """To blocks, reads and writes."""
        return self.whole.reads + self.whole.writes

    @property
    def footprint_bytes(self) -> int:
        """Of all distinct blocks."""
        return round(self.whole.footprint_bytes)

    @property
    def knee_bytes(self) -> int | None:
        """The smallest LRU cache with nine tenths of the hits of an unlimited one; none where nothing is met again."""
        (unlimited,), misses = self.whole.lru([UNLIMITED])
        least = curve_knee.miss_ratio(unlimited)
        knee = curve_knee.of("lru", [], curve_knee.falling(self.whole, misses), least)
        return None if knee is None else knee.size_bytes

    def sent_bytes_per_day(self, size_bytes: int, *, write_back: bool) -> tuple[float, float]:
        """What a cache sends its own drive and what is behind it to be written, at the rate of the second half."""
        found, seconds = self.late(size_bytes), self.whole.duration_s * (1 - PARTS[-1])
        behind = found["write_back_bytes" if write_back else "write_bytes"]
        return self.written_bytes_per_day(size_bytes), behind * DAY_S / seconds if seconds > 0 else 0.0

    def hit_ratio_from_empty(self, size_bytes: int) -> float:
        """The share of references that an LRU cache of a size serves, over the log from empty."""
        return 1.0 - curve_knee.miss_ratio(self.whole.play("lru", size_bytes, seed=0))

    def warm_up_s(self, size_bytes: int) -> float:
        """The time until an empty cache of a size has met what it can hold of the log."""
        wanted = curve_knee.ENOUGH * min(self.met[-1][1], size_bytes / BLOCK_BYTES)
        before = (0.0, 0.0)
        for share, blocks in self.met:
            if blocks >= wanted:
                part = (wanted - before[1]) / (blocks - before[1]) if blocks > before[1] else 0.0
                return self.whole.duration_s * (before[0] + part * (share - before[0]))
            before = (share, blocks)
        return self.whole.duration_s


@contextmanager
def as_table(files: Sequence[Path | str], reading: trace.Reading) -> Iterator[Path]:
    """The requests of a trace as one table, while the block runs.

    Raises `InputError` for what cannot be read, and for counters, which have no addresses.
    """
    with temporary_folder("drivecast-reuse-") as folder:
        file = folder / "whole.parquet"
        trace.convert(files, file, reading)
        yield file


def of(files: Sequence[Path | str], reading: trace.Reading) -> Reuse:
    """The references of a trace. Raises as `as_table`."""
    with as_table(files, reading) as file:
        return of_table(file)


def of_table(file: Path) -> Reuse:
    """The references of a table of requests."""
    with temporary_folder("drivecast-reuse-") as folder:
        whole = _accesses(file)
        parts = list(_parts(file, folder))
    met = [(share, part.objects) for share, part in parts if part is not None]
    return Reuse(whole, parts[-1][1], (*met, (1.0, whole.objects)))


def _parts(file: Path, folder: Path) -> "Iterator[tuple[float, _core.Accesses | None]]":
    """The beginnings of the log; none where a beginning has no reads and no writes."""
    time_ns = pl.col("time_ns")
    ends = pl.scan_parquet(file).select(low=time_ns.min(), high=time_ns.max()).collect().row(0, named=True)
    for share in PARTS:
        until = ends["low"] + math.ceil(share * (ends["high"] - ends["low"]))
        pl.scan_parquet(file).filter(time_ns < until).sink_parquet(part := folder / f"{share}.parquet")
        try:
            found = _accesses(part)
        except InputError:  # nothing happens that early
            found = None
        yield share, found if found is not None and found.reads + found.writes > 0 else None


def _accesses(file: Path) -> "_core.Accesses":
    return _core.Accesses.trace([str(file)], "block", trace.AS_IT_IS.to_core(), references_max=REFERENCES_MAX)
