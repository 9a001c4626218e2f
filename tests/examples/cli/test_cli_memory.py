"""Memory and time do not follow a number in the input: runs of years, in little memory."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from conftest import PROGRAM

MIB_MAX = 600
"""Of a program that takes about 120 MiB to import what it needs; a row for each second took 3.4 GB at a thousandth of a
request a second, and ended beyond."""
CSV = ("--csv", "time=ts:ns,op=type:R/W,offset=lba:512,size=len:512")


def _most_mib(arguments: Sequence[str | Path]) -> float:
    """The most memory that a run of the program takes."""
    with subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        said = process.stdout.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, said
    return used.ru_maxrss / 1024


@pytest.mark.parametrize("rate", ["0.001", "0.000001"])
def test_a_request_in_a_week(rate: str) -> None:
    line = f"random(4KiB, read=0.5, rate={rate}iops)"
    assert _most_mib(["simulate", "samsung-pm893-960gb", "-w", line]) < MIB_MAX


@pytest.mark.parametrize(
    "verb",
    [
        ("simulate", "samsung-pm893-960gb", "-w"),
        ("simulate", "seagate-exos-15e900-900gb", "-w"),
        ("wear", "samsung-pm893-960gb", "-w"),
        ("profile",),
    ],
    ids=" ".join,
)
def test_a_time_stamp_of_thirty_years(tmp_path: Path, verb: tuple[str, ...]) -> None:
    log = tmp_path / "log.csv"
    log.write_text("ts,type,lba,len\n0,R,0,8\n1000000000000000000,W,8,8\n")
    assert _most_mib([*verb, log, *CSV]) < MIB_MAX
