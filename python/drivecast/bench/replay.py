"""A trace, a model or a line played on a real target, each request at its own time. Thin over `_core`.

Deadlines are absolute: a late request does not delay those after it, and its wait counts in its latency. How late
requests were issued is reported next to the outcome (`lag_ns`): with a lag as long as the latencies, the machine was
measured and not the target. A run that is interrupted, or whose target fails, reports what it measured until then, and
why it ended (`partial`). See `docs/explanation/replay.md`.

Replays on several targets in turn are one result that can be resumed. A point is one replay on one target; one that
ended early is stored and says so, and the same plan plays it again.
"""

import math
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from drivecast import _core
from drivecast.bench.environment import Watch, machine, storage
from drivecast.bench.job import Job
from drivecast.bench.journal import Journal, Store, begun
from drivecast.bench.progress import Countdown, Progress, elapsed
from drivecast.bench.target import Target, opened, refuse_twice
from drivecast.document.findings import Setting
from drivecast.document.outcome import Outcome
from drivecast.document.result import Point, Result
from drivecast.errors import InputError, NoRoomError
from drivecast.stage import simulate as simulation
from drivecast.stage.simulate import recast, workload
from drivecast.thread import beside, heard

UNKNOWN_S = 60.0
"""Assumed for progress, where the length of a replay is unknown."""

LINE_BYTES = 1 << 30
"""Size of the file made for a line, which fits anywhere."""

_MEMORY = frozenset({"tmpfs", "ramfs"})


@dataclass(frozen=True)
class Options:
    """How to play."""

    seed: int = 0
    start_s: float = 0.0
    length_s: float | None = None
    duration_s: float | None = None
    requests: int | None = None
    ramp_s: float = 0.0
    """Left out of the figures."""
    speedup: float = 1.0
    idle_s: float | None = None
    """Idle time of a trace above this is cut."""
    iodepth: int | None = None
    """As fast as possible with this many outstanding, instead of at the trace's times."""
    own_depth: bool = False
    """As fast as possible with as many outstanding as the trace had at each request."""
    pack: bool = False
    """Whether the regions that a trace touches are moved together."""
    wrap: bool = False
    """Whether requests behind the end of the target move into it."""

    def of_run(self) -> simulation.Options:
        """As the core takes them."""
        shared = {name: getattr(self, name) for name in SHARED}
        return simulation.Options(**shared, warmup_s=self.ramp_s)

    def settings(self) -> dict[str, Setting]:
        """What was chosen, for the point's own settings."""
        plain = vars(Options(seed=self.seed))
        return {name: value for name, value in vars(self).items() if value != plain[name]}


SHARED = {option.name for option in fields(Options)} & {option.name for option in fields(simulation.Options)}
"""What both a replay and a simulated run have."""


def replay(load: _core.Workload, target: Target, options: Options, update: Progress) -> Outcome:
    """Play `load`, already prepared, on `target`; the outcome, with `lag_ns`.

    SIGINT and SIGTERM end it: `partial` has that, or why the target failed. Raises `InputError` when
    requests lie behind the target's end, or nothing can be played on it.
    """
    span = load.span_bytes
    if span is not None and span > target.bytes and not options.wrap:
        raise NoRoomError(
            f"the trace reaches {span / 1e9:,.2f} GB, and {target.name} holds {target.bytes / 1e9:,.2f} GB",
            "`--pack` moves the regions that it touches together, `--wrap` moves what lies behind the end into it",
            needed_bytes=span,
            free_bytes=target.bytes,
        )
    stop = _core.Stop()

    def play() -> dict[str, Any]:
        return _core.replay(
            target.path, load, options.of_run(), name=target.name, may_write=target.may_write, stop=stop
        )

    with _ended_by_signal(stop):
        found = beside(play, elapsed(expected_s(load, options), update))
    return Outcome.model_validate({**found, "target": {"name": target.name, "bytes": target.bytes}})


@contextmanager
def _ended_by_signal(stop: _core.Stop) -> Iterator[None]:
    """While the block lasts, the first SIGINT or SIGTERM asks the run to end; the second leaves it."""

    def ask(_number: int, _frame: object) -> None:
        stop.ask()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if threading.current_thread() is threading.main_thread():
        with heard(ask, signal.SIGINT, signal.SIGTERM):
            yield
    else:
        yield


def expected_s(load: _core.Workload, options: Options) -> float:
    """How long the run lasts; infinite where that is unknown."""
    if options.duration_s is not None:
        return options.ramp_s + options.duration_s
    if options.iodepth is not None or options.own_depth or load.duration_s is None:
        return math.inf
    whole = max(0.0, load.duration_s - options.start_s)
    return min(whole, options.length_s or whole) / options.speedup


