"""`drivecast plan` from end to end on small traces, and what every verb prints."""

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bundled import CATALOG
from drivecast.plan import search
from small_traces import mixed, write

TINY = "ssd(logical=1GiB, spare_factor=0.2)"
ASKED = "raid10(4 * samsung-pm893-480gb)"
LIMITS = ("--capacity", "200GB", "--budget", "4000", "--power", "9", "--design", ASKED)
OUTPUT = ("--output-format", "json")
Program = Callable[..., Any]
FEW = (
    "intel-320-120gb",
    "kingston-dc600m-480gb",
    "samsung-pm893-480gb",
    "samsung-pm9a3-960gb",
    "seagate-exos-15e900-300gb",
    "seagate-exos-x20-20tb",
)
"""Drives of the catalog that are cheap, fast, large or turn: with all of them a plan takes five times as long."""


@pytest.fixture(scope="module", autouse=True)
def few_drives() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        few = replace(CATALOG, drives={name: CATALOG.get(name) for name in FEW})
        patch.setattr(search, "load_catalog", lambda _paths: few)
        yield


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """400 random requests."""
    return write(tmp_path_factory.mktemp("trace"), mixed())


@pytest.fixture(scope="module")
def planned(drivecast: Program, trace: Path) -> Any:
    """A plan within limits."""
    return drivecast("plan", trace, *LIMITS, "--threads", "1", *OUTPUT)


def test_limits_are_kept_and_the_asked_design_is_judged(planned: Any) -> None:
    assert planned.code == 0, planned.err
    found = planned.json
    fits = [design for design in found["designs"] if design["verdict"] == "fits"]
    assert fits[0]["line"] == found["winner"]
    for design in fits:
        assert design["usable_bytes"] >= 200e9
        assert design["cost"]["total"] <= 4000
        assert design["power_w"] <= 9
    asked = [design for design in found["designs"] if design["yours"]]
    assert [design["line"] for design in asked] == [ASKED]
    assert asked[0]["outcome"]["completed"] > 0


def test_life_and_cost_come_with_their_ends_bounds_and_what_they_hang_on(planned: Any) -> None:
    found = planned.json
    winner = next(design for design in found["designs"] if design["line"] == found["winner"])
    assert winner["media_end"]["low"] is None or winner["media_end"]["low"] > found["date"]
    assert winner["warranty_end"]["date"] > found["date"]
    assert winner["warranty_end"]["by"] in ("writes", "term")
    kept = winner["retention_months"]
    assert 0 < kept["low"] <= kept["value"] <= kept["high"] <= 120
    cost = winner["cost"]
    names = ("purchase", "energy", "replacement", "labor", "loss", "outage", "expansion")
    parts = sum(cost[name] for name in names) - cost["residual"]
    assert 0 < cost["hosting"] < cost["purchase"]
    assert cost["total"] == pytest.approx(parts)
    assert cost["low"] < cost["total"] < cost["high"]
    for unit in ("per_usable_tb", "per_iops_at_slo", "per_tb_written"):
        assert cost[unit]["low"] < cost[unit]["value"] < cost[unit]["high"]
    assert cost["per_usable_tb"]["value"] == pytest.approx(cost["total"] / (winner["usable_bytes"] / 1e12))
    moves = winner["sensitivity"]
    swings = [abs(move["cost_high"] - move["cost_low"]) for move in moves]
    assert swings == sorted(swings, reverse=True)
    price = next(move for move in moves if move["input"] == "drive price")
    bought = winner["count"] * (price["high"] - price["low"])
    assert price["cost_high"] - price["cost_low"] >= bought * (1 - 1e-9)
    known = {assumption["name"] for assumption in found["assumptions"]}
    assert {"prices", "price decline", "currency", "P/E cycles", "retention", "temperature"} <= known


def test_two_threads_and_a_time_limit_that_is_not_met_give_the_same_bytes(
    drivecast: Program, trace: Path, planned: Any
) -> None:
    more = ("--threads", "2", "--time-limit", "10min")
    assert drivecast("plan", trace, *LIMITS, *more, *OUTPUT).out == planned.out


def test_a_named_design_is_judged_once_and_misses_what_it_does_not_tolerate(
    drivecast: Program, trace: Path
) -> None:
    twice = ("--design", "raid1(2 * samsung-pm9a3-960gb)", "--design", "raid1(2*samsung-pm9a3-960gb)")
    found = drivecast("plan", trace, "--drive-losses", "2", *twice, "--output-format", "json").json
    same = [
        design
        for design in found["designs"]
        if (design["level"], design["drive"], design["count"]) == ("raid1", "samsung-pm9a3-960gb", 2)
        and "[" not in design["line"]
    ]
    (design,) = same
    assert design["yours"]
    assert design["verdict"] == "misses"
    miss = design["misses"][0]
    assert (miss["kind"], miss["found"], miss["limit"]) == ("failures-tolerated", 1, 2)
    assert design["headroom"] is not None, "what misses a requirement is still simulated"
    assert found["winner"] != design["line"]


