"""Results of `drivecast bench` as rows of latency under load and of steady writes.

Represented: a point whose workload is a line `random(4KiB, …)`, on a drive that is full and in steady state. Reads and
writes at a rate (`bench replay 'random(4KiB, read=0.1, rate=50000iops)'`) are a load, writes alone without a rate a
steady run.
Left out: all other points; whether the drive was in steady state, which the result does not say.
"""

import re
from pathlib import Path

from drivecast.calibration.load_table import QUANTILES, Load, Steady
from drivecast.document import result
from drivecast.document.outcome import Outcome
from drivecast.document.result import Point
from drivecast.errors import InputError

LINE = re.compile(r"\s*random\(\s*4\s*KiB\s*((?:,[^,()]+)*)\)\s*")
RATE = re.compile(r"([0-9.]+)\s*iops")


def rows(path: Path, drive: str) -> tuple[list[Load], list[Steady]]:
    """Return the points of a result as rows of a drive.

    Raises `InputError` for a file that is no result, or one without such points.
    """
    loads: list[Load] = []
    steady: list[Steady] = []
    for at, point in enumerate(result.read(path).points):
        options = _options(point)
        if options is None or point.outcome is None:
            continue
        region_gib = (point.span_bytes or 0) / (1 << 30)
        rate = RATE.fullmatch(options.get("rate", ""))
        if rate is None and not point.outcome.read.requests:
            steady.append(Steady(drive, region_gib, "uniform", "", float(point.outcome.write.iops)))
        elif rate is not None and point.outcome.read.requests and point.outcome.write.requests:
            share, where = float(options.get("read", "1")), f"{path}, point {at + 1}"
            loads.append(_load(drive, region_gib, float(rate[1]), share, point.outcome, where, options))
    if not loads and not steady:
        raise InputError(
            f"{path}: expected points of `random(4KiB, read=…, rate=…iops)`, or of writes alone; found none"
        )
    return loads, steady


def _options(point: Point) -> dict[str, str] | None:
    """Return the options of a line of random 4 KiB requests; none for any other workload."""
    found = LINE.fullmatch(point.workload or "")
    if found is None:
        return None
    parts = (part.partition("=") for part in found[1].split(",")[1:])
    return {key.strip(): value.strip() for key, _, value in parts}


def _load(
    drive: str,
    region_gib: float,
    rate: float,
    share: float,
    outcome: Outcome,
    where: str,
    options: dict[str, str],
) -> Load:
    return Load(
        drive,
        region_gib,
        "uniform",
        rate * (1 - share),
        float(outcome.read.iops),
        float(outcome.write.iops),
        _quantiles(outcome, "read", where),
        _quantiles(outcome, "write", where),
        offered_reads_per_s=rate * share,
        arrivals=options.get("arrivals", "poisson"),
    )


def _quantiles(outcome: Outcome, op: str, where: str) -> dict[str, float]:
    found = {name: outcome.latency(op, f"q{share:g}") for name, share in QUANTILES.items()}
    missing = [name for name, value in found.items() if value is None]
    if missing:
        raise InputError(
            f"{where}: expected the {', '.join(missing)} of {op}s, found none: measure for longer"
        )
    return {name: value / 1e3 for name, value in found.items() if value is not None}
