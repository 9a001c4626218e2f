"""The model that is fitted: the simulator, playing what was measured.

Model. Each observation's workload is simulated as it was run, on the device that the parameters make, and its figures
are read off as the measured ones are. The seed is the same at every parameter set (common random numbers), so that
any difference between two sets is due to the parameters. A run simulates as many requests as the measured one took in
`SIMULATED_S`, within bounds: deep queues pass many in a short time, and stalls of the device are rare.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from drivecast import _core
from drivecast.compare.fit.observation import IOPS, Observation, figures_of
from drivecast.compare.predict import with_span
from drivecast.document.outcome import Outcome
from drivecast.stage import simulate
from drivecast.stage.simulate import Options

SIMULATED_S = 0.5
REQUESTS_MIN = 4_000
REQUESTS_MAX = 40_000

Spec = Mapping[str, Any]
NAME = "fitted"


@dataclass(frozen=True)
class Play:
    """How an observation is simulated."""

    observation: Observation
    requests: int
    state: simulate.State
    seed: int


def line(observation: Observation, capacity_bytes: int) -> str:
    """The observation's line as a device of that capacity is to play it: on the span that was measured."""
    if observation.span_bytes is None:
        return observation.workload
    return with_span(observation.workload, observation.span_bytes / capacity_bytes)


def _workload(observation: Observation, capacity_bytes: int) -> _core.Workload:
    if observation.is_line:
        return _core.Workload.line(line(observation, capacity_bytes))
    return simulate.workload(observation.workload)


def play(observation: Observation, seed: int, longer: int = 1) -> Play:
    """How to simulate an observation, `longer` times as long as a fit needs it."""
    wished = round(observation.figures[IOPS] * SIMULATED_S)
    requests = longer * min(max(wished, REQUESTS_MIN), REQUESTS_MAX)
    steady = observation.settings.get("state") == "steady" or "round" in observation.settings
    return Play(observation, requests, "steady" if steady else "laid-out", seed)


def figures(spec: Spec, capacity_bytes: int, wanted: Play) -> dict[str, float]:
    """The figures of one observation on the device that `spec` describes."""
    observation = wanted.observation
    limits: dict[str, Any] = {"requests": wanted.requests}
    if not observation.is_line:
        limits = {name: observation.settings.get(name) for name in ("requests", "duration_s", "iodepth")}
        limits["own_depth"] = bool(observation.settings.get("own_depth"))
    length_s = observation.settings.get("length_s")
    options = Options(
        seed=wanted.seed,
        state=wanted.state,
        speedup=float(observation.settings.get("speedup", 1.0)),
        start_s=float(observation.settings.get("start_s", 0.0)),
        length_s=length_s if isinstance(length_s, float) else None,
        **limits,
    )
    load = _workload(observation, capacity_bytes)
    outcome = _core.simulate(NAME, {NAME: json.dumps(spec)}, load, options)
    return figures_of(Outcome.model_validate(outcome))


class Simulator:
    """Runs many simulations on all cores, and counts them."""

    def __init__(
        self, plays: Sequence[Play], spec: Callable[[Mapping[str, float]], Spec], capacity: int
    ) -> None:
        self.plays = list(plays)
        self.spec = spec
        self.capacity = capacity
        self.runs = 0

    def all(self, sets: Sequence[Mapping[str, float]]) -> list[list[dict[str, float]]]:
        """The figures of all observations under each set of parameters."""
        specs = [self.spec(values) for values in sets]
        jobs = [(spec, wanted) for spec in specs for wanted in self.plays]
        self.runs += len(jobs)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            rows = list(pool.map(lambda job: figures(job[0], self.capacity, job[1]), jobs))
        size = len(self.plays)
        return [rows[at : at + size] for at in range(0, len(rows), size)]
