"""DiskSpd, written: an XML profile with a target a stream, or one command line a stream.

Held: one size, the mix (`WriteRatio`), random requests with zones (`Distribution`, whole percents), sequential ones,
runs of geometric lengths (`RandomRatio`, the chance that a request is random), a closed loop (`RequestCount`), with a
think time as a thread a user (`BurstSize`, `ThinkTime` in whole milliseconds), and an evenly paced rate (`Throughput`
in IOPS). Zones are ranges one after another from `BaseFileOffset` on; a range without requests is a gap. The command
lines start together and say the same.

Source: DiskSpd 2.2, `diskspd.xsd`, the help of its command line, and its checks of profiles (`Common.cpp`).
"""

from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from drivecast.document.model import Closed, Model, Stream
from drivecast.exchange.share import (
    Losses,
    Region,
    mean_size,
    regions,
    tell_shape,
    tell_trim_flush,
    tell_zipf,
    tell_zones,
    told_percent,
    told_percents,
    whole_seconds,
)

OPEN_DEPTH = 256
THREADS_MAX = 256
"""Threads that stand for the users of one stream."""


@dataclass
class Target:
    """What DiskSpd is told of a stream."""

    size: int
    write_percent: int
    start: int
    end: int
    ranges: list[tuple[int, int]] = field(default_factory=list)
    align: int | None = None
    random_percent: int = 100
    threads: int = 1
    outstanding: int = 1
    think_ms: int = 0
    iops: int = 0


def profile(model: Model, target: str) -> tuple[str, list[str]]:
    """The XML profile, and what it cannot hold."""
    losses, seconds, targets = _targets(model)
    lines = [
        "<Profile>",
        *(
            f"  <!-- {_comment(line)} -->"
            for line in [model.name, *(f"lost: {told}" for told in losses.told)]
        ),
        "  <Progress>0</Progress>",
        "  <ResultFormat>xml</ResultFormat>",
        "  <Verbose>false</Verbose>",
        "  <TimeSpans>",
        "    <TimeSpan>",
        "      <MeasureLatency>true</MeasureLatency>",
        f"      <Duration>{seconds}</Duration>",
        "      <Warmup>0</Warmup>",
        "      <Cooldown>0</Cooldown>",
        "      <Targets>",
        *(line for one in targets for line in _xml(one, target, model.span_bytes)),
        "      </Targets>",
        "    </TimeSpan>",
        "  </TimeSpans>",
        "</Profile>",
    ]
    return "\n".join(lines) + "\n", losses.told


def commands(model: Model, target: str) -> tuple[str, list[str]]:
    """A batch file that starts a DiskSpd for each stream, and what they cannot hold."""
    losses, seconds, targets = _targets(model)
    runs = [
        f'start "" diskspd {" ".join(_arguments(one, model.span_bytes, seconds))} "{target}"'
        for one in targets
    ]
    head = [f"rem {' '.join(model.name.split())}", *losses.comments("rem")]
    return "\r\n".join([*head, *runs]) + "\r\n", losses.told


def _comment(line: str) -> str:
    """Two hyphens end a comment."""
    return escape(" ".join(line.split())).replace("--", "- -").rstrip("-")


def _targets(model: Model) -> tuple[Losses, int, list[Target]]:
    losses = Losses()
    seconds = whole_seconds(losses, model)
    return losses, seconds, [_target(losses, model, stream) for stream in model.streams]


def _target(losses: Losses, model: Model, stream: Stream) -> Target:
    tell_shape(losses, stream)
    tell_zipf(losses, stream)
    tell_trim_flush(losses, stream)
    size = mean_size(losses, stream)
    parts = regions(model, stream, stream.align_bytes)
    reads = told_percent(losses, stream, "reads", stream.read)
    one = Target(size, 100 - reads, parts[0].start, parts[-1].end)
    requests = stream.run_requests()
    if requests is None:
        tell_zones(losses, stream, parts, "one from the first to the last")
    else:
        one.align = stream.align_bytes
        one.ranges = _ranges(losses, stream, parts, size)
        if requests > 1:
            one.random_percent = min(99, max(1, round(100 / requests)))
            losses.add(stream, f"runs are geometric: {100 / one.random_percent:.4g} requests in the mean")
    _pace(losses, stream, one)
    return one


