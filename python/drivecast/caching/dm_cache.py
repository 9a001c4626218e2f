"""dm-cache: the line of `dmsetup status`, with that of `dmsetup table` where it is there.

    cache METADATA-BLOCK-SECTORS USED/TOTAL BLOCK-SECTORS USED/TOTAL
          READ-HITS READ-MISSES WRITE-HITS WRITE-MISSES DEMOTIONS PROMOTIONS DIRTY
          N FEATURE×N M (KEY VALUE)×M/2 POLICY P (KEY VALUE)×P/2 ro|rw needs_check|-

Hits and misses are requests (bios), split where a block ends. A promotion copies a whole block to the cache drive; one
that a write covers whole is not copied first, so fills are at most promotions × block. How large writes are is not
counted: with the bytes that the host wrote, the cache drive got the share that hit, if hits and misses are alike
(assumed). Nor are write-backs counted: what is known of cleaning is how dirty data change between two samples.
Left out: writes to the metadata device. Source: Linux, Documentation/admin-guide/device-mapper/cache.rst.
"""

from collections.abc import Iterator, Sequence

from drivecast.caching.cache_sample import Meaning, Period, Sample, notable, ratio, whole
from drivecast.caching.device_mapper import SECTOR_BYTES, Target, with_tables
from drivecast.document.cache_status import Dirty, Limit, Requests, Traffic, Written
from drivecast.errors import HintedError
from drivecast.quantity.interval import Interval

_COUNTERS = (
    "read_hits",
    "read_misses",
    "write_hits",
    "write_misses",
    "demotions",
    "promotions",
)
_MODES = ("writeback", "writethrough", "passthrough")
FULL = 0.95
"""Share of its blocks from which a cache is full: the policy keeps a few free."""
METADATA_FULL = 0.9
HOW = "`dmsetup table NAME; dmsetup status NAME` prints both"


def of_targets(targets: Sequence[Target]) -> Iterator[Sample]:
    """Yield a sample of each cache among the targets."""
    own = [target for target in targets if target.target == "cache"]
    tables = [target for target in own if not _is_status(target)]
    status = [target for target in own if _is_status(target)]
    if tables and not status:
        raise HintedError(f"{tables[0].place}: dm-cache's table without its status", HOW)
    for target, table in with_tables(status, tables):
        yield _sample(target, table)


def _is_status(target: Target) -> bool:
    words = target.rest.split()
    return "Fail" in words or "Error" in words or len(words) < 2 or words[0].isdigit()


class _Words:
    """The words of a line, taken one by one."""

    def __init__(self, target: Target) -> None:
        self.words, self.at, self.place = target.rest.split(), 0, target.place

    def take(self, what: str) -> str:
        """Return the next word. Raises `InputError` where the line ends before it."""
        if self.at >= len(self.words):
            raise HintedError(
                f"{self.place}: dm-cache's status ends before {what} (field {self.at + 1})",
                "the line is cut off, or is of another version of dm-cache; copy it again, whole",
            )
        self.at += 1
        return self.words[self.at - 1]

    def number(self, what: str) -> int:
        """Return the next word as a count."""
        return whole(self.take(what), f"{self.place}: {what} (field {self.at})")

    def pair(self, what: str) -> tuple[int, int]:
        """Return used and total blocks. Raises `InputError` where more are used than there are."""
        first, slash, last = self.take(what).partition("/")
        place = f"{self.place}: {what} (field {self.at})"
        used, total = whole(first, place), whole(last if slash else "", place)
        if used > total or not total:
            raise HintedError(f"{place}: {used} of {total} blocks are used", "copy the status again")
        return used, total

    def several(self, what: str) -> list[str]:
        """Return words that are preceded by how many they are."""
        count = self.number(f"the number of {what}")
        if count > len(self.words) - self.at:
            self.at = len(self.words)
            self.take(what)
        return [self.take(what) for _ in range(count)]


def _sample(target: Target, table: Target | None) -> Sample:
    words = _Words(target)
    if words.words[:1] in (["Fail"], ["Error"]):
        raise HintedError(
            f"{target.place}: the cache failed (`{words.words[0]}`): it counts no more",
            "`lvconvert --repair`, or `cache_check` of its metadata device",
        )
    words.number("metadata block size")
    metadata_used, metadata_total = words.pair("metadata blocks")
    block = words.number("cache block size") * SECTOR_BYTES
    used, total = words.pair("cache blocks")
    counters = {name: float(words.number(name.replace("_", " "))) for name in _COUNTERS}
    dirty = words.number("dirty blocks")
    features, core = words.several("features"), words.several("core arguments")
    policy = words.take("the policy")
    arguments = words.several("policy arguments")
    if dirty > used:
        raise HintedError(f"{target.place}: {dirty} dirty blocks of {used} used", "copy the status again")
    return Sample(
        "dm-cache",
        target.place,
        target.name,
        {
            "length": str(target.length),
            "block size": str(block),
            **({"name": target.name} if target.name else {}),
        },
        counters,
        {
            "metadata_used": metadata_used,
            "metadata_total": metadata_total,
            "used": used,
            "total": total,
            "dirty": dirty,
            "block_bytes": block,
        },
        {
            "mode": next((mode for mode in _MODES if mode in features), "writeback"),
            "policy": policy,
            **dict(zip(core[::2], core[1::2], strict=False)),
            **dict(zip(arguments[::2], arguments[1::2], strict=False)),
            **_devices(table),
            **_state(words),
        },
    )


