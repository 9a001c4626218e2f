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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from drivecast import _core
from drivecast.errors import InputError

SECTOR = 512
NEAR_SECTORS = 400
"""Requests that begin at most so far from the end of the one before count as near it: about two tracks."""


@dataclass(frozen=True)
class Timed:
    """A measured request; times in ms."""

    is_read: bool
    lba: int
    sectors: int
    service_ms: float
    think_ms: float


@dataclass(frozen=True)
class Distance:
    """Measured and simulated response times of some requests."""

    requests: int
    demerit_ms: float
    mean_measured_ms: float
    mean_simulated_ms: float


@dataclass(frozen=True)
class Demerit:
    """The distance over all requests, and of each class of them by itself."""

    overall: Distance
    classes: dict[str, Distance]
    measured_ms: list[float]
    simulated_ms: list[float]


def read_trace(path: Path) -> list[Timed]:
    """Read a validation trace; raises `InputError` with file and line."""
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'is not text'}"
        ) from None
    found = []
    for number, line in enumerate(lines, 1):
        fields = line.split()
        try:
            kind, _, lba, sectors, service, think = fields
            one = Timed(kind == "R", int(lba), int(sectors), float(service) / 1e3, float(think) / 1e3)
        except ValueError:
            kind = ""
        if kind not in ("R", "W") or min(one.lba, one.sectors, one.service_ms, one.think_ms) < 0:
            expected = "`R|W word LBN sectors service_us think_us`"
            raise InputError(f"{path}:{number}: expected {expected}, found `{line[:60]}`")
        found.append(one)
    if not found:
        raise InputError(f"{path}: expected a request a line, found none")
    return found


def _distance(measured: list[float], simulated: list[float]) -> Distance:
    pairs = zip(sorted(measured), sorted(simulated), strict=True)
    count = len(measured)
    squares = math.fsum((one - other) ** 2 for one, other in pairs)
    means = math.fsum(measured) / count, math.fsum(simulated) / count
    return Distance(count, math.sqrt(squares / count), *means)


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

    def column(of: Callable[[Timed], Any]) -> list[Any]:
        return [of(one) for one in requests]

    times_ns = _core.response_times(
        json.dumps(spec),
        column(lambda one: one.is_read),
        column(lambda one: one.lba * SECTOR),
        column(lambda one: one.sectors * SECTOR),
        column(lambda one: round(one.think_ms * 1e6)),
        seed=seed,
    )
    measured = column(lambda one: one.service_ms)
    simulated = [time / 1e6 for time in times_ns]
    members: dict[str, list[int]] = {}
    for index, request in enumerate(requests):
        members.setdefault(_class_of(requests[index - 1] if index else None, request), []).append(index)
    classes = {
        name: _distance([measured[i] for i in where], [simulated[i] for i in where])
        for name, where in sorted(members.items())
    }
    return Demerit(_distance(measured, simulated), classes, measured, simulated)
