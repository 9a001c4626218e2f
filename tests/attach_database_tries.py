"""One try of a database on an attached disk: committing, ended somehow, attached again, recovered, checked.

    prepared(image, "mariadb", design)                       # once
    tried = database_once(folder, seed, design, "mariadb", image, how="cut")

`lazily` is the trial of the trial: commits are answered before they are flushed, so a power cut must lose some.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import attach_databases
import attach_tries
import waiting
from drivecast import files
from drivecast.api.attach import attach
from drivecast.supervisor import supervised

DATABASES = str(Path(attach_databases.__file__))
SIZE = "1GB"
COMMITS_MIN = 100
SECONDS_MAX = 2.0


@dataclass
class Committed:
    """What a database was found to hold."""

    commits: int = 0
    """That were answered."""
    missing: int = 0
    """Of these, those that are not there."""
    broken: list[str] = field(default_factory=list)
    """What its check, or that of the file system, found."""


def prepared(image: Path, server: str, design: str) -> None:
    """A file system with the data of an idle server in a file."""
    folder = image.parent
    command = [
        *_verb(design, folder, image, "--size", SIZE),
        "--",
        *_run("create", server, "$DRIVECAST_MOUNT"),
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=_environment(folder))
    assert done.returncode == 0, done.stderr


def database_once(
    folder: Path, seed: int, design: str, server: str, image: Path, *, how: str, lazily: bool = False
) -> Committed:
    """`how`: the power is `cut`, or the `server` of the disk is killed."""
    data, record = folder / "data", folder / "record"
    subprocess.run(["cp", "--sparse=always", image, data], check=True)
    record.touch()
    after_s = random.Random(seed).uniform(0.0, SECONDS_MAX)
    write = _run("write", server, "$DRIVECAST_MOUNT", str(record), *(["lazily"] if lazily else []))
    if how == "cut":
        _cut(folder, design, data, record, write, after_s)
    else:
        _killed(folder, design, data, record, write, after_s)
    check = _run("check", server, "$DRIVECAST_MOUNT", str(record))
    command = [*_verb(design, folder, data, "--again"), "--", *check]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=_environment(folder), timeout=300
    )
    found = Committed()
    if done.returncode != 0:
        found.broken.append((done.stdout + done.stderr)[-800:])
        return found
    *found.broken, last = done.stdout.splitlines()
    found.missing, found.commits = int(last.split()[1]), int(last.split()[3])
    if (
        checked := subprocess.run(
            [files.program("e2fsck") or "", "-fn", data], check=False, capture_output=True, text=True
        )
    ).returncode:
        found.broken.append(checked.stdout[-500:])
    return found


def _cut(folder: Path, design: str, data: Path, record: Path, write: list[str], after_s: float) -> None:
    with (
        _temporary(folder),
        attach(
            design, mount=folder / "mount", data="file", file=data, again=True, state="fresh", cut=True
        ) as disk,
        supervised(write, env=disk.environment() | _environment(folder), group=disk.group) as process,
    ):
        _committing(record, process, after_s)
        assert disk.cut().refused is None
        process.wait(waiting.PATIENCE_S)


def _killed(folder: Path, design: str, data: Path, record: Path, write: list[str], after_s: float) -> None:
    with subprocess.Popen(
        [*_verb(design, folder, data, "--again"), "--", *write],
        env=_environment(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        _committing(record, process, after_s)
        process.kill()
    waiting.until(lambda: not attach_tries.in_use(folder), "it is taken down")


def _committing(record: Path, process: "subprocess.Popen[bytes]", after_s: float) -> None:
    waiting.until(
        lambda: process.poll() is not None or record.read_bytes().count(b"\n") >= COMMITS_MIN, "it commits"
    )
    assert process.poll() is None, "the database ended"
    time.sleep(after_s)


def _verb(design: str, folder: Path, data: Path, *options: str) -> list[str]:
    mount = ("--mount", str(folder / "mount"), "--data", "file", "--file", str(data), "--state", "fresh")
    return [str(attach_tries.PROGRAM), "attach", design, *mount, "--quiet", *options]


def _run(*arguments: str) -> list[str]:
    """The program, with a variable that the verb sets."""
    words = " ".join(f'"{word}"' for word in (sys.executable, DATABASES, *arguments))
    return ["sh", "-c", f"exec {words}"]


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(folder), "NO_COLOR": "1"}


@contextmanager
def _temporary(folder: Path) -> Iterator[None]:
    """What is attached from this process has its files in the folder, too."""
    import tempfile  # noqa: PLC0415

    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


__all__ = ["Committed", "database_once", "prepared"]
