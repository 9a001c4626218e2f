"""Loop devices and file systems on the file of a disk: made, given to their user, and taken down.

The file is an ordinary one here; `test_attach_killed.py` has the one that a simulated design serves.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import waiting
from drivecast.attach import kernel, mount_helper
from drivecast.attach.mount import FILE, Place, disk_place
from drivecast.errors import HintedError
from needs import lacks

NEEDS_ROOT = pytest.mark.needs("root", "loop")


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Where the directories of disks are: empty again after each test, but for the file that stands in for a disk."""
    place = tmp_path / "run"
    place.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(place))
    yield place
    assert not [device for path in place.rglob(FILE) for device in kernel.loops(str(path))]
    assert not [where for where, _, _ in kernel.mounts() if where.startswith(str(tmp_path))]


def serve(place: Place, size: int = 64 << 20) -> Path:
    """An ordinary file in place of the one by FUSE."""
    file = place.fuse / FILE
    with file.open("wb") as opened:
        opened.truncate(size)
    return file


@NEEDS_ROOT
def test_a_device_has_the_size_and_the_sectors_of_its_disk() -> None:
    with disk_place(sector_bytes=4096) as place:
        file = serve(place)
        with place.device() as device:
            assert kernel.loops(str(file)) == [str(device.path)]
            assert device.mount is None
            assert device.transport_ns < 100_000_000, "less by what a disk would have taken for a read"
            queue = Path("/sys/block", device.path.name)
            assert int((queue / "size").read_text()) * 512 == 64 << 20
            assert int((queue / "queue/logical_block_size").read_text()) == 4096
            assert int((queue / "loop/dio").read_text()) == 1, "past the page cache of the file"
        assert kernel.loops(str(file)) == []
        file.unlink()
    assert not place.fuse.exists()


@NEEDS_ROOT
@pytest.mark.parametrize(
    "fs",
    [pytest.param(fs, marks=pytest.mark.needs(command[0])) for fs, (command, _) in mount_helper.MAKE.items()],
)
def test_a_file_system_is_given_to_its_user_and_written_back(fs: str, tmp_path: Path) -> None:
    mount = tmp_path / "with a blank"
    with disk_place(mount=mount, fs=fs, account=(1234, 1235)) as place:
        file = serve(place, 512 << 20)
        with place.device() as device:
            assert device.mount == mount
            assert (str(mount), fs, str(device.path)) in kernel.mounts()
            assert (mount.stat().st_uid, mount.stat().st_gid) == (1234, 1235)
            (mount / "words").write_text("never flushed by who wrote them")
        assert not list(mount.iterdir())
        assert b"never flushed by who wrote them" in file.read_bytes()
        file.unlink()
    assert not mount.exists(), "a directory that was made goes"


@NEEDS_ROOT
def test_a_program_in_the_group_of_a_device_ends_with_it() -> None:
    with disk_place() as place:
        file = serve(place)
        with place.device() as device:
            if device.group is None:
                lacks("blkio")
            process = subprocess.Popen(["sleep", "300"])
            (device.group / "cgroup.procs").write_text(str(process.pid))
        assert process.wait(waiting.PATIENCE_S) == -signal.SIGKILL
        assert not device.group.exists()
        file.unlink()


@NEEDS_ROOT
@pytest.mark.needs("mkfs.ext4")
def test_a_disk_that_is_still_used_is_an_error_and_goes_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell in the directory, say: its owner is to hear of it, and the mount leaves the tree."""
    monkeypatch.setattr(mount_helper, "_PATIENCE_S", 0.2)
    mount = tmp_path / "mount"
    mount.mkdir()
    file = tmp_path / FILE
    file.write_bytes(bytes(8 << 20))
    order = {
        "file": str(file),
        "sector_bytes": 512,
        "mount": str(mount),
        "fs": "ext4",
        "account": None,
        "group": None,
    }
    ours = mount_helper.MountHelper()
    ours.make(order)
    with subprocess.Popen(["sleep", "300"], cwd=mount) as user:
        with pytest.raises(OSError, match="busy"):
            ours.unmake(order)
        os.close(ours.holding or -1)
        fuse = tmp_path / "fuse"
        fuse.mkdir()
        left = {"owner": os.getpid(), "fuse": str(fuse), "mount_made": False}
        mount_helper.undo({**left, **order})
        assert not mount.is_mount()
        user.kill()
    waiting.until(lambda: not kernel.loops(str(file)), "the device goes with its last user")


@pytest.mark.parametrize(
    ("fs", "reason"),
    [
        pytest.param("ext4", "is not an empty directory", marks=pytest.mark.needs("mkfs.ext4")),
        ("vfat", "no file system 'vfat'"),
    ],
)
def test_a_directory_that_holds_something_is_refused(fs: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "precious").touch()
    expected = reason if os.geteuid() == 0 or fs == "vfat" else "only root"
    with pytest.raises(HintedError, match=expected), disk_place(mount=tmp_path, fs=fs):
        pass


@NEEDS_ROOT
def test_the_loss_of_the_supervisor_is_seen_and_nothing_is_left() -> None:
    with disk_place() as place:
        file = serve(place)
        with place.device() as device:
            assert not place.lost()
            place.supervisor.kill()
            waiting.until(place.lost, "the loss is seen")
            waiting.until(lambda: not kernel.loops(str(file)), f"{device.path} goes with its last descriptor")
        file.unlink()


def test_an_order_that_fails_says_why() -> None:
    """The file is not there: nothing serves it."""
    with disk_place() as place, pytest.raises(HintedError, match=f"{FILE}: |loop-control: "), place.device():
        pass
