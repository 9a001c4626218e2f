"""What a fit takes of results: one observation a setting, repeats put together.

Model. Points with the same target, workload and settings, but for the number of the repeat, are one observation: its
figures are the geometric means of theirs, and the standard deviation of their logarithms is the noise of one run. Taken
of a point are the requests a second, and of its reads and of its writes the quantiles of latency with enough requests
beyond them (ten). Left out: database points, points of threads that wait for each request
(`psync`: the time to wake them is the machine's), and whatever a target does not report.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from drivecast import _core
from drivecast.document import fit
from drivecast.document.findings import Setting
from drivecast.document.outcome import OPS, QUANTILES, Outcome
from drivecast.document.result import Point, Result
from drivecast.errors import HintedError, InputError

BEYOND = 10
"""Requests that must lie beyond a quantile for it to be taken."""
REPEATS = frozenset({"repeat", "round", "part", "series"})
"""Settings that number the runs of one kind and are not of the workload."""
IOPS = "iops"


@dataclass(frozen=True)
class Observation:
    """One setting and what was measured of it."""

    file: str
    target: str
    workload: str
    settings: Mapping[str, Setting]
    span_bytes: int | None
    runs: int
    requests: int
    """Of one run."""
    duration_s: float
    """Of one run."""
    figures: Mapping[str, float]
    """By name: `iops`, `read.q0.5`, … in nanoseconds."""
    noise: Mapping[str, float] = field(default_factory=dict)
    """Standard deviation of the logarithm of a figure from run to run, where runs were repeated."""
    seconds: Sequence[Mapping[str, Any]] = ()
    """Of the first run."""
    bins: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    """By operation, latency in nanoseconds and how many requests of all runs had it, where that is in the result."""

    @property
    def is_line(self) -> bool:
        """Whether the workload is a line, and no model or trace."""
        return "(" in self.workload

    @property
    def depth(self) -> int | None:
        """Requests that a line keeps outstanding, of all threads; none for an open loop and for what is no line."""
        if not self.is_line or re.search(r"\brate\s*=", self.workload):
            return None
        found = re.search(r"\biodepth\s*=\s*(\d+)", self.workload)
        return int(found.group(1)) if found else 1

    @property
    def read_fraction(self) -> float | None:
        """Share of reads, as measured."""
        reads, writes = self.figures.get("read.iops", 0.0), self.figures.get("write.iops", 0.0)
        return round(reads / (reads + writes), 2) if reads + writes else None

    @property
    def block_bytes(self) -> float:
        """Mean bytes of a request."""
        return self.figures["bytes_per_s"] / self.figures[IOPS]

    @property
    def is_sequential(self) -> bool:
        """Whether each request begins where the one before ended."""
        return self.workload.startswith("sequential")

    @property
    def label(self) -> str:
        """A line for tables: the workload, and the settings it does not show itself."""
        if self.is_line:
            return re.sub(r",?\s*span\s*=\s*[^,)]+", "", self.workload)
        more = ", ".join(f"{key}={value}" for key, value in self.settings.items() if key not in REPEATS)
        return f"{Path(self.workload).name}" + (f", {more}" if more else "")


def _of_op(op: str, outcome: Outcome) -> dict[str, float]:
    stream, figures = outcome.stream(op), {}
    for quantile in fit.QUANTILES:
        value = outcome.latency(op, quantile)
        if value and stream.requests * (1 - QUANTILES[quantile]) >= BEYOND:
            figures[f"{op}.{quantile}"] = value
    if stream.requests and stream.iops:
        figures[f"{op}.iops"] = stream.iops
    return figures


def figures_of(outcome: Outcome) -> dict[str, float]:
    """The figures of an outcome, measured or simulated alike."""
    figures = {**_of_op("read", outcome), **_of_op("write", outcome)}
    for name, value in ((IOPS, outcome.iops), ("bytes_per_s", outcome.throughput_bytes_per_s)):
        if value:
            figures[name] = value
    return figures


def bins_of(outcomes: Iterable[Outcome]) -> dict[str, list[tuple[float, float]]]:
    """The latencies of outcomes, by operation; they need not be in order."""
    found: dict[str, list[tuple[float, float]]] = {op: [] for op in OPS}
    for outcome in outcomes:
        for row in outcome.latencies:
            if row["op"] in found:
                found[row["op"]].append((float(row["latency_ns"]), float(row["count"])))
    return {op: rows for op, rows in found.items() if rows}


def _plain(point: Point) -> tuple[tuple[str, Setting], ...]:
    return tuple(sorted((key, value) for key, value in point.settings.items() if key not in REPEATS))


def _usable(point: Point) -> bool:
    figures = figures_of(point.outcome) if point.outcome is not None else {}
    if point.settings.get("engine") == "psync" or (point.outcome and point.outcome.flush.requests):
        return False
    return point.workload is not None and {IOPS, "bytes_per_s"} <= set(figures)


def _together(file: str, points: Sequence[Point]) -> Observation:
    """One observation of the repeats of a setting."""
    first = points[0]
    outcomes = [point.outcome for point in points if point.outcome is not None]
    rows = [figures_of(outcome) for outcome in outcomes]
    names = [name for name in rows[0] if all(name in row for row in rows)]
    logs = {name: [math.log(row[name]) for row in rows] for name in names}
    means = {name: sum(values) / len(values) for name, values in logs.items()}
    noise = {}
    if len(rows) > 1:
        for name, values in logs.items():
            square = sum((value - means[name]) ** 2 for value in values)
            noise[name] = math.sqrt(square / (len(values) - 1))
    return Observation(
        file,
        first.target,
        first.workload or "",
        {key: value for key, value in first.settings.items() if key not in REPEATS},
        first.span_bytes,
        len(rows),
        outcomes[0].requests or int(rows[0][IOPS] * outcomes[0].duration_s),
        outcomes[0].duration_s,
        {name: math.exp(mean) for name, mean in means.items()},
        noise,
        outcomes[0].seconds.rows,
        bins_of(outcomes),
    )


def observations(results: Iterable[tuple[Path, Result]], target: str | None = None) -> list[Observation]:
    """All observations of a target, or of the only one, in the order of the results.

    Raises `InputError` for a result that is not complete, one of a database, several targets, or a workload that is no
    more than a name of something that is not there.
    """
    found: list[Observation] = []
    for path, result in results:
        if result.kind == "database":
            raise HintedError(
                f"`{path}`: measures a database, whose transactions show too little of single requests",
                "a sweep of the same target: `drivecast bench sweep depth --on DIR -o depth.json`",
            )
        if not result.complete:
            why = f": {result.partial}" if result.partial else ""
            raise HintedError(
                f"`{path}`: is partial{why}",
                "run the command that made it again: it resumes after the last point",
            )
        groups: dict[Any, list[Point]] = {}
        for point in result.points:
            if _usable(point) and target in (None, point.target):
                groups.setdefault((point.target, point.workload, _plain(point)), []).append(point)
        if not groups:
            of = f" of `{target}`" if target else ""
            raise InputError(
                f"`{path}`: no point{of} has requests a second and their workload: nothing to fit"
            )
        found += [_together(str(path), points) for points in groups.values()]
    _same_target(found)
    for observation in found:
        if observation.is_line:
            _core.Workload.line(observation.workload)
    return found


def _same_target(found: Sequence[Observation]) -> None:
    targets = sorted({observation.target for observation in found})
    if len(targets) > 1:
        names = ", ".join(f"`{name}`" for name in targets)
        raise HintedError(
            f"the results are of {len(targets)} targets, {names}: a fit is of one",
            "`--target NAME` takes the points of one of them",
        )
