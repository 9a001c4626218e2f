"""What an adversary puts above, below and beside a target: each is data in use, and none is handed out for writing."""

import ctypes
import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from block_devices import MIB, allowed, held, loop, mounted, over, run, sure, use, users
from drivecast.bench import in_use, open_files, related_devices
from drivecast.capture.block_device import Device
from drivecast.errors import InputError, NoRoomError
from needs import lacks, needs

SIZE = 16 * MIB


@pytest.fixture(autouse=True)
def no_loops_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without rights nobody sees what loop devices of others lie on, which may be anything: here they are left out."""
    if os.geteuid() != 0:
        monkeypatch.setattr(in_use, "is_loop", lambda _name: False)


def refused(on: str | Path) -> str:
    with pytest.raises(InputError) as error:
        use(on)
    return str(error.value)


def image(folder: Path, name: str = "image") -> Path:
    file = folder / name
    file.write_bytes(bytes(SIZE))
    return file


@contextmanager
def other(script: str, *arguments: str | Path) -> Iterator[int]:
    """Another process that prints a line once it has done what it is to, and waits."""
    argv = [sys.executable, "-c", f"import os, sys\n{script}\nprint(flush=True)\nsys.stdin.readline()"]
    with subprocess.Popen(
        [*argv, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "\n", process.stderr.read()
        try:
            yield process.pid
        finally:
            process.kill()


# Below a loop device.


def test_a_loop_device_on_a_file_that_is_mounted_through_another(tmp_path: Path) -> None:
    with loop(tmp_path) as (busy, file), mounted(busy, tmp_path), over(file) as second:
        assert users(second) == [("loop", busy)]
        with over(file, "--offset", str(MIB)) as part:
            assert ("loop", busy) in users(part)


def test_a_loop_device_on_a_mounted_device(tmp_path: Path) -> None:
    with (
        loop(tmp_path) as (busy, _),
        mounted(busy, tmp_path) as at,
        over(busy) as second,
        over(second) as third,
    ):
        assert users(third) == [("mounted", str(at))]
        assert ("loop", third) in users(second)


def test_a_loop_device_on_a_device_that_is_claimed(tmp_path: Path) -> None:
    """As it is by a mount of another namespace."""
    with loop(tmp_path) as (busy, _), over(busy) as second:
        assert use(second).may_write
        claim = os.open(busy, os.O_RDONLY | os.O_EXCL)
        try:
            assert users(second) == [("claimed", "")]
        finally:
            os.close(claim)


@pytest.mark.parametrize("flag", ["r+b", "rb"])
def test_a_loop_device_on_a_file_that_a_process_has_open(tmp_path: Path, flag: str) -> None:
    with (
        loop(tmp_path) as (device, file),
        other(f"file = open(sys.argv[1], {flag!r})", file) as process,
    ):
        assert users(device) == [("open", str(process))]


def test_a_swap_file_its_hard_link_and_a_loop_device_on_it(tmp_path: Path) -> None:
    sure()
    swap, link = image(tmp_path), tmp_path / "link"
    swap.chmod(0o600)
    run("mkswap", swap)
    allowed("swap", "swapon", swap)
    try:
        os.link(swap, link)
        assert users(link) == users(swap) == [("swap", "")]
        with over(swap) as device:
            assert users(device) == [("swap", "")]
    finally:
        run("swapoff", swap)


def test_a_loop_device_that_cannot_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with loop(tmp_path) as (device, _):
        monkeypatch.setattr(in_use, "below", lambda _name: None)
        assert ("unknown", device) in users(device)


# Files that no list of processes shows.

RING = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
handle = os.open(sys.argv[1], os.O_RDWR)
ring = libc.syscall(425, 8, ctypes.byref((ctypes.c_char * 120)()))
assert ring >= 0, os.strerror(ctypes.get_errno())
assert libc.syscall(427, ring, 2, ctypes.byref((ctypes.c_int * 1)(handle)), 1) == 0
os.close(handle)
"""
IN_FLIGHT = """
import socket
here, there = socket.socketpair(socket.AF_UNIX)
handle = os.open(sys.argv[1], os.O_RDWR)
socket.send_fds(here, [b"x"], [handle])
os.close(handle)
"""


@pytest.mark.parametrize(
    "script",
    [pytest.param(RING, marks=pytest.mark.needs("io_uring")), IN_FLIGHT],
    ids=["registered with io_uring", "in a socket"],
)
def test_a_file_that_is_held_without_a_descriptor(tmp_path: Path, script: str) -> None:
    file = image(tmp_path)
    with other(script, file):
        assert users(file) == [("open", "")]
    assert use(file).may_write


