"""Purging: bringing a target as near as it allows to the state of a drive that was never written.

The specification purges with the drive's own commands (ATA security erase or sanitize, SCSI format unit, NVMe format
or sanitize), which erase the whole drive and are never given here. Nearest to them:

- a block device: all of it is discarded (`blkdiscard`), which most drives take as leave to erase;
- a file: its blocks are given back and taken again (`fallocate --punch-hole`, then `posix_fallocate`). Whether the
  drive hears of it is the file system's choice (`discard` among the mount's options);
- where neither works, nothing is done, and the result states it.

With `--purged` (the user has just erased the drive) the first part of a test begins on it as it is.
"""

import os
import stat
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from drivecast.bench.target import Target
from drivecast.errors import HintedError
from drivecast.files import program
from drivecast.supervisor import supervised

Method = Literal["erased", "blkdiscard", "punch-hole", "none", "not repeated"]
OWN_COMMANDS = (
    "the specification erases with the drive's own command (`nvme format`, `hdparm --security-erase`, `sg_format`), "
    "after which `--purged` leaves it as it is"
)
TIMEOUT_S = 3600.0
"""A whole drive is discarded in seconds to minutes."""


@dataclass(frozen=True)
class Purged:
    """What was done to a target before a test."""

    method: Method
    detail: str


Purge = Callable[[Target], Purged]


def erased(then: Purge) -> Purge:
    """For a target that the user has just erased: nothing the first time, `then` from the second on."""
    pending = [Purged("erased", "erased by the user before")]
    return lambda target: pending.pop() if pending else then(target)


def purge(target: Target) -> Purged:
    """Purge a target that may be written, by the nearest way that works.

    Raises `InputError` where a file's blocks were given back and cannot be taken again.
    """
    if not target.may_write:
        return Purged("none", "not purged: the target may only be read")
    reach = ["--offset", "0", "--length", str(target.bytes), str(target.path)]
    if stat.S_ISBLK(target.path.stat().st_mode):
        failure = _failure(["blkdiscard", *reach], target)
        if failure:
            return Purged("none", f"not purged: {failure}")
        return Purged("blkdiscard", f"discarded only: {OWN_COMMANDS}")
    failure = _failure(["fallocate", "--punch-hole", *reach], target)
    if failure:
        return Purged("none", f"not purged: {failure}")
    try:
        with target.path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, target.bytes)
    except OSError as error:
        raise HintedError(
            f"`{target.name}` was emptied and cannot be filled again: {error.strerror}",
            "another process took the room that the file gave back",
        ) from None
    return Purged("punch-hole", "the file's blocks were given back; the drive was not erased")


def _failure(argv: Sequence[str], target: Target) -> str | None:
    """Run a program; why it failed, in one line, or none where it did not."""
    try:
        with supervised([program(argv[0]) or argv[0], *argv[1:]], stderr=subprocess.PIPE) as process:
            _, printed = process.communicate(timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return f"`{argv[0]}` did not end within {TIMEOUT_S:.0f} s"
    if process.returncode == 0:
        return None
    lines = (printed or b"").decode(errors="replace").strip().splitlines()
    return (lines[-1] if lines else f"`{argv[0]}` ended with {process.returncode}").replace(
        str(target.path), target.name
    )
