"""Miss ratios over sizes and policies in words and tables, for the terminal."""

from collections.abc import Iterator

from rich.text import Text

from drivecast.document.cache import CacheCurves, CacheLatency, CachePoint, Memory, SimulatedSize
from drivecast.present import answer, grid
from drivecast.quantity import number
from drivecast.quantity.interval import Span

TITLES = {
    "lru": "LRU",
    "fifo": "FIFO",
    "clock": "CLOCK",
    "arc": "ARC",
    "lirs": "LIRS",
    "2q": "2Q",
    "s3-fifo": "S3-FIFO",
    "sieve": "SIEVE",
    "w-tinylfu": "W-TinyLFU",
    "random": "Random",
    "belady": "Belady",
}
UNITS = {"block": "4 KiB blocks", "object": "objects"}


def lines(found: CacheCurves) -> list[str | Text]:
    """Return the curves."""
    return [
        *_head(found),
        *_memory(found.memory),
        *_ratios(found),
        *_writes(found),
        *_latency(found.latency),
        *_knees(found),
    ]


def _head(found: CacheCurves) -> Iterator[str | Text]:
    yield f"A cache for {grid.clean(found.workload)}, empty at first"
    length = number.duration(found.duration_s) if found.duration_s > 0 else None
    yield from grid.pairs(
        [
            ("references", f"{found.requests:,} to {UNITS[found.by]}, {found.reads:,} of them reads"),
            (
                "footprint",
                f"{number.binary_size(found.footprint_bytes)} in {found.objects:,} {UNITS[found.by]}",
            ),
            ("length", length),
            ("drive", found.drive and f"{found.drive}, life by rated writes alone"),
            ("sample", None if found.rate >= 1 else f"{found.rate:.3g} of all; ± are 95 % intervals"),
        ]
    )


def _memory(memory: Memory | None) -> Iterator[str | Text]:
    if memory is None:
        return
    yield ""
    share = memory.read_hits / memory.reads if memory.reads else None
    more = (
        f"{number.binary_size(memory.size_bytes)} more memory takes away {number.percent(share)} of the reads"
    )
    if memory.read_hits_high is not None and memory.reads:
        more += f" at least, {number.percent(memory.read_hits_high / memory.reads)} at most"
    yield f"{more}; what follows is the cache behind it"
    yield from grid.wrapped(
        "assumed: LRU behind the buffer pool, which holds what the pool has just read as well; writes go past it",
        indent=2,
    )


def _ratios(found: CacheCurves) -> Iterator[str | Text]:
    yield ""
    yield "Miss ratio (%) by size of the cache"
    rows = [[number.binary_size(size), *map(_ratio, points)] for size, points in found.by_size()]
    yield from grid.table(
        ["size", *(TITLES.get(policy, policy) for policy in found.policies)], rows, indent=2
    )


def _ratio(point: CachePoint) -> str:
    text = f"{point.miss_ratio * 100:.2f}"
    if point.miss_ratio_low is None or point.miss_ratio_high is None:
        return text
    return f"{text} ±{(point.miss_ratio_high - point.miss_ratio_low) * 50:.2f}"


def _writes(found: CacheCurves) -> Iterator[str | Text]:
    policy = found.policies[0]
    yield ""
    yield f"Under {TITLES.get(policy, policy)}"
    rows = [
        (
            number.binary_size(point.size_bytes),
            number.percent(point.read_miss_ratio),
            number.percent(point.write_miss_ratio),
            number.binary_size(point.fill_bytes + point.write_bytes),
            number.size(point.cache_written_bytes_per_day),
            number.binary_size(point.write_back_bytes),
            number.binary_size(point.dirty_bytes),
            *(() if found.drive is None else (number.years(point.drive_life_years),)),
        )
        for point in found.curves
        if point.policy == policy
    ]
    heads = (
        "size",
        "read\nmisses",
        "write\nmisses",
        "written to\nthe cache",
        "a day",
        "written\nback",
        "dirty at\nthe end",
        *(() if found.drive is None else ("life of\nthe drive",)),
    )
    yield from grid.table(heads, rows, indent=2)


LATENCY_HEADS = (
    "<\n",
    "size\n",
    "warm\nhits",
    "reads ms\np50",
    "<\np99",
    "writes ms\np50",
    "<\np99",
    "from empty\nhits",
    "reads ms\np99",
    "writes ms\np99",
    "<\n",
)


def _latency(found: CacheLatency | None) -> Iterator[str | Text]:
    if found is None:
        return
    yield ""
    yield from grid.wrapped(latency_title(found))
    yield from grid.table(LATENCY_HEADS, [latency_cells(row) for row in found.rows], indent=2)
    yield from grid.wrapped(LATENCY_READING, indent=2)


LATENCY_READING = (
    "simulated. Warm: the cache has seen the trace before, hits at the most; from empty: at the least. A real cache "
    "lies between. In brackets 80 % intervals, by how far predictions of such drives were off"
)


def latency_title(found: CacheLatency) -> str:
    """Return what was simulated: devices, and the part of the trace."""
    part = "" if found.part == "log" else f", over the busiest {number.duration(found.length_s)} of the trace"
    return f"Latency of a cache on {found.fast} before {found.slow}{part}"


def latency_cells(row: SimulatedSize) -> list[str]:
    """Return the figures of a size."""
    empty = row.from_empty
    return [
        row.program or "no cache",
        number.ABSENT if row.size_bytes is None else number.binary_size(row.size_bytes),
        number.percent(row.warm.read_hit_ratio),
        _ms(row.warm.read_p50_ns),
        answer.with_span(number.milliseconds, row.warm.read_p99_ns),
        _ms(row.warm.write_p50_ns),
        answer.with_span(number.milliseconds, row.warm.write_p99_ns),
        number.percent(empty.read_hit_ratio if empty else None),
        _ms(empty.read_p99_ns if empty else None),
        _ms(empty.write_p99_ns if empty else None),
        "falls behind" if row.warm.saturated or (empty is not None and empty.saturated) else "",
    ]


def _ms(span: Span | None) -> str:
    return number.milliseconds(span.value if span else None)


def _knees(found: CacheCurves) -> Iterator[str | Text]:
    if not found.knees:
        return
    yield ""
    yield "Cache for 90 % of achievable hits"
    rows = [
        (
            TITLES.get(knee.policy, knee.policy),
            number.binary_size(knee.size_bytes),
            f"{knee.miss_ratio * 100:.2f} % miss",
            "" if knee.exact else "of the sizes above",
        )
        for knee in found.knees
    ]
    yield from grid.table(("<", "", "", "<"), rows, indent=2)
