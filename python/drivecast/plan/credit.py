"""Burst credits over a whole log: a fluid model of a token bucket, second by second.

Model. Each second adds the bucket's rate and takes the demand, up to the burst; the level stays between nothing and
full. The log is repeated, with what is idle of a day between: the second time it begins with what the first left. Left
out: what a second could not serve is not carried into the next, where it would use more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

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
    if cap is None or cap.credits is None or cap.burst_per_s is None or not cap.credits.value or not demand:
        return Left()
    rate, burst, full = cap.per_s.value, cap.burst_per_s.value, cap.credits.value
    window = profile.peak_window
    start, end = (window.start_s, window.start_s + window.length_s) if window else (0.0, profile.duration_s)
    idle = profile.duration_s * (24 / hours_a_day - 1)
    level = least = at_peak = in_peak = full
    for _ in range(2):
        least, in_peak, last = level, full, -1
        for second, wanted in demand:
            level = min(full, level + rate * (second - last - 1))
            if last < start <= second:
                at_peak = level
            level = min(full, max(0.0, level + rate - min(wanted, burst)))
            if start - 1 < second < end:
                in_peak = min(in_peak, level)
            least, last = min(least, level), second
        level = min(full, level + rate * idle)
    return Left(at_peak / full, least / full, in_peak / full)


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
