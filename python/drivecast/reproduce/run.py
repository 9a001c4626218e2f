"""Runs experiments: all tasks over all cores, then each experiment reads its outcomes.

The simulator releases the interpreter lock, so threads are enough; every task has the same seed, and results are put
together in the order of the experiments, so they do not depend on the number of cores.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from drivecast.catalog import Catalog
from drivecast.reproduce.experiment import Experiment, Outcome, Task
from drivecast.reproduce.result import Findings, Ordering, Row

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Report:
    """What the experiments found, in their order."""

    experiments: tuple[Experiment, ...]
    rows: list[Row]
    orderings: list[Ordering]
    seed: int


def run(experiments: Sequence[Experiment], catalog: Catalog, *, seed: int, progress: Progress) -> Report:
    """Run `experiments`; `progress` takes (share done, what)."""
    owners: dict[Task, str] = {}
    for experiment in experiments:
        for task in experiment.tasks.values():
            owners.setdefault(task, experiment.name)
    outcomes: dict[Task, Outcome] = {}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        running = {pool.submit(task.run, catalog, seed): task for task in owners}
        try:
            for done in as_completed(running):
                task = running[done]
                outcomes[task] = done.result()
                progress(len(outcomes) / len(owners), owners[task])
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    rows: list[Row] = []
    orderings: list[Ordering] = []
    for experiment in experiments:
        findings = Findings(experiment.name)
        experiment.read(findings, {name: outcomes[task] for name, task in experiment.tasks.items()}, catalog)
        rows += findings.rows
        orderings += findings.orderings
    return Report(tuple(experiments), rows, orderings, seed)
