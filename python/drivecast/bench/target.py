"""What a real run works on: a file made for it, a file that is there, or a block device.

A directory is the safe target: the file made in it has no name (`O_TMPFILE`), so that it is gone with the process,
however that ends. It is written once, in order, with bytes that no drive compresses, before the run. A file or device
that is there is only read, unless its full name is given a second time.
"""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from drivecast import _core
from drivecast.bench.environment import storage
from drivecast.bench.guard import claimed, refuse_file_unless_free, reopened
from drivecast.bench.progress import Progress
from drivecast.errors import HintedError, InputError, NoRoomError

CHUNK = 8 << 20
"""Bytes of a write when a file is laid out."""

STEP = 4097
"""How far apart two chunks begin in the same bytes; odd, so that the first 4,096 chunks (32 GiB) have no like pages."""

KINDS = {stat.S_IFCHR: "a character device", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}

SPARE = 0.05
"""Share of a file system that a target leaves free: nobody else is to run out of space."""


@dataclass(frozen=True)
class Target:
    """A place to run on."""

    path: Path
    """What to open; for a file without a name, its entry among this process's open files."""
    name: str
    """As the user calls it."""
    bytes: int
    may_write: bool
    made: bool
    """Whether it was made for the run."""

    def at_most(self, size: int | None) -> "Target":
        """So much from its start, where it is larger."""
        return self if size is None else replace(self, bytes=min(self.bytes, size))

    def row(self, on: str) -> dict[str, Any]:
        """Return the target's row in a result, with the storage behind `on`, which was opened."""
        return {"name": self.name, "bytes": self.bytes, "made": self.made, **storage(Path(on))}


def refuse_twice(on: Sequence[str], hint: str = "") -> None:
    """Raise `InputError` where a target is named twice."""
    twice = next((name for name in on if on.count(name) > 1), None)
    if twice is not None:
        raise HintedError(f"`--on {twice}` is given twice", hint)


@contextmanager
def opened(
    on: str, *, need_bytes: int, writes: bool, destroy: str | None, update: Progress
) -> Iterator[Target]:
    """The target `on`, of at least `need_bytes`, for as long as the block lasts.

    Raises `InputError` for a target that is missing, too small, or not to be written to.
    """
    with ExitStack() as pinned:
        pin = _pin(on)
        pinned.callback(os.close, pin)
        mode = os.fstat(pin).st_mode
        if stat.S_ISDIR(mode):
            with _made(Path(f"/proc/{os.getpid()}/fd/{pin}"), on, need_bytes, update) as made:
                yield made
            return
        if not stat.S_ISBLK(mode) and not stat.S_ISREG(mode):
            found = KINDS.get(stat.S_IFMT(mode), "something else")
            raise InputError(
                f"cannot use `{on}` as a target: expected a directory, file or block device, found {found}"
            )
        handle = _held(pin, on, destroy, writes=writes)
        try:
            pinned.close()
            held = Path(f"/proc/{os.getpid()}/fd/{handle}")
            size = _bytes(held, on)
            if writes and stat.S_ISREG(mode):
                refuse_file_unless_free(handle, on, destroy)
                _refuse_unallocated(handle, on)
            yield Target(held, on, size, may_write=writes, made=False)
        finally:
            os.close(handle)


def _pin(on: str) -> int:
    """What the name means now, without opening it: what is judged is what is opened, whatever the name means later."""
    try:
        return os.open(on, os.O_PATH | os.O_CLOEXEC)
    except (OSError, ValueError) as error:  # a name with a NUL is a `ValueError`
        reason = getattr(error, "strerror", None) or error
        raise HintedError(
            f"cannot use `{on}` as a target: {reason}", "name a directory, a file or a block device"
        ) from None


