"""A small real plan for the tests of what is shown: the planner on the bundled recording, over a handful of designs."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import made_once
from drivecast.catalog import Catalog
from drivecast.document.plan import Plan
from drivecast.plan import search, space
from drivecast.plan.candidate import Options, Where
from drivecast.plan.requirement import Given

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
    options = Options(peak_window_s=5.0, designs=(named,), threads=1, where=where)
    with mock.patch.object(space, "ladders", few):
        made = search.plan([RECORDING], Given(years=5.0), options, lambda _share, _what: None)
    return json.dumps(made if isinstance(made, dict) else made.model_dump(mode="json", by_alias=True))


@cache
def _text() -> str:
    return made_once.text("real-plan.json", _made)


def document() -> dict[str, Any]:
    """The plan's JSON, to change at will."""
    found: dict[str, Any] = json.loads(_text())
    return found


@cache
def plan() -> Plan:
    return Plan.check(document())


@cache
def with_rented() -> Plan:
    """The same with volumes of clouds, of which one is named."""
    return Plan.check(json.loads(made_once.text("real-plan-any.json", lambda: _made("any", "aws-gp3-1tb"))))
