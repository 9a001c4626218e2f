"""Many runs: designs by workloads by queue depths, on all cores or on any executor.

Each design and workload is a task (`task`), so that drives are brought to steady state once for all depths. In this
process, where drives in steady state can be shared, its first depth comes first and the others are tasks of their own
where there are fewer pairs than cores. Results come in the order of the arguments whatever ends first, and each run
has random numbers of its own: the frame is the same on any number of threads, processes or machines.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from itertools import product
from os import PathLike
from typing import TYPE_CHECKING, Any

from drivecast._core import Kept
from drivecast.api import catalog_mapping, views
from drivecast.api.task import Loads, Task, done
from drivecast.api.workload_value import workload
from drivecast.document.outcome import Outcome
from drivecast.executors import Job, Workers
from drivecast.stage.design import shape
from drivecast.stage.simulate import KEPT_BYTES_MAX, Options, State

if TYPE_CHECKING:
    import polars as pl

    from drivecast.api.workload_value import Source

QUANTILES = {"p50": "q0.5", "p90": "q0.9", "p99": "q0.99", "p999": "q0.999"}

views.register()


def sweep(
    designs: str | Sequence[str],
    workloads: "Source | Sequence[Source]",
    *,
    iodepth: Sequence[int] | None = None,
    requests: int | None = None,
    duration_s: float | None = None,
    speedup: float = 1.0,
    fill: float = 1.0,
    state: State = "steady",
    seed: int = 0,
    catalog: Sequence[str | PathLike[str]] = (),
    executor: Executor | None = None,
    progress: Callable[[float, str], None] = lambda _share, _what: None,
) -> "pl.DataFrame":
    """Every workload on every design, at every queue depth.

    Parameters
    ----------
    designs
        Design lines.
    workloads
        Lines, traces, models, frames, or what `drivecast.workload` made of them.
    iodepth
        Queue depths; by default that of each workload.
    requests, duration_s, speedup, fill, state, seed, catalog
        As `drivecast.simulate` takes them.
    executor
        Where the runs are made: any `concurrent.futures.Executor`, such as that of a Dask client
        (`client.get_executor()`). By default threads of this process, one a core. Logs are read here, and their
        requests sent to the workers once. Ctrl-C leaves at once: nothing more begins.
    progress
        Takes the share that is done, in [0, 1], and the design that was.

    Returns
    -------
    polars.DataFrame
        A row a run, in the order of the arguments: `design`, `workload`, `iodepth`, `iops`, `throughput_bytes_per_s`,
        `read_iops`, `read_p50_ns` … `write_p999_ns`, `write_amplification`, `utilization`, `saturated`.

    Raises
    ------
    InputError
        For designs or workloads that cannot be played, and for workers that cannot be reached, or have another
        version of drivecast.

    Examples
    --------
    >>> import drivecast as dc
    >>> runs = dc.sweep("samsung-pm893-960gb", "random(4KiB, read=1)", iodepth=[1, 8], requests=1000)
    >>> runs["iodepth"].to_list()
    [1, 8]
    """
    import polars as pl  # noqa: PLC0415 (slow to import)

    lines = [designs] if isinstance(designs, str) else [*designs]
    values = [workload(each) for each in _several(workloads)]
    options = Options(
        seed=seed, duration_s=duration_s, requests=requests, speedup=speedup, fill=fill, state=state
    )
    depths: tuple[int | None, ...] = (None,) if iodepth is None else tuple(dict.fromkeys(iodepth))
    drives = catalog_mapping.of(tuple(catalog))
    for line in lines:  # a mistake in the last one is said at once
        shape(line, drives)
    opened = [value.opened(replace(options, iodepth=depths[0])) for value in values]
    loads = Loads(drives, opened, [value.text for value in values])
    tasks = [Task(line, load, depths) for line, load in product(lines, range(len(values)))]
    with Workers(executor).job(loads) as job:
        found = _found(job, tasks, progress)
    return pl.DataFrame(
        [
            _row(task, depth, outcome)
            for task, outcomes in zip(tasks, found, strict=True)
            for depth, outcome in zip(depths, outcomes, strict=True)
        ],
        infer_schema_length=None,
    )


def _several(workloads: Any) -> list[Any]:
    return [*workloads] if isinstance(workloads, list | tuple) else [workloads]


def _found(
    job: Job[Loads], tasks: Sequence[Task], progress: Callable[[float, str], None]
) -> list[list[Outcome]]:
    """The outcomes of each task, in the order of its depths."""
    found: dict[tuple[int, int | None], Outcome] = {}
    total = sum(len(task.iodepths) for task in tasks)
    for parts in _stages(job.workers, tasks):
        for place, outcomes in job.each(done, [part for _, part in parts]):
            at, part = parts[place]
            found |= {(at, depth): outcome for depth, outcome in zip(part.iodepths, outcomes, strict=True)}
            progress(len(found) / total, part.design)
    return [[found[at, depth] for depth in task.iodepths] for at, task in enumerate(tasks)]


def _stages(workers: Workers, tasks: Sequence[Task]) -> list[list[tuple[int, Task]]]:
    """The tasks with their places; where there are few, their first depths, then all others, which begin from these."""
    if not workers.is_here or len(tasks) >= workers.parallel:
        return [[*enumerate(tasks)]]
    sharing = [*enumerate(replace(task, kept=Kept(KEPT_BYTES_MAX)) for task in tasks)]
    return [
        [(at, replace(task, iodepths=task.iodepths[:1])) for at, task in sharing],
        [(at, replace(task, iodepths=(depth,))) for at, task in sharing for depth in task.iodepths[1:]],
    ]


def _row(task: Task, depth: int | None, outcome: Outcome) -> dict[str, Any]:
    row: dict[str, Any] = {
        "design": task.design,
        "workload": outcome.workload,
        "iodepth": depth,
        "iops": float(outcome.iops),
        "throughput_bytes_per_s": float(outcome.throughput_bytes_per_s),
    }
    for op in ("read", "write"):
        row[f"{op}_iops"] = float(outcome.stream(op).iops)
        row |= {f"{op}_{name}_ns": outcome.latency(op, key) for name, key in QUANTILES.items()}
    return row | {
        "queue_depth_mean": outcome.queue_depth_mean,
        "write_amplification": outcome.write_amplification,
        "utilization": outcome.utilization,
        "saturated": outcome.saturated,
    }
