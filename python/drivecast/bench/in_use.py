"""What a file or block device is, whatever it is called, and what the kernel has put on it: swap, loop devices.

Model. A block device is its number; a file its file system and inode. Compared with these: swap (`/proc/swaps`), and
what loop devices lie on (`LOOP_GET_STATUS64`, which has device and inode also where the name is gone or hidden). Of a
loop device that we may not ask the name that the kernel has is looked up; where that is gone, too, the loop device
counts as a user.

Source: linux/loop.h, proc(5).
"""

import contextlib
import fcntl
import os
import stat
import struct
from collections.abc import Collection
from pathlib import Path
from typing import Literal, NamedTuple

LOOP_GET_STATUS64 = 0x4C05
_STATUS = struct.Struct("=5Q4I64s64s32s2Q")
"""`struct loop_info64`: device, inode and device number of what is behind, then what is not needed here."""
_BLOCK = Path("/sys/class/block")
_SWAPS = Path("/proc/swaps")

Identity = tuple[str, int, int]


class Use(NamedTuple):
    """Why a target may not be written to: someone uses it, or nobody can tell."""

    how: Literal["mounted", "held", "swap", "loop", "claimed", "open", "mapped", "unknown"]
    by: str
    """The mount point, device, devices or process id; empty where it is not known."""
    words: str

    def below(self, what: str) -> "Use":
        """The same of what the target lies on."""
        return self._replace(words=f"{what}: {self.words}")


SWAP = Use("swap", "", "it is swap")


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


def is_loop(name: str) -> bool:
    """Whether the device of this name in sysfs is a loop device that lies on something."""
    return (_BLOCK / name / "loop").exists()


def under_loops(mine: Identity, but: Collection[str] = ()) -> list[Use]:
    """The loop devices that lie on it, or may, apart from those called `but`."""
    found = []
    for folder in sorted(_BLOCK.glob("loop*/loop")):
        name = folder.parent.name
        if name in but:
            continue
        behind = below(name)
        if behind == mine:
            found.append(Use("loop", f"/dev/{name}", f"it lies under `/dev/{name}`"))
        elif behind is None and is_loop(name):  # and not taken down meanwhile
            words = f"`/dev/{name}` lies on what cannot be resolved, which may be this"
            found.append(Use("unknown", f"/dev/{name}", words))
    return found


def below(name: str) -> Identity | None:
    """What a loop device lies on; none where nobody says."""
    folder = _BLOCK / name / "loop"
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
