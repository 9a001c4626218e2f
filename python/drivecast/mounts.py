"""What is mounted here, by the kernel's own list (`/proc/self/mountinfo`; source: proc_pid_mountinfo(5)).

    36 35 98:0 /root /mnt rw,noatime shared:1 - ext4 /dev/sda1 rw,errors=continue

Represented: the device's number, the point, the file system, its source and the options of both the mount and the file
system. Left out: peers and parents of mounts.
"""

import os
from dataclasses import dataclass
from pathlib import Path

_LIST = Path("/proc/self/mountinfo")


@dataclass(frozen=True)
class Mount:
    """One mount."""

    number: str
    """Of the device, `major:minor`; of a file system without one, a number of its own."""
    point: str
    file_system: str
    source: str
    options: tuple[str, ...]
    """Each once, the mount's own first."""


def mounted() -> list[Mount]:
    """All mounts, the latest last; none where the kernel has no such list."""
    return [_mount(line) for line in _LIST.read_text().splitlines()] if _LIST.exists() else []


def _mount(line: str) -> Mount:
    left, _, right = line.partition(" - ")
    _id, _parent, number, _root, point, own, *_peers = left.split()
    file_system, source, *rest = right.split(" ")
    options = dict.fromkeys([*own.split(","), *",".join(rest).split(",")])
    return Mount(number, _plain(point), file_system, _plain(source), tuple(filter(None, options)))


def _plain(escaped: str) -> str:
    """A path of the list, which has blanks as octal numbers."""
    return os.fsdecode(os.fsencode(escaped).decode("unicode_escape").encode("latin-1"))