def _ranges(losses: Losses, stream: Stream, parts: list[Region], size: int) -> list[tuple[int, int]]:
    """Pairs of percent and bytes; none for one zone."""
    if len(parts) == 1:
        return []
    if any(part.end - part.start < size for part in parts):
        tell_zones(losses, stream, parts, "one: some are smaller than a request")
        return []
    names = [f"zone at {part.start} B" for part in parts]
    whole = told_percents(losses, stream, "zones", names, [part.share for part in parts])
    return [(percent, part.end - part.start) for percent, part in zip(whole, parts, strict=True)]


def _pace(losses: Losses, stream: Stream, one: Target) -> None:
    arrivals = stream.arrivals
    if not isinstance(arrivals, Closed):
        one.outstanding, one.iops = OPEN_DEPTH, max(1, round(arrivals.rate_iops))
        losses.add(stream, f"a rate of {arrivals.rate_iops:g} IOPS became {one.iops} at even distances")
        return
    one.outstanding = arrivals.iodepth
    if arrivals.think_s == 0:
        return
    if arrivals.iodepth > THREADS_MAX:
        losses.add(
            stream, f"a think time of {arrivals.iodepth} users is left out: more than {THREADS_MAX} threads"
        )
        return
    one.think_ms = max(1, round(arrivals.think_s * 1000))
    one.threads, one.outstanding = arrivals.iodepth, 1
    if abs(one.think_ms - arrivals.think_s * 1000) > 1e-6:
        losses.add(stream, f"think times are whole milliseconds: {one.think_ms}")
    if one.threads > 1 and one.align is None:
        losses.add(stream, f"{one.threads} users share one sequence by its interlocked offset")


def _xml(one: Target, path: str, span: int) -> list[str]:
    values: list[tuple[str, object]] = [
        ("Path", escape(path)),
        ("BlockSize", one.size),
        ("BaseFileOffset", one.start),
        ("MaxFileSize", one.end),
        ("FileSize", span),
        ("RequestCount", one.outstanding),
        ("ThreadsPerFile", one.threads),
        ("WriteRatio", one.write_percent),
        ("DisableOSCache", "true"),
    ]
    if one.align is None:
        values.append(("StrideSize", one.size))
        if one.threads > 1:
            values.append(("InterlockedSequential", "true"))
    else:
        values.append(("Random", one.align))
        if one.random_percent < 100:
            values.append(("RandomRatio", one.random_percent))
    if one.think_ms:
        values += [("BurstSize", one.threads), ("ThinkTime", one.think_ms)]
    lines = [f"          <{name}>{value}</{name}>" for name, value in values]
    if one.iops:
        lines.append(f'          <Throughput unit="IOPS">{one.iops}</Throughput>')
    if one.ranges:
        ranges = "".join(f'<Range IO="{percent}">{size}</Range>' for percent, size in one.ranges)
        lines.append(f"          <Distribution><Absolute>{ranges}</Absolute></Distribution>")
    return ["        <Target>", *lines, "        </Target>"]


def _arguments(one: Target, span: int, seconds: int) -> list[str]:
    words = [f"-b{one.size}", f"-B{one.start}", f"-f{one.end}", f"-c{span}", f"-o{one.outstanding}"]
    words += [f"-t{one.threads}", f"-w{one.write_percent}", "-Su", "-L", "-W0", f"-d{seconds}", "-Rxml"]
    if one.align is None:
        words.append(f"-s{'i' if one.threads > 1 else ''}{one.size}")
    else:
        words.append(f"-r{one.align}")
        words += [f"-rs{one.random_percent}"] if one.random_percent < 100 else []
    if one.ranges:
        words.append("-rdabs" + ":".join(f"{percent}/{size}" for percent, size in one.ranges))
    if one.think_ms:
        words += [f"-i{one.threads}", f"-j{one.think_ms}"]
    return [*words, f"-g{one.iops}i"] if one.iops else words
