"""A small plan in which a flash cache before disks wins: requests to a small part of the data, over three drives."""

import json
import random
import tempfile
from base64 import b64decode, b64encode
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import made_once
from bundled import CATALOG
from drivecast.document.carried import Carried
from drivecast.document.plan import Plan
from drivecast.plan import search
from drivecast.plan.candidate import Options
from drivecast.plan.requirement import Given
from small_traces import READ, WRITE, Io, write

DISK, CACHE, FLASH = "seagate-exos-x20-20tb", "kingston-dc600m-480gb", "solidigm-d5-p5336-15.36tb"
SMALL = replace(CATALOG, drives={name: CATALOG.get(name) for name in (DISK, CACHE, FLASH)})
"""A catalog in which disks, a small flash drive and a large one compete."""
CAPACITY = 40 * 10**12


def requests(blocks: int, count: int = 12_000, stride: int = 1, reads: float = 0.8) -> list[Io]:
    """Requests, a share of them reads, each of a block of these at random, 400 a second."""
    draw = random.Random(7)
    return [
        Io(2500 * at, READ if draw.random() < reads else WRITE, 4096 * stride * draw.randrange(blocks), 4096)
        for at in range(count)
    ]


def planned(log: Path, given: Given | None = None, **options: Any) -> Plan:
    """The plan of a log, over the drives of the small catalog."""
    given = given or Given(capacity_bytes=CAPACITY)
    with mock.patch.object(search, "load_catalog", return_value=SMALL):
        return search.plan([log], given, Options(**options), lambda _share, _what: None)


def searched(given: Given) -> Plan:
    """The plan of a log whose requests go to 2 MiB, with what its report carries."""
    with tempfile.TemporaryDirectory() as folder:
        log = write(Path(folder), requests(512))
        return planned(log, given, threads=2, what_if="simulate", peak_window_s=10.0)


def _made() -> str:
    made = searched(Given(capacity_bytes=CAPACITY))
    carried = made.carried
    if carried is None or carried.recording is None:
        raise TypeError("a plan of a recording carries it")
    packed = {"document": carried.document, "recording": b64encode(carried.recording).decode()}
    return json.dumps({"plan": made.model_dump(mode="json", by_alias=True), "carried": packed})


@cache
def _text() -> str:
    return made_once.text("cached-plan.json", _made)


@cache
def carried() -> Carried:
    """What its report carries."""
    found = json.loads(_text())["carried"]
    return Carried(found["document"], b64decode(found["recording"]))


@cache
def plan() -> Plan:
    return Plan.check(json.loads(_text())["plan"])
