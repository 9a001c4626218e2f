"""What may be run on, and above all what may not: on real devices, where the tests may make them."""

import errno
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import waiting
from block_devices import MIB, allowed, held, loop, mounted, run, sure, users
from conftest import PROGRAM, Run
from drivecast.bench.guard import NotNamedAgainError
from drivecast.bench.target import Target, opened
from drivecast.capture.block_device import find
from drivecast.errors import InputError, NoRoomError
from needs import lacks

Drivecast = Callable[..., Run]


def use(on: str | Path, *, writes: bool = True, destroy: str | None = None, need: int = 16 * MIB) -> Target:
    """The target as it was while it was open."""
    with opened(
        str(on), need_bytes=need, writes=writes, destroy=destroy, update=lambda _share, _what: None
    ) as it:
        assert it.path.stat()
        return it


def refused(on: str | Path, *, destroy: str | None = None) -> str:
    """What is said of a target whose data may only be lost where its name is given again."""
    with pytest.raises(NotNamedAgainError) as error:
        use(on, destroy=destroy)
    return str(error.value)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[str]:
    """An empty loop device."""
    with loop(tmp_path) as (device, _file):
        yield device


def test_a_device_is_written_to_only_if_named_again_exactly(disk: str) -> None:
    assert f"`--destroy {disk}`" in refused(disk)
    for near in (disk.upper(), disk + "1", disk.removeprefix("/dev/"), disk + "/", disk + " "):
        assert f"found `{near}`" in refused(disk, destroy=near)
    assert use(disk, destroy=disk).may_write
    assert use(disk, writes=False).may_write is False


def test_what_a_device_holds_is_told_before_it_is_lost(disk: str) -> None:
    run("mkfs.ext4", "-q", "-F", "-L", "precious", disk)
    message = refused(disk)
    assert "ext4" in message
    assert "precious" in message
    run("mkswap", disk)
    assert "swap" in refused(disk)
    table = (
        b"\0" * 446 + bytes([0, 0, 2, 0, 0x83, 0, 9, 0, 1, 0, 0, 0, 0, 16, 0, 0]) + b"\0" * 48 + b"\x55\xaa"
    )
    run("dd", "if=/dev/zero", f"of={disk}", "bs=1M", "count=4", "conv=fsync", "status=none")
    with Path(disk).open("r+b") as handle:
        handle.write(table)
    assert "dos" in refused(disk)
    assert use(disk, destroy=disk).bytes == 16 * MIB


def test_a_mounted_device_is_never_written_to(tmp_path: Path, disk: str) -> None:
    with mounted(disk, tmp_path) as place:
        assert users(disk) == [("mounted", str(place))]
        assert use(disk, writes=False).bytes == 16 * MIB
    assert use(disk, destroy=disk).may_write


def test_swap_is_never_written_to(disk: str) -> None:
    run("mkswap", disk)
    allowed("swap", "swapon", disk)
    try:
        assert users(disk) == [("swap", "")]
    finally:
        run("swapoff", disk)