def point(
    load: _core.Workload,
    target: Target,
    options: Options,
    update: Progress,
    *,
    text: str,
    settings: dict[str, Setting],
    digest: str | None = None,
) -> Point:
    """Play `load` (prepared) on `target`, as a point of a result; `text` is what the user calls the workload."""
    started = datetime.now(UTC)
    with Watch(target.path) as watch:
        outcome = replay(load, target, options, update)
        watch.own(outcome.host_read_bytes, outcome.host_written_bytes)
    return Point(
        target=target.name,
        settings={**options.settings(), **settings},
        workload=text,
        workload_hash=digest,
        span_bytes=load.span_bytes or target.bytes,
        started=started.isoformat(timespec="milliseconds"),
        ramp_s=options.ramp_s,
        outcome=outcome,
        processor=watch.processor,
        lag_ns=outcome.lag_ns,
        noise=watch.noise,
        notes=_notes(target, outcome),
    )


def _notes(target: Target, outcome: Outcome) -> list[str]:
    notes = ["played by drivecast's own io_uring engine, direct"]
    if outcome.partial:
        notes.append(f"partial: {outcome.partial}")
    if outcome.widened:
        notes.append(f"{outcome.widened} requests were widened to whole sectors")
    if outcome.discards_left_out:
        notes.append(f"{outcome.discards_left_out} discards were left out")
    mount = storage(target.path)["mount"]
    if mount and mount["file_system"] in _MEMORY:
        notes.append(f"the target lies on {mount['file_system']}: memory was measured, and no disk")
    return notes


def measure(job: Job, target: Target, update: Progress) -> Point:
    """Play `job` on `target`: what fio plays as well, and traces.

    Raises `InputError` for what only another engine does: buffered or other calls than io_uring's, an end by bytes.
    """
    if job.engine != "io_uring" or not job.direct or job.bytes_at_most is not None:
        raise InputError("the replayer uses io_uring past the page cache, and ends by time")
    options = Options(seed=job.seed, duration_s=job.runtime_s, ramp_s=job.ramp_s)
    load = workload(job.workload, seed=job.seed)
    text, digest = job.workload, None
    if _is_trace(job.workload):
        options = replace(options, iodepth=job.iodepth)
    else:
        from drivecast.bench.fio.workload import played  # noqa: PLC0415 (slow to import, and traces need none of it)

        chosen = played(job, target.bytes)
        text, digest = chosen.text, chosen.hash
        load = workload(text, seed=job.seed)
    return point(load, target, options, update, text=text, settings=dict(job.settings), digest=digest)


def _is_trace(text: str) -> bool:
    """Whether `text` names neither a line nor a model."""
    return "(" not in text and not text.endswith(".toml") and ("/" in text or Path(text).exists())


@dataclass(frozen=True)
class Plan:
    """What is played, on what, how often."""

    workload: str
    on: tuple[str, ...]
    options: Options
    repeats: int = 1
    size_bytes: int | None = None
    """Of a file that is made; none: what the trace reaches."""
    destroy: tuple[str, ...] = ()
    """Full names of targets that may be overwritten."""

    def decides(self) -> dict[str, Any]:
        """All that decides what is measured."""
        return {name: value for name, value in asdict(self).items() if name != "destroy"}


def play(plan: Plan, load: _core.Workload, result: Result, store: Store, update: Progress) -> Result:
    """Play `load` by `plan`, stored after each point; the result is partial where a run ended early.

    Raises `InputError` where a target cannot be used.
    """
    refuse_twice(plan.on, "`--repeats` plays it more often")
    load = recast(load, pack=plan.options.pack, idle_s=plan.options.idle_s)
    journal = Journal(result, store, planned=len(plan.on) * plan.repeats)
    journal.replace([made for made in result.points if not (made.outcome and made.outcome.partial)])
    names = {row.name: row.on for row in result.targets}
    done = {(names[made.target], made.settings["repeat"]) for made in journal.points}
    length_s = expected_s(load, plan.options)
    length_s = length_s if length_s < float("inf") else UNKNOWN_S
    countdown = Countdown(length_s * len(plan.on) * plan.repeats, update, done_s=length_s * len(done))
    with journal.measuring():
        for on in plan.on:
            left = [repeat for repeat in range(1, plan.repeats + 1) if (on, repeat) not in done]
            if not left:
                continue
            with opened(
                on,
                need_bytes=plan.size_bytes or load.span_bytes or LINE_BYTES,
                writes=load.writes,
                destroy=on if on in plan.destroy else next(iter(plan.destroy), None),
                update=countdown.step(0.0, f"on {on}"),
            ) as target:
                journal.add_target({**target.row(on), "on": on})
                for repeat in left:
                    report = countdown.step(length_s, f"on {on}")
                    settings: dict[str, Setting] = {"repeat": repeat}
                    found = point(load, target, plan.options, report, text=plan.workload, settings=settings)
                    journal.add(found)
                    if reason := found.outcome and found.outcome.partial:
                        return journal.end(f"`{target.name}`: {reason}")
    return journal.end()


def begun_by(plan: Plan) -> Result:
    """Return a result of a plan without points."""
    title = f"{plan.workload} played on {', '.join(plan.on)}"
    return begun("replay", title, plan.decides(), plan.options.seed, machine())
