"""Rented designs on a report's page: the plan's own answer to the last digit, and what else may be rented."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

import real_plan
from bundled import CATALOG
from drivecast.catalog.volume import volume_spec
from drivecast.document.plan import Design
from drivecast.plan.requirement import Given
from report_modules import assert_ranked_as, judged, of_report, span
from wasm_module import CoreError, WasmModule

SAME = ("read_p99_ns", "write_p99_ns", "seen", "held", "fill")
BURSTING = "aws-gp2-500gib"
"""1,500 IOPS, and 3,000 while there are credits: the recording uses some of them."""


@pytest.fixture(scope="module")
def carried() -> dict[str, Any]:
    return json.loads(real_plan.carried_rented().document)


@pytest.fixture(scope="module")
def module(carried: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[WasmModule]:
    with of_report(real_plan.carried_rented(), tmp_path_factory.mktemp("page")) as module:
        module.call("open", carried=carried)
        yield module


def rented(carried: dict[str, Any]) -> list[dict[str, Any]]:
    return [design for design in carried["designs"] if design.get("rented")]


def assert_as_planned(verdict: dict[str, Any], design: Design) -> None:
    assert verdict["state"] == design.verdict, design.line
    assert verdict["monthly_usd"] == design.monthly_usd
    cost = {"low": design.cost.low, "value": design.cost.total, "high": design.cost.high}
    assert verdict["total_usd"] == cost
    assert verdict["data_loss"]["value"] == (design.data_loss and design.data_loss.value)
    assert verdict["read_p99_ns"] == span(design.read_p99_ns)
    assert verdict["write_p99_ns"] == span(design.write_p99_ns)
    assert verdict["headroom"] == design.headroom
    assert verdict["usable_bytes"] == design.usable_bytes
    assert [miss["kind"] for miss in verdict["misses"]] == [miss.kind for miss in design.misses]


def test_as_in_the_plan(module: WasmModule, carried: dict[str, Any]) -> None:
    found, plan = judged(module, carried), real_plan.with_rented()
    verdicts = {verdict["line"]: verdict for verdict in found["designs"]}
    clouds = [design for design in plan.designs if design.where == "cloud" and design.verdict != "pruned"]
    assert len(clouds) == len(rented(carried)) >= 8
    for design in clouds:
        assert_as_planned(verdicts[design.line], design)
    assert_ranked_as(plan, found, carried)


def test_a_design_played_has_the_plan_s_figures(module: WasmModule, carried: dict[str, Any]) -> None:
    for index, own in enumerate(carried["designs"]):
        if own.get("rented"):
            tried = module.call("try_out", index=index, settings=carried["requirements"])
            assert {name: tried[name] for name in SAME} == {name: own[name] for name in SAME}, own["line"]
            assert own["runs"][0] in tried["runs"]
            assert tried["design"]["line"] == own["line"]
            assert tried["design"]["usable_bytes"] == own["usable_bytes"]
            assert tried["design"]["title"] == own["title"]


def test_money_moves_without_a_simulation(module: WasmModule, carried: dict[str, Any]) -> None:
    before = {verdict["line"]: verdict for verdict in judged(module, carried)["designs"]}
    line = next(own["line"] for own in rented(carried) if before[own["line"]]["state"] == "fits")
    prices = carried["requirements"]["prices"] | {"rent_times": 0.5}
    half = {verdict["line"]: verdict for verdict in judged(module, carried, prices=prices)["designs"]}[line]
    assert half["total_usd"]["value"] == before[line]["total_usd"]["value"] / 2
    dear = judged(module, carried, budget_usd=1.0)["designs"]
    misses = next(verdict for verdict in dear if verdict["line"] == line)["misses"]
    assert [miss["kind"] for miss in misses] == ["budget"]
    lossy = judged(module, carried, data_loss=1e-9)["designs"]
    kinds = [miss["kind"] for miss in next(each for each in lossy if each["line"] == line)["misses"]]
    assert "data-loss" in kinds


def test_credits_are_those_that_the_log_leaves(module: WasmModule, carried: dict[str, Any]) -> None:
    """Other hours of a day leave others, so that what was played then says nothing."""
    plan = real_plan.searched(Given(years=5.0, headroom=1.2), named=BURSTING)
    own = json.loads(plan.carried.document)
    module.call("open", carried=own)
    index = [design["line"] for design in own["designs"]].index(BURSTING)
    design = plan.find(BURSTING)
    assert 0 < (design.rent.credits_least or 0) < 1
    tried = module.call("try_out", index=index, settings=own["requirements"])
    assert {name: tried[name] for name in SAME} == {name: own["designs"][index][name] for name in SAME}

    def state(**changes: Any) -> str:
        verdicts = judged(module, own, **changes)["designs"]
        return str(next(verdict["state"] for verdict in verdicts if verdict["line"] == BURSTING))

    assert state() == design.verdict
    assert state(hours_per_day=3.0) == "unknown"
    module.call(
        "add",
        tried=module.call("try_out", index=index, settings=own["requirements"] | {"hours_per_day": 3.0}),
    )
    assert state(hours_per_day=3.0) != "unknown"
    module.call("open", carried=carried)


def test_more_headroom_is_looked_for_as_another_plan_does(
    module: WasmModule, carried: dict[str, Any]
) -> None:
    """Kinds propose where to begin; what is found is what a plan of those requirements finds."""
    capacity = judged(module, carried)["settings"]["capacity_bytes"]
    asked = {"headroom": 8.0, "capacity_bytes": 3 * capacity}
    found = judged(module, carried, **asked)
    proposed = {each["design"]["rented"]["kind"]: each["design"] for each in found["proposed"]}
    given = Given(years=5.0, capacity_bytes=3 * capacity, headroom=8.0)
    plan = real_plan.searched(given, "cloud", spread=False)
    of_kind = {each.rent.kind: each for each in plan.designs if each.rent and each.verdict != "pruned"}
    compared = 0
    for kind, design in proposed.items():
        parts = {name: design[name] for name in ("level", "count", "spares", "partition", "groups", "rented")}
        tried = module.call("try_out", design={"line": "", **parts}, settings=found["settings"])
        place = module.call("add", tried=tried)["index"]
        again = judged(module, carried, **asked)
        verdict = next(each for each in again["designs"] if each["index"] == place)
        assert verdict["line"] == of_kind[kind].line
        assert verdict["monthly_usd"] == of_kind[kind].monthly_usd
        assert verdict["state"] == of_kind[kind].verdict
        assert kind not in [each["design"]["rented"]["kind"] for each in again.get("proposed", [])]
        compared += 1
    assert compared >= 6
    module.call("open", carried=carried)


def test_what_is_asked_of_a_kind_is_fitted_to_its_rules(module: WasmModule, carried: dict[str, Any]) -> None:
    def offered(kind: str, gib: int, iops: float, mibps: float, volumes: int = 1) -> dict[str, Any]:
        asked = {"kind": kind, "gib": gib, "iops": iops, "mibps": mibps}
        return module.call("rent", rented=asked, volumes=volumes)

    small = offered("aws-gp3", 10, 9000, 2000)
    assert (small["rented"]["gib"], small["rented"]["iops"]) == (10, 5000)
    assert small["iops"] == [3000, 5000]
    assert small["mibps"] == [125, 1250]
    large = offered("aws-gp3", 500, 9000, 250, 2)
    month = CATALOG.rental.month(CATALOG.rental.parse("aws-gp3-500gib-9000iops-250mib"))  # type: ignore[arg-type]
    assert large["month"]["iops_usd"] == 2 * month.iops_usd
    stepped = offered("azure-premium", 200, 0, 0)
    assert stepped["rented"]["gib"] == 256
    assert (stepped["iops"], stepped["steps"][:3]) == (None, [4, 8, 16])
    for kind in carried["rental"]["kinds"]:
        for gib, iops, mibps in ((1, 0, 0), (100, 1e6, 1e6), (10**6, 7777, 333)):
            of = offered(kind, gib, iops, mibps)["rented"]
            name = CATALOG.rental.setting(kind, of["gib"], of["iops"], of["mibps"]).name
            assert CATALOG.rental.parse(name) is not None, name


def test_a_volume_of_any_setting_is_the_catalog_s(module: WasmModule, carried: dict[str, Any]) -> None:
    """The page makes the device that the catalog makes: a run on one is a run on the other."""
    parts = {"level": "single", "count": 1, "spares": 0, "partition": 1.0, "groups": None, "line": ""}
    rented = {"kind": "aws-gp3", "gib": 700, "iops": 9000.0, "mibps": 300.0}
    settings = carried["requirements"] | {"headroom": 1.0, "capacity_bytes": 10**10}
    tried = module.call("try_out", design={**parts, "rented": rented}, settings=settings)
    line = tried["design"]["line"]
    assert line == "aws-gp3-700gib-9000iops-300mib"
    volume = CATALOG.volume(line)
    assert volume is not None
    options = {
        "seed": carried["seed"],
        "start_s": carried["play"]["start_s"],
        "length_s": carried["play"]["length_s"],
        "fill": tried["fill"],
    }
    drives = {line: volume_spec(volume)}
    outcome = module.call("simulate", design=line, drives=drives, options=options)
    assert tried["runs"][0]["read_p99_ns"] == outcome["read"]["latency_ns"]["q0.99"]


@pytest.mark.parametrize(
    ("rented", "said"),
    [
        ({"kind": "aws-gp9", "gib": 10, "iops": 1.0, "mibps": 1.0}, "no volume `aws-gp9` in this report"),
        ({"kind": "aws-gp3", "gib": None, "iops": None, "mibps": None}, "a volume has a size"),
        ({"kind": "x", "gib": 1, "iops": 1.0, "mibps": 1.0, "volume": "y"}, "no volume `y` in this report"),
    ],
)
def test_what_the_plan_does_not_know_is_refused(
    module: WasmModule, rented: dict[str, Any], said: str
) -> None:
    with pytest.raises(CoreError) as refused:
        module.call("rent", rented=rented, volumes=1)
    assert said in str(refused.value)
