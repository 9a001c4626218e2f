"""OpenCAS: `casadm -P -i ID -o csv`, or the tables of `casadm -P -i ID`.

The CSV is a line of titles with units in brackets and a line of values. A table is rows `| Title | Count | % | Units |`
(lines of `+`, `|` or box-drawing signs around them) below `Key  value` lines. Blocks are of 4 KiB. Read are the figures
of a whole cache; those of a core, of an I/O class, or some with `-f` lack fields and are refused by name.

    bytes written to the cache = writes of the host that it takes + fills
    fills ≤ blocks read from the cores;  writes of the host ≤ blocks written to the exported objects

The two are not counted apart, and these bounds give each a low and a high end; they meet where nothing passes through.
Since April 2026 (OCF c46441b8) cleaning is counted apart (`Cleaner core writes`); before, writes to the cores include
it, and in a write-back cache whatever of them did not pass through is cleaning. Left out: writes of the cache's
metadata, which OpenCAS does not count. Source: Open-CAS/open-cas-linux `casadm/statistics_model.c`, Open-CAS/ocf
`ocf_stats.c`, `ocf_stats_builder.c`.
"""

import csv
import re
from collections.abc import Iterator

from drivecast.caching.cache_sample import Fields, Meaning, Period, Sample, Source, notable, ratio
from drivecast.document.cache_status import Dirty, Limit, Requests, Traffic, Written
from drivecast.errors import HintedError
from drivecast.quantity.interval import Interval

BLOCK_BYTES = 4096
FULL = 0.95
ALL_DIRTY = 0.9
HOW = "`casadm -P -i ID -o csv > FILE` for a whole cache"
CELL_MAX = 300

_REQUESTS = (
    "Read hits",
    "Read partial misses",
    "Read full misses",
    "Read total",
    "Write hits",
    "Write partial misses",
    "Write full misses",
    "Write total",
    "Pass-Through reads",
    "Pass-Through writes",
)
_BLOCKS = (
    "Reads from core(s)",
    "Writes to core(s)",
    "Reads from cache",
    "Writes to cache",
    "Reads from exported object(s)",
    "Writes to exported object(s)",
)
_CLEANER = "Cleaner core writes"
_PREFETCHED = "Prefetch cache writes: readahead"
_ERRORS = "Total errors"
_USAGE = ("Occupancy", "Free", "Clean", "Dirty")
_SETTINGS = (
    "Write Policy",
    "Cleaning Policy",
    "Promotion Policy",
    "Prefetch Policy",
    "Cache line size",
    "Status",
)
_IDENTITY = ("Cache Id", "Cache Size", "Cache Device")
_BAR = re.compile(r"\s*[|│║]\s*")
_TITLE = re.compile(r"^(?P<title>.*?)\s*\[(?P<unit>[^\]]*)\]$")


def is_csv(text: str) -> bool:
    """Whether a text begins with the titles of the CSV."""
    return text.lstrip().startswith("Cache Id,")


def is_table(text: str) -> bool:
    """Whether a text holds the tables."""
    return re.search(r"^Cache Id\s+\d+\s*$", text, re.M) is not None


def of_csv(source: Source) -> Sample:
    """Return the sample in the CSV."""
    lines = [(number, line) for number, line in enumerate(source.text.splitlines(), 1) if line.strip()]
    if len(lines) < 2:
        raise HintedError(f"{source.at(1)}: OpenCAS's titles without values", f"the file is cut off; {HOW}")
    if len(lines) > 2:
        place = source.at(lines[2][0])
        raise HintedError(f"{place}: expected two lines, found {len(lines)}: a file holds one sample", HOW)
    titles, values = (next(csv.reader([line])) for _, line in lines)
    if len(titles) != len(values):
        raise HintedError(
            f"{source.at(lines[1][0])}: {len(values)} values for {len(titles)} titles",
            f"the file is cut off here, or of another version of OpenCAS; {HOW}",
        )
    texts: dict[tuple[str, str], tuple[str, int]] = {}
    for title, value in zip(titles, values, strict=True):
        found = _TITLE.match(title)
        key = (found["title"], found["unit"]) if found else (title, "")
        texts[key] = (value, lines[1][0])
    return _sample(source, texts)


