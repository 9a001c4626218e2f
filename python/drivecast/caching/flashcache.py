"""FlashCache: `dmsetup status` with `dmsetup table`, or `/proc/flashcache/NAME/flashcache_stats`.

Its device-mapper target counts requests of at most one block; whatever is not exactly one block goes past the cache.
Six identities hold between its counters in write-back mode (differences are requests in flight):

    ssd_reads  = read_hits + cleanings
    disk_reads = reads − read_hits
    disk_writes = cleanings + uncached_writes
    ssd_writes = (writes − uncached_writes) + (reads − read_hits − uncached_reads) + metadata_ssd_writes
    metadata_batch + metadata_ssd_writes = metadata_dirties + metadata_cleans
    metadata_dirties = writes − uncached_writes − dirty_write_hits

The three terms of ssd_writes are the causes of writes to the drive: host writes, fills, metadata. A block becomes dirty
once (metadata_dirties) and clean once (metadata_cleans), so where the table was not given, dirty data are their
difference: right if the cache was clean when its counters began. front_merge and back_merge count blocks that were
cleaned because they lie next to one that was chosen, so a run of cleaning is cleanings / (cleanings − merges) blocks.
Left out: caches of process lists, which no counter tells from sizes. Source: facebookarchive/flashcache at 437afbf
(`flashcache_conf.c`, `flashcache_procfs.c`), its administration guide; issues 108 and 158 there are the golden dumps.
"""

import re
from collections.abc import Iterator, Sequence

from drivecast.caching.cache_sample import Fields, Meaning, Period, Sample, Source, check, notable, ratio
from drivecast.caching.device_mapper import Target, with_tables
from drivecast.document.cache_status import Check, Dirty, Limit, Requests, Traffic, Written
from drivecast.document.part import Provenance
from drivecast.errors import HintedError
from drivecast.quantity.interval import Interval

TOLERANCE = 0.003
"""Of an identity: the published dumps hold to 0.0002, one that was copied while it ran to 0.0021."""
BLOCK_BYTES = 4096
"""Of data and of metadata, where no table says otherwise."""
HOT = 0.95
"""Share of its blocks from which a cache is full."""
ABSORBS_LEAST = 1.5
"""Host writes for each block cleaned, below which write-back hardly saves writes to the disks."""
HOW = "`dmsetup table NAME; dmsetup status NAME` prints both"

_ITEM = re.compile(r"([A-Za-z][A-Za-z_ ]*?)\s*\(([^()\n]*)\)")
_PAIR = re.compile(r"([A-Za-z_]+)=(\S*)")
_CUT = re.compile(r"\([^()]*$")
_COUNTED = (
    "reads",
    "writes",
    "read_hits",
    "replacement",
    "no_room",
    "disk_reads",
    "disk_writes",
    "ssd_reads",
    "ssd_writes",
    "uncached_reads",
    "uncached_writes",
)
"""In every mode."""
_BACK = (
    "write_hits",
    "dirty_write_hits",
    "metadata_dirties",
    "metadata_cleans",
    "metadata_batch",
    "metadata_ssd_writes",
    "cleanings",
    "front_merge",
    "back_merge",
)
"""In write-back mode."""
_GAUGES = (
    "total_blocks",
    "cached_blocks",
    "dirty_blocks",
    "lru_hot_blocks",
    "lru_warm_blocks",
    "read_hit_percent",
    "write_hit_percent",
    "dirty_write_hit_percent",
)
_PASSING = ("cache_percent", "dirty_percent", "nr_queued")
"""Of a table: figures that others give more exactly, or that are no settings."""
_MORE = frozenset(
    """
    write_hits write_replacement write_invalidates read_invalidates invalidates pending_enqueues pending_inval
    fallow_cleanings force_clean_block uncached_io_requeue uncached_sequential_reads uncached_sequential_writes
    disk_read_errors disk_write_errors ssd_read_errors ssd_write_errors checksum_store checksum_valid checksum_invalid
    pid_adds pid_dels pid_drops pid_expiry lru_promotions lru_demotions
    """.split()  # noqa: SIM905 (a table)
)
"""What its versions print besides."""
_KNOWN = _MORE.union(_COUNTED, _BACK, _GAUGES)
_SETTING = re.compile(r"^dev\.flashcache\.(\S+)\.(\w+)\s*=\s*(\d+)$", re.M)


