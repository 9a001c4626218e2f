"""What a command takes of a link in line with its data: from two rates of a sheet, against its rate at a third."""

import pytest

from bundled import CATALOG
from drivecast.catalog import device_spec
from drivecast.catalog.command_time import in_line

STREAM_BYTES = 128 * 1024
LINK = 564e6
"""What a link of 6 Gb/s carries, as the catalog has it."""

SHEETS = [
    ("S4500 and S4600, reads", 72_000, 500e6, 48_000),
    ("S4600, writes", 65_000, 490e6, 40_000),
]
"""4 KiB a second, bytes a second in sequence, 8 KiB a second: Intel SSD DC S4500/S4600 product specification."""


@pytest.mark.parametrize(("name", "small", "stream", "large"), SHEETS, ids=str)
def test_the_law_gives_a_rate_that_it_was_not_made_from(
    name: str, small: float, stream: float, large: float
) -> None:
    """Neither drive is in the catalog, and no parameter rests on these sheets."""
    rate = (STREAM_BYTES - 4096) / (STREAM_BYTES / stream - 1 / small)
    command_s = 1 / small - 4096 / min(rate, LINK)
    found = 1 / (command_s + 8192 / min(rate, LINK))
    assert found == pytest.approx(large, rel=0.07), name


@pytest.mark.parametrize("name", [name for name, drive in CATALOG.drives.items() if drive.is_flash])
def test_the_parameters_give_back_both_rates_of_the_sheet(name: str) -> None:
    drive = CATALOG.get(name)
    spec, speed = device_spec(drive), drive.sheet.performance
    if not in_line(drive):
        assert "link_command_ns" not in spec
        return
    rate = min(spec["read_bytes_per_s"], spec["link_bytes_per_s"])
    seconds = spec["link_command_ns"] * 1e-9 + speed.random_read_iops.block_bytes / rate
    seconds = max(seconds, spec["read_command_ns"] * 1e-9)
    measured = None if drive.calibrated is None else drive.calibrated.reads_per_s
    wanted = speed.random_read_iops.value if measured is None else measured.value
    assert 1 / seconds == pytest.approx(wanted, rel=1e-3)
    stream = STREAM_BYTES / (spec["link_command_ns"] * 1e-9 + STREAM_BYTES / rate)
    assert stream == pytest.approx(speed.sequential_read_mb_s.value * 1e6, rel=0.05)
