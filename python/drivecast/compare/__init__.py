"""Predicted beside measured: two results joined point by point."""

from pathlib import Path
from typing import Any

from drivecast.bench import result
from drivecast.bench.result import Result
from drivecast.errors import InputError

QUANTILES = ("q0.5", "q0.9", "q0.95", "q0.99", "q0.999", "q0.9999", "max")


def read(path: Path) -> Result:
    """The result in a file."""
    return result.read(path)


def ratios(measured: Result, predicted: Result) -> list[dict[str, Any]]:
    """Predicted over measured, one row a point and figure.

    Raises `InputError` where the results do not have the same points.
    """
    ours, theirs = measured.points, predicted.points
    if [one.workload for one in ours] != [one.workload for one in theirs]:
        raise InputError("the results are of other workloads: there is nothing to compare")
    rows = []
    for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        for op in ("read", "write"):
            first, second = ((end.outcome or {}).get(op) or {} for end in (one, other))
            pairs = [(f"{op} iops", first.get("iops"), second.get("iops"))]
            for key in QUANTILES:
                values = [(end.get("latency_ns") or {}).get(key) for end in (first, second)]
                pairs.append((f"{op} {key}", values[0], values[1]))
            rows += [
                {
                    "point": number,
                    "figure": figure,
                    "measured": value,
                    "predicted": other,
                    "ratio": other / value,
                }
                for figure, value, other in pairs
                if value and other
            ]
    return rows
