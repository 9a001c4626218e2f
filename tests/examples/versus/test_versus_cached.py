"""Designs with a cache side by side with others: judged as a plan judges them, in the conditions of all."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bundled import CATALOG
from drivecast.stage.cached_design import CachedDesign, parse_either
from drivecast.versus.contest import in_condition
from small_traces import mixed, write

Program = Callable[..., Any]
FAST, DISKS = "samsung-pm9a3-960gb", "raid10(4 * seagate-exos-15e900-300gb)"
CACHED = f"cache(fast={FAST}, slow={DISKS}, size=64MiB"
BACK, THROUGH = f"{CACHED}, mode=writeback)", f"{CACHED}, mode=writethrough)"
JSON = ("--output-format", "json")


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2,000 random requests."""
    return write(tmp_path_factory.mktemp("trace"), mixed(2000))


@pytest.fixture(scope="module")
def compared(drivecast: Program, trace: Path) -> Any:
    done = drivecast("versus", THROUGH, BACK, DISKS, "-w", trace, "--speedup", "2", "--threads", "1", *JSON)
    assert done.code == 0, done.err
    return done.json


def test_what_fails_is_a_drive_behind_and_options_of_the_cache_remain() -> None:
    design = parse_either(THROUGH, CATALOG)
    found = in_condition(design, "degraded")
    assert isinstance(found, CachedDesign)
    assert "slow=raid10(4 * seagate-exos-15e900-300gb, degraded=1)" in found.line
    again = parse_either(found.line, CATALOG)
    assert isinstance(again, CachedDesign)
    assert (again.cache_bytes, again.mode, again.fast.line) == (64 << 20, "writethrough", FAST)


def test_data_go_with_the_one_drive_of_a_cache_only_where_it_writes_back(compared: Any) -> None:
    through, back, disks = compared["designs"]
    assert [each["failures_tolerated"] for each in compared["designs"]] == [1, 0, 1]
    lost = {(run["design"], run["condition"]) for run in compared["runs"] if run["lost"]}
    assert lost == {(BACK, "degraded"), (BACK, "rebuilding")}
    assert back["cached"]["loses_dirty"]
    of_sides = [back["cached"][side]["data_loss"]["value"] for side in ("fast", "slow")]
    assert back["data_loss"]["value"] == pytest.approx(1 - (1 - of_sides[0]) * (1 - of_sides[1]))
    assert through["data_loss"]["value"] == pytest.approx(through["cached"]["slow"]["data_loss"]["value"])
    assert through["data_loss"]["value"] < back["data_loss"]["value"] / 10
    assert "cached" not in disks


def test_money_adds_up_and_the_life_is_that_of_the_cache_drive(compared: Any) -> None:
    through, _, disks = compared["designs"]
    cached = through["cached"]
    assert through["cost"]["total"] == pytest.approx(
        cached["fast"]["cost"]["total"] + cached["slow"]["cost"]["total"]
    )
    drive = CATALOG.price_usd(FAST)
    assert through["price"]["value"] == pytest.approx(disks["price"]["value"] + drive)
    assert through["life_years"]["value"] == cached["fast"]["life_years"]["value"]
    assert cached["slow"]["life_years"] is None
    assert cached["hit_ratio_from_empty"] < cached["hit_ratio"]
    assert cached["warm_up_s"] > 0
    assert "has seen the log before" in {each["value"] for each in compared["assumptions"]}


def test_text_says_how_long_it_takes_to_be_warm_and_what_is_lost(drivecast: Program, trace: Path) -> None:
    options = ("--speedup", "1", "--condition", "healthy", "--threads", "1")
    text = " ".join(drivecast("versus", BACK, DISKS, "-w", trace, *options).out.split())
    for said in (
        "It is warm after",
        "in the cache alone until it is cleaned",
        "from empty",
        "life of the cache",
    ):
        assert said in text
    assert "RAID 10 of 4 × Seagate Exos 15E900 300 GB with a cache of Samsung PM9A3 960 GB" in text


def test_of_a_closed_loop_the_cache_lasts_by_the_writes_a_day_that_are_given(drivecast: Program) -> None:
    line = "random(4KiB, read=0.5, iodepth=4, span=0.001)"
    command = ("versus", BACK, DISKS, "-w", line, "--condition", "healthy", "--threads", "1", *JSON)
    unknown = drivecast(*command)
    assert unknown.code == 0, unknown.err
    assert unknown.json["designs"][0]["life_years"] is None
    found = drivecast(*command, "--write-per-day", "1TB").json["designs"][0]["cached"]["fast"]
    assert 0.5e12 < found["written_bytes_per_day"] < 3e12, "its writes, fills and metadata"
    assert found["life_years"]["value"] > 0


@pytest.mark.parametrize(
    ("line", "workload", "said"),
    [
        (BACK, "iostat.json.xz", "counters do not say what is met again"),
        (BACK.replace("300gb)", "300gb, degraded=1)"), None, "failures or spares of its own"),
        (BACK.replace(FAST, f"cache(fast={FAST}, slow={DISKS}, size=1GiB)"), None, "a cache before a cache"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    drivecast: Program, trace: Path, example: Path, line: str, workload: str | None, said: str
) -> None:
    log = (example / workload, "--capacity", "100GB") if workload else (trace,)
    done = drivecast("versus", line, DISKS, "-w", *log)
    assert done.code == 2
    assert said in done.err
    assert "hint:" in done.err
