"""A running cache explained: what its own counters say of hits, of dirty data, of wear, and of what limits it.

Represented: one cache over a period, from the beginning of its counters to a sample, or between two samples. A figure
that the cache does not count is null, never a guess; one that its counters bound has a low and a high end.

    write amplification = bytes written to the cache drive / bytes that the host wrote to the cached device
"""

import datetime
from typing import Annotated, Literal

from pydantic import PlainSerializer

from drivecast.document.part import Document, Part, Provenance, left_out
from drivecast.quantity.interval import Span

Kind = Literal["flashcache", "dm-cache", "dm-writecache", "bcache", "open-cas", "zfs-arc", "cachelib-navy"]
Cause = Literal["host-writes", "fills", "metadata", "data"]
"""Why the cache drive is written; `data` where the cache does not count fills and writes of the host apart."""
LimitKind = Literal[
    "no-clean-block",
    "sets-conflict",
    "not-whole-blocks",
    "sequential",
    "size-or-policy",
    "all-dirty",
    "dirty-threshold",
    "cleaning-behind",
    "cleaned-early",
    "metadata-writes",
    "fills-unread",
    "cold",
    "misses",
    "promotions-stopped",
    "metadata-full",
    "writes-around",
    "feed",
    "headers",
    "rejected",
    "errors",
]
DrainMissing = Literal[
    "one-sample", "time-unknown", "rate-unknown", "clean", "grows", "no-write-back", "too-coarse"
]
"""Why there is no time to drain."""
Time = Annotated[datetime.datetime, PlainSerializer(datetime.datetime.isoformat)]


class Sampled(Part):
    """A reading of the cache's statistics."""

    place: str
    time: Time | None = None
    time_from: Literal["statistics", "file-name", "file-time"] | None = None


class Setting(Part):
    """A setting of the cache, under its own name."""

    name: str
    value: str


class Requests(Part):
    """What the cache counted of its users' requests in the period."""

    unit: Literal["requests", "blocks", "lookups"]
    """FlashCache counts pieces of at most a block; dm-writecache counts blocks from kernel 6.0 on, requests before."""
    reads: int | None = None
    writes: int | None = None
    read_hits: int | None = None
    write_hits: int | None = None
    dirty_write_hits: int | None = None
    """Writes to a block that was dirty already: each saves a write to the disks."""
    uncached_reads: int | None = None
    uncached_writes: int | None = None
    """Requests that went past the cache."""
    hit_ratio: float | None = None
    """Of reads and writes together, where both are counted."""
    read_hit_ratio: float | None = None
    write_hit_ratio: float | None = None
    dirty_write_hit_ratio: float | None = None
    uncached_ratio: float | None = None
    reads_per_s: float | None = None
    writes_per_s: float | None = None


class Written(Part):
    """Bytes written to the cache drive for one cause."""

    cause: Cause
    bytes: Span
    share: float | None
    """Of all that is written to the drive."""
    per_host_write: float | None
    """Bytes for each byte that the host wrote."""


class Traffic(Part):
    """Bytes moved in the period; null where the cache does not count them."""

    host_written_bytes: Span | None = None
    host_written_known: Provenance | None = None
    drive_written: list[Written]
    drive_written_bytes: Span | None = None
    drive_written_bytes_per_s: float | None = None
    drive_read_bytes: int | None = None
    disk_read_bytes: int | None = None
    disk_written_bytes: int | None = None
    requests_per_request: float | None = None
    """Requests to the cache drive for each request of the host, where both are counted."""


class Dirty(Part):
    """Data that only the cache holds."""

    bytes: int | None
    known: Provenance
    fraction: float | None = None
    """Of the cache."""
    aim_fraction: float | None = None
    """Dirty data that the cache keeps on purpose: cleaning stops there."""
    cleaned_bytes_per_s: float | None = None
    cleaning: Literal["observed", "allowed"] = "observed"
    """Whether that is what was written back, or what the cache's controller allows now (bcache)."""
    dirtied_bytes_per_s: float | None = None
    grows_bytes_per_s: float | None = None
    """Between the samples; negative where it shrinks."""
    run_bytes: float | None = None
    """Mean length of what is cleaned together, contiguous on the disks."""
    drain_s: float | None = None
    """At the observed rate of cleaning, if nothing more is written."""
    drain_under_load_s: float | None = None
    """While the load of the period continues."""
    drain_backing_s: float | None = None
    """At the given rate of the backing device."""
    aim_s: float | None = None
    """Until only what the cache keeps on purpose is dirty, at the observed rate of cleaning."""
    missing: DrainMissing | None = None


class Life(Part):
    """The rated writes of the cache drive against what is written to it."""

    drive: str
    written_bytes_per_day: float
    rated_bytes: float
    life_years_rated_writes: float | None
    """Null where nothing is written."""
    warranty_end_years: float
    dwpd_used: float
    dwpd_rated: float | None
    without_bytes_per_day: float | None = None
    """What the same writes of the host would be to the drive without amplification by the cache."""


class Check(Part):
    """An identity that the cache's counters have to satisfy, over all that they have counted."""

    identity: str
    left: int
    right: int
    deviation: float
    """Difference over the larger side."""
    holds: bool


class Limit(Part):
    """What keeps the cache from doing better."""

    kind: LimitKind
    share: float | None = None
    """Of the requests, or of the bytes, that are concerned."""
    found: float | None = None
    limit: float | None = None
    setting: str | None = None
    """The setting that decides, under the cache's own name."""


class Simulated(Part):
    """The trace on the cache as it is set, or with one setting changed."""

    setting: str | None
    """Null as it is set."""
    value: str | None
    design: str
    read_hit_ratio: float | None
    write_hit_ratio: float | None
    write_amplification: float | None
    """Bytes written to the cache drive for each byte of the host."""
    read_ns_p99: float | None
    write_ns_p99: float | None
    saturated: bool
    dirty_bytes: int
    """At the end of the trace."""
    disk_utilization: float
    written_bytes_per_day: float | None
    """To the cache drive, at the trace's rate."""
    life_years_rated_writes: float | None


class WhatIf(Part):
    """What another setting would do, by simulation of a trace."""

    trace: str
    rows: list[Simulated]
    """As it is set first."""


class CacheStatus(Document):
    """What `cache status` prints."""

    cache: Kind
    name: str
    samples: list[Sampled]
    seconds: float | None
    """The length of the period."""
    seconds_known: Provenance | None = None
    settings: list[Setting]
    size_bytes: int | None
    used_bytes: int | None
    block_bytes: int | None
    block_known: Provenance | None = None
    requests: Requests
    traffic: Traffic
    write_amplification: Span | None
    dirty: Dirty
    life: Life | None
    checks: list[Check]
    limits: list[Limit]
    what_if: Annotated[WhatIf | None, left_out()] = None
    notes: list[str]
