"""The page of a plan from counters plays what the plan played, and has its figures."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import made_once
import real_plan
from drivecast.document.plan import Plan
from drivecast.document.report_payload import WhatIf
from drivecast.plan import search, space
from drivecast.plan.candidate import Options
from drivecast.plan.requirement import Given
from drivecast.present import embedded
from needs import needs
from small_traces import mixed, write
from wasm_module import WasmModule

COUNTERS = real_plan.RECORDING.with_name("iostat.json.xz")


def _planned(log: Path, what_if: WhatIf) -> Plan:
    with mock.patch.object(space, "ladders", real_plan.few):
        options = Options(threads=1, what_if=what_if)
        return search.plan([log], Given(capacity_bytes=100 * 10**9), options, lambda _share, _what: None)


def _made() -> str:
    plan = _planned(COUNTERS, "simulate")
    assert plan.carried.recording is None, "counters have no requests"
    assert plan.carried.plays
    if embedded.lacking() is None:
        parts = embedded.of(plan.carried)
        assert "what-if-simulator" in [name for name, _, _ in parts.data]
    return plan.carried.document


@pytest.fixture(scope="module")
def carried() -> dict[str, Any]:
    return json.loads(made_once.text("plan-of-counters.json", _made))


@pytest.fixture(scope="module")
def module(carried: dict[str, Any]) -> Iterator[WasmModule]:
    needs("wasm")
    with WasmModule(needs("node")) as module:
        module.call("open", carried=carried)
        yield module


def test_a_design_tried_out_has_the_plan_s_figures(module: WasmModule, carried: dict[str, Any]) -> None:
    refined = [at for at, design in enumerate(carried["designs"]) if design["refined"] and design["held"]]
    assert refined, "a design that fits, with its headroom"
    for index in refined[:2]:
        own = carried["designs"][index]
        tried = module.call("try_out", index=index, settings=carried["requirements"])
        if tried["fits"]:
            tried = module.call("refine", tried=tried, settings=carried["requirements"])
        same = ("read_p99_ns", "write_p99_ns", "seen", "held", "missed", "fill")
        assert {name: tried[name] for name in same} == {name: own[name] for name in same}, own["line"]
        loads = {run["times"] for run in own["runs"]}
        assert all(run in own["runs"] for run in tried["runs"] if run["times"] in loads)


def test_a_heavier_peak_is_the_same_mix_at_a_higher_rate(module: WasmModule, carried: dict[str, Any]) -> None:
    index = next(at for at, design in enumerate(carried["designs"]) if design["refined"])
    settings = carried["requirements"] | {"peak_times": 2.0, "headroom": 1.0}
    tried = module.call("try_out", index=index, settings=settings)
    assert 2.0 in [run["times"] for run in tried["runs"]]
    module.call("add", tried=tried)
    found = module.call("judge", settings=settings)
    verdict = next(each for each in found["designs"] if each["index"] == index)
    assert verdict["p99_times"] == 2.0
    heavier = next(run for run in tried["runs"] if run["times"] == 2.0)
    assert verdict["read_p99_ns"]["value"] == heavier["read_p99_ns"]


def test_why_a_page_only_ranks_is_said(carried: dict[str, Any], tmp_path: Path) -> None:
    assert carried["only_ranks"] is None
    ranks = _planned(write(tmp_path, mixed()), "rank")
    assert not ranks.carried.plays
    assert "to rank" in json.loads(ranks.carried.document)["only_ranks"]
