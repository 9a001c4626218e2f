"""The time of a quick look, shared out among its runs as they come.

A run gets its share (`weight`) of what is left when all starts still to come are taken off; what a start takes is
assumed at first, then as it was with the runs so far. A busy machine thus gets shorter runs and not a later end.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

from drivecast.bench.job import Job, Measure
from drivecast.bench.progress import Progress
from drivecast.bench.target import Target
from drivecast.document.result import Point

RUN_S_MAX = 5.0
"""Of a run of weight 1, ramp included."""
RUN_S_MIN = 0.5
RAMP_SHARE = 0.2
"""Of a run, left out of its figures: queues fill within milliseconds, and no cache of the host is warmed."""
START_S = 1.2
"""What starting fio and reading its answer takes. Assumed, until it is known."""


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
