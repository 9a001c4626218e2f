"""The knee of a depth sweep: from where on more outstanding requests buy latency and nothing else.

MODEL. N requests go round in a closed loop; the target carries X(N) of them a second. Asymptotic bounds: X(N) can be no
more than N / R, with R the time of a round when nobody waits, and no more than X_max, what the target's narrowest part
lets through. The two bounds meet at

    N* = X_max × R

Both are read off the sweep: X_max is the most that was carried, and R the least N / X(N) of all depths, since the first
bound must hold at each. On a quiet machine that is 1 / X(1); a lone run that was disturbed does not move it.

Below N* some part of the target must idle; above it some requests must wait. N* is thus how many requests the target
works on at once: about 1 for a disk, the dies in use for an SSD, rate limit × round trip for a volume behind a network.
Source: Lazowska, Zahorjan, Graham, Sevcik, Quantitative System Performance (1984),
chapter 5; Denning and Buzen, The Operational Analysis of Queueing Network Models, ACM Computing Surveys 10 (1978).

Both bounds are for a target at its best. Chance delays round the corner off, so that X(N*) lies below X_max, and
`depth_enough` is the measured depth that comes within a tenth of X_max. Rejected: curvature rules such as Kneedle:
their answer depends on the scale of the axes and names no part of the target.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from drivecast.document.findings import Knee

ENOUGH = 0.9
"""Share of the most that is as good as all. Assumed: repeats of a run differ by about as much."""

GAIN_LEAST = 0.1
"""A doubling of the depth that gains less than this share at the end of the sweep shows X_max. Assumed."""

FELL = 0.9
"""Throughput at the largest depth below this share of the most has fallen. Assumed."""


@dataclass(frozen=True)
class Step:
    """What was carried at one depth."""

    depth: int
    """Outstanding over all threads."""
    iops: float
    latency_ns_p99: float | None = None


def knee(steps: Sequence[Step]) -> Knee | None:
    """The knee of a sweep; none where fewer than two depths carried anything."""
    ordered = sorted((step for step in steps if step.iops > 0), key=lambda step: step.depth)
    if len({step.depth for step in ordered}) < 2:
        return None
    last = ordered[-1]
    best = max(ordered, key=lambda step: step.iops)
    round_s = min(step.depth / step.iops for step in ordered)
    enough = next(step for step in ordered if step.iops >= ENOUGH * best.iops)
    return Knee(
        depth=best.iops * round_s,
        iops_max=best.iops,
        depth_at_max=best.depth,
        round_ns=round_s * 1e9,
        reached=_reached(ordered, last),
        depth_enough=enough.depth,
        latency_ns_p99_enough=enough.latency_ns_p99,
        fell=last.iops < FELL * best.iops,
    )


def _reached(ordered: Sequence[Step], last: Step) -> bool:
    """Whether the doublings of the depth at the end gained next to nothing."""
    before = [step for step in ordered if step.depth * 2 <= last.depth]
    if not before:
        return False
    doublings = math.log2(last.depth / before[-1].depth)
    return last.iops < math.pow(1 + GAIN_LEAST, doublings) * before[-1].iops


def bounds(found: Knee, depth: float) -> float:
    """Return the most IOPS that `depth` outstanding requests can reach, by both bounds."""
    return min(depth / (found.round_ns / 1e9), found.iops_max)
