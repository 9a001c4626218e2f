"""What a quick look measures: few points of each sweep, and two of them again in the end.

| part | runs | for |
|---|---|---|
| depth | random 16 KiB reads, writes and 70 % reads over the depth | knees |
| size | random reads and writes of 4 KiB to 1 MiB at one depth | limits |
| commit | a log of 4 and 16 KiB writes, each flushed | commits |
| jitter | one longer run of 70 % reads | evenness, slowing down |
| again | three runs of the beginning | repeatability |

The time is shared out among the runs as they come. A run gets its share (`weight`) of what is left when all starts
still to come are taken off; what a start takes is assumed at first, then as it was with the runs so far. A busy machine
thus gets shorter runs and not a later end.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

from drivecast.bench.job import Engine, Job, Measure, line
from drivecast.bench.progress import Progress
from drivecast.bench.target import Target
from drivecast.document.findings import Setting
from drivecast.document.result import Point

RUN_S_MAX = 5.0
"""Of a run of weight 1, ramp included."""
RUN_S_MIN = 0.2
RAMP_SHARE = 0.2
"""Of a run, left out of its figures: queues fill within milliseconds, and no cache of the host is warmed."""
START_S = 1.2
"""What starting fio and reading its answer takes. Assumed, until it is known."""

PAGE = 16 << 10
"""A page of InnoDB. PostgreSQL and SQL Server use 8 KiB."""
READ, WRITE, MIXED = (line("random", PAGE, read) for read in (1.0, 0.0, 0.7))
DEPTHS = {READ: (1, 2, 4, 8, 16, 32, 64, 128), WRITE: (1, 4, 16, 64), MIXED: (1, 4, 16, 64)}
SIZES = (4 << 10, 16 << 10, 64 << 10, 256 << 10, 1024 << 10)
SIZE_DEPTH = 16
LONG = 6.0
"""The run that shows the jitter, in short ones."""
AGAIN = ((READ, 1), (READ, SIZE_DEPTH), (WRITE, SIZE_DEPTH))
"""The lone read is the first run, while what lies below may still be busy with the file just written."""
LOG_SIZES = (4 << 10, 16 << 10)


def weights(made: Sequence[Job]) -> list[float]:
    """What share of the time each run gets, a short one's being 1."""
    return [LONG if job.settings["part"] == "jitter" else 1.0 for job in made]


def jobs(engine: Engine, seed: int) -> tuple[Job, ...]:
    """All runs in order, each as long as it may become; see `Clock`."""

    def job(part: str, workload: str, depth: int) -> Job:
        settings: dict[str, Setting] = {"part": part, "series": workload, "iodepth": depth, "engine": engine}
        return Job(workload, RUN_S_MAX, settings=settings, iodepth=depth, engine=engine, seed=seed)

    made = [job("depth", load, depth) for load, depths in DEPTHS.items() for depth in depths]
    for read in (1.0, 0.0):
        for size in SIZES:
            run = job("size", line("random", size, read), SIZE_DEPTH)
            made.append(run.with_settings(block_bytes=size, read_fraction=read))
    for size in LOG_SIZES:
        run = job("commit", line("sequential", size, 0.0), 1).with_settings(block_bytes=size, engine="psync")
        made.append(replace(run, engine="psync", flush_every=1))
    made.append(replace(job("jitter", MIXED, SIZE_DEPTH), runtime_s=RUN_S_MAX * LONG))
    # The same addresses again would be served by a cache that remembers them.
    made += [replace(job("again", load, depth), seed=seed + 1) for load, depth in AGAIN]
    return tuple(made)


class Clock:
    """Gives runs their time; to be made when the first begins."""

    def __init__(
        self, left_s: float, weights: Sequence[float], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._now = now
        self._end_s = now() + left_s
        self._weights = list(weights)
        self._starts_s: list[float] = []

    def timed(self, measure: Measure) -> Measure:
        """`measure`, with the time that the clock has for each job."""

        def run(job: Job, target: Target, update: Progress) -> Point:
            begun_s, length_s = self._now(), self.next_s()
            ramp_s = round(length_s * RAMP_SHARE, 2)
            given = replace(job, ramp_s=ramp_s, runtime_s=round(length_s - ramp_s, 2))
            point = measure(given, target, update)
            self._starts_s.append(max(0.0, self._now() - begun_s - length_s))
            del self._weights[0]
            return point

        return run

    def next_s(self) -> float:
        """Seconds for the next run, ramp included."""
        start_s = fmean(self._starts_s) if self._starts_s else START_S
        left_s = self._end_s - self._now() - start_s * len(self._weights)
        each_s = min(RUN_S_MAX, max(RUN_S_MIN, left_s / sum(self._weights)))
        return each_s * self._weights[0]
