"""Durable writes on arrays: parity and mirrors wait for flash where the buffers of the drives are volatile."""

import pytest

from drivecast import _core
from drivecast.catalog import load
from drivecast.stage.simulate import Options, simulate

PROGRAM_NS = 700_000
DRIVE = "ssd(logical=1GiB, spare_factor=0.2, program=700us, buffer_volatile={volatile})"


def median_ns(design: str, fua: int) -> float:
    """The median latency of lone writes."""
    line = _core.Workload.line(f"random(4KiB, read=0, fua={fua}, rate=200iops)")
    outcome = simulate(design, line, load(), Options(requests=400, state="fresh"))
    return outcome.latency_of("write", "q0.5")


@pytest.mark.parametrize("shape", ["{}", "raid1(2 * {})", "raid10(4 * {})", "raid5(4 * {})", "raid6(5 * {})"])
def test_a_forced_write_takes_a_program_on_every_drive_it_goes_to(shape: str) -> None:
    protected, volatile = (shape.format(DRIVE.format(volatile=state)) for state in ("no", "yes"))
    assert median_ns(protected, 1) == median_ns(protected, 0) == median_ns(volatile, 0)
    longer = median_ns(volatile, 1) - median_ns(volatile, 0)
    # The drives program at the same time; the row crosses a channel of 400 MB/s first.
    assert longer == pytest.approx(PROGRAM_NS + 4096 / 0.4, rel=0.02)


def test_a_controllers_battery_takes_the_program_away() -> None:
    member = DRIVE.format(volatile="yes")
    through, back = (
        f"raid1(2 * {member}, controller={name})" for name in ("megaraid-9265-8i", "megaraid-9265-8i-bbu")
    )
    assert median_ns(through, 1) > PROGRAM_NS > 10 * median_ns(back, 1)
