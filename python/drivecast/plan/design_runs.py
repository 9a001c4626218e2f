"""What the runs of a plan said of each design: at which loads it was played, and what came out."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from drivecast.document.outcome import Outcome
from drivecast.plan.trial import NO_EDGES, Bench, Trial
from drivecast.quantity.interval import finite
from drivecast.stage.design import Played

TYPICAL = "typical", 0.0
"""Flash times and wear of the runs that limits are compared with."""


@dataclass(frozen=True)
class DesignRuns:
    """The runs of one design under a bench."""

    fill: float
    runs: list[dict[str, Any]] = field(default_factory=list)
    """By load, each as `run` gives it."""
    whole: dict[str, Any] | None = None
    """Over all of the log."""
    held: float | None = None
    """The most load that met the limits."""
    missed: float | None = None
    """The least that missed them."""

    def with_trial(self, trial: Trial) -> dict[str, Any]:
        """Both, as a page has a design that was tried."""
        reads, writes = trial.latency_ns["read", "p99"], trial.latency_ns["write", "p99"]
        return {
            "fill": self.fill,
            "runs": self.runs,
            "whole": self.whole,
            "held": self.held,
            "missed": self.missed,
            "refined": trial.refined and trial.headroom is not None,
            "read_p99_ns": reads and reads.model_dump(),
            "write_p99_ns": writes and writes.model_dump(),
        }


class Runs:
    """All runs of a bench, by the line of the design and how full it was."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self._peaks: dict[tuple[object, ...], list[tuple[float, Outcome]]] = defaultdict(list)
        for key, outcome in bench.known.items():
            if isinstance(outcome, Outcome) and len(key) == len(("line", "fill", "times", *TYPICAL, "seed")):
                line, fill, times, *how, _ = key
                if tuple(how) == TYPICAL:
                    self._peaks[line, fill].append((float(str(times)), outcome))

    def of(self, design: Played) -> DesignRuns:
        """Those of one design."""
        bench, line, fill = self.bench, design.serving.line, self.bench.fill(design)
        peaks = sorted(self._peaks[line, fill], key=lambda each: each[0])
        runs = [run(times, outcome) for times, outcome in peaks]
        whole = bench.known.get((line, fill, bench.times, "whole log", bench.seed))
        held, missed = bench.edges.get(bench.limited(design), NO_EDGES)
        return DesignRuns(fill, runs, whole and run(bench.times, whole), held or None, finite(missed))


def run(times: float, outcome: Outcome) -> dict[str, Any]:
    """A run at a multiple of the measured peak."""
    return {
        "times": times,
        "read_p99_ns": outcome.latency("read", "q0.99"),
        "write_p99_ns": outcome.latency("write", "q0.99"),
        "saturated": outcome.saturated,
    }
