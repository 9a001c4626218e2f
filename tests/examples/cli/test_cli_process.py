"""The program as a shell starts it: exit codes, channels, and the same output as in this process."""

import json
from pathlib import Path

import pytest

import smart_reports
from conftest import execute, invoke


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("formats", "--output-format", "json"), 0),
        (("--version",), 0),
        (("simulate", "no-such-drive", "-w", "random(4KiB)"), 2),
        (("no-such-verb",), 2),
    ],
)
def test_a_process_prints_and_ends_like_a_call(arguments: tuple[str, ...], code: int) -> None:
    run = execute(*arguments)
    assert run == invoke(*arguments)
    assert (run.code, bool(run.out), bool(run.err)) == (code, code == 0, code == 2)


def test_an_answer_in_part_ends_with_1(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(smart_reports.nvme()))
    run = execute("health", "read", tmp_path / "a.json", tmp_path / "none.json")
    assert run.code == 1