def of_table(source: Source) -> Sample:
    """Return the sample in the tables."""
    texts: dict[tuple[str, str], tuple[str, int]] = {}
    for number, line in enumerate(source.text.splitlines(), 1):
        cells = [cell for cell in _BAR.split(line.strip()) if cell]
        if len(cells) == 4 and cells[1].isdigit():
            key = (cells[0], cells[3])
        elif len(cells) == 1 and (pair := re.match(r"(\S+(?: \S+)*)\s{2,}(\S.*)$", line.strip())):
            value, key = pair[2], (pair[1], "")
            if sized := re.match(r"(\d+) \[([^\]]+)\]", value):
                key, value = (pair[1], sized[2]), sized[1]
            cells = [pair[1], value]
        else:
            continue
        if key in texts:
            raise HintedError(
                f"{source.at(number)}: `{key[0]}` is there twice, first in line {texts[key][1]}",
                "a file holds one sample of a cache; give the later one as the second file",
            )
        texts[key] = (cells[1], number)
    return _sample(source, texts)


def _sample(source: Source, texts: dict[tuple[str, str], tuple[str, int]]) -> Sample:
    fields = Fields(source, "OpenCAS's statistics")
    plain: dict[str, str] = {}
    for (title, unit), (text, line) in texts.items():
        if unit.lower() in ("requests", "4kib blocks") and title != "Inactive Occupancy":
            fields.put(title, text, line)
        elif unit != "%" and title in (*_SETTINGS, *_IDENTITY):
            plain[title] = f"{text} {unit}".strip()[:CELL_MAX]
    if "Status" in plain and plain["Status"].startswith("Standby"):
        raise HintedError(
            f"{source.place}: the cache is on standby and counts nothing", "give an active cache"
        )
    fields.need("Cache Size", *_USAGE, *_REQUESTS, *_BLOCKS)
    names = (*_REQUESTS, *_BLOCKS, _CLEANER, _PREFETCHED, _ERRORS)
    identity = {key: text for key, text in plain.items() if key in ("Cache Id", "Cache Device")}
    values = fields.values
    return Sample(
        "open-cas",
        source.place,
        plain.get("Cache Device", ""),
        {**identity, "Cache Size": str(values["Cache Size"])},
        {name: float(values[name]) for name in names if name in values},
        {name: float(values[name]) for name in ("Cache Size", *_USAGE)},
        {key: plain[key] for key in _SETTINGS if key in plain},
    )


def explain(period: Period) -> Meaning:
    """Say what the counters mean."""
    sample = period.last
    return Meaning(
        requests=_requests(period),
        traffic=_traffic(period),
        dirty=_dirty(period),
        size_bytes=round(sample.gauges["Cache Size"] * BLOCK_BYTES),
        used_bytes=round(sample.gauges["Occupancy"] * BLOCK_BYTES),
        block_bytes=BLOCK_BYTES,
        block_known="published",
        limits=_limits(period),
        notes=(*sample.notes, *_odd(sample)),
    )


def _requests(period: Period) -> Requests:
    count = period.count
    past_reads, past_writes = count("Pass-Through reads"), count("Pass-Through writes")
    reads, writes = count("Read total") + past_reads, count("Write total") + past_writes
    hits, write_hits = count("Read hits"), count("Write hits")
    return Requests(
        unit="requests",
        reads=reads,
        writes=writes,
        read_hits=hits,
        write_hits=write_hits,
        uncached_reads=past_reads,
        uncached_writes=past_writes,
        hit_ratio=ratio(hits + write_hits, reads + writes),
        read_hit_ratio=ratio(hits, reads),
        write_hit_ratio=ratio(write_hits, writes),
        uncached_ratio=ratio(past_reads + past_writes, reads + writes),
        reads_per_s=period.per_s(reads),
        writes_per_s=period.per_s(writes),
    )


