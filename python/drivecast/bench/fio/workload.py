"""The workload that fio plays: a line or a model, fitted to the target, and how the simulator would play the same.

| requested | played |
|---|---|
| a line | on the whole target, or the part that its `span` sets |
| a model | on as many bytes as it has; on the whole target where that is smaller, its zones are fractions |
| `iodepth` | every loop closed: as fast as possible with so many outstanding, shared among streams by their part |
| threads | as many of each stream; those that read or write in order each on a part of their own |
| a depth that is no power of two | random: threads of powers of two that add up; in order: the next one, and a note |
| discards | left out, and a note: a file does not take them, and an outcome has no place for them |

With io_uring, fio rounds the depth of a thread up to a power of two (3.33: of 3 requested, Little's law finds 4).
"""

from dataclasses import dataclass, field, replace

from drivecast.bench.fio import workload_line as lines
from drivecast.bench.job import Job
from drivecast.document.model import Append, Closed, Model, Open, Stream, Zone
from drivecast.errors import HintedError, InputError
from drivecast.stage.model_file import digest, find, read
from drivecast.stage.simulate import LINES


@dataclass(frozen=True)
class Played:
    """A workload on a target of a known size."""

    model: Model
    text: str
    """What the simulator is given to play the same: a line with the depth of all threads, or the model's name."""
    hash: str | None
    threads: int
    """Threads of each stream."""
    requested_iops: float | None
    """The rate of reads, writes and flushes of all threads, where all arrive at a rate."""
    depth: int | None
    """Requests that all threads keep outstanding, where none waits and none comes at a rate."""
    notes: list[str] = field(default_factory=list)

    @property
    def writes(self) -> bool:
        """Whether anything is written."""
        return any(stream.read < 1 for stream in self.model.streams)


def named(text: str) -> lines.Line | Model:
    """The line or model that `text` names. Raises `InputError` where it is neither."""
    path = find(text)
    if path is not None and (text.endswith(".toml") or text not in LINES):
        return read(path)
    if "(" not in text and text not in LINES and ("/" in text or "." in text):
        raise HintedError(
            f"fio plays a line or a model, found `{text}`",
            "`drivecast bench replay` plays a trace, `drivecast model fit` makes a model of it",
        )
    return lines.parse(text)


def depth_of(text: str) -> int | None:
    """The depth that a line keeps; none for a line at a rate, and for a model."""
    found = named(text)
    return None if isinstance(found, Model) or found.rate_iops is not None else found.iodepth


def played(job: Job, target_bytes: int) -> Played:
    """The workload of `job` on a target of `target_bytes`. Raises `InputError` where it cannot be played there."""
    found = named(job.workload)
    depth = job.iodepth
    notes: list[str] = []
    if isinstance(found, Model):
        text, hashed = job.workload, digest(found)
        if found.span_bytes > target_bytes:
            notes.append(f"the model's {found.span_bytes} B are squeezed into the target's {target_bytes} B")
            found = found.model_copy(update={"span_bytes": target_bytes})
        model = _without_discards(found, notes)
        if depth is not None:
            model = _closed(model, depth)
    else:
        chosen = _without_trim(found.deep(depth) if depth is not None else found, notes)
        # One alignment for all sizes is what fio has, so it is what a prediction is to have.
        chosen = replace(chosen, align_bytes=chosen.align) if len(chosen.sizes) > 1 else chosen
        model = chosen.model(int(target_bytes * chosen.span))
        if _rounds(model.streams[0], job):
            chosen = replace(chosen, iodepth=_power_above(chosen.iodepth))
        text, hashed = _of_all(chosen, job).text(), None
    _refuse_small(model, job.workload)
    model = _in_powers(model, job, notes)
    model, threads = _in_parts(model, job.threads, notes)
    return Played(model, text, hashed, threads, _rate(model, threads), _depth(model, job, threads), notes)


def _without_trim(chosen: lines.Line, notes: list[str]) -> lines.Line:
    if chosen.trim == 0:
        return chosen
    if chosen.trim == 1:
        raise InputError(f"`{chosen.text()}` only discards, which fio does not play here")
    notes.append(f"{100 * chosen.trim:.4g} % discards are left out")
    rate = chosen.rate_iops and chosen.rate_iops * (1 - chosen.trim)
    return replace(chosen, trim=0.0, rate_iops=rate)


def _of_all(chosen: lines.Line, job: Job) -> lines.Line:
    """The line that one host would play to do what all threads do."""
    if chosen.rate_iops is not None:
        return replace(chosen, rate_iops=chosen.rate_iops * job.threads)
    return replace(chosen, iodepth=(1 if job.engine == "psync" else chosen.iodepth) * job.threads)


