"""Recordings at the edge: one request, reads only, nothing at all, and more cells than a figure usually has."""

from collections.abc import Callable
from pathlib import Path

from conftest import Run
from small_traces import mixed, write

SMALL = ("--capacity", "10GB", "--budget", "1300")


def test_a_plan_for_one_request(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    run = drivecast("plan", write(tmp_path, mixed(1)), *SMALL, "--output-format", "json")
    assert run.code == 0, run.err
    assert run.json["workload"]["profile"]["requests"] == 1


def test_reads_wear_nothing(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    run = drivecast("plan", write(tmp_path, mixed(200, read=1.0)), *SMALL, "--output-format", "json")
    assert run.code == 0, run.err
    winner = run.json["designs"][0]
    assert winner["life_years"] is None
    assert winner["write_p99_ns"] is None
    assert winner["read_p99_ns"]["value"] > 0


def test_nothing_to_plan_for(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    run = drivecast("plan", write(tmp_path, []), *SMALL)
    assert run.code == 2
