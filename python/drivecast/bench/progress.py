"""How far a run is, and how long it still takes."""

import time
from collections.abc import Callable

from drivecast.quantity.number import duration

Progress = Callable[[float, str], None]
"""Takes the share that is done, and what is being done."""


class Countdown:
    """Progress over steps of known length; the time left is corrected by how long the steps took so far."""

    def __init__(self, total_s: float, update: Progress, *, done_s: float = 0.0, bound: str = "") -> None:
        self._total_s = max(total_s, 1e-9)
        self._done_s = done_s
        self._update = update
        self._bound = bound
        self._length_s = 0.0
        self._begun_s = time.monotonic()
        self._taken_s = self._planned_s = 0.0

    def step(self, length_s: float, what: str) -> Progress:
        """End the last step and begin one of `length_s`; report the share of it that is done."""
        self.end()
        self._length_s = length_s

        def report(share: float, _detail: str = "") -> None:
            done_s = min(self._done_s + share * length_s, self._total_s)
            left = duration((self._total_s - done_s) * self._pace)
            self._update(done_s / self._total_s, f"{what}, {self._bound}{left} left")

        report(0.0)
        return report

    def end(self) -> None:
        """End the last step."""
        now_s = time.monotonic()
        if self._length_s > 0:
            self._taken_s += now_s - self._begun_s
            self._planned_s += self._length_s
        self._done_s += self._length_s
        self._length_s, self._begun_s = 0.0, now_s

    def skip_to(self, done_s: float) -> None:
        """End the last step and leave out what was not needed before `done_s`."""
        self.end()
        self._done_s = max(self._done_s, done_s)

    @property
    def _pace(self) -> float:
        """Time taken over time planned: starting programs takes time that the plan does not have."""
        return max(1e-9, self._taken_s / self._planned_s) if self._planned_s else 1.0


def elapsed(length_s: float, update: Progress) -> Callable[[], None]:
    """Return what reports the share of `length_s` that has passed since now."""
    begun_s = time.monotonic()
    return lambda: update(min(1.0, (time.monotonic() - begun_s) / length_s) if length_s > 0 else 1.0, "")
