"""How large the file of a quick look is, chosen for the disk at hand, with the reasons.

The file is written before it is read, so a slow disk gets a small one: what it writes within `LAYOUT_S`, by a short
probe. It is never more than half of what may be used of the file system.
"""

import errno
import mmap
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from drivecast.bench.environment import storage
from drivecast.bench.target import CHUNK, free_bytes, unnamed
from drivecast.errors import HintedError, InputError, NoRoomError
from drivecast.quantity import number

LAYOUT_S = 30.0
"""Of five minutes, for writing the file."""
BYTES_MAX = 4 << 30
"""More adds nothing in such a short time."""
BYTES_MIN = 64 << 20
"""The runs need some places to go to."""
BYTES_CACHED = 1 << 30
"""Assumed: what caches in drives hold at most (about 1 GB of memory for each TB of flash is its map, not data)."""
PROBE_BYTES = 128 << 20
PROBE_S = 3.0
MEMORY = {"tmpfs", "ramfs", "devtmpfs"}


@dataclass(frozen=True)
class Choice:
    """What was chosen, and why, in words."""

    size_bytes: int
    reasons: tuple[str, ...]


def chosen(folder: Path, within_s: float) -> Choice:
    """The size of the file.

    Raises `InputError` for a place that is no disk, is full, or cannot do without the page cache.
    """
    _refuse_memory(folder)
    free = free_bytes(folder)
    if free // 2 < BYTES_MIN:
        raise NoRoomError(
            f"`{folder}` has too little space: {number.size(BYTES_MIN * 2)} needed, {number.size(max(0, free))} free "
            "(a twentieth of the file system is left free)",
            "give another directory",
            needed_bytes=BYTES_MIN * 2,
            free_bytes=free,
        )
    rate = probe(folder)
    layout_s = LAYOUT_S * within_s / 300
    limits = {
        "more adds nothing in so short a time": BYTES_MAX,
        f"what is written in {layout_s:.0f} s at {number.throughput(rate)}": int(rate * layout_s),
        "half of what may be used of the file system": free // 2,
    }
    why = min(limits, key=lambda reason: limits[reason])
    size = max(BYTES_MIN, limits[why]) // CHUNK * CHUNK
    reasons = [f"a file of {number.size(size)}: {why}"]
    if size < BYTES_CACHED:
        reasons.append("a file this small may fit a cache of the disk or the host; reads may look too fast")
    return Choice(size, tuple(reasons))


def probe(folder: Path) -> float:
    """Bytes a second that are written in order, past the page cache.

    Raises `InputError` where the file system cannot do without the page cache.
    """
    data = mmap.mmap(-1, 4 << 20)  # its own pages, aligned as O_DIRECT wants
    data.write(os.urandom(len(data)))
    with os.fdopen(unnamed(folder, str(folder)), "rb") as file, _past_the_cache("open a file", folder):
        handle = os.open(f"/proc/self/fd/{file.fileno()}", os.O_RDWR | os.O_DIRECT)
    try:
        with _past_the_cache("write", folder):
            begun, written = time.monotonic(), 0
            while written < PROBE_BYTES and time.monotonic() - begun < PROBE_S:
                written += os.pwrite(handle, data, written)
            os.fsync(handle)
            return written / max(1e-6, time.monotonic() - begun)
    finally:
        os.close(handle)


@contextmanager
def _past_the_cache(what: str, folder: Path) -> Iterator[None]:
    """Raise `InputError` where the block fails, which is to do `what` in `folder` past the page cache."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise InputError(f"cannot {what} in `{folder}`: {error.strerror}") from None
        raise HintedError(
            f"the file system of `{folder}` ({_file_system(folder)}) cannot read and write past the page cache "
            "(O_DIRECT): memory would be measured, not the disk",
            "give a directory on ext4, xfs or btrfs",
        ) from None


def _refuse_memory(folder: Path) -> None:
    try:
        if not folder.is_dir():
            raise HintedError(
                f"`{folder}` is no directory", "`bench quick` makes a file in a directory and removes it"
            )
        system = _file_system(folder)
    except OSError as error:
        raise InputError(f"cannot use `{folder}`: {error.strerror}") from None
    if system in MEMORY:
        raise HintedError(f"`{folder}` is memory ({system}), not a disk", "give a directory on the disk")


def _file_system(folder: Path) -> str:
    return str((storage(folder)["mount"] or {}).get("file_system", "unknown"))
