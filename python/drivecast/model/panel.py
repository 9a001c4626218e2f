"""How each window of a trace fares on a panel of devices: what windows are compared by.

A disk, a SATA SSD, an NVMe SSD and a mirror of disks, none of them a device on which models are judged
(`reference`). Each window is played alone after what leads into it, at the speed at which the whole trace keeps the
device half busy at most. Its latencies are counted between quantiles of the whole: by these counts windows of one kind
are alike, and windows that make the tail stand out.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.catalog.latency_error import OPS, Op
from drivecast.document.outcome import LatencyHistogram, Number
from drivecast.errors import InputError
from drivecast.model import reference
from drivecast.quantity import number
from drivecast.stage.design import shape
from drivecast.stage.simulate import KEPT_BYTES_MAX, Options, simulate
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

Counts = NDArray[np.float64]


@dataclass(frozen=True)
class Span:
    """A window with what leads into it, in seconds of the trace."""

    begin_s: float
    start_s: float
    end_s: float
    requests: int
    """In both; without any there is nothing to play."""


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


def fared(
    trace: _core.Workload,
    spans: Sequence[Span],
    catalog: Catalog,
    update: Callable[[float, str], None],
) -> list[Fared]:
    """How windows fare on each device that holds the trace.

    Raises `InputError` where none does.
    """
    held = [next((each for each in designs if _holds(each, trace, catalog)), None) for designs in DESIGNS]
    designs = [design for design in held if design is not None]
    if not designs:
        size = number.size(trace.span_bytes or 0)
        raise InputError(f"no device of the panel holds the {size} that the trace spans")
    found: list[Fared] = []
    for place, design in enumerate(designs):
        update(place / len(designs), f"playing windows on {design}")
        found += _on(design, trace, spans, catalog)
    return found


def _holds(design: str, trace: _core.Workload, catalog: Catalog) -> bool:
    return shape(design, catalog).usable_bytes >= (trace.span_bytes or 0)


def _on(design: str, trace: _core.Workload, spans: Sequence[Span], catalog: Catalog) -> Iterator[Fared]:
    device, whole = reference.loaded(design, design, trace, catalog)
    kept = _core.Kept(KEPT_BYTES_MAX)

    def play(span: Span) -> LatencyHistogram:
        options = Options(
            fill=0.0,
            speedup=device.speedup,
            start_s=span.begin_s,
            length_s=span.end_s - span.begin_s,
            warmup_s=(span.start_s - span.begin_s) / device.speedup,
        )
        return simulate(device.design, trace, catalog, options, kept=kept).latencies

    play(spans[0])  # which brings the drives to their steady state, once for all
    of_windows = over_cores(play, [span for span in spans if span.requests])
    for op in OPS:
        if whole.stream(op).requests < VALUES_MIN:
            continue
        bounds = np.unique([whole.latencies.quantile(share, op) or 0.0 for share in SHARES])
        marks = [whole.latencies.quantile(share, op) or 0.0 for share in COMPARED]
        played = iter(of_windows)
        counts = [_counted(next(played).buckets(op) if span.requests else [], bounds) for span in spans]
        yield Fared(design, op, bounds, np.array(counts), np.unique(np.searchsorted(bounds, marks)))


def _counted(buckets: Sequence[tuple[Number, Number]], bounds: NDArray[np.float64]) -> Counts:
    places = np.searchsorted(bounds, [latency for latency, _ in buckets])
    counts = np.array([count for _, count in buckets], dtype=np.float64)
    return np.bincount(places, counts, len(bounds) + 1).astype(np.float64)
