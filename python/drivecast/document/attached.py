"""An attached design: what it did in the last second, and what an outcome says of how it was served.

Represented: a simulated design that answers real requests in wall-clock time. A completion is due at its simulated
time; one that is delivered later is late, by the difference. Latencies are those that the application saw; lateness is
the part of them that this machine added.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from drivecast.document.part import Part, left_out

Front = Literal["nbd", "mount", "device", "vhost-user"]
Data = Literal["file", "memory", "discard"]
What = Literal["fail", "rebuild", "slow", "cut"]
LATE_SHARE_MAX = 0.05
"""Of lateness in what a program waits for: beyond, it saw the speed of the machine. Assumed."""
Kind = Literal["read", "write", "flush"]
Held = Literal["data", "log", "data and log"]
"""What of a server is on a disk."""
KINDS: tuple[Kind, ...] = ("read", "write", "flush")


class Late(Part):
    """How late completions were, by the clock; the punctual ones are counted as 0."""

    requests: int
    late: int
    """Of these, those later than 20 µs: below, the clock is read and the answer copied."""
    mean_ns: Annotated[float | None, left_out()] = None
    p50_ns: float
    p99_ns: float
    p999_ns: float
    max_ns: float


class Lateness(Late):
    """Of all completions, discards among them, and of each kind of request."""

    read: Annotated[Late | None, left_out()] = None
    """None where there were none, or where the run is older than this key; so with the others."""
    write: Annotated[Late | None, left_out()] = None
    flush: Annotated[Late | None, left_out()] = None
    transport_ns: float
    """Transport time of the front end, there and back, measured at the start (of a guest: not known, 0); taken off
    each completion, so no part of the lateness."""
    way_read_ns: Annotated[float | None, left_out()] = None
    """With a device or a mount: the mean wait of a read in transport, by the kernel's counters, beyond
    `transport_ns`."""
    share_of_read_p99: Annotated[float | None, left_out()] = None
    """p99 of the lateness of reads over the p99 of their latency that the application saw, both by the clock. In runs
    older than `read`, of the lateness of all requests; so with the others."""
    share_of_write_p99: Annotated[float | None, left_out()] = None
    share_of_flush_p99: Annotated[float | None, left_out()] = None
    late_for: Annotated[list[Kind] | None, left_out()] = None
    """The kinds of requests for which that is too much: what the application saw of them is this machine's."""

    @property
    def on_time(self) -> bool:
        """Whether the application saw the latencies of the design."""
        return not self.late_for

    def of(self, op: Kind) -> Late | None:
        """The lateness of one kind of request."""
        found: Late | None = getattr(self, op)
        return found

    def share(self, op: Kind) -> float | None:
        """p99 of the lateness of one kind of request over the p99 of its latency."""
        found: float | None = getattr(self, f"share_of_{op}_p99")
        return found


class Event(Part):
    """What was done to the design while it was attached."""

    at_s: float
    what: What
    member: Annotated[int | None, left_out()] = None
    """Counted from 0."""
    bytes_per_s: Annotated[float | None, left_out()] = None
    factor: Annotated[float | None, left_out()] = None
    """How many times as long the member takes from then on."""
    bytes_lost: Annotated[int | None, left_out()] = None
    """Written, not flushed, and gone with the power."""
    refused: Annotated[str | None, left_out()] = None
    """Why it could not be done."""


class Attachment(Part):
    """How a design was attached, and what was done to it."""

    front: Front
    size_bytes: int
    data: Data
    sync: Annotated[bool | None, left_out()] = None
    """Whether flushes and forced writes were answered only once the real storage under the file had them."""
    speed: float = 1.0
    """Design time over real time."""
    error_rate: float = 0.0
    """Share of requests that failed with EIO, by `error`."""
    events: list[Event] = Field(default_factory=list)
    fault: Annotated[str | None, left_out()] = None
    """Why the design answered EIO from some moment on."""
    rated_writes_used: Annotated[float | None, left_out()] = None
    """Share of the rated writes of its drives that this run took; none where none are rated."""
    refused_full: Annotated[int | None, left_out()] = None
    """Writes answered with ENOSPC, since the memory or file of the data was full; none where none were."""
    trace: Annotated[str | None, left_out()] = None
    """The file with what was asked."""
    exit_code: Annotated[int | None, left_out()] = None
    """Of the command that ran on it."""


