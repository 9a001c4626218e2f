"""A running cache in words and tables, for the terminal."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from rich.text import Text

from drivecast.document.cache_status import CacheStatus, Cause, DrainMissing, Kind, Requests, Simulated
from drivecast.present import cache_limit, grid
from drivecast.quantity import number
from drivecast.quantity.interval import Span

T = TypeVar("T")

TITLES: dict[Kind, str] = {
    "flashcache": "FlashCache",
    "dm-cache": "dm-cache",
    "dm-writecache": "dm-writecache",
    "bcache": "bcache",
    "open-cas": "OpenCAS",
    "zfs-arc": "ZFS",
    "cachelib-navy": "CacheLib Navy",
}
CAUSES: dict[Cause, str] = {
    "host-writes": "writes of the host",
    "fills": "fills after misses",
    "metadata": "metadata",
    "data": "data (fills and writes)",
}
MISSING: dict[DrainMissing, str] = {
    "one-sample": "unknown: it is known from how dirty data change, so give a second sample",
    "time-unknown": "unknown: give a second sample, or `--uptime` for how long the counters have run",
    "rate-unknown": "unknown: the cache does not count what it writes back",
    "clean": "nothing to drain",
    "grows": "never under the load of the period: it does not shrink",
    "no-write-back": "none: the cache holds nothing that is not on the disks",
    "too-coarse": "unknown: the cache prints it too coarsely to see a change; take the samples further apart",
}
TIMES = {
    "statistics": "by their own clock",
    "file-name": "by their files' names",
    "file-time": "by when their files were written",
}


def lines(status: CacheStatus) -> list[str | Text]:
    """Return the explanation."""
    return [
        *_head(status),
        *_hits(status.requests),
        *_written(status),
        *_dirty(status),
        *_life(status),
        *_limits(status),
        *_what_if(status),
        *_checks(status),
        *(f"note: {note}" for note in status.notes),
    ]


def _head(status: CacheStatus) -> Iterator[str | Text]:
    name = f" `{grid.clean(status.name)}`" if status.name else ""
    yield f"{TITLES[status.cache]}{name}"
    used = (
        status.used_bytes / status.size_bytes if status.used_bytes is not None and status.size_bytes else None
    )
    sizes = [number.binary_size(status.size_bytes)] if status.size_bytes is not None else []
    if status.used_bytes is not None:
        sizes.append(
            f"{number.binary_size(status.used_bytes)} in use"
            + (f" ({number.percent(used)})" if used is not None else "")
        )
    assumed = " (assumed)" if status.block_known == "assumed" else ""
    yield from grid.pairs(
        [
            ("size", ", ".join(sizes) or None),
            (
                "block",
                None if status.block_bytes is None else number.binary_size(status.block_bytes) + assumed,
            ),
            ("period", _period(status)),
        ]
    )
    if status.settings:
        settings = ", ".join(f"{setting.name} {setting.value}" for setting in status.settings)
        yield from grid.wrapped(f"set     {settings}", indent=2, hanging=8)


def _period(status: CacheStatus) -> str:
    if status.seconds is None:
        return "since the counters began; how long ago is unknown, so there are no rates"
    length = number.duration(status.seconds)
    if len(status.samples) == 1:
        return f"{length}, since the counters began"
    if status.seconds_known == "given":
        return f"{length} between two samples, as given"
    return f"{length} between two samples, {TIMES[status.samples[-1].time_from or 'file-time']}"


def _hits(requests: Requests) -> Iterator[str | Text]:
    names = ("reads", "writes", "  to dirty blocks")
    columns: list[tuple[str, list[int | str | None]]] = [
        (requests.unit, [requests.reads, requests.writes, None]),
        ("hits", [requests.read_hits, requests.write_hits, requests.dirty_write_hits]),
        (
            "hit ratio",
            [
                _when(share, number.percent)
                for share in (
                    requests.read_hit_ratio,
                    requests.write_hit_ratio,
                    requests.dirty_write_hit_ratio,
                )
            ],
        ),
        ("past the cache", [requests.uncached_reads, requests.uncached_writes, None]),
        (
            "per s",
            [*(_when(rate, number.iops) for rate in (requests.reads_per_s, requests.writes_per_s)), None],
        ),
    ]
    columns = [(head, cells) for head, cells in columns if any(cell is not None for cell in cells)]
    if not columns:
        yield from ("", "The cache counts no requests.")
        return
    rows = [
        row
        for row in zip(names, *(cells for _, cells in columns), strict=True)
        if any(cell is not None for cell in row[1:])
    ]
    yield ""
    yield from grid.table(["<", *(head for head, _ in columns)], rows, indent=2)


def _written(status: CacheStatus) -> Iterator[str | Text]:
    traffic = status.traffic
    if not traffic.drive_written:
        return
    yield from ("", "Written to the cache drive")
    yield from grid.table(
        ("<cause", "bytes", "share", "per byte of the host"),
        [
            (
                CAUSES[row.cause],
                _span(row.bytes),
                number.percent(row.share),
                _when(row.per_host_write, number.significant),
            )
            for row in traffic.drive_written
        ],
        indent=2,
    )
    moved = [
        f"{what} {number.size(value)}"
        for what, value in (
            ("read from the cache drive", traffic.drive_read_bytes),
            ("from the disks", traffic.disk_read_bytes),
            ("written to the disks", traffic.disk_written_bytes),
        )
        if value is not None
    ]
    each = traffic.requests_per_request
    amplification = status.write_amplification
    yield from grid.pairs(
        [
            ("write amplification", None if amplification is None else _ratio(amplification)),
            (
                "requests",
                _when(
                    each, lambda ratio: f"{number.significant(ratio)} to the cache drive for each of the host"
                ),
            ),
            ("rate", _when(traffic.drive_written_bytes_per_s, number.throughput)),
            ("besides", ", ".join(moved) or None),
        ]
    )
    if amplification is None and status.cache in ("dm-cache", "bcache"):
        yield "  write amplification is unknown: the host's bytes are not counted (`--host-written`)"


def _span(span: Span) -> str:
    return _bounded(number.size, span)


def _ratio(span: Span) -> str:
    text = _bounded(lambda value: number.significant(value, 3), span)
    return f"{text} bytes to the cache drive for each byte of the host"


def _bounded(text: number.Text, span: Span) -> str:
    """Return a value with its bounds, where they read differently."""
    bounds = number.span(text, span.low, span.high)
    return text(span.value) if bounds == text(span.value) else f"{text(span.value)} ({bounds})"


def _dirty(status: CacheStatus) -> Iterator[str | Text]:
    dirty = status.dirty
    if dirty.missing == "no-write-back":
        yield from ("", f"Dirty data: {MISSING['no-write-back']}")
        return
    share = "" if dirty.fraction is None else f", {number.percent(dirty.fraction)} of the cache"
    known = " (derived from the counters)" if dirty.known == "derived" else ""
    yield from ("", f"Dirty data: {number.size(dirty.bytes)}{share}{known}")
    allowed = dirty.cleaning == "allowed"
    rate = "at the rate that the cache allows now" if allowed else "at the observed rate"
    yield from grid.pairs(
        [
            (
                "kept on purpose",
                _when(dirty.aim_fraction, lambda aim: f"up to {number.percent(aim)} of the cache"),
            ),
            ("allowed" if allowed else "cleaned", _when(dirty.cleaned_bytes_per_s, number.throughput)),
            ("dirtied", _when(dirty.dirtied_bytes_per_s, number.throughput)),
            ("change", _when(dirty.grows_bytes_per_s, _change)),
            (
                "contiguous",
                _when(dirty.run_bytes, lambda run: f"{number.binary_size(run)} are cleaned together"),
            ),
            (
                "time to drain",
                _when(
                    dirty.drain_s, lambda time: f"{number.duration(time)} {rate}, if nothing more is written"
                ),
            ),
            ("", _when(dirty.aim_s, lambda time: f"{number.duration(time)} until what it keeps on purpose")),
            ("  under this load", _when(dirty.drain_under_load_s, number.duration)),
            ("  at the given rate", _when(dirty.drain_backing_s, number.duration)),
            (
                "time to drain" if dirty.drain_s is None else "  under this load",
                None if dirty.missing is None else MISSING[dirty.missing],
            ),
        ],
        width=grid.WIDTH,
    )


def _when(value: T | None, text: Callable[[T], str]) -> str | None:
    """Return a value as text, none where it is unknown."""
    return None if value is None else text(value)


def _change(rate: float) -> str:
    return f"{'grows' if rate > 0 else 'shrinks'} by {number.throughput(abs(rate))}" if rate else "none"


def _life(status: CacheStatus) -> Iterator[str | Text]:
    life = status.life
    if life is None:
        return
    yield from ("", f"Life of the cache drive `{life.drive}`")
    used = number.significant(life.dwpd_used, 2)
    yield from grid.pairs(
        [
            (
                "written a day",
                f"{number.size(life.written_bytes_per_day)}, at the rate of the period all day long",
            ),
            ("of the host's own", _when(life.without_bytes_per_day, lambda own: f"{number.size(own)} a day")),
            ("rated writes", number.size(life.rated_bytes)),
            ("until they are used up", number.years(life.life_years_rated_writes)),
            ("warranty ends in", number.years(life.warranty_end_years)),
            (
                "drive writes a day",
                used
                + ("" if life.dwpd_rated is None else f" of {number.significant(life.dwpd_rated, 2)} rated"),
            ),
        ]
    )


def _limits(status: CacheStatus) -> Iterator[str | Text]:
    yield ""
    if not status.limits:
        yield "What limits it: nothing that its counters show"
        return
    yield "What limits it"
    for limit in status.limits:
        yield from grid.wrapped(f"- {cache_limit.text(status, limit)}", indent=2, hanging=2)


def _what_if(status: CacheStatus) -> Iterator[str | Text]:
    found = status.what_if
    if found is None:
        return
    yield from ("", f"What if, by simulation of {grid.clean(found.trace)}")
    counted = status.requests
    amplification = status.write_amplification
    rows = [
        (
            "counted",
            number.percent(counted.read_hit_ratio),
            number.percent(counted.write_hit_ratio),
            None,
            None,
            None if amplification is None else number.significant(amplification.value),
            number.size(status.dirty.bytes),
            None if status.life is None else number.years(status.life.life_years_rated_writes),
        ),
        *(
            (
                _changed(row),
                number.percent(row.read_hit_ratio),
                number.percent(row.write_hit_ratio),
                f"{number.milliseconds(row.read_ns_p99)}{' sat.' if row.saturated else ''}",
                number.milliseconds(row.write_ns_p99),
                _when(row.write_amplification, number.significant),
                number.size(row.dirty_bytes),
                number.years(row.life_years_rated_writes),
            )
            for row in found.rows
        ),
    ]
    heads = (
        "<",
        "read\nhits",
        "write\nhits",
        "p99\nread ms",
        "p99\nwrite ms",
        "written\nper byte",
        "dirty",
        "rated writes\nlast",
    )
    yield from grid.table(heads, rows, indent=2)


def _changed(row: Simulated) -> str:
    if row.setting is None or row.value is None:
        return "simulated as it is set"
    is_size = row.setting == "size" and row.value.isdigit()
    return f"{row.setting} {number.binary_size(float(row.value)) if is_size else row.value}"


def _checks(status: CacheStatus) -> Iterator[str | Text]:
    if not status.checks:
        return
    broken = [check for check in status.checks if not check.holds]
    yield ""
    if not broken:
        most = max(check.deviation for check in status.checks)
        yield f"Its counters agree: {len(status.checks)} identities hold to {_deviation(most)}"
        return
    yield f"Its counters do not agree: {len(broken)} of {len(status.checks)} identities do not hold"
    for check in broken:
        yield from grid.wrapped(
            f"- {check.identity}: {number.count(check.left)} and {number.count(check.right)}, "
            f"{_deviation(check.deviation)} apart",
            indent=2,
            hanging=2,
        )
    yield from grid.wrapped(
        "Requests in flight explain differences of a few hundred; larger ones come of counters that were zeroed apart, "
        "of another version, or of a damaged file. Do not rely on figures that are made of them.",
        indent=2,
    )


def _deviation(share: float) -> str:
    return f"{number.significant(100 * share, 2)} %" if share else "the digit"
