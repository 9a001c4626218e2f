"""A small design that is attached at once, and loads of fio on it."""

import pytest

from drivecast import _core

DESIGN = "raid1(2 * ssd(logical=128MiB, pages_per_block=64))"
NOW = (DESIGN, "--state", "fresh")

needs_attached = pytest.mark.skipif(
    not hasattr(_core, "Attached"), reason="designs are attached on Linux only"
)


def fio(**options: str | int) -> list[str]:
    """A command that runs fio over NBD."""
    given = {"rw": "randrw", "bs": "4k", "iodepth": 4, "size": "16m", **options}
    words = " ".join(f"--{name}={value}" for name, value in given.items())
    return ["sh", "-c", f'exec fio --name=j --ioengine=nbd --uri="$DRIVECAST_NBD" {words}']
