"""Which cache's statistics a file or a folder holds, by its content, and when they were read.

The time of a sample is that of the statistics themselves (ZFS), else the one in the file's name
(`cache-2026-01-12T10:00:00.txt`, also without `:` or with `_` for `T`), else when the file was last written.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from drivecast.caching import (
    bcache,
    cachelib_navy,
    device_mapper,
    dm_cache,
    dm_writecache,
    flashcache,
    open_cas,
    zfs_arc,
)
from drivecast.caching.cache_sample import Sample, Source
from drivecast.errors import HintedError
from drivecast.files import read_text
from drivecast.source.locate import STANDARD_INPUT

BYTES_MAX = 16 << 20
"""Of statistics: the longest are cachebench's, with a map each minute."""
KNOWN = (
    "`dmsetup status` of FlashCache, dm-cache or dm-writecache, `flashcache_stats`, `/sys/fs/bcache/UUID` (a folder, "
    "or `grep -R . /sys/fs/bcache/UUID/`), `casadm -P -i ID -o csv`, `arcstats`, or CacheLib's NVM counters"
)
_IN_NAME = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)[T_ -]?(\d\d)[:-]?(\d\d)[:-]?(\d\d)(?!\d)")


def read(path: Path, cache: str | None) -> Sample:
    """Return the sample in a file or a folder: that of the cache of this name, or the only one.

    Raises `InputError` where there is none, several to choose from, or statistics that are not whole.
    """
    samples = list(samples_of(path))
    if cache is not None:
        chosen = [sample for sample in samples if cache in (sample.name, sample.identity.get("Cache Id"))]
    else:
        chosen = samples
    if len(chosen) != 1:
        names = ", ".join(f"`{sample.name or '?'}`" for sample in samples[:20])
        what = f"no cache `{cache}`" if cache is not None else f"{len(samples)} caches"
        raise HintedError(f"{path}: {what}: found {names}", "`--cache NAME` selects one")
    return _timed(chosen[0], path)


def samples_of(path: Path) -> Iterator[Sample]:
    """Yield the samples in a file or a folder."""
    if path.is_dir():
        yield from bcache.of_folder(path)
        return
    if str(path) == STANDARD_INPUT:
        yield from of_source(Source("standard input", _of_standard_input()))
        return
    source = Source(str(path), read_text(path, BYTES_MAX))
    yield from of_source(source, path.parent.name)


def _of_standard_input() -> str:
    data = sys.stdin.buffer.read(BYTES_MAX + 1)
    if len(data) > BYTES_MAX:
        raise HintedError(
            f"standard input: more than {BYTES_MAX >> 20} MiB", "give the statistics of one cache"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise HintedError(f"standard input: no text at byte {error.start}", f"expected {KNOWN}") from None


def of_source(source: Source, folder: str = "") -> Iterator[Sample]:
    """Yield the samples in a text; the folder's name is that of a cache in `/proc/flashcache`."""
    text = source.text
    if not text.strip():
        raise HintedError(f"{source.place}: the file is empty", f"expected {KNOWN}")
    if zfs_arc.is_kstat(text):
        yield zfs_arc.of_text(source)
    elif flashcache.is_proc(text):
        yield flashcache.of_proc(source, folder if "+" in folder else "")
    elif open_cas.is_csv(text):
        yield open_cas.of_csv(source)
    elif open_cas.is_table(text):
        yield open_cas.of_table(source)
    elif cachelib_navy.is_json(text):
        yield cachelib_navy.of_json(source)
    elif cachelib_navy.is_map(text):
        yield cachelib_navy.of_map(source)
    elif bcache.is_grep(text):
        yield from bcache.of_grep(source)
    else:
        yield from _of_device_mapper(source)


def _of_device_mapper(source: Source) -> Iterator[Sample]:
    targets = device_mapper.targets(source)
    samples = [
        *flashcache.of_targets(targets, source),
        *dm_cache.of_targets(targets),
        *dm_writecache.of_targets(targets),
    ]
    if not samples:
        first = next((line.strip() for line in source.text.splitlines() if line.strip()), "")
        if first.startswith("sb.magic"):
            raise HintedError(
                f"{source.at(1)}: `bcache-super-show` prints a superblock, which counts nothing", bcache.HOW
            )
        kinds = ", ".join(sorted({f"`{target.target}`" for target in targets})) or f"`{first[:60]}`"
        raise HintedError(f"{source.at(1)}: no statistics of a cache: found {kinds}", f"expected {KNOWN}")
    yield from samples


def _timed(sample: Sample, path: Path) -> Sample:
    if sample.time_from is not None or str(path) == STANDARD_INPUT:
        return sample
    if named := time_in(path.name):
        return replace(sample, time=named, time_from="file-name")
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return sample
    return replace(sample, time=changed, time_from="file-time")


def time_in(name: str) -> datetime | None:
    """Return the time in a file's name, in UTC; none where there is none."""
    found = _IN_NAME.search(name)
    if found is None:
        return None
    try:
        return datetime.strptime("".join(found.groups()), "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None
