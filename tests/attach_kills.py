"""Attached disks whose processes are killed at a random moment, and what is left of them.

`tests/examples/attach` makes a few tries, `benches/attach_mount.py` fifty.
"""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from drivecast.attach import kernel
from marked import VARIABLE, alive

# A server with a program on its disk; where it is asked for, it also waits for its own disk, which no server should do.
VICTIM = """
import os, pathlib, sys, threading, time
from drivecast import _core
from drivecast.attach.mount import disk_place
from drivecast.supervisor import supervised

folder, own_use = pathlib.Path(sys.argv[1]), sys.argv[2] == "own"
WRITER = '''
import os, sys
os.chdir(sys.argv[1])
while True:
    with open("data", "wb") as file:
        file.write(bytes(1 << 20))
        os.fsync(file.fileno())
'''

def write(mount):
    while True:
        with open(mount / "own", "wb") as file:
            file.write(bytes(1 << 16))
            os.fsync(file.fileno())

with disk_place(mount=folder / "mount") as place:
    disk = _core.Attached(
        "ssd(logical=1GiB, spare_factor=0.28, pages_per_block=64, gc=greedy)", {}, size=64 << 20, state="fresh",
        fill=0.0, seed=1, speed=1.0, data="memory", memory_max=1 << 30, path=None, cut=False, error=0.0, record=False,
        fuse=place.fuse,
    )
    with place.device() as device:
        disk.start(device.transport_ns)
        if own_use:
            threading.Thread(target=write, args=(device.mount,), daemon=True).start()
        with supervised([sys.executable, "-c", WRITER, str(device.mount)], grace_s=1, group=device.group):
            print("runs", flush=True)
            sys.stdin.read()
        if own_use:
            os._exit(0)
    disk.stop()
"""
END_S = 40.0


@dataclass
class Try:
    """A victim that was killed, and what it left."""

    killed: str
    after_s: float
    ended_s: float = 0.0
    left: list[str] = field(default_factory=list)


def kill_once(folder: Path, seed: int) -> Try:
    """Start a server with a program on its disk, kill one of its processes, and let the server end."""
    dice = random.Random(seed)
    own_use = dice.random() < 0.25
    environment = {**os.environ, VARIABLE: str(folder), "XDG_RUNTIME_DIR": str(folder)}
    victim = subprocess.Popen(
        [sys.executable, "-c", VICTIM, str(folder), "own" if own_use else "program"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    after_s = dice.uniform(0.0, 1.2)
    time.sleep(after_s)
    killed = victim.pid if own_use else dice.choice(sorted(alive(str(folder))) or [victim.pid])
    tried = Try(
        killed="server that waits for its disk" if own_use else _what(killed, victim.pid), after_s=after_s
    )
    with contextlib.suppress(ProcessLookupError):
        os.kill(killed, signal.SIGKILL)
    start_s = time.monotonic()
    disks = set(_disks(folder))  # others attach disks on this machine, too
    time.sleep(0.2)
    assert victim.stdin is not None
    victim.stdin.close()
    while (left := list(_left(folder, disks))) and time.monotonic() < start_s + END_S:
        disks.update(_disks(folder))
        victim.poll()
        time.sleep(0.05)
    victim.wait(END_S)
    tried.ended_s, tried.left = time.monotonic() - start_s, left
    return tried


def _what(process: int, victim: int) -> str:
    if process == victim:
        return "server"
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
        for name in ("drivecast/supervisor.py", "drivecast.attach.mount_helper", "mkfs", "chdir"):
            if any(name in word for word in words):
                return {"chdir": "program"}.get(name, name)
    return "a process that had just started"


def _disks(folder: Path) -> list[str]:
    """The names of a victim's disks, which are those of their control groups."""
    return [name for name in os.listdir(folder) if name.startswith("drivecast-disk-")]  # noqa: PTH208


def _left(folder: Path, disks: set[str]) -> Iterator[str]:
    """Loop devices, mounts, control groups, files and processes of a victim."""
    yield from (f"process {pid}: {_words(pid)}" for pid in alive(str(folder)))
    yield from (f"mount {place}" for place, _, _ in kernel.mounts() if place.startswith(str(folder)))
    for place in Path("/sys/block").glob("loop*/loop/backing_file"):
        with contextlib.suppress(OSError):
            if str(folder) in place.read_text():
                yield f"loop device {place.parts[3]}"
    parent = kernel.group_directory()
    if parent is not None:
        yield from (f"control group {name}" for name in sorted(disks) if (parent / name).exists())
    yield from (f"file {name}" for name in os.listdir(folder))  # noqa: PTH208 (a dead mount is in it)


def _words(process: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes().decode().replace("\0", " ")[:120]
    return ""
