"""Figures in lines of text, as programs print them at their end, and a point of them."""

import math
import re

from drivecast.document.findings import Setting
from drivecast.document.outcome import OPS, Latency, Outcome, Stream
from drivecast.document.result import Point

Sides = dict[str, float]
"""A figure of reads and one of writes."""


def figure(text: str, pattern: str) -> float | None:
    """The number that a pattern captures first; none where it does not occur, or the text is cut off behind a digit."""
    found = re.search(pattern.replace(")", r")(?![\d.]|\Z)", 1), text, re.MULTILINE | re.IGNORECASE)
    return float(found[1]) if found else None


def needed(text: str, pattern: str, what: str) -> float:
    """The same. Raises `ValueError` that names what is missing."""
    value = figure(text, pattern)
    if value is None:
        raise ValueError(f"expected {what}, found none")
    return value


def point(
    seconds: float,
    ios: Sides,
    moved: Sides,
    latency: dict[str, dict[str, float]],
    settings: dict[str, Setting],
) -> Point:
    """A point of counts, bytes and latencies (ns, by quantile) of reads and writes."""
    whole, sides, waited = round(sum(ios.values())), {}, 0.0
    for op in OPS:
        times = latency.get(op) if ios[op] else None
        shown = Latency.model_validate(times) if times else None
        sides[op] = Stream(requests=round(ios[op]), iops=ios[op] / seconds, latency_ns=shown)
        # By Little's law, where all latencies are known.
        waited += ios[op] * (times or {}).get("mean", float("nan") if ios[op] else 0.0)
    outcome = Outcome(
        requests=whole, duration_s=seconds, iops=sum(ios.values()) / seconds, generated=whole, completed=whole,
        throughput_bytes_per_s=sum(moved.values()) / seconds, read=sides["read"], write=sides["write"],
        queue_depth_mean=waited / 1e9 / seconds if not math.isnan(waited) else None,
        host_read_bytes=round(moved["read"]), host_written_bytes=round(moved["write"]),
    )  # fmt: skip
    return Point(target="", settings=settings, workload=None, started="", outcome=outcome)
