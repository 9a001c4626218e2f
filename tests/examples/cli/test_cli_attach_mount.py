"""`attach --mount`: a command finds a file system, whose exit code is passed on, and nothing of it is left."""

import json
from pathlib import Path

import pytest

from attached import NOW
from conftest import execute

pytestmark = pytest.mark.needs("attached", "root", "fuse", "loop")


@pytest.mark.needs("mkfs.ext4")
def test_a_command_on_a_file_system(tmp_path: Path) -> None:
    place, out = tmp_path / "disk", tmp_path / "o.json"
    script = 'echo words > "$DRIVECAST_MOUNT/file"; sync; cat "$DRIVECAST_MOUNT/file"; echo "$DRIVECAST_DEVICE"; exit 6'
    done = execute("attach", *NOW, "--mount", place, "-o", out, "--", "sh", "-c", script)
    assert done.code == 6, done.err
    words, device = done.out.split()
    assert words == "words"
    assert device.startswith("/dev/loop")
    assert not place.exists()
    assert str(place) not in Path("/proc/self/mountinfo").read_text()
    found = json.loads(out.read_text())
    assert found["attached"]["front"] == "mount"
    assert found["write"]["requests"] > 0
    assert found["flush"]["requests"] > 0


@pytest.mark.needs("mkfs.ext4")
def test_another_design_has_the_data_of_an_earlier_one(tmp_path: Path) -> None:
    place, data = tmp_path / "disk", ("--data", "file", "--file", tmp_path / "data")
    script = 'echo words > "$DRIVECAST_MOUNT/file"'
    done = execute("attach", *NOW, "--size", "64MB", *data, "--mount", place, "--", "sh", "-c", script)
    assert done.code == 0, done.err
    again = ("attach", "ssd(logical=256MiB)", "--state", "fresh", *data, "--again", "--mount", place)
    done = execute(*again, "--", "sh", "-c", 'cat "$DRIVECAST_MOUNT/file"')
    assert done.code == 0, done.err
    assert done.out == "words\n"
    done = execute(*again, "--fs", "xfs", "--", "true")
    assert done.code == 2
    assert "xfs" in done.err
    assert not place.exists()
