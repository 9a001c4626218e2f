"""A target that is a design: attached as a disk with a file system, for as long as servers work on it.

Represented: the drives of a design line, in the time of the clock (`drivecast.attach`). The disk answers at once until
the data are loaded; from then on it takes the time of the design, with its flash in the state that was chosen: what
loading wrote has left no trace in it. Left out: the rest of the design. What is attached is as large as the data need,
so a disk's seeks are those within its first part, as they are where a small data set is the only one on it.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from drivecast.attach import mount_helper
from drivecast.attach.attach_options import AttachOptions, State
from drivecast.attach.attached import DEFAULT_FS
from drivecast.catalog import Catalog
from drivecast.errors import HintedError, NoRoomError
from drivecast.quantity import number
from drivecast.stage.simulate import controller_specs, drive_specs

PREFIX = "design:"
SIZE = 2.0
"""Of what is attached, over what the server needs: file systems and servers do not fill their disks; assumed."""
SIZE_MIN = 1.15
"""The least of that: the file system's own, and the twentieth that it leaves free; assumed."""


@dataclass(frozen=True)
class Design:
    """A design line, and how it begins."""

    line: str
    state: State = "steady"
    fill: float = 1.0
    """Share of the capacity that the flash holds at the start, in [0, 1]."""
    speed: float = 1.0
    """Seconds of the design in one of the clock: transactions are counted by the clock."""
    size_bytes: int | None = None
    """What is attached; none: twice what the server needs, at most all of the design."""

    def __str__(self) -> str:
        """As the user names it."""
        return f"{PREFIX}{self.line}"

    def setting(self, catalog: Catalog, need_bytes: int, seed: int, mount: Path) -> AttachOptions:
        """What is attached for a server that needs so much.

        Raises `InputError` for a design that cannot be attached here, or is too small.
        """
        _must_mount(self)
        wanted = AttachOptions(
            self.line,
            catalog,
            size_bytes=self.size_bytes,
            mount=mount,
            state=self.state,
            fill=self.fill,
            speed=self.speed,
            seed=seed,
            waits=True,
        )
        usable = wanted.checked().usable_bytes
        size = self.size_bytes or min(usable, round(SIZE * need_bytes))
        least = round(SIZE_MIN * need_bytes)
        if size < least:
            raise NoRoomError(
                f"`{self}` is too small: about {number.size(least)} needed, and it has {number.size(size)}",
                "a design of larger or of more drives, or a smaller `--size`",
                needed_bytes=least,
                free_bytes=size,
            )
        return AttachOptions(**{**vars(wanted), "size_bytes": size})

    def described(self, catalog: Catalog) -> Mapping[str, Any]:
        """All that decides how it answers, for the hash of a plan."""
        return {
            **vars(self),
            "drives": drive_specs(self.line, catalog),
            "controllers": controller_specs(self.line, catalog),
        }


Target = Path | Design
"""A directory on storage that is there, or a design that is attached."""


def target(given: str | Path | Design) -> Target:
    """What the user named: `design:` and a line, or a directory."""
    if isinstance(given, str):
        return Design(given.removeprefix(PREFIX).strip()) if given.startswith(PREFIX) else Path(given)
    return given


def _must_mount(design: Design) -> None:
    """Raise `InputError` where no file system can be made on an attached disk."""
    if os.geteuid() != 0:
        raise HintedError(
            f"`{design}` needs root: only root mounts a file system on a loop device",
            "run it as root (the server itself runs as another user), or name a directory",
        )
    if not mount_helper.available(DEFAULT_FS):
        raise HintedError(
            f"`{design}` needs `{mount_helper.MAKE[DEFAULT_FS][0][0]}`, which is not installed",
            "Debian: apt-get install e2fsprogs",
        )
