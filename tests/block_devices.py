"""Loop devices and what is on them, for tests that may make them: root only."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conftest import program
from drivecast.bench.guard import InUseError
from drivecast.bench.target import opened

MIB = 1 << 20


def sure() -> None:
    """Skip the test where block devices cannot be made."""
    if os.geteuid() != 0:
        pytest.skip("making block devices needs root")
    for name, package in (("losetup", "mount"), ("mkfs.ext4", "e2fsprogs"), ("blkid", "util-linux")):
        program(name, package)
    if not Path("/dev/loop-control").exists():
        pytest.skip("this kernel has no loop devices")


def run(*argv: str | Path) -> str:
    """What a program says; a failure fails the test."""
    done = subprocess.run(
        [str(argument) for argument in argv], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def allowed(*argv: str | Path) -> str:
    """What a program says that a container may not let even root run; the test is skipped then."""
    done = subprocess.run(
        [str(argument) for argument in argv], capture_output=True, text=True, check=False, timeout=60
    )
    if done.returncode:
        pytest.skip(f"{argv[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def users(on: str | Path) -> list[tuple[str, str]]:
    """How a target that is not written to is in use, and by whom."""
    with (
        pytest.raises(InUseError) as error,
        opened(str(on), need_bytes=MIB, writes=True, destroy=str(on), update=lambda *_: None),
    ):
        pass
    return [(use.how, use.by) for use in error.value.uses]


@contextmanager
def loop(folder: Path, size: int = 16 * MIB) -> Iterator[tuple[str, Path]]:
    """A loop device and the file under it."""
    sure()
    file = folder / "disk.img"
    with file.open("wb") as handle:
        handle.truncate(size)
    device = allowed("losetup", "--find", "--show", file)
    try:
        yield device, file
    finally:
        run("losetup", "--detach", device)


@contextmanager
def mounted(device: str, folder: Path) -> Iterator[Path]:
    """A new file system on a device, mounted."""
    run("mkfs.ext4", "-q", "-F", "-m", "0", device)
    place = folder / "mounted"
    place.mkdir()
    allowed("mount", device, place)
    try:
        yield place
    finally:
        run("umount", place)