def test_needs_that_nothing_meets(drivecast: Program, trace: Path) -> None:
    done = drivecast("plan", trace, "--p99-read", "1us", "--budget", "1240", "--output-format", "json")
    assert done.code == 1
    assert done.json["winner"] is None
    assert done.json["nearest"]
    missed = [
        miss for design in done.json["designs"] if design["verdict"] == "misses" for miss in design["misses"]
    ]
    assert any((miss["kind"], miss["op"]) == ("latency", "read") for miss in missed)
    assert done.json["counts"]["fits"] == 0


def test_where_all_is_too_dear_the_nearest_are_the_cheapest(drivecast: Program, trace: Path) -> None:
    done = drivecast("plan", trace, "--p99-read", "1us", "--budget", "900", "--output-format", "json")
    assert done.json["nearest"]
    by_line = {design["line"]: design for design in done.json["designs"]}
    assert all(by_line[line]["misses"][0]["kind"] == "budget" for line in done.json["nearest"])


def test_writes_only_need_no_read_percentile(drivecast: Program, tmp_path: Path) -> None:
    options = ("--budget", "1300", "--output-format", "json")
    done = drivecast("plan", write(tmp_path, mixed(read=0)), *options)
    assert done.code == 0, done.err
    needs = {requirement["name"]: requirement["value"] for requirement in done.json["requirements"]}
    assert needs["p99_read"] is None
    assert needs["p99_write"]
    assert all(
        design["read_p99_ns"] is None for design in done.json["designs"] if design["verdict"] == "fits"
    )


def test_counters_alone_need_a_capacity(drivecast: Program, example: Path) -> None:
    log = example / "iostat.json.xz"
    without = drivecast("plan", log)
    assert without.code == 2
    assert "`--capacity" in without.err
    found = drivecast("plan", log, "--capacity", "100GB", "--budget", "1300", "--output-format", "json").json
    assumed = {
        assumption["name"] for assumption in found["assumptions"] if assumption["provenance"] == "assumed"
    }
    assert {"addresses", "request size", "arrivals"} <= assumed
    assert found["workload"]["profile"]["source"] == "counters"


@pytest.mark.parametrize("form", ["json", "csv", "text"])
@pytest.mark.parametrize("verb", ["convert", "profile", "plan", "simulate", "wear", "versus", "catalog list"])
def test_every_format_of_every_verb(
    drivecast: Program, trace: Path, tmp_path: Path, verb: str, form: str
) -> None:
    options = {
        "convert": (trace, "-o", tmp_path / "out.parquet"),
        "profile": (trace,),
        "plan": (trace, "--budget", "1"),
        "simulate": (TINY, "-w", "random(4KiB)", "--requests", "500"),
        "wear": (TINY, "-w", "random(4KiB, read=0)"),
        "versus": (ASKED, "samsung-pm893-480gb", "-w", "random(4KiB)", "--condition", "healthy"),
        "catalog list": (),
    }
    done = drivecast(*verb.split(), *options[verb], "--output-format", form)
    assert done.code == (1 if verb == "plan" else 0), done.err
    if form == "json":
        assert done.json
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(done.out)))
        assert rows
        assert all(None not in row and None not in row.values() for row in rows)
    else:
        assert done.out.strip()


def test_what_is_not_tried_within_a_time_limit_is_counted(drivecast: Program, trace: Path) -> None:
    soon = drivecast("plan", trace, "--capacity", "200GB", "--time-limit", "1ms", "--output-format", "json")
    assert (soon.code, soon.json["partial"], soon.json["winner"]) == (1, "time limit", None)
    untried = [group for group in soon.json["ruled_out"] if group["miss"]["kind"] == "time"]
    assert sum(group["designs"] for group in untried) > 0
    assert soon.json["counts"]["simulated"] == 0
    text = drivecast("plan", trace, "--capacity", "200GB", "--time-limit", "1ms").out
    assert "No answer within the time limit" in text
    assert "designs were not tried" in text


def test_all_designs_and_seconds_are_in_the_json_on_request_alone(drivecast: Program, trace: Path) -> None:
    asked = ("plan", trace, "--capacity", "200GB", "--budget", "1300", "--output-format", "json")
    brief, whole = drivecast(*asked).json, drivecast(*asked, "--detail").json
    assert brief["counts"] == whole["counts"]
    assert len(whole["designs"]) == whole["counts"]["considered"] > len(brief["designs"])
    assert whole["ruled_out"] == []
    left_out = sum(group["designs"] for group in brief["ruled_out"])
    assert len(brief["designs"]) + left_out == brief["counts"]["considered"]
    assert brief["workload"]["profile"]["seconds"] == []
    assert whole["workload"]["profile"]["seconds"]
    assert [each["line"] for each in brief["designs"] if each["verdict"] != "pruned"] == [
        each["line"] for each in whole["designs"] if each["verdict"] != "pruned"
    ]
