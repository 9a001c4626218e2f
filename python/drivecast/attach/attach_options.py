"""What is attached: a design, its front end, its data and its state; all is checked before it starts."""

import os
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from drivecast.attach.timetable import Timetable
from drivecast.catalog import Catalog
from drivecast.document.attached import Data, Front
from drivecast.document.design import Shape
from drivecast.errors import HintedError, InputError
from drivecast.files import SOCKET_BYTES_MAX
from drivecast.optional_dependency import ELSEWHERE
from drivecast.quantity import number
from drivecast.stage.design import shape

State = Literal["steady", "fresh"]
BLOCK_BYTES = 4096
FUSE = Path("/dev/fuse")
NAME = "nbd.sock"
FOLDER = "drivecast-attach-"
SPEED_MAX = 1e6


@dataclass(frozen=True)
class AttachOptions:
    """A design, and how it is served."""

    design: str
    catalog: Catalog
    size_bytes: int | None = None
    """What the application sees; none: all that the design holds."""
    nbd: Path | None = None
    """Where the socket is made; none: in a folder of its own."""
    vhost_user: Path | None = None
    """Where the socket of a guest's device is made."""
    mount: Path | None = None
    device: bool = False
    fs: str | None = None
    data: Data = "memory"
    file: Path | None = None
    again: bool = False
    """Whether `file` holds the data of an earlier run, of whose size the disk is."""
    sync: bool = False
    """Whether a flush of the application is one of `file`, too, before it is answered."""
    state: State = "steady"
    fill: float = 1.0
    """Share of the capacity that the flash holds at the start, in [0, 1]."""
    seed: int = 0
    speed: float = 1.0
    trace: Path | None = None
    timetable: Timetable = field(default_factory=Timetable)
    error_rate: float = 0.0
    waits: bool = False
    """Whether it answers at once until `Disk.begin`, for data that are loaded before; of a device or mount."""
    cuts_at_will: bool = False
    """Whether the power may be cut beyond the timetable: what was not flushed is then held apart."""

    @property
    def may_be_cut(self) -> bool:
        """Whether the power may be cut at all."""
        return self.cuts_at_will or self.timetable.cuts

    @property
    def blocks_bytes(self) -> int | None:
        """The size in whole blocks; none: all that the design holds."""
        if self.again and self.file is not None and self.size_bytes is None:
            return self.file.stat().st_size
        return None if self.size_bytes is None else self.size_bytes // BLOCK_BYTES * BLOCK_BYTES

    @property
    def front(self) -> Front:
        """How applications reach it."""
        if self.vhost_user is not None:
            return "vhost-user"
        return "mount" if self.mount is not None else "device" if self.device else "nbd"

    @property
    def is_local(self) -> bool:
        """Whether it is a block device of this machine, which takes FUSE and root."""
        return self.mount is not None or self.device

    def checked(self) -> Shape:
        """What the design is. Raises `InputError` for what cannot be attached, before anything is made."""
        if not sys.platform.startswith("linux"):
            raise HintedError("`attach` works on Linux only", ELSEWHERE)
        self._fronts()
        self._files()
        found = shape(self.design, self.catalog)
        if not 0 < self.speed <= SPEED_MAX:
            raise InputError(f"--speed: expected a factor above 0, found {self.speed:g}")
        self._size(found.usable_bytes)
        self.timetable.within(sum(found.drives.values()) - found.spares, self.design)
        return found

    def _size(self, usable: int) -> None:
        size = self.size_bytes or self.blocks_bytes
        if size is None:
            return
        if size > usable:
            option, hint = (
                ("--file", "a larger design, or more drives")
                if self.size_bytes is None
                else ("--size", "leave it out to attach all of it")
            )
            raise HintedError(
                f"{option}: `{self.design}` holds {number.size(usable)}, and {number.size(size)} are more",
                hint,
            )
        if size < BLOCK_BYTES:
            raise InputError(f"--size: a disk has at least {BLOCK_BYTES} bytes, and {size} are fewer")

    def _fronts(self) -> None:
        chosen = [
            option
            for option, given in (
                ("--nbd", self.nbd is not None),
                ("--vhost-user", self.vhost_user is not None),
                ("--mount", self.mount is not None),
                ("--device", self.device),
            )
            if given
        ]
        if len(chosen) > 1:
            raise HintedError(f"`{chosen[0]}` and `{chosen[1]}` exclude each other", "choose one front end")
        if self.waits and not self.is_local:
            raise InputError("a design that is served by a socket cannot wait for its data to be loaded")
        if self.fs is not None and self.mount is None:
            raise HintedError("`--fs` needs `--mount`", "`--mount DIR` says where the file system appears")
        if self.is_local and not FUSE.exists():
            raise HintedError(
                f"`{chosen[0]}` needs FUSE, and this machine has no `{FUSE}`",
                "`modprobe fuse`, or `--device=/dev/fuse` for a container; NBD (`--nbd`) needs neither",
            )
        if self.is_local and os.geteuid() != 0:
            raise HintedError(
                f"`{chosen[0]}` needs root, to set up a loop device",
                f"leave `{chosen[0]}` out: NBD needs no privileges",
            )

    def _files(self) -> None:
        if self.file is not None and self.data != "file":
            raise HintedError("`--file` needs `--data file`", "only then are data in a file")
        if self.again and self.file is None:
            raise HintedError("`--again` needs `--file`", "`--file PATH` names the data of the earlier run")
        if self.sync and self.file is None:
            raise HintedError(
                "`--sync` needs `--file`", "what is to outlive a crash is in a file: `--file PATH`"
            )
        if self.again and self.file is not None:
            _held(self.file)
        elif self.file is not None:
            _new(self.file, "--file", "it holds data: `--again` attaches them, else name a new file")
        for option, socket in (("--nbd", self.nbd), ("--vhost-user", self.vhost_user)):
            if socket is not None:
                _new(socket, option, "remove it where no server uses it any more")
                _short(socket, "choose a shorter one")
        if self.nbd is None and self.front == "nbd":
            longest = Path(tempfile.gettempdir()) / f"{FOLDER}12345678" / NAME
            _short(longest, "set TMPDIR to a shorter one, or give `--nbd SOCKET`")


def _new(path: Path, option: str, hint: str) -> None:
    if path.is_symlink() or path.exists():
        raise HintedError(f"{option}: `{path}` exists", hint)
    if not path.absolute().parent.is_dir():
        raise InputError(f"{option}: no such directory: `{path.absolute().parent}`")
    if not os.access(path.absolute().parent, os.W_OK):
        raise InputError(f"{option}: permission denied in `{path.absolute().parent}`")


def _held(path: Path) -> None:
    if not path.is_file():
        found = "no regular file" if path.exists() else "no such file"
        raise HintedError(f"--file: {found}: `{path}`", "without `--again` a new one is made")
    if not os.access(path, os.R_OK | os.W_OK):
        raise InputError(f"--file: permission denied: `{path}`")
    if path.stat().st_size % BLOCK_BYTES:
        raise InputError(
            f"--file: expected whole blocks of {BLOCK_BYTES} bytes, found {path.stat().st_size} bytes: `{path}`"
        )


def _short(path: Path, hint: str) -> None:
    length = len(os.fsencode(path.absolute()))
    if length > SOCKET_BYTES_MAX:
        raise HintedError(
            f"the path of a socket has at most {SOCKET_BYTES_MAX} bytes, and `{path}` has {length}", hint
        )
