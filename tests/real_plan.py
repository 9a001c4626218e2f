"""A small real plan for the tests of what is shown: the planner on the bundled recording, over a handful of designs."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import made_once
from drivecast.catalog import Catalog
from drivecast.document.carried import Carried
from drivecast.document.plan import Plan
from drivecast.document.plan_options import Where
from drivecast.plan import search, space
from drivecast.plan.candidate import Options
from drivecast.plan.requirement import Given
from drivecast.present import page

RECORDING = Path(__file__).parents[1] / "examples/mariadb-oltp/mariadb-oltp.blktrace"
SEARCHED = {
    "raid1(2 * kioxia-cd8-r-1.92tb)",
    "raid1(2 * micron-7450-pro-1.92tb)",
    "raid1(2 * samsung-pm9a3-1.92tb)",
    "raid1(2 * seagate-exos-15e900-300gb)",
    "raid1(2 * solidigm-d3-s4620-480gb)",
    "raid10(6 * samsung-pm893-480gb)",
    "raid1(2 * samsung-pm9a3-960gb)",  # its rated writes do not last
    "raid5(3 * samsung-pm9a3-960gb)",
    "raid6(4 * samsung-pm893-480gb)",  # survives more failures than needed
    "samsung-pm893-480gb",  # survives none
}
REQUESTED = "raid1(2 * intel-320-120gb)"


def few(catalog: Catalog) -> Iterator[space.Ladder]:
    for ladder in ALL(catalog):
        designs = tuple(design for design in ladder if design.line in SEARCHED)
        if designs:
            yield designs


ALL = space.ladders


def _made(where: Where = "metal", named: str = REQUESTED) -> str:
    made = searched(Given(years=5.0), where, named)
    carried = made.carried
    if carried is None or carried.recording is None:
        raise TypeError("a plan of a recording carries it")
    packed = {"document": carried.document, "recording": b64encode(carried.recording).decode()}
    return json.dumps({"plan": made.model_dump(mode="json", by_alias=True), "carried": packed})


def searched(given: Given, where: Where = "metal", named: str = REQUESTED, *, spread: bool = True) -> Plan:
    """The plan under these requirements, with what its report carries."""
    options = Options(
        peak_window_s=5.0, designs=(named,), threads=1, where=where, what_if="simulate", spread=spread
    )
    with mock.patch.object(space, "ladders", few):
        return search.plan([RECORDING], given, options, lambda _share, _what: None)


@cache
def _text() -> str:
    return made_once.text("real-plan.json", _made)


def document() -> dict[str, Any]:
    """The plan's JSON, to change at will."""
    found: dict[str, Any] = json.loads(_text())["plan"]
    return found


@cache
def carried() -> Carried:
    """What its report carries."""
    found = json.loads(_text())["carried"]
    return Carried(found["document"], b64decode(found["recording"]))


@cache
def plan() -> Plan:
    return Plan.check(document())


@cache
def _text_rented() -> str:
    return made_once.text("real-plan-any.json", lambda: _made("any", "aws-gp3-1tb"))


@cache
def with_rented() -> Plan:
    """The same with volumes of clouds, of which one is named."""
    return Plan.check(json.loads(_text_rented())["plan"])


@cache
def carried_rented() -> Carried:
    """What the report of that carries."""
    found = json.loads(_text_rented())["carried"]
    return Carried(found["document"], b64decode(found["recording"]))


def page_that_nothing_fits() -> str:
    """The report of the plan if nothing fitted."""
    made = document()
    for design in made["designs"]:
        if design["verdict"] == "fits":
            miss = {"kind": "latency", "op": "read", "found": 0.3e6, "limit": 0.05e6, "shortfall": 6.0}
            design.update(verdict="misses", rank=None, misses=[miss], pareto_optimal=False, best=[])
    made.update(winner=None, nearest=[made["designs"][0]["line"]], flips=[], beside=None)
    return page.render(Plan.check(made))


def page_of_profile() -> str:
    """The page of its workload's profile."""
    workload = plan().workload
    return page.render_profile(workload.profile, workload.name)
