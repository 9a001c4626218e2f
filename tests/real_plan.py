"""A small real plan for the tests of what is shown: the planner on the bundled recording, over a handful of designs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import made_once
from drivecast.catalog import Catalog
from drivecast.document.plan import Plan
from drivecast.document.plan_options import Where
from drivecast.document.report_payload import ReportPayload
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


def searched(given: Given, where: Where = "metal", named: str = REQUESTED, *, spread: bool = True) -> Plan:
    """The plan under these requirements, with what its report carries."""
    options = Options(
        peak_window_s=5.0, designs=(named,), threads=1, where=where, what_if="simulate", spread=spread
    )
    with mock.patch.object(space, "ladders", few):
        return search.plan([RECORDING], given, options, lambda _share, _what: None)


def _kept() -> tuple[Plan, ReportPayload]:
    return made_once.plan("real-plan.json", lambda: searched(Given(years=5.0)))


def _kept_rented() -> tuple[Plan, ReportPayload]:
    return made_once.plan("real-plan-any.json", lambda: searched(Given(years=5.0), "any", "aws-gp3-1tb"))


def plan() -> Plan:
    return _kept()[0]


def carried() -> ReportPayload:
    """What its report carries."""
    return _kept()[1]


def document() -> dict[str, Any]:
    """The plan's JSON, to change at will."""
    return plan().model_dump(mode="json", by_alias=True)


def with_rented() -> Plan:
    """The same with volumes of clouds, of which one is named."""
    return _kept_rented()[0]


def carried_rented() -> ReportPayload:
    """What the report of that carries."""
    return _kept_rented()[1]


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
