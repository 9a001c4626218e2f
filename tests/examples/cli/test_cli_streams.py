"""What goes to which stream, and how: colour, steps with their times, and rows as JSON Lines."""

import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from conftest import PROGRAM, execute, invoke
from drivecast.cli import colour

WRONG = ("catalog", "show", "no-such-drive")
STEP = re.compile(r" *\d+\.\d{3} s  (?P<what>.*)")


class Terminal:
    """A stream that is a terminal."""

    @staticmethod
    def isatty() -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "on_terminal", "in_pipe"),
    [
        ({}, True, False),
        ({"NO_COLOR": ""}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_colour_is_for_terminals_unless_the_environment_says_otherwise(
    environment: dict[str, str], on_terminal: bool, in_pipe: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with open(os.devnull, "w") as pipe:  # noqa: PTH123
        assert colour.wanted(pipe) is in_pipe
    assert colour.wanted(Terminal()) is on_terminal  # type: ignore[arg-type]


@pytest.mark.parametrize(("environment", "styled"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_shows_errors_and_tables_in_colour_unless_told_not_to(
    environment: dict[str, str], styled: bool
) -> None:
    for arguments in (WRONG, ("catalog", "show", "samsung-pm893-960gb")):
        assert (b"\x1b" in on_a_terminal(arguments, environment)) is styled


def on_a_terminal(arguments: tuple[str, ...], environment: dict[str, str]) -> bytes:
    """What a run prints whose streams are a terminal."""
    ours, its = pty.openpty()
    given = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    with subprocess.Popen(
        [PROGRAM, *arguments], stdout=its, stderr=its, env={**given, "TERM": "xterm", **environment}
    ):
        os.close(its)
        found = b""
        while True:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # the last who had the terminal open is gone
                break
            if not part:
                break
            found += part
    os.close(ours)
    return found


def test_a_pipe_gets_no_escape_codes() -> None:
    done = subprocess.run(
        [PROGRAM, *WRONG], capture_output=True, check=False, env={"PATH": os.environ["PATH"]}
    )
    assert done.stderr.startswith(b"error: ")
    assert b"\x1b" not in done.stderr + done.stdout


def test_verbose_says_what_is_done_with_times_and_prints_the_same(tmp_path: Path) -> None:
    verb = ("wear", "ssd(logical=1GiB, spare_factor=0.2)", "-w", "random(4KiB, read=0)")
    quiet = invoke(*verb, "-q")
    said = invoke(*verb, "-v", "--out", tmp_path / "wear.json")
    assert said.out == quiet.out
    steps = [found["what"] for line in said.err.splitlines() if (found := STEP.fullmatch(line))]
    assert any(re.fullmatch(r"wear ssd\(.*\): \d+\.\d{3} s", what) for what in steps)
    assert any(what.startswith("read the catalog ") for what in steps)
    assert steps[-1] == f"write {tmp_path}/wear.json, {(tmp_path / 'wear.json').stat().st_size} bytes"
    assert not STEP.search(invoke(*verb).err)


def test_verbose_says_which_step_failed_and_no_secrets() -> None:
    run = invoke("profile", "-v", "http://user:hunter2@127.0.0.1:9/trace.csv")
    assert run.code == 2
    assert "fetch http://" in run.err
    assert " after " in run.err
    assert "hunter2" not in run.err


@pytest.mark.parametrize(
    "verb", [("catalog", "list"), ("model", "list"), ("formats",), ("reproduce", "--list")]
)
def test_json_lines_are_the_rows_of_the_csv(verb: tuple[str, ...]) -> None:
    lines = invoke(*verb, "--output-format", "jsonl").out.splitlines()
    rows = invoke(*verb, "--output-format", "csv").out.splitlines()
    names = [list(json.loads(line)) for line in lines]
    assert len(lines) == len(rows) - 1 > 5
    assert all(set(rows[0].split(",")) <= {*given} for given in names)


def test_json_lines_of_one_document_are_one_line() -> None:
    verb = (
        "simulate",
        "ssd(logical=1GiB, spare_factor=0.2)",
        "-w",
        "random(4KiB, iodepth=1)",
        "--requests",
        "100",
    )
    line = execute(*verb, "--output-format", "jsonl").out
    assert line.count("\n") == 1
    assert json.loads(line) == invoke(*verb, "--output-format", "json").json
