"""The kernel's list of mounts, read."""

from pathlib import Path

import pytest

from drivecast import mounts
from drivecast.mounts import Mount, mounted

LIST = """\
36 35 98:0 /root /mnt/a\\040b rw,noatime shared:1 master:2 - ext4 /dev/sd\\134a rw,errors=continue,noatime
37 36 0:44 / /empty ro - fuse.x  rw
"""


def test_a_line_is_read_with_blanks_and_without_peers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = tmp_path / "mountinfo"
    listed.write_text(LIST)
    monkeypatch.setattr(mounts, "_LIST", listed)
    assert mounted() == [
        Mount("98:0", "/mnt/a b", "ext4", "/dev/sd\\a", ("rw", "noatime", "errors=continue")),
        Mount("0:44", "/empty", "fuse.x", "", ("ro", "rw")),
    ]
    listed.unlink()
    assert mounted() == []


@pytest.mark.needs("proc")
def test_what_is_mounted_here_has_a_root() -> None:
    assert any(mount.point == "/" for mount in mounted())
