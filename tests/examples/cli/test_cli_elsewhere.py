"""The program where Python has no modules for Unix, as on Windows: what needs none runs, the rest says so."""

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import QUIET

WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(("fcntl", "grp", "pty", "pwd", "resource", "termios")))
from drivecast.cli.main import main
main()
"""
NOT_BUILT = "note: the report cannot answer questions itself: "
LOG = "".join(
    f"{128_166_372_000_000_000 + 500_000 * at},host,0,{('Read', 'Write')[at % 2]},{8192 * (at * 7 % 1000)},4096,1000\n"
    for at in range(200)
)


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """A run of the program without those modules."""
    command = [sys.executable, "-c", WITHOUT, *arguments]
    return subprocess.run(
        command, cwd=folder, env={**QUIET, "HOME": str(folder)}, capture_output=True, text=True, check=False
    )


def test_a_log_is_profiled_and_planned_for(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(LOG)
    profiled = run(tmp_path, "profile", "log.csv", "--output-format", "json")
    assert (profiled.returncode, profiled.stderr) == (0, "")
    assert '"requests": 200' in profiled.stdout
    asked = (
        "--peak-window",
        "2",
        "--capacity",
        "1GB",
        "--budget",
        "1300",
        "--what-if",
        "nothing",
        "-o",
        "report.html",
    )
    planned = run(tmp_path, "plan", "log.csv", *asked)
    assert planned.returncode == 0
    assert planned.stderr == "" or planned.stderr.startswith(NOT_BUILT)
    assert planned.stderr.count("\n") <= 1
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    "verb", [("bench", "quick", "."), ("capture", "sda", "--seconds", "1", "-o", "x.parquet")]
)
def test_what_needs_linux_says_so(verb: tuple[str, ...], tmp_path: Path) -> None:
    refused = run(tmp_path, *verb)
    assert refused.returncode == 2
    assert refused.stderr.startswith("error: this works on Linux only\nhint: ")