def _state(words: _Words) -> dict[str, str]:
    """Return what the newer kernels add: the mode of the metadata, and whether they need a check."""
    left = words.words[words.at :]
    return dict(zip(("metadata mode", "needs check"), left, strict=False))


def _devices(table: Target | None) -> dict[str, str]:
    names = ("metadata device", "cache device", "origin device")
    return {} if table is None else dict(zip(names, table.rest.split(), strict=False))


def explain(period: Period) -> Meaning:
    """Say what the counters mean."""
    sample, block = period.last, round(period.last.gauges["block_bytes"])
    return Meaning(
        requests=_requests(period),
        traffic=_traffic(period, block),
        dirty=_dirty(period, block),
        size_bytes=round(sample.gauges["total"] * block),
        used_bytes=round(sample.gauges["used"] * block),
        block_bytes=block,
        block_known="measured",
        limits=_limits(period),
        notes=sample.notes,
    )


def _requests(period: Period) -> Requests:
    count = period.count
    reads, writes = count("read_hits") + count("read_misses"), count("write_hits") + count("write_misses")
    hits = count("read_hits") + count("write_hits")
    return Requests(
        unit="requests",
        reads=reads,
        writes=writes,
        read_hits=count("read_hits"),
        write_hits=count("write_hits"),
        hit_ratio=ratio(hits, reads + writes),
        read_hit_ratio=ratio(count("read_hits"), reads),
        write_hit_ratio=ratio(count("write_hits"), writes),
        reads_per_s=period.per_s(reads),
        writes_per_s=period.per_s(writes),
    )


def _traffic(period: Period, block: int) -> Traffic:
    host = period.host_written_bytes
    count, most = period.count, float(period.count("promotions") * block)
    fills = Interval(0.0, most, most)
    writes = count("write_hits") + count("write_misses")
    hit = host * count("write_hits") / writes if host is not None and writes else None
    if hit is None:
        return Traffic(
            drive_written=[Written(cause="fills", bytes=fills, share=None, per_host_write=None)],
        )
    total = fills.rising(lambda fill: fill + hit)
    parts = (("host-writes", Interval.exactly(hit)), ("fills", fills))
    return Traffic(
        host_written_bytes=Interval.exactly(float(host or 0)),
        host_written_known="given",
        drive_written=[
            Written(
                cause=cause,  # type: ignore[arg-type]
                bytes=part,
                share=ratio(part.value, total.value),
                per_host_write=part.value / host if host else None,
            )
            for cause, part in parts
        ],
        drive_written_bytes=total,
        drive_written_bytes_per_s=period.per_s(total.value),
    )


def _dirty(period: Period, block: int) -> Dirty:
    sample = period.last
    dirty = round(sample.gauges["dirty"] * block)
    if sample.settings["mode"] != "writeback" and not dirty:
        return Dirty(bytes=0, known="measured", fraction=0.0, missing="no-write-back")
    change = period.change("dirty")
    return Dirty(
        bytes=dirty,
        known="measured",
        fraction=sample.share("dirty", "total"),
        aim_fraction=0.0 if sample.settings["policy"] == "cleaner" else None,
        grows_bytes_per_s=period.per_s(None if change is None else change * block),
    )


def _limits(period: Period) -> tuple[Limit, ...]:
    count, sample = period.count, period.last
    served = sum(count(name) for name in _COUNTERS[:4])
    misses = count("read_misses") + count("write_misses")
    used, dirty = sample.share("used", "total"), sample.share("dirty", "used")
    metadata = sample.share("metadata_used", "metadata_total")
    full = used is not None and used >= FULL
    idle = period.first is not None and not count("promotions") and misses > 0
    return notable(
        Limit(kind="misses" if full else "cold", share=ratio(misses, served), found=used),
        Limit(kind="promotions-stopped", share=ratio(misses, served), setting="migration_threshold")
        if idle and full
        else None,
        Limit(kind="all-dirty", found=dirty, limit=FULL) if dirty is not None and dirty >= FULL else None,
        Limit(kind="metadata-full", found=metadata, limit=METADATA_FULL)
        if metadata is not None and metadata >= METADATA_FULL
        else None,
        Limit(kind="errors", setting="needs check")
        if sample.settings.get("needs check") == "needs_check" or sample.settings.get("metadata mode") == "ro"
        else None,
    )
