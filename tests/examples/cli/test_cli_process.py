"""The program as a shell starts it: exit codes, channels, and the same output as in this process."""

from pathlib import Path

import pytest

from conftest import execute, invoke

ANSWERED = ("formats", "--output-format", "json")
WRONG = ("simulate", "no-such-drive", "-w", "random(4KiB)")


@pytest.mark.parametrize("arguments", [ANSWERED, WRONG, ("--version",), ("wear",), ("no-such-verb",)])
def test_a_process_prints_and_ends_like_a_call(arguments: tuple[str, ...]) -> None:
    assert execute(*arguments) == invoke(*arguments)


def test_an_answer_ends_with_0() -> None:
    run = execute(*ANSWERED)
    assert (run.code, run.err) == (0, "")
    assert run.json


def test_wrong_use_ends_with_2_and_prints_nothing_on_standard_output() -> None:
    run = execute(*WRONG)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: ")


def test_no_ends_with_1(recording: Path) -> None:
    run = execute("plan", recording, "--budget", "10", "--p99-read", "1us", "--quiet")
    assert run.code == 1
