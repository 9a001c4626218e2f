"""Whether a block device or file may be overwritten. It may not, unless nothing uses it and its name is given twice.

Looked at, for the device, its partitions, and the disk it is a partition of: mounts (`/proc/self/mountinfo`), swap
(`/proc/swaps`), holders (`/sys/class/block/*/holders`: LVM, md, dm-crypt), whether another process has it open for
itself (`O_EXCL`; the kernel, for mounts of other namespaces) or for writing (`/proc/*/fd`, of those processes that we
may look at), and signatures of file systems, volumes and partition tables (`blkid -p`). For a file: whether it is swap,
lies under a loop device, or is open for writing. A target in use is refused in any case; a signature, and
data in general, are given up by naming the target again.

Left out: a device that another machine uses (a shared disk), and what begins to use a file after it was checked; a
device is claimed (`O_EXCL`) for as long as a run lasts.
"""

import contextlib
import os
import stat
import subprocess
from pathlib import Path

from drivecast.capture.block_device import Device
from drivecast.errors import HintedError, InputError

_BLOCK = Path("/sys/class/block")
_MOUNTS = Path("/proc/self/mountinfo")
_SWAPS = Path("/proc/swaps")


def refuse_unless_free(device: Device, path: str, named_again: str | None) -> None:
    """Raise `InputError` unless `device` may be overwritten; `named_again` is what the user gave as its name."""
    _refuse_used(uses(device), path)
    if named_again != path:
        loss = f"everything on `{path}`\n{summary(device, path)}"
        raise _destroys(loss, path, named_again, "all of it may be lost")


def refuse_file_unless_free(path: Path, name: str, named_again: str | None) -> None:
    """Raise `InputError` unless the file may be overwritten; `named_again` is what the user gave as its name."""
    swap = ["it is swap"] if os.path.realpath(path) in _swaps() else []
    _refuse_used([*_under_loops(path), *swap, *_written_by(path)], name)
    if named_again != name:
        loss = f"what `{name}` holds ({path.stat().st_size / 1e9:,.2f} GB)"
        raise _destroys(loss, name, named_again, "it may be lost")


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
    """What uses the device now, one sentence each; empty where nothing does."""
    parts, used = family(device), _swaps()
    found = [*_mounted(parts), *(f"`{part.name}` is swap" for part in parts if f"/dev/{part.name}" in used)]
    for part in parts:
        held = sorted(holder.name for holder in (_BLOCK / part.name / "holders").glob("*"))
        found += [f"`{part.name}` is held by {', '.join(held)}"] if held else []
    if found:
        return found
    try:
        os.close(os.open(f"/dev/{device.name}", os.O_RDONLY | os.O_EXCL))
    except OSError as error:
        return [f"it cannot be opened for us alone: {error.strerror}"]
    return [user for part in parts for user in _written_by(Path(f"/dev/{part.name}"))]


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


def _swaps() -> set[str]:
    """The files and devices that are swap, by their real paths."""
    lines = _SWAPS.read_text().splitlines()[1:] if _SWAPS.exists() else []
    return {os.path.realpath(line.split()[0]) for line in lines}


def _under_loops(path: Path) -> list[str]:
    """The loop devices that lie on a file."""
    found = []
    for loop in sorted(_BLOCK.glob("loop*/loop/backing_file")):
        with contextlib.suppress(OSError):
            if path.samefile(loop.read_text().rstrip("\n")):
                found.append(f"it lies under `/dev/{loop.parts[-3]}`")
    return found


def _written_by(path: Path) -> list[str]:
    """The other processes that have a file or device open for writing, as far as we may know."""
    wanted = path.stat()
    mine = wanted.st_rdev or (wanted.st_dev, wanted.st_ino)
    found = []
    for process in sorted(Path("/proc").glob("[0-9]*")):
        if int(process.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            for handle in (process / "fd").iterdir():
                with contextlib.suppress(OSError):
                    seen = handle.stat()
                    theirs = seen.st_rdev or (seen.st_dev, seen.st_ino)
                    alike = theirs == mine and stat.S_IFMT(seen.st_mode) == stat.S_IFMT(wanted.st_mode)
                    if alike and _writes(process / "fdinfo" / handle.name):
                        name = (process / "comm").read_text().strip()
                        found.append(f"`{name}` (process {process.name}) has it open for writing")
                        break
    return found


def _writes(handle: Path) -> bool:
    """Whether an open file, by its entry in `fdinfo`, may be written through."""
    rows = dict(line.split(":", 1) for line in handle.read_text().splitlines() if ":" in line)
    return int(rows.get("flags", "0"), 8) & os.O_ACCMODE != os.O_RDONLY


def summary(device: Device, path: str) -> str:
    """What would be lost: size, model and signatures, in lines."""
    sectors = int((device.folder / "size").read_text())
    model = device.folder / "device" / "model"
    lines = [f"  size       {sectors * 512 / 1e9:,.1f} GB"]
    if model.exists():
        lines.append(f"  model      {model.read_text().strip()}")
    lines += [f"  holds      {signature}" for signature in signatures(path)]
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
