"""Loop devices and what is on them, for tests that may make them: root only."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from drivecast.bench.guard import InUseError
from drivecast.bench.target import Target, opened
from needs import lacks, needs
from waiting import until

MIB = 1 << 20


def sure() -> None:
    """Skip the test where block devices cannot be made."""
    needs("root", "loop", "losetup", "mkfs.ext4", "blkid", "mount", "umount")


def run(*argv: str | Path) -> str:
    """What a program says; a failure fails the test."""
    done = _ended(*argv)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def allowed(need: str, *argv: str | Path) -> str:
    """What a program says that a container may not let even root run; the test lacks `need` then."""
    done = _ended(*argv)
    if done.returncode:
        lacks(need, done.stderr)
    return done.stdout.strip()


def _ended(name: str | Path, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [needs(str(name)), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@contextmanager
def held(on: str | Path, *, writes: bool = True) -> Iterator[Target]:
    """A target that is run on, its name given again."""
    with opened(str(on), need_bytes=MIB, writes=writes, destroy=str(on), update=lambda *_: None) as target:
        yield target


def use(on: str | Path, *, writes: bool = True) -> Target:
    """The target as it is while it may be written to."""
    with held(on, writes=writes) as target:
        return target


def users(on: str | Path) -> list[tuple[str, str]]:
    """How a target that is not written to is in use, and by whom."""
    with pytest.raises(InUseError) as error:
        use(on)
    return [(use.how, use.by) for use in error.value.uses]


@contextmanager
def loop(folder: Path, size: int = 16 * MIB) -> Iterator[tuple[str, Path]]:
    """A loop device and the file under it."""
    sure()
    file = folder / "disk.img"
    with file.open("wb") as handle:
        handle.truncate(size)
    device = allowed("loop", "losetup", "--find", "--show", file)
    try:
        yield device, file
    finally:
        run("losetup", "--detach", device)
        # It goes with its last handle, and others on this machine look through all of them.
        until(lambda: _file_under(device) != str(file), f"{device} is gone")


@contextmanager
def over(what: str | Path, *options: str) -> Iterator[str]:
    """A loop device on a file or a device."""
    sure()
    device = allowed("loop", "losetup", "--find", "--show", *options, what)
    try:
        yield device
    finally:
        run("losetup", "--detach", device)


def _file_under(device: str) -> str:
    with suppress(OSError):
        return Path(f"/sys/block/{Path(device).name}/loop/backing_file").read_text().strip()
    return ""


@contextmanager
def mounted(device: str, folder: Path) -> Iterator[Path]:
    """A new file system on a device, mounted."""
    run("mkfs.ext4", "-q", "-F", "-m", "0", device)
    place = folder / "mounted"
    place.mkdir()
    allowed("mounts", "mount", device, place)
    try:
        yield place
    finally:
        run("umount", place)
