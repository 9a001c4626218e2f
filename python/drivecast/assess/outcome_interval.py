"""The intervals of a simulated run: how far the latency of its drives may be off.

Represented: designs whose flash drives are of one kind, below saturation; the errors are those of single drives
(`latency_interval`). Left out: disks, volumes, mixed designs and saturated runs, of which no errors are known.
"""

from drivecast.assess.latency_interval import bounds
from drivecast.catalog import Catalog
from drivecast.catalog.latency_error import OPS, QUANTILES
from drivecast.document.outcome import LatencyInterval, LatencyKnowledge, Outcome


def known(outcome: Outcome, drives: list[str], catalog: Catalog) -> LatencyKnowledge | None:
    """Return how the latency of a run on these drives of the catalog is known; none where nothing is."""
    kinds = {name: catalog.drives.get(name) for name in drives}
    if len(kinds) != 1 or outcome.saturated:
        return None
    (drive,) = kinds.values()
    if drive is None or drive.latency_errors is None or drive.latency_known is None:
        return None
    intervals = []
    for op in OPS:
        for name, key in QUANTILES.items():
            value = outcome.latency(op, key)
            if value is not None:
                low, high = bounds(drive.latency_errors.of(op, name), value)
                intervals.append(LatencyInterval(op=op, quantile=key, low=low, high=high))
    return LatencyKnowledge(drives=drive.latency_known, intervals=intervals)
