"""Rated writes of drives on sale fit their flash at the write amplification theory gives their spare."""

from math import exp

import pytest

from bundled import CATALOG
from drivecast.catalog import Drive

DRIVES = [drive for drive in CATALOG.drives.values() if drive.available_today and drive.is_flash]


def write_amplification(spare_ratio: float) -> float:
    """Uniform random writes, oldest block cleaned first: 1 − 1/A = exp(−α/A), α = physical / logical."""
    low, high = 1.0, 1e4
    while high - low > 1e-9 * low:
        middle = (low + high) / 2
        if 1 - 1 / middle < exp(-spare_ratio / middle):
            low = middle
        else:
            high = middle
    return low


def test_the_closed_form() -> None:
    """Xiang and Kurkoski 2011: 2.36 at an over-provisioning of 0.3."""
    assert write_amplification(1.3) == pytest.approx(2.364, abs=0.001)


@pytest.mark.parametrize("drive", DRIVES, ids=lambda drive: drive.name)
def test_rated_writes_fit_the_flash(drive: Drive) -> None:
    assert drive.raw_bytes is not None
    assert drive.tbw_bytes is not None
    factor = write_amplification(drive.raw_bytes / drive.user_bytes)
    cycles = drive.tbw_bytes * factor / drive.raw_bytes
    assert cycles <= 1.05 * drive.pe_cycles.high
