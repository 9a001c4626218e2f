"""What went on beside a point: the processor's time, what others did to the disk, temperature, throttling.

    with Watch(target.path) as watch:
        outcome = …
        watch.own(outcome["host_read_bytes"], outcome["host_written_bytes"])
    Point(…, processor=watch.processor, noise=watch.noise)

The disk's own counters (`/sys/block/*/stat`) count everybody; what is over after our bytes are taken off is the
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
_THROTTLED = "thermal_throttle/package_throttle_count"


@dataclass(frozen=True)
class Counters:
    """The counters at one moment."""

    time_s: float
    processor: tuple[int, ...]
    """Ticks: user, nice, system, idle, iowait, irq, softirq, steal."""
    disk: tuple[int, ...]
    """`/sys/block/*/stat`; empty without a disk."""
    pressure_us: tuple[int, int]
    """Microseconds in which some task waited for I/O, and for a processor."""
    throttled: int
    temperature_c: float | None


class Watch:
    """Counts around a block; a context manager."""

    def __init__(self, path: Path) -> None:
        folder = device_behind(path)
        self._disk = disk_of(folder) if folder else None
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
        spent = [
            after - before
            for before, after in zip(self._before.processor, self._after.processor, strict=True)
        ]
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
        before, after = self._before, self._after
        length_s = max(after.time_s - before.time_s, 1e-9)
        found: dict[str, float] = {
            "load_before": self._load,
            "io_pressure": (after.pressure_us[0] - before.pressure_us[0]) / 1e6 / length_s,
            "processor_pressure": (after.pressure_us[1] - before.pressure_us[1]) / 1e6 / length_s,
            "processor_throttled": float(after.throttled - before.throttled),
        }
        if self._before.disk and self._after.disk:
            found |= self._of_disk(length_s)
        for name, counters in (("temperature_c_before", before), ("temperature_c_after", after)):
            if counters.temperature_c is not None:
                found[name] = counters.temperature_c
        return found

    def _of_disk(self, length_s: float) -> dict[str, float]:
        moved = [after - before for before, after in zip(self._before.disk, self._after.disk, strict=False)]
        read_bytes, written_bytes = moved[2] * _SECTOR, moved[6] * _SECTOR
        found = {
            "disk_read_bytes": float(read_bytes),
            "disk_written_bytes": float(written_bytes),
            "disk_busy": min(1.0, moved[9] / 1e3 / length_s),
        }
        if self._own is not None:
            found["others_read_bytes"] = float(max(0, read_bytes - self._own[0]))
            found["others_written_bytes"] = float(max(0, written_bytes - self._own[1]))
        return found

    def _look(self) -> Counters:
        disk = kernel_value(self._disk / "stat") if self._disk else None
        return Counters(
            time.monotonic(),
            _processor(),
            tuple(map(int, disk.split())) if disk else (),
            (_pressure_us("io"), _pressure_us("cpu")),
            sum(
                int(kernel_value(file) or 0)
                for file in Path("/sys/devices/system/cpu").glob(f"cpu[0-9]*/{_THROTTLED}")
            ),
            temperature_c(self._disk) if self._disk else None,
        )


def _processor() -> tuple[int, ...]:
    first = (kernel_value(Path("/proc/stat")) or "").partition("\n")[0].split()[1:9]
    return tuple(map(int, first)) + (0,) * (8 - len(first))


def _pressure_us(of: str) -> int:
    """Microseconds since boot in which some task stalled; 0 where the kernel does not count them."""
    some = (kernel_value(Path("/proc/pressure") / of) or "").partition("\n")[0]
    _head, mark, total = some.rpartition("total=")
    return int(total) if mark else 0
