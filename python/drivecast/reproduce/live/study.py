"""A live experiment: what is measured on what, and how it is carried out and read.

An experiment is data: named setups (a design under a server's data, perhaps one under its log), one load, one or
several buffer pools, and a pure function from points to published ratios. Where the results are stored, a run that was
interrupted is resumed after its last point, and one that is complete is read and not run again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from drivecast import __version__
from drivecast.bench.database.configure import Request, planned
from drivecast.bench.database.design_target import Design
from drivecast.bench.database.directory import Site
from drivecast.bench.database.matrix import Plan
from drivecast.bench.database.session import carried_out as measured
from drivecast.bench.journal import plan_hash
from drivecast.bench.progress import Progress
from drivecast.catalog import Catalog
from drivecast.document.attached import Carried, late_share, on_time
from drivecast.document.live_reproduction import (
    Change,
    LiveDescribed,
    LiveOrdering,
    LivePoint,
    LiveReproduction,
    LiveRow,
    Unjudged,
    passed,
)
from drivecast.document.reproduction import share_within
from drivecast.document.result import Point, Result, read
from drivecast.reproduce.experiment import documents, figure_row
from drivecast.reproduce.live.scaled_drives import smaller

PROCESSORS_BUSY, DEVICES_BUSY = 0.9, 0.9
"""The processors were the limit where they were busier than the first while no device was as busy as the second.
Assumed."""
QUICK_S = 5
"""Ramp and measured time of a first look."""


@dataclass(frozen=True)
class Setup:
    """Designs under a server, and how fast their time passes."""

    data: str
    log: str | None = None
    """None: with the data."""
    speed: float = 1.0
    """Seconds of the design in one of the clock."""
    fill: float = 1.0
    """Share of the data's flash that holds data: that of the published run."""
    log_fill: float = 0.1
    """Of the log's flash: a log is small. Assumed."""

    @property
    def site(self) -> Site:
        """What the bench attaches."""
        log = None if self.log is None else Design(self.log, fill=self.log_fill, speed=self.speed)
        return Site(Design(self.data, fill=self.fill, speed=self.speed), log)


@dataclass(frozen=True)
class LiveExperiment:
    """One published experiment with a database."""

    name: str
    title: str
    documents: tuple[str, ...]
    """Names in `published.toml`."""
    conditions: tuple[str, ...]
    """What the documents leave open, and what is assumed for it."""
    changes: tuple[tuple[str, str], ...]
    """What scaling changed, and its effect."""
    load: Mapping[str, Any]
    """Options of `bench database` (`Request`) but targets and buffers."""
    pools: Mapping[str, str]
    """Buffer pools by the name that points have them by."""
    setups: Mapping[str, Setup]
    scale: float
    """Data and pool of the published run over ours."""
    read: Callable[["LiveFindings"], None]
    """Fills in the findings."""

    def plan(self, catalog: Catalog, seed: int, *, quick: bool = False) -> Plan:
        """What the bench measures, on scaled drives (`scaled_drives`).

        Raises `InputError` as `planned` does.
        """
        designs = [line for each in self.setups.values() for line in (each.data, each.log) if line]
        scaled = smaller(catalog, designs, disks_by=self.scale, flash_by=self.scale / 2, caches_by=self.scale)
        options = dict(self.load) | ({"ramp": QUICK_S, "runtime": QUICK_S} if quick else {})
        buffers = ",".join(self.pools.values())
        first = next(iter(self.setups.values())).site.on
        plan = planned(Request(on=[first], buffer=buffers, repeats=1, seed=seed, catalog=scaled, **options))
        return replace(plan, sites=tuple(each.site for each in self.setups.values()))

    @property
    def points(self) -> int:
        """How many points are measured."""
        return len(self.setups) * len(self.pools)


@dataclass
class LiveFindings:
    """What one experiment found; its `read` fills it in."""

    experiment: str
    points: Mapping[tuple[str, str], LivePoint]
    """By setup and pool."""
    rows: list[LiveRow] = field(default_factory=list)
    orderings: list[LiveOrdering] = field(default_factory=list)

    def point(self, setup: str, pool: str = "") -> LivePoint:
        """A point; without a pool, that of the only one."""
        return self.points[setup, pool]

    def over(self, quantity: str, theirs: float, *pairs: tuple[LivePoint, LivePoint], why: str = "") -> None:
        """Add a published ratio of transactions; further pairs are what ours could also be."""
        ours = [first.per_s / second.per_s for first, second in pairs]
        row = figure_row(self.experiment, quantity, "x", theirs, ours, "measured", why)
        self.rows.append(LiveRow(**row.model_dump(), judged=_judged(*pairs[0])))

    def faster(self, statement: str, first: LivePoint, second: LivePoint) -> None:
        """Add a statement that the first has more transactions than the second."""
        ours = f"{first.per_s:,.0f} against {second.per_s:,.0f} transactions/s"
        self._ordering(statement, first.per_s > second.per_s, ours, first, second)

    def between(self, statement: str, low: float, high: float, first: LivePoint, second: LivePoint) -> None:
        """Add a statement that the first has so many times the transactions of the second."""
        ratio = first.per_s / second.per_s
        self._ordering(statement, low <= ratio <= high, f"{ratio:.2f} x", first, second)

    def _ordering(self, statement: str, right: bool, ours: str, *points: LivePoint) -> None:
        self.orderings.append(
            LiveOrdering(
                experiment=self.experiment,
                statement=statement,
                ours=ours,
                right=right,
                judged=_judged(*points),
            )
        )


