"""Whether a block device or file may be overwritten. It may not, unless nothing uses it and its name is given twice.

A target is opened once, and judged by its descriptor: a name may mean something else a moment later. A device is in use
where one of its relatives (`related_devices`) or what it lies on is: mounted, held, claimed, swap, under a loop device,
or open for writing (`device_use`). A regular file is in use where anything has it open or mapped (`open_files`), or it
is swap or under a loop device. A target in use is refused in any case; data in general, and signatures of file systems,
volumes and partition tables (`blkid -p`), are given up by naming the target again.

Left out: a device that another machine uses (a shared disk), and what begins to use a file after it was checked. A
device is claimed (`O_EXCL`) for as long as a run lasts, and looked at again once it is; of a file our own handle is
open before the others are counted, so that of two runs at once at most one goes ahead.
"""

import fcntl
import os
import struct
import subprocess

from drivecast.bench import in_use, open_files
from drivecast.bench.device_use import claimed_by_others, uses
from drivecast.bench.in_use import Use
from drivecast.capture.block_device import Device, find
from drivecast.errors import HintedError, InputError
from drivecast.files import program

_BLKROGET = 0x125E


class InUseError(HintedError):
    """A target that others use, or may: it is not written to whatever was asked."""

    def __init__(self, name: str, uses: list[Use]) -> None:
        super().__init__(
            f"`{name}` is in use and is not written to: {'; '.join(use.words for use in uses)}",
            "a directory as the target is always safe: a file is made in it and removed",
        )
        self.path, self.uses = name, uses


class NotNamedAgainError(HintedError):
    """A target whose data would be lost, and whose name was not given a second time."""


def claimed(handle: int, name: str, named_again: str | None) -> int:
    """A descriptor of the block device that `handle` is of, for us alone.

    Raises `InputError` unless it may be overwritten; `named_again` is what the user gave as its name.
    """
    device = _device_of(handle)
    _refuse_used(uses(device), name)
    try:
        alone = reopened(handle, os.O_EXCL)
    except OSError as error:
        _refuse_used([claimed_by_others(error)], name)
        raise
    try:
        if named_again != name:
            loss = f"everything on `{name}`\n{summary(device, handle)}"
            raise _destroys(loss, name, named_again, "all of it may be lost")
        if struct.unpack("i", fcntl.ioctl(alone, _BLKROGET, bytes(4)))[0]:
            raise _read_only(name)
        _refuse_used(uses(device), name)
    except BaseException:
        os.close(alone)
        raise
    return alone


def refuse_file_unless_free(handle: int, name: str, named_again: str | None) -> None:
    """Raise `InputError` unless the file may be overwritten; `named_again` is its name as the user gave it again.

    `handle` is the only one that this process has of it, and stays open: another run that asks meanwhile sees it.
    """
    found = os.fstat(handle)
    _refuse_used(_file_uses(handle, in_use.identity(found)), name)
    if named_again != name:
        loss = f"what `{name}` holds ({found.st_size / 1e9:,.2f} GB)"
        raise _destroys(loss, name, named_again, "it may be lost")
    if not os.access(_again(handle), os.W_OK):
        raise _read_only(name)


def _file_uses(handle: int, mine: in_use.Identity) -> list[Use]:
    """What uses a regular file now."""
    found = [*in_use.under_loops(mine), *([in_use.SWAP] if in_use.swapped(mine) else [])]
    if found or (found := open_files.used_by([mine], readers=False)):
        return found
    try:
        if not open_files.others(handle):
            return []
    except PermissionError:
        return [Use("unknown", "", "only its owner and root can see whether others have it open")]
    words = "the kernel, this process, or one that we may not look at, has it open"
    return open_files.used_by([mine], readers=True) or [Use("open", "", words)]


def _read_only(name: str) -> InputError:
    return HintedError(f"`{name}` is read-only", "`mount`, `lsattr` and `blockdev --report` show why")


def reopened(handle: int, flags: int = 0) -> int:
    """Another descriptor of what `handle` is of, to be read. Raises `OSError`."""
    return os.open(_again(handle), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags)


def _again(handle: int) -> str:
    return f"/proc/{os.getpid()}/fd/{handle}"


def _device_of(handle: int) -> Device:
    rdev = os.fstat(handle).st_rdev
    return find(f"{os.major(rdev)}:{os.minor(rdev)}")


def _refuse_used(used: list[Use], name: str) -> None:
    if used:
        raise InUseError(name, used)


def _destroys(loss: str, name: str, named_again: str | None, may: str) -> InputError:
    """The error that asks for the name of a target again."""
    found = f"`{named_again}`" if named_again else "no such option"
    return NotNamedAgainError(
        f"writing destroys {loss}\nexpected `--destroy {name}`, found {found}",
        f"give that option if {may}, or name a directory: a file is made in it and removed",
    )


def summary(device: Device, handle: int) -> str:
    """What would be lost: size, model and signatures, in lines."""
    sectors = int((device.folder / "size").read_text())
    model = device.folder / "device" / "model"
    lines = [f"  size       {sectors * 512 / 1e9:,.1f} GB"]
    if model.exists():
        lines.append(f"  model      {model.read_text().strip()}")
    lines += [f"  holds      {signature}" for signature in signatures(_again(handle))]
    return "\n".join(lines)


def signatures(path: str) -> list[str]:
    """File systems, volumes and partition tables that `blkid` sees; one line of why where it cannot be run."""
    try:
        done = subprocess.run(
            [program("blkid") or "blkid", "-p", "-o", "export", path],
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return [f"unknown: `blkid` does not answer ({error})"]
    rows = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    keys = [key for key in ("TYPE", "PTTYPE", "LABEL", "UUID") if key in rows]
    return [", ".join(rows[key] for key in keys)] if keys else ["no signature that `blkid` knows"]
