"""Control groups of version 2: where the group of a disk is made, and that its supervisor is none of its processes.

The kernel's own, mounted for the test. Where version 1 has the controller of block I/O, another one is in its place.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from needs import lacks, needs

TESTED = f"drivecast-test-{os.getpid()}"
"""The hierarchy is the machine's: others may test in it, too."""

SCRIPT = """
import os, pathlib, sys, time
from drivecast import supervisor
from drivecast.attach import kernel

top, ours, kernel.IO_CONTROLLER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
kernel.mounts = lambda: [(str(top), "cgroup2", "none")]
pathlib.Path(ours, "cgroup.procs").write_text(str(os.getpid()))
parent = kernel.group_directory()
print(parent)
group = parent / "drivecast-disk-test"
group.mkdir()
with supervisor.supervised(["sleep", "300"], group=group) as process:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        inside = (group / "cgroup.procs").read_text().split()
        if inside and str(process.pid) not in inside:
            break
        time.sleep(0.02)
    print(len(inside), str(process.pid) in inside, (ours / "cgroup.procs").read_text().count("\\n"))
kernel.end_group(str(group), patience_s=5)
"""


@pytest.fixture
def hierarchy(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A mount of it, and a controller that it has."""
    needs("cgroup2", "mount", "umount")
    top = tmp_path / "groups"
    top.mkdir()
    subprocess.run(["mount", "-t", "cgroup2", "none", top], check=True)
    handed = (top / "cgroup.subtree_control").read_text().split()
    had = (top / "cgroup.controllers").read_text().split()
    controller = "io" if "io" in had else next(iter(had), "")
    try:
        if not controller:
            lacks("controllers")
        (top / "cgroup.subtree_control").write_text(f"+{controller}")
        yield top, controller
    finally:
        for name in ("user/session", "user", ""):
            if (top / TESTED / name).exists():
                (top / TESTED / name).rmdir()
        if controller and controller not in handed:
            with suppress(OSError):  # others have come to use it
                (top / "cgroup.subtree_control").write_text(f"-{controller}")
        subprocess.run(["umount", top], check=True)


def test_the_group_of_a_disk_is_beside_our_session(hierarchy: tuple[Path, str]) -> None:
    """As under systemd: we are in a group that hands nothing on, below one that may.

    One test and not two: the hierarchy is the machine's.
    """
    top, controller = hierarchy
    above = top / TESTED
    ours = above / "user/session"
    ours.mkdir(parents=True)
    for expected in (above, above / "user"):
        (expected / "cgroup.subtree_control").write_text(f"+{controller}")
        must_be_in(expected, top, ours, controller)


def must_be_in(expected: Path, top: Path, ours: Path, controller: str) -> None:
    """The program of a process in `ours` has its group there."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, top, ours, controller], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    place, counts = done.stdout.splitlines()
    assert Path(place) == expected
    assert counts == "1 False 2", "the program alone; we and its supervisor are where we were"
