"""What each sweep measures: its jobs, in the order in which every target plays them.

| sweep | varied | held | shows |
|---|---|---|---|
| depth | outstanding requests of one thread | workload | the knee, and latency behind it |
| threads | threads with one request each | workload | the same for programs that wait for each request |
| matrix | request size, share of reads | depth | limits, and what mixing costs |
| sync | threads that wait, or one that does not | workload, requests outstanding | what waiting costs |
| warmup | time, in hours | workload, depth | when the first minutes stop being told |
| jitter | time, in seconds | workload, depth | how even it is |

Reads come before writes, and few outstanding before many: writes leave a drive in another state than they found it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from drivecast.bench.measure import Engine, Job

Kind = Literal["depth", "threads", "matrix", "sync", "warmup", "jitter"]

TITLES: dict[Kind, str] = {
    "depth": "queue depth",
    "threads": "threads",
    "matrix": "sizes and mixes",
    "sync": "waiting or not",
    "warmup": "warm-up",
    "jitter": "jitter",
}
DEPTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
SIZES = tuple(kib << 10 for kib in (4, 8, 16, 32, 64, 128, 256, 1024))
MIXES = (1.0, 0.7, 0.5, 0.3, 0.0)
WORKLOADS = ("random(16KiB, read=1)", "random(16KiB, read=0)")
"""What database pages ask of a disk; the papers measure with this size too."""

PART_S = 600.0
"""A long run is measured in parts of at most this, so that no more is lost; between them a program starts."""


@dataclass(frozen=True)
class Timing:
    """How long each point is measured, and how often."""

    runtime_s: float
    ramp_s: float = 0.0
    repeats: int = 1
    seed: int = 0


@dataclass(frozen=True)
class Sweep:
    """A sweep to be carried out."""

    kind: Kind
    jobs: tuple[Job, ...]

    @property
    def length_s(self) -> float:
        """How long the jobs take on one target."""
        return sum(job.ramp_s + job.runtime_s for job in self.jobs)


def depth(workloads: Sequence[str], depths: Sequence[int], timing: Timing, engine: Engine) -> Sweep:
    """More and more outstanding requests of one thread."""
    jobs = [_job(load, timing, iodepth=n, engine=engine) for load in workloads for n in sorted(depths)]
    return Sweep("depth", _repeated(jobs, timing))


def threads(workloads: Sequence[str], counts: Sequence[int], timing: Timing, engine: Engine) -> Sweep:
    """More and more threads, each of which waits for its request."""
    jobs = [
        _job(load, timing, iodepth=1, threads=n, engine=engine) for load in workloads for n in sorted(counts)
    ]
    return Sweep("threads", _repeated(jobs, timing))


def matrix(
    sizes: Sequence[int], mixes: Sequence[float], iodepth: int, pattern: str, timing: Timing, engine: Engine
) -> Sweep:
    """Every size with every share of reads."""
    jobs = []
    for mix in sorted(mixes, reverse=True):
        for size in sorted(sizes):
            job = _job(line(pattern, size, mix), timing, iodepth=iodepth, engine=engine)
            jobs.append(replace(job, settings={**job.settings, "block_bytes": size, "read_fraction": mix}))
    return Sweep("matrix", _repeated(jobs, timing))


def sync(workloads: Sequence[str], counts: Sequence[int], timing: Timing, engine: Engine) -> Sweep:
    """As many requests outstanding from threads that wait as from one that does not."""
    jobs = []
    for load in workloads:
        for n in sorted(counts):
            jobs.append(_job(load, timing, iodepth=1, threads=n, engine="psync"))
            jobs.append(_job(load, timing, iodepth=n, engine=engine))
    return Sweep("sync", _repeated(jobs, timing))


def long(
    kind: Literal["warmup", "jitter"], workloads: Sequence[str], iodepth: int, timing: Timing, engine: Engine
) -> Sweep:
    """Each workload for long, in parts of equal length; only the first has a ramp."""
    count = math.ceil(timing.runtime_s / PART_S)
    jobs = []
    for load in workloads:
        for stretch in range(count):
            job = _job(load, timing, iodepth=iodepth, engine=engine)
            length = timing.runtime_s / count
            ramp = timing.ramp_s if stretch == 0 else 0.0
            settings = {**job.settings, "stretch": stretch}
            # Stretches with one seed would go to the same addresses again.
            seed = timing.seed + stretch
            jobs.append(replace(job, runtime_s=length, ramp_s=ramp, settings=settings, seed=seed))
    return Sweep(kind, tuple(jobs))


def line(pattern: str, size: int, read: float) -> str:
    """A workload as a line."""
    words = f"{size >> 10}KiB" if size % 1024 == 0 else f"{size}B"
    return f"{pattern}({words}, read={read:g})"


def _job(workload: str, timing: Timing, *, iodepth: int, engine: Engine, threads: int = 1) -> Job:
    return Job(
        workload,
        timing.runtime_s,
        timing.ramp_s,
        settings={"series": workload, "iodepth": iodepth, "threads": threads, "engine": engine},
        iodepth=iodepth,
        threads=threads,
        engine=engine,
        seed=timing.seed,
    )


def _repeated(jobs: Sequence[Job], timing: Timing) -> tuple[Job, ...]:
    """The jobs over and over, the whole sweep at a time: what drifts then shows in all of them."""
    return tuple(
        replace(job, settings={**job.settings, "repeat": repeat}, seed=job.seed + repeat)
        for repeat in range(timing.repeats)
        for job in jobs
    )