def test_a_device_that_another_process_uses_is_never_written_to(disk: str) -> None:
    handle = os.open(disk, os.O_RDONLY | os.O_EXCL)
    try:
        assert users(disk) == [("claimed", "")]
    finally:
        os.close(handle)
    with subprocess.Popen(
        ["sh", "-c", f"exec 3<>{disk}; echo; read -r _"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        other.stdout.readline()
        try:
            assert users(disk) == [("open", str(other.pid))]
        finally:
            other.kill()


def test_a_device_is_claimed_while_it_is_run_on(tmp_path: Path, disk: str) -> None:
    run("mkfs.ext4", "-q", "-F", disk)
    with held(disk):
        done = subprocess.run(["mount", disk, tmp_path], capture_output=True, text=True, check=False)
        assert done.returncode != 0
        assert users(disk)


def test_the_root_disk_is_never_written_to() -> None:
    sure()
    number = Path("/").stat().st_dev
    folder = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
    if not folder.exists():
        lacks("root disk")
    names = {folder.resolve().name}
    if (folder / "partition").exists():
        names.add(folder.resolve().parent.name)
    for name in names:
        device = f"/dev/{name}"
        assert find(device).name == name
        assert ("mounted", "/") in users(device)


def test_a_link_to_a_device_is_that_device(tmp_path: Path, disk: str) -> None:
    link = tmp_path / "by-id"
    link.symlink_to(disk)
    assert f"found `{disk}`" in refused(link, destroy=disk), "named as it was given, or not at all"
    assert use(link, destroy=str(link)).name == str(link)
    with mounted(disk, tmp_path) as place:
        assert users(link) == [("mounted", str(place))]


def test_a_file_under_a_loop_device_is_never_written_to(tmp_path: Path) -> None:
    with loop(tmp_path) as (device, file):
        assert users(file) == [("loop", device)]
    assert use(file, destroy=str(file)).may_write


def test_a_file_is_written_to_only_if_named_again(tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.write_bytes(b"x" * MIB)
    assert f"`--destroy {file}`" in refused(file)
    assert use(file, writes=False).bytes == MIB
    with file.open("r+b"):
        assert users(file) == [("open", "")], "the kernel counts our own handle, too"
    with subprocess.Popen(
        ["sh", "-c", f"exec 3<>{file}; echo; exec sleep 60"], stdout=subprocess.PIPE
    ) as other:
        other.stdout.readline()
        try:
            assert users(file) == [("open", str(other.pid))]
        finally:
            other.kill()
    assert file.read_bytes() == b"x" * MIB


def test_what_is_no_target_says_so(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    empty = tmp_path / "empty"
    empty.touch()
    dangling = tmp_path / "dangling"
    dangling.symlink_to("nowhere")
    for on, reason in (
        (pipe, "found a pipe"),
        (Path("/dev/zero"), "found a character device"),
        (tmp_path / "missing", os.strerror(errno.ENOENT)),
        (dangling, os.strerror(errno.ENOENT)),
        (empty, "empty"),
    ):
        with pytest.raises(InputError) as error:
            use(on, destroy=str(on))
        assert reason in str(error.value), on


def test_a_directory_holds_a_file_only_for_as_long_as_it_is_used(tmp_path: Path) -> None:
    link = tmp_path / "link"
    place = tmp_path / "place"
    place.mkdir()
    link.symlink_to(place)
    for on in (place, link):
        with opened(str(on), need_bytes=3 * MIB, writes=True, destroy=None, update=lambda *_: None) as target:
            assert target.bytes >= 3 * MIB
            assert target.path.stat().st_size == target.bytes
            assert target.path.stat().st_blocks * 512 >= target.bytes, "written, not left sparse"
            pages = target.path.read_bytes()
            assert len({pages[at : at + 4096] for at in range(0, len(pages), 4096)}) == len(pages) // 4096
            assert list(place.iterdir()) == []
        assert list(place.iterdir()) == []


def test_a_directory_without_room_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoRoomError) as error:
        use(tmp_path, need=1 << 60)
    assert error.value.needed_bytes == 1 << 60
    with loop(tmp_path) as (device, _file), mounted(device, tmp_path) as place:
        with pytest.raises(NoRoomError):
            use(place, need=16 * MIB)
        assert use(place, need=4 * MIB).made


def test_a_directory_that_may_not_be_written_to_is_refused(tmp_path: Path) -> None:
    with loop(tmp_path) as (device, _file), mounted(device, tmp_path) as place:
        run("mount", "-o", "remount,ro", place)
        with pytest.raises(InputError) as error:
            use(place, need=1 * MIB)
        assert os.strerror(errno.EROFS) in str(error.value)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_however_a_run_ends_its_file_is_gone(tmp_path: Path, number: signal.Signals) -> None:
    with loop(tmp_path, 64 * MIB) as (device, _file), mounted(device, tmp_path) as place:
        free = os.statvfs(place).f_bfree
        words = ("random(4KiB, read=0.5, rate=200iops)", "--on", place, "--size", "16MiB", "--duration", "60")
        process = subprocess.Popen([PROGRAM, "bench", "replay", *words], stdout=-3, stderr=-3)
        waiting.until(lambda: os.statvfs(place).f_bfree <= free - 15 * MIB // 4096, "the file is laid out")
        assert process.poll() is None, "it is at work"
        process.send_signal(number)
        process.wait(waiting.PATIENCE_S)
        assert [file.name for file in place.iterdir()] == ["lost+found"]
        assert os.statvfs(place).f_bfree >= free - 64, "no room is held by what has no name"
    assert process.returncode in (2, -number)


@pytest.mark.needs("blkid")
def test_the_summary_is_what_the_user_sees(drivecast: Drivecast, disk: str) -> None:
    run("mkfs.ext4", "-q", "-F", disk)
    line = ("random(4KiB, read=0, iodepth=4)", "--requests", "200")
    done = drivecast("bench", "replay", *line, "--on", disk)
    assert done.code == 2
    assert f"`--destroy {disk}`" in done.err
    assert "ext4" in done.err
    done = drivecast("bench", "replay", *line, "--on", disk, "--destroy", disk)
    assert (done.code, done.err) == (0, "")
    assert "write" in done.out
