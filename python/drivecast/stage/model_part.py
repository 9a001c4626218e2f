"""The busiest part of a model whose pass has too many requests to be held in memory.

Model. A pass is played from memory, 40 bytes a request. A model of more than `REQUESTS_MAX` requests, as one of a day
of counters, is cut to the stretch with most of them that has no more: rates over time are shifted to begin there, and
bursts that are listed keep those within. Streams, sizes and addresses stay. What is written a day stays that of the
whole pass, and has to be asked of the model (`written_bytes_per_day`), not of its part.
"""

from dataclasses import dataclass

from drivecast.document.model import Listed, Model, Open, RateOverTime, Stream
from drivecast.quantity import number

REQUESTS_MAX = 10_000_000
SECONDS_PER_DAY = 86_400.0
STARTS_MAX = 1000
"""Starts of a stretch that are compared: a model's rates have fewer steps."""


@dataclass(frozen=True)
class Cut:
    """A model that can be played, and what is to be said where it is a part of another."""

    model: Model
    start_s: float = 0.0
    note: str | None = None


def cut(model: Model, requests_max: int = REQUESTS_MAX) -> Cut:
    """The model, or its busiest part where it has more requests than that."""
    loops = [stream.arrivals for stream in model.streams if isinstance(stream.arrivals, Open)]
    length_s = model.duration_s
    if length_s is None or len(loops) < len(model.streams):
        return Cut(model)
    requests = sum(loop.rate_iops for loop in loops) * length_s
    if requests <= requests_max:
        return Cut(model)
    peak = sum(loop.rate_iops * max((share for _, share in _steps(loop)), default=1.0) for loop in loops)
    part_s = min(length_s, requests_max / peak)
    starts = sorted({at for loop in loops for at, _ in _steps(loop) if at + part_s <= length_s} | {0.0})
    start_s = max(
        starts[:STARTS_MAX], key=lambda at: sum(loop.rate_iops * _mean(loop, at, part_s) for loop in loops)
    )
    streams = [
        stream.model_copy(update={"arrivals": _part(loop, start_s, part_s)})
        for stream, loop in zip(model.streams, loops, strict=True)
    ]
    note = (
        f"the model `{model.name}` makes {requests:,.0f} requests in {number.duration(length_s)}; its busiest "
        f"{number.duration(part_s)} are played, from {number.duration(start_s)}"
    )
    return Cut(model.model_copy(update={"streams": streams, "duration_s": part_s}), start_s, note)


def written_bytes_per_day(model: Model) -> float | None:
    """What the whole pass writes, as a day of it; none of a closed loop, whose rate is the device's."""
    if not all(isinstance(stream.arrivals, Open) for stream in model.streams):
        return None
    return sum(_written_bytes_per_s(stream) for stream in model.streams) * SECONDS_PER_DAY


def hours_per_day(model: Model, part: Model) -> float:
    """Hours of the part that write as much as a day of the model; 24 where neither writes."""
    whole, busiest = written_bytes_per_day(model), written_bytes_per_day(part)
    return 24.0 if not whole or not busiest else min(24.0, 24.0 * whole / busiest)


def _written_bytes_per_s(stream: Stream) -> float:
    rate = stream.arrivals.rate_iops if isinstance(stream.arrivals, Open) else 0.0
    return rate * max(0.0, 1 - stream.read - stream.trim - stream.flush) * stream.mean_bytes


def _steps(loop: Open) -> list[tuple[float, float]]:
    """When the rate changes, and what it is then, its mean being 1."""
    over = loop.rate_over_time
    if over is None:
        return []
    ends = [at for at, _ in over.steps[1:]] + [over.period_s]
    total = sum((end - at) * share for (at, share), end in zip(over.steps, ends, strict=True))
    mean = total / over.period_s if total else 1.0
    return [(at, share / mean) for at, share in over.steps]


def _within(loop: Open, start_s: float, length_s: float) -> list[tuple[float, float]]:
    """The steps of a stretch, from its start on."""
    steps = _steps(loop)
    before = [share for at, share in steps if at <= start_s]
    later = [(at - start_s, share) for at, share in steps if start_s < at < start_s + length_s]
    return [(0.0, before[-1] if before else 1.0), *later]


def _mean(loop: Open, start_s: float, length_s: float) -> float:
    """How many times its mean the rate is in a stretch; 1 where it comes round again within."""
    over = loop.rate_over_time
    if over is None or start_s + length_s > over.period_s:
        return 1.0
    steps = _within(loop, start_s, length_s)
    ends = [at for at, _ in steps[1:]] + [length_s]
    return sum((end - at) * share for (at, share), end in zip(steps, ends, strict=True)) / length_s


def _part(loop: Open, start_s: float, length_s: float) -> Open:
    over, listed = loop.rate_over_time, loop.listed
    found = loop.model_copy(update={"rate_iops": loop.rate_iops * _mean(loop, start_s, length_s)})
    if over is not None and start_s + length_s <= over.period_s:
        steps = _within(loop, start_s, length_s)
        found = found.model_copy(update={"rate_over_time": RateOverTime(period_s=length_s, steps=steps)})
    if listed is not None and start_s + length_s <= listed.period_s:
        bursts = [
            (at - start_s, requests, lasts)
            for at, requests, lasts in listed.bursts
            if start_s <= at and at + lasts <= start_s + length_s
        ]
        part = Listed(period_s=length_s, bursts=bursts) if bursts else None
        found = found.model_copy(update={"listed": part})
    return found
