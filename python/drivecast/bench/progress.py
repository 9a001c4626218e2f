"""How far a plan of runs is, and how long it still takes."""

import time
from collections.abc import Sequence

from drivecast.bench.target import Progress
from drivecast.quantity.number import duration


class Course:
    """Progress of a plan: by its own times, and by how much longer than planned its points took so far."""

    def __init__(self, lengths_s: Sequence[float], done: int, update: Progress) -> None:
        self._lengths_s = lengths_s
        self._done = self._first = done
        self._update = update
        self._begun_s = time.monotonic()
        self._pace = 1.0

    def of(self, what: str) -> Progress:
        """Takes the share of the point that is measured; tells the share of the plan."""

        def tell(share: float, _detail: str) -> None:
            whole = sum(self._lengths_s)
            left_s = self.left_s(share)
            words = f"{self._done + 1} of {len(self._lengths_s)}: {what}, {duration(left_s)} left"
            self._update(1 - left_s / self._pace / whole if whole else 1.0, words)

        tell(0.0, "")
        return tell

    def done(self) -> None:
        """A point is over."""
        self._done += 1
        planned_s = sum(self._lengths_s[self._first : self._done])
        if planned_s > 0:
            # Starting programs takes time that the plan does not have.
            self._pace = max(1e-9, (time.monotonic() - self._begun_s) / planned_s)

    def left_s(self, share: float) -> float:
        """Seconds to the end of the plan, with `share` of the point that is measured done."""
        rest = sum(self._lengths_s[self._done :]) - share * self._lengths_s[self._done]
        return rest * self._pace
