"""A test as it is run: stretch by stretch, each of purge, preconditioning, rounds until they are steady, and the end.

Points carry in `settings` what they are: `part`, `stage` (`precondition`, `round`, `histogram`), `stretch`, `round`,
`read_fraction`, `block_bytes`, `pattern`, `purge` on the first point of a stretch. Nothing else is remembered, so a
run that was interrupted resumes from its points.

A stretch is a time without interruption, and only rounds of one stretch are judged together: a drive that rested has
recovered. After an interruption a part begins a new stretch. Its target is purged and preconditioned again where it
was a file that went with the process, and for write saturation, which is about a history without a gap; a file or
device that is still there keeps its state, and the result states that it was not repeated.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from drivecast.bench.job import Job, Measure
from drivecast.bench.progress import Countdown
from drivecast.bench.pts import specification, steady
from drivecast.bench.pts.purge import Purge, Purged
from drivecast.bench.pts.specification import KIB, Cell, Part, Plan
from drivecast.bench.target import Target
from drivecast.document.findings import End, Setting
from drivecast.document.measurement import grouped
from drivecast.document.outcome import OPS
from drivecast.document.result import Point

KEPT_EVERY_S = 50.0
"""How much of write saturation is not yet kept: less than the specification's minute."""
SLOWEST_BYTES_PER_S = 1e6
"""Preconditioning may take as long as it does at this pace before it is cut off."""


@dataclass(frozen=True)
class Tools:
    """What acts on the target: fio, or a stand-in."""

    measure: Measure
    purge: Purge


def stretches(points: Sequence[Point], part: Part) -> list[list[Point]]:
    """The points of a part by stretch, in order."""
    own = [point for point in points if point.settings.get("part") == part.name]
    return list(grouped(own, lambda point: point.settings["stretch"]).values())


def rounds(points: Sequence[Point]) -> list[list[Point]]:
    """The rounds of a stretch; one that was cut off was never kept."""
    own = [point for point in points if point.settings["stage"] == "round"]
    return list(grouped(own, lambda point: point.settings["round"]).values())


def tracked(whole: Sequence[Sequence[Point]], part: Part) -> dict[str, list[float]]:
    """What the rule looks at: the values of each tracked cell, by round."""
    looked = whole[part.spacing - 1 :: part.spacing]
    return {
        cell.name: [figure(point, part) for group in looked for point in group if is_of(point, cell)]
        for cell in part.tracked
    }


def figure(point: Point, part: Part) -> float:
    """What the part's test reads off a point."""
    if part.quantity == "latency_ns_mean":
        return latency_ns_mean(point)
    return float(getattr(point.outcome, part.quantity)) if point.outcome else 0.0


def latency_ns_mean(point: Point) -> float:
    """Mean latency of reads and writes together; 0 where there was none."""
    return (point.outcome.latency_ns_mean() if point.outcome else None) or 0.0


def latency_ns_max(point: Point) -> float:
    """The longest latency of reads and writes; 0 where there was none."""
    longest = [point.outcome.latency(op, "max") for op in OPS] if point.outcome else []
    return max((latency_ns for latency_ns in longest if latency_ns is not None), default=0.0)


def written_bytes(whole: Sequence[Sequence[Point]]) -> int:
    """What the rounds wrote."""
    return sum(point.outcome.host_written_bytes for group in whole for point in group if point.outcome)


def over(points: Sequence[Point], part: Part, span_bytes: int) -> End | None:
    """Why the rounds of a stretch are at their end: `steady`, `rounds` or `capacity`; none where they continue."""
    whole = rounds(points)
    if len(whole) >= steady.WINDOW * part.spacing and steady.sought(tracked(whole, part)).reached:
        return "steady"
    if part.saturates and written_bytes(whole) >= specification.SATURATION_PASSES * span_bytes:
        return "capacity"
    return "rounds" if len(whole) >= part.rounds_max else None


def finished(points: Sequence[Point], part: Part, span_bytes: int) -> bool:
    """Whether a part needs nothing more."""
    past = stretches(points, part)
    if not past or over(past[-1], part, span_bytes) is None:
        return False
    return not part.histogram_s or any(point.settings["stage"] == "histogram" for point in past[-1])


