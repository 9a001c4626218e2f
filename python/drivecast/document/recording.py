"""What a capture recorded: counters of a disk and, with a trace, its requests."""

from drivecast.document.part import Document, Part


class RecordedCounters(Part):
    """The counter log, in sums and means."""

    path: str
    rows: int
    reads: int | float
    writes: int | float
    flushes: int | float | None
    bytes_read: int | float
    bytes_written: int | float
    iops_mean: float | None
    throughput_mean_bytes_per_s: float | None
    read_fraction: float | None
    block_size_mean_bytes: float | None
    queue_depth_mean: float | None


class Tally(Part):
    """How often the kernel reported an event."""

    events: int
    reads: int
    writes: int


class RecordedTrace(Part):
    """The trace: none was written where the disk had no request."""

    path: str | None = None
    rows: int = 0
    lost: int
    """Events that the kernel wrote and nobody read."""
    event: str | None = None
    """The event that a request's time is of."""
    tallies: dict[str, Tally] | None = None


class Recording(Document):
    """A recording, and what it cost."""

    device: str
    seconds: float
    interrupted: bool
    cpu_s: float
    cpu_fraction: float
    notes: list[str]
    trace: RecordedTrace | None = None
    counters: RecordedCounters
