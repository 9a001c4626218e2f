"""A disk that waits for its data: it answers at once until it is begun, and counts what is asked from then on."""

import os

import pytest

from attached import DESIGN
from drivecast.attach.attach_options import AttachOptions
from drivecast.attach.attached import attached
from drivecast.catalog import load
from drivecast.errors import InputError

DISK = "seagate-cheetah-15k5-73gb"
BLOCKS, BLOCK = 100, 4096

pytestmark = pytest.mark.needs("attached")


def test_only_a_device_waits() -> None:
    with (
        pytest.raises(InputError, match="served by a socket cannot wait"),
        attached(AttachOptions(DESIGN, load([]), waits=True)),
    ):
        pass


@pytest.mark.needs("root", "fuse", "loop")
def test_a_disk_takes_its_time_once_it_is_begun() -> None:
    with attached(AttachOptions(DISK, load([]), size_bytes=1 << 30, device=True, waits=True)) as disk:
        assert disk.device is not None
        handle = os.open(disk.device, os.O_RDWR | os.O_DSYNC)
        try:
            write(handle, disk.size_bytes)
            disk.begin()
            assert disk.carried().write_p50_ns is None, "nothing that was written before"
            write(handle, disk.size_bytes)
            carried = disk.carried("log")
            assert carried.holds == "log"
            assert carried.writes_per_s * carried.elapsed_s == pytest.approx(BLOCKS)
            assert carried.write_p50_ns is not None
            assert carried.write_p50_ns > 1e6, "a disk has to turn"
            assert disk.carried().write_p50_ns is None, "each call has its own"
        finally:
            os.close(handle)
    assert disk.outcome.write.requests == BLOCKS


def write(handle: int, size_bytes: int) -> None:
    """Write blocks far apart, each forced."""
    for at in range(BLOCKS):
        os.pwrite(handle, bytes(BLOCK), at * 7 * size_bytes // BLOCKS // BLOCK * BLOCK % size_bytes)