def _judged(*points: LivePoint) -> bool:
    return all(point.unjudged is None for point in points)


def carried_out(
    experiments: Sequence[LiveExperiment],
    catalog: Catalog,
    *,
    seed: int,
    progress: Progress,
    folder: Path | None = None,
    quick: bool = False,
) -> LiveReproduction:
    """Measure the experiments, and read them; with `folder`, results are stored there and resumed from there.

    Raises `InputError` for what cannot be measured here, before anything of an experiment is made.
    """
    plans = [experiment.plan(catalog, seed, quick=quick) for experiment in experiments]
    lengths = [len(plan.steps()) * plan.step_s + plan.loads_s for plan in plans]
    results = []
    for at, (experiment, plan) in enumerate(zip(experiments, plans, strict=True)):

        def update(share: float, what: str, at: int = at, name: str = experiment.name) -> None:
            done = sum(lengths[:at]) + share * lengths[at]
            progress(done / sum(lengths), f"{name} ({at + 1} of {len(experiments)}): {what}")

        results.append(_measured(plan, folder and folder / f"{experiment.name}.json", update))
    return reproduction(list(zip(experiments, results, strict=True)), seed)


def _measured(plan: Plan, path: Path | None, update: Progress) -> Result:
    """The result of a plan: read where it is complete, else measured from where it was left."""
    if path is not None and path.exists():
        found = read(path)
        if found.complete and found.plan_hash == plan_hash(plan.described()):
            return found
    return measured(plan, out=path, update=update)


def reproduction(results: Sequence[tuple[LiveExperiment, Result]], seed: int) -> LiveReproduction:
    """What the results of experiments say: pure."""
    found = [_findings(experiment, result) for experiment, result in results]
    rows = [row for each in found for row in each.rows]
    orderings = [ordering for each in found for ordering in each.orderings]
    points = [point for each in found for point in each.points.values()]
    judged = [ordering for ordering in orderings if ordering.judged]
    return LiveReproduction(
        version=__version__,
        seed=seed,
        started=min((result.started for _experiment, result in results), default=None),
        ended=max((result.ended for _experiment, result in results if result.ended), default=None),
        environment=results[0][1].environment if results else {},
        experiments=[_described(experiment) for experiment, _result in results],
        points=points,
        rows=rows,
        orderings=orderings,
        share_within=share_within(row for row in rows if row.judged),
        orderings_judged=len(judged),
        orderings_right=sum(ordering.right for ordering in judged),
        passed=passed(rows, orderings),
    )


def _described(experiment: LiveExperiment) -> LiveDescribed:
    return LiveDescribed(
        name=experiment.name,
        title=experiment.title,
        documents=documents(experiment.documents),
        conditions=list(experiment.conditions),
        changes=[Change(what=what, effect=effect) for what, effect in experiment.changes],
    )


def _findings(experiment: LiveExperiment, result: Result) -> LiveFindings:
    setups = {setup.site.name: name for name, setup in experiment.setups.items()}
    buffers = sorted({_buffer(point) for point in result.points})
    pools = dict(zip(buffers, experiment.pools, strict=True))
    several = len(experiment.pools) > 1
    points = {}
    for point in result.points:
        name, pool = setups[point.target], pools[_buffer(point)] if several else ""
        points[name, pool] = _point(experiment, result, point, name, pool)
    findings = LiveFindings(experiment.name, points)
    experiment.read(findings)
    return findings


def _buffer(point: Point) -> int:
    return int(point.settings["buffer_bytes"])


def _point(experiment: LiveExperiment, result: Result, point: Point, name: str, pool: str) -> LivePoint:
    setup, disks = experiment.setups[name], point.attached or []
    if point.transactions is None or not disks:
        raise ValueError("the point is of no database on an attached design")
    target = next(row for row in result.targets if row.name == point.target).known
    devices = list((point.devices or {}).values())
    processor = point.processor
    used = None if processor is None else processor.user + processor.system + processor.steal
    busy = max((device["busy"] for device in devices), default=None)
    return LivePoint(
        experiment=experiment.name,
        setup=name,
        pool=pool,
        design=setup.data,
        log=setup.log,
        speed=setup.speed,
        data_bytes=target.get("data_bytes"),
        buffer_bytes=_buffer(point),
        threads=int(point.settings["threads"]),
        per_s=point.transactions.per_s / setup.speed,
        per_s_clock=point.transactions.per_s,
        reads_per_s=sum(disk.reads_per_s for disk in disks),
        writes_per_s=sum(disk.writes_per_s for disk in disks),
        flushes_per_s=sum(disk.flushes_per_s for disk in disks),
        outstanding=sum(device["queue_depth_mean"] for device in devices) if devices else None,
        read_p50_ns=disks[0].read_p50_ns,
        read_p99_ns=disks[0].read_p99_ns,
        late_share=late_share(disks),
        late_p99_ns=max(disk.lateness.p99_ns for disk in disks),
        busy=busy,
        processors=used,
        unjudged=unjudged(disks, used, busy),
        notes=point.notes,
    )


def unjudged(disks: Sequence[Carried], processors: float | None, busy: float | None) -> Unjudged | None:
    """Why a point says nothing of its design; none where it does."""
    if any(disk.fault for disk in disks):
        return "fault"
    if not on_time(disks):
        return "late"
    idle = busy is not None and busy < DEVICES_BUSY
    return "processors" if idle and (processors or 0.0) > PROCESSORS_BUSY else None
