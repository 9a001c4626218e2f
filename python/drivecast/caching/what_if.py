"""What another size, threshold or cutoff would do: the trace on the running cache as it is set, then changed.

    cache(fast=DRIVE, slow=BACKING, policy=…, size=…, the settings of the sample, one of them changed)

The simulator plays the trace on each (`crates/sim/src/cache`), warmed with the trace itself. As it is set comes first,
next to what the counters say: where the two differ, the trace is not the load of the period, or is too short to show
what comes back after hours, and differences between rows say more than any row. Left out: caches that the simulator
does not have, and settings that the statistics do not hold, which are the simulator's defaults.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from drivecast.assess.endurance import years_until
from drivecast.caching.cache_sample import Sample
from drivecast.catalog import Drive
from drivecast.document.cache_status import Simulated, WhatIf
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError
from drivecast.quantity.interval import finite

SECONDS_PER_DAY = 86_400.0
TRIES_MAX = 32
"""Changes that a run tries: each plays the trace."""

Run = Callable[[str], Outcome]
"""Plays the trace on a design."""


@dataclass(frozen=True)
class Setup:
    """A cache as a design line."""

    fast: str
    slow: str
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """The design."""
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"cache(fast={self.fast}, slow={self.slow}{options})"

    def changed(self, name: str, value: str) -> "Setup":
        """Return the same with another setting."""
        return Setup(self.fast, self.slow, {**self.options, name: value})


def setup(sample: Sample, fast: str, slow: str) -> Setup:
    """Return the running cache as a design. Raises `InputError` for a cache that the simulator does not have."""
    options = OPTIONS.get(sample.kind)
    if options is None:
        raise HintedError(
            f"--trace: no model of {sample.kind} takes the settings of a running one yet",
            f"it works for {', '.join(OPTIONS)}; `drivecast cache WORKLOAD` shows hits by size for any",
        )
    return Setup(fast, slow, dict(options(sample)))


def _flashcache(sample: Sample) -> Iterator[tuple[str, str]]:
    yield "policy", "flashcache"
    settings, blocks = sample.settings, sample.gauges.get("total_blocks")
    if blocks is None:
        raise HintedError(
            "--trace: the size of the cache is unknown: its table is missing",
            "`(dmsetup table NAME; dmsetup status NAME) > now.txt` has both",
        )
    block = settings.get("data block size", "4K")
    yield "block", f"{block}iB"
    yield "size", str(round(blocks * int(block.removesuffix("K")) * 1024))
    yield "mode", FLASHCACHE_MODES.get(settings.get("cache mode", ""), "writeback")
    if settings.get("cache mode") == "WRITE_CACHE":
        yield "write_only", "yes"
    if "associativity" in settings:
        yield "assoc", settings["associativity"]
    for name in ("dirty_thresh_pct", "fallow_clean_speed", "max_clean_ios_set", "max_clean_ios_total"):
        if name in settings:
            yield name, settings[name]
    if (
        skipped := settings.get("skip_seq_thresh_kb") or _kib(settings.get("skip sequential thresh", ""))
    ) != "0":
        yield "skip_seq_thresh_kb", skipped
    if settings.get("reclaim_policy") == "1":
        yield "reclaim_policy", "lru"


def _kib(text: str) -> str:
    number = text.removesuffix("K")
    return number if number.isdigit() else "0"


FLASHCACHE_MODES = {
    "WRITE_BACK": "writeback",
    "WRITE_CACHE": "writeback",
    "WRITE_THROUGH": "writethrough",
    "WRITE_AROUND": "writearound",
}
OPTIONS: Mapping[str, Callable[[Sample], Iterator[tuple[str, str]]]] = {"flashcache": _flashcache}
"""The settings of a running cache as options of a design."""


def usual(setup: Setup) -> Iterator[tuple[str, str]]:
    """Yield what is tried where nothing else is asked for: half and double the size, two thresholds, two cutoffs."""
    size = int(setup.options["size"])
    yield "size", str(size // 2)
    yield "size", str(size * 2)
    if setup.options.get("mode") == "writeback":
        now = setup.options.get("dirty_thresh_pct", "20")
        yield from (("dirty_thresh_pct", value) for value in ("20", "50", "80") if value != now)
    now = setup.options.get("skip_seq_thresh_kb", "0")
    yield from (("skip_seq_thresh_kb", value) for value in ("128", "1024") if value != now)


def change(text: str) -> tuple[str, str]:
    """Return a setting and its value. Raises `InputError` unless the text is `name=value`."""
    name, sign, value = text.partition("=")
    if not (sign and name.replace("_", "").isalnum() and value):
        raise HintedError(
            f"expected a setting such as `dirty_thresh_pct=50`, found `{text}`", "`size=200GB` is another"
        )
    return name, value


@dataclass(frozen=True)
class Trials:
    """What is simulated."""

    setup: Setup
    changes: tuple[tuple[str, str], ...]
    drive: Drive
    """The cache drive, whose life is asked for."""


def tried(trace: str, trials: Trials, run: Run, shown: Callable[[float, str], None]) -> WhatIf:
    """Play the trace on the cache as it is, then with each change. Raises `InputError` for too many changes."""
    changes = trials.changes
    if len(changes) > TRIES_MAX:
        raise HintedError(f"--try: at most {TRIES_MAX} changes, found {len(changes)}", "try fewer at a time")
    rows = []
    for number, (name, value) in enumerate([("", ""), *changes]):
        own = trials.setup.changed(name, value) if name else trials.setup
        shown(number / (len(changes) + 1), f"{name}={value}" if name else "as it is set")
        rows.append(_row(own, name or None, value or None, run(own.line), trials.drive))
    return WhatIf(trace=trace, rows=rows)


def _row(setup: Setup, name: str | None, value: str | None, outcome: Outcome, drive: Drive) -> Simulated:
    cache = outcome.cache
    if cache is None:
        raise TypeError(f"`{setup.line}` has no cache")
    host, seconds, rated = outcome.host_written_bytes, outcome.duration_s, drive.tbw_bytes
    written = cache.ssd_written_bytes / seconds * SECONDS_PER_DAY if seconds else None
    return Simulated(
        setting=name,
        value=value,
        design=setup.line,
        read_hit_ratio=cache.read_hit_ratio,
        write_hit_ratio=cache.write_hit_ratio,
        write_amplification=cache.ssd_written_bytes / host if host else None,
        read_ns_p99=outcome.latency("read", "q0.99"),
        write_ns_p99=outcome.latency("write", "q0.99"),
        saturated=outcome.saturated,
        dirty_bytes=cache.dirty_bytes,
        disk_utilization=cache.disk_utilization,
        written_bytes_per_day=written,
        life_years_rated_writes=finite(years_until(rated, bytes_per_day=written))
        if rated and written
        else None,
    )
