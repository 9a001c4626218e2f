"""Record a live workload on Linux: counters of a disk, and with a trace every request.

Counters are snapshots of `/proc/diskstats` (or of a cgroup's own counts), block events what the kernel's `blk` tracer
writes; both are turned into Parquet by the readers of such logs, so that nothing is parsed twice. A recording that is
interrupted keeps what it has; the tracer is switched off whatever happens, and a start after a crash sets right
what the crash left behind.
"""

from drivecast.capture.block_device import Device, find
from drivecast.capture.recorder import Plan, record

__all__ = ["Device", "Plan", "find", "record"]
