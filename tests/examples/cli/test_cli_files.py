"""Files that are odd, shared, or left over: pipes, devices, two writers, `kill -9`."""

import errno
import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import PROGRAM
from drivecast import files, lock
from drivecast.catalog import disksim
from drivecast.errors import InputError
from drivecast.health.history.database import Database
from small_traces import mixed, write

Program = Callable[..., Any]
TINY = "ssd(logical=1GiB, spare_factor=0.2)"
READERS = {
    "compare": ("compare", "{}", TINY),
    "profile": ("profile", "{}"),
    "simulate": ("simulate", TINY, "-w", "{}"),
    "model show": ("model", "show", "{}"),
    "health meter": ("health", "meter", "--before", "{}", "--after", "{}"),
    "catalog": ("catalog", "list", "--catalog", "{}"),
    "bench show": ("bench", "show", "{}"),
}


def limited(arguments: list[str | Path], seconds: float = 60) -> subprocess.CompletedProcess[str]:
    """The program with 4 GiB of addresses and little time."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    done = subprocess.run(
        [PROGRAM, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
        preexec_fn=limit,
        stdin=subprocess.DEVNULL,
    )
    assert "fault of drivecast" not in done.stderr, done.stderr
    return done


@pytest.mark.parametrize(
    ("kind", "verb"),
    [
        *((kind, verb) for kind in ("endless", "pipe") for verb in READERS),
        *((kind, verb) for kind in ("long name", "bracket") for verb in ("compare", "simulate")),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, kind: str, verb: str) -> None:
    pipe = str(tmp_path / "pipe.toml")
    place = {"endless": "/dev/full", "pipe": pipe, "long name": "x" * 400, "bracket": "(" + "y" * 300}
    os.mkfifo(pipe)
    done = limited([argument.format(place[kind]) for argument in READERS[verb]])
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    if kind == "pipe":
        assert "named pipe" in done.stderr


@pytest.mark.parametrize("verb", ["read", "import"])
def test_a_report_without_end(tmp_path: Path, verb: str) -> None:
    endless = tmp_path / "huge.json"
    with endless.open("wb") as file:
        file.truncate(1 << 40)
    history = ("--history", tmp_path / "h.sqlite3") if verb == "import" else ()
    done = limited(["health", verb, endless, *history])
    assert done.returncode == 2
    assert "512 MiB" in done.stderr


def test_a_pipe_with_a_writer_is_read(tmp_path: Path, drivecast: Program) -> None:
    log, pipe = write(tmp_path, mixed(1_000)), tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen(["/bin/sh", "-c", f"sleep 0.3; cat '{log}' > '{pipe}'"])
    done = drivecast("profile", pipe, "--output-format", "json")
    assert writer.wait() == 0
    assert done.code == 0
    ours, theirs = json.loads(done.out), json.loads(drivecast("profile", log, "--output-format", "json").out)
    assert ours["reads"] == theirs["reads"]


def test_a_document_through_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    text = "{" + " " * 200_000 + "}"
    writer = subprocess.Popen(
        [sys.executable, "-c", f"open({str(tmp_path / 'pipe')!r}, 'w').write('{{' + ' ' * 200_000 + '}}')"]
    )
    assert files.read_text(tmp_path / "pipe") == text
    assert writer.wait() == 0


LONG = ("wear", "ssd(logical=64GiB, spare_factor=0.07)", "-w", "random(4KiB, read=0)")


def _running(out: Path) -> subprocess.Popen[bytes]:
    """A long run that writes `out` and holds it."""
    running = subprocess.Popen([PROGRAM, "simulate", *LONG[1:], "--duration", "100000", "-o", out])
    name = out.with_name(f".{out.name}.lock")
    until = time.monotonic() + 60
    while not name.exists():
        assert time.monotonic() < until
        assert running.poll() is None
        time.sleep(0.02)
    return running


def test_two_runs_with_one_output(tmp_path: Path, drivecast: Program) -> None:
    out = tmp_path / "out.json"
    running = _running(out)
    line = "random(4KiB, read=0.5, rate=100iops)"
    try:
        second = drivecast("simulate", TINY, "-w", line, "--requests", "100", "-o", out)
        assert second.code == 2
        assert f"`{out}`" in second.err
        other = drivecast("simulate", TINY, "-w", line, "--requests", "100", "-o", tmp_path / "other.json")
        assert other.code == 0
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    lock.temporary(out).write_text("half of")
    assert not out.exists()
    again = drivecast("simulate", TINY, "-w", line, "--requests", "100", "-o", out)
    assert again.code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.json", "out.json"]
    assert json.loads(out.read_text())


def test_a_killed_conversion_leaves_nothing_for_long(tmp_path: Path, drivecast: Program) -> None:
    log, out = write(tmp_path, mixed(1_000)), tmp_path / "out.parquet"
    lock.temporary(out).write_bytes(b"half of a table")
    (tmp_path / ".out.parquet.lock").touch()
    assert drivecast("convert", log, "-o", out).code == 0
    assert {path.name for path in tmp_path.iterdir()} == {log.name, out.name}


def test_folders_of_killed_runs_go(tmp_path: Path) -> None:
    """At the next run of the kind; what a person named, and what is about to get its name, stays."""
    others = {"drivecast-other", "drivecast-log-of-march", ".drivecast-log-new_made"}
    for name in (*others, "drivecast-log-killed_1", ".drivecast-log-killed_2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "log").write_text("bytes")
    long_ago = time.time() - 3_600
    for name in ("drivecast-other", "drivecast-log-of-march", ".drivecast-log-killed_2"):
        os.utime(tmp_path / name, (long_ago, long_ago))
    with lock.temporary_folder("drivecast-log-", tmp_path) as used:
        os.utime(used, (long_ago, long_ago))
        script = (
            "from pathlib import Path; from drivecast.lock import temporary_folder\n"
            f"with temporary_folder('drivecast-log-', Path({str(tmp_path)!r})): pass"
        )
        subprocess.run([sys.executable, "-c", script], check=True)
        left = {path.name for path in tmp_path.iterdir()}
        assert left == {used.name, *others}
    assert not used.exists()


def test_a_device_and_a_link_as_output(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    files.write_whole(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "text"
    null = Path("/dev/null").stat()
    files.write_whole(Path("/dev/null"), "text")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert Path("/dev/null").stat().st_ino == null.st_ino
    with pytest.raises(InputError, match="the disk is full"):
        files.write_whole(Path("/dev/full"), "text")
    block = next(iter(Path("/dev").glob("loop[0-9]*")), None)
    if block is not None:
        with pytest.raises(InputError, match="block device"):
            files.write_whole(block, "text")


def test_a_table_into_a_pipe_and_through_a_link(tmp_path: Path, drivecast: Program) -> None:
    """The name of a pipe or a device was taken by a file: for root, that of `/dev/null`."""
    log, pipe, link = write(tmp_path, mixed(100)), tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(tmp_path / "real")
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert drivecast("convert", log, "-o", pipe, "-q").code == 0
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert os.read(end, 4) == b"PAR1"
    os.close(end)
    assert drivecast("convert", log, "-o", link, "-q").code == 0
    assert link.is_symlink()
    assert (tmp_path / "real").read_bytes().startswith(b"PAR1")
    assert {path.name for path in tmp_path.iterdir()} == {log.name, "pipe", "link", "real"}


def test_a_full_output() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [PROGRAM, "formats", "--output-format", "json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "the disk is full" in done.stderr


def test_a_full_disk_is_told_whatever_a_library_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Polars names a fault of its own format."""
    usage = shutil.disk_usage(tmp_path)
    with pytest.raises(ZeroDivisionError), files.full_disk_told(tmp_path):
        raise ZeroDivisionError
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=4096))
    with pytest.raises(OSError) as full, files.full_disk_told(tmp_path):  # noqa: PT011
        raise ZeroDivisionError
    assert full.value.errno == errno.ENOSPC


def test_a_history_into_which_nothing_came_is_not_left(
    tmp_path: Path, drivecast: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_self: Database) -> None:
        raise InputError("the disk is full")

    log, history = tmp_path / "none.json", tmp_path / "h.sqlite3"
    log.write_text("{}")
    monkeypatch.setattr(Database, "_upgrade", full)
    assert drivecast("health", "import", log, "--history", history).code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["none.json"]


@pytest.mark.parametrize(
    ("verb", "most"),
    [
        (("catalog", "list", "--catalog"), files.TOML_BYTES_MAX),
        (("health", "read", "/dev/null", "--rules"), files.TOML_BYTES_MAX),
        (("catalog", "import", "-o", "/dev/null"), disksim.BYTES_MAX),
    ],
)
def test_a_description_has_an_end(
    tmp_path: Path, drivecast: Program, verb: tuple[str, ...], most: int
) -> None:
    """The parsers took minutes for 200 MB."""
    (tmp_path / "a.toml").write_bytes(b"#" * (most + 1))
    done = drivecast(*verb, tmp_path / "a.toml")
    assert done.code == 2
    assert done.err.count(f" {most >> 20} MiB") == 1