def test_a_file_that_a_process_reads_maps_or_runs(tmp_path: Path) -> None:
    file, shared = image(tmp_path), tmp_path / "lib.so"
    with other("file = open(sys.argv[1], 'rb')", file) as process:
        assert users(file) == [("open", str(process))]
        assert not use(file, writes=False).may_write
    shutil.copy(needs("true"), shared)
    shared.write_bytes(shared.read_bytes() + bytes(MIB))
    mapped = (
        "import mmap; file = open(sys.argv[1], 'rb'); span = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)"
    )
    with other(mapped, shared) as process:
        assert users(shared) == [("open", str(process))], "Python's own `mmap` keeps a descriptor"
    sleeps = tmp_path / "sleeps"
    shutil.copy(needs("sleep"), sleeps)
    with subprocess.Popen([sleeps, "100"]) as running:
        try:
            assert users(sleeps) == [("mapped", str(running.pid))]
        finally:
            running.kill()


def test_the_file_below_an_overlay(tmp_path: Path) -> None:
    sure()
    places = {name: tmp_path / name for name in ("lowerdir", "upperdir", "workdir")}
    merged = tmp_path / "merged"
    for folder in (*places.values(), merged):
        folder.mkdir()
    options = ",".join(f"{name}={folder}" for name, folder in places.items())
    allowed("overlay", "mount", "-t", "overlay", "overlay", "-o", options, merged)
    try:
        image(merged, "database")
        with other("file = open(sys.argv[1], 'r+b')", merged / "database"):
            assert users(places["upperdir"] / "database")
    finally:
        run("umount", merged)


@pytest.mark.needs("mkfs.erofs")
def test_an_image_that_is_mounted_without_a_loop_device(tmp_path: Path) -> None:
    sure()
    (tmp_path / "source").mkdir()
    (tmp_path / "place").mkdir()
    (tmp_path / "source" / "file").write_bytes(os.urandom(2 * MIB))
    file = tmp_path / "image"
    run("mkfs.erofs", "--quiet", file, tmp_path / "source")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(str(file).encode(), str(tmp_path / "place").encode(), b"erofs", 1, None) != 0:
        lacks("erofs", os.strerror(ctypes.get_errno()))
    try:
        assert users(file)
    finally:
        run("umount", tmp_path / "place")


def test_a_file_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    file = image(tmp_path)
    monkeypatch.setattr(open_files.fcntl, "fcntl", denied)
    assert users(file) == [("unknown", "")]


def test_processes_that_we_may_not_look_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_files.unseen() == [] or os.geteuid() != 0
    with loop(tmp_path) as (device, _):
        monkeypatch.setattr(open_files, "unseen", lambda: [in_use.Use("unknown", "", "12 of other users")])
        assert users(device) == [("unknown", "")]


def test_a_file_system_without_leases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> int:
        raise OSError(22, "Invalid argument")

    file = image(tmp_path)
    monkeypatch.setattr(open_files.fcntl, "fcntl", unknown)
    assert use(file).may_write
    with other("file = open(sys.argv[1], 'r+b')", file) as process:
        assert users(file) == [("open", str(process))]


# Two runs, and what begins to use a target meanwhile.


def test_two_runs_on_one_target(tmp_path: Path) -> None:
    file = image(tmp_path)
    with held(file):
        assert users(file)
    with held(file, writes=False):
        assert users(file), "what another run reads is not overwritten"
        assert not use(file, writes=False).may_write
    with loop(tmp_path) as (device, below), held(device):
        assert users(device) == [("claimed", "")]
        assert users(below) == [("loop", device)]


def test_what_is_tried_while_a_device_is_held(tmp_path: Path) -> None:
    """No mount, no swap, no second file system, and no other file under its number."""
    with ExitStack() as stack:
        device, _ = stack.enter_context(loop(tmp_path))
        target = stack.enter_context(held(device))
        mine = in_use.identity(target.path.stat())
        other_file = image(tmp_path, "other")
        for name, *argv in (["mkfs.ext4", device], ["mkswap", device], ["losetup", device, other_file]):
            assert subprocess.run([needs(name), *argv], capture_output=True, check=False).returncode != 0
        assert in_use.identity(target.path.stat()) == mine
        assert in_use.below(Path(device).name) == in_use.identity((tmp_path / "disk.img").stat())


