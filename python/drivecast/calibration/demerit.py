"""How far a simulated disk is from a measured one.

The *demerit figure* is the root mean square of the horizontal distance between the cumulative distributions of measured
and simulated response times (Ruemmler and Wilkes, *An introduction to disk drive modeling*, 1994): with as many of
one as of the other, of the differences of the sorted times. The requests are those of the measurement, one at a time,
each the recorded think time after the one before completed; nothing of the trace but its requests and think times
reaches the model.

A validation trace has a request a line: `R|W word LBN sectors service_us think_us` (DiskSim's format `validate`).
"""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from drivecast import _core
from drivecast.document.calibration import Distance
from drivecast.errors import InputError
from drivecast.files import read_text

SECTOR = 512
NEAR_SECTORS = 400
"""Requests that begin at most this far from the end of the one before are near it: about two tracks."""


@dataclass(frozen=True)
class Timed:
    """A measured request; times in ms."""

    is_read: bool
    lba: int
    sectors: int
    service_ms: float
    think_ms: float


@dataclass(frozen=True)
class Demerit:
    """The distance over all requests, and of each class of them by itself."""

    overall: Distance
    classes: dict[str, Distance]
    measured_ms: list[float]
    simulated_ms: list[float]


def read_trace(path: Path) -> list[Timed]:
    """Read a validation trace; raises `InputError` with file and line."""
    found = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        fields = line.split()
        try:
            kind, _, lba, sectors, service, think = fields
            request = Timed(kind == "R", int(lba), int(sectors), float(service) / 1e3, float(think) / 1e3)
        except ValueError:
            kind = ""
        if (
            kind not in ("R", "W")
            or min(request.lba, request.sectors, request.service_ms, request.think_ms) < 0
        ):
            expected = "`R|W word LBN sectors service_us think_us`"
            raise InputError(f"{path}:{number}: expected {expected}, found `{line[:60]}`")
        found.append(request)
    if not found:
        raise InputError(f"{path}: expected a request a line, found none")
    return found


def _distance(requests_of: str, measured: list[float], simulated: list[float]) -> Distance:
    pairs = zip(sorted(measured), sorted(simulated), strict=True)
    count = len(measured)
    squares = math.fsum((ours - theirs) ** 2 for theirs, ours in pairs)
    return Distance(
        requests_of=requests_of,
        requests=count,
        demerit_ms=math.sqrt(squares / count),
        mean_measured_ms=math.fsum(measured) / count,
        mean_simulated_ms=math.fsum(simulated) / count,
    )


def _class_of(before: Timed | None, request: Timed) -> str:
    op = "read" if request.is_read else "write"
    if before is None:
        return f"{op}, far"
    gap = request.lba - before.lba - before.sectors
    where = "next" if gap == 0 else "near" if abs(gap) <= NEAR_SECTORS else "far"
    return f"{op}, {where}"


def demerit(spec: dict[str, Any], trace: Path, *, seed: int = 0) -> Demerit:
    """Replay a validation trace on a disk (`device_spec` of a catalog drive); raises `InputError`."""
    requests = read_trace(trace)
    times_ns = _core.response_times(
        json.dumps(spec),
        [request.is_read for request in requests],
        [request.lba * SECTOR for request in requests],
        [request.sectors * SECTOR for request in requests],
        [round(request.think_ms * 1e6) for request in requests],
        seed=seed,
    )
    measured = [request.service_ms for request in requests]
    simulated = [time / 1e6 for time in times_ns]
    members: dict[str, list[int]] = {}
    for index, (before, request) in enumerate(zip([None, *requests], requests, strict=False)):
        members.setdefault(_class_of(before, request), []).append(index)
    classes = {
        name: _distance(name, [measured[i] for i in where], [simulated[i] for i in where])
        for name, where in sorted(members.items())
    }
    return Demerit(_distance("all", measured, simulated), classes, measured, simulated)
