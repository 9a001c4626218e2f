"""What the devices behind a server's directories did, by the kernel's own counters.

`/sys/block/*/stat` counts requests as the device took them, after merging, whoever sent them: the server, the file
system's journal, and neighbours. Fields are described in the kernel's `Documentation/block/stat.rst`.
"""

import time
from collections.abc import Iterable
from pathlib import Path

from drivecast.bench.environment.machine import kernel_value
from drivecast.bench.environment.storage import device_behind, disk_of

_SECTOR = 512
_READS, _READ_SECTORS, _WRITES, _WRITTEN_SECTORS, _BUSY_MS, _WAIT_MS, _FLUSHES = 0, 2, 4, 6, 9, 10, 15


class Meter:
    """Counts from its making to `read`."""

    def __init__(self, folders: Iterable[Path]) -> None:
        found = {device for device in map(device_behind, folders) if device is not None}
        self._disks = sorted({disk_of(device) for device in found})
        self._begun_s = time.monotonic()
        self._before = {disk: _counters(disk) for disk in self._disks}

    def read(self) -> dict[str, dict[str, float]] | None:
        """Rates of each device; none where no device is behind the directories, as in memory."""
        length_s = max(time.monotonic() - self._begun_s, 1e-9)
        rows = {disk.name: rates(self._before[disk], _counters(disk), length_s) for disk in self._disks}
        return {name: row for name, row in rows.items() if row} or None


def rates(before: list[int], after: list[int], length_s: float) -> dict[str, float]:
    """What happened between two readings of the counters; empty where they are not whole."""
    if len(before) < _WAIT_MS + 1 or len(before) != len(after):
        return {}
    moved = [max(0, last - first) for first, last in zip(before, after, strict=True)]
    found = {
        "reads_per_s": moved[_READS] / length_s,
        "read_bytes_per_s": moved[_READ_SECTORS] * _SECTOR / length_s,
        "writes_per_s": moved[_WRITES] / length_s,
        "written_bytes_per_s": moved[_WRITTEN_SECTORS] * _SECTOR / length_s,
        "queue_depth_mean": moved[_WAIT_MS] / 1e3 / length_s,
        "busy": min(1.0, moved[_BUSY_MS] / 1e3 / length_s),
    }
    # Kernels before 5.5 do not count flushes.
    return found | ({"flushes_per_s": moved[_FLUSHES] / length_s} if len(moved) > _FLUSHES else {})


def _counters(disk: Path) -> list[int]:
    return [int(count) for count in (kernel_value(disk / "stat") or "").split()]
