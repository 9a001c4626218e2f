"""dm-writecache: the line of `dmsetup status`, with that of `dmsetup table` where it is there.

    writecache ERROR BLOCKS FREE UNDER-WRITEBACK                                                  (before kernel 5.15)
    … READS READ-HITS WRITES HITS-UNCOMMITTED HITS-COMMITTED AROUND ALLOCATED WAITED FLUSHES DISCARDS      (from 5.15)

Blocks from kernel 6.0 on, requests before. A block leaves the cache once it is written back, so what is not free is
dirty. Writes are cached unless they go around, so bytes written to the drive are (WRITES − AROUND) × block and fills
are none: the cache holds no reads. Blocks written back are ALLOCATED − DISCARDS − the change of what is used.
Left out: metadata, which is committed in 64 KiB pieces and not counted. Source: Linux,
Documentation/admin-guide/device-mapper/writecache.rst (6.4 and before 5.15), `dm-writecache.c`.
"""

from collections.abc import Iterator, Sequence

from drivecast.caching.cache_sample import Meaning, Period, Sample, notable, ratio, whole
from drivecast.caching.device_mapper import Target, with_tables
from drivecast.document.cache_status import Dirty, Limit, Requests, Traffic, Written
from drivecast.errors import HintedError
from drivecast.quantity.interval import Interval

_FIRST = ("error", "blocks", "free", "writeback")
_COUNTERS = (
    "reads",
    "read_hits",
    "writes",
    "write_hits_uncommitted",
    "write_hits_committed",
    "writes_around",
    "writes_allocated",
    "waits_for_free",
    "flushes",
    "discards",
)
BLOCK_BYTES = 4096
BLOCK_BYTES_MAX = 1 << 20
LOW_WATERMARK = 45.0
HIGH_WATERMARK = 50.0
"""Defaults, in percent of the blocks."""
HOW = "`dmsetup table NAME; dmsetup status NAME` prints both"
_WHERE_BLOCK = 3
"""Of the words of a table: type, origin, cache, block size, number of options, options."""


def of_targets(targets: Sequence[Target]) -> Iterator[Sample]:
    """Yield a sample of each cache among the targets."""
    own = [target for target in targets if target.target == "writecache"]
    tables = [target for target in own if target.rest[:1] in ("p", "s")]
    status = [target for target in own if target.rest[:1] not in ("p", "s")]
    if tables and not status:
        raise HintedError(f"{tables[0].place}: dm-writecache's table without its status", HOW)
    for target, table in with_tables(status, tables):
        yield _sample(target, table)


def _sample(target: Target, table: Target | None) -> Sample:
    words = target.rest.split()
    names = (*_FIRST, *_COUNTERS)
    if len(words) not in (len(_FIRST), len(names)):
        raise HintedError(
            f"{target.place}: dm-writecache's status has {len(words)} fields: expected {len(_FIRST)} (before kernel "
            f"5.15) or {len(names)}",
            "the line is cut off, or is of another version of dm-writecache; copy it again, whole",
        )
    values = {
        name: float(whole(word.lstrip("-") if name == "error" else word, f"{target.place}: {name}"))
        for name, word in zip(names, words, strict=False)
    }
    if values["free"] > values["blocks"] or not values["blocks"]:
        raise HintedError(
            f"{target.place}: {values['free']:.0f} of {values['blocks']:.0f} blocks are free",
            "copy the status again",
        )
    settings = _settings(table)
    return Sample(
        "dm-writecache",
        target.place,
        target.name,
        {
            "length": str(target.length),
            "blocks": f"{values['blocks']:.0f}",
            **({"name": target.name} if target.name else {}),
        },
        {name: values[name] for name in _COUNTERS if name in values},
        {**{name: values[name] for name in _FIRST}, "used": values["blocks"] - values["free"]},
        settings,
    )


def _settings(table: Target | None) -> dict[str, str]:
    """Return the settings of a table: options are words, or pairs of a word and a number."""
    if table is None:
        return {}
    words = table.rest.split()
    found = dict(zip(("type", "origin device", "cache device", "block size"), words, strict=False))
    found["block size"] = str(whole(found.get("block size", ""), f"{table.place}: block size"))
    if not 0 < int(found["block size"]) <= BLOCK_BYTES_MAX:
        raise HintedError(f"{table.place}: a block of {found['block size']} bytes", "copy the table again")
    options = words[_WHERE_BLOCK + 2 :]
    for at, word in enumerate(options):
        if not word.isdigit():
            found[word] = options[at + 1] if at + 1 < len(options) and options[at + 1].isdigit() else "on"
    for name in ("high_watermark", "low_watermark"):
        if name in found and not (found[name].isdigit() and len(found[name]) < 4 and int(found[name]) <= 100):
            raise HintedError(f"{table.place}: {name}: expected 0 to 100, found `{found[name]}`", HOW)
    return found


