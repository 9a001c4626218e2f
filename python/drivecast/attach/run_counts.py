"""What an attached design did for one run of several on it, and how much of the wait for it was this machine's.

    seen by the kernel = way to the design + latency of the design + lateness + way back
    late share = (sum of lateness + what reads waited on the way beyond the cost taken off) / sum of all waits

Lateness is counted where answers are sent. What a request waits for before it is taken in, for a processor say, only
the kernel sees: its block layer's time of reads (`Documentation/block/stat.rst`) over the design's is what the way
added. Left out: the same of writes and flushes, which the kernel merges and splits; so the share is a lower bound.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from drivecast import files
from drivecast.attach.attach_options import AttachOptions
from drivecast.document.attached import KINDS, LATE_SHARE_MAX, Carried, Held, Kind, Lateness, Snapshot

LATE_NS_MAX = 5_000
"""On top of a share of the p99 that an application saw of a kind of request: with a later p99 of that kind's lateness
it saw this machine. Assumed."""
READ_MS_MIN = 20
"""The kernel counts in whole milliseconds: of so many, one is a twentieth."""
_BLOCK = Path("/sys/block")
_READS, _READ_MS = 0, 3


class RunCounts:
    """Counts since the last look, of a device of this machine where there is one."""

    def __init__(self, setting: AttachOptions) -> None:
        self._setting = setting
        self._before = (0, 0)

    def look(self, seen: Mapping[str, Any], device: Path | None, holds: Held) -> Carried:
        """What was done since the last look, from a snapshot of the core."""
        now = reads_of(device)
        kernel_ns = mean_read_ns(self._before, now)
        self._before = now
        late = Lateness.model_validate(seen["late"])
        return carried(self._setting, holds, Snapshot.model_validate(seen), late, kernel_ns)


def reads_of(device: Path | None) -> tuple[int, int]:
    """How many reads a block device has had, and the milliseconds they took together; zeros where there is none."""
    if device is None:
        return 0, 0
    try:
        fields = files.read_text(_BLOCK / device.name / "stat").split()
        return int(fields[_READS]), int(fields[_READ_MS])
    except (OSError, ValueError, IndexError):
        return 0, 0


def mean_read_ns(before: tuple[int, int], after: tuple[int, int]) -> float | None:
    """What a read took between two counts; none where there were too few for the kernel's milliseconds."""
    reads, read_ms = (late - early for late, early in zip(after, before, strict=True))
    return 1e6 * read_ms / reads if reads > 0 and read_ms >= READ_MS_MIN else None


def carried(
    setting: AttachOptions, holds: Held, seen: Snapshot, late: Lateness, kernel_read_ns: float | None
) -> Carried:
    """A run in figures; `kernel_read_ns` is the mean wait of a read as the kernel saw it, by the clock."""

    def latency(op: Kind, of: Literal["p50_ns", "p99_ns"]) -> float | None:
        found = seen.of(op)
        return getattr(found, of) if found.requests else None

    share, waited_s = waits(seen, late, setting.speed, kernel_read_ns)
    return Carried(
        design=setting.design,
        holds=holds,
        elapsed_s=seen.elapsed_s,
        reads_per_s=seen.iops("read"),
        writes_per_s=seen.iops("write"),
        flushes_per_s=seen.iops("flush"),
        read_bytes_per_s=seen.bytes_per_s("read"),
        written_bytes_per_s=seen.bytes_per_s("write"),
        **{f"{op}_{of}": latency(op, of) for op in KINDS for of in ("p50_ns", "p99_ns")},
        write_amplification=seen.write_amplification,
        fault=seen.fault,
        late_share=share,
        waited_s=waited_s,
        lateness=verdict(late, {op: latency(op, "p99_ns") for op in KINDS}, setting.speed),
    )


def waits(
    seen: Snapshot, late: Lateness, speed: float, kernel_read_ns: float | None = None
) -> tuple[float | None, float]:
    """The share of all waits that was this machine's, none where nothing was asked; and their sum in seconds.

    By the clock.
    """
    waited_ns = sum(seen.of(op).requests * (seen.of(op).mean_ns or 0.0) for op in KINDS) / speed
    if waited_ns <= 0.0:
        return None, 0.0
    design_ns = (seen.read.mean_ns or 0.0) / speed
    on_the_way_ns = seen.read.requests * max(0.0, (kernel_read_ns or 0.0) - design_ns)
    waited_ns += on_the_way_ns
    return (late.requests * (late.mean_ns or 0.0) + on_the_way_ns) / waited_ns, waited_ns / 1e9


def verdict(late: Lateness, p99_ns: Mapping[Kind, float | None], speed: float) -> Lateness:
    """The lateness with what that of each kind means for latencies with these p99, which are in time of the design."""
    pairs = {
        op: (of_kind.p99_ns, value / speed)
        for op, value in p99_ns.items()
        if value and (of_kind := late.of(op)) is not None
    }
    return late.model_copy(
        update={
            **{f"share_of_{op}_p99": late_ns / p99 for op, (late_ns, p99) in pairs.items()},
            "late_for": [
                op for op, (late_ns, p99) in pairs.items() if late_ns > LATE_SHARE_MAX * p99 + LATE_NS_MAX
            ],
        }
    )


def on_the_way(late: Lateness, mean_ns: float | None, speed: float, kernel_read_ns: float | None) -> Lateness:
    """The lateness with what a read waited on its way to the design, and what that means for reads.

    `mean_ns` is the latency of a read in time of the design.
    """
    if kernel_read_ns is None or not mean_ns:
        return late
    way_ns = max(0.0, kernel_read_ns - mean_ns / speed)
    is_late = way_ns > LATE_SHARE_MAX * mean_ns / speed + LATE_NS_MAX
    late_for = [op for op in KINDS if op in (late.late_for or []) or (op == "read" and is_late)]
    return late.model_copy(update={"way_read_ns": way_ns, "late_for": late_for})
