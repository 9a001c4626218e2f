"""What drives in service did: writes a day, amplification, and wear for a byte, each with an interval.

Model. The members of an array share one workload, so their counters are summed over the same blocks of time (a week
each where there are enough). Of increments H (host bytes), N (flash bytes), W (wear) and days D

    writes of a drive a day = ΣH / ΣD        write amplification = ΣN / ΣH        wear for a byte = ΣW / ΣN

Intervals hold 95 %. The first two leave out one block after another (jackknife of the logarithm, Student's t), since
how a workload varies from week to week is what makes its mean uncertain. Wear for a byte is a property of the drive and
not of the week: it is taken between the first and the last change of the wear counter, where a coarse counter is exact
to the time between two samples, and its error is those times' (uniform), and the spread between drives where there
are three or more. A counter that falls back was reset, and its drive is left out from before.
Left out: wear by time alone (retention), and drives that do not serve the array's own workload.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean

import polars as pl

from drivecast.document.wear_comparison import Missing, Observation
from drivecast.quantity.interval import Interval
from drivecast.quantity.year import DAY_S, HOURS_PER_YEAR

LEVEL = 0.95
BLOCK_DAYS = 7.0
BLOCKS_LEAST, BLOCKS_MOST = 4, 52
DAYS_LEAST = 2.0


@dataclass(frozen=True)
class Track:
    """One counter of one drive over time, rising, in days and its own unit."""

    days: Sequence[float]
    totals: Sequence[float]

    def at(self, day: float) -> float:
        """The counter at a time within the track, rising evenly between samples."""
        place = min(max(bisect_left(self.days, day), 1), len(self.days) - 1)
        before, after = self.days[place - 1], self.days[place]
        share = (day - before) / (after - before)
        return self.totals[place - 1] + share * (self.totals[place] - self.totals[place - 1])

    def increment(self, start: float, end: float) -> float:
        """What was counted in a stretch within the track."""
        return self.at(end) - self.at(start)


@dataclass(frozen=True)
class Seen:
    """One drive's counters; those it does not report, or that stand still by too few samples, are `None`."""

    serial: str
    host: Track | None
    nand: Track | None
    wear: Track | None
    hours: Track | None


def track(times: Sequence[float], values: Sequence[float | None]) -> Track | None:
    """The samples of a counter since it last fell back; `None` with fewer than two, or two days."""
    days: list[float] = []
    totals: list[float] = []
    for day, value in zip(times, values, strict=True):
        if value is None or not math.isfinite(value) or (days and day <= days[-1]):
            continue
        if totals and value < totals[-1]:
            days, totals = [], []
        days.append(day)
        totals.append(value)
    return Track(days, totals) if len(days) > 1 and days[-1] - days[0] >= DAYS_LEAST else None


def seen(serial: str, samples: pl.DataFrame) -> Seen:
    """The counters of one drive from its samples, sorted by time."""
    times = (samples["time"].dt.epoch("s") / DAY_S).to_list()
    names = ("host_written_bytes", "nand_written_bytes", "wear_ratio", "power_on_hours")
    return Seen(
        serial, *(track(times, samples[n].to_list()) if n in samples.columns else None for n in names)
    )


def observe(drives: Sequence[Seen]) -> Observation:
    """Sum up what the drives of one array did."""
    hosts = [drive.host for drive in drives if drive.host]
    both = [(drive.nand, drive.host) for drive in drives if drive.nand and drive.host]
    per_byte, per_host_byte = _wear_for(drives, "nand"), _wear_for(drives, "host")
    moved = [drive.wear.totals[-1] - drive.wear.totals[0] for drive in drives if drive.wear]
    lacking: dict[Missing, bool] = {
        "host writes": not hosts,
        "flash writes": not both,
        "wear steps" if moved else "wear": per_byte is None and per_host_byte is None,
    }
    hours = [(drive.hours.totals[0] + drive.hours.totals[-1]) / 2 for drive in drives if drive.hours]
    rates = [host.increment(host.days[0], host.days[-1]) / (host.days[-1] - host.days[0]) for host in hosts]
    mean = fmean(rates) if rates else 0.0
    return Observation(
        serials=[drive.serial for drive in drives],
        days=max((host.days[-1] for host in hosts), default=0.0)
        - min((host.days[0] for host in hosts), default=0.0),
        years_in_service=fmean(hours) / HOURS_PER_YEAR if hours else None,
        bytes_per_day=_ratio([(host, None) for host in hosts]),
        spread=(min(rates) / mean, max(rates) / mean) if len(rates) > 1 and mean > 0 else None,
        write_amplification=_ratio(both),
        wear_per_nand_byte=per_byte,
        wear_per_host_byte=per_host_byte,
        missing=[name for name, lacks in lacking.items() if lacks],
        wear_change=max(moved, default=0.0),
    )


