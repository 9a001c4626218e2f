"""How often the interval of a fitted parameter holds the truth, where the truth is known.

Volumes whose parameters are drawn at random are simulated at several depths; each run is disturbed as a whole by a few
per cent, as runs on real machines are, and the parameters are fitted. Prints the share of intervals that hold the
truth, and the median width, a line a parameter: at 95 % by construction, if the intervals are honest.

Run: `python scripts/fit_coverage.py [TRIALS]` (a second or two each).
"""

import math
import random
import sys
from collections import defaultdict
from collections.abc import Mapping
from statistics import median
from typing import Any

from drivecast.compare.fit import forward, refine, volume_variants
from drivecast.compare.fit.observation import Observation
from drivecast.compare.fit.variant import Estimate, Target

CAPACITY = 1 << 38
DEPTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
RUN_NOISE = 0.03
REQUESTS = 20_000


def truth(draw: random.Random) -> dict[str, float]:
    """A volume somewhere about those that clouds rent out."""
    return {
        "front.wake_ns": draw.uniform(10e3, 80e3),
        "front.sigma": draw.uniform(0.1, 0.3),
        "front.read_command_ns": draw.uniform(3e3, 20e3),
        "read.service_ns": draw.uniform(20e3, 200e3),
        "read.sigma": draw.uniform(0.1, 0.4),
    }


def observed(spec: forward.Spec, seed: int, draw: random.Random) -> list[Observation]:
    """Runs at all depths, each disturbed as a whole."""
    found = []
    for i, depth in enumerate(DEPTHS):
        line = f"random(4096, read=1, iodepth={depth})"
        blank = Observation("", "", line, {}, None, 1, REQUESTS, 1.0, {"iops": 1.0})
        figures = forward.figures(spec, CAPACITY, forward.Play(blank, REQUESTS, "laid-out", seed * 1000 + i))
        slower = math.exp(draw.gauss(0.0, RUN_NOISE))
        disturbed = {
            name: value / slower
            if name in ("iops", "bytes_per_s") or name.endswith("iops")
            else value * slower
            for name, value in figures.items()
        }
        found.append(Observation("", "", line, {"iodepth": depth}, None, 1, REQUESTS, 1.0, disturbed))
    return found


def device(values: Mapping[str, float]) -> dict[str, Any]:
    """The volume of some parameters."""
    spec: dict[str, Any] = {"kind": "volume", "capacity_bytes": CAPACITY, "write": {"service_ns": 1.0}}
    for name, value in values.items():
        table, _, key = name.partition(".")
        spec.setdefault(table, {})[key] = value
    spec["front"]["batch_max"] = volume_variants.ALL
    return spec


def trial(seed: int) -> list[tuple[float, Estimate]]:
    """One volume: what is true of each parameter, and what was found."""
    draw = random.Random(seed)
    values = truth(draw)
    runs = observed(device(values), seed, draw)
    variant = next(
        variant
        for variant in volume_variants.variants(runs, Target("t", CAPACITY, {}))
        if variant.name == "batches"
    )
    determined = [parameter for parameter in variant.parameters if parameter.name in values]
    plays = [forward.Play(run, REQUESTS, "laid-out", 1) for run in runs]
    simulator = forward.Simulator(plays, device, CAPACITY)
    found = refine.refine(simulator, determined, lambda _share, _what: None)
    return [(values[estimate.parameter.name], estimate) for estimate in found.estimates]


def main() -> None:
    """Print a line a parameter."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    rows: dict[str, list[tuple[float, Estimate]]] = defaultdict(list)
    for seed in range(trials):
        for true, estimate in trial(seed):
            rows[estimate.parameter.name].append((true, estimate))
    held_all = count_all = 0
    for name, found in rows.items():
        determined = [
            (true, estimate)
            for true, estimate in found
            if estimate.low is not None and estimate.high is not None
        ]
        held = sum((estimate.low or 0) <= true <= (estimate.high or 0) for true, estimate in determined)
        width = median((estimate.high or 1) / (estimate.low or 1) for _, estimate in determined)
        off = median(abs(estimate.value / true - 1) for true, estimate in determined)
        print(
            f"{name}: {held} of {len(determined)} hold the truth, high / low {width:.2f}, off {off:.1%} (medians)"
        )
        held_all, count_all = held_all + held, count_all + len(determined)
    print(f"coverage: {held_all / count_all:.1%} of {count_all} (at {refine.LEVEL:.0%} by construction)")


if __name__ == "__main__":
    main()
