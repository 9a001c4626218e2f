"""`drivecast versus` from end to end: its figures are those of `simulate`, and what contradicts itself is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bundled import CATALOG
from compared import DISKS, FLASH
from drivecast.stage import rebuild
from drivecast.stage.design import parse
from small_traces import mixed, write

Program = Callable[..., Any]
LINE = "random(4KiB, read=0.7, iodepth=4, span=0.05)"
"""On a part of the drives, which a run ages in a fraction of the time."""
OPTIONS = ("--speedup", "1,8", "--no-trim")
JSON = ("--output-format", "json")


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2,000 random requests."""
    return write(tmp_path_factory.mktemp("trace"), mixed(2000))


@pytest.fixture(scope="module")
def run(drivecast: Program, trace: Path) -> Any:
    done = drivecast("versus", FLASH, DISKS, "-w", trace, *OPTIONS, "--threads", "1", *JSON)
    assert done.code == 0, done.err
    return done


@pytest.fixture
def compared(run: Any) -> Any:
    return run.json


@pytest.mark.parametrize(
    ("condition", "line"),
    [
        ("healthy", FLASH),
        ("degraded", "raid5(4 * samsung-pm9a3-960gb, degraded=1)"),
        ("rebuilding", rebuild.rebuilding(parse(FLASH, CATALOG))),
    ],
)
def test_a_run_is_the_one_that_simulate_makes(
    drivecast: Program, trace: Path, compared: Any, condition: str, line: str
) -> None:
    # A rebuild goes by the clock, so both begin where the busiest stretch does.
    simulated = drivecast("simulate", line, "-w", trace, "--start", "1e-6", "--speedup", "8", *JSON).json
    (run,) = [
        run
        for run in compared["runs"]
        if (run["design"], run["condition"], run["at"]) == (FLASH, condition, 8.0)
    ]
    assert run["iops"] == pytest.approx(simulated["iops"], rel=1e-6)
    assert run["utilization"] == pytest.approx(simulated["utilization"], rel=1e-6)
    for op in ("read", "write"):
        for name, key in (("p50", "q0.5"), ("p99", "q0.99"), ("p999", "q0.999")):
            span = run[f"{op}_{name}_ns"]
            assert span["value"] == simulated[op]["latency_ns"][key]
            assert span["low"] <= span["value"] <= span["high"]
    assert (run["rebuild_h"] is not None) == (condition == "rebuilding")


def test_each_design_has_each_condition_and_load_once(compared: Any) -> None:
    runs = [(run["condition"], run["at"], run["design"]) for run in compared["runs"]]
    conditions = ("healthy", "degraded", "rebuilding")
    assert runs == [(name, at, line) for name in conditions for at in (1.0, 8.0) for line in (FLASH, DISKS)]
    for design in compared["designs"]:
        assert [each["condition"] for each in design["headroom"]] == list(conditions)
        assert design["price"]["low"] <= design["price"]["value"] <= design["price"]["high"]
        assert design["price"]["provenance"]
        assert design["data_loss"]["low"] <= design["data_loss"]["value"] <= design["data_loss"]["high"]
        assert design["power_w"]["low"] <= design["power_w"]["value"] <= design["power_w"]["high"]
        assert design["rebuild_idle_h"] > 0
    flash, disks = compared["designs"]
    assert flash["life_years"]["value"] > 0
    assert disks["life_years"] is None


def test_a_rebuild_under_load_is_no_shorter_than_an_idle_one(compared: Any) -> None:
    for design in compared["designs"]:
        hours = [run["rebuild_h"] for run in compared["runs"] if run["design"] == design["line"]]
        assert min(each for each in hours if each is not None) >= design["rebuild_idle_h"] * (1 - 1e-9)


def test_threads_change_no_byte(drivecast: Program, trace: Path, run: Any) -> None:
    again = drivecast("versus", FLASH, DISKS, "-w", trace, *OPTIONS, "--threads", "3", *JSON)
    assert again.out == run.out


