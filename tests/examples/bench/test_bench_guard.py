"""Data in use that a run on a real target once overwrote: each is tried, and none is lost."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from block_devices import MIB, allowed, held, loop, mounted, over, run, use, users
from drivecast.bench import in_use
from drivecast.errors import InputError

FLIPS, TIMES = 500, 8
"""How often a link changes at least, and how often at least each of its two meanings is met."""
VICTIM = b"precious " * (MIB // 9)


def test_a_device_under_another_loop_device(tmp_path: Path) -> None:
    with loop(tmp_path) as (lower, _file), over(lower) as upper:
        assert users(lower) == [("loop", upper)]
        with mounted(upper, tmp_path):
            assert users(lower) == [("loop", upper)]


def test_a_file_behind_a_loop_device_whose_name_is_gone(tmp_path: Path) -> None:
    with loop(tmp_path) as (device, file):
        link = tmp_path / "another name"
        os.link(file, link)
        file.unlink()
        assert users(link) == [("loop", device)]


def test_a_file_behind_a_loop_device_that_a_mount_hides(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    with loop(place) as (device, file):
        link = tmp_path / "link"
        os.link(file, link)
        allowed("mounts", "mount", "-t", "tmpfs", "none", place)
        try:
            file.write_bytes(b"another file of the same name")
            assert users(link) == [("loop", device)]
        finally:
            run("umount", place)


def test_a_relative_name_is_what_is_there_and_no_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`./loop7` is a device node of another device than `/dev/loop7`."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with (
        loop(tmp_path / "a") as (busy, _),
        loop(tmp_path / "b") as (free, _),
        mounted(busy, tmp_path) as place,
    ):
        name = Path(free).name
        os.mknod(tmp_path / name, 0o600 | 0o060000, Path(busy).stat().st_rdev)
        monkeypatch.chdir(tmp_path)
        assert users(name) == [("mounted", str(place))]
        assert use(free).name == free


MAPS = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)
handle = os.open(sys.argv[1], os.O_RDWR)
place = libc.mmap(None, 4096, 3, 1, handle, 0)
os.close(handle)
print("mapped" if place != ctypes.c_void_p(-1).value else "failed", flush=True)
sys.stdin.readline()
"""
"""Python's own `mmap` keeps a descriptor."""


@contextmanager
def mapping(path: str | Path) -> Iterator[int]:
    """A process that has it mapped, and no descriptor of it."""
    with subprocess.Popen(
        [sys.executable, "-c", MAPS, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"mapped\n"
        try:
            yield other.pid
        finally:
            other.kill()


def test_a_file_that_is_mapped_with_its_descriptor_closed(tmp_path: Path) -> None:
    file = tmp_path / "database"
    file.write_bytes(VICTIM)
    with mapping(file) as process:
        assert users(file) == [("mapped", str(process))]
    assert use(file).may_write


def test_a_device_that_is_mapped_with_its_descriptor_closed(tmp_path: Path) -> None:
    with loop(tmp_path) as (device, _file), mapping(device) as process:
        assert users(device) == [("mapped", str(process))]


OPENS = """
import os, sys, time
handle = os.open(sys.argv[1], os.O_RDWR)
print("opened", flush=True)
time.sleep(float(sys.argv[2]))
os.close(handle)
sys.stdin.readline()
"""


@pytest.mark.parametrize(("seconds", "is_used"), [(0.05, False), (60, True)])
def test_a_device_that_is_open_for_a_moment(tmp_path: Path, seconds: float, *, is_used: bool) -> None:
    """As `losetup` has a free one that another takes before it."""
    command = [sys.executable, "-c", OPENS]
    with (
        loop(tmp_path) as (device, _file),
        subprocess.Popen(
            [*command, device, str(seconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as other,
    ):
        assert other.stdout.readline() == b"opened\n"
        try:
            if is_used:
                assert users(device) == [("open", str(other.pid))]
            else:
                assert use(device).may_write
        finally:
            other.kill()


def test_a_link_that_changes_between_two_files(tmp_path: Path) -> None:
    """What is handed out is never the file in use, whatever the link means at which moment."""
    free, link = tmp_path / "free", tmp_path / "link"
    free.write_bytes(bytes(MIB))
    with loop(tmp_path) as (_device, victim):
        _flipped(link, free, victim)


def test_a_link_that_changes_between_two_devices(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with loop(tmp_path / "a") as (busy, _), loop(tmp_path / "b") as (free, _), mounted(busy, tmp_path):
        _flipped(tmp_path / "link", Path(free), Path(busy))


def _flipped(link: Path, free: Path, victim: Path) -> None:
    mine = in_use.identity(victim.stat())
    link.symlink_to(free)
    other = link.with_name("other")
    stop, flips = threading.Event(), 0

    def flip() -> None:
        nonlocal flips
        while not stop.is_set():
            other.symlink_to((victim, free)[flips % 2])
            other.replace(link)
            flips += 1

    flipping = threading.Thread(target=flip)
    flipping.start()
    went = lost = denied = 0
    try:
        while min(went, denied) < TIMES or flips < FLIPS:
            try:
                with held(link) as it:
                    went += 1
                    lost += in_use.identity(it.path.stat()) == mine
            except InputError:
                denied += 1
    finally:
        stop.set()
        flipping.join()
    assert lost == 0


def lying_on(path: Path) -> list[tuple[str, str]]:
    return [(use.how, use.by) for use in in_use.under_loops(in_use.identity(path.stat()))]


def test_a_loop_device_that_may_not_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object) -> bytes:
        raise PermissionError

    with loop(tmp_path) as (device, file):
        monkeypatch.setattr(in_use.fcntl, "ioctl", denied)
        assert ("loop", device) in lying_on(file), "by the name that the kernel has"
        moved = tmp_path / "moved"
        os.link(file, moved)
        file.unlink()
        assert ("unknown", device) in lying_on(moved)
