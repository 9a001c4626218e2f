"""How many modes a distribution of latencies has: a cache and the medium behind it make two.

The histogram, on a logarithmic axis in steps of a tenth, is smoothed with a Gaussian of 0.15 (16 % of a latency). A
mode is a peak; two peaks are two modes where the valley between them is below half of the lower one and each holds at
least a twentieth of the requests (`assumed`: what a person sees as two modes). Fewer than 200 requests have one mode.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from drivecast.document.comparison import Modes
from drivecast.document.outcome import Outcome

STEP = 0.1
WIDTH = 0.15
VALLEY_MAX = 0.5
SHARE_MIN = 0.05
REQUESTS_MIN = 200


def modes(outcomes: Sequence[Outcome], op: str) -> Modes:
    """The modes of `op` over all repeats."""
    rows = [row for outcome in outcomes for row in outcome.latencies if row["op"] == op]
    logs = np.log([max(float(row["latency_ns"]), 1.0) for row in rows])
    counts = np.array([float(row["count"]) for row in rows])
    if counts.sum() < REQUESTS_MIN:
        return Modes(latency_ns=[], shares=[])
    low = float(logs.min()) - 4 * WIDTH
    places = ((logs - low) / STEP).astype(int)
    density = np.bincount(
        places, weights=counts, minlength=int(places.max()) + math.ceil(4 * WIDTH / STEP) + 1
    )
    reach = math.ceil(3 * WIDTH / STEP)
    window = np.exp(-0.5 * (np.arange(-reach, reach + 1) * STEP / WIDTH) ** 2)
    smooth = np.convolve(density, window / window.sum(), mode="same")
    cuts = _cuts(smooth)
    parts = np.split(density, cuts)
    starts = [0, *cuts]
    peaks = [start + int(np.argmax(part)) for start, part in zip(starts, np.split(smooth, cuts), strict=True)]
    return Modes(
        latency_ns=[math.exp(low + (peak + 0.5) * STEP) for peak in peaks],
        shares=[float(part.sum() / counts.sum()) for part in parts],
    )


def _cuts(smooth: "np.ndarray[Any, np.dtype[np.float64]]") -> list[int]:
    """Valleys that part modes: the shallowest goes first until all are deep and all parts are large."""
    inner = smooth[1:-1]
    cuts = [int(at) + 1 for at in np.flatnonzero((inner <= smooth[:-2]) & (inner < smooth[2:]))]
    while cuts:
        parts = np.split(smooth, cuts)
        peaks, shares = [part.max() for part in parts], [part.sum() / smooth.sum() for part in parts]
        depths = [smooth[cut] / min(peaks[at], peaks[at + 1]) for at, cut in enumerate(cuts)]
        shallow = int(np.argmax(depths))
        if depths[shallow] >= VALLEY_MAX:
            cuts.pop(shallow)
            continue
        small = int(np.argmin(shares))
        if shares[small] >= SHARE_MIN:
            break
        # A part too small joins the neighbour behind the shallower of its valleys.
        sides = [at for at in (small - 1, small) if 0 <= at < len(cuts)]
        cuts.pop(max(sides, key=lambda at: depths[at]))
    return cuts
