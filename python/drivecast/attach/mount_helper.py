"""The process that makes loop device, mount and control group of an attached disk, and unmakes them.

It is a program under `drivecast.supervisor`, apart from the process that serves the disk: a thread of the server that
waits for the disk (to mount it, say) cannot be killed, and would keep the disk from being given up. It takes one order
a line on one descriptor and answers each on another, as JSON:

    {"make": {"file": …, "sector_bytes": 512, "mount": null, "fs": "ext4", "account": null, "group": …}}
    {"unmake": {…}}

The same module is the command for afterwards (`undo`): it finds what is left by the file that the loop device is on,
never by the number of a device.
"""

import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

from drivecast import _core
from drivecast.attach import kernel
from drivecast.files import program
from drivecast.supervisor import dying

_PATIENCE_S = 10.0
"""For users of a file system to end after their disk has; the supervisor of a program has as long."""

MAKE: Mapping[str, tuple[list[str], str]] = {
    # The disk is not discarded first, or its state would not be the one that was chosen; and the kernel is not left to
    # fill the inode tables, or its writes would be among those of the application.
    "ext4": (
        ["mkfs.ext4", "-q", "-F", "-E", "nodiscard,lazy_itable_init=1,lazy_journal_init=1"],
        "noinit_itable",
    ),
    "xfs": (["mkfs.xfs", "-q", "-f", "-K"], ""),
}
"""The command that makes a file system, and the options it is mounted with."""


class MountHelper:
    """What was made, as far as it was."""

    def __init__(self) -> None:
        self.holding: int | None = None

    def make(self, order: Mapping[str, Any]) -> tuple[str, int]:
        """Make the device and what was wanted on it; its path, and nanoseconds that a read of it takes by then."""
        device, self.holding = kernel.make_loop(order["file"], order["sector_bytes"])
        transport_ns = _core.read_ns(device)
        if order["account"]:
            os.chown(device, *order["account"])
        if order["group"]:
            os.mkdir(order["group"], 0o755)  # noqa: PTH102
        if order["mount"]:
            _mount(device, order)
        return device, transport_ns

    def unmake(self, order: Mapping[str, Any]) -> None:
        """Write back what is dirty, and take all down in the reverse order."""
        if order["group"]:
            kernel.end_group(order["group"], patience_s=_PATIENCE_S)
        if order["mount"] and any(place == order["mount"] for place, _, _ in kernel.mounts()):
            kernel.unmount(order["mount"], patience_s=_PATIENCE_S)
        if self.holding is not None:
            with contextlib.suppress(OSError):  # a disk that failed: the application has seen it
                os.fsync(self.holding)
            os.close(self.holding)
            self.holding = None
        if not kernel.detach(order["file"], patience_s=_PATIENCE_S):
            raise OSError(0, "the loop device is still in use", order["file"])


def _mount(device: str, order: Mapping[str, Any]) -> None:
    """Make a file system, or find the one of an earlier run, and mount it."""
    command, options = MAKE[order["fs"]]
    if not order.get("again"):
        made = subprocess.run(
            [program(command[0]) or command[0], *command[1:], device],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode != 0:
            raise OSError(0, made.stderr.strip() or f"{command[0]} failed", device)
    try:
        kernel.mount(device, order["mount"], order["fs"], options)
    except OSError as error:
        if order.get("again") and error.errno == errno.EINVAL:
            raise OSError(0, f"it holds no {order['fs']} file system", "its file") from None
        raise
    if order["account"]:
        os.chown(order["mount"], *order["account"])


def _serve(orders: int, answers: int) -> None:
    helper = MountHelper()
    with os.fdopen(orders) as lines:
        for line in lines:
            ((verb, order),) = json.loads(line).items()
            answer: dict[str, Any] = {}
            try:
                if verb == "make":
                    answer["made"] = helper.make(order)
                else:
                    helper.unmake(order)
            except OSError as error:
                answer["error"] = f"{error.filename}: {error.strerror}"
            os.write(answers, json.dumps(answer).encode() + b"\n")
    signal.pause()  # the server has ended: the supervisor stops us


def undo(left: Mapping[str, Any]) -> None:
    """Take down what is left of an attached disk, whether its server lives or not."""
    file, fuse = left["file"], left["fuse"]
    if dying(left["owner"]):
        kernel.abort(fuse)
    # A server that lives but does not answer is not waited for: an unmount writes back, and cannot be interrupted.
    force = threading.Timer(_PATIENCE_S, kernel.abort, [fuse])
    force.daemon = True
    force.start()
    if left["group"]:
        kernel.end_group(left["group"], patience_s=_PATIENCE_S)
    devices = kernel.loops(file)
    for place, _kind, source in kernel.mounts():
        if source in devices:
            try:
                kernel.unmount(place, patience_s=_PATIENCE_S)
            except OSError:
                kernel.forget(place)
    kernel.detach(file, patience_s=_PATIENCE_S)
    force.cancel()
    _remove(fuse)
    if left["mount_made"]:
        with contextlib.suppress(OSError):
            os.rmdir(left["mount"])  # noqa: PTH106


def _remove(fuse: str) -> None:
    """Unmount the file and remove its directory, until that is gone: `fusermount3` may be at work yet."""
    until = time.monotonic() + _PATIENCE_S
    parent, name = os.path.split(fuse)
    # Its parent is asked: the directory itself answers no more where the server is dead.
    while name in os.listdir(parent) and time.monotonic() < until:  # noqa: PTH208
        if any(place == fuse for place, _, _ in kernel.mounts()):
            kernel.forget(fuse)
        with contextlib.suppress(OSError):
            os.rmdir(fuse)  # noqa: PTH106
            return
        time.sleep(0.02)


def available(fs: str) -> bool:
    """Whether the program that makes this file system is on this machine."""
    return program(MAKE[fs][0][0]) is not None


if __name__ == "__main__":
    if sys.argv[1] == "undo":
        undo(json.loads(sys.argv[2]))
    else:
        _serve(int(sys.argv[1]), int(sys.argv[2]))
