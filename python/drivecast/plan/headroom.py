"""The largest multiple of a load that holds, found with as few runs as precision allows.

Model. What holds a load holds a lower one, so the edge is bisected, to within 10 %. Of a design that holds what is
required it is searched from above, from a load that no design of these drives could carry: runs that miss end early.
Short runs end before buffers are full and rare pauses have come, so what is found of flash under counters is held
against a run of `LONGER` times as many requests.
"""

import math
from collections.abc import Callable

from drivecast.quantity.number import HEADROOM_MAX

PRECISION = 1.1
LONGER = 8
"""Times as many requests: with it, a run of thirty times as many carried 34 of 40 designs and loads, and the others at
5 % less; without it 27."""
LEAST = 1 / 16
"""Of the load: what carries less has no headroom to speak of."""

Holds = Callable[[float], bool]


def above(holds: Holds, required: float, most: float) -> float:
    """Headroom of what holds the required one, and can carry `most` times the load at best."""
    loads = [max(1.0, required)]
    while 2 * loads[-1] <= min(HEADROOM_MAX, most):
        loads.append(2 * loads[-1])
    high = 2 * loads[-1]
    while loads[1:] and not holds(loads[-1]):
        high = loads.pop()
    if high > HEADROOM_MAX:
        return loads[-1]
    return bisected(holds, loads[-1], min(high, most))


def sustained(carries: Holds, required: float, most: float) -> float:
    """The most of what a short run carried that a long one does, or the required: mostly a little less; steps grow."""
    found = missed = most
    step = math.sqrt(PRECISION)
    while found > required and not carries(found):
        found, missed, step = max(required, found / step), found, step * step
    return bisected(carries, found, missed)


def below(holds: Holds, required: float, *, holds_peak: bool) -> float | None:
    """Headroom of what does not: a share of the load if it fails there, `None` below 1/16."""
    low, high = 1.0, max(1.0, required)
    if not holds_peak:
        low, high = 0.5, 1.0
        while low >= LEAST and not holds(low):
            low, high = low / 2, low
        if low < LEAST:
            return None
    return bisected(holds, low, high)


def bisected(holds: Holds, low: float, high: float) -> float:
    """The largest multiple of the load that holds, within 10 %, between one that does and one that does not."""
    while high / low > PRECISION:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
