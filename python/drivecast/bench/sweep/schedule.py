"""What each sweep measures: its jobs, in the order in which every target plays them.

| sweep | varied | held | shows |
|---|---|---|---|
| depth | outstanding requests of one thread | workload | the knee, and latency behind it |
| threads | threads with one request each | workload | the same for programs that wait for each request |
| matrix | request size, share of reads | depth | limits, and what mixing costs |
| sync | threads that wait, or one that does not | workload, requests outstanding | what waiting costs |
| warmup | time, in hours | workload, depth | when the warm-up ends |
| jitter | time, in seconds | workload, depth | how even it is |

Reads come before writes, and few outstanding before many: writes leave a drive in another state than they found it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from drivecast.bench.campaign import Place, carry_out_on
from drivecast.bench.job import DEPTH_MAX, Engine, Job, Measure, line
from drivecast.bench.journal import Journal, Store
from drivecast.bench.progress import Progress
from drivecast.bench.sweep.analysis import of_sweep
from drivecast.document.findings import Setting
from drivecast.document.findings import SweepKind as Kind
from drivecast.document.result import Result
from drivecast.errors import HintedError, InputError
from drivecast.quantity import parse as quantity
from drivecast.stage.simulate import workload as open_workload

T = TypeVar("T")

TITLES: dict[Kind, str] = {
    "depth": "queue depth",
    "threads": "threads",
    "matrix": "sizes and mixes",
    "sync": "waiting or not",
    "warmup": "warm-up",
    "jitter": "jitter",
}
COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
SIZES = tuple(kib << 10 for kib in (4, 8, 16, 32, 64, 128, 256, 1024))
MIXES = (1.0, 0.7, 0.5, 0.3, 0.0)
WORKLOADS = ("random(16KiB, read=1)", "random(16KiB, read=0)")
"""16 KiB: a page of InnoDB."""
LONG_WORKLOADS: dict[Kind, tuple[str, ...]] = {
    "warmup": ("random(16KiB, read=0)",),
    "jitter": ("random(16KiB, read=0.7)",),
}
"""Writes are what warms up; a mix is what databases see from second to second."""
RUNTIME_S: dict[Kind, float] = {"matrix": 20.0, "jitter": 600.0, "warmup": 7200.0}
RUNTIME_S_ELSE = 30.0
RAMP_S = 5.0
IODEPTH = 32
THREADS_MAX = 1024
SIZE_BYTES_MIN = 16 << 20
"""On less, requests meet each other all the time."""
PART_S = 600.0
"""A long run is measured in parts of at most this, so that an interruption loses no more; between them fio restarts."""

KINDS_OF: dict[str, tuple[Kind, ...]] = {
    "values": ("depth", "threads", "sync"),
    "sizes": ("matrix",),
    "mixes": ("matrix",),
    "iodepth": ("matrix", "warmup", "jitter"),
    "workload": ("depth", "threads", "sync", "warmup", "jitter"),
    "repeats": ("depth", "threads", "matrix", "sync"),
}
"""The kinds of sweep that an option applies to."""


@dataclass(frozen=True)
class Request:
    """The options of a sweep; `None` leaves the choice to the kind."""

    kind: Kind
    workload: Sequence[str] | None = None
    values: str | None = None
    sizes: str | None = None
    mixes: str | None = None
    iodepth: int | None = None
    pattern: str = "random"
    runtime: float | None = None
    ramp: float | None = None
    repeats: int = 1
    engine: Engine | None = None
    seed: int = 0


@dataclass(frozen=True)
class Sweep:
    """A sweep to be carried out."""

    kind: Kind
    jobs: tuple[Job, ...]


def planned(request: Request) -> Sweep:
    """Return the sweep. Raises `InputError` that names the option which does not apply or cannot be read."""
    _refuse_foreign(request)
    _refuse_engine(request)
    base = Job(
        "",
        request.runtime or RUNTIME_S.get(request.kind, RUNTIME_S_ELSE),
        RAMP_S if request.ramp is None else request.ramp,
        engine=request.engine or ("psync" if request.kind == "threads" else "io_uring"),
        seed=request.seed,
    )
    match request.kind:
        case "depth" | "threads" | "sync":
            jobs = _counted(request, base)
        case "matrix":
            jobs = _matrix(request, base)
        case "warmup" | "jitter":
            jobs = _long(request, base)
    for text in dict.fromkeys(job.workload for job in jobs):
        open_workload(text)
    if request.kind not in LONG_WORKLOADS:
        # The whole sweep at a time: what drifts then shows in all of them.
        jobs = [
            replace(job.with_settings(repeat=repeat), seed=job.seed + repeat)
            for repeat in range(request.repeats)
            for job in jobs
        ]
    return Sweep(request.kind, tuple(jobs))


def swept(
    sweep: Sweep, place: Place, result: Result, measure: Measure, store: Store, update: Progress
) -> Result:
    """Carry a sweep out on its targets. Raises `InputError` for targets that cannot be used."""
    if (place.size_bytes or 0) < SIZE_BYTES_MIN:
        raise InputError(
            f"--size: expected at least {SIZE_BYTES_MIN >> 20}MiB, found {place.size_bytes} bytes"
        )
    return carry_out_on(
        place,
        sweep.jobs,
        measure,
        Journal(result, store, partial(of_sweep, sweep.kind), len(sweep.jobs) * len(place.on)),
        update,
        need_bytes=place.size_bytes or 0,
    )


def _counted(request: Request, base: Job) -> list[Job]:
    """More and more outstanding: of one thread, of threads that each wait for their request, or of both."""
    most = DEPTH_MAX if request.kind == "depth" else THREADS_MAX
    counts = sorted(_listed("values", lambda word: quantity.count(word, most), request.values, COUNTS))
    jobs = []
    for text in request.workload or WORKLOADS:
        for n in counts:
            if request.kind == "threads":
                jobs.append(_job(base, text, 1, threads=n))
            if request.kind == "sync":
                jobs.append(_job(base, text, 1, threads=n, engine="psync"))
            if request.kind != "threads":
                jobs.append(_job(base, text, n))
    return jobs


def _matrix(request: Request, base: Job) -> list[Job]:
    """Every size with every share of reads."""
    sizes = _listed("sizes", quantity.size_bytes, request.sizes, SIZES)
    mixes = _listed("mixes", _share, request.mixes, MIXES)
    return [
        _job(base, line(request.pattern, size, mix), request.iodepth or IODEPTH).with_settings(
            block_bytes=size, read_fraction=mix
        )
        for mix in sorted(mixes, reverse=True)
        for size in sorted(sizes)
    ]


def _long(request: Request, base: Job) -> list[Job]:
    """Each workload for long, in parts of equal length; only the first has a ramp."""
    count = math.ceil(base.runtime_s / PART_S)
    return [
        replace(
            _job(base, text, request.iodepth or IODEPTH).with_settings(stretch=stretch),
            runtime_s=base.runtime_s / count,
            ramp_s=base.ramp_s if stretch == 0 else 0.0,
            # Stretches with one seed would go to the same addresses again.
            seed=base.seed + stretch,
        )
        for text in request.workload or LONG_WORKLOADS[request.kind]
        for stretch in range(count)
    ]


def _job(base: Job, text: str, iodepth: int, *, threads: int = 1, engine: Engine | None = None) -> Job:
    engine = engine or base.engine
    settings: dict[str, Setting] = {"series": text, "iodepth": iodepth, "threads": threads, "engine": engine}
    return replace(base, workload=text, settings=settings, iodepth=iodepth, threads=threads, engine=engine)


def _refuse_foreign(request: Request) -> None:
    for name, kinds in KINDS_OF.items():
        given = getattr(request, name) not in (None, (), [], 1 if name == "repeats" else None)
        if given and request.kind not in kinds:
            raise HintedError(
                f"--{name}: does not apply to `sweep {request.kind}`", f"it is for {', '.join(kinds)}"
            )


def _refuse_engine(request: Request) -> None:
    if request.engine == "psync" and request.kind == "sync":
        raise HintedError("--engine: `psync` is what the other engine is compared with", "io_uring or libaio")
    if request.engine == "psync" and request.kind == "depth":
        raise HintedError(
            "--engine: psync keeps one request outstanding whatever the depth", "`bench sweep threads`"
        )


def _listed(name: str, parse: Callable[[str], T], text: str | None, default: Sequence[T]) -> Sequence[T]:
    return default if text is None else quantity.several(f"--{name}", parse, text)


def _share(word: str) -> float:
    share = quantity.fraction_or_more(word)
    if not 0 <= share <= 1:
        raise InputError(f"expected shares from 0 to 100% such as 100%,70%,0%, found `{word}`")
    return share
