"""What went on beside a point: the processor's time, what others did to the disk, temperature, throttling.

    with Watch(target.path) as watch:
        outcome = …
        watch.own(outcome["host_read_bytes"], outcome["host_written_bytes"])
    Point(…, processor=watch.processor, noise=watch.noise)

The disk's own counters (`/sys/block/*/stat`, described in the kernel's `Documentation/block/stat.rst`) count requests
as the device took them, after merging, whoever sent them; what is over after our bytes are taken off is the
neighbours', the file system's journal, and what was read in the ramp. All is of the whole block, ramp included.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from drivecast.bench.environment.machine import kernel_value
from drivecast.bench.environment.storage import device_behind, disk_of, temperature_c
from drivecast.document.result import Processor

_SECTOR = 512
_READS, _READ_SECTORS, _WRITES, _WRITTEN_SECTORS, _BUSY_MS, _WAIT_MS, _FLUSHES = 0, 2, 4, 6, 9, 10, 15
_THROTTLED = "thermal_throttle/package_throttle_count"


@dataclass(frozen=True)
class Counters:
    """The counters at one moment."""

    time_s: float
    processor: tuple[int, ...]
    """Ticks: user, nice, system, idle, iowait, irq, softirq, steal."""
    disks: dict[str, list[int]]
    """`/sys/block/*/stat` by the disk's name; empty of a disk without it."""
    pressure_us: tuple[int, int]
    """Microseconds in which some task waited for I/O, and for a processor."""
    throttled: int
    temperature_c: float | None


class Watch:
    """Counts around a block; a context manager."""

    def __init__(self, path: Path, *further: Path) -> None:
        """Watch the disk behind `path`, and the devices behind it and `further`."""
        devices = [device_behind(place) for place in (path, *further)]
        self._disks = {disk.name: disk for disk in map(disk_of, filter(None, devices))}
        self._disk = disk_of(devices[0]) if devices[0] else None
        self._own: tuple[int, int] | None = None
        self._load = os.getloadavg()[0]
        self._before = self._after = self._look()

    def __enter__(self) -> "Watch":
        self._before = self._after = self._look()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._after = self._look()

    def own(self, read_bytes: float, written_bytes: float) -> None:
        """Set what of the disk's traffic is ours."""
        self._own = (int(read_bytes), int(written_bytes))

    @property
    def processor(self) -> Processor | None:
        """Shares of all processors' time, in [0, 1]; none where no tick passed."""
        ticks = zip(self._before.processor, self._after.processor, strict=True)
        spent = [after - before for before, after in ticks]
        whole = sum(spent)
        if whole <= 0:
            return None
        user, nice, system, _idle, iowait, irq, softirq, steal = spent
        return Processor(
            user=(user + nice) / whole,
            system=(system + irq + softirq) / whole,
            iowait=iowait / whole,
            steal=steal / whole,
        )

    @property
    def noise(self) -> dict[str, float]:
        """What disturbed the block, by names with units; what is unknown is missing."""
        before, after, length_s = self._before, self._after, self._length_s
        found: dict[str, float] = {
            "load_before": self._load,
            "io_pressure": (after.pressure_us[0] - before.pressure_us[0]) / 1e6 / length_s,
            "processor_pressure": (after.pressure_us[1] - before.pressure_us[1]) / 1e6 / length_s,
            "processor_throttled": float(after.throttled - before.throttled),
        }
        if self._disk and before.disks[self._disk.name] and after.disks[self._disk.name]:
            found |= self._of_disk(before.disks[self._disk.name], after.disks[self._disk.name])
        for name, counters in (("temperature_c_before", before), ("temperature_c_after", after)):
            if counters.temperature_c is not None:
                found[name] = counters.temperature_c
        return found

    @property
    def devices(self) -> dict[str, dict[str, float]] | None:
        """Rates of each device; none where no device is behind the paths, as in memory."""
        before, after = self._before.disks, self._after.disks
        rows = {name: rates(before[name], after[name], self._length_s) for name in sorted(self._disks)}
        return {name: row for name, row in rows.items() if row} or None

    @property
    def _length_s(self) -> float:
        return max(self._after.time_s - self._before.time_s, 1e-9)

    def _of_disk(self, before: list[int], after: list[int]) -> dict[str, float]:
        moved = [last - first for first, last in zip(before, after, strict=False)]
        read_bytes, written_bytes = moved[_READ_SECTORS] * _SECTOR, moved[_WRITTEN_SECTORS] * _SECTOR
        found = {
            "disk_read_bytes": float(read_bytes),
            "disk_written_bytes": float(written_bytes),
            "disk_busy": min(1.0, moved[_BUSY_MS] / 1e3 / self._length_s),
        }
        if self._own is not None:
            found["others_read_bytes"] = float(max(0, read_bytes - self._own[0]))
            found["others_written_bytes"] = float(max(0, written_bytes - self._own[1]))
        return found

    def _look(self) -> Counters:
        throttled = Path("/sys/devices/system/cpu").glob(f"cpu[0-9]*/{_THROTTLED}")
        return Counters(
            time.monotonic(),
            _processor(),
            {name: _counters(disk) for name, disk in self._disks.items()},
            (_pressure_us("io"), _pressure_us("cpu")),
            sum(int(kernel_value(file) or 0) for file in throttled),
            temperature_c(self._disk) if self._disk else None,
        )


def rates(before: list[int], after: list[int], length_s: float) -> dict[str, float]:
    """What happened between two readings of a disk's counters; empty where they are not whole."""
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


def _processor() -> tuple[int, ...]:
    first = (kernel_value(Path("/proc/stat")) or "").partition("\n")[0].split()[1:9]
    return tuple(map(int, first)) + (0,) * (8 - len(first))


def _pressure_us(of: str) -> int:
    """Microseconds since boot in which some task stalled; 0 where the kernel does not count them."""
    some = (kernel_value(Path("/proc/pressure") / of) or "").partition("\n")[0]
    _head, mark, total = some.rpartition("total=")
    return int(total) if mark else 0
