"""What is compared: designs, a workload at several loads, conditions.

Model. A recording is played as a plan plays it: its busiest stretch, open loop, all times divided by the speed-up, on
drives in the steady state of the whole recording. Counters become the load that `plan` makes of them. A line with
`rate=` is timed, too; without, it is a closed loop, and its loads are queue depths. Left out: the rest of the
recording, whose load is lower.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from drivecast.caching import reuse
from drivecast.caching.reuse import Reuse
from drivecast.catalog import Catalog
from drivecast.document.array_state import Condition
from drivecast.document.outcome import Outcome
from drivecast.document.profile import PeakWindow, Profile
from drivecast.document.versus import By, Played
from drivecast.errors import HintedError, InputError
from drivecast.plan import load as loads
from drivecast.plan.load import Outstanding, Stated, Synthetic, Timed
from drivecast.plan.modelled import played
from drivecast.plan.requirement import Given, Requirements, derive
from drivecast.quantity import number
from drivecast.quantity.year import DAY_S
from drivecast.source.locate import located
from drivecast.stage import model_file, rebuild, trace
from drivecast.stage.cached_design import CachedDesign, is_cached, parse_either
from drivecast.stage.design import Design
from drivecast.stage.simulate import LINES, drive_names, is_line

SPEEDUPS = (1.0, 2.0, 5.0, 10.0)
"""Loads of a timed workload where none are given."""
Compared = Design | CachedDesign

Update = Callable[[float, str], None]


@dataclass(frozen=True)
class Question:
    """What a person wants to know."""

    designs: Sequence[str]
    workload: str
    speedups: Sequence[float] = ()
    iodepths: Sequence[int] = ()
    conditions: Sequence[Condition] = ("healthy",)
    given: Given = field(default_factory=Given)
    write_bytes_per_day: float | None = None
    """In place of what the workload says."""
    peak_window_s: float = 60.0
    trimmed: bool = True
    reading: trace.Reading = trace.AS_IT_IS
    seed: int = 0
    threads: int | None = None
    name: str | None = None
    """What to call the workload, where it is not what it is read from."""


@dataclass(frozen=True)
class Loads:
    """The workload, ready to be played."""

    load: Timed
    profile: Profile
    played: Played
    by: By
    at: tuple[float, ...]
    again: Reuse | None = None
    """How the blocks of a trace are met again, where a design has a cache."""

    def of(self, at: float) -> tuple[Timed | Outstanding, float]:
        """What to play for a load, and at which multiple of its own rate."""
        if self.by == "speedup":
            return self.load, at
        if isinstance(self.load, Synthetic):
            raise TypeError("counters have no requests to keep outstanding")
        return Outstanding(self.load, int(at)), 1.0


def designs(question: Question, catalog: Catalog) -> list[Compared]:
    """The designs, in their order.

    Raises `InputError` where there are fewer than two, one is named twice, or one is not of drives that are bought.
    """
    named = Counter("".join(line.split()) for line in question.designs)
    again = [line for line, count in named.items() if count > 1]
    if again:
        raise HintedError(f"`{again[0]}` is named twice", "name two designs that differ")
    if len(named) < 2:
        raise HintedError("there is nothing to compare with", "name at least two designs")
    for line in question.designs:
        volumes = [name for name in drive_names(line) if name not in catalog.drives and catalog.volume(name)]
        if volumes:
            raise HintedError(
                f"`{line}`: `{volumes[0]}` is rented: it has no failed drives, no price to buy at, and bursts",
                "`drivecast plan LOG --design DESIGN --where any` sets volumes beside drives",
            )
    found = [parse_either(line, catalog) for line in question.designs]
    for design in found:
        sides = (design.fast, design.slow) if isinstance(design, CachedDesign) else (design,)
        broken = any(side.failures_tolerated and not rebuild.is_whole(side.line) for side in sides)
        if broken and [*question.conditions] != ["healthy"]:
            raise HintedError(
                f"`{design.line}`: names failures or spares of its own, and conditions would add to them",
                "leave them out of the design, or give `--condition healthy`",
            )
    return found


@contextmanager
def as_log(question: Question) -> Iterator[tuple[Question, tuple[str, ...]]]:
    """The question with a model as a trace made from it, while the block runs; and what is to be said of the model."""
    found = None if question.workload in LINES else model_file.find(question.workload)
    if found is None:
        yield question, ()
        return
    with played([found], question.seed, question.peak_window_s, accepted=True) as of:
        given = question.given
        if given.hours_per_day is None:
            given = replace(given, hours_per_day=of.hours)
        yield replace(question, workload=str(of.logs[0]), given=given, name=found.stem), of.notes


def opened(question: Question, catalog: Catalog, update: Update) -> tuple[Loads, Requirements]:
    """The workload and what is required of the designs.

    Raises `InputError` for a workload that cannot be read, or loads that it does not have.
    """
    if question.speedups and question.iodepths:
        raise HintedError(
            "--speedup and --iodepth exclude each other: at a queue depth, times of arrival are ignored",
            "give one of them",
        )
    return _stated(question, catalog) if is_line(question.workload) else _logged(question, update)


def _stated(question: Question, catalog: Catalog) -> tuple[Loads, Requirements]:
    """A workload line."""
    if question.given.capacity_bytes is not None:
        raise HintedError(
            "--capacity: a line says itself which share of a design it uses", "write `span=` in it"
        )
    load = Stated(question.workload, question.peak_window_s)
    timed = load.rate_iops is not None
    if question.speedups and not timed:
        raise HintedError(
            f"--speedup: `{load.line}` is a closed loop: each request is issued when another completes",
            "give `--iodepth`, or `rate=` in the line",
        )
    if question.iodepths and timed:
        raise HintedError(
            f"--iodepth: `{load.line}` has a rate of its own",
            "give `--speedup`, or leave `rate=` out of the line",
        )
    by: By = "speedup" if timed else "iodepth"
    at = _rising((question.speedups or SPEEDUPS) if timed else question.iodepths or (load.iodepth,))
    mix = loads.counted(load, catalog, question.seed)
    per_day = question.write_bytes_per_day
    if per_day is None and timed:
        per_day = mix.host_written_bytes / mix.duration_s * DAY_S
    profile = _profile(mix, per_day, timed=timed)
    played = Played(
        name=question.name or load.line,
        source="line",
        iops=mix.iops if timed else None,
        throughput_bytes_per_s=mix.throughput_bytes_per_s if timed else None,
        read_fraction=profile.read_fraction,
        length_s=mix.duration_s if timed else None,
        write_bytes_per_day=per_day,
        notes=[] if per_day is not None or not profile.writes else [UNKNOWN_WRITES],
    )
    # What the designs hold is all that they can.
    needs = derive(replace(question.given, capacity_bytes=1), profile)
    return Loads(load, profile, played, by, at), _unlimited(needs)


UNKNOWN_WRITES = (
    "a closed loop does not say how much is written a day: life is unknown without `--write-per-day`"
)


def _profile(mix: Outcome, per_day: float | None, *, timed: bool) -> Profile:
    """The profile of a line; drives are taken to be at the load of their run all day."""
    requests = mix.read.requests + mix.write.requests
    rate = mix.iops if timed else 1.0
    return Profile(
        source="trace",
        requests=requests,
        reads=mix.read.requests,
        writes=mix.write.requests,
        bytes_read=mix.host_read_bytes if timed else 0,
        bytes_written=mix.host_written_bytes,
        read_fraction=mix.read.requests / requests if requests else None,
        duration_s=mix.duration_s,
        iops_mean=rate,
        write_bytes_per_day=per_day,
        peak_window=PeakWindow(start_s=0.0, length_s=mix.duration_s, iops_mean=rate),
    )


def _logged(question: Question, update: Update) -> tuple[Loads, Requirements]:
    """A trace or a counter log."""
    update(0.0, "reading the log")
    with located([question.workload], update, again=True) as log:
        profile = trace.profile(log.files, question.reading, peak_window_s=question.peak_window_s)
        profile = profile.noted([*log.remarks(question.reading.strict)])
        load = loads.load(log.files, profile, question.reading)
        caches = any(is_cached(line) for line in question.designs) and not isinstance(load, Synthetic)
        again = reuse.of(log.files, question.reading) if caches else None
    if question.iodepths and isinstance(load, Synthetic):
        raise HintedError(
            "--iodepth: a counter log has no requests of its own to keep outstanding", "give `--speedup`"
        )
    if question.write_bytes_per_day is not None:
        profile = profile.model_copy(update={"write_bytes_per_day": question.write_bytes_per_day})
    needs = derive(question.given, profile)
    if question.given.capacity_bytes is not None:
        load = loads.spread(load, needs.capacity_bytes)
    by: By = "iodepth" if question.iodepths else "speedup"
    at = _rising(question.iodepths or question.speedups or SPEEDUPS)
    played = _played(question, profile, timed=by == "speedup")
    return Loads(load, profile, played, by, at, again), _unlimited(needs)


def _played(question: Question, profile: Profile, *, timed: bool) -> Played:
    window, log = profile.peak_window, profile.log
    if window is None or log is None:
        raise InputError("the log has no reads and no writes, so there is nothing to play")
    return Played(
        name=question.name or trace.log_name([question.workload]),
        source=profile.source,
        iops=window.iops_mean if timed else None,
        throughput_bytes_per_s=window.throughput_bytes_per_s if timed else None,
        read_fraction=window.read_fraction,
        length_s=window.length_s,
        extent_bytes=profile.extent_bytes,
        write_bytes_per_day=profile.write_bytes_per_day,
        hash=log.hash,
        notes=log.notes,
    )


def _rising(at: Sequence[float]) -> tuple[float, ...]:
    return tuple(sorted({float(each) for each in at}))


def _unlimited(needs: Requirements) -> Requirements:
    """The requirements without limits on latency: a design keeps up, or it does not."""
    return replace(needs, p99_read_ns=None, p99_write_ns=None, headroom=1.0)


def fits(found: Sequence[Compared], question: Question, needs: Requirements) -> None:
    """Raise `InputError` where a design is too small for what is to be stored on it."""
    if is_line(question.workload):
        return
    least = question.given.capacity_bytes or needs.data_bytes
    for design in found:
        if design.usable_bytes < least:
            raise HintedError(
                f"`{design.line}` holds {number.size(design.usable_bytes)}, and {number.size(least)} are to be stored",
                "name a larger design",
            )