def of_targets(targets: Sequence[Target], source: Source) -> Iterator[Sample]:
    """Yield a sample of each cache among the targets: its statistics, with its table where that is there."""
    own = [target for target in targets if target.target == "flashcache"]
    tables = [target for target in own if target.rest.startswith("conf")]
    status = [target for target in own if target.rest.startswith("stats")]
    if tables and not status:
        raise HintedError(f"{tables[0].place}: FlashCache's table without its statistics", HOW)
    for target, table in with_tables(status, tables):
        fields = Fields(source, "FlashCache's statistics")
        _items(fields, target)
        name = target.name or (table.name if table else "")
        yield _sample(fields, source, name, {"length": str(target.length)}, table)


def is_proc(text: str) -> bool:
    """Whether a text is `flashcache_stats`."""
    return re.match(r"\s*reads=\d+ writes=", text) is not None


def of_proc(source: Source, name: str) -> Sample:
    """Return the sample in `flashcache_stats`."""
    fields = Fields(source, "FlashCache's statistics")
    for number, line in enumerate(source.text.splitlines(), 1):
        for found in _PAIR.finditer(line):
            fields.put(found[1].lower(), found[2], number)
    return _sample(fields, source, name, {}, None)


def _items(fields: Fields, target: Target) -> None:
    """Take the counts below a head; those of a run that is cut off in the middle of a line are refused."""
    for number, line in target.below:
        if cut := _CUT.search(line):
            where = fields.source.at(number)
            raise HintedError(
                f"{where}: `{cut[0][:40]}` does not end", "the file is cut off here; copy it again"
            )
        if re.match(r"\s*(IO Latency|<|>) ?", line):
            return
        for found in _ITEM.finditer(line):
            fields.put(found[1].strip().lower().replace(" ", "_"), found[2], number)


def _sample(
    fields: Fields, source: Source, name: str, identity: dict[str, str], table: Target | None
) -> Sample:
    fields.need(*_COUNTED)
    if "metadata_dirties" in fields.values or "dirty_write_hits" in fields.values:
        fields.need(*_BACK)
    counters = {key: float(value) for key, value in fields.values.items() if key not in _GAUGES}
    settings = {found[2]: found[3] for found in _SETTING.finditer(source.text)}
    gauges: dict[str, float] = {}
    if table is not None:
        texts, gauges = _table(table)
        settings = {**texts, **settings}
        identity = {**identity, **{key: texts[key] for key in ("ssd dev", "disk dev") if key in texts}}
        if "total_blocks" in gauges:
            identity["total blocks"] = f"{gauges['total_blocks']:.0f}"
    return Sample(
        "flashcache",
        source.place,
        name,
        {"name": name, **identity} if name else identity,
        counters,
        gauges,
        settings,
        notes=fields.unknown(_KNOWN),
    )


def _table(target: Target) -> tuple[dict[str, str], dict[str, float]]:
    """Return the settings and the gauges of a table."""
    texts: dict[str, str] = {}
    fields = Fields(target.source, "FlashCache's table")
    for number, line in target.below:
        if line.startswith(("Size Hist", "Write Clustering")):
            break
        for found in _ITEM.finditer(line):
            name, value = found[1].strip(), found[2]
            key = name.lower().replace(" ", "_")
            if key in _GAUGES:
                fields.put(key, value, number)
            elif key not in _PASSING:
                texts[name] = value
    return texts, {key: float(value) for key, value in fields.values.items()}


def explain(period: Period) -> Meaning:
    """Say what the counters mean."""
    sample, count = period.last, period.count
    block, known = _size(sample, "data block size")
    host_writes, fills = _host_writes(period), _fills(period)
    metadata_block, _ = _size(sample, "metadata block size")
    size = sample.gauges.get("total_blocks")
    used = sample.gauges.get("cached_blocks")
    return Meaning(
        requests=_requests(period),
        traffic=_traffic(
            period,
            block,
            (host_writes * block, fills * block, count("metadata_ssd_writes") * metadata_block),
        ),
        dirty=_dirty(period, block),
        size_bytes=None if size is None else round(size * block),
        used_bytes=None if used is None else round(used * block),
        block_bytes=block,
        block_known=known,
        checks=tuple(_checks(sample)),
        limits=_limits(period),
        notes=sample.notes,
    )


