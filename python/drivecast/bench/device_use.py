"""What uses a block device now.

Looked at, for the device and its kin: mounts (`/proc/self/mountinfo`), holders (`/sys/class/block/*/holders`: LVM, md,
dm-crypt), swap, loop devices on it, and processes that have it open or mapped for writing. A loop device writes to what
it lies on, which is judged alike: a device, which must not be claimed by others either (mounts of other namespaces), or
a file. What cannot be looked up counts as used. Left out: device-mapper and md below the target, which claim what they
lie on.
"""

import contextlib
import os
from collections.abc import Collection, Sequence
from pathlib import Path

from drivecast.bench import in_use, open_files
from drivecast.bench.in_use import Use
from drivecast.bench.related_devices import BLOCK, kin
from drivecast.capture.block_device import Device, find
from drivecast.mounts import mounted


def uses(device: Device, above: Collection[str] = ()) -> list[Use]:
    """What uses the device; empty where nothing does that we know of.

    `above` are the loop devices through which the target lies on it.
    """
    parts = kin(device)
    numbers = [in_use.number(part.number) for part in parts]
    found = [
        *_mounted(parts),
        *(
            Use("swap", "", f"`{part.name}` is swap")
            for part, mine in zip(parts, numbers, strict=True)
            if in_use.swapped(mine)
        ),
    ]
    for part, mine in zip(parts, numbers, strict=True):
        held = ", ".join(sorted(holder.name for holder in (BLOCK / part.name / "holders").glob("*")))
        found += [Use("held", held, f"`{part.name}` is held by {held}")] if held else []
        found += in_use.under_loops(mine, above)
    for part in parts:
        if in_use.is_loop(part.name):
            found += _below(part.name, {*above, part.name})
    return found or open_files.used_by(numbers, readers=False) or open_files.unseen()


def _below(loop: str, above: Collection[str]) -> list[Use]:
    """What uses that which a loop device lies on."""
    behind = in_use.below(loop)
    if behind is None:
        return [Use("unknown", f"/dev/{loop}", f"`{loop}` lies on what cannot be resolved")]
    kind, number, _ = behind
    if kind == "file":
        swap = [in_use.SWAP] if in_use.swapped(behind) else []
        found = [*in_use.under_loops(behind, above), *swap]
        found = found or open_files.used_by([behind], readers=True) or open_files.unseen()
        return [use.below(f"`{loop}` lies on a file") for use in found]
    lower = find(f"{os.major(number)}:{os.minor(number)}")
    found = uses(lower, above) or _claimed(lower, behind)
    return [use.below(f"`{loop}` lies on `{lower.name}`") for use in found]


def _claimed(device: Device, mine: in_use.Identity) -> list[Use]:
    """Why a device that the target lies on cannot be opened for us alone."""
    rows = (device.folder / "uevent").read_text().splitlines()
    name = next((row.partition("=")[2] for row in rows if row.startswith("DEVNAME=")), device.name)
    try:
        handle = os.open(Path("/dev", name), os.O_RDONLY | os.O_EXCL | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return [claimed_by_others(error)]
    with contextlib.closing(os.fdopen(handle, "rb", buffering=0)) as opened:
        same = in_use.identity(os.fstat(opened.fileno())) == mine
    return [] if same else [Use("unknown", "", "it has no entry in `/dev`, and cannot be looked at")]


def claimed_by_others(error: OSError) -> Use:
    """Why it could not be opened with `O_EXCL`."""
    return Use("claimed", "", f"it cannot be opened for us alone: {error.strerror}")


def _mounted(parts: Sequence[Device]) -> list[Use]:
    names = {part.number: part.name for part in parts}
    # Some file systems (btrfs) have a number of their own, but name the device as their source.
    sources = {f"/dev/{part.name}": part.name for part in parts}
    found = [
        (names.get(mount.number) or sources.get(os.path.realpath(mount.source)), mount.point)
        for mount in mounted()
    ]
    return [Use("mounted", point, f"`{name}` is mounted at `{point}`") for name, point in found if name]