def run(
    plan: Plan,
    part: Part,
    past: Sequence[Sequence[Point]],
    target: Target,
    tools: Tools,
    countdown: Countdown,
) -> Iterator[list[Point]]:
    """Run a new stretch of a part; yields points whenever there are some worth storing."""
    written = any(point.settings["stage"] == "precondition" for group in past[:1] for point in group)
    standing = bool(past) and not target.made and not part.saturates and (written or not part.passes)
    if standing:
        purged = Purged("not repeated", "interrupted before: purge and preconditioning were not repeated")
    else:
        purged = tools.purge(target)
    run = _Run(plan, part, len(past) + 1, target.at_most(plan.span_bytes), tools.measure, countdown)
    taken: list[Point] = []
    if part.passes and not standing:
        taken = [_marked(run.precondition(), purged)]
        yield [*taken]
    unkept: list[Point] = []
    for count in range(1, part.rounds_max + 1):
        group = [run.cell(place, count) for place in range(len(part.cells))]
        if not taken:
            group[0] = _marked(group[0], purged)
        taken += group
        unkept += group
        ended = over(taken, part, plan.span_bytes)
        # Saturation in steps of a second would be spent on writing the result down.
        if ended or not part.saturates or len(unkept) * plan.step_s >= KEPT_EVERY_S:
            yield unkept
            unkept = []
        if ended:
            break
    if part.histogram_s:
        yield [run.histogram()]


def _marked(point: Point, purged: Purged) -> Point:
    return point.model_copy(
        update={
            "settings": {**point.settings, "purge": purged.method},
            "notes": [*point.notes, purged.detail],
        }
    )


@dataclass(frozen=True)
class _Run:
    """One stretch of one part on one target."""

    plan: Plan
    part: Part
    stretch: int
    target: Target
    measure: Measure
    countdown: Countdown

    def precondition(self) -> Point:
        """Write the span in order, as often as the part asks for."""
        total = self.part.passes * self.target.bytes
        job = replace(
            self._job(
                Cell(0, specification.PRECONDITION_BYTES, "sequential"), "precondition", specification.IODEPTH
            ),
            runtime_s=total / SLOWEST_BYTES_PER_S + 60,
            threads=1,
            bytes_at_most=total,
        )
        return self._taken(job, total / specification.WRITE_BYTES_PER_S, f"{self.part.name}: preconditioning")

    def cell(self, place: int, count: int) -> Point:
        """Measure one cell of a round."""
        cell = self.part.cells[place]
        base = self._job(cell, "round", self.part.iodepth, {"round": count})
        # No two cells ask for the same addresses in the same order: a cache would know them.
        job = replace(base, seed=self.plan.seed + count * len(self.part.cells) + place)
        what = f"{self.part.name}: round {count} of at most {self.part.rounds_max}, {cell.name}"
        return self._taken(job, self.plan.step_s, what)

    def histogram(self) -> Point:
        """Run 0/100 4 KiB for long, for its distribution."""
        job = replace(
            self._job(Cell(0, 4 * KIB), "histogram", self.part.iodepth), runtime_s=self.part.histogram_s
        )
        return self._taken(job, self.part.histogram_s, f"{self.part.name}: distribution of latencies")

    def _job(self, cell: Cell, stage: str, iodepth: int, more: Mapping[str, Setting] | None = None) -> Job:
        """A cell for as long as a step."""
        settings: dict[str, Setting] = {
            "part": self.part.name,
            "stage": stage,
            "stretch": self.stretch,
            **(more or {}),
            "read_fraction": cell.read_fraction,
            "block_bytes": cell.block_bytes,
            "pattern": cell.pattern,
            "iodepth": iodepth,
            "threads": 1 if stage == "precondition" else self.plan.threads,
        }
        return Job(
            cell.line(iodepth),
            self.plan.step_s,
            settings=settings,
            threads=self.plan.threads,
            engine=self.plan.engine,
            seed=self.plan.seed,
        )

    def _taken(self, job: Job, length_s: float, what: str) -> Point:
        report = self.countdown.step(length_s, what)
        # Preconditioning has more time than it is expected to take.
        scale = job.runtime_s / length_s
        return self.measure(job, self.target, lambda share, detail: report(min(1.0, share * scale), detail))


def is_of(point: Point, cell: Cell) -> bool:
    """Whether a point measured this cell."""
    settings = point.settings
    return settings["read_fraction"] == cell.read_fraction and settings["block_bytes"] == cell.block_bytes
