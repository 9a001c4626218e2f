"""How far a fitted device is off, on runs that it was not fitted to.

Model. The error of a figure is |predicted / measured − 1|; by quantity and operation its median and worst over the
held-out settings, and how many lie within `WITHIN`. Next to it the noise: the median relative difference between two
runs of one setting, from repeats (√2 times the standard deviation of a logarithm, at its median for a normal one);
where nothing was repeated the noise is not known, and an error below it means nothing.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from drivecast.compare.fit.observation import IOPS, Observation
from drivecast.document.fit import FIGURES, Error

WITHIN = 0.20
NORMAL_HALF = 0.6745
"""Half of all draws of a standard normal lie nearer to zero."""


def errors(
    observations: Sequence[Observation],
    predicted: Sequence[Mapping[str, float]],
    noises: Mapping[str, float],
) -> list[Error]:
    """One row a quantity that was both measured and predicted."""
    found = []
    for name in FIGURES:
        pairs = [
            (row[name] / observation.figures[name], observation)
            for observation, row in zip(observations, predicted, strict=True)
            if name in observation.figures and name in row
        ]
        if pairs:
            ratios = np.array([ratio for ratio, _ in pairs])
            off = np.abs(ratios - 1)
            worst = int(np.argmax(off))
            found.append(
                Error(
                    quantity=name,
                    settings=len(pairs),
                    error_median=float(np.median(off)),
                    error_max=float(off[worst]),
                    bias=float(np.median(ratios)) - 1,
                    within_20_percent=int(np.sum(off <= WITHIN)),
                    worst=pairs[worst][1].label,
                    noise=noises.get(name),
                )
            )
    return found


def noise(observations: Iterable[Observation]) -> dict[str, float]:
    """By quantity, what two runs of one setting typically differ by; only where runs were repeated."""
    rows: dict[str, list[float]] = {}
    for observation in observations:
        for name, deviation in observation.noise.items():
            rows.setdefault(name, []).append(deviation)
    typical = {name: float(np.sqrt(np.mean(np.square(values)))) for name, values in rows.items()}
    return {
        name: math.expm1(NORMAL_HALF * math.sqrt(2) * typical[name]) for name in FIGURES if name in typical
    }


def table(
    held_out: Sequence[Observation], found: Sequence[Error], by: str, noises: Mapping[str, float]
) -> dict[str, object]:
    """The table `[held_out]` of a drive's file: reads and writes together, the worse noise of the two."""
    rows: dict[str, object] = {"runs": len(held_out), "by": by}
    for key, ends in (("p50", "q0.5"), ("p99", "q0.99"), (IOPS, IOPS)):
        ours = [error for error in found if error.quantity.endswith(ends)]
        if ours:
            rows[f"{key}_error_median"] = round(max(error.error_median for error in ours), 4)
            rows[f"{key}_error_max"] = round(max(error.error_max for error in ours), 4)
        noise_of = [share for name, share in noises.items() if name.endswith(ends)]
        if noise_of:
            rows[f"{key}_noise"] = round(max(noise_of), 4)
    return rows
