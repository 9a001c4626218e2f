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

    def comments(self, mark: str = "") -> list[str]:
        """The losses as lines of comments."""
        return [f"{mark}lost: {' '.join(line.split())}" for line in self.lines]

    def name(self, stream: Stream, name: str) -> str:
        """The name of a stream as the format takes it."""
        if name != stream.name:
            self.add(stream, f"the name became `{name}`")
        return name

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

    def size_percents(self, stream: Stream, sizes: Sequence[Size]) -> list[tuple[int, int]]:
        """Sizes with their shares as whole percents, but those of less than half a percent."""
        names = [f"{size.bytes} B" for size in sizes]
        whole = self.percents(stream, "sizes", names, [size.share for size in sizes])
        return [(size.bytes, percent) for size, percent in zip(sizes, whole, strict=True) if percent]

    def zone_percents(self, stream: Stream, parts: Sequence[Region]) -> list[tuple[int, int]]:
        """Shares of zones as whole percents, each with the zone's length."""
        names = [f"zone at {part.start} B" for part in parts]
        whole = self.percents(stream, "zones", names, [part.share for part in parts])
        return [(percent, part.end - part.start) for percent, part in zip(whole, parts, strict=True)]

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

    def milliseconds(self, stream: Stream, think_s: float) -> int:
        """The think time of a format that counts in milliseconds."""
        delay = max(1, round(think_s * 1000))
        if abs(delay - think_s * 1000) > 1e-6:
            self.add(stream, f"think times are whole milliseconds: {delay}")
        return delay

    def rates(self, stream: Stream, exact: Sequence[float]) -> list[int]:
        """The rates of a format that takes whole IOPS."""
        whole = [max(1, round(rate)) for rate in exact]
        pairs = list(zip(whole, exact, strict=True))
        if any(abs(rate - wanted) > 1e-9 * max(rate, wanted) for rate, wanted in pairs):
            changes = ", ".join(f"{wanted:.6g} became {rate}" for rate, wanted in pairs)
            self.add(stream, f"rates are whole IOPS: {changes}")
        return whole

    def pace(self, stream: Stream) -> None:
        """Add think times and distributions of gaps that a format does not have."""
        arrivals = stream.arrivals
        if isinstance(arrivals, Closed):
            if arrivals.think_s:
                self.add(stream, f"a think time of {arrivals.think_s:g} s is left out")
        elif arrivals.gaps is not None:
            self.add(stream, "the distribution of gaps became exponential")

    def own_multiples(self, stream: Stream, size: int) -> None:
        """Add an alignment that a format does not take: requests begin on multiples of their size."""
        if size != stream.align_bytes:
            self.add(stream, f"requests begin on multiples of their size, not of {stream.align_bytes} B")

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

    def plain(self, stream: Stream) -> None:
        """Add what a format of reads and writes at uniform places does not hold."""
        self.shape(stream)
        self.zipf(stream)
        for key, share in (("discards", stream.trim), ("flushes", stream.flush)):
            if share > 0:
                self.add(stream, f"{key} ({100 * share:.4g} % of the requests) are left out")
