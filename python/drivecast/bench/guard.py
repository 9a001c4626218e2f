"""Whether a block device or file may be overwritten. It may not, unless nothing uses it and its name is given twice.

A target is opened once, and judged by its descriptor: a name may mean something else a moment later. Looked at, for the
device, its partitions, and the disk it is a partition of: mounts (`/proc/self/mountinfo`), holders
(`/sys/class/block/*/holders`: LVM, md, dm-crypt), whether another process has it open for itself (`O_EXCL`; the kernel,
for mounts of other namespaces), what else uses it (`in_use`), and signatures of file systems, volumes and partition
tables (`blkid -p`). A target in use is refused in any case; a signature, and data in general, are given up by naming
the target again.

Left out: a device that another machine uses (a shared disk), and what begins to use a file after it was checked; a
device is claimed (`O_EXCL`) for as long as a run lasts, and looked at again once it is.
"""

import os
import subprocess
from pathlib import Path

from drivecast.bench import in_use
from drivecast.capture.block_device import Device, find
from drivecast.errors import HintedError, InputError

_BLOCK = Path("/sys/class/block")
_MOUNTS = Path("/proc/self/mountinfo")


def claimed(handle: int, name: str, named_again: str | None) -> int:
    """A descriptor of the block device that `handle` is of, for us alone.

    Raises `InputError` unless it may be overwritten; `named_again` is what the user gave as its name.
    """
    device = _device_of(handle)
    _refuse_used(uses(device), name)
    try:
        alone = reopened(handle, os.O_EXCL)
    except OSError as error:
        _refuse_used([f"it cannot be opened for us alone: {error.strerror}"], name)
        raise
    try:
        if named_again != name:
            loss = f"everything on `{name}`\n{summary(device, handle)}"
            raise _destroys(loss, name, named_again, "all of it may be lost")
        _refuse_used(uses(device), name)
    except BaseException:
        os.close(alone)
        raise
    return alone


def refuse_file_unless_free(handle: int, name: str, named_again: str | None) -> None:
    """Raise `InputError` unless the file may be overwritten; `named_again` is its name as the user gave it again."""
    found = os.fstat(handle)
    mine = in_use.identity(found)
    swap = ["it is swap"] if in_use.swapped(mine) else []
    _refuse_used([*in_use.under_loops(mine), *swap] or in_use.written_by(mine), name)
    if named_again != name:
        loss = f"what `{name}` holds ({found.st_size / 1e9:,.2f} GB)"
        raise _destroys(loss, name, named_again, "it may be lost")


def reopened(handle: int, flags: int = 0) -> int:
    """Another descriptor of what `handle` is of, to be read. Raises `OSError`."""
    return os.open(_again(handle), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags)


def _again(handle: int) -> str:
    return f"/proc/{os.getpid()}/fd/{handle}"


def _device_of(handle: int) -> Device:
    rdev = os.fstat(handle).st_rdev
    return find(f"{os.major(rdev)}:{os.minor(rdev)}")


def _refuse_used(used: list[str], name: str) -> None:
    if used:
        raise HintedError(
            f"`{name}` is in use and is not written to: {'; '.join(used)}",
            "a directory as the target is always safe: a file is made in it and removed",
        )


def _destroys(loss: str, name: str, named_again: str | None, may: str) -> InputError:
    """The error that asks for the name of a target again."""
    found = f"`{named_again}`" if named_again else "no such option"
    return HintedError(
        f"writing destroys {loss}\nexpected `--destroy {name}`, found {found}",
        f"give that option if {may}, or name a directory: a file is made in it and removed",
    )


def uses(device: Device) -> list[str]:
    """What uses the device now, one sentence each; empty where nothing does that we know of."""
    parts = family(device)
    found = [
        *_mounted(parts),
        *(f"`{part.name}` is swap" for part in parts if in_use.swapped(in_use.number(part.number))),
    ]
    for part in parts:
        held = sorted(holder.name for holder in (_BLOCK / part.name / "holders").glob("*"))
        found += [f"`{part.name}` is held by {', '.join(held)}"] if held else []
        found += in_use.under_loops(in_use.number(part.number))
    if found:
        return found
    return [user for part in parts for user in in_use.written_by(in_use.number(part.number))]


def family(device: Device) -> list[Device]:
    """The device, its partitions, and the disk that it is a partition of."""
    inner = [_device(child) for child in device.folder.iterdir() if (child / "partition").exists()]
    outer = [_device(device.folder.parent)] if (device.folder / "partition").exists() else []
    return [device, *inner, *outer]


def _device(folder: Path) -> Device:
    return Device(folder.name, (folder / "dev").read_text().strip(), folder)


def _mounted(parts: list[Device]) -> list[str]:
    names = {part.number: part.name for part in parts}
    rows = [line.split() for line in _MOUNTS.read_text().splitlines()]
    # Some file systems (btrfs) have a number of their own, but name the device as their source.
    sources = {f"/dev/{part.name}": part.name for part in parts}
    found = [
        (names.get(row[2]) or sources.get(os.path.realpath(row[row.index("-") + 2])), row) for row in rows
    ]
    return [f"`{name}` is mounted at `{row[4]}`" for name, row in found if name]


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
            ["blkid", "-p", "-o", "export", path], capture_output=True, text=True, check=False, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return [f"unknown: `blkid` does not answer ({error})"]
    rows = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    keys = [key for key in ("TYPE", "PTTYPE", "LABEL", "UUID") if key in rows]
    return [", ".join(rows[key] for key in keys)] if keys else ["no signature that `blkid` knows"]
