"""A sample of a cache's statistics, and the period between two of them.

    count(n) = n of the sample, or n of the later sample − n of the earlier one

A counter that is printed in steps of s, rounded down, lies in [n, n + s), rounded to the nearest in [n − s/2, n + s/2];
a difference d of two such lies in (d − s, d + s) either way. Left out: counters that wrapped around, which are refused
as ones that went backwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from drivecast.document.cache_status import Check, Dirty, Kind, Limit, Requests, Setting, Traffic
from drivecast.document.part import Provenance
from drivecast.errors import HintedError
from drivecast.quantity.interval import Interval

DIGITS_MAX = 20
"""Of a count: 2⁶⁴ has no more."""
TimeFrom = Literal["statistics", "file-name", "file-time"]


@dataclass(frozen=True)
class Source:
    """The text of a file, and where it came from."""

    place: str
    text: str

    def at(self, line: int | None = None) -> str:
        """Return the place of a line, for a message."""
        return self.place if line is None else f"{self.place}, line {line}"


@dataclass(frozen=True)
class Sample:
    """What a cache said of itself at one time."""

    kind: Kind
    place: str
    name: str
    identity: Mapping[str, str]
    """What two samples of one cache have in common."""
    counters: Mapping[str, float]
    """Counts that only rise while the cache runs."""
    gauges: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, float] = field(default_factory=dict)
    """How fine a rounded counter is printed."""
    rounded: Literal["down", "nearest"] = "down"
    covers_s: float | None = None
    """How long its counters have run, where it says so."""
    clock_s: float | None = None
    """Its own clock, whose differences are exact."""
    time: datetime | None = None
    time_from: TimeFrom | None = None
    notes: tuple[str, ...] = ()

    def share(self, part: str, whole: str) -> float | None:
        """Return one gauge over another; none where either is missing or the whole is nothing."""
        above, below = self.gauges.get(part), self.gauges.get(whole)
        return above / below if above is not None and below else None

    @property
    def shown(self) -> list[Setting]:
        """The settings, for the document."""
        return [Setting(name=name, value=value) for name, value in self.settings.items()]


@dataclass(frozen=True)
class Period:
    """What is explained: the time up to a sample, or between two."""

    last: Sample
    first: Sample | None = None
    seconds: float | None = None
    seconds_known: Provenance | None = None
    host_written_bytes: int | None = None
    """As known from elsewhere, of a cache that does not count it."""

    def has(self, name: str) -> bool:
        """Whether every sample has a counter."""
        return name in self.last.counters and (self.first is None or name in self.first.counters)

    def count(self, name: str) -> int:
        """Return by how much a counter rose; 0 for one that is missing."""
        before = self.first.counters.get(name, 0) if self.first else 0
        return round(self.last.counters.get(name, 0) - before)

    def found(self, name: str) -> int | None:
        """Return by how much a counter rose; none for one that a sample lacks."""
        return self.count(name) if self.has(name) else None

    def span(self, name: str) -> Interval | None:
        """Return by how much a counter rose, with the bounds that its rounding leaves; none where it is missing."""
        if not self.has(name):
            return None
        step, rise = self.last.steps.get(name, 0.0), float(self.count(name))
        if self.first is None:
            low = rise if self.last.rounded == "down" else max(0.0, rise - step / 2)
            return Interval(low, low + step / 2, low + step)
        return Interval(max(0.0, rise - step), rise, rise + step)

    def change(self, gauge: str) -> float | None:
        """Return by how much a gauge changed between two samples."""
        if self.first is None or gauge not in self.last.gauges or gauge not in self.first.gauges:
            return None
        return self.last.gauges[gauge] - self.first.gauges[gauge]

    def per_s(self, amount: float | None) -> float | None:
        """Return an amount of the period as a rate; none where its length is unknown."""
        return amount / self.seconds if amount is not None and self.seconds else None


@dataclass(frozen=True)
class Meaning:
    """What the counters of a period mean, in the terms that all caches share."""

    requests: Requests
    traffic: Traffic
    dirty: Dirty
    size_bytes: int | None = None
    used_bytes: int | None = None
    block_bytes: int | None = None
    block_known: Provenance | None = None
    checks: tuple[Check, ...] = ()
    limits: tuple[Limit, ...] = ()
    notes: tuple[str, ...] = ()


class Fields:
    """Counts by name, each with its line, as a text holds them."""

    def __init__(self, source: Source, what: str) -> None:
        self.source, self.what = source, what
        self.values: dict[str, int] = {}
        self.lines: dict[str, int] = {}

    def put(self, name: str, text: str, line: int) -> None:
        """Take a count. Raises `InputError` where it is none, or its name was there before."""
        if name in self.values:
            raise HintedError(
                f"{self.source.at(line)}: `{name}` is there twice, first in line {self.lines[name]}",
                "a file holds one sample of a cache; give the later one as the second file",
            )
        self.values[name], self.lines[name] = whole(text, f"{self.source.at(line)}: {name}"), line

    def need(self, *names: str) -> None:
        """Raise `InputError` with the names that are missing."""
        missing = [f"`{name}`" for name in names if name not in self.values]
        if missing:
            last = max(self.lines.values(), default=1)
            raise HintedError(
                f"{self.source.at(last)}: {self.what} without {', '.join(missing)}",
                "the file is cut off here, or of a version whose fields differ; copy it again, whole",
            )

    def unknown(self, known: frozenset[str]) -> tuple[str, ...]:
        """Return a note of fields that this version of the cache does not have."""
        new = [f"`{name}` (line {self.lines[name]})" for name in self.values if name not in known]
        return (f"fields of another version, left out: {', '.join(new[:8])}",) if new else ()


def whole(text: str, place: str) -> int:
    """Return a count. Raises `InputError` unless it is a whole number from 0 to 2⁶⁴ − 1."""
    if text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX and (value := int(text)) < 1 << 64:
        return value
    raise HintedError(
        f"{place}: expected a whole number below 2^64, found `{text[:40]}`", "copy the statistics again"
    )


def ratio(part: float | None, all_of_it: float | None) -> float | None:
    """Return a share in [0, 1]; none where it is unknown, or a share of nothing."""
    if part is None or not all_of_it:
        return None
    return min(1.0, max(0.0, part / all_of_it))


def check(identity: str, left: float, right: float, tolerance: float) -> Check:
    """Compare the two sides of an identity."""
    larger = max(left, right)
    deviation = abs(left - right) / larger if larger else 0.0
    return Check(
        identity=identity,
        left=round(left),
        right=round(right),
        deviation=deviation,
        holds=deviation <= tolerance,
    )


def notable(*limits: Limit | None, least: float = 0.001) -> tuple[Limit, ...]:
    """Return the limits that concern a share worth a line, the largest first; those without a share come before."""
    named = [limit for limit in limits if limit and (limit.share is None or limit.share >= least)]
    return tuple(sorted(named, key=lambda limit: -(2.0 if limit.share is None else limit.share)))
