"""A small plan in which a flash cache before disks wins: requests to a small part of the data, over three drives."""

import random
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import made_once
from bundled import CATALOG
from drivecast.document.plan import Plan
from drivecast.document.report_payload import ReportPayload
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


def _kept() -> tuple[Plan, ReportPayload]:
    return made_once.plan("cached-plan.json", lambda: searched(Given(capacity_bytes=CAPACITY)))


def carried() -> ReportPayload:
    """What its report carries."""
    return _kept()[1]


def plan() -> Plan:
    return _kept()[0]
