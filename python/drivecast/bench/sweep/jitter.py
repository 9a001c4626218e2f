"""How even a target is from second to second.

MODEL. Each whole second of a run is one observation of throughput, with the mean and the longest latency of its
requests. Nothing is fitted: the figures are order statistics of the seconds and their coefficient of variation. A
second in which less than half of the median was carried counts as a stall (assumed): users notice it.

Left out: what happens within a second, which only the maximum latency shows. The first and the last second of a run may
be cut and are left out where there are others.
"""

from collections.abc import Sequence
from statistics import fmean, median, pstdev

from drivecast.document.findings import Jitter
from drivecast.document.outcome import Second

STALL = 0.5
"""Share of the median below which a second is a stall."""


def jitter(rows: Sequence[Second]) -> Jitter | None:
    """The figures of whole seconds; none where nothing was carried."""
    carried = sorted(float(row["reads"]) + float(row["writes"]) for row in rows)
    if not carried or carried[-1] <= 0:
        return None
    middle, mean = median(carried), fmean(carried)
    longest = [
        float(latency_ns)
        for row in rows
        for latency_ns in (row.get("read_latency_ns_max"), row.get("write_latency_ns_max"))
        if latency_ns is not None
    ]
    return Jitter(
        seconds=len(carried),
        iops_mean=mean,
        iops_median=middle,
        iops_q1=carried[len(carried) // 100],
        iops_min=carried[0],
        variation=pstdev(carried) / mean,
        stalls=sum(iops < STALL * middle for iops in carried),
        latency_ns_max=max(longest, default=None),
    )
