"""An attached disk as a device of this machine, and as a mounted file system.

    application -> file system -> loop device -> file `disk` by FUSE -> the simulated design

The loop device needs root; the FUSE file does not. The loop device does its flushes one at a time in the root control
group of block I/O, and makes all that is asked in that group wait for them, reads too. A program in any other group
(`Device.group`) has its reads served meanwhile; its writes still wait, because the kernel locks a FUSE file over a
flush.

Nothing outlives the process that serves the disk: `disk_place` starts a supervisor before anything is made, whose
command for afterwards takes all down (`mount_helper`). Only what is on the file of this one disk is ever taken down.
"""

import contextlib
import json
import os
import secrets
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from drivecast.attach import guards, kernel, mount_helper
from drivecast.errors import HintedError
from drivecast.supervisor import supervised

FILE = "disk"
"""The name of the file in its directory; `crates/attach/src/fuse/tree.rs` has the same."""

_HELPER = (sys.executable, "-P", "-m", "drivecast.attach.mount_helper")
_SUPERVISOR_CHECK_S = 0.2


@dataclass(frozen=True)
class Device:
    """A disk that this machine has."""

    path: Path
    """Such as `/dev/loop3`."""

    mount: Path | None
    """Where its file system is."""

    group: Path | None
    """The control group in which a program's reads do not wait for flushes; pass it to `supervised`."""

    transport_ns: int
    """What a read of it takes where the disk answers at once: the way there and back."""


@dataclass(frozen=True)
class Place:
    """Where a disk is to appear: exists before the disk, and goes with the process that serves it."""

    fuse: Path
    """An empty directory of ours alone, for the file by FUSE."""

    wanted: Mapping[str, Any]
    supervisor: "subprocess.Popen[bytes]"
    orders: int
    answers: IO[str]
    undo: Sequence[str]
    """The command that takes it down where the supervisor cannot."""

    @contextmanager
    def device(self) -> Iterator[Device]:
        """Make the loop device, once the file is there, and the file system, if one is wanted; take them down after.

        The disk still answers at once meanwhile: so the way to it can be measured, and making the file system is no
        part of what the design is given to do.
        """
        path, transport_ns = self._order("make")
        try:
            yield Device(
                path=Path(path),
                mount=Path(self.wanted["mount"]) if self.wanted["mount"] else None,
                group=Path(self.wanted["group"]) if self.wanted["group"] else None,
                transport_ns=transport_ns,
            )
        finally:
            if not self.lost():
                self._order("unmake")
            else:  # while the disk still answers, so that the file system is written back
                subprocess.run(self.undo, stdin=subprocess.DEVNULL, start_new_session=True, check=False)

    def lost(self) -> bool:
        """Whether the supervisor was killed: the disk is to be given up, for nothing would take it down after us."""
        return self.supervisor.poll() is not None

    def _order(self, verb: str) -> Any:
        with contextlib.suppress(BrokenPipeError):
            os.write(self.orders, json.dumps({verb: self.wanted}).encode() + b"\n")
        while not select.select([self.answers], [], [], _SUPERVISOR_CHECK_S)[0]:
            if self.lost():
                break
        if not (line := self.answers.readline()):
            raise guards.given_up()
        answer = json.loads(line)
        if "error" in answer:
            raise HintedError(f"the disk cannot be a device of this machine: {answer['error']}")
        return answer.get("made")


@contextmanager
def disk_place(
    *,
    mount: Path | None = None,
    fs: str = "ext4",
    account: tuple[int, int] | None = None,
    sector_bytes: int = 512,
    again: bool = False,
) -> Iterator[Place]:
    """Prepare what a disk needs to appear here, and see to it that nothing of it is left, however we end.

    `mount` is an empty directory or one that does not exist; `account` gets the device and the root of the file system.
    With `again` the file system that is on the disk already is mounted.
    """
    made = _check(mount, fs, again=again)
    fuse = _run_directory() / f"drivecast-disk-{secrets.token_hex(8)}"
    parent = kernel.group_directory() if os.geteuid() == 0 else None
    wanted = {
        "file": str(fuse / FILE),
        "sector_bytes": sector_bytes,
        "mount": None if mount is None else str(mount.resolve()),
        "fs": fs,
        "account": account,
        "again": again,
        "group": None if parent is None else str(parent / fuse.name),
    }
    left = {
        "owner": os.getpid(),
        "fuse": str(fuse),
        "mount_made": made,
        **{key: wanted[key] for key in ("file", "mount", "group")},
    }
    undo = [*_HELPER, "undo", json.dumps(left)]
    orders_theirs, orders = os.pipe()
    answers, answers_theirs = os.pipe()
    with contextlib.ExitStack() as closing:
        closing.callback(os.close, orders)
        opened = closing.enter_context(os.fdopen(answers))
        theirs = [orders_theirs, answers_theirs]
        with contextlib.ExitStack() as passed:
            for descriptor in theirs:
                passed.callback(os.close, descriptor)
            process = closing.enter_context(
                supervised(
                    [*_HELPER, *map(str, theirs)],
                    stderr=None,
                    grace_s=5.0,
                    pass_fds=theirs,
                    after=undo,
                )
            )
        fuse.mkdir(mode=0o700)
        if made and mount is not None:
            mount.mkdir(mode=0o755)
        yield Place(fuse, wanted, process, orders, opened, undo)


def _check(mount: Path | None, fs: str, *, again: bool) -> bool:
    """Check that a file system can be mounted; whether its directory is to be made."""
    if mount is None:
        return False
    if fs not in mount_helper.MAKE:
        raise HintedError(f"no file system {fs!r}", f"use {' or '.join(mount_helper.MAKE)}")
    if not again and not mount_helper.available(fs):
        raise HintedError(f"{mount_helper.MAKE[fs][0][0]} is not installed", f"install the programs of {fs}")
    if os.geteuid() != 0:
        raise HintedError(
            "only root can mount a file system on a loop device", "use --nbd, which needs no privileges"
        )
    if not mount.exists():
        return True
    if not mount.is_dir() or any(mount.iterdir()) or mount.is_mount():
        raise HintedError(f"{mount} is not an empty directory", "name one that is empty or does not exist")
    return False


def _run_directory() -> Path:
    """For the directories of disks: in memory where there is such a place, so that none survives a restart."""
    place = os.environ.get("XDG_RUNTIME_DIR") or ("/run" if os.geteuid() == 0 else "")
    return Path(place if place and os.access(place, os.W_OK) else tempfile.gettempdir()).resolve()


__all__ = ["FILE", "Device", "Place", "disk_place"]
