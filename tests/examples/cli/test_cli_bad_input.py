"""What cannot be used is refused: exit code 2, where it is wrong, what was expected, and nothing half-written."""

import lzma
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from drive_file import alone
from needs import needs
from small_traces import GIB, READ, Io, blktrace, mixed, record, write

TINY = "ssd(logical=1GiB, spare_factor=0.2)"
Program = Callable[..., Any]
VERBS = ("convert", "profile", "plan", "simulate", "wear")


def run(drivecast: Program, verb: str, path: Path) -> Any:
    """A verb on a log, with an output where it takes one; a refusal leaves the directory as it was."""
    before = sorted(path.parent.iterdir())
    options = {
        "convert": (path, "-o", path.parent / "out.parquet"),
        "profile": (path, "-o", path.parent / "out.html"),
        "plan": (path, "-o", path.parent / "out.html"),
        "simulate": (TINY, "-w", path, "-o", path.parent / "out.json"),
        "wear": (TINY, "-w", path),
    }
    done = drivecast(verb, *options[verb])
    if done.code == 2:
        assert sorted(path.parent.iterdir()) == before
        assert done.out == ""
    return done


@pytest.mark.parametrize("verb", VERBS)
def test_a_log_that_is_not_there(drivecast: Program, tmp_path: Path, verb: str) -> None:
    done = run(drivecast, verb, tmp_path / "log.bin")
    assert done.code == 2
    assert "log.bin" in done.err
    assert "no such file" in done.err


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", ["is empty", "hint:"]),
        (b"hello world\n" * 20, ["in no known format", "hello world", "hint: this is text"]),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), ["in no known format", "89 50 4e 47"]),
        (random.Random(1).randbytes(5000), ["in no known format", "first bytes"]),
        (blktrace(mixed())[:20], ["byte 0", "expected a whole blktrace record of 48 bytes, found 20 bytes"]),
        (
            blktrace(mixed())[:480] + record(11, 10**8, 3, 700, READ | 7),
            ["byte 480", "multiple of 512", "found 700 bytes", "hint:"],
        ),
        (
            record(1, 10**12, 0, 4096, READ | 7) + record(2, 5, 0, 4096, READ | 7),
            ["byte 48", "expected a time near or after 1000000000000 ns, found 5 ns", "hint:"],
        ),
        (
            b"".join(b"12816637200%07d,usr,0,Read,%d,4096,1331\n" % (i, 4096 * i) for i in range(30))
            + b"x,usr,0,Read,0,4096,1\n",
            ["line 31", "x,usr,0,Read,0,4096,1", "hint:"],
        ),
    ],
    ids=["empty", "text", "png", "random", "header", "size", "backwards", "csv-line"],
)
def test_a_log_that_cannot_be_used(
    drivecast: Program, tmp_path: Path, content: bytes, expected: list[str]
) -> None:
    path = tmp_path / "log.bin"
    path.write_bytes(content)
    done = run(drivecast, "profile", path)
    assert done.code == 2
    for text in ["log.bin", *expected]:
        assert text in done.err


