"""Memory and time do not follow a number in the input: runs of years, in little memory."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from conftest import PROGRAM, Run
from drivecast import _core
from drivecast.errors import InputError

MIB_MAX = 600
"""Of a program that takes about 120 MiB to import what it needs; a row for each second took 3.4 GB at a thousandth of a
request a second, and ended beyond."""
CSV = ("--csv", "time=ts:ns,op=type:R/W,offset=lba:512,size=len:512")


MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.stdout if done.returncode else 0)
"""
"""Linux counts as a process's most memory what its parent had at the fork, and a worker of tests may have more than
a GiB: a small process starts the program instead."""


def _most_mib(arguments: Sequence[str | Path]) -> float:
    """The most memory that a run of the program takes."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", MEASURED, PROGRAM, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout) / 1024


def test_a_request_in_a_week() -> None:
    line = "random(4KiB, read=0.5, rate=0.000001iops)"
    assert _most_mib(["simulate", "ssd(logical=4GiB, spare_factor=0.2)", "-w", line]) < MIB_MAX


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


@pytest.mark.parametrize(
    "line", ["a" * 100_000 + "(", f"random({','.join(['4KiB'] * 20_000)})"], ids=["name", "sizes"]
)
def test_a_line_without_end(line: str) -> None:
    """Every term holds a copy of its line: 20,000 sizes once took 2 GB, and a fault far inside it a panic."""
    with pytest.raises(InputError) as error:
        _core.Workload.line(line)
    assert "16384" in str(error.value)
    assert len(str(error.value)) < 300


def test_giant_requests_are_fewer(drivecast: Callable[..., Run]) -> None:
    """200,000 requests of 1 GiB are 5e10 pages of flash."""
    done = drivecast("simulate", "aws-gp3-1tb", "-w", "random(1GiB, iodepth=4)", "--output-format", "json")
    assert done.json["requests"] * (1 << 30) <= 1.01 * (1 << 41)
