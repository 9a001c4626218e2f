"""`attach` refuses what cannot be attached before anything is made, with a message and exit code 2."""

import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]
DRIVE = "samsung-pm893-480gb"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("nosuch",), "no drive is called `nosuch`"),
        (("raid10(3 * samsung-pm893-480gb)",), "raid10"),
        ((DRIVE, "--size", "2TB"), f"--size: `{DRIVE}` holds 480 GB, and 2 TB are more"),
        ((DRIVE, "--size", "100"), "--size: a disk has at least 4096 bytes"),
        ((DRIVE, "--nbd", "x" * 120), "the path of a socket has at most 107 bytes"),
        ((DRIVE, "--nbd", "/nowhere/nbd.sock"), "--nbd: no such directory: `/nowhere`"),
        ((DRIVE, "--nbd", "a.sock", "--device"), "`--nbd` and `--device` exclude each other"),
        (
            (DRIVE, "--nbd", "a.sock", "--vhost-user", "b.sock"),
            "`--nbd` and `--vhost-user` exclude each other",
        ),
        ((DRIVE, "--fs", "xfs"), "`--fs` needs `--mount`"),
        ((DRIVE, "--file", "data"), "`--file` needs `--data file`"),
        ((DRIVE, "--again"), "`--again` needs `--file`"),
        ((DRIVE, "--data", "file", "--sync"), "`--sync` needs `--file`"),
        ((DRIVE, "--data", "file", "--file", "nosuch", "--again"), "--file: no such file: `nosuch`"),
        ((DRIVE, "--data", "file", "--file", "/dev", "--again"), "--file: no regular file: `/dev`"),
        ((DRIVE, "--fail", "1@60s"), f"--fail: `{DRIVE}` has no member 1"),
        ((DRIVE, "--rebuild", "fast@1s"), "--rebuild: "),
        ((DRIVE, "--cut", "soon"), "--cut: "),
        ((DRIVE, "--trace", "/nowhere/a.parquet"), "no such directory: `/nowhere`"),
        ((DRIVE, "-o", "/nowhere/a.json"), "no such directory: `/nowhere`"),
    ],
)
def test_what_cannot_be_attached(
    drivecast: Program, tmp_path: Path, arguments: tuple[str, ...], why: str
) -> None:
    done = drivecast("attach", *arguments, "--", "true", cwd=tmp_path)
    assert done.code == 2
    assert why in done.err
    assert not [*tmp_path.iterdir()]


def test_a_socket_or_a_file_that_is_there_is_left_alone(drivecast: Program, tmp_path: Path) -> None:
    (used := tmp_path / "used").write_text("mine")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "old.sock"))
    for arguments in (("--nbd", tmp_path / "old.sock"), ("--data", "file", "--file", used)):
        done = drivecast("attach", DRIVE, *arguments, "--", "true")
        assert done.code == 2
        assert f"`{arguments[-1]}` exists" in done.err
    assert used.read_text() == "mine"
    assert (tmp_path / "old.sock").is_socket()


def test_data_that_do_not_fit_are_not_attached_again(drivecast: Program, tmp_path: Path) -> None:
    again = ("--data", "file", "--file", tmp_path / "data", "--again", "--state", "fresh", "--", "true")
    for size, line, found in ((1000, DRIVE, "1000"), (64 << 30, "ssd(logical=64MiB)", "68.7 GB")):
        with (tmp_path / "data").open("wb") as file:
            file.truncate(size)
        done = drivecast("attach", line, *again)
        assert done.code == 2
        assert "--file: " in done.err
        assert found in done.err
    with (tmp_path / "data").open("wb") as file:
        file.truncate(8 << 20)
    done = drivecast("attach", "ssd(logical=64MiB)", "--size", "16MiB", *again)
    assert done.code == 2
    assert "8388608" in done.err


def test_a_folder_for_temporary_files_whose_name_is_too_long(
    drivecast: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (long := tmp_path / ("x" * 100)).mkdir()
    monkeypatch.setenv("TMPDIR", str(long))
    monkeypatch.setattr("tempfile.tempdir", None)
    done = drivecast("attach", DRIVE, "--", "true")
    assert done.code == 2
    assert "TMPDIR" in done.err


def test_elsewhere_than_on_linux(drivecast: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    done = drivecast("attach", DRIVE, "--", "true")
    assert done.code == 2
    assert "Linux" in done.err


def test_a_mount_without_fuse(drivecast: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivecast.attach.attach_options.FUSE", tmp_path / "no-fuse")
    done = drivecast("attach", DRIVE, "--mount", tmp_path, "--", "true")
    assert done.code == 2
    assert "FUSE" in done.err
    assert "`--nbd`" in done.err