class OfSecond(Part):
    """Requests of one kind since the last snapshot."""

    requests: int = 0
    bytes: int = 0
    mean_ns: float | None = None
    p50_ns: float | None = None
    p99_ns: float | None = None
    max_ns: float | None = None


class Snapshot(Part):
    """An attached design since the snapshot before."""

    at_s: float = 0.0
    """Since it was attached."""
    elapsed_s: float
    """In time of the design."""
    read: OfSecond = OfSecond()
    write: OfSecond = OfSecond()
    flush: OfSecond = OfSecond()
    in_flight: int = 0
    late: Lateness | None = None
    write_amplification: float | None = None
    """Since the start."""
    written_bytes: int = 0
    """By the application, since the start."""
    failed: list[int] = Field(default_factory=list)
    """Members that have failed, counted from 0."""
    rebuilt_share: float | None = None
    """Of the rebuild that runs; none where none does."""
    fault: str | None = None
    refused_full: int = 0
    """Writes that the full memory or file of the data refused, since the start."""
    rated_writes_used: float | None = None

    def of(self, op: Kind) -> OfSecond:
        """The requests of a kind."""
        found: OfSecond = getattr(self, op)
        return found

    def iops(self, op: Kind) -> float:
        """Requests of a kind a second."""
        return self.of(op).requests / self.elapsed_s if self.elapsed_s > 0 else 0.0

    def bytes_per_s(self, op: Kind) -> float:
        """Bytes of a kind a second."""
        return self.of(op).bytes / self.elapsed_s if self.elapsed_s > 0 else 0.0


class AttachedTarget(Part):
    """A design that a server's files are on, before anything ran on it."""

    design: str
    """The line."""
    holds: Held
    size_bytes: int
    """What is attached of it."""
    usable_bytes: int
    """What it holds as a whole."""
    state: Annotated[Literal["steady", "fresh"] | None, left_out()] = None
    """Of its flash; none where it has none."""
    fill: float
    speed: float = 1.0
    seed: int
    loaded: Literal["at once"] = "at once"
    """How the data came there: before the time of the design began, without a trace in its drives."""


class Carried(Part):
    """What an attached design did for one run of several on it."""

    design: str
    """The line."""
    holds: Held
    elapsed_s: float
    """In time of the design; so are the rates and latencies below."""
    reads_per_s: float
    writes_per_s: float
    flushes_per_s: float
    read_bytes_per_s: float
    written_bytes_per_s: float
    read_p50_ns: float | None
    """None where nothing was read; so with the others."""
    read_p99_ns: float | None
    write_p50_ns: float | None
    write_p99_ns: float | None
    flush_p50_ns: float | None
    flush_p99_ns: float | None
    write_amplification: float | None
    """Since the design was attached."""
    fault: Annotated[str | None, left_out()] = None
    """Why it answered EIO from some moment on."""
    lateness: Lateness
    late_share: float | None
    """How much of the wait for it was this machine's: lateness, and what reads waited on the way to it."""
    waited_s: Annotated[float | None, left_out()] = None
    """All waits for it, summed, by the clock; there may be many at once."""

    @property
    def on_time(self) -> bool:
        """Whether a program waited about as long as for the design; tails are judged by `lateness.late_for`."""
        return (self.late_share or 0.0) <= LATE_SHARE_MAX


def late_share(disks: Sequence[Carried]) -> float | None:
    """How much of the waits for all of these was this machine's: transactions are sums of waits for data and log.

    The largest share where their waits are unknown; none where nothing was waited for.
    """
    known = [(disk.late_share, disk.waited_s) for disk in disks if disk.late_share is not None]
    if any(waited is None for _share, waited in known):
        return max(share for share, _waited in known)
    waited_s = sum(waited or 0.0 for _share, waited in known)
    return sum(share * (waited or 0.0) for share, waited in known) / waited_s if waited_s else None


def on_time(disks: Sequence[Carried]) -> bool:
    """Whether transactions on these disks are those of the designs."""
    return (late_share(disks) or 0.0) <= LATE_SHARE_MAX
