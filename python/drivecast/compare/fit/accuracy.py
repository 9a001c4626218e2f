"""How far a fitted device is off, on runs that it was not fitted to.

Model. The error of a figure is |predicted / measured − 1|; by quantity and operation its median and worst over the
held-out settings, and how many lie within `WITHIN`. Beside it the noise: the median relative difference between two
runs of one setting, from repeats (√2 times the standard deviation of a logarithm, at its median for a normal one);
where nothing was repeated the noise is not known, and an error below it would mean nothing.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from drivecast.compare.fit.observation import IOPS, Observation
from drivecast.document.measurement import OPS

WITHIN = 0.20
QUANTITIES = ("q0.5", "q0.9", "q0.99", "q0.999")
NORMAL_HALF = 0.6745
"""Half of all draws of a standard normal lie nearer to zero."""


@dataclass(frozen=True)
class Error:
    """Of one quantity."""

    quantity: str
    """`iops`, or operation and quantile: `read.q0.99`."""
    settings: int
    median: float
    worst: float
    bias: float
    """Median of predicted over measured, less one: on which side it is off."""
    within: int
    """Settings whose error is at most `WITHIN`."""
    worst_setting: str


def names() -> list[str]:
    """The quantities that errors are stated of."""
    return [IOPS, *(f"{op}.{quantity}" for op in OPS for quantity in QUANTITIES)]


def errors(observations: Sequence[Observation], predicted: Sequence[Mapping[str, float]]) -> list[Error]:
    """One row a quantity that was both measured and predicted."""
    found = []
    for name in names():
        pairs = [
            (row[name] / one.figures[name], one)
            for one, row in zip(observations, predicted, strict=True)
            if name in one.figures and name in row
        ]
        if pairs:
            ratios = np.array([ratio for ratio, _ in pairs])
            off = np.abs(ratios - 1)
            worst = int(np.argmax(off))
            found.append(
                Error(
                    name,
                    len(pairs),
                    float(np.median(off)),
                    float(off[worst]),
                    float(np.median(ratios)) - 1,
                    int(np.sum(off <= WITHIN)),
                    pairs[worst][1].label,
                )
            )
    return found


def noise(observations: Iterable[Observation]) -> dict[str, float]:
    """By quantity, what two runs of one setting typically differ by; only where runs were repeated."""
    rows: dict[str, list[float]] = {}
    for one in observations:
        for name, deviation in one.noise.items():
            rows.setdefault(name, []).append(deviation)
    typical = {name: float(np.sqrt(np.mean(np.square(values)))) for name, values in rows.items()}
    return {
        name: math.expm1(NORMAL_HALF * math.sqrt(2) * typical[name]) for name in names() if name in typical
    }


def table(
    held_out: Sequence[Observation], found: Sequence[Error], by: str, noises: Mapping[str, float]
) -> dict[str, object]:
    """The table `[held_out]` of a drive's file: reads and writes together, the worse noise of the two."""
    rows: dict[str, object] = {"runs": len(held_out), "by": by}
    for key, ends in (("p50", "q0.5"), ("p99", "q0.99"), (IOPS, IOPS)):
        ours = [one for one in found if one.quantity.endswith(ends)]
        if ours:
            rows[f"{key}_error_median"] = round(max(one.median for one in ours), 4)
            rows[f"{key}_error_max"] = round(max(one.worst for one in ours), 4)
        noise_of = [share for name, share in noises.items() if name.endswith(ends)]
        if noise_of:
            rows[f"{key}_noise"] = round(max(noise_of), 4)
    return rows
