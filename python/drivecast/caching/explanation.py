"""A cache explained: the period's counters, what they mean, and what follows for dirty data and the drive's life.

Time to drain D dirty bytes, cleaned at c and dirtied at d bytes a second: D / c if nothing more is written; D / (c − d)
while the load of the period continues, never where c ≤ d; D / b where the backing device takes b. A cache that keeps a
share a of its size S dirty on purpose stops at a S, reached after (D − a S) / c.

Life of the drive: its rated writes over what is written to it. Those hold an amplification within the drive of its
maker's choosing, so none is assumed here; how the cache's writes wear the flash itself is left out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from drivecast.assess.endurance import years_until
from drivecast.caching import (
    bcache,
    cachelib_navy,
    dm_cache,
    dm_writecache,
    flashcache,
    open_cas,
    zfs_arc,
)
from drivecast.caching.cache_sample import Meaning, Period
from drivecast.catalog import Drive
from drivecast.document.cache_status import CacheStatus, Dirty, DrainMissing, Kind, Life, Sampled, Traffic
from drivecast.errors import HintedError
from drivecast.quantity.interval import Interval, Span, finite
from drivecast.quantity.year import DAY_S

MEANINGS: Mapping[Kind, Callable[[Period], Meaning]] = {
    "flashcache": flashcache.explain,
    "dm-cache": dm_cache.explain,
    "dm-writecache": dm_writecache.explain,
    "bcache": bcache.explain,
    "open-cas": open_cas.explain,
    "zfs-arc": zfs_arc.explain,
    "cachelib-navy": cachelib_navy.explain,
}
CLEANING_COUNTED = ("flashcache", "open-cas")
"""Caches that count what they write back, so that one sample and the time of its counters give a rate."""
NOT_COUNTING = ("dm-cache", "bcache")
"""Caches that count requests of the host, not its bytes."""


@dataclass(frozen=True)
class Known:
    """What the user knows besides the counters."""

    drive: Drive | None = None
    backing_bytes_per_s: float | None = None
    need_life: bool = True
    """Whether it is an error where the life of the drive is unknown; where it is simulated as well it is not."""


def explain(period: Period, known: Known) -> CacheStatus:
    """Return the document. Raises `InputError` where what is known does not fit the cache."""
    sample, meaning = period.last, _meaning(period)
    dirty = _drained(meaning.dirty, meaning.size_bytes, period, known.backing_bytes_per_s)
    return CacheStatus(
        cache=sample.kind,
        name=sample.name,
        samples=[
            Sampled(place=each.place, time=each.time, time_from=each.time_from)
            for each in ((period.first, sample) if period.first else (sample,))
        ],
        seconds=period.seconds,
        seconds_known=period.seconds_known,
        settings=sample.shown,
        size_bytes=meaning.size_bytes,
        used_bytes=meaning.used_bytes,
        block_bytes=meaning.block_bytes,
        block_known=meaning.block_known,
        requests=meaning.requests,
        traffic=meaning.traffic,
        write_amplification=amplification(meaning.traffic),
        dirty=dirty,
        life=_life(known, meaning.traffic, period),
        checks=list(meaning.checks),
        limits=list(meaning.limits),
        notes=list(meaning.notes),
    )


def _meaning(period: Period) -> Meaning:
    kind = period.last.kind
    if period.host_written_bytes is not None and kind not in NOT_COUNTING:
        raise HintedError(
            f"`--host-written`: {kind} counts what the host writes, or is not written by it",
            f"leave it out; it is for {' and '.join(NOT_COUNTING)}",
        )
    return MEANINGS[kind](period)


def amplification(traffic: Traffic) -> Interval | None:
    """Return bytes written to the drive for each of the host; none where one of them is unknown."""
    host, drive = traffic.host_written_bytes, traffic.drive_written_bytes
    if host is None or drive is None:
        return None
    (least, likely, most), (low, value, high) = (_ends(span) for span in (host, drive))
    return Interval(low / most, value / likely, high / least) if least > 0 else None


def _ends(span: Span) -> tuple[float, float, float]:
    return span.low or 0.0, span.value or 0.0, span.high or 0.0


def _drained(dirty: Dirty, size: int | None, period: Period, backing: float | None) -> Dirty:
    """Add how long it takes to drain what is dirty."""
    if dirty.missing is not None or dirty.bytes is None:
        return dirty
    held, cleaned, grows = dirty.bytes, dirty.cleaned_bytes_per_s, dirty.grows_bytes_per_s
    fraction = dirty.fraction if dirty.fraction is not None or not size else held / size
    aim = None if dirty.aim_fraction is None or size is None else dirty.aim_fraction * size
    over = None if aim is None else max(0.0, held - aim)
    return dirty.model_copy(
        update={
            "fraction": fraction,
            "drain_s": held / cleaned if cleaned else None,
            "drain_under_load_s": held / -grows if grows is not None and grows < 0 else None,
            "drain_backing_s": held / backing if backing else None,
            "aim_s": over / cleaned if over is not None and cleaned else None,
            "missing": _missing(dirty, period),
        }
    )


def _missing(dirty: Dirty, period: Period) -> DrainMissing | None:
    """Why the time to drain is unknown, or has no end."""
    if not dirty.bytes:
        return "clean"
    if dirty.grows_bytes_per_s is not None and dirty.grows_bytes_per_s >= 0 and period.first is not None:
        return "grows"
    if dirty.cleaned_bytes_per_s is not None or dirty.grows_bytes_per_s is not None:
        return None
    if period.first is None:
        return "time-unknown" if period.last.kind in CLEANING_COUNTED else "one-sample"
    return "too-coarse" if period.last.kind == "bcache" else "rate-unknown"


def _life(known: Known, traffic: Traffic, period: Period) -> Life | None:
    if known.drive is None or (not known.need_life and traffic.drive_written_bytes_per_s is None):
        return None
    return life(known.drive, traffic, period)


def life(drive: Drive, traffic: Traffic, period: Period) -> Life:
    """Return the life of the cache drive. Raises `InputError` where the rate of writes is unknown."""
    rated = drive.tbw_bytes
    if rated is None:
        raise HintedError(
            f"--drive: `{drive.name}` has no rated writes", "name the flash drive that holds the cache"
        )
    rate = traffic.drive_written_bytes_per_s
    if rate is None:
        counted = traffic.drive_written_bytes is not None
        raise HintedError(
            "--drive: how much is written to the cache drive in a day is unknown: "
            + ("the time that the counters cover is unknown" if counted else "the cache does not count it"),
            "give a second sample, or `--uptime` for how long the counters have run"
            if counted
            else "give `--host-written` for the bytes that the host wrote in the period",
        )
    per_day = rate * DAY_S
    host = traffic.host_written_bytes
    by_writes = years_until(rated, bytes_per_day=per_day)
    return Life(
        drive=drive.name,
        written_bytes_per_day=per_day,
        rated_bytes=rated,
        life_years_rated_writes=finite(by_writes),
        warranty_end_years=min(by_writes, drive.warranty_years),
        dwpd_used=per_day / drive.user_bytes,
        dwpd_rated=drive.dwpd,
        without_bytes_per_day=host.value * DAY_S / period.seconds
        if host is not None and host.value is not None and period.seconds
        else None,
    )
