"""The devices on which the outcomes of a model and its trace are compared.

A 10k disk and a SATA SSD of the catalog, and four of these in RAID 5. A workload recorded on something faster
would only measure its own length on a disk that cannot keep up, so where the trace keeps a device busy for
more than half of the time both are played slower by the same power of two. Write amplification is 1 on a
drive much larger than what is written, whatever the model: it is compared on a drive as large as the span,
full, whose spare area is a quarter of what the trace writes (and at least a 4096th of the drive and 128 MiB).
"""

from dataclasses import dataclass

import polars as pl

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.document.outcome import Outcome
from drivecast.errors import InputError
from drivecast.stage.simulate import Options, simulate, simulate_each
from drivecast.stage.wear import amplification

DISKS = ("seagate-exos-10e2400-1.2tb", "seagate-exos-x20-20tb")
FLASH = ("samsung-pm893-960gb", "solidigm-d7-p5520-7.68tb")
BUSY_MAX = 0.5
SLOWEST = 1 / 1024
SPARE_SHARE = 0.25
SPARE_MIN_SHARE = 1 / 4096
SPARE_MIN_BYTES = 1 << 27
"""Space for an open block on each die of the drive."""
GIB = 1 << 30


@dataclass(frozen=True)
class Device:
    """A reference device, and how much slower than recorded the workload is played on it."""

    name: str
    design: str
    speedup: float


def devices(trace: _core.Workload, span_bytes: int, catalog: Catalog) -> list[tuple[Device, Outcome]]:
    """The devices, each with the outcome of the trace on it."""
    found = []
    for name, designs in (("disk", DISKS), ("SSD", FLASH), ("RAID 5", FLASH)):
        drive = next((drive for drive in designs if (catalog.get(drive).user_bytes or 0) >= span_bytes), None)
        if drive is None:
            raise InputError(f"no reference {name} holds the {span_bytes / 1e12:.1f} TB that the trace spans")
        design = f"raid5(4 * {drive}, chunk=64KiB)" if name == "RAID 5" else drive
        found.append(loaded(name, design, trace, catalog))
    return found


def loaded(name: str, design: str, trace: _core.Workload, catalog: Catalog) -> tuple[Device, Outcome]:
    """The device with the speed at which the trace keeps it half busy at most, and the outcome there."""
    speedup = 1.0
    while True:
        device = Device(name, design, speedup)
        outcome = play(device, trace, catalog)
        if speedup <= SLOWEST or not (outcome.saturated or (outcome.utilization or 0.0) > BUSY_MAX):
            return device, outcome
        speedup /= 2


def play(device: Device, load: _core.Workload, catalog: Catalog) -> Outcome:
    """The outcome of a workload on a device."""
    return simulate(device.design, load, catalog, Options(fill=0.0, speedup=device.speedup))


def latencies(device: Device, trace: _core.Workload, catalog: Catalog) -> pl.Series:
    """The latency of each request of a trace on a device, in ns; null where it did not complete."""
    return simulate_each(device.design, trace, catalog, Options(fill=0.0, speedup=device.speedup))


def worn(span_bytes: int, written_bytes: int) -> str:
    """The drive on which write amplification is compared."""
    logical = -(-span_bytes // GIB) * GIB
    spare = max(SPARE_SHARE * written_bytes, SPARE_MIN_SHARE * logical, SPARE_MIN_BYTES)
    return f"ssd(logical={logical}, spare_factor={spare / (logical + spare):.6f})"


def wear(design: str, load: _core.Workload, catalog: Catalog) -> float:
    """Write amplification of a workload, over and over."""
    return amplification(design, load, catalog, fill=1.0).write_amplification
