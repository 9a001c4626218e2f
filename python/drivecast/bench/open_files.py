"""Who has a file or block device open or mapped now.

Model. Files that other processes have open (`/proc/*/fd`), and those that they have mapped (`/proc/*/maps`,
`map_files`), whose descriptors may be closed. Of a regular file the kernel is asked as well, by a lease: it grants one
that covers writing only where no other open file is of the same inode. That counts what no list of processes shows:
processes of other namespaces, files registered with io_uring or under way in a socket, the kernel's own (exports, an
image mounted without a loop device, the file below an overlay). Left out: on a file system without leases, users that
no list shows.

Source: proc(5), fcntl(2) on leases, `check_conflicting_open` in fs/locks.c.
"""

import contextlib
import errno
import fcntl
import os
import signal
import time
from collections.abc import Collection, Iterator
from pathlib import Path

from drivecast.bench.in_use import Identity, Use, identity

_TRIES = 5
_TRY_S = 0.1
"""What was just closed is counted for a moment longer, and some programs look at every new file or free loop device."""


def others(handle: int) -> bool:
    """Whether there is another open file of the regular file that `handle` is of; no where leases are unknown.

    Raises `PermissionError` where we may not ask: only its owner and root may.
    """
    for _ in range(_TRIES):
        try:
            # A program that opens it meanwhile breaks the lease, and a signal says so: SIGURG does nothing.
            fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        except OSError as error:
            if error.errno == errno.EACCES:
                raise
            if error.errno != errno.EAGAIN:
                return False
            time.sleep(_TRY_S)
            continue
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        return False
    return True


def used_by(mine: Collection[Identity], *, readers: bool) -> list[Use]:
    """The other processes that can write to one of these, or with `readers` have it at all, for more than a moment."""
    found = _users(mine, readers=readers)
    for _ in range(_TRIES):
        if all(use.how == "mapped" for use in found):
            break
        time.sleep(_TRY_S)
        found = _users(mine, readers=readers)
    return found


def _users(mine: Collection[Identity], *, readers: bool) -> list[Use]:
    found = []
    for process in sorted(Path("/proc").glob("[0-9]*")):
        if int(process.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            how = _has_open(process, mine, readers=readers) or _has_mapped(process, mine, readers=readers)
            if how:
                name = (process / "comm").read_text(errors="replace").strip()
                words = f"`{name}` (process {process.name}) has it {how}"
                found.append(Use("mapped" if how.startswith("mapped") else "open", process.name, words))
    return found


def unseen() -> list[Use]:
    """Processes whose open files we may not look at, where there are any."""
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            try:
                os.scandir(process / "fd").close()
            except PermissionError:
                count += 1
    words = f"{count} processes of other users may have it open, which only root can see"
    return [Use("unknown", "", words)] if count else []


def _has_open(process: Path, mine: Collection[Identity], *, readers: bool) -> str:
    with contextlib.suppress(OSError):
        for handle in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                if identity(handle.stat()) in mine:
                    if _writes(process / "fdinfo" / handle.name):
                        return "open for writing"
                    if readers:
                        return "open for reading"
    return ""


def _writes(handle: Path) -> bool:
    """Whether an open file, by its entry in `fdinfo`, may be written through."""
    rows = dict(line.split(":", 1) for line in handle.read_text().splitlines() if ":" in line)
    return int(rows.get("flags", "0"), 8) & os.O_ACCMODE != os.O_RDONLY


def _has_mapped(process: Path, mine: Collection[Identity], *, readers: bool) -> str:
    inodes = {inode for _kind, _device, inode in mine} if readers else set()
    for span, of, writes in _mapped(process, inodes):
        seen = of
        with contextlib.suppress(OSError):
            seen = identity((process / "map_files" / span).stat())
        if seen in mine:
            return "mapped for writing" if writes else "mapped"
    return ""


def _mapped(process: Path, inodes: Collection[int]) -> Iterator[tuple[str, Identity, bool]]:
    """Mappings of a process: address, the file by its numbers, and whether it is shared and writable.

    All that are, and others of these inodes: there are thousands. Some file systems have another device number here.
    """
    with contextlib.suppress(OSError):
        for line in (process / "maps").read_bytes().splitlines():
            words = line.split(maxsplit=5)
            writes = words[1][1:2] == b"w" and words[1][3:4] == b"s"
            inode = int(words[4])
            if inode and (writes or inode in inodes):
                low, high = (int(word, 16) for word in words[0].split(b"-"))
                major, minor = (int(word, 16) for word in words[3].split(b":"))
                yield f"{low:x}-{high:x}", ("file", os.makedev(major, minor), inode), writes