def _host_writes(period: Period) -> int:
    """Writes of the host that went to the drive: none of a cache that writes go around."""
    if not period.has("write_hits"):
        return 0
    return max(0, period.count("writes") - period.count("uncached_writes"))


def _fills(period: Period) -> int:
    return max(0, period.count("reads") - period.count("read_hits") - period.count("uncached_reads"))


def _requests(period: Period) -> Requests:
    count = period.count
    reads, writes = count("reads"), count("writes")
    hits, write_hits = count("read_hits"), period.found("write_hits")
    uncached = count("uncached_reads") + count("uncached_writes")
    return Requests(
        unit="requests",
        reads=reads,
        writes=writes,
        read_hits=hits,
        write_hits=write_hits,
        dirty_write_hits=period.found("dirty_write_hits"),
        uncached_reads=count("uncached_reads"),
        uncached_writes=count("uncached_writes"),
        hit_ratio=ratio(hits + (write_hits or 0), reads + writes),
        read_hit_ratio=ratio(hits, reads),
        write_hit_ratio=ratio(write_hits, writes),
        dirty_write_hit_ratio=ratio(period.found("dirty_write_hits"), writes),
        uncached_ratio=ratio(uncached, reads + writes),
        reads_per_s=period.per_s(reads),
        writes_per_s=period.per_s(writes),
    )


def _traffic(period: Period, block: int, parts: tuple[int, int, int]) -> Traffic:
    count, total, host = period.count, sum(parts), period.count("writes") * block
    causes = zip(("host-writes", "fills", "metadata"), parts, strict=True)
    served = count("reads") + count("writes")
    return Traffic(
        host_written_bytes=Interval.exactly(host),
        host_written_known="derived",
        drive_written=[
            Written(
                cause=cause,  # type: ignore[arg-type]
                bytes=Interval.exactly(part),
                share=ratio(part, total),
                per_host_write=part / host if host else None,
            )
            for cause, part in causes
        ],
        drive_written_bytes=Interval.exactly(total),
        drive_written_bytes_per_s=period.per_s(total),
        drive_read_bytes=count("ssd_reads") * block,
        disk_read_bytes=count("disk_reads") * block,
        disk_written_bytes=count("disk_writes") * block,
        requests_per_request=(count("ssd_reads") + count("ssd_writes")) / served if served else None,
    )


def _dirty(period: Period, block: int) -> Dirty:
    sample = period.last
    if "metadata_dirties" not in sample.counters:
        return Dirty(bytes=0, known="derived", missing="no-write-back")
    stated = sample.gauges.get("dirty_blocks")
    blocks = sample.counters["metadata_dirties"] - sample.counters["metadata_cleans"]
    dirty = round((stated if stated is not None else max(0.0, blocks)) * block)
    threshold = sample.settings.get("dirty_thresh_pct")
    cleaned, merged = period.count("cleanings"), period.count("front_merge") + period.count("back_merge")
    cleans, dirties = period.count("metadata_cleans"), period.count("metadata_dirties")
    return Dirty(
        bytes=dirty,
        known="measured" if stated is not None else "derived",
        fraction=sample.share("dirty_blocks", "total_blocks"),
        aim_fraction=None if threshold is None else int(threshold) / 100,
        cleaned_bytes_per_s=period.per_s(cleans * block),
        dirtied_bytes_per_s=period.per_s(dirties * block),
        grows_bytes_per_s=period.per_s((dirties - cleans) * block) if period.first else None,
        run_bytes=cleaned / (cleaned - merged) * block if cleaned > merged else None,
    )


