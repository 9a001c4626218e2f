"""Caches before disks on a report's page: the plan's own judgement, to the last digit, and its runs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cached_plan
from cached_plan import CACHE, CAPACITY, DISK, planned, requests
from drivecast.document.plan import Design, Plan
from drivecast.plan.requirement import Given
from report_modules import assert_ranked_as, judged, of_report, span
from small_traces import write
from wasm_module import CoreError, WasmModule


@pytest.fixture(scope="module")
def carried() -> dict[str, Any]:
    return json.loads(cached_plan.carried().document)


@pytest.fixture(scope="module")
def module(carried: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[WasmModule]:
    with of_report(cached_plan.carried(), tmp_path_factory.mktemp("page")) as module:
        module.call("open", carried=carried)
        yield module


def money(cost: Any) -> dict[str, Any]:
    return {"low": cost.low, "value": cost.total, "high": cost.high}


def compare(verdict: dict[str, Any], design: Design) -> None:
    """All figures of a design and of its sides."""
    assert verdict["state"] == design.verdict, design.line
    assert [(miss["kind"], miss["volume"]) for miss in verdict["misses"]] == [
        (miss.kind, miss.volume) for miss in design.misses
    ]
    assert verdict["read_p99_ns"] == span(design.read_p99_ns)
    assert verdict["write_p99_ns"] == span(design.write_p99_ns)
    assert verdict["latency_chance"] == design.latency_chance
    assert verdict["data_loss"] == span(design.data_loss)
    assert verdict["life_years"] == span(design.life_years)
    assert verdict["total_usd"] == money(design.cost)
    assert verdict["power_w"] == {
        "low": design.power_w_low,
        "value": design.power_w,
        "high": design.power_w_high,
    }
    if design.verdict == "fits":
        assert verdict["headroom"] == design.headroom
    part = design.cached
    sides = (part.fast, part.slow)
    assert len(verdict["sides"]) == len(sides)
    for side, of in zip(verdict["sides"], sides, strict=True):
        assert side["total_usd"] == money(of.cost)
        assert side["life_years"] == span(of.life_years)
        assert side["utilization"] == of.utilization
        assert side["written_bytes_per_day"] == of.written_bytes_per_day


def tried(plan: Plan) -> list[Design]:
    return [each for each in plan.designs if each.cached is not None and each.verdict != "pruned"]


def test_as_in_the_plan(module: WasmModule, carried: dict[str, Any]) -> None:
    found, plan = judged(module, carried), cached_plan.plan()
    verdicts = {verdict["line"]: verdict for verdict in found["designs"]}
    assert {design.verdict for design in tried(plan)} == {"fits", "misses"}
    for design in tried(plan):
        compare(verdicts[design.line], design)
    assert_ranked_as(plan, found, carried)
    assert plan.ranked()[0].line.startswith("cache(")


def test_what_moves_its_cost_is_that_of_the_plan(module: WasmModule, carried: dict[str, Any]) -> None:
    plan = cached_plan.plan()
    winner = plan.find(plan.winner)
    found = next(each for each in judged(module, carried)["designs"] if each["line"] == winner.line)
    mine = [(move["name"], move["total_low_usd"], move["total_high_usd"]) for move in found["moves"]]
    plan_s = [(move.input, move.cost_low, move.cost_high) for move in winner.sensitivity or []]
    moves = [[each for each in moved if each[1] != each[2]] for moved in (mine, plan_s)]
    for own, of_plan in zip(*moves, strict=True):
        assert own[0] == of_plan[0]
        assert own[1:] == pytest.approx(of_plan[1:], rel=1e-12)
    assert {"drive price of the cache", "drive price of the disks", "electricity"} <= {
        each[0] for each in mine
    }


def test_other_years_hours_and_prices_are_those_of_another_plan(
    module: WasmModule, carried: dict[str, Any]
) -> None:
    asked = {"years": 3.0, "growth_per_year": 0.1, "hours_per_day": 12.0}
    headroom = judged(module, carried)["settings"]["headroom"]
    plan = cached_plan.searched(Given(capacity_bytes=CAPACITY, headroom=headroom, **asked))
    found = judged(module, carried, headroom=headroom, capacity_bytes=CAPACITY, **asked)
    verdicts = {verdict["line"]: verdict for verdict in found["designs"]}
    both = [each for each in tried(plan) if verdicts.get(each.line, {}).get("state") == "fits"]
    assert both
    for design in both:
        verdict = verdicts[design.line]
        assert verdict["total_usd"] == money(design.cost)
        assert verdict["life_years"] == span(design.life_years)


def test_a_design_that_a_bound_ruled_out_has_its_shape(carried: dict[str, Any]) -> None:
    shapes = {each["line"]: each for each in carried["space"] if each.get("cached")}
    pruned = [
        each.line
        for each in cached_plan.plan().designs
        if each.cached is not None and each.verdict == "pruned"
    ]
    assert {*shapes} == {*pruned}
    assert shapes
    for shape in shapes.values():
        assert shape["cached"]["turn_ns"] == pytest.approx(60e9 / 7200)
        assert len(shape["cached"]["read_misses"]) == 2


def refined(module: WasmModule, settings: dict[str, Any], **of: Any) -> dict[str, Any]:
    """A design tried out, and examined closely where it fits."""
    tried = module.call("try_out", settings=settings, **of)
    return module.call("refine", tried=tried, settings=settings) if tried["more"] else tried


SAME = ("read_p99_ns", "write_p99_ns", "seen", "whole", "held", "missed", "fill", "refined")


def test_a_design_tried_out_has_the_plan_s_figures(module: WasmModule, carried: dict[str, Any]) -> None:
    places = [at for at, each in enumerate(carried["designs"]) if each.get("cached")]
    assert places
    for index in places:
        own = carried["designs"][index]
        tried = refined(module, carried["requirements"], index=index)
        assert tried["fits"] == own["refined"]
        assert not tried["more"]
        assert tried["design"]["line"] == own["line"]
        assert tried["design"]["title"] == own["title"]
        assert {name: tried[name] for name in SAME if own["refined"] or name != "missed"} == {
            name: own[name] for name in SAME if own["refined"] or name != "missed"
        }
        assert all(run in own["runs"] for run in tried["runs"])
        for name in ("seen", "written_bytes_per_day", "hit_ratio"):
            assert tried["cached"][name] == own["cached"][name], (own["line"], name)


def parts() -> dict[str, Any]:
    """A cached design as the editor has it."""
    cache = {"drive": CACHE, "level": "raid1", "count": 2, "groups": 1, "spares": 0, "partition": 0.8}
    own = {"drive": DISK, "level": "raid6", "count": 5, "groups": 1, "spares": 0, "partition": 1.0}
    cached = {"cache": cache, "policy": "flashcache", "mode": "writeback", "options": "", "size_bytes": None}
    return own | {"cached": cached}


def test_a_design_of_the_editor_is_that_of_a_plan_in_which_somebody_names_it(
    module: WasmModule, carried: dict[str, Any], tmp_path: Path
) -> None:
    tried = refined(module, carried["requirements"], design=parts())
    line = tried["design"]["line"]
    assert line == (
        f"cache(fast=raid1(2 * {CACHE}[partition=0.8]), slow=raid6(5 * {DISK}), policy=flashcache, mode=writeback)"
    )
    log = write(tmp_path, requests(512))
    plan = planned(log, threads=2, peak_window_s=10.0, designs=(line,))
    design = plan.find(line)
    index = module.call("add", tried=tried)["index"]
    verdict = next(each for each in judged(module, carried)["designs"] if each["index"] == index)
    verdict["data_loss"] = span(design.data_loss)  # that of the plan is simulated
    compare_all_but_loss(verdict, design)
    module.call("open", carried=carried)


def compare_all_but_loss(verdict: dict[str, Any], design: Design) -> None:
    """A plan simulates the loss of data, the page has it in closed form."""
    of_loss = {"data-loss"}
    misses = [miss for miss in design.misses if miss.kind not in of_loss]
    verdict["misses"] = [miss for miss in verdict["misses"] if miss["kind"] not in of_loss]
    state = "misses" if misses else "fits"
    verdict["state"] = "misses" if verdict["misses"] else "fits"
    compare(verdict, design.model_copy(update={"misses": misses, "verdict": state}))


AT_EASE = {"data_loss": 0.01}
"""The closed form says more of the loss of data than the plan's simulation."""


