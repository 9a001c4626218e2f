"""A small design that is attached at once, what attaching needs, and loads of fio on it."""

import os
from pathlib import Path

import pytest

from drivecast import _core

DESIGN = "raid1(2 * ssd(logical=128MiB, pages_per_block=64))"
NOW = (DESIGN, "--state", "fresh")

needs_attached = pytest.mark.skipif(
    not hasattr(_core, "Attached"), reason="designs are attached on Linux only"
)

needs_device = pytest.mark.skipif(
    os.geteuid() != 0 or not Path("/dev/fuse").exists() or not Path("/dev/loop-control").exists(),
    reason="only root puts a loop device on a file by FUSE",
)


def fio(**options: str | int) -> list[str]:
    """A command that runs fio over NBD."""
    given = {"rw": "randrw", "bs": "4k", "iodepth": 4, "size": "16m", **options}
    words = " ".join(f"--{name}={value}" for name, value in given.items())
    return ["sh", "-c", f'exec fio --name=j --ioengine=nbd --uri="$DRIVECAST_NBD" {words}']
