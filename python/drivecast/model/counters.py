"""A model from counters. What they cannot tell is assumed, and listed.

Reads and writes are a stream each, of sizes with their mean, Poisson at their own rates over the time of the log,
at random over the data. Counters tell no addresses, no spread of sizes, no bursts within a sample and no
reuse: each is `assumed` with its reason.
"""

from typing import Any

from drivecast.errors import InputError
from drivecast.stage.model_file import Model

BLOCK_BYTES = 4096
SECTOR_BYTES = 512
STEPS_MAX = 60
SPAN_BYTES = 100 * 10**9
"""Of the data, where nobody says. Assumed."""

ASSUMED = {
    "sizes": "the mean, or the two multiples of 4 KiB beside it: counters do not tell the spread",
    "address.zones": "random over all data: counters do not tell locality",
    "arrivals.gaps": "Poisson within a sample: counters do not tell bursts",
    "align_bytes": "4 KiB, below that a sector: counters do not tell alignment",
}


def fit(profile: dict[str, Any], name: str, span_bytes: int | None) -> Model:
    """The model of a counter log with this profile.

    Raises `InputError` for a log without requests.
    """
    duration_s = profile["duration_s"]
    if not profile["requests"] or not duration_s:
        raise InputError(f"`{name}` has no reads and no writes, so there is nothing to fit a model to")
    span = span_bytes or SPAN_BYTES
    streams, provenance = [], {"default": {"measured": f"counters of `{name}`"}}
    for op, read in (("read", 1.0), ("write", 0.0)):
        count, mean = profile[f"{op}s"], profile[f"{op}_size_mean_bytes"]
        if not count or mean is None:
            continue
        arrivals: dict[str, Any] = {"loop": "open", "rate_iops": count / duration_s}
        steps = _steps(profile["seconds"], f"{op}s", duration_s)
        if steps:
            arrivals["rate_over_time"] = {"period_s": duration_s, "steps": steps}
        streams.append(
            {
                "name": f"{op}s",
                "read": read,
                "sizes": sizes(mean),
                "align_bytes": BLOCK_BYTES if mean >= BLOCK_BYTES else SECTOR_BYTES,
                "address": {"pattern": "random"},
                "arrivals": arrivals,
            }
        )
        provenance |= {f"streams.{op}s.{key}": {"assumed": why} for key, why in ASSUMED.items()}
    if span_bytes is None:
        provenance["span_bytes"] = {
            "assumed": "100 GB: counters do not tell how much is stored; `--span` does"
        }
    return {
        "schema_version": 1,
        "name": name,
        "span_bytes": span,
        "duration_s": duration_s,
        "streams": streams,
        "provenance": provenance,
    }


def sizes(mean_bytes: float) -> list[dict[str, float]]:
    """Blocks of the mean size: the two multiples beside it, in shares that keep the mean."""
    unit = BLOCK_BYTES if mean_bytes >= BLOCK_BYTES else SECTOR_BYTES
    units = max(1.0, round(mean_bytes / unit, 3))
    below = int(units)
    above = round(units - below, 3)
    both = [(below, round(1.0 - above, 3)), (below + 1, above)]
    return [{"bytes": count * unit, "share": share} for count, share in both if share > 0]


def _steps(seconds: list[dict[str, Any]], key: str, duration_s: float) -> list[list[float]]:
    """The rate over the log in even steps; none where it has too little to tell."""
    values = [float(row.get(key) or 0.0) for row in seconds]
    if len(values) < 2 or not sum(values):
        return []
    count = min(STEPS_MAX, len(values))
    mean = sum(values) / len(values)
    steps = []
    for step in range(count):
        part = values[step * len(values) // count : (step + 1) * len(values) // count]
        steps.append([round(step * duration_s / count, 3), round(sum(part) / len(part) / mean, 4)])
    return steps
