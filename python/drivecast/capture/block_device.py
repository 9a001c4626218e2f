"""A block device by any of its names."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from drivecast.errors import HintedError, InputError

_BY_NUMBER = Path("/sys/dev/block")
_STATISTICS = Path("/proc/diskstats")


@dataclass(frozen=True)
class Device:
    """A disk or partition."""

    name: str
    number: str
    """`major:minor`."""
    folder: Path
    """Its directory in sysfs."""

    @property
    def trace_folder(self) -> Path:
        """Where the kernel's tracer of this device is set."""
        return self.folder / "trace"


def find(text: str) -> Device:
    """Return the device called `sda`, `/dev/sda`, `/dev/disk/by-id/…` or `8:0`.

    Raises `InputError` when there is none, or it is no block device.
    """
    if not _STATISTICS.exists():
        raise InputError("this system has no `/proc/diskstats`: `capture` needs Linux")
    number = text if text.replace(":", "", 1).isdigit() and ":" in text else _number(text)
    folder = _BY_NUMBER / number
    if not folder.exists():
        raise HintedError(f"`{text}` ({number}) is no block device of this system", _hint())
    real = folder.resolve()
    return Device(real.name, number, real)


def _number(text: str) -> str:
    path = Path(text) if "/" in text else Path("/dev") / text
    try:
        found = path.stat()
    except OSError as error:
        raise HintedError(f"cannot find device `{text}`: {error.strerror}", _hint()) from None
    if not stat.S_ISBLK(found.st_mode):
        raise HintedError(
            f"`{text}` is no block device", f"`df {text}` names the device behind a file or directory"
        )
    return f"{os.major(found.st_rdev)}:{os.minor(found.st_rdev)}"


def _hint() -> str:
    """The devices that the kernel counts for, those that did something."""
    rows = [line.split() for line in _STATISTICS.read_text().splitlines()]
    names = [row[2] for row in rows if len(row) > 7 and (row[3] != "0" or row[7] != "0")]
    return f"there are {', '.join(names) or 'none'}"
