"""The bound on what drives can carry is never below what they carry when simulated, and not far above for disks."""

import math

import pytest

from bundled import CATALOG
from drivecast import _core
from drivecast.catalog.sheet import HddSheet
from drivecast.plan import busy_time
from drivecast.plan.busy_time import SLACK, busy_s, outpaced, written_times
from drivecast.stage.counter_load import CounterLoad
from drivecast.stage.design import Design
from drivecast.stage.simulate import Options, simulate

DISK, FAST_DISK, SATA, NVME = (
    "seagate-exos-x24-24tb",
    "seagate-exos-15e900-600gb",
    "samsung-pm893-960gb",
    "samsung-pm9a3-1.92tb",
)
FILL = 0.5
REQUESTS = 30_000
COUNTED = 0.02
"""Of requests that are under way at the beginning and the end."""

CASES = [
    (DISK, "single", 1, 8, 1.0, 0.0),
    (DISK, "raid5", 4, 16, 0.5, 0.0),
    (DISK, "raid6", 8, 64, 1.0, 0.0),
    (FAST_DISK, "raid1", 2, 8, 0.7, 0.0),
    (SATA, "single", 1, 64, 0.5, 0.0),
    (NVME, "raid1", 2, 16, 0.7, 0.0),
    (NVME, "raid6", 6, 16, 0.5, 0.0),
    (DISK, "raid6", 8, 128, 0.5, 0.9),
    (NVME, "raid5", 4, 16, 0.2, 0.9),
]


@pytest.mark.parametrize(("drive", "level", "count", "kib", "reads", "in_order"), CASES)
def test_nothing_carries_more_than_the_bound(
    drive: str, level: str, count: int, kib: int, reads: float, in_order: float
) -> None:
    design = Design(CATALOG.get(drive), level, count)  # type: ignore[arg-type]
    depth = 64 * count
    runs = f", sequential={in_order}" if in_order else ""
    load = _core.Workload.line(f"random({kib}KiB, read={reads}, iodepth={depth}, span={FILL}{runs})")
    found = simulate(design.line, load, CATALOG, Options(fill=FILL, requests=REQUESTS))
    carried = CounterLoad(
        kib << 10, reads, found.iops, 60.0, None, (), sequential_reads=in_order, sequential_writes=in_order
    )
    assert not outpaced(design, FILL, carried, 1.0)
    if found.write.requests:
        wrote = found.device_written_bytes / found.host_written_bytes
        assert written_times(design, carried) <= (1 + COUNTED) * wrote, (
            "parity that is not renewed is not counted"
        )
    most = SLACK * count / busy_s(design, FILL, carried)
    assert not design.is_flash or outpaced(design, FILL, carried, 1.001 * most)
    assert design.is_flash or in_order or most < 3.0, "a bound that is far too high rules nothing out"


def test_a_disk_that_may_not_choose_takes_a_mean_seek_and_half_a_turn() -> None:
    sheet = CATALOG.get(DISK).sheet
    assert isinstance(sheet, HddSheet)
    disk = sheet.disk
    track, mean, full = (ms.value / 1e3 for ms in (disk.seek_track_ms, disk.seek_mean_ms, disk.seek_full_ms))
    turn = 60 / disk.rpm.value
    alone = busy_time.waits_s(track, mean, full, turn, queued=1, fill=1.0)
    assert math.isclose(alone, mean + turn / 2, rel_tol=1e-3)
    soonest = [
        busy_time.waits_s(track, mean, full, turn, queued=queued, fill=1.0) for queued in (1, 4, 16, 64)
    ]
    assert soonest == sorted(soonest, reverse=True)
    assert soonest[-1] > track
