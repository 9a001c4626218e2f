"""What runs by queue depth say of a drive: times of lone requests, rates, and dies.

Model. Three kinds of run determine a figure each, all else held:

- the fewest outstanding: `lone_read_us`, `write_us`. What the path adds (its port, its coalescing) is part of what
  was measured; a lone request takes the sum of all, so the simulated drive's difference to the measured mean is what
  is missing, and one simulation finds it;
- as many outstanding as the drive takes: `reads_per_s`, `writes_per_s`, unless the path or the link carries no more:
  then the drive takes at least that. Writes that a drive holds up in between, W a second, come N pages in each T =
  N/W;
- a write cache that is off, the fewest outstanding: `program_us`.

The type of the flash page shows in a lone read's quantiles: with b bits a cell, 1/b of the reads take the longest, so
p95 less p50 is the spread d with three bits, 2 d with two.

Reads in between wait for reads on the same die: with n outstanding on D dies, (n - 1)/D of them meet another, for up
to the time of a page t_R. So their rate depends on t_R²/D nearly alone, and the share that waits on D: rate, p50 and
p99 over a grid of both give the range within which the error is at most `WITHIN` of the least.

Left out: how a drive's rate falls as it fills, and whatever reads and writes do to each other: no run has both.
"""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from drivecast.calibration.depth_table import Depth
from drivecast.document.outcome import Outcome

LONE_MAX = 2
"""Outstanding, up to which a request hardly meets another."""
HELD_UP = 20
"""Times its median from which on the p99 of writes is one of being held up."""
PATH_LIMIT = 0.95
"""Of what the path carries, from which on it is the limit."""
UNITS = (0.25, 0.5, 1.0, 2.0, 4.0)
READ_TIMES = (0.6, 0.8, 1.0, 1.25, 1.6)
"""The grid, as multiples of what the sheet and its generation say."""
WITHIN = 1.5
"""Times the least error that a pair of the grid may have, for its values to be possible."""
PRECISE = 0.01
"""An error that is as good as none: of 30,000 requests the p99 is known that well."""
QUANTILES = {"p50": "q0.5", "p99": "q0.99"}


@dataclass(frozen=True)
class Fitted:
    """The runs of a drive that are fitted to, of one operation and cache setting."""

    rows: Sequence[Depth]

    @property
    def lone(self) -> list[Depth]:
        """The rows with the fewest outstanding; none where those are many."""
        fewest = min((row.outstanding for row in self.rows), default=LONE_MAX + 1)
        return [row for row in self.rows if row.outstanding == fewest <= LONE_MAX]

    def full(self, queue_depth: int) -> list[Depth]:
        """Return the rows that fill the drive's queue."""
        return [row for row in self.rows if row.outstanding >= queue_depth]

    def between(self, queue_depth: int) -> list[Depth]:
        """Return the rows in which reads meet reads, and the queue is not full."""
        return [row for row in self.rows if LONE_MAX <= row.outstanding <= queue_depth // 2]

    @property
    def held_up(self) -> list[Depth]:
        """The rows in which few writes wait for long, behind a batch."""
        return [row for row in self.rows if row.latency_us["p99"] > HELD_UP * row.latency_us["p50"]]


@dataclass(frozen=True)
class Dies:
    """How many read at a time, and how long, with the ranges that the runs leave open."""

    units: int
    units_low: int
    units_high: int
    read_us: float
    read_us_low: float
    read_us_high: float
    error: float
    """Root mean square of the logarithms of simulated over measured, at the best."""


def mean(values: Sequence[float]) -> float:
    """Return the geometric mean."""
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def type_spread_us(lone: Sequence[Depth], bits: int) -> float | None:
    """Return how far the slowest type of page is from the mean; none with a bit a cell, or where reads meet."""
    alone = [row for row in lone if row.outstanding == 1]
    if not alone or bits < 2:
        return None
    apart = mean([row.latency_us["p95"] for row in alone]) - mean([row.latency_us["p50"] for row in alone])
    return apart / (2 if bits == 2 else 1)


def batch_pages(rows: Sequence[Depth], row_pages: int) -> int | None:
    """Return N, in whole rows of flash pages: W T with T as p99 of writes held up; none where none are."""
    held = Fitted(rows).held_up
    if not held:
        return None
    pages = mean([row.iops * row.latency_us["p99"] / 1e6 for row in held])
    return max(math.ceil(pages / row_pages), 1) * row_pages


def dies(
    rows: Sequence[Depth], units: int, read_us: float, play: Callable[[int, float, Depth], Outcome]
) -> Dies:
    """Compare the rows with the drive at each pair of the grid; `play` simulates a row with so many dies."""
    pairs = [(max(round(units * more), 1), read_us * longer) for more, longer in product(UNITS, READ_TIMES)]
    errors = {pair: _error(rows, functools.partial(play, *pair)) for pair in pairs}
    best = min(errors, key=lambda pair: errors[pair])
    possible = [pair for pair, error in errors.items() if error <= max(WITHIN * errors[best], PRECISE)]
    counts, times = zip(*possible, strict=True)
    return Dies(best[0], min(counts), max(counts), best[1], min(times), max(times), errors[best])


def _error(rows: Sequence[Depth], play: Callable[[Depth], Outcome]) -> float:
    squares = []
    for row in rows:
        outcome = play(row)
        squares.append(math.log(outcome.iops / row.iops) ** 2)
        squares += [
            math.log(outcome.latency_of(row.op, key) / 1e3 / row.latency_us[name]) ** 2
            for name, key in QUANTILES.items()
        ]
    return math.sqrt(math.fsum(squares) / len(squares))