def _traffic(period: Period) -> Traffic:
    count = period.count
    host = count("Writes to exported object(s)") * BLOCK_BYTES
    prefetched = count(_PREFETCHED) * BLOCK_BYTES
    data = count("Writes to cache") * BLOCK_BYTES
    # What is written is one or the other: the most of one leaves the least of the other.
    fills_most = float(min(data, count("Reads from core(s)") * BLOCK_BYTES))
    host_most = float(min(data, host))
    fills = (
        Interval(data - host_most, (fills_most + data - host_most) / 2, fills_most)
        if (data - host_most <= fills_most)
        else Interval.exactly(data - host_most)
    )
    taken = Interval(data - fills.high, data - fills.value, data - fills.low)
    fills = fills.rising(lambda fill: fill + prefetched)
    total = data + prefetched
    return Traffic(
        host_written_bytes=Interval.exactly(host),
        host_written_known="measured",
        drive_written=[
            Written(
                cause=cause,  # type: ignore[arg-type]
                bytes=part,
                share=ratio(part.value, total),
                per_host_write=part.value / host if host else None,
            )
            for cause, part in (("host-writes", taken), ("fills", fills))
        ],
        drive_written_bytes=Interval.exactly(total),
        drive_written_bytes_per_s=period.per_s(total),
        drive_read_bytes=count("Reads from cache") * BLOCK_BYTES,
        disk_read_bytes=count("Reads from core(s)") * BLOCK_BYTES,
        disk_written_bytes=(count("Writes to core(s)") + count(_CLEANER)) * BLOCK_BYTES,
    )


def _dirty(period: Period) -> Dirty:
    sample = period.last
    dirty = sample.gauges["Dirty"] * BLOCK_BYTES
    mode = sample.settings.get("Write Policy", "")
    if mode not in ("wb", "wo", "") and not dirty:
        return Dirty(bytes=0, known="measured", fraction=0.0, missing="no-write-back")
    change = period.change("Dirty")
    cleaned = _cleaned(period, mode)
    return Dirty(
        bytes=round(dirty),
        known="measured",
        fraction=sample.share("Dirty", "Cache Size"),
        aim_fraction=None,
        cleaned_bytes_per_s=period.per_s(cleaned),
        grows_bytes_per_s=period.per_s(None if change is None else change * BLOCK_BYTES),
    )


def _cleaned(period: Period, mode: str) -> float | None:
    """Bytes written back: counted apart, or known where nothing else is written to the cores."""
    if period.has(_CLEANER):
        return period.count(_CLEANER) * BLOCK_BYTES
    alone = mode in ("wb", "wo") and not period.count("Pass-Through writes")
    return period.count("Writes to core(s)") * BLOCK_BYTES if alone else None


def _limits(period: Period) -> tuple[Limit, ...]:
    count, sample = period.count, period.last
    past = count("Pass-Through reads") + count("Pass-Through writes")
    served = count("Read total") + count("Write total") + past
    used, dirty = sample.share("Occupancy", "Cache Size"), sample.share("Dirty", "Occupancy")
    misses = count("Read full misses") + count("Read partial misses")
    policy = sample.settings.get("Promotion Policy", "always")
    return notable(
        Limit(kind="all-dirty", found=dirty, limit=ALL_DIRTY, setting=sample.settings.get("Cleaning Policy"))
        if dirty is not None and dirty >= ALL_DIRTY and used is not None and used >= FULL
        else None,
        Limit(
            kind="size-or-policy" if policy == "always" else "promotions-stopped",
            share=ratio(past, served),
            setting="seq-cutoff" if policy == "always" else f"promotion policy {policy}",
        ),
        Limit(
            kind="misses" if used is not None and used >= FULL else "cold",
            share=ratio(misses, count("Read total") + count("Pass-Through reads")),
            found=used,
        ),
        Limit(kind="errors", found=count(_ERRORS)) if count(_ERRORS) else None,
    )


def _odd(sample: Sample) -> Iterator[str]:
    """Yield a note where figures contradict each other: OpenCAS prints such after some errors."""
    if sample.gauges["Occupancy"] > sample.gauges["Cache Size"]:
        yield "more blocks are occupied than the cache has: its own figures contradict each other"
