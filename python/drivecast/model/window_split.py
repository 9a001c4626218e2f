"""A trace cut into windows of equal length, and what leads into each.

What leads into a window begins where every device of the panel was idle, or `LEAD_MAX` windows before, so that queues
are as they were; and one window before at least, for what a device remembers longer than its queue.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drivecast.stage import windows_play

LEAD_MAX = 4

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class WindowSplit:
    """A trace cut into windows."""

    windows: int
    width_ns: int
    time_ns: Whole
    """Of each request."""
    leads_ns: Whole
    """What leads into each window."""

    @property
    def window(self) -> Whole:
        """Of each request."""
        return self.time_ns // self.width_ns

    def spans(self, chosen: Sequence[int]) -> list[tuple[int, int]]:
        """What is played where these windows are kept, in ns."""
        return windows_play.spans({number: int(self.leads_ns[number]) for number in chosen}, self.width_ns)

    def requests(self, chosen: Sequence[int]) -> int:
        """How many are played."""
        bounds = np.searchsorted(self.time_ns, np.array(self.spans(chosen)))
        return int((bounds[:, 1] - bounds[:, 0]).sum())


def cut(time_ns: Whole, idle: NDArray[np.bool_], windows: int) -> WindowSplit:
    """So many windows of requests at these times, before some of which every device is idle."""
    width = math.ceil(int(time_ns[-1]) / windows + 1)
    starts = np.arange(windows) * width
    since = time_ns[np.maximum.accumulate(np.where(idle, np.arange(len(time_ns)), 0))]
    first = np.searchsorted(time_ns, starts)
    busy = np.where(first < len(time_ns), starts - since[np.minimum(first, len(time_ns) - 1)], 0)
    return WindowSplit(windows, width, time_ns, np.minimum(np.clip(busy, width, LEAD_MAX * width), starts))
