"""How each request of a trace fares on a panel of devices: what windows are compared by.

A disk, a SATA SSD, an NVMe SSD and a mirror of disks, none of them a device on which models are judged
(`reference`). The trace is played on each, at the speed at which it keeps the device half busy at most. The latencies
of each window are counted between quantiles of the whole: by these counts windows of one kind are alike, and windows
that make the tail differ. A device is idle before a request that comes when all before it are done.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.catalog.latency_error import OPS, Op
from drivecast.document.outcome import Outcome
from drivecast.errors import InputError
from drivecast.model import reference
from drivecast.quantity import number
from drivecast.stage.design import shape
from drivecast.thread import over_cores

DESIGNS = (
    ("wd-ultrastar-hc580-24tb",),
    ("micron-5400-pro-3.84tb", "solidigm-d5-p5336-61.44tb"),
    ("micron-7450-pro-7.68tb", "solidigm-d5-p5316-30.72tb"),
    ("raid10(4 * wd-ultrastar-hc580-24tb)",),
)
"""Of each kind the first that holds the trace."""
SHARES = (*(at / 50 for at in range(1, 49)), 0.97, 0.98, 0.985, 0.99, 0.9925, 0.995, 0.9975, 0.999, 0.9995)
"""Quantiles between which latencies are counted."""
COMPARED = (0.1, 0.26, 0.4, 0.5, 0.6, 0.76, 0.9, 0.94, 0.98, 0.99, 0.995, 0.999)
"""Those above which counts of windows are compared."""
VALUES_MIN = 100
"""Requests below which an operation has no quantiles to speak of."""

UNFINISHED = 1 << 53
"""A latency longer than any, in ns."""

Counts = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Played:
    """A trace on a device of the panel."""

    device: reference.Device
    outcome: Outcome
    latency_ns: Whole
    """Of each request, flushes too, in order; `UNFINISHED` where the run ended before."""

    def idle(self, time_ns: Whole) -> NDArray[np.bool_]:
        """Before which requests, which come at these times of the trace, the device is idle."""
        issued = time_ns / self.device.speedup
        done = np.maximum.accumulate(issued + self.latency_ns)
        found: NDArray[np.bool_] = np.r_[True, issued[1:] >= done[:-1]]
        return found


@dataclass(frozen=True)
class Fared:
    """An operation on a device: what of it is in each window."""

    device: str
    op: Op
    bounds_ns: NDArray[np.float64]
    """Rising."""
    counts: Counts
    """Windows × (bounds + 1): requests of up to the first bound, from there to the next, and above the last."""
    compared: NDArray[np.int64]
    """Places of the bounds that windows are compared by."""

    @property
    def above(self) -> Counts:
        """Windows × (compared + 1): all requests, and those above each of these bounds."""
        reached = np.cumsum(self.counts, axis=1)
        whole = reached[:, -1:]
        return np.hstack([whole, whole - reached[:, self.compared]])

    def quantile(self, share: float, weight: NDArray[np.float64]) -> float:
        """The latency that a share of the requests of weighted windows does not exceed, in ns."""
        counts = weight @ self.counts
        reached = np.cumsum(counts)
        at = min(int(np.searchsorted(reached, share * reached[-1])), len(self.bounds_ns) - 1)
        return float(self.bounds_ns[at])


def played(trace: _core.Workload, catalog: Catalog) -> list[Played]:
    """The trace on each device that holds it.

    Raises `InputError` where none does.
    """
    held = [next((each for each in designs if _holds(each, trace, catalog)), None) for designs in DESIGNS]
    designs = [design for design in held if design is not None]
    if not designs:
        size = number.size(trace.span_bytes or 0)
        raise InputError(f"no device of the panel holds the {size} that the trace spans")

    def play(design: str) -> Played:
        device, outcome = reference.loaded(design, design, trace, catalog)
        latencies = reference.latencies(device, trace, catalog)
        return Played(device, outcome, np.asarray(latencies.fill_null(UNFINISHED), dtype=np.int64))

    return over_cores(play, designs)


def _holds(design: str, trace: _core.Workload, catalog: Catalog) -> bool:
    return shape(design, catalog).usable_bytes >= (trace.span_bytes or 0)


def fared(of: Sequence[Played], ops: NDArray[np.str_], window: Whole, windows: int) -> list[Fared]:
    """How windows fare, where requests have these operations and are of these windows."""
    found = []
    for each in of:
        for op in OPS:
            mine = ops == op
            if mine.sum() < VALUES_MIN:
                continue
            latencies = each.latency_ns[mine]
            bounds = np.unique(np.quantile(latencies, SHARES, method="lower"))
            marks = np.searchsorted(bounds, np.quantile(latencies, COMPARED, method="lower"))
            cell = window[mine] * (len(bounds) + 1) + np.searchsorted(bounds, latencies)
            counts = np.bincount(cell, minlength=windows * (len(bounds) + 1)).reshape(windows, -1)
            found.append(
                Fared(each.device.design, op, bounds.astype(float), counts.astype(float), np.unique(marks))
            )
    return found


def off(truth: Played, found: Outcome, quantiles: Sequence[float]) -> list[tuple[tuple[Op, float], float]]:
    """The logarithms of the factors between quantiles of a model and those of the trace."""
    pairs = [
        ((op, share), found.latencies.quantile(share, op), truth.outcome.latencies.quantile(share, op))
        for op in OPS
        for share in quantiles
        if truth.outcome.stream(op).requests >= VALUES_MIN
    ]
    return [(figure, math.log((ours or 1.0) / (own or 1.0))) for figure, ours, own in pairs]
