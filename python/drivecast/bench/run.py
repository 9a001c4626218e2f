"""One workload on targets × depths × repeats: the plan, and how far repeats are apart.

The whole plan is gone through once a repeat, so that what drifts in hours shows as spread instead of as a difference
between depths; each repeat has a seed of its own, and so other addresses.

Spread, for each target, depth and figure (IOPS; the 99th percentile of reads, of writes): mean x̄, standard deviation s
(n - 1 in the denominator) and the largest |x - x̄| / x̄, which is to be at most 5 %. Source of the rule, of the two
minutes of ramp, the ten of run and the three repeats: Intel IT's evaluation of SSDs in data centres.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean, stdev
from typing import Any

from drivecast.bench.campaign import Place, carry_out_on, decides
from drivecast.bench.fio.workload import depth_of, named
from drivecast.bench.job import DEPTH_MAX, Engine, Job, Measure
from drivecast.bench.journal import Journal, Store
from drivecast.bench.progress import Progress
from drivecast.bench.replay import LINE_BYTES
from drivecast.document.findings import Findings, Setting, Spread
from drivecast.document.measurement import grouped
from drivecast.document.model import Model
from drivecast.document.result import Point, Result
from drivecast.quantity import parse as quantity

TOLERANCE = 0.05
_FIGURES = ("iops", "read_latency_ns_q0.99", "write_latency_ns_q0.99")


@dataclass(frozen=True)
class Plan:
    """What `bench run` measures."""

    workload: str
    on: tuple[str, ...]
    depths: tuple[int, ...]
    """Of each thread; none: the workload's own."""
    ramp_s: float
    runtime_s: float
    repeats: int
    threads: int = 1
    engine: Engine = "io_uring"
    direct: bool = True
    seed: int = 0
    size_bytes: int | None = None
    """Of the files that are made; of what is there, so much from its start is used at most."""

    def title(self) -> str:
        """The plan in a few words."""
        each = f"{self.runtime_s:g} s after {self.ramp_s:g} s of ramp"
        return f"{self.workload}, {self.repeats} × {each}, {self.engine}{'' if self.direct else ', buffered'}"

    def jobs(self) -> list[Job]:
        """Every depth in each repeat."""
        every = product(range(self.repeats), self.depths or (None,))
        return [self._job(depth, repeat) for repeat, depth in every]

    def decides(self) -> dict[str, Any]:
        """All that decides what is measured."""
        return {"verb": "run", **decides(self.jobs(), self.on, self.size_bytes)}

    def _job(self, depth: int | None, repeat: int) -> Job:
        known = depth if depth is not None else depth_of(self.workload)
        settings: dict[str, Setting] = {"series": self.workload}
        if known is not None:
            settings["iodepth"] = known
        settings |= {"threads": self.threads, "engine": self.engine, "repeat": repeat}
        return Job(
            self.workload,
            self.runtime_s,
            self.ramp_s,
            settings=settings,
            iodepth=depth,
            threads=self.threads,
            engine=self.engine,
            direct=self.direct,
            seed=self.seed + repeat,
        )


def depths(text: str | None) -> tuple[int, ...]:
    """Return the depths in `1,8,32`. Raises `InputError` where it is no such list."""
    if text is None:
        return ()
    return quantity.several("--iodepth", lambda word: quantity.count(word, DEPTH_MAX), text)


def run(
    plan: Plan, destroy: Collection[str], result: Result, measure: Measure, store: Store, update: Progress
) -> Result:
    """Measure what `result` does not have yet of the plan.

    Raises `InputError` for targets that cannot be used, or fail; what was measured until then is stored.
    """
    found, jobs = named(plan.workload), plan.jobs()
    return carry_out_on(
        Place(plan.on, plan.size_bytes, destroy),
        jobs,
        measure,
        Journal(result, store, findings, len(jobs) * len(plan.on)),
        update,
        need_bytes=plan.size_bytes or (found.span_bytes if isinstance(found, Model) else LINE_BYTES),
    )


def findings(points: Sequence[Point]) -> Findings:
    """Return how far the repeats of each point are apart."""
    groups: dict[tuple[str, Any], list[Point]] = grouped(
        points, lambda point: (point.target, point.settings.get("iodepth"))
    )
    spread = [
        row
        for (target, depth), group in groups.items()
        for figure in _FIGURES
        if (row := _spread(target, depth, figure, group)) is not None
    ]
    return Findings(tolerance=TOLERANCE, spread=spread)


def _spread(target: str, depth: int | None, figure: str, group: Sequence[Point]) -> Spread | None:
    values = [value for point in group if (value := _figure(point, figure)) is not None]
    if not values:
        return None
    mean = fmean(values)
    several = len(values) > 1 and mean > 0
    deviation_max = max(abs(value - mean) for value in values) / mean if several else None
    return Spread(
        target=target,
        iodepth=depth,
        figure=figure,
        repeats=len(values),
        mean=mean,
        deviation=stdev(values) if several else None,
        deviation_max=deviation_max,
        within=None if deviation_max is None else deviation_max <= TOLERANCE,
    )


def _figure(point: Point, name: str) -> float | None:
    if point.outcome is None:
        return None
    if name == "iops":
        return point.outcome.iops
    op, _, key = name.partition("_latency_ns_")
    return point.outcome.latency(op, key)