def _closed(model: Model, depth: int) -> Model:
    """Every stream as fast as possible, the depth shared as requests were."""
    parts = [
        stream.arrivals.rate_iops if isinstance(stream.arrivals, Open) else float(stream.arrivals.iodepth)
        for stream in model.streams
    ]
    streams = [
        stream.model_copy(update={"arrivals": Closed(iodepth=max(1, round(depth * part / sum(parts))))})
        for stream, part in zip(model.streams, parts, strict=True)
    ]
    return model.model_copy(update={"streams": streams})


def _refuse_small(model: Model, name: str) -> None:
    largest = max(size.bytes for stream in model.streams for size in stream.sizes)
    least = min(
        (zone.to - zone.from_) * model.span_bytes for stream in model.streams for zone in stream.zones
    )
    if least < largest:
        raise HintedError(
            f"`{name}` does not fit the target: a request of {largest} B expected, found a zone of {int(least)} B",
            "a larger target (`--size`), or smaller requests",
        )


def _without_discards(model: Model, notes: list[str]) -> Model:
    streams = []
    for stream in model.streams:
        rest, arrivals = 1 - stream.trim, stream.arrivals
        if stream.trim:
            notes.append(f"{100 * stream.trim:.4g} % discards of `{stream.name}` are left out")
        if isinstance(arrivals, Open):
            arrivals = arrivals.model_copy(update={"rate_iops": arrivals.rate_iops * rest})
        if rest:
            flush = min(1.0, stream.flush / rest)
            streams.append(stream.model_copy(update={"trim": 0.0, "flush": flush, "arrivals": arrivals}))
    if not streams:
        raise InputError(f"`{model.name}` only discards, which fio does not play here")
    return model.model_copy(update={"streams": streams})


def _keeps(stream: Stream, job: Job) -> bool:
    """Whether io_uring keeps the stream's depth outstanding: what waits between requests is of users, one each."""
    return job.engine == "io_uring" and not isinstance(stream.arrivals, Open) and stream.arrivals.think_s == 0


def _rounds(stream: Stream, job: Job) -> bool:
    """Whether fio would round the depth of a stream that cannot be shared among threads: one that goes in order."""
    return _keeps(stream, job) and stream.run_requests() is None


def _power_above(depth: int) -> int:
    return 1 << (depth - 1).bit_length()


def _in_powers(model: Model, job: Job, notes: list[str]) -> Model:
    """Streams whose depths are powers of two, as fio's io_uring would make them itself, and more outstanding of it."""
    streams: list[Stream] = []
    for stream in model.streams:
        arrivals = stream.arrivals
        if isinstance(arrivals, Open) or not _keeps(stream, job):
            streams.append(stream)
            continue
        depth = arrivals.iodepth
        parts = [1 << bit for bit in reversed(range(depth.bit_length())) if depth >> bit & 1]
        if _rounds(stream, job) and len(parts) > 1:
            parts = [_power_above(depth)]
            notes.append(f"fio's io_uring takes powers of two as depths: {depth} became {parts[0]}")
        for part in parts:
            name = stream.name if len(parts) == 1 else f"{stream.name} {part} of {depth}"
            streams.append(stream.model_copy(update={"name": name, "arrivals": Closed(iodepth=part)}))
    return model.model_copy(update={"streams": streams})


def _in_parts(model: Model, threads: int, notes: list[str]) -> tuple[Model, int]:
    """Threads that go in order as streams on parts of their own: they would follow each other otherwise.

    The other threads are streams too, then; what is left of the number of threads is given.
    """
    if threads == 1 or all(stream.run_requests() is not None for stream in model.streams):
        return model, threads
    notes.append(f"each of the {threads} threads that go in order has a part of its own")
    streams = [_part(stream, at, threads) for stream in model.streams for at in range(threads)]
    parts = model.model_copy(update={"streams": streams})
    _refuse_small(parts, model.name)
    return parts, 1


def _part(stream: Stream, at: int, threads: int) -> Stream:
    address = stream.address
    if stream.run_requests() is None:
        first, last = stream.zones[0].from_, stream.zones[-1].to
        width = (last - first) / threads
        part = {"from_": first + at * width, "to": first + (at + 1) * width}
        own = part if isinstance(address, Append) else {"zones": [Zone.model_validate(part)]}
        address = address.model_copy(update=own)
    return stream.model_copy(update={"name": f"{stream.name}-{at + 1}", "address": address})


def _rate(model: Model, threads: int) -> float | None:
    rates = [stream.arrivals.rate_iops for stream in model.streams if isinstance(stream.arrivals, Open)]
    return sum(rates) * threads if len(rates) == len(model.streams) else None


def _depth(model: Model, job: Job, threads: int) -> int | None:
    loops = [stream.arrivals for stream in model.streams]
    if any(isinstance(loop, Open) or loop.think_s for loop in loops):
        return None
    depths = [1 if job.engine == "psync" else loop.iodepth for loop in loops if isinstance(loop, Closed)]
    return sum(depths) * threads