# Names.


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("/dev/null", "found a character device"),
        ("/proc/self/mem", "cannot open `/proc/self/mem`"),
        ("/proc/self/fd/987654", "No such file"),
        ("/dev/no\0thing", "null byte"),
        ("", "No such file"),
        ("x" * 5_000, "File name too long"),
    ],
)
def test_odd_names(name: str, said: str) -> None:
    message = refused(name)
    assert said in message
    assert "/proc/" not in message.replace(name or "-", "")


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    assert "empty" in refused(empty)
    sparse = tmp_path / "sparse"
    with sparse.open("wb") as file:
        file.truncate(1 << 42)
    with pytest.raises(NoRoomError) as error:
        use(sparse)
    assert error.value.needed_bytes == 1 << 42
    handle = os.open(image(tmp_path), os.O_RDWR)
    try:
        assert users(f"/proc/self/fd/{handle}")
    finally:
        os.close(handle)
    with over(image(tmp_path), "--read-only") as device:
        assert "is read-only" in refused(device)
        run("mkfs.ext4", "-q", "-F", tmp_path / "image")
    with loop(tmp_path) as (device, _), mounted(device, tmp_path) as place:
        inside = place / "inside"
        inside.write_bytes(bytes(MIB))
        run("mount", "-o", "remount,ro", place)
        assert "is read-only" in refused(inside)
        assert os.strerror(errno.EROFS) in refused(place)


# Relatives.


def disk(folder: Path, name: str, wwid: str = "", **parts: tuple[int, int]) -> Path:
    """A disk as sysfs has it, with partitions by their start and size."""
    place = folder / name
    (place / "device").mkdir(parents=True)
    (place / "dev").write_text("8:0\n")
    (place / "device" / "wwid").write_text(f"{wwid}\n")
    for part, (start, size) in parts.items():
        (place / part).mkdir()
        for key, value in (("partition", 1), ("dev", "8:1"), ("start", start), ("size", size)):
            (place / part / key).write_text(f"{value}\n")
    return place


def test_the_relatives_of_a_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Partitions, the disk around them, those that overlap, and other paths to the disk."""
    monkeypatch.setattr(related_devices, "BLOCK", tmp_path)
    parts = {"1": (0, 100), "2": (100, 100), "3": (150, 100)}
    sda = disk(tmp_path, "sda", "naa.5000", **{f"sda{key}": value for key, value in parts.items()})
    disk(tmp_path, "sdb", "naa.5000", **{f"sdb{key}": value for key, value in parts.items()})
    disk(tmp_path, "sdc", "naa.6000", sdc1=(0, 100))
    disk(tmp_path, "sdd", "t10.USB bridge")
    sde = disk(tmp_path, "sde", "t10.USB bridge")

    def names(folder: Path) -> set[str]:
        return {device.name for device in related_devices.kin(Device(folder.name, "8:0", folder))}

    assert names(sda) == {*(f"sd{of}{part}" for of in "ab" for part in ("", "1", "2", "3"))}
    assert names(sda / "sda1") == {"sda", "sda1", "sdb", "sdb1"}
    assert names(sda / "sda2") == {"sda", "sda2", "sda3", "sdb", "sdb2", "sdb3"}
    assert names(sde) == {"sde"}


@pytest.mark.needs("sfdisk")
def test_a_partition_beside_one_that_is_mounted(tmp_path: Path) -> None:
    file = image(tmp_path)
    subprocess.run(
        [needs("sfdisk"), "--quiet", file],
        input="2048,8192\n12288,8192\n",
        text=True,
        check=True,
        capture_output=True,
    )
    with over(file) as device, _partitioned(device):
        first, second = (_partition(tmp_path, device, number) for number in (1, 2))
        with mounted(str(first), tmp_path) as place:
            with over(device) as whole:
                assert all(("mounted", str(place)) in users(held) for held in (device, first, whole))
            with held(second):
                assert users(second) == [("claimed", "")]
        with held(second):
            assert users(device) == [("claimed", "")]
            assert use(first).may_write


@contextmanager
def _partitioned(device: str) -> Iterator[None]:
    allowed("partitions", "partx", "--add", device)
    try:
        yield
    finally:
        run("partx", "--delete", device)


def _partition(folder: Path, device: str, number: int) -> Path:
    """A node for a partition: a container has none of its own."""
    name = f"{Path(device).name}p{number}"
    major, minor = map(int, Path("/sys/class/block", name, "dev").read_text().split(":"))
    os.mknod(folder / name, 0o600 | 0o060000, os.makedev(major, minor))
    return folder / name
