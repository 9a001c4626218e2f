"""A full backing store is ENOSPC to the application, over the device and over the file system, and is said."""

import errno
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from attached import NOW
from conftest import execute
from needs import needs

pytestmark = [
    pytest.mark.needs("attached"),
    pytest.mark.needs("root", "fuse", "loop"),
]


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system with space for less than the disk."""
    place = tmp_path / "small"
    place.mkdir()
    needs("mounts", "mount", "umount")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "none", place], check=True)
    yield place
    subprocess.run(["umount", place], check=True)


@pytest.mark.parametrize(
    ("front", "written"),
    [
        (["--device"], 'dd if=/dev/zero of="$DRIVECAST_DEVICE" bs=1M count=40 oflag=direct'),
        (["--mount"], 'dd if=/dev/zero of="$DRIVECAST_MOUNT/file" bs=1M count=40 oflag=direct'),
        (["--mount"], 'dd if=/dev/zero of="$DRIVECAST_MOUNT/file" bs=1M count=40 conv=fsync'),
    ],
)
def test_a_full_store(front: list[str], written: str, small: Path, tmp_path: Path) -> None:
    place = [str(tmp_path / "mount")] if front == ["--mount"] else []
    out = tmp_path / "o.json"
    data = ("--size", "64MB", "--data", "file", "--file", small / "data")
    done = execute("attach", *NOW, *data, *front, *place, "-o", out, "--", "sh", "-c", f"LC_ALL=C {written}")
    assert done.code == 1
    assert os.strerror(errno.ENOSPC) in done.err
    assert "ENOSPC" in done.err
    assert json.loads(out.read_text())["attached"]["refused_full"] > 0
    assert not (tmp_path / "mount").exists()