def of_new_cache(mode: str = "writeback", disks: int = 5) -> dict[str, Any]:
    """A design whose cache takes less of its flash than any that the plan tried."""
    new = parts()
    new["cached"]["cache"]["partition"] = 0.6
    new["cached"]["mode"] = mode
    return new | {"count": disks}


def test_that_a_cache_misses_is_said_at_once_and_all_else_of_it_afterwards(
    module: WasmModule, carried: dict[str, Any]
) -> None:
    settings = carried["requirements"] | {"p99_read_ns": 1000}
    module.call("open", carried=carried)
    tried = module.call("try_out", settings=settings, design=of_new_cache(disks=7))
    assert (tried["fits"], tried["more"], tried["runs"]) == (False, True, [])
    index = module.call("add", tried=tried)["index"]

    def verdict(asked: dict[str, Any]) -> dict[str, Any]:
        designs = module.call("judge", settings=asked)["designs"]
        return next((each for each in designs if each["index"] == index), {"state": "unknown"})

    first = verdict(settings)
    assert (first["state"], first["misses"][0]["kind"], first["rest_is_open"]) == ("misses", "latency", True)
    assert first["read_p99_ns"] is None
    assert first["total_usd"]["low"] > 0
    assert verdict(carried["requirements"])["state"] == "unknown"
    whole = module.call("refine", tried=tried, settings=settings)
    assert (whole["fits"], whole["more"]) == (False, False)
    module.call("add", tried=whole)
    last = verdict(settings)
    assert last["state"] == "misses"
    assert "rest_is_open" not in last
    assert last["misses"][0]["found"] == last["read_p99_ns"]["value"]
    assert last["total_usd"]["low"] > first["total_usd"]["low"] / 2
    assert last["power_w"]["value"] > 0


