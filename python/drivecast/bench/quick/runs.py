"""What a quick look measures: few points of each sweep, and two of them again in the end.

| part | runs | for |
|---|---|---|
| depth | random 16 KiB reads, writes and 70 % reads over the depth | knees |
| size | random reads and writes of 4 KiB to 1 MiB at one depth | limits |
| commit | a log of 4 and 16 KiB writes, each flushed | commits |
| jitter | one longer run of 70 % reads | evenness, slowing down |
| again | three runs of the beginning | repeatability |
"""

from collections.abc import Sequence
from dataclasses import replace

from drivecast.bench.job import Engine, Job, line
from drivecast.bench.quick.budget import RUN_S_MAX
from drivecast.document.findings import Setting

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
    """All runs in order, each as long as it may become; see `clock`."""

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
