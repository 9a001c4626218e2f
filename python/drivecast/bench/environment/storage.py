"""The storage behind a path: file system, mount, and the block device with its queue, model and firmware.

A device's parents are followed to the disk, and through device-mapper and md to the disks they lie on; of a network or
memory file system only the mount is known.
"""

import os
import stat
from pathlib import Path
from typing import Any

from drivecast.bench.environment.machine import kernel_value
from drivecast.mounts import mounted

_BY_NUMBER = Path("/sys/dev/block")
_QUEUE = (
    "scheduler", "nr_requests", "rotational", "write_cache", "logical_block_size", "physical_block_size",
    "max_sectors_kb", "read_ahead_kb", "nomerges", "wbt_lat_usec", "io_poll", "rq_affinity", "discard_max_bytes",
    "zoned",
)  # fmt: skip
_IDENTITY = {
    "model": ("device/model",),
    "vendor": ("device/vendor",),
    "firmware": ("device/firmware_rev", "device/rev"),
    "serial": ("device/serial", "serial"),
}


def storage(path: Path) -> dict[str, Any]:
    """What lies behind `path` (a file, directory or device): `mount` (null for a device), `device` and `disks`.

    Raises `OSError` where there is no such path.
    """
    found = path.stat()
    mount = None if stat.S_ISBLK(found.st_mode) else _mount(path, found.st_dev)
    folder = device_behind(path)
    return {"mount": mount, "device": folder.name if folder else None, "disks": _disks(folder)}


def device_behind(path: Path) -> Path | None:
    """The sysfs directory of the block device that `path` is, or lies on; none where there is none."""
    found = path.stat()
    if stat.S_ISBLK(found.st_mode):
        return device_folder(found.st_rdev)
    folder = device_folder(found.st_dev)
    if folder is not None:
        return folder
    # Some file systems (btrfs) have a number of their own, and name the device as their source.
    source = Path((_mount(path, found.st_dev) or {}).get("source") or "/")
    try:
        named = source.stat()
    except OSError:
        return None
    return device_folder(named.st_rdev) if stat.S_ISBLK(named.st_mode) else None


def device_folder(number: int) -> Path | None:
    """The sysfs directory of a block device by its number; none where there is none."""
    folder = _BY_NUMBER / f"{os.major(number)}:{os.minor(number)}"
    return folder.resolve() if folder.exists() else None


def disk_of(folder: Path) -> Path:
    """The whole disk of a partition; of a disk, itself."""
    return folder.parent if (folder / "partition").exists() else folder


def _disks(folder: Path | None) -> list[dict[str, Any]]:
    """The disks that a device lies on, each with its identity and queue."""
    if folder is None:
        return []
    disk = disk_of(folder)
    below = sorted((disk / "slaves").glob("*")) if (disk / "slaves").is_dir() else []
    return [_disk(disk), *(row for device in below for row in _disks(device.resolve()))]


def _disk(disk: Path) -> dict[str, Any]:
    sectors = kernel_value(disk / "size")
    identity = {
        name: next(filter(None, (kernel_value(disk / file) for file in files)), None)
        for name, files in _IDENTITY.items()
    }
    return {
        "name": disk.name,
        "bytes": int(sectors) * 512 if sectors else None,
        **identity,
        "driver": _driver(disk),
        "queue": {name: kernel_value(disk / "queue" / name) for name in _QUEUE},
        "temperature_c": temperature_c(disk),
    }


def _driver(disk: Path) -> str | None:
    """The driver of the device or of the nearest above it that has one."""
    device = (disk / "device").resolve() if (disk / "device").exists() else Path()
    drivers = (place / "driver" for place in (device, *device.parents))
    return next((driver.resolve().name for driver in drivers if driver.exists()), None)


def temperature_c(disk: Path) -> float | None:
    """The disk's temperature by the kernel's own sensor (`nvme`, `drivetemp`), which needs no privileges."""
    patterns = ("hwmon*/temp1_input", "hwmon/hwmon*/temp1_input")
    places = [place for pattern in patterns for place in (disk / "device").glob(pattern)]
    millidegrees = next(filter(None, map(kernel_value, places)), None)
    try:
        return int(millidegrees) / 1000 if millidegrees else None
    except ValueError:
        return None


def _mount(path: Path, number: int) -> dict[str, str] | None:
    """The mount that `path` lies in: the last one listed of its device whose point is the longest above it."""
    wanted = f"{os.major(number)}:{os.minor(number)}"
    real = os.path.realpath(path)
    best: dict[str, str] | None = None
    for mount in mounted():
        if mount.number != wanted:
            continue
        inside = os.path.commonpath([real, mount.point]) == mount.point
        if best is None or (inside and len(mount.point) >= len(best["point"])):
            best = {
                "point": mount.point,
                "file_system": mount.file_system,
                "source": mount.source,
                "options": ",".join(mount.options),
            }
    return best