def test_whether_a_new_cache_fits_is_said_before_its_life_which_is_worked_out_once(
    module: WasmModule, carried: dict[str, Any]
) -> None:
    settings = carried["requirements"] | AT_EASE
    module.call("open", carried=carried)
    tried = module.call("try_out", settings=settings, design=of_new_cache())
    assert tried["fits"]
    assert tried["cached"]["seen"]["wear"] is None
    verdict = added(module, carried, tried)
    assert (verdict["state"], verdict["misses"], verdict["life_years"]) == ("unknown", [], None)
    assert verdict["life_is_open"]
    refined = module.call("refine", tried=tried, settings=settings)
    verdict = added(module, carried, refined)
    assert verdict["state"] in {"fits", "misses"}
    assert verdict["life_years"]["value"] > 0
    assert "life_is_open" not in verdict
    again = module.call("try_out", settings=settings, design=of_new_cache(disks=6))
    assert again["cached"]["seen"]["wear"] == refined["cached"]["seen"]["wear"]
    known = next(each for each in carried["designs"] if each.get("cached") and each["refined"])
    first = module.call("try_out", settings=settings, design=parts())
    assert first["cached"]["seen"]["wear"] == known["cached"]["seen"]["wear"]
    module.call("open", carried=carried)


def added(module: WasmModule, carried: dict[str, Any], tried: dict[str, Any]) -> dict[str, Any]:
    """The verdict of a design that was tried out."""
    index = module.call("add", tried=tried)["index"]
    return next(each for each in judged(module, carried, **AT_EASE)["designs"] if each["index"] == index)


def test_a_cache_on_the_page_is_refused_where_the_plan_says_nothing_of_caches(
    module: WasmModule, carried: dict[str, Any]
) -> None:
    module.call("open", carried=carried | {"caches": None})
    with pytest.raises(CoreError):
        module.call("try_out", settings=carried["requirements"], design=parts())
    module.call("open", carried=carried)
    unknown = parts()
    unknown["cached"]["cache"]["drive"] = "none"
    with pytest.raises(CoreError) as refused:
        module.call("try_out", settings=carried["requirements"], design=unknown)
    assert "`none`" in str(refused.value)