def _ratio(pairs: Sequence[tuple[Track, Track | None]]) -> Interval | None:
    """Σ of one counter over Σ of another, or over days, with the interval of leaving out blocks of time."""
    spans = []
    for top, bottom in pairs:
        tracks = [top, bottom] if bottom else [top]
        spans.append((max(track.days[0] for track in tracks), min(track.days[-1] for track in tracks)))
    if not spans or not any(end - start >= DAYS_LEAST for start, end in spans):
        return None
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    count = round((last - first) / BLOCK_DAYS)
    count = min(max(count, BLOCKS_LEAST), BLOCKS_MOST)
    tops, bottoms = [0.0] * count, [0.0] * count
    for (top, bottom), (start, end) in zip(pairs, spans, strict=True):
        for block in range(count):
            low = max(start, first + (last - first) * block / count)
            high = min(end, first + (last - first) * (block + 1) / count)
            if high > low:
                tops[block] += top.increment(low, high)
                bottoms[block] += bottom.increment(low, high) if bottom else high - low
    return _jackknife(tops, bottoms)


def _jackknife(tops: Sequence[float], bottoms: Sequence[float]) -> Interval | None:
    top, bottom, count = sum(tops), sum(bottoms), len(tops)
    rests = [(top - a, bottom - b) for a, b in zip(tops, bottoms, strict=True)]
    if top <= 0 or bottom <= 0 or any(a <= 0 or b <= 0 for a, b in rests):
        return None
    logs = [math.log(a / b) for a, b in rests]
    middle = fmean(logs)
    variance = (count - 1) / count * sum((log - middle) ** 2 for log in logs)
    return around(top / bottom, variance, count - 1)


def around(value: float, variance: float, freedom: int) -> Interval:
    """An interval about a positive value from the variance of its logarithm."""
    wide = math.exp(student(freedom) * math.sqrt(variance))
    return Interval(value / wide, value, value * wide)


def student(freedom: int) -> float:
    """The two-sided quantile of Student's t at `LEVEL` (Cornish and Fisher's expansion; within 1 % from 3 on)."""
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return math.fsum(term / freedom**power for power, term in enumerate(terms))


def _wear_for(drives: Sequence[Seen], what: str) -> Interval | None:
    """Wear for a byte of a counter, summed over the drives between their wear's first and last change."""
    parts = [part for drive in drives if (part := _between_changes(drive.wear, getattr(drive, what)))]
    total = sum(counted for _, counted, _ in parts)
    worn = sum(wear for wear, _, _ in parts)
    if total <= 0 or worn <= 0:
        return None
    variance = sum(error**2 for _, _, error in parts) / total**2
    each = [math.log(wear / counted) for wear, counted, _ in parts]
    freedom = 30  # the errors of many ends of stretches: normal
    if len(each) > 2:
        middle = fmean(each)
        spread = sum((log - middle) ** 2 for log in each) / (len(each) - 1) / len(each)
        if spread > variance:
            variance, freedom = spread, len(each) - 1
    return around(worn / total, variance, freedom)


def _between_changes(wear: Track | None, counter: Track | None) -> tuple[float, float, float] | None:
    """Wear, bytes counted meanwhile, and the standard error of those bytes; `None` with fewer than two changes."""
    if wear is None or counter is None:
        return None
    changes = [
        place
        for place in range(1, len(wear.days))
        if wear.totals[place] > wear.totals[place - 1]
        and counter.days[0] <= wear.days[place - 1]
        and wear.days[place] <= counter.days[-1]
    ]
    if len(changes) < 2:
        return None
    first, last = changes[0], changes[-1]
    ends = [(wear.days[place - 1], wear.days[place]) for place in (first, last)]
    middles = [(before + after) / 2 for before, after in ends]
    counted = counter.increment(*middles)
    error = math.sqrt(sum(counter.increment(*end) ** 2 / 12 for end in ends))
    return (wear.totals[last] - wear.totals[first], counted, error) if counted > 0 else None
