"""Many runs: designs by workloads by queue depths, on all cores or on any executor.

Each design and workload is a task of its own (`task`), so that drives are brought to steady state once for all
depths. Results come in the order of the arguments whatever ends first, and each run has random numbers of its own: the
frame is the same on any number of threads, processes or machines.
"""

import os
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, wait
from itertools import product
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drivecast.api import catalog_mapping, shown
from drivecast.api.task import Task, done
from drivecast.api.workload_value import workload
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError
from drivecast.stage.simulate import Options, State

if TYPE_CHECKING:
    import polars as pl

    from drivecast.api.workload_value import Source

QUANTILES = {"p50": "q0.5", "p90": "q0.9", "p99": "q0.99", "p999": "q0.999"}
POLL_S = 0.2
"""How long a wait lasts before signals are heard."""

shown.register()


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
        (`client.get_executor()`). By default threads of this process, one a core, which Ctrl-C leaves at once.
        `drivecast.workload(path).embedded()` takes files along that workers do not have.
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
        For designs or workloads that cannot be played; the first in the order of the arguments.

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
    paths = tuple(Path(path) for path in catalog)
    drives_hash = catalog_mapping.of(paths).drives_hash
    depths: tuple[int | None, ...] = tuple(iodepth) if iodepth is not None else (None,)
    tasks = [Task(line, value, depths, options, paths, drives_hash) for line, value in product(lines, values)]
    found = _on_threads(tasks, progress) if executor is None else _on(executor, tasks, progress)
    rows = [
        _row(task, depth, outcome)
        for task, outcomes in zip(tasks, found, strict=True)
        for depth, outcome in zip(depths, outcomes, strict=True)
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def _several(workloads: Any) -> list[Any]:
    return [*workloads] if isinstance(workloads, list | tuple) else [workloads]


def _row(task: Task, depth: int | None, outcome: Outcome) -> dict[str, Any]:
    row: dict[str, Any] = {
        "design": task.design,
        "workload": task.workload.text,
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


def _on(
    executor: Executor, tasks: Sequence[Task], progress: Callable[[float, str], None]
) -> list[list[Outcome]]:
    """The outcomes of each task, made elsewhere."""
    _not_forked(executor)
    futures = [executor.submit(done, task) for task in tasks]
    try:
        return _waited(futures, tasks, progress)
    except BaseException:
        for future in futures:
            future.cancel()
        raise


def _not_forked(executor: Executor) -> None:
    """Refuse processes that would inherit threads in the middle of their work, and wait for ever."""
    if not isinstance(executor, ProcessPoolExecutor):
        return
    context = getattr(executor, "_mp_context", None)
    if context is not None and context.get_start_method() == "fork":
        raise HintedError(
            "processes that are forked from one with threads may never end",
            "ProcessPoolExecutor(mp_context=multiprocessing.get_context('spawn'))",
        )


def _on_threads(tasks: Sequence[Task], progress: Callable[[float, str], None]) -> list[list[Outcome]]:
    """The outcomes of each task, made by threads that end with the program: a run cannot be interrupted."""
    futures: list[Future[list[Outcome]]] = [Future() for _ in tasks]
    waiting: queue.SimpleQueue[tuple[Future[list[Outcome]], Task]] = queue.SimpleQueue()
    for pair in zip(futures, tasks, strict=True):
        waiting.put(pair)

    def work() -> None:
        while True:
            try:
                future, task = waiting.get_nowait()
            except queue.Empty:
                return
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(done(task))
            except BaseException as error:
                future.set_exception(error)

    for _ in range(min(len(tasks), os.cpu_count() or 1)):
        threading.Thread(target=work, daemon=True).start()
    try:
        return _waited(futures, tasks, progress)
    except BaseException:
        for future in futures:
            future.cancel()
        raise


def _waited(
    futures: Sequence[Any], tasks: Sequence[Task], progress: Callable[[float, str], None]
) -> list[list[Outcome]]:
    """The results in order; the first task that fails, in that order, fails the sweep."""
    found: list[list[Outcome]] = []
    for task, future in zip(tasks, futures, strict=True):
        while not future.done():
            _pause(future)
        found.append(future.result())
        progress(len(found) / len(tasks), task.design)
    return found


def _pause(future: Any) -> None:
    if isinstance(future, Future):
        wait([future], POLL_S)
    else:  # Dask's futures wait for themselves
        from concurrent.futures import TimeoutError as Late  # noqa: PLC0415

        try:
            future.exception(POLL_S)
        except (Late, TimeoutError):
            return