def _checks(sample: Sample) -> Iterator[Check]:
    """Yield the identities that hold in the mode of the cache, over all that its counters hold."""
    of = sample.counters
    read_past = of["reads"] - of["read_hits"]
    fills = read_past - of["uncached_reads"]
    back = "metadata_dirties" in of
    hits = "read_hits + cleanings" if back else "read_hits"
    yield check(f"ssd_reads = {hits}", of["ssd_reads"], of["read_hits"] + of.get("cleanings", 0), TOLERANCE)
    yield check("disk_reads = reads - read_hits", of["disk_reads"], read_past, TOLERANCE)
    if "write_hits" not in of:
        yield check("disk_writes = writes", of["disk_writes"], of["writes"], TOLERANCE)
        yield check("ssd_writes = reads - read_hits - uncached_reads", of["ssd_writes"], fills, TOLERANCE)
        return
    written = of["writes"] - of["uncached_writes"]
    more = of.get("metadata_ssd_writes", 0)
    yield check(
        "ssd_writes = (writes - uncached_writes) + (reads - read_hits - uncached_reads)"
        + (" + metadata_ssd_writes" if back else ""),
        of["ssd_writes"],
        written + fills + more,
        TOLERANCE,
    )
    if not back:
        return
    yield check(
        "disk_writes = cleanings + uncached_writes",
        of["disk_writes"],
        of["cleanings"] + of["uncached_writes"],
        TOLERANCE,
    )
    yield check(
        "metadata_batch + metadata_ssd_writes = metadata_dirties + metadata_cleans",
        of["metadata_batch"] + more,
        of["metadata_dirties"] + of["metadata_cleans"],
        TOLERANCE,
    )
    yield check(
        "metadata_dirties = writes - uncached_writes - dirty_write_hits",
        of["metadata_dirties"],
        written - of["dirty_write_hits"],
        TOLERANCE,
    )


def _limits(period: Period) -> tuple[Limit, ...]:
    count, sample = period.count, period.last
    served = count("reads") + count("writes")
    sequential = count("uncached_sequential_reads") + count("uncached_sequential_writes")
    around = 0 if period.has("write_hits") else count("writes")
    past = count("uncached_reads") + count("uncached_writes") - sequential - count("no_room") - around
    used = sample.share("cached_blocks", "total_blocks")
    conflict = used is not None and used < HOT and count("no_room") > 0
    misses = ratio(_fills(period), count("reads"))
    errors = sum(count(f"{device}_{op}_errors") for device in ("disk", "ssd") for op in ("read", "write"))
    return notable(
        Limit(
            kind="sets-conflict" if conflict else "no-clean-block",
            share=ratio(count("no_room"), served),
            found=used,
        ),
        Limit(kind="not-whole-blocks", share=ratio(past, served)),
        Limit(kind="sequential", share=ratio(sequential, served), setting="skip_seq_thresh_kb"),
        Limit(
            kind="cold" if used is not None and used < HOT else "misses",
            share=misses,
            found=used,
        ),
        *_cleaning(period),
        Limit(kind="metadata-writes", share=ratio(count("metadata_ssd_writes"), count("ssd_writes"))),
        Limit(kind="errors", found=errors) if errors else None,
    )


def _cleaning(period: Period) -> Iterator[Limit]:
    count, sample = period.count, period.last
    dirty, threshold = sample.share("dirty_blocks", "total_blocks"), sample.settings.get("dirty_thresh_pct")
    if dirty is not None and threshold is not None and dirty >= int(threshold) / 100:
        yield Limit(
            kind="dirty-threshold", found=dirty, limit=int(threshold) / 100, setting="dirty_thresh_pct"
        )
    if count("metadata_dirties") > count("metadata_cleans") and period.first is not None:
        yield Limit(
            kind="cleaning-behind", found=count("metadata_cleans"), limit=float(count("metadata_dirties"))
        )
    cleaned = count("cleanings")
    absorbed = _host_writes(period) / cleaned if cleaned else None
    if absorbed is not None and absorbed < ABSORBS_LEAST:
        yield Limit(
            kind="cleaned-early",
            found=absorbed,
            limit=ABSORBS_LEAST,
            setting="dirty_thresh_pct, fallow_delay",
        )


def _size(sample: Sample, name: str) -> tuple[int, Provenance]:
    """Return a size that the table states, such as `4K` or `4096b`, and how it is known."""
    text = sample.settings.get(name, "")
    number, scale = (text[:-1], 1024) if text.endswith("K") else (text.removesuffix("b"), 1)
    if number.isascii() and number.isdigit() and len(number) < 8 and int(number) > 0:
        return int(number) * scale, "measured"
    return BLOCK_BYTES, "assumed"
