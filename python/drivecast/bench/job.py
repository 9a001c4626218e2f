"""What is measured, whatever measures it: a job in, a point out.

A job names its workload in the words the simulator understands, so that every point can be predicted as it stands.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from drivecast.bench.progress import Progress
from drivecast.bench.target import Target
from drivecast.document.findings import Setting
from drivecast.document.result import Point

Engine = Literal["io_uring", "libaio", "psync"]
DEPTH_MAX = 65_536


@dataclass(frozen=True)
class Job:
    """One workload on one target for one stretch of time."""

    workload: str
    """A line such as `random(4KiB, read=0.7, iodepth=32)`, or the path or name of a model."""
    runtime_s: float
    ramp_s: float = 0.0
    """Before the figures begin."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """What of it is varied, for tables and figures; it decides nothing."""
    iodepth: int | None = None
    """Outstanding of each thread, instead of the workload's own."""
    threads: int = 1
    """Threads that each run the workload."""
    engine: Engine = "io_uring"
    direct: bool = True
    """Whether the page cache is passed by."""
    flush_every: int = 0
    """Writes after which the file is flushed (`fdatasync`) before the next; 0: never."""
    seed: int = 0
    bytes_at_most: int | None = None
    """Stop when so much was moved, even before the time is over."""

    @property
    def length_s(self) -> float:
        """Duration, ramp included."""
        return self.ramp_s + self.runtime_s

    def with_settings(self, **settings: Setting) -> "Job":
        """Return the job with further settings."""
        return replace(self, settings={**self.settings, **settings})


Measure = Callable[[Job, Target, Progress], Point]
"""What measures: `drivecast.bench.fio.measure`, the replayer's, or a stand-in."""


def line(pattern: str, size_bytes: int, read_fraction: float, *more: str) -> str:
    """Return a workload line such as `random(16KiB, read=0.7)`."""
    size = f"{size_bytes >> 10}KiB" if size_bytes % 1024 == 0 else f"{size_bytes}B"
    return f"{pattern}({', '.join([size, f'read={read_fraction:g}', *more])})"
