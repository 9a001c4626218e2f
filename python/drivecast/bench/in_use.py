"""What uses a file or block device now. Everything is known by what an open descriptor is of, never by a name.

Model. A block device is its number; a file its file system and inode. Compared with these: swap (`/proc/swaps`), what
loop devices lie on (`LOOP_GET_STATUS64`, which has device and inode also where the name is gone or hidden), files that
other processes have open for writing (`/proc/*/fd`), and files that they have mapped shared and writable
(`/proc/*/maps`, `map_files`), whose descriptors may be closed. Of a loop device that we may not ask the name that the
kernel has is looked up; where that is gone, too, the loop device counts as a user. Left out: processes that we may not
look at.

Source: linux/loop.h, proc(5).
"""

import contextlib
import fcntl
import os
import stat
import struct
from collections.abc import Iterator
from pathlib import Path

LOOP_GET_STATUS64 = 0x4C05
_STATUS = struct.Struct("=5Q4I64s64s32s2Q")
"""`struct loop_info64`: device, inode and device number of what is behind, then what is not needed here."""
_BLOCK = Path("/sys/class/block")
_SWAPS = Path("/proc/swaps")

Identity = tuple[str, int, int]


def identity(found: os.stat_result) -> Identity:
    """What a file or device is, whatever it is called."""
    if stat.S_ISBLK(found.st_mode):
        return "device", found.st_rdev, 0
    return "file", found.st_dev, found.st_ino


def number(device: str) -> Identity:
    """A block device by `major:minor`."""
    major, minor = device.split(":")
    return "device", os.makedev(int(major), int(minor)), 0


def swapped(mine: Identity) -> bool:
    """Whether it is swap."""
    lines = _SWAPS.read_text().splitlines()[1:] if _SWAPS.exists() else []
    for line in lines:
        name = line.split()[0].encode().decode("unicode_escape")
        with contextlib.suppress(OSError):
            if identity(Path(name).stat()) == mine:
                return True
    return False


def under_loops(mine: Identity) -> list[str]:
    """The loop devices that lie on it, or may: a sentence each."""
    found = []
    for folder in sorted(_BLOCK.glob("loop*/loop")):
        name = folder.parent.name
        behind = _behind(name, folder)
        if behind is None:
            found.append(f"`/dev/{name}` lies on what cannot be resolved, which may be this")
        elif behind == mine:
            found.append(f"it lies under `/dev/{name}`")
    return found


def _behind(name: str, folder: Path) -> Identity | None:
    """What a loop device lies on."""
    with contextlib.suppress(OSError):
        handle = os.open(f"/dev/{name}", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if identity(os.fstat(handle)) == number((folder.parent / "dev").read_text()):
                raw = fcntl.ioctl(handle, LOOP_GET_STATUS64, bytes(_STATUS.size))
                device, inode, block = _STATUS.unpack(raw)[:3]
                return ("device", _decoded(block), 0) if block else ("file", _decoded(device), inode)
        finally:
            os.close(handle)
    with contextlib.suppress(OSError):
        return identity(Path((folder / "backing_file").read_text().rstrip("\n")).stat())
    return None


def _decoded(encoded: int) -> int:
    """A device number as the kernel passes it in 64 bits, as `stat` has it."""
    return os.makedev((encoded >> 8) & 0xFFF, (encoded & 0xFF) | ((encoded >> 12) & 0xFFF00))


def written_by(mine: Identity) -> list[str]:
    """The other processes that can write to it: a sentence each."""
    found = []
    for process in sorted(Path("/proc").glob("[0-9]*")):
        if int(process.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            how = _has_open(process, mine) or _has_mapped(process, mine)
            if how:
                name = (process / "comm").read_text().strip()
                found.append(f"`{name}` (process {process.name}) has it {how}")
    return found


def _has_open(process: Path, mine: Identity) -> str:
    with contextlib.suppress(OSError):
        for handle in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                if identity(handle.stat()) == mine and _writes(process / "fdinfo" / handle.name):
                    return "open for writing"
    return ""


def _writes(handle: Path) -> bool:
    """Whether an open file, by its entry in `fdinfo`, may be written through."""
    rows = dict(line.split(":", 1) for line in handle.read_text().splitlines() if ":" in line)
    return int(rows.get("flags", "0"), 8) & os.O_ACCMODE != os.O_RDONLY


def _has_mapped(process: Path, mine: Identity) -> str:
    for span, of in _shared(process):
        seen = of
        with contextlib.suppress(OSError):
            seen = identity((process / "map_files" / span).stat())
        if seen == mine:
            return "mapped for writing"
    return ""


def _shared(process: Path) -> Iterator[tuple[str, Identity]]:
    """The shared and writable mappings of a process: their addresses, and the file by its numbers."""
    with contextlib.suppress(OSError):
        for line in (process / "maps").read_bytes().splitlines():
            if b"w-s " not in line and b"wxs " not in line:
                continue
            words = line.split(maxsplit=5)
            if words[1][1:2] != b"w" or words[4] == b"0":
                continue
            low, high = (int(word, 16) for word in words[0].split(b"-"))
            major, minor = (int(word, 16) for word in words[3].split(b":"))
            yield f"{low:x}-{high:x}", ("file", os.makedev(major, minor), int(words[4]))
