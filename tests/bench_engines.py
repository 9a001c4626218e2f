"""What measures where fio would be: engines that report what they are given, and the house's simulator.

What is asked of the simulated drive one step after the other without a change of workload is one history: a single
simulated run is made and cut into steps, so that the drive's state is carried from step to step. A change of workload
begins from `state`, as the simulator cannot be handed a drive that another workload left.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from drivecast.bench.job import Job
from drivecast.bench.progress import Progress
from drivecast.bench.pts.purge import Purged
from drivecast.bench.pts.specification import KIB
from drivecast.bench.target import Target
from drivecast.catalog import load
from drivecast.document.result import Point, Result
from drivecast.stage.simulate import Options, State, simulate, workload

SPAN = 64 << 20
"""Of the target of a scripted engine that is tested; the target is twice as large."""
Figures = Callable[[Job], float]


class Scripted:
    """An engine that reports what it is given, and remembers what it was asked."""

    def __init__(self, figure: Figures, *, made: bool = False, fails_at: int | None = None) -> None:
        self.target = Target(Path("/dev/null"), "scripted", 2 * SPAN, may_write=True, made=made)
        self.jobs: list[Job] = []
        self.spans: list[int] = []
        self.purges = 0
        self._figure = figure
        self._fails_at = fails_at

    def measure(self, job: Job, target: Target, update: Progress) -> Point:
        if len(self.jobs) == self._fails_at:
            raise KeyboardInterrupt
        self.jobs.append(job)
        self.spans.append(target.bytes)
        update(1.0, "")
        figure = self._figure(job)
        latency = {"requests": 10, "latency_ns": {"mean": 1e9 / figure, "max": 2e9 / figure}}
        outcome = {
            "iops": figure,
            "throughput_bytes_per_s": figure,
            "read": {"requests": 0, "latency_ns": None},
            "write": latency,
            "host_written_bytes": 4 * KIB,
            "seconds": [{"second": 0}],
            "latencies": [{"op": "write", "latency_ns": 1, "count": 1, "quantile": 1.0}],
        }
        return Point(
            target="scripted", settings=dict(job.settings), workload=job.workload, started="", outcome=outcome
        )

    def purge(self, _target: Target) -> Purged:
        self.purges += 1
        return Purged("blkdiscard", "discarded")


class Kept(list[Result]):
    """What was kept, in order."""

    def keep(self, result: Result) -> Result:
        """One more."""
        self.append(result)
        return result


def begun(points: list[Point] | None = None) -> Result:
    target = {"name": "scripted", "kind": "device", "bytes": SPAN}
    return Result(
        kind="steady-state", title="", version="", seed=0, plan_hash="", command=[], started="", environment={},
        targets=[target], points=points or [],
    )  # fmt: skip


class SimulatedDrive:
    """A design that is measured; `measure` is the engine's."""

    def __init__(self, design: str, span_bytes: int, *, state: State, history_s: float) -> None:
        self.target = Target(Path("/dev/null"), design, span_bytes, may_write=True, made=False)
        self.jobs: list[Job] = []
        self._design = design
        self._state: State = state
        self._history_s = history_s
        self._runs: dict[str, list[Mapping[str, Any]]] = {}
        self._reached: dict[str, int] = {}

    def measure(self, job: Job, target: Target, update: Progress) -> Point:
        """The next stretch of this workload's history."""
        self.jobs.append(job)
        if job.workload not in self._runs:
            self._runs[job.workload] = self._history(job.workload)
        begins = self._reached.get(job.workload, 0)
        # Preconditioning ends by bytes, not by time: what it leaves is the state that the drive begins from.
        length = 1 if job.bytes_at_most else round(job.runtime_s)
        self._reached[job.workload] = begins + length
        update(1.0, "")
        return Point(
            target=target.name,
            settings=dict(job.settings),
            workload=job.workload,
            span_bytes=target.bytes,
            started="2026-01-01T00:00:00+00:00",
            outcome=outcome(self._runs[job.workload][begins : begins + length]),
        )

    def _history(self, line: str) -> list[Mapping[str, Any]]:
        options = Options(duration_s=self._history_s, state=self._state)
        run = simulate(self._design, workload(line), load([]), options)
        return list(run.seconds)


def outcome(seconds: list[Mapping[str, Any]]) -> dict[str, Any]:
    """An outcome from rows of seconds: rates, mean and longest latencies."""
    length = len(seconds)
    requests = {op: sum(int(second[f"{op}s"]) for second in seconds) for op in ("read", "write")}

    def stream(op: str) -> dict[str, Any]:
        whole = requests[op]
        spent = sum(second[f"{op}_latency_ns_mean"] * second[f"{op}s"] for second in seconds)
        longest = max(second[f"{op}_latency_ns_max"] for second in seconds)
        latency = {"mean": spent / whole, "max": longest} if whole else None
        return {"requests": whole, "iops": whole / length, "latency_ns": latency}

    moved = sum(second["read_bytes"] + second["written_bytes"] for second in seconds)
    return {
        "duration_s": length,
        "requests": sum(requests.values()),
        "iops": sum(requests.values()) / length,
        "throughput_bytes_per_s": moved / length,
        "read": stream("read"),
        "write": stream("write"),
        "host_written_bytes": sum(second["written_bytes"] for second in seconds),
        "seconds": [],
        "latencies": [],
    }
