"""A model from counters. What they do not report is assumed, and listed.

Reads and writes are a stream each, of sizes with their mean, Poisson at their own rates over the time of the log,
at random over the data, or in runs of geometric lengths where the profile infers a share of requests in order.
Counters report no addresses, no spread of sizes, no bursts within a sample and no reuse: each is `assumed` with its
reason.
"""

from collections.abc import Sequence

from drivecast.document.model import Model, Open, Random, RateOverTime, Sequential, Size, Stream
from drivecast.document.profile import Profile
from drivecast.errors import InputError
from drivecast.quantity import number

BLOCK_BYTES = 4096
SECTOR_BYTES = 512
STEPS_MAX = 60
RARE = 1e-3
"""The share of runs that are longer than any of a model."""
SPAN_BYTES = 100 * 10**9
"""Of the data, where none is given. Assumed."""

ASSUMED = {
    "sizes": "the mean, or the two multiples of 4 KiB next to it: counters do not report the spread",
    "address.zones": "random over all data: counters do not report locality",
    "arrivals.gaps": "Poisson within a sample: counters do not report bursts",
    "align_bytes": "4 KiB, below that a sector: counters do not report alignment",
}
ASSUMED_SPAN = "100 GB: counters do not report how much is stored; set it with `--span`"


def fit(profile: Profile, name: str, span_bytes: int | None) -> Model:
    """The model of a counter log with this profile.

    Raises `InputError` for a log without requests.
    """
    duration_s = profile.duration_s
    if not profile.requests or not duration_s:
        raise InputError(f"`{name}` has no reads and no writes, so there is nothing to fit a model to")
    streams = []
    assumed = {} if span_bytes else {"span_bytes": ASSUMED_SPAN}
    for op, read, count, mean in (
        ("read", 1.0, profile.reads, profile.read_size_mean_bytes),
        ("write", 0.0, profile.writes, profile.write_size_mean_bytes),
    ):
        if not count or mean is None:
            continue
        inferred = getattr(profile.sequential_share, op, None)
        in_order = inferred.value if inferred else 0.0
        steps = _steps(
            [float(row["reads"] if op == "read" else row["writes"]) for row in profile.seconds], duration_s
        )
        streams.append(
            Stream(
                name=f"{op}s",
                read=read,
                sizes=sizes(mean),
                align_bytes=BLOCK_BYTES if mean >= BLOCK_BYTES else SECTOR_BYTES,
                address=Sequential(run_requests=_lengths(in_order)) if in_order else Random(),
                arrivals=Open(
                    rate_iops=count / duration_s,
                    rate_over_time=RateOverTime(period_s=duration_s, steps=steps) if steps else None,
                ),
            )
        )
        assumed |= {f"streams.{op}s.{key}": why for key, why in ASSUMED.items()}
        if inferred is not None and in_order:
            why = f"{number.within_percent(inferred)} of requests in order, inferred from sizes and merges"
            assumed[f"streams.{op}s.address.run_requests"] = why
    return Model(
        name=name,
        span_bytes=span_bytes or SPAN_BYTES,
        duration_s=duration_s,
        streams=streams,
        provenance={
            "default": {"measured": f"counters of `{name}`"},
            **{key: {"assumed": why} for key, why in assumed.items()},
        },
    )


def sizes(mean_bytes: float) -> list[Size]:
    """Blocks of the mean size: the two multiples next to it, in shares that keep the mean."""
    unit = BLOCK_BYTES if mean_bytes >= BLOCK_BYTES else SECTOR_BYTES
    units = max(1.0, round(mean_bytes / unit, 3))
    below = int(units)
    above = round(units - below, 3)
    both = [(below, round(1.0 - above, 3)), (below + 1, above)]
    return [Size(bytes=count * unit, share=share) for count, share in both if share > 0]


def _lengths(in_order: float) -> list[tuple[float, float]]:
    """Lengths of runs in which this share of requests follow another: geometric, to the half request when rounded."""
    single = 1 - in_order
    rows, length = [(round(single, 6), 1.0), (round(single, 6) + 1e-6, 1.5)], 2
    while in_order**length > RARE:
        rows.append((round(1 - in_order**length, 6), length + 0.5))
        length += max(1, length // 3)
    return [*rows, (1.0, length + 0.5)]


def _steps(values: Sequence[float], duration_s: float) -> list[tuple[float, float]]:
    """The rate over the log in even steps; none where the log is too short."""
    if len(values) < 2 or not sum(values):
        return []
    count = min(STEPS_MAX, len(values))
    mean = sum(values) / len(values)
    steps = []
    for step in range(count):
        part = values[step * len(values) // count : (step + 1) * len(values) // count]
        steps.append((round(step * duration_s / count, 3), round(sum(part) / len(part) / mean, 4)))
    return steps
