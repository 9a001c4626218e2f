"""What another size, threshold or cutoff would do: the trace on the running cache as it is set, then changed.

The simulator plays the trace on each (`crates/sim/src/cache`), filled before with what the trace reads and writes. As
it is set comes first, next to what the counters say: where the two differ, the trace is not the load of the period, or
is too short to show what comes back after hours, and differences between rows say more than any row.
"""

from collections.abc import Callable
from dataclasses import dataclass

from drivecast.assess.endurance import years_until
from drivecast.caching.running_design import Option, RunningDesign
from drivecast.catalog import Drive
from drivecast.document.cache_status import Simulated, WhatIf
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError
from drivecast.quantity.interval import finite
from drivecast.quantity.year import DAY_S

TRIES_MAX = 32
"""Changes that a run tries: each plays the trace."""

Run = Callable[[str], Outcome]
"""Plays the trace on a design."""


def change(text: str) -> Option:
    """Return a setting and its value. Raises `InputError` unless the text is `name=value`."""
    name, sign, value = text.partition("=")
    if not (sign and name.replace("_", "").isalnum() and value):
        raise HintedError(
            f"--try: expected a setting such as `dirty_thresh_pct=50`, found `{text}`",
            "`size=200GB` is another",
        )
    return name, value


@dataclass(frozen=True)
class Trials:
    """What is simulated."""

    design: RunningDesign
    changes: tuple[Option, ...]
    drive: Drive
    """The cache drive, whose life is asked for."""


def tried(trace: str, trials: Trials, run: Run, shown: Callable[[float, str], None]) -> WhatIf:
    """Play the trace on the cache as it is, then with each change. Raises `InputError` for too many changes."""
    changes = trials.changes
    if len(changes) > TRIES_MAX:
        raise HintedError(f"--try: at most {TRIES_MAX} changes, found {len(changes)}", "try fewer at a time")
    rows = [_row(trials.design, None, run(trials.design.line), trials.drive)]
    for number, (name, value) in enumerate(changes, 1):
        shown(number / (len(changes) + 1), f"{name}={value}")
        design = trials.design.changed(name, value)
        rows.append(_row(design, (name, value), run(design.line), trials.drive))
    return WhatIf(trace=trace, rows=rows)


def _row(design: RunningDesign, changed: Option | None, outcome: Outcome, drive: Drive) -> Simulated:
    cache = outcome.cache
    if cache is None:
        raise TypeError(f"`{design.line}` has no cache")
    host, seconds, rated = outcome.host_written_bytes, outcome.duration_s, drive.tbw_bytes
    written = cache.ssd_written_bytes / seconds * DAY_S if seconds else None
    name, value = changed or (None, None)
    return Simulated(
        setting=name,
        value=value,
        design=design.line,
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