def _held(pin: int, on: str, destroy: str | None, *, writes: bool) -> int:
    """A handle of what is pinned; of a device that is written to one that was judged.

    Such a device is claimed: it cannot be mounted or taken into an array meanwhile.
    """
    try:
        if writes and stat.S_ISBLK(os.fstat(pin).st_mode):
            return claimed(pin, on, destroy)
        return reopened(pin)
    except OSError as error:
        raise InputError(f"cannot open `{on}`: {error.strerror}") from None


def _bytes(held: Path, on: str) -> int:
    """The size of what is held, which is called `on`."""
    try:
        size, _sector = _core.target_size(held)
    except InputError as error:
        raise InputError(str(error).replace(str(held), on)) from None
    return size


def _refuse_unallocated(handle: int, on: str) -> None:
    """Raise `InputError` where a file has holes that its file system cannot fill."""
    found = os.fstat(handle)
    holes = found.st_size - 512 * found.st_blocks
    if holes > 0 and holes > (free := free_bytes(Path(f"/proc/{os.getpid()}/fd/{handle}"))):
        raise NoRoomError(
            f"`{on}` is sparse: {holes / 1e9:,.2f} GB of it are not allocated, and {max(0, free) / 1e9:,.2f} GB are "
            "available (a twentieth of the file system is left free)",
            "name a directory instead: a file is laid out in it and removed",
            needed_bytes=holes,
            free_bytes=free,
        )


@contextmanager
def _made(folder: Path, on: str, need_bytes: int, update: Progress) -> Iterator[Target]:
    size = -(-need_bytes // CHUNK) * CHUNK
    free = free_bytes(folder)
    if size > free:
        raise NoRoomError(
            f"`{on}` has too little space: {size / 1e9:,.2f} GB needed, {max(0, free) / 1e9:,.2f} GB available "
            f"(a twentieth of the file system is left free)",
            "give another directory, or a smaller `--size`",
            needed_bytes=size,
            free_bytes=free,
        )
    handle = unnamed(folder, on)
    try:
        _lay_out(handle, size, on, update)
        path = Path(f"/proc/{os.getpid()}/fd/{handle}")
        yield Target(path, f"a file in {on}", size, may_write=True, made=True)
    finally:
        os.close(handle)


def unnamed(folder: Path, called: str) -> int:
    """A new file in `folder` that is gone with its last handle. Raises `InputError` where none can be made."""
    try:
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o600)
    except OSError as error:
        if error.errno not in {errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL}:
            raise InputError(f"cannot make a file in `{called}`: {error.strerror}") from None
    # The file system cannot make files without a name: one with a name, which is taken away at once.
    handle, name = tempfile.mkstemp(dir=folder, prefix=".drivecast.")
    Path(name).unlink()
    return handle


def free_bytes(folder: Path) -> int:
    """What may be used of the file system of `folder`; below zero where it is fuller than that."""
    found = os.statvfs(folder)
    return int(found.f_bavail * found.f_frsize - SPARE * found.f_blocks * found.f_frsize)


def _lay_out(handle: int, size: int, on: str, update: Progress) -> None:
    # Each chunk begins at another odd place of the same bytes, so that no two pages of the file are alike: a file
    # system or drive that stores like pages once would hold next to nothing.
    data = memoryview(os.urandom(CHUNK) * 2)
    try:
        os.posix_fallocate(handle, 0, size)
        for turn, at in enumerate(range(0, size, CHUNK)):
            update(at / size, f"laying out {size / 1e9:,.1f} GB")
            place = turn * STEP % CHUNK
            _write(handle, data[place : place + CHUNK], at)
        os.fsync(handle)
        os.posix_fadvise(handle, 0, size, os.POSIX_FADV_DONTNEED)
    except OSError as error:
        raise InputError(f"cannot write a file of {size / 1e9:,.2f} GB in `{on}`: {error.strerror}") from None


def _write(handle: int, data: memoryview, at: int) -> None:
    """Write all of it: the kernel may take a part."""
    while data:
        taken = os.pwrite(handle, data, at)
        data, at = data[taken:], at + taken
