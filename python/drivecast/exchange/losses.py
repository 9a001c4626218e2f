"""Shares as whole percents, zones as bytes, and what a format cannot hold.

Formats of other tools take whole percents. The largest remainders are rounded up, so that the sum stays 100; equal
remainders go to the first. Zones of a model may overlap: their densities are added up, which gives parts that do not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from drivecast.document.model import Closed, Model, Open, Random, Sequential, Size, Stream

UNSEEN = 1e-9
"""A difference of shares that is rounding of binary numbers only."""

DURATION_S = 60
"""Length of a run where the model has none."""

SMALL_PERCENT = 5e-3
"""Percentage points that no run of a million requests could show."""


@dataclass(frozen=True)
class Region:
    """A part of the addresses and its share of the requests, which is 0 for a gap."""

    start: int
    end: int
    share: float


def percents(shares: Sequence[float]) -> list[int]:
    """Whole percents that sum to 100."""
    total = sum(shares)
    exact = [100 * share / total for share in shares]
    whole = [int(value + UNSEEN) for value in exact]
    order = sorted(range(len(exact)), key=lambda at: (-round(exact[at] - whole[at], 9), at))
    for at in order[: 100 - sum(whole)]:
        whole[at] += 1
    return whole


def regions(model: Model, stream: Stream, align: int) -> list[Region]:
    """The stream's zones without overlap, from the first address used to the last, on multiples of `align`."""
    span, largest = model.span_bytes, max(size.bytes for size in stream.sizes)
    zones = []
    for zone in stream.zones:
        start = min(round(zone.from_ * span / align) * align, max(0, (span - largest) // align * align))
        end = span if zone.to == 1 else round(zone.to * span / align) * align
        zones.append(Region(start, min(span, max(end, start + largest)), zone.share))
    zones = [zone for zone in zones if zone.share > 0]
    edges = sorted({edge for zone in zones for edge in (zone.start, zone.end)})
    total = sum(zone.share for zone in zones)
    parts = []
    for start, end in pairwise(edges):
        inside = [zone for zone in zones if zone.start <= start and end <= zone.end]
        share = sum(zone.share * (end - start) / (zone.end - zone.start) for zone in inside)
        parts.append(Region(start, end, share / total))
    return parts


@dataclass
class Losses:
    """What a format cannot hold, in the order it was met."""

    lines: list[str] = field(default_factory=list)

    def add(self, stream: Stream | None, what: str) -> None:
        """Add a loss, once."""
        line = f"stream `{stream.name}`: {what}" if stream else what
        if line not in self.lines:
            self.lines.append(line)

    def comments(self, mark: str) -> list[str]:
        """The losses as lines of comments."""
        return [f"{mark} lost: {' '.join(line.split())}" for line in self.lines]

    def percents(self, stream: Stream, what: str, names: Sequence[str], shares: Sequence[float]) -> list[int]:
        """Whole percents; those rounded or left out are losses."""
        whole = percents(shares)
        total = sum(shares)
        changed = [
            f"{name} from {100 * share / total:.4g} % to {percent} %"
            for name, share, percent in zip(names, shares, whole, strict=True)
            if abs(100 * share / total - percent) > SMALL_PERCENT
        ]
        if changed:
            self.add(stream, f"shares of {what} are whole percents: {', '.join(changed)}")
        return whole

    def size_percents(self, stream: Stream, sizes: Sequence[Size]) -> list[int]:
        """Shares of sizes as whole percents."""
        return self.percents(
            stream, "sizes", [f"{size.bytes} B" for size in sizes], [size.share for size in sizes]
        )

    def zone_percents(self, stream: Stream, parts: Sequence[Region]) -> list[int]:
        """Shares of zones as whole percents."""
        names = [f"zone at {part.start} B" for part in parts]
        return self.percents(stream, "zones", names, [part.share for part in parts])

    def percent(self, stream: Stream, what: str, share: float) -> int:
        """A share as a whole percent."""
        percent = round(100 * share)
        if abs(100 * share - percent) > SMALL_PERCENT:
            self.add(stream, f"{what} are whole percents: {100 * share:.4g} % became {percent} %")
        return percent

    def seconds(self, model: Model, least: int = 1) -> int:
        """The duration of a format that counts in seconds."""
        seconds = max(least, round(model.duration_s)) if model.duration_s else DURATION_S
        if model.duration_s is None:
            self.add(None, f"the model has no duration: {DURATION_S} s are assumed")
        elif seconds != model.duration_s:
            rule = "whole seconds" if least == 1 else f"whole seconds, at least {least}"
            self.add(None, f"durations are {rule}: {model.duration_s:g} s became {seconds} s")
        return seconds

    def mean_size(self, stream: Stream) -> int:
        """The one size of a format that takes one: the mean, on a multiple of 512, so that rate and bandwidth hold."""
        if len(stream.sizes) == 1:
            return stream.sizes[0].bytes
        size = max(512, round(stream.mean_bytes / 512) * 512)
        given = ", ".join(str(size.bytes) for size in stream.sizes)
        self.add(stream, f"one size a stream: {given} B became their mean, {size} B")
        return size

    def shape(self, stream: Stream) -> None:
        """Add what none of the formats holds."""
        address, arrivals = stream.address, stream.arrivals
        for key in ("burst", "listed"):
            if getattr(arrivals, key, None) is not None:
                self.add(stream, f"`{key}`, which no other tool knows")
        if isinstance(address, Random | Sequential) and address.reuse is not None:
            self.add(stream, "addresses accessed again (`reuse`)")
        if isinstance(address, Random | Sequential) and address.near is not None:
            self.add(stream, "addresses near the ones before (`near`)")
        if isinstance(address, Sequential) and address.interleaved > 1:
            self.add(stream, f"{address.interleaved} interleaved runs became one")
        if isinstance(arrivals, Open) and arrivals.batch is not None:
            self.add(stream, "requests that come in batches (`batch`); the mean rate holds")
        if any(size.next is not None for size in stream.sizes):
            self.add(stream, "which size follows which (`next`)")
        if any(zone.used < 1 for zone in stream.zones):
            self.add(stream, "the share of a zone ever accessed (`used`): all of it is")
        if isinstance(arrivals, Open) and arrivals.rate_over_time is not None:
            self.add(stream, "a rate that goes up and down (`rate_over_time`); its mean holds")

    def zones(self, stream: Stream, parts: Sequence[Region], into: str) -> None:
        """Add zones that a format takes as one."""
        if len(parts) > 1:
            self.add(stream, f"{len(parts)} zones of unequal popularity became {into}")

    def zipf(self, stream: Stream) -> None:
        """Add a law of popularity that a format does not have."""
        if isinstance(stream.address, Random) and stream.address.law == "zipf":
            self.add(stream, f"the Zipf law of exponent {stream.address.exponent} became uniform")

    def trim_flush(self, stream: Stream) -> None:
        """Add discards and flushes that a format does not have."""
        for key, share in (("discards", stream.trim), ("flushes", stream.flush)):
            if share > 0:
                self.add(stream, f"{key} ({100 * share:.4g} % of the requests) are left out")


def is_closed(stream: Stream) -> bool:
    """Whether the stream waits for its requests."""
    return isinstance(stream.arrivals, Closed)
