"""DiskSpd, written: an XML profile with a target a stream, or one command line a stream.

Held: one size, the mix (`WriteRatio`), random requests with zones (`Distribution`, whole percents), sequential ones,
runs of geometric lengths (`RandomRatio`, the chance that a request is random), a closed loop (`RequestCount`), with a
think time as a thread a user (`BurstSize`, `ThinkTime` in whole milliseconds), and an evenly paced rate (`Throughput`
in IOPS). Zones are ranges one after another from `BaseFileOffset` on; a range without requests is a gap. The command
lines start together and mean the same.

Source: DiskSpd 2.2, `diskspd.xsd`, the help of its command line, and its checks of profiles (`Common.cpp`).
"""

from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from drivecast.document.model import Closed, Model, Stream
from drivecast.exchange.losses import Losses, Region, regions
from drivecast.exchange.phases import Phases

OPEN_DEPTH = 256
THREADS_MAX = 256
"""Threads that stand for the users of one stream."""


@dataclass
class Target:
    """A target of DiskSpd, for a stream."""

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


def profile(losses: Losses, phases: Phases, target: str) -> str:
    """The XML profile: a time span a phase."""
    spans = [line for model in phases.models for line in _time_span(losses, model, target)]
    lines = [
        "<Profile>",
        *(f"  <!-- {_comment(line)} -->" for line in [phases.name, *losses.comments()]),
        "  <Progress>0</Progress>",
        "  <ResultFormat>xml</ResultFormat>",
        "  <Verbose>false</Verbose>",
        "  <TimeSpans>",
        *spans,
        "  </TimeSpans>",
        "</Profile>",
    ]
    return "\n".join(lines) + "\n"


def _time_span(losses: Losses, model: Model, target: str) -> list[str]:
    seconds = losses.seconds(model)
    targets = [_target(losses, model, stream) for stream in model.streams]
    return [
        "    <TimeSpan>",
        "      <MeasureLatency>true</MeasureLatency>",
        f"      <Duration>{seconds}</Duration>",
        "      <Warmup>0</Warmup>",
        "      <Cooldown>0</Cooldown>",
        "      <Targets>",
        *(line for part in targets for line in _xml(part, target, model.span_bytes)),
        "      </Targets>",
        "    </TimeSpan>",
    ]


def commands(losses: Losses, phases: Phases, target: str) -> str:
    """A batch file that starts a DiskSpd for each stream; of several phases the last of each is waited for."""
    runs = []
    for model in phases.models:
        seconds = losses.seconds(model)
        parts = [_target(losses, model, stream) for stream in model.streams]
        words = [" ".join(_arguments(part, model.span_bytes, seconds)) for part in parts]
        starts = ['start "" '] * len(words)
        if phases.are_several:
            starts[-1] = ""
        runs += [f'{start}diskspd {each} "{target}"' for start, each in zip(starts, words, strict=True)]
    head = [f"rem {' '.join(phases.name.split())}", *losses.comments("rem ")]
    return "\r\n".join([*head, *runs]) + "\r\n"


def _comment(line: str) -> str:
    """Two hyphens end a comment."""
    return escape(" ".join(line.split())).replace("--", "- -").rstrip("-")


def _target(losses: Losses, model: Model, stream: Stream) -> Target:
    losses.plain(stream)
    size = losses.mean_size(stream)
    parts = regions(model, stream, stream.align_bytes)
    reads = losses.percent(stream, "reads", stream.read)
    part = Target(size, 100 - reads, parts[0].start, parts[-1].end)
    requests = stream.run_requests()
    if requests is None:
        losses.zones(stream, parts, "one from the first to the last")
    else:
        part.align = stream.align_bytes
        part.ranges = _ranges(losses, stream, parts, size)
        if requests > 1:
            part.random_percent = min(99, max(1, round(100 / requests)))
            losses.add(stream, f"runs are geometric: {100 / part.random_percent:.4g} requests in the mean")
    _pace(losses, stream, part)
    return part


def _ranges(losses: Losses, stream: Stream, parts: list[Region], size: int) -> list[tuple[int, int]]:
    """Pairs of percent and bytes; none for one zone."""
    if len(parts) == 1:
        return []
    if any(part.end - part.start < size for part in parts):
        losses.zones(stream, parts, "one: some are smaller than a request")
        return []
    return losses.zone_percents(stream, parts)


def _pace(losses: Losses, stream: Stream, part: Target) -> None:
    arrivals = stream.arrivals
    if not isinstance(arrivals, Closed):
        part.outstanding, part.iops = OPEN_DEPTH, max(1, round(arrivals.rate_iops))
        losses.add(stream, f"a rate of {arrivals.rate_iops:g} IOPS became {part.iops} at even distances")
        return
    part.outstanding = arrivals.iodepth
    if arrivals.think_s == 0:
        return
    if arrivals.iodepth > THREADS_MAX:
        losses.add(
            stream, f"a think time of {arrivals.iodepth} users is left out: more than {THREADS_MAX} threads"
        )
        return
    part.think_ms = losses.milliseconds(stream, arrivals.think_s)
    part.threads, part.outstanding = arrivals.iodepth, 1
    if part.threads > 1 and part.align is None:
        losses.add(stream, f"{part.threads} users share one sequence by its interlocked offset")


def _xml(part: Target, path: str, span: int) -> list[str]:
    values: list[tuple[str, object]] = [
        ("Path", escape(path)),
        ("BlockSize", part.size),
        ("BaseFileOffset", part.start),
        ("MaxFileSize", part.end),
        ("FileSize", span),
        ("RequestCount", part.outstanding),
        ("ThreadsPerFile", part.threads),
        ("WriteRatio", part.write_percent),
        ("DisableOSCache", "true"),
    ]
    if part.align is None:
        values.append(("StrideSize", part.size))
        if part.threads > 1:
            values.append(("InterlockedSequential", "true"))
    else:
        values.append(("Random", part.align))
        if part.random_percent < 100:
            values.append(("RandomRatio", part.random_percent))
    if part.think_ms:
        values += [("BurstSize", part.threads), ("ThinkTime", part.think_ms)]
    lines = [f"          <{name}>{value}</{name}>" for name, value in values]
    if part.iops:
        lines.append(f'          <Throughput unit="IOPS">{part.iops}</Throughput>')
    if part.ranges:
        ranges = "".join(f'<Range IO="{percent}">{size}</Range>' for percent, size in part.ranges)
        lines.append(f"          <Distribution><Absolute>{ranges}</Absolute></Distribution>")
    return ["        <Target>", *lines, "        </Target>"]


def _arguments(part: Target, span: int, seconds: int) -> list[str]:
    words = [f"-b{part.size}", f"-B{part.start}", f"-f{part.end}", f"-c{span}", f"-o{part.outstanding}"]
    words += [f"-t{part.threads}", f"-w{part.write_percent}", "-Su", "-L", "-W0", f"-d{seconds}", "-Rxml"]
    if part.align is None:
        words.append(f"-s{'i' if part.threads > 1 else ''}{part.size}")
    else:
        words.append(f"-r{part.align}")
        words += [f"-rs{part.random_percent}"] if part.random_percent < 100 else []
    if part.ranges:
        words.append("-rdabs" + ":".join(f"{percent}/{size}" for percent, size in part.ranges))
    if part.think_ms:
        words += [f"-i{part.threads}", f"-j{part.think_ms}"]
    return [*words, f"-g{part.iops}i"] if part.iops else words
