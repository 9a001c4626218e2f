"""A run in two parts runs each case that passed once, and does not even read the files of which all passed."""

import os
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

WHOLE = """
def test_first(): pass
def test_second(): pass
"""
PARTLY = """
import pytest
def test_first(): pass
def test_second(): pytest.skip("not here")
"""


def part(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "passed", "-p", "no:cacheprovider", "-q", *arguments, "."],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "tests")},  # and nothing of a worker
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.splitlines()[-1].partition(" in ")[0]


def test_what_passed_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_whole.py").write_text(WHOLE)
    (tmp_path / "test_partly.py").write_text(PARTLY)
    assert part(tmp_path, "--write-passed=passed") == "3 passed, 1 skipped"
    (tmp_path / "test_whole.py").write_text("raise OSError")
    assert part(tmp_path, "--leave-out=passed") == "1 skipped, 1 deselected"