def test_data_go_with_a_drive_that_is_alone(drivecast: Program, trace: Path) -> None:
    single = "samsung-pm9a3-960gb"
    found = drivecast("versus", single, FLASH, "-w", trace, "--speedup", "1", "--threads", "1", *JSON).json
    lost = [run["condition"] for run in found["runs"] if run["design"] == single and run["lost"]]
    assert lost == ["degraded", "rebuilding"]
    assert not found["replacements"][0]["holds"], "the other survives a failure"


def test_a_closed_loop_has_depths_and_no_headroom(drivecast: Program) -> None:
    fast, slow = "raid1(2 * samsung-pm9a3-960gb)", "raid1(2 * samsung-pm893-480gb)"
    command = ("versus", fast, slow, "-w", LINE, "--condition", "healthy", "--threads", "1", *JSON)
    found = drivecast(*command, "--iodepth", "8,1")
    assert found.code == 0, found.err
    assert (found.json["by"], found.json["at"]) == ("iodepth", [1.0, 8.0])
    served = [run["iops"] for run in found.json["runs"] if run["design"] == fast]
    assert served == sorted(served)
    assert {run["keeps_up"] for run in found.json["runs"]} == {None}
    assert all(design["life_years"] is None and not design["headroom"] for design in found.json["designs"])
    assert "--write-per-day" in found.json["workload"]["notes"][0]
    again = drivecast(*command, "--write-per-day", "1TB").json
    assert again["at"] == [4.0], "the depth of the line"
    assert again["designs"][0]["life_years"]["value"] > 0
    ratio = again["runs"][0]["iops"] / again["runs"][1]["iops"]
    assert again["replacements"][0]["reached"][0]["iops_ratio"] == pytest.approx(ratio)


def test_the_page_and_the_data_are_written(drivecast: Program, trace: Path, tmp_path: Path) -> None:
    command = ("versus", FLASH, DISKS, "-w", trace, "--speedup", "1", "--condition", "healthy")
    page = tmp_path / "versus.html"
    assert f"page: {page}" in drivecast(*command, "-o", page).out
    assert "<h1>" in page.read_text()
    data = tmp_path / "versus.json"
    done = drivecast(*command, "-o", data, *JSON)
    assert json.loads(data.read_text()) == done.json


COUNTERS = "iostat.json.xz"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((FLASH,), "at least two designs"),
        ((FLASH, FLASH.replace(" ", "")), "named twice"),
        ((FLASH, "aws-gp3-1tb"), "is rented"),
        ((FLASH, "raid1(2 * raid0(2 * samsung-pm9a3-960gb))"), "one kind of catalog drive"),
        ((FLASH, "raid5(4 * samsung-pm893-480gb, degraded=1)"), "failures or spares of its own"),
        ((FLASH, "intel-x25-e-32gb", "--capacity", "2TB"), "holds 32 GB"),
        ((FLASH, DISKS, "--speedup", "1", "--iodepth", "4"), "exclude each other"),
        ((FLASH, DISKS, "--speedup", "0"), "expected multiples above 0"),
        ((FLASH, DISKS, "--speedup", "nan"), "expected multiples above 0"),
        ((FLASH, DISKS, "--iodepth", "0"), "--iodepth"),
        ((FLASH, DISKS, "--condition", "broken"), "healthy, degraded, rebuilding"),
        ((FLASH, DISKS, "-w", LINE, "--speedup", "2"), "closed loop"),
        ((FLASH, DISKS, "-w", LINE, "--capacity", "1TB"), "`span=`"),
        ((FLASH, DISKS, "-w", "random(4KiB, rate=100)", "--iodepth", "2"), "has a rate of its own"),
        ((FLASH, DISKS, "-w", COUNTERS, "--iodepth", "2", "--capacity", "100GB"), "counter log"),
        ((FLASH, DISKS, "-w", "no-such.blktrace"), "no-such.blktrace"),
        ((FLASH, DISKS, "-w", "random(4KiB"), "random(4KiB"),
    ],
)
def test_what_contradicts_itself_is_refused(
    drivecast: Program, trace: Path, example: Path, arguments: tuple[str, ...], said: str
) -> None:
    given = [str(example / word) if word == COUNTERS else word for word in arguments]
    done = drivecast("versus", *given, *(() if "-w" in given else ("-w", trace)))
    assert done.code == 2
    assert said in done.err
