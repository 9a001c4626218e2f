"""The intervals of a simulated run: how far the latency of its drives may be off, and what they carry.

Model. A quantile is off by what predictions of real drives were off (`latency_interval`): below saturation, or in it.
But what a drive carries is uncertain, too, by factors c_low to c_high (an 80 % interval, from the same drives). So the
latency at a load L lies between those at L / c_high and L / c_low, each with its own error: near the knee the upper
end is that of a drive in saturation, and where nothing bounds the queue there is none. A run that is said to be
saturated may not be in truth; then its lower end is that of the lighter run.

Represented: designs whose flash drives are of one kind. Left out: disks, volumes and mixed designs, of which no errors
are known; that an array's load may be spread unevenly.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from drivecast.assess.latency_interval import bounds, one_more
from drivecast.catalog import Catalog
from drivecast.catalog.latency_error import OPS, QUANTILES, LatencyErrors, OpErrors
from drivecast.document.outcome import LatencyInterval, LatencyKnowledge, Outcome, Served


@dataclass(frozen=True)
class Again:
    """The same run under other loads."""

    run: Callable[[float], Outcome]
    """Under a multiple of its load."""
    bounded: bool
    """Whether no more than so many requests are outstanding, so that a queue does not grow for as long as it runs."""


def known(
    outcome: Outcome, drives: list[str], catalog: Catalog, again: Again | None = None
) -> LatencyKnowledge | None:
    """Return how the latency of a run on these drives of the catalog is known; none where nothing is.

    `again` makes it under another load; none where the load has no rate of its own.
    """
    kinds = {name: catalog.drives.get(name) for name in drives}
    if len(kinds) != 1:
        return None
    (drive,) = kinds.values()
    if drive is None or drive.latency_errors is None or drive.latency_known is None:
        return None
    errors = drive.latency_errors
    factors = capacity(errors)
    beside, bounded = [outcome], again is not None and again.bounded
    if again is not None and factors is not None:
        if bounded or not outcome.saturated:  # a heavier run has no interval, either
            beside.append(again.run(1 / factors[0]))
        if outcome.saturated:
            beside.append(again.run(1 / factors[1]))
    intervals = list(_intervals(beside, errors, bounded=bounded))
    served = _served(outcome.iops, factors) if outcome.saturated and factors is not None else None
    if not intervals and served is None:
        return None
    return LatencyKnowledge(drives=drive.latency_known, intervals=intervals, served=served)


def capacity(errors: LatencyErrors) -> tuple[float, float] | None:
    """Return the 80 % interval of what a drive carries, as factors of the prediction; none where it is not known."""
    if errors.capacity is None:
        return None
    drives = errors.capacity.drives
    low, high = one_more([math.log(ratio) for each in drives for ratio in each.ratios], len(drives))
    return min(low, 1.0), max(high, 1.0)


def _served(iops: float, factors: tuple[float, float]) -> Served:
    return Served(iops=iops, low=iops * factors[0], high=iops * factors[1])


def _intervals(
    beside: Sequence[Outcome], errors: LatencyErrors, *, bounded: bool
) -> Iterator[LatencyInterval]:
    alike = [_class(each, errors, bounded=bounded) for each in beside]
    grows = None in alike
    for op in OPS:
        for name, key in QUANTILES.items():
            spans = [
                bounds(of.of(op, name), value)
                for each, of in zip(beside, alike, strict=True)
                if of is not None and (value := each.latency(op, key)) is not None
            ]
            if spans:
                low, high = min(low for low, _ in spans), max(high for _, high in spans)
                yield LatencyInterval(op=op, quantile=key, low=low, high=None if grows else high)


def _class(outcome: Outcome, errors: LatencyErrors, *, bounded: bool) -> OpErrors | None:
    """Return the errors of runs like this; none where the latency grows for as long as it runs, or nobody measured."""
    if not outcome.saturated:
        return errors
    return errors.saturated if bounded else None
