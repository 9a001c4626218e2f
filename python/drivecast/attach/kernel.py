"""Loop devices, mounts and control groups of the kernel, by its own calls.

The kernel's calls and not `losetup` and `mount`: a call of a process that is killed has either been made or not by the
time the process has ended, while a program that it started would still be at work.

Everything is found by the file a loop device is on: the name of that file is of one attached disk alone.
"""

import contextlib
import ctypes
import errno
import fcntl
import os
import signal
import struct
import subprocess
import time
from pathlib import Path

from drivecast.mounts import mounted

_LOOP_CONFIGURE = 0x4C0A
_LOOP_CLR_FD = 0x4C01
_LOOP_CTL_GET_FREE = 0x4C82
_AUTOCLEAR = 4
_DIRECT_IO = 16
# struct loop_config: descriptor, block size; struct loop_info64: five u64, four u32 (the last are the flags), names of
# 64 + 64 bytes, a key of 32, two u64; eight u64 reserved.
_CONFIG = struct.Struct("=II 5Q 3I I 64s 64s 32s 2Q 8Q")

_MS_NOSUID, _MS_NODEV = 2, 4
_MNT_FORCE, _MNT_DETACH = 1, 2
_TICK_S = 0.02
IO_CONTROLLER = "io"
"""The controller of block I/O, as version 2 of control groups names it."""

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


def make_loop(file: str, sector_bytes: int) -> tuple[str, int]:
    """Put a loop device on a file; its path, and a descriptor with the last of which the device goes away.

    Its I/O passes the page cache of the file, so that it has the depth and the sizes that were asked.
    """
    control = os.open("/dev/loop-control", os.O_RDWR | os.O_CLOEXEC)
    backing = os.open(file, os.O_RDWR | os.O_CLOEXEC)
    try:
        while True:
            number = fcntl.ioctl(control, _LOOP_CTL_GET_FREE)
            device = f"/dev/loop{number}"
            descriptor = os.open(device, os.O_RDWR | os.O_CLOEXEC)
            name = os.fsencode(file)[:63]
            config = _CONFIG.pack(
                backing, sector_bytes, *[0] * 8, _AUTOCLEAR | _DIRECT_IO, name, b"", b"", *[0] * 10
            )
            try:
                fcntl.ioctl(descriptor, _LOOP_CONFIGURE, config)
            except OSError as error:
                os.close(descriptor)
                if error.errno != errno.EBUSY:  # another process has taken the number meanwhile
                    raise
            else:
                return device, descriptor
    finally:
        os.close(control)
        os.close(backing)


def loops(file: str) -> list[str]:
    """The loop devices on a file."""
    found = []
    for place in Path("/sys/block").glob("loop*/loop/backing_file"):
        with contextlib.suppress(OSError):  # detached meanwhile
            if place.read_text().rstrip("\n").removesuffix(" (deleted)") == file:
                found.append(f"/dev/{place.parts[3]}")
    return found


def mounts() -> list[tuple[str, str, str]]:
    """Mount point, type and source of each mount, the latest first."""
    return [(mount.point, mount.file_system, mount.source) for mount in reversed(mounted())]


def mount(device: str, directory: str, fs: str, options: str) -> None:
    """Mount the file system on a device."""
    _check(
        _libc.mount(
            device.encode(), os.fsencode(directory), fs.encode(), _MS_NOSUID | _MS_NODEV, options.encode()
        ),
        directory,
    )


def write_back(directory: str) -> None:
    """Have the file system of a directory write back what is dirty, and wait for it."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _check(_libc.syncfs(handle), directory)
    finally:
        os.close(handle)


def unmount(directory: str, *, patience_s: float) -> None:
    """Unmount a file system; wait for processes that still use it to end."""
    until = time.monotonic() + patience_s
    while True:
        if _libc.umount2(os.fsencode(directory), 0) == 0:
            return
        if ctypes.get_errno() != errno.EBUSY or time.monotonic() > until:
            _check(-1, directory)
        time.sleep(_TICK_S)


def forget(directory: str) -> None:
    """Take a mount out of the tree at once; the file system goes with its last user."""
    if _libc.umount2(os.fsencode(directory), _MNT_DETACH) != 0:
        with contextlib.suppress(FileNotFoundError):
            subprocess.run(
                ["fusermount3", "-u", "-q", "-z", "--", directory],
                stdin=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )


def abort(fuse: str) -> None:
    """End the connection of a FUSE mount: what waits for an answer fails."""
    _libc.umount2(os.fsencode(fuse), _MNT_FORCE)  # busy, as a rule; the connection is ended all the same


def detach(file: str, *, patience_s: float) -> bool:
    """Take the loop devices off a file; whether none is left."""
    until = time.monotonic() + patience_s
    while left := loops(file):
        for device in left:
            with contextlib.suppress(OSError), open(device, "rb", buffering=0) as opened:  # noqa: PTH123
                if device in loops(file):
                    fcntl.ioctl(opened, _LOOP_CLR_FD)
        if time.monotonic() > until:
            return False
        time.sleep(_TICK_S)
    return True


def group_directory() -> Path | None:
    """The directory of a control group for block I/O in which we may make others.

    Ours, or in version 2 the nearest above it that hands the controller on: a group that does so holds no processes.
    """
    for place, kind, _source in mounts():
        within: list[Path] = []
        if kind == "cgroup" and "blkio" in Path(place).name.split(","):
            within = [Path(place + _own_group("blkio"))]
        elif kind == "cgroup2":
            ours = Path(place + _own_group(""))
            within = [
                above
                for above in (ours, *ours.parents)
                if above.is_relative_to(place) and IO_CONTROLLER in _words(above / "cgroup.subtree_control")
            ]
        for directory in within:
            if os.access(directory, os.W_OK):
                return directory
    return None


def _own_group(controller: str) -> str:
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _number, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            return path.rstrip("/")
    return ""


def _words(path: Path) -> list[str]:
    with contextlib.suppress(OSError):
        return path.read_text().split()
    return []


def end_group(directory: str, *, patience_s: float) -> None:
    """Kill what is in a control group, and remove it."""
    until = time.monotonic() + patience_s
    while os.path.isdir(directory) and time.monotonic() < until:  # noqa: PTH112
        for process in _words(Path(directory, "cgroup.procs")):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.rmdir(directory)  # noqa: PTH106
            return
        time.sleep(_TICK_S)
