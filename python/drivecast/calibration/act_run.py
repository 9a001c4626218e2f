"""Reads beside large writes: a table of ACT, the load generator of a key-value store.

Represented: each row is an open loop of three streams at fixed intervals, over the whole of a full drive:
reads of `record_bytes`, and as many large reads as large writes, which write the records again. A block
holds b records, and is read and written anew when half of them are out of date, so that w records a
second make 2 w/b large reads and as many large writes; the counts in the table agree within 0.1 %. Judged
is the share of all reads, small and large, beyond 1, 2, 4 and 8 ms.

Write amplification follows from the writes of the whole drive, which take days. So the drive is simulated
at 1/64 of its capacity, with its dies, blocks and rates; the run covers all of that. A share that no
request reached is taken as half a request. Capacity held back serves as spare. Left out: rows that say in
words what was held back, ACT's settings of the device, and how it queues.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from drivecast.calibration import load_table
from drivecast.calibration.drive_title import drive_titled
from drivecast.calibration.load_table import Wanted, any_drive
from drivecast.catalog import Catalog
from drivecast.catalog.drive import Drive
from drivecast.catalog.sheet import SsdSheet
from drivecast.document.model import Model, Open, Random, Size, Stream
from drivecast.document.outcome import Outcome
from drivecast.errors import InputError
from drivecast.stage import model_file, simulate

BOUNDS_US = (1024, 2048, 4096, 8192)
"""Those that are judged."""
SHARES = [f"share of reads beyond {us // 1024} ms" for us in BOUNDS_US]
SMALL, LARGE = "RAW_READS", "LB_READS"
"""What the columns of the two kinds of reads begin with; `READS` has the time in the generator, too."""
LARGE_A_BLOCK = 2
"""Large reads, and as many writes, for each block of records: half of it is out of date by then."""
SCALE = 64
READS = 9_600_000
"""Of one run. By then 1/64 of the drive has been written once."""
ALIGN_BYTES = 512
REQUESTS_MAX = 40_000_000
"""At which a run stops, whatever rates a table states."""
HELD_BACK = re.compile(r"(\d{1,2}(?:\.\d+)?) ?%")


@dataclass(frozen=True)
class Act:
    """A row: the load, and how many of the reads were slow."""

    drive: str
    record_bytes: int
    reads_per_s: float
    writes_per_s: float
    block_bytes: int
    used: float
    """Share of the capacity."""
    shares: tuple[float, ...]

    @property
    def large_per_s(self) -> float:
        """Large reads a second, and large writes."""
        return LARGE_A_BLOCK * self.writes_per_s / (self.block_bytes // self.record_bytes)

    def model(self, span_bytes: int) -> Model:
        """Return the three streams over a drive of this capacity."""
        small = ("reads", 1.0, self.record_bytes, ALIGN_BYTES, self.reads_per_s)
        large = [
            (name, read, self.block_bytes, self.block_bytes, self.large_per_s)
            for name, read in (("large reads", 1.0), ("large writes", 0.0))
        ]
        return Model(
            name="act",
            span_bytes=span_bytes // self.block_bytes * self.block_bytes,
            duration_s=READS / self.reads_per_s,
            streams=[_stream(*each) for each in (small, *large)],
        )


def _stream(name: str, read: float, size: int, align: int, rate: float) -> Stream:
    return Stream(
        name=name,
        read=read,
        sizes=[Size(bytes=size, share=1.0)],
        align_bytes=align,
        address=Random(),
        arrivals=Open(rate_iops=rate, gaps=1.0),
    )


def read(path: Path, catalog: Catalog, wanted: Wanted = any_drive) -> list[Act]:
    """Read the rows. Raises `InputError` with the line of what cannot be."""
    columns = ["device", "overprov", "record_bytes", "write_recs_s", "read_recs_s", "large_block_kb"]
    columns += [name for kind in (SMALL, LARGE) for name in (f"{kind}_total", *_columns(kind))]
    found = [(row, at, _used(row["overprov"])) for at, row in load_table.rows(path, columns, wanted)]
    return [_row(row, at, used, path, catalog) for row, at, used in found if used is not None]


def _columns(kind: str) -> list[str]:
    return [f"{kind}_pct_over_{us}us" for us in BOUNDS_US]


def _used(held_back: str) -> float | None:
    """Return the share of the capacity that was used; none where that is said in words."""
    if held_back in {"none", ""}:
        return 1.0
    share = HELD_BACK.fullmatch(held_back)
    return 1 - float(share[1]) / 100 if share else None


def _row(row: dict[str, str], at: str, used: float, path: Path, catalog: Catalog) -> Act:
    name = drive_titled(row["device"], path, catalog)
    if not isinstance(catalog.get(name).sheet, SsdSheet):
        raise InputError(f"{at}: device: expected a solid-state drive, found the disk `{name}`")
    block = load_table.whole(row, "large_block_kb", at) * 1024
    record = load_table.whole(row, "record_bytes", at)
    if record > block or record % ALIGN_BYTES:
        raise InputError(
            f"{at}: record_bytes: expected a multiple of {ALIGN_BYTES} up to the {block:,} bytes of "
            f"large_block_kb, found {record:,}"
        )
    counts = {kind: load_table.whole(row, f"{kind}_total", at) for kind in (SMALL, LARGE)}
    beyond = {kind: _falling(row, kind, at) for kind in counts}
    return Act(
        drive=name,
        record_bytes=record,
        reads_per_s=load_table.number(row, "read_recs_s", at),
        writes_per_s=load_table.number(row, "write_recs_s", at),
        block_bytes=block,
        used=used,
        shares=tuple(
            sum(counts[kind] * beyond[kind][bound] for kind in counts) / sum(counts.values())
            for bound in range(len(BOUNDS_US))
        ),
    )


def _falling(row: dict[str, str], kind: str, at: str) -> list[float]:
    """Return the shares of a kind of reads beyond the bounds; they must fall."""
    columns = _columns(kind)
    shares = [load_table.share(row, column, at, whole=100) for column in columns]
    for column, low, high in zip(columns[1:], shares, shares[1:], strict=False):
        if high > low:
            raise InputError(
                f"{at}: {column}: expected at most the {100 * low:g} % of the bound before, found {100 * high:g}"
            )
    return shares


def beyond(us: int) -> Callable[[Outcome], float]:
    """Return what finds the share of reads that took longer."""

    def share(outcome: Outcome) -> float:
        buckets = outcome.latencies.buckets("read")
        slow = sum(count for latency_ns, count in buckets if latency_ns > us * 1000)
        return max(slow, 0.5) / sum(count for _, count in buckets)

    return share


def smaller(drive: Drive, used: float) -> Drive:
    """Return the drive at 1/64 of its capacity: as many dies of fewer blocks."""
    sheet, shares = drive.sheet, {"user_gb": used / SCALE, "raw_gib": 1 / SCALE}
    capacity = sheet.capacity.model_copy(
        update={
            name: figure.model_copy(update={"value": figure.value * shares[name]})
            for name, figure in sheet.capacity
        }
    )
    return replace(drive, sheet=sheet.model_copy(update={"capacity": capacity}))


def play(row: Act, drive: Drive, catalog: Catalog, seed: int = 0) -> Outcome:
    """Simulate a row on the drive at 1/64 of its capacity."""
    small = smaller(drive, row.used)
    known = replace(catalog, drives={**catalog.drives, row.drive: small})
    options = simulate.Options(
        seed=seed, duration_s=READS / row.reads_per_s, requests=REQUESTS_MAX, warmup_s=load_table.WARMUP_S
    )
    load = model_file.workload(row.model(small.user_bytes), seed=seed)
    return simulate.simulate(row.drive, load, known, options)
