"""ZFS: `/proc/spl/kstat/zfs/arcstats`, the ARC in memory and the L2ARC on a drive.

    KSTAT-ID TYPE FLAGS FIELDS BYTES CREATED-NS SNAPPED-NS
    name type data
    NAME TYPE VALUE ...

The times are of the kernel's clock: the counters cover SNAPPED − CREATED, so one sample has rates, and CREATED is what
two samples of one boot have in common. A read that the ARC misses asks the L2ARC (l2_hits, l2_misses). The L2ARC is fed
from the end of the ARC's lists at a limited rate and holds no dirty data: everything written to it is a fill.

    read from the drive for each byte written to it = l2_read_bytes / l2_write_bytes
    share of what the ARC evicts that the L2ARC holds = evict_l2_cached / (evict_l2_cached + evict_l2_eligible)

Left out: the pool's own devices (`zpool iostat`), and a SLOG, which arcstats does not count.
Source: openzfs/zfs `module/os/linux/spl/spl-kstat.c`, `include/sys/arc_impl.h`, zfs(4).
"""

import re

from drivecast.caching.cache_sample import Fields, Meaning, Period, Sample, Source, notable, ratio, whole
from drivecast.document.cache_status import Dirty, Limit, Requests, Traffic, Written
from drivecast.errors import HintedError
from drivecast.quantity.interval import Interval

HOW = "`cat /proc/spl/kstat/zfs/arcstats > FILE`"
READ_BACK_LEAST = 1.0
"""Bytes read from the drive for each written, below which it is written more than it is of use."""
HEADERS_MOST = 0.1
"""Share of the ARC that headers of the L2ARC take, from which it is said."""
FED_LEAST = 0.5
"""Share of eligible evictions that the L2ARC holds, below which its feed is what limits it."""

_HEAD = re.compile(r"^\s*\d+ \d+ 0x[0-9a-f]+ \d+ \d+ (\d{1,20}) (\d{1,20})\s*$")
_ROW = re.compile(r"^(\w+)\s+(\d)\s+(\S+)\s*$")
_ARC = ("hits", "misses", "c", "c_max", "size")
_L2 = ("l2_hits", "l2_misses", "l2_read_bytes", "l2_write_bytes", "l2_size", "l2_hdr_size")
_EVICTED = ("evict_l2_cached", "evict_l2_eligible", "evict_l2_ineligible")
_COUNTERS = ("hits", "iohits", "misses", *_L2[:4], *_EVICTED, "l2_io_error", "l2_cksum_bad")
_GAUGES = ("c", "c_max", "size", "l2_size", "l2_asize", "l2_hdr_size")


def is_kstat(text: str) -> bool:
    """Whether a text is a kstat with named values."""
    return re.search(r"^name\s+type\s+data\s*$", text, re.M) is not None


def of_text(source: Source) -> Sample:
    """Return the sample in arcstats."""
    created = snapped = None
    fields = Fields(source, "arcstats")
    wanted = {*_ARC, *_L2, *_EVICTED, *_COUNTERS, *_GAUGES}
    for number, line in enumerate(source.text.splitlines(), 1):
        if head := _HEAD.match(line):
            created, snapped = (whole(text, source.at(number)) for text in head.groups())
        elif (row := _ROW.match(line)) and row[1] in wanted:
            fields.put(row[1], row[3], number)
    fields.need(*_ARC, *_L2, *_EVICTED)
    if created is None or snapped is None or snapped < created:
        raise HintedError(
            f"{source.at(1)}: arcstats without the line of its times",
            f"copy all of it: {HOW}",
        )
    values = fields.values
    return Sample(
        "zfs-arc",
        source.place,
        "L2ARC" if values["l2_size"] or values["l2_write_bytes"] else "ARC",
        {"created": str(created)},
        {name: float(values[name]) for name in _COUNTERS if name in values},
        {name: float(values[name]) for name in _GAUGES if name in values},
        covers_s=(snapped - created) / 1e9 or None,
        clock_s=snapped / 1e9,
        time_from="statistics",
    )


def explain(period: Period) -> Meaning:
    """Say what the counters mean."""
    sample = period.last
    has_l2 = bool(sample.gauges["l2_size"] or sample.counters["l2_write_bytes"])
    held = sample.gauges.get("l2_asize", sample.gauges["l2_size"])
    return Meaning(
        requests=_requests(period, has_l2=has_l2),
        traffic=_traffic(period),
        dirty=Dirty(bytes=0, known="published", missing="no-write-back"),
        size_bytes=None if has_l2 else round(sample.gauges["c_max"]),
        used_bytes=round(held if has_l2 else sample.gauges["size"]),
        limits=_limits(period, has_l2=has_l2),
        notes=sample.notes if has_l2 else (*sample.notes, "no L2ARC: figures are of the ARC in memory"),
    )


def arc_hit_ratio(period: Period) -> float | None:
    """Return the share of accesses that the ARC in memory serves."""
    hits = period.count("hits") + period.count("iohits")
    return ratio(hits, hits + period.count("misses"))


def _requests(period: Period, *, has_l2: bool) -> Requests:
    count = period.count
    hits = count("l2_hits") if has_l2 else count("hits") + count("iohits")
    misses = count("l2_misses") if has_l2 else count("misses")
    reads = hits + misses
    return Requests(
        unit="lookups",
        reads=reads,
        read_hits=hits,
        hit_ratio=ratio(hits, reads),
        read_hit_ratio=ratio(hits, reads),
        reads_per_s=period.per_s(reads),
    )


def _traffic(period: Period) -> Traffic:
    written = period.count("l2_write_bytes")
    if not written:
        return Traffic(drive_written=[])
    return Traffic(
        drive_written=[
            Written(cause="fills", bytes=Interval.exactly(written), share=1.0, per_host_write=None)
        ],
        drive_written_bytes=Interval.exactly(written),
        drive_written_bytes_per_s=period.per_s(written),
        drive_read_bytes=period.count("l2_read_bytes"),
    )


def _limits(period: Period, *, has_l2: bool) -> tuple[Limit, ...]:
    count, sample = period.count, period.last
    full = sample.gauges["size"] / sample.gauges["c"] if sample.gauges["c"] else None
    arc = Limit(
        kind="misses" if full is not None and full > 0.9 else "cold",
        share=None if (hit := arc_hit_ratio(period)) is None else 1 - hit,
        found=full,
        setting="zfs_arc_max",
    )
    if not has_l2:
        return notable(arc)
    cached, eligible = count("evict_l2_cached"), count("evict_l2_eligible")
    fed = ratio(cached, cached + eligible)
    back = count("l2_read_bytes") / count("l2_write_bytes") if count("l2_write_bytes") else None
    headers = ratio(sample.gauges["l2_hdr_size"], sample.gauges["size"])
    errors = count("l2_io_error") + count("l2_cksum_bad")
    return notable(
        arc,
        Limit(kind="feed", share=None, found=fed, limit=FED_LEAST, setting="l2arc_write_max")
        if fed is not None and fed < FED_LEAST
        else None,
        Limit(kind="fills-unread", found=back, limit=READ_BACK_LEAST, setting="l2arc_mfuonly")
        if back is not None and back < READ_BACK_LEAST
        else None,
        Limit(kind="headers", share=headers, limit=HEADERS_MOST)
        if headers is not None and headers > HEADERS_MOST
        else None,
        Limit(kind="errors", found=errors) if errors else None,
    )
