"""One try of what an attached disk must survive: written, ended somehow, attached again, compared.

    tried = cut_once(folder, seed, "intel-x25-m-g2-80gb", front="nbd")
    tried.broken           # what was flushed and is not there: must be empty
    tried.lost             # blocks whose last acknowledged write is not there: what a power cut may take

A block may hold any of its writes from the last durable one on: what was flushed (or forced) when its answer came, or
anything asked later. `tests/examples/attach` makes a few tries, `benches/attach_integrity.py` a hundred.
"""

import fcntl
import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import attach_writer
import waiting
from attach_writer import BLOCK, BLOCKS
from drivecast import files
from drivecast.attach import kernel

PROGRAM = Path(sys.executable).parent / "drivecast"
WRITER = str(Path(attach_writer.__file__))
SIZE = "512MB"
CHECKS = {"ext4": ["e2fsck", "-fn"], "xfs": ["xfs_repair", "-n"]}
"""Checks of a file system that change nothing."""


@dataclass
class Tried:
    """What was left of a try."""

    flushes: int = 0
    """Flushes and forced writes that were answered."""
    written: int = 0
    """Writes that were answered."""
    lost: int = 0
    """Blocks whose last write that was answered is not there."""
    bytes_lost: int | None = None
    """As the disk says it."""
    broken: list[str] = field(default_factory=list)
    """What must not be: flushed and not there, torn, or a file system that is not whole."""


@dataclass
class Known:
    """A block: its writes in order, whether zeros, and which of them were answered and are durable."""

    zeros: list[bool] = field(default_factory=lambda: [True])
    answered: int = 0
    durable: int = 0

    def place(self, times: int) -> int | None:
        """The latest write that a content can be of, from the durable one on; none: it is older."""
        if times:
            return times if self.durable <= times < len(self.zeros) else None
        zeros = [at for at in range(self.durable, len(self.zeros)) if self.zeros[at]]
        return zeros[-1] if zeros else None


def known(record: Path, tried: Tried) -> dict[int, Known]:
    """What a record says of each block."""
    blocks: dict[int, Known] = {}
    flushed: dict[int, int] = {}
    said = record.read_text() if record.exists() else ""  # the cut may come before the writer
    for line in said.splitlines(keepends=True):
        kind, *numbers = line.split()
        if not line.endswith("\n") or kind == "p":
            continue
        if kind == "s":
            blocks.setdefault(int(numbers[0]), Known()).zeros.append(numbers[2] == "1")
        elif kind == "f":
            flushed = {block: of.answered for block, of in blocks.items()}
        elif kind == "d":
            tried.flushes += 1
            for block, times in flushed.items():
                blocks[block].durable = max(blocks[block].durable, times)
        else:
            of = blocks[int(numbers[0])]
            of.answered = max(of.answered, int(numbers[1]))
            tried.written += 1
            if kind == "D":
                tried.flushes += 1
                of.durable = max(of.durable, int(numbers[1]))
    return blocks


def compared(record: Path, found: bytes, tried: Tried, *, keeps_answered: bool = False) -> None:
    """Note what is lost and what is broken; `keeps_answered`: what was answered counts as durable."""
    for block, of in sorted(known(record, tried).items()):
        if keeps_answered:
            of.durable = of.answered
        times = attach_writer.times_written(block, found[block * BLOCK : (block + 1) * BLOCK])
        place = of.place(times)
        if times < 0:
            tried.broken.append(f"block {block} is torn")
        elif place is None:
            tried.broken.append(f"block {block}: write {of.durable} was durable, found write {times}")
        elif place < of.answered:
            tried.lost += 1


def verb(design: str, folder: Path, *options: str) -> list[str]:
    """The verb with its data in a file of the folder."""
    data = ("--data", "file", "--file", str(folder / "data"))
    return [str(PROGRAM), "attach", design, "--state", "fresh", *data, "--quiet", *options]


def front_of(folder: Path, front: str) -> tuple[list[str], str]:
    """Options for NBD or a file system, and the target as a shell names it to the writer."""
    if front == "nbd":
        return [], '"$DRIVECAST_NBD"'
    return ["--mount", str(folder / "mount"), "--fs", front], '"$DRIVECAST_MOUNT"'


