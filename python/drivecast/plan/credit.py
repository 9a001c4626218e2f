"""Burst credits over a whole log: a fluid model of a token bucket, second by second.

The model and its arithmetic are in `crates/assess/src/credit.rs`, which the page of a report calls, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from drivecast import _core
from drivecast.catalog.cloud_volume import bucket
from drivecast.catalog.volume import VolumeCap
from drivecast.document.outcome import Second
from drivecast.document.profile import Profile


@dataclass(frozen=True)
class Left:
    """Shares of full credits."""

    at_peak: float = 1.0
    """When the peak window begins."""
    least: float = 1.0
    """At any moment of the log."""
    least_in_peak: float = 1.0
    """At any moment of the peak window."""


def left(
    profile: Profile, cap: VolumeCap | None, demand: Sequence[tuple[int, float]], hours_a_day: float
) -> Left:
    """What the log leaves of the credits of `cap`, as shares; `demand` is of each second, in tokens."""
    if cap is None:
        return Left()
    window = profile.peak_window
    start, length = (window.start_s, window.length_s) if window else (0.0, profile.duration_s)
    log = (profile.duration_s, start, length, hours_a_day)
    return Left(**_core.credits_left(bucket(cap), log, demand))


def requests(rows: Sequence[Second], load: float, unit_bytes: int) -> list[tuple[int, float]]:
    """Requests of each second at a multiple of the load, those above the unit counted in pieces."""
    return [
        (
            int(row["second"]),
            load * max(_total(row, "reads", "writes"), _bytes(row) / unit_bytes if unit_bytes else 0),
        )
        for row in rows
    ]


def moved(rows: Sequence[Second], load: float) -> list[tuple[int, float]]:
    """Bytes of each second at a multiple of the load."""
    return [(int(row["second"]), load * _bytes(row)) for row in rows]


def _bytes(row: Second) -> float:
    return _total(row, "read_bytes", "written_bytes")


def _total(row: Second, first: str, second: str) -> float:
    values: dict[str, float] = {**row}  # type: ignore[dict-item]
    return float(values.get(first) or 0) + float(values.get(second) or 0)


def busiest(demand: Sequence[tuple[int, float]], start_s: float, length_s: float, share: float) -> float:
    """The rate that `share` of the demand in the window does not exceed."""
    inside = sorted(wanted for second, wanted in demand if start_s - 1 < second < start_s + length_s)
    total, reached = sum(inside), 0.0
    for wanted in inside:
        reached += wanted
        if reached >= share * total:
            return wanted
    return inside[-1] if inside else 0.0