def test_a_directory_without_traces(drivecast: Program, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("x")
    done = run(drivecast, "profile", folder)
    assert done.code == 2
    assert "per-CPU" in done.err


@pytest.mark.parametrize("cut", [1000, -7])
def test_a_record_cut_off_at_the_end_is_noted(drivecast: Program, tmp_path: Path, cut: int) -> None:
    content = blktrace(mixed())[:cut]
    (tmp_path / "cut").write_bytes(content)
    done = run(drivecast, "convert", tmp_path / "cut")
    assert done.code == 0
    assert f"byte {len(content) // 48 * 48}" in done.err


def test_a_compressed_file_cut_off_is_noted(drivecast: Program, tmp_path: Path) -> None:
    (tmp_path / "cut.xz").write_bytes(lzma.compress(blktrace(mixed()))[:-500])
    done = run(drivecast, "profile", tmp_path / "cut.xz")
    assert done.code == 0
    assert drivecast("profile", tmp_path / "cut.xz", "--strict").code == 2


@pytest.mark.parametrize("verb", ["simulate", "wear"])
def test_offsets_beyond_the_drive_name_record_and_design(
    drivecast: Program, tmp_path: Path, verb: str
) -> None:
    done = run(drivecast, verb, write(tmp_path, [Io(0, 1 << 17, 4096, 4096), Io(9, 1 << 17, 2 * GIB, 4096)]))
    assert done.code == 2
    for text in ("record 1", f"byte {2 * GIB + 4096}", TINY, "1 GiB", "hint:"):
        assert text in done.err


@pytest.mark.parametrize(("verb", "code"), [("convert", 0), ("profile", 0), ("plan", 2), ("simulate", 2)])
def test_requests_without_size_are_no_requests(
    drivecast: Program, tmp_path: Path, verb: str, code: int
) -> None:
    assert run(drivecast, verb, write(tmp_path, [Io(0, READ, 0, 0)])).code == code


@pytest.mark.parametrize(
    ("design", "expected"),
    [
        ("raid5(2 * samsung-pm893-480gb)", ["at least 3 members, found 2", "^"]),
        ("raid0(2 * samsung-pm893-480gb, chunk=3000)", ["chunk", "power of two", "^"]),
        ("samsung-pm893-480gb(partition=2.0)", ["partition", "`2.0`", "^"]),
        ("ssd(logical=1GiB, spare_facto=0.2)", ["unknown option", "did you mean `spare_factor`", "^"]),
        ("samsung-pm893-48gb", ["no drive is called", "hint: `samsung-pm893-480gb`"]),
        ("ssd(", ["^"]),
    ],
)
def test_a_design_that_cannot_be(drivecast: Program, design: str, expected: list[str]) -> None:
    done = drivecast("simulate", design, "-w", "random(4KiB)")
    assert done.code == 2
    for text in expected:
        assert text in done.err


def test_a_workload_of_depth_zero(drivecast: Program) -> None:
    done = drivecast("simulate", TINY, "-w", "random(4KiB, iodepth=0)")
    assert done.code == 2
    assert "\n    random(4KiB, iodepth=0)\n" + " " * 25 + "^" in done.err


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--capacity", "3XB"),
        ("--capacity", "-5GB"),
        ("--years", "-1"),
        ("--years", "nan"),
        ("--growth", "abc"),
        ("--budget", "-3"),
        ("--power", "nan"),
        ("--p99-read", "5"),
        ("--drive-losses", "7"),
        ("--headroom", "0"),
        ("--hours-per-day", "25"),
    ],
)
def test_a_requirement_that_cannot_be(drivecast: Program, tmp_path: Path, option: str, value: str) -> None:
    done = drivecast("plan", write(tmp_path, mixed()), option, value)
    assert done.code == 2
    assert f"{option}: expected" in done.err
    assert value in done.err


@pytest.mark.parametrize("verb", ["convert", "profile", "plan"])
def test_an_output_that_cannot_be_written(drivecast: Program, tmp_path: Path, verb: str) -> None:
    done = drivecast(verb, write(tmp_path, mixed()), "-o", tmp_path / "none" / "out.html")
    assert done.code == 2
    assert "cannot write" in done.err
    assert not (tmp_path / "none").exists()


def test_a_catalog_file_with_an_unknown_key(drivecast: Program, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(alone("samsung-pm893-480gb").replace("user_gb", "user_bg"))
    done = drivecast("catalog", "check", "--catalog", tmp_path / "mine.toml")
    assert done.code == 2
    assert re.search(r"mine\.toml:\d+: `capacity`", done.err)
    assert "`user_gb`" in done.err


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 16 KiB."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(place)]
    needs("mounts", "mount", "umount")
    subprocess.run(mount, check=True)
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize(("verb", "count"), [("convert", 20_000), ("profile", 400)])
def test_a_full_disk(drivecast: Program, tmp_path: Path, small_disk: Path, verb: str, count: int) -> None:
    done = drivecast(verb, write(tmp_path, mixed(count)), "-o", small_disk / "out")
    assert done.code == 2
    assert "out" in done.err
    assert "space" in done.err.lower()
    assert list(small_disk.iterdir()) == []


@pytest.mark.parametrize("verb", ["convert", "wear"])
def test_control_c_leaves_nothing(tmp_path: Path, recording: Path, verb: str) -> None:
    options = {
        "convert": (recording, "-o", tmp_path / "out.parquet"),
        "wear": ("ssd(logical=64GiB, spare_factor=0.07)", "-w", "random(4KiB, read=0)"),
    }
    # The interrupt is sent from within, once the core is at work: no race with the start of the interpreter.
    script = (
        "import sys, threading, os, signal, time\n"
        "from drivecast import _core\n"
        "from drivecast.cli.main import main\n"
        "def later():\n"
        "    time.sleep(0.2); os.kill(os.getpid(), signal.SIGINT)\n"
        f"work = _core.{verb}\n"
        "def begin(*a, **k):\n"
        "    threading.Thread(target=later, daemon=True).start()\n"
        "    return work(*a, **k)\n"
        f"_core.{verb} = begin\n"
        "main()\n"
    )
    command = [sys.executable, "-c", script, verb, *(str(argument) for argument in options[verb])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2, signal.strsignal(max(0, -done.returncode)) or done.stderr
    assert "interrupted" in done.stderr
    assert list(tmp_path.iterdir()) == []
