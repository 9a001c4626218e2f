"""A trace, a model or a line played on a real target, each request at its own time. Thin over `_core`.

Deadlines are absolute: a late request does not delay those after it, and its wait counts in its latency. How late
requests were issued is reported next to the outcome (`lag_ns`): with a lag as long as the latencies, the machine was
measured and not the target. A run that is interrupted, or whose target fails, reports what it measured until then, and
why it ended (`partial`). See `docs/explanation/replay.md`.
"""

import math
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from drivecast import _core
from drivecast.bench.environment import Watch, storage
from drivecast.bench.job import Job
from drivecast.bench.progress import Progress, elapsed
from drivecast.bench.target import Target
from drivecast.document.findings import Setting
from drivecast.document.outcome import Outcome
from drivecast.document.result import Point
from drivecast.errors import InputError
from drivecast.stage import simulate as simulation
from drivecast.stage.simulate import recast, workload
from drivecast.thread import beside

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
        return simulation.Options(
            seed=self.seed,
            start_s=self.start_s,
            length_s=self.length_s,
            duration_s=self.duration_s,
            requests=self.requests,
            warmup_s=self.ramp_s,
            speedup=self.speedup,
            iodepth=self.iodepth,
            own_depth=self.own_depth,
            wrap=self.wrap,
        )

    def settings(self) -> dict[str, Setting]:
        """What was chosen, for the point's own settings."""
        plain = Options(seed=self.seed)
        named = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: value for name, value in named.items() if value != getattr(plain, name)}


def prepared(load: _core.Workload, options: Options) -> _core.Workload:
    """`load` as it is to be played: packed, and with its idle time cut. Raises `InputError` where it is no trace."""
    return recast(load, pack=options.pack, idle_s=options.idle_s)


def need_bytes(load: _core.Workload, size: int | None) -> int:
    """Room that the workload takes: `size` where it was given."""
    return size or load.span_bytes or LINE_BYTES


def replay(load: _core.Workload, target: Target, options: Options, update: Progress) -> Outcome:
    """Play `load`, already prepared, on `target`; the outcome, with `lag_ns`.

    SIGINT and SIGTERM end it: `partial` has that, or why the target failed. Raises `InputError` when
    requests lie behind the target's end, or nothing can be played on it.
    """
    span = load.span_bytes
    if span is not None and span > target.bytes and not options.wrap:
        raise InputError(
            f"the trace reaches {span / 1e9:,.2f} GB, and {target.name} holds {target.bytes / 1e9:,.2f} GB\n"
            "hint: `--pack` moves the regions that it touches together, `--wrap` moves what lies behind the end into it"
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
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(_number: int, _frame: object) -> None:
        stop.ask()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