def written(target: str, folder: Path, seed: int) -> list[str]:
    """The command that writes."""
    return [
        "sh",
        "-c",
        f'exec "$0" "$1" {target} "$2" {seed}',
        sys.executable,
        WRITER,
        str(folder / "record"),
    ]


def cut_once(folder: Path, seed: int, design: str, *, front: str, protected: bool = False) -> Tried:
    """The power is cut at a random moment; where it is `protected`, all that was answered must be there."""
    dice = random.Random(seed)
    options, target = front_of(folder, front)
    at = ("--cut", f"{dice.uniform(0.2, 1.5):.3f}s", "-o", str(folder / "o.json"))
    done = _run([*verb(design, folder, "--size", SIZE, *options, *at), "--", *written(target, folder, seed)])
    tried = Tried()
    if done.returncode != 0:
        tried.broken.append(f"attach: {done.stderr[-500:]}")
        return tried
    (event,) = json.loads((folder / "o.json").read_text())["attached"]["events"]
    tried.bytes_lost = event.get("bytes_lost")
    # On a file system what is answered is in the memory of the machine.
    _again(folder, design, front, tried, keeps_answered=protected and front == "nbd")
    return tried


def kill_once(folder: Path, seed: int, design: str, *, front: str, what: str) -> Tried:
    """`what` is killed at a random moment: the `server` of the disk, or the `application` on it."""
    dice = random.Random(seed)
    options, target = front_of(folder, front)
    command = [*verb(design, folder, "--size", SIZE, *options), "--", *written(target, folder, seed)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    record = folder / "record"
    tried = Tried()
    waiting.until(lambda: process.poll() is not None or _flushed(record), "the first flush")
    time.sleep(dice.uniform(0.0, 1.0))
    if process.poll() is None:
        writer = int(record.read_text().partition("\n")[0].split()[1])
        os.kill(process.pid if what == "server" else writer, signal.SIGKILL)
    said = process.communicate(timeout=waiting.PATIENCE_S)[1]
    expected = -signal.SIGKILL if what == "server" else 128 + signal.SIGKILL
    if process.returncode != expected:
        tried.broken.append(f"attach ended with {process.returncode}: {said[-500:]}")
        return tried
    waiting.until(lambda: not in_use(folder), "it is taken down")
    if what == "application" and front != "nbd":
        _checked(folder, front, tried)
    _again(folder, design, front, tried, keeps_answered=what == "application" or front == "nbd")
    return tried


def _again(folder: Path, design: str, front: str, tried: Tried, *, keeps_answered: bool) -> None:
    """Attach the same file again, read it, and check the file system that was on it."""
    options, target = front_of(folder, front)
    read = ["sh", "-c", f'exec "$0" "$1" --read {target} "$2"', sys.executable, WRITER, str(folder / "found")]
    done = _run([*verb(design, folder, "--again", *options), "--", *read])
    if done.returncode != 0:
        tried.broken.append(f"attached again: {done.stderr[-500:]}")
        return
    compared(folder / "record", (folder / "found").read_bytes(), tried, keeps_answered=keeps_answered)
    if front != "nbd":
        _checked(folder, front, tried)


def _checked(folder: Path, fs: str, tried: Tried) -> None:
    done = _run([files.program(CHECKS[fs][0]) or "", *CHECKS[fs][1:], str(folder / "data")])
    if done.returncode != 0:
        tried.broken.append(f"{CHECKS[fs][0]}: {(done.stdout + done.stderr)[-500:]}")


def _flushed(record: Path) -> bool:
    return record.exists() and "\nd\n" in record.read_text()


def in_use(folder: Path) -> bool:
    """Whether a mount is left, or a process that has the data."""
    if any(place.startswith(str(folder)) for place, _, _ in kernel.mounts()):
        return True
    with (folder / "data").open("rb") as data:
        try:
            fcntl.flock(data, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=180)


__all__ = ["BLOCKS", "Tried", "cut_once", "kill_once"]
