"""The devices that lose their data with a device: partitions, the disk around them, other paths to the same disk.

Of a partition also the others that overlap it (an extended one, a broken table). Two disks are the same where both
report one world-wide name (`wwid`) of a kind that is unique by its standard: a disk with two ports, or a volume of a
storage network, appears once for each path. Source: Linux, Documentation/ABI/stable/sysfs-block.
"""

from collections.abc import Iterator
from pathlib import Path

from drivecast.capture.block_device import Device

BLOCK = Path("/sys/class/block")
_UNIQUE = ("naa.", "eui.", "uuid.")
"""Kinds of names that a maker may give once only; those of others (`t10.`) are alike in cheap USB bridges."""


def kin(device: Device) -> list[Device]:
    """The device and its relatives."""
    disk = device.folder.parent if (device.folder / "partition").exists() else device.folder
    disks = [disk, *_other_paths(disk)]
    if disk == device.folder:
        return [_device(folder) for of in disks for folder in (of, *_partitions(of))]
    place = _place(device.folder)
    near = [part for of in disks for part in _partitions(of) if _overlap(_place(part), place)]
    return [_device(folder) for folder in (*near, *disks)]


def _device(folder: Path) -> Device:
    return Device(folder.name, (folder / "dev").read_text().strip(), folder)


def _partitions(disk: Path) -> Iterator[Path]:
    return (child for child in sorted(disk.iterdir()) if (child / "partition").exists())


def _place(part: Path) -> range:
    """The sectors of a partition."""
    start, size = (int((part / name).read_text()) for name in ("start", "size"))
    return range(start, start + size)


def _overlap(some: range, others: range) -> bool:
    return some.start < others.stop and others.start < some.stop


def _other_paths(disk: Path) -> list[Path]:
    name = _wwid(disk)
    if not name.startswith(_UNIQUE):
        return []
    folders = (entry.resolve() for entry in sorted(BLOCK.iterdir()) if not (entry / "partition").exists())
    return [folder for folder in folders if folder != disk and _wwid(folder) == name]


def _wwid(disk: Path) -> str:
    for place in ("wwid", "device/wwid"):
        try:
            return (disk / place).read_text().strip()
        except OSError:
            continue
    return ""
