"""bcache: the folder `/sys/fs/bcache/UUID`, a copy of it, or what `grep -R . /sys/fs/bcache/UUID/` prints.

Read are `stats_total/` of the set (hits of reads, in requests: a partial hit is a miss; those that were to go past the
cache are counted apart, and hit where it holds them all the same), of `cache0/` what was written to the drive, its
buckets and `priority_stats`, and of each `bdevN/` its settings, dirty data and rate of write-back. Sizes are printed
rounded down to a tenth of their unit (k, M, … of 1,024), so differences carry that step.

    bytes written to the drive = written (data: fills and writes of the host) + metadata_written (its B-tree included)

Hosts' writes are not counted: with them given, the write amplification is those bytes over them. Write-back is not
counted either: what is known of it is the rate that the controller allows now, and how dirty data change between two
samples. The controller keeps `writeback_percent` of the cache dirty on purpose.

The kernel adds up in 16 bits for 13.6 s each: over 4,800 hits a second, or 2.4 MB/s that go past, a count is too small
(`stats.c`, Linux 4.15 to 5.x; read, not measured). Left out: sets of more than one cache drive, which it does not have.
Source: Linux, Documentation/admin-guide/bcache.rst, `drivers/md/bcache/sysfs.c`, `stats.c`, `util.c`.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from drivecast.caching.cache_sample import Meaning, Period, Sample, Source, notable, ratio, whole
from drivecast.document.cache_status import Dirty, Limit, Requests, Traffic, Written
from drivecast.errors import HintedError
from drivecast.files import read_text
from drivecast.quantity.interval import Interval

Attributes = Mapping[str, tuple[str, str]]
"""The text of each attribute and its place, by its path in the folder."""

FILE_BYTES_MAX = 64 << 10
"""Of an attribute: sysfs gives a page."""
BACKING_MAX = 64
CUTOFF_IN_USE = 0.95
"""Share of buckets in use above which bcache caches nothing more."""
PER_INTERVAL_MAX = 65_536
INTERVAL_S = 300 / 22
HOW = "`grep -R . /sys/fs/bcache/UUID/ > FILE` (with -R: it follows the links to the devices)"

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_LINE = re.compile(rf"^(?P<path>[^:\n]*?(?P<uuid>{UUID.pattern})/(?P<attribute>[\w/]+)):(?P<value>.*)$")
_UNITS = {"": 1, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50, "E": 1 << 60}
_SIZE = re.compile(r"(-?\d{1,20})(?:\.(\d))?([kMGTPE]?)")
_SET = (
    "stats_total/cache_hits",
    "stats_total/cache_misses",
    "stats_total/cache_bypass_hits",
    "stats_total/cache_bypass_misses",
    "stats_total/bypassed",
)
_DEVICE = ("cache0/written", "cache0/metadata_written", "cache0/nbuckets", "cache0/bucket_size")
_OPTIONAL = ("cache0/btree_written", "cache0/priority_stats", "cache_available_percent")
_BACKING = ("cache_mode", "dirty_data", "sequential_cutoff", "writeback_percent", "writeback_rate", "state")


def is_grep(text: str) -> bool:
    """Whether a text is what `grep -R` prints of the folder."""
    return any(_LINE.match(line) for line in text.splitlines()[:200])


def of_grep(source: Source) -> Iterator[Sample]:
    """Yield a sample of each set in what `grep -R` printed."""
    sets: dict[str, dict[str, tuple[str, str]]] = {}
    for number, line in enumerate(source.text.splitlines(), 1):
        if found := _LINE.match(line):
            attributes = sets.setdefault(found["uuid"], {})
            name = found["attribute"]
            before = attributes.get(name)
            # An attribute of several lines is printed as several.
            text = found["value"] if before is None else f"{before[0]}\n{found['value']}"
            attributes[name] = (text, before[1] if before else f"{source.at(number)}: {name}")
    for uuid, attributes in sets.items():
        yield _sample(attributes, source.place, uuid)


def of_folder(path: Path) -> Iterator[Sample]:
    """Yield a sample of each set in a folder: that of a set, or one that holds those of several."""
    sets = (
        [path]
        if (path / "stats_total").is_dir()
        else sorted(inner for inner in path.iterdir() if UUID.fullmatch(inner.name))
    )
    if not sets:
        raise HintedError(
            f"{path}: no cache set of bcache: expected a folder with `stats_total`, `cache0` and `bdev0`",
            f"give `/sys/fs/bcache/UUID`, or a copy: {HOW}",
        )
    for folder in sets:
        names = [*_SET, *_DEVICE, *_OPTIONAL]
        names += [
            f"bdev{at}/{name}"
            for at in range(BACKING_MAX)
            if (folder / f"bdev{at}").is_dir()
            for name in _BACKING
        ]
        found = {
            name: (text, str(folder / name))
            for name in names
            if (text := _attribute(folder / name)) is not None
        }
        yield _sample(
            found, str(folder), folder.resolve().name if UUID.fullmatch(folder.resolve().name) else ""
        )


def _attribute(path: Path) -> str | None:
    """Return the text of an attribute; none where this kernel does not have it."""
    if not path.is_file():
        return None
    return read_text(path, FILE_BYTES_MAX)


def _sample(attributes: Attributes, place: str, uuid: str) -> Sample:
    backing = sorted({name.partition("/")[0] for name in attributes if re.match(r"bdev\d+/", name)}) or [
        "bdev0"
    ]
    needed = [f"{name}/{key}" for name in backing for key in ("cache_mode", "dirty_data")]
    missing = [f"`{name}`" for name in (*_SET, *_DEVICE, *needed) if name not in attributes]
    if missing:
        raise HintedError(f"{place}: bcache's statistics without {', '.join(missing)}", HOW)
    counters = {
        name.rpartition("/")[2]: float(whole(attributes[name][0].strip(), attributes[name][1]))
        for name in _SET[:-1]
    }
    steps: dict[str, float] = {}
    for name in (_SET[-1], *_DEVICE[:2], "cache0/btree_written"):
        if name in attributes:
            key = name.rpartition("/")[2]
            counters[key], steps[key] = size(*attributes[name])
    bucket, _ = size(*attributes["cache0/bucket_size"])
    buckets = whole(attributes["cache0/nbuckets"][0].strip(), attributes["cache0/nbuckets"][1])
    gauges = {"size_bytes": bucket * buckets, **_priorities(attributes), **_free(attributes)}
    settings = {}
    for name in backing:
        more, own = _backing(attributes, name, alone=len(backing) == 1)
        settings.update(own)
        gauges["dirty_bytes"] = gauges.get("dirty_bytes", 0.0) + more["dirty_bytes"]
        gauges["writeback_rate"] = gauges.get("writeback_rate", 0.0) + more["writeback_rate"]
        gauges["dirty_step"] = gauges.get("dirty_step", 0.0) + more["dirty_step"]
    return Sample(
        "bcache",
        place,
        uuid,
        {"set": uuid, "buckets": str(buckets), "bucket size": f"{bucket:.0f}"},
        counters,
        gauges,
        settings,
        steps,
        notes=()
        if len(backing) == 1
        else (f"{len(backing)} backing devices share the cache: their dirty data are added up",),
    )


def size(text: str, place: str) -> tuple[float, float]:
    """Return a size as bcache prints it, such as `1.5G`, and its step. Raises `InputError` where it is none."""
    found = _SIZE.fullmatch(text.strip())
    if found is None or found[1].startswith("-"):
        raise HintedError(f"{place}: expected a size such as `1.5G`, found `{text.strip()[:40]}`", HOW)
    scale = _UNITS[found[3]]
    step = 0.0 if scale == 1 else scale / 10
    return int(found[1]) * scale + int(found[2] or 0) * step, step


def _priorities(attributes: Attributes) -> dict[str, float]:
    """Return shares of the buckets by what they hold."""
    text, place = attributes.get("cache0/priority_stats", ("", ""))
    found = re.findall(r"^(Unused|Clean|Dirty|Metadata):\s+(\d{1,3})%", text, re.M)
    for name, value in found:
        if int(value) > 100:
            raise HintedError(f"{place}: {name}: expected up to 100 %, found {value} %", HOW)
    return {f"buckets_{name.lower()}": int(value) / 100 for name, value in found}


def _free(attributes: Attributes) -> dict[str, float]:
    name = "cache_available_percent"
    if name not in attributes:
        return {}
    text, place = attributes[name]
    if (free := whole(text.strip(), place)) > 100:
        raise HintedError(f"{place}: expected up to 100, found {free}", HOW)
    return {"available": free / 100}


def _backing(attributes: Attributes, name: str, *, alone: bool) -> tuple[dict[str, float], dict[str, str]]:
    """Return the gauges and the settings of a backing device."""
    texts = {key: attributes[f"{name}/{key}"] for key in _BACKING if f"{name}/{key}" in attributes}
    dirty, step = size(*texts["dirty_data"])
    rate, _ = (
        size(texts["writeback_rate"][0].removesuffix("/sec"), texts["writeback_rate"][1])
        if "writeback_rate" in texts
        else (0.0, 0.0)
    )
    prefix = "" if alone else f"{name}/"
    settings = {
        f"{prefix}{key}": _chosen(texts[key][0]) for key in _BACKING if key in texts and key != "dirty_data"
    }
    return {"dirty_bytes": dirty, "dirty_step": step, "writeback_rate": rate}, settings


def _chosen(text: str) -> str:
    """Return what is set: of a list of all values, the one in brackets."""
    found = re.search(r"\[(\w+)\]", text)
    return found[1] if found else text.strip()


def explain(period: Period) -> Meaning:
    """Say what the counters mean."""
    sample = period.last
    size_bytes = sample.gauges["size_bytes"]
    unused = sample.gauges.get("buckets_unused")
    return Meaning(
        requests=_requests(period),
        traffic=_traffic(period),
        dirty=_dirty(period),
        size_bytes=round(size_bytes),
        used_bytes=None if unused is None else round(size_bytes * (1 - unused)),
        limits=_limits(period),
        notes=(*sample.notes, *_wrapped(period)),
    )


def _requests(period: Period) -> Requests:
    count = period.count
    hits, misses = count("cache_hits"), count("cache_misses")
    hits_of_these, past = count("cache_bypass_hits"), count("cache_bypass_misses")
    reads = hits + hits_of_these + misses + past
    return Requests(
        unit="requests",
        reads=reads,
        read_hits=hits + hits_of_these,
        uncached_reads=past,
        read_hit_ratio=ratio(hits + hits_of_these, reads),
        uncached_ratio=ratio(past, reads),
        reads_per_s=period.per_s(reads),
    )


def _traffic(period: Period) -> Traffic:
    host = period.host_written_bytes
    data, metadata = period.span("written"), period.span("metadata_written")
    if data is None or metadata is None:
        return Traffic(drive_written=[])
    total = data.rising(lambda bytes_of_data, more: bytes_of_data + more, metadata)
    parts = (("data", data), ("metadata", metadata))
    return Traffic(
        host_written_bytes=None if host is None else Interval.exactly(host),
        host_written_known=None if host is None else "given",
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


def _dirty(period: Period) -> Dirty:
    sample = period.last
    modes = {value for name, value in sample.settings.items() if name.endswith("cache_mode")}
    dirty, change = sample.gauges["dirty_bytes"], period.change("dirty_bytes")
    if "writeback" not in modes and not dirty:
        return Dirty(bytes=0, known="measured", fraction=0.0, missing="no-write-back")
    percents = [value for name, value in sample.settings.items() if name.endswith("writeback_percent")]
    aim = max((int(value) for value in percents if value.isdigit() and len(value) < 4), default=None)
    too_coarse = change is not None and abs(change) < 1.5 * sample.gauges["dirty_step"]
    return Dirty(
        bytes=round(dirty),
        known="measured",
        fraction=dirty / sample.gauges["size_bytes"] if sample.gauges["size_bytes"] else None,
        aim_fraction=None if aim is None else aim / 100,
        cleaned_bytes_per_s=sample.gauges["writeback_rate"] or None,
        cleaning="allowed",
        grows_bytes_per_s=None if too_coarse else period.per_s(change),
    )


def _limits(period: Period) -> tuple[Limit, ...]:
    count, sample = period.count, period.last
    past = count("cache_bypass_misses")
    reads = count("cache_hits") + count("cache_bypass_hits") + count("cache_misses") + past
    available, unused = sample.gauges.get("available"), sample.gauges.get("buckets_unused")
    in_use = None if available is None else 1 - available
    return notable(
        Limit(kind="all-dirty", found=in_use, limit=CUTOFF_IN_USE)
        if in_use is not None and in_use >= CUTOFF_IN_USE
        else None,
        Limit(kind="sequential", share=ratio(past, reads), setting="sequential_cutoff"),
        Limit(
            kind="cold" if unused is not None and unused > 1 - CUTOFF_IN_USE else "misses",
            share=ratio(count("cache_misses"), reads),
            found=None if unused is None else 1 - unused,
        ),
        Limit(
            kind="metadata-writes",
            share=ratio(
                count("metadata_written"),
                count("metadata_written") + count("written"),
            ),
        ),
        _above_aim(sample),
    )


def _above_aim(sample: Sample) -> Limit | None:
    percent = sample.settings.get("writeback_percent", "")
    if not (percent.isdigit() and len(percent) < 4) or not sample.gauges["size_bytes"]:
        return None
    share, aim = sample.gauges["dirty_bytes"] / sample.gauges["size_bytes"], int(percent) / 100
    return (
        Limit(kind="dirty-threshold", found=share, limit=aim, setting="writeback_percent")
        if share > aim > 0
        else None
    )


def _wrapped(period: Period) -> Iterator[str]:
    """Yield a note where counts are so fast that the kernel's own sums may have wrapped around."""
    if not period.seconds:
        return
    for name, unit in (("cache_hits", 1), ("cache_misses", 1), ("bypassed", 512)):
        if period.count(name) / unit / period.seconds * INTERVAL_S > PER_INTERVAL_MAX / 2:
            yield (
                f"`{name}` rises so fast that the kernel may have lost some: it adds up {PER_INTERVAL_MAX:,} "
                f"in {INTERVAL_S:.1f} s at most"
            )