def explain(period: Period) -> Meaning:
    """Say what the counters mean."""
    sample = period.last
    stated = sample.settings.get("block size")
    block = int(stated) if stated else BLOCK_BYTES
    return Meaning(
        requests=_requests(period),
        traffic=_traffic(period, block),
        dirty=_dirty(period, block),
        size_bytes=round(sample.gauges["blocks"] * block),
        used_bytes=round(sample.gauges["used"] * block),
        block_bytes=block,
        block_known="measured" if stated else "assumed",
        limits=_limits(period),
        notes=sample.notes,
    )


def _hits(period: Period) -> int | None:
    if not period.has("writes"):
        return None
    return period.count("write_hits_uncommitted") + period.count("write_hits_committed")


def _requests(period: Period) -> Requests:
    found = period.found
    reads, writes = found("reads"), found("writes")
    return Requests(
        unit="blocks",
        reads=reads,
        writes=writes,
        read_hits=found("read_hits"),
        write_hits=_hits(period),
        dirty_write_hits=_hits(period),
        uncached_writes=found("writes_around"),
        read_hit_ratio=ratio(found("read_hits"), reads),
        write_hit_ratio=ratio(_hits(period), writes),
        dirty_write_hit_ratio=ratio(_hits(period), writes),
        uncached_ratio=ratio(found("writes_around"), writes),
        reads_per_s=period.per_s(reads),
        writes_per_s=period.per_s(writes),
    )


def _traffic(period: Period, block: int) -> Traffic:
    writes, around = period.found("writes"), period.found("writes_around")
    if writes is None or around is None:
        return Traffic(drive_written=[])
    host, cached = writes * block, max(0, writes - around) * block
    read = period.found("read_hits")
    return Traffic(
        host_written_bytes=Interval.exactly(host),
        host_written_known="derived",
        drive_written=[
            Written(
                cause="host-writes",
                bytes=Interval.exactly(cached),
                share=1.0 if cached else None,
                per_host_write=cached / host if host else None,
            )
        ],
        drive_written_bytes=Interval.exactly(cached),
        drive_written_bytes_per_s=period.per_s(cached),
        disk_read_bytes=None if read is None else max(0, period.count("reads") - read) * block,
        disk_written_bytes=None
        if (cleaned := _cleaned(period)) is None
        else round((cleaned + around) * block),
    )


def _cleaned(period: Period) -> float | None:
    """Blocks written back between two samples."""
    change = period.change("used")
    if change is None or not period.has("writes_allocated"):
        return None
    return max(0.0, period.count("writes_allocated") - period.count("discards") - change)


def _dirty(period: Period, block: int) -> Dirty:
    sample = period.last
    low = sample.settings.get("low_watermark", "")
    cleaned, change = _cleaned(period), period.change("used")
    return Dirty(
        bytes=round(sample.gauges["used"] * block),
        known="measured",
        fraction=sample.share("used", "blocks"),
        aim_fraction=(0.0 if "cleaner" in sample.settings else float(low or LOW_WATERMARK) / 100),
        cleaned_bytes_per_s=period.per_s(None if cleaned is None else cleaned * block),
        dirtied_bytes_per_s=period.per_s(
            period.count("writes_allocated") * block if cleaned is not None else None
        ),
        grows_bytes_per_s=period.per_s(None if change is None else change * block),
    )


def _limits(period: Period) -> tuple[Limit, ...]:
    sample, writes = period.last, period.found("writes")
    used = sample.share("used", "blocks")
    high = float(sample.settings.get("high_watermark") or HIGH_WATERMARK) / 100
    return notable(
        Limit(kind="writes-around", share=ratio(period.found("writes_around"), writes), found=used),
        Limit(kind="no-clean-block", share=ratio(period.found("waits_for_free"), writes), found=used),
        Limit(kind="dirty-threshold", found=used, limit=high, setting="high_watermark")
        if used is not None and used >= high
        else None,
        Limit(kind="errors", found=sample.gauges["error"]) if sample.gauges["error"] else None,
    )
