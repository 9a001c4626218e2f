"""The period that is explained: how long it is, and whether two samples are of one cache, in order, without a reset.

The length of a period is what was given, else the difference of the samples' own clocks (ZFS), of the times in their
files' names, or of the times at which the files were last written. Of one sample it is what was given as the time that
its counters have run, or what the statistics say of that.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from drivecast.caching.cache_sample import Period, Sample
from drivecast.document.part import Provenance
from drivecast.errors import HintedError

SHORT_S = 1.0
"""Files that were written closer together were copied rather than taken apart."""
_NAMED_MAX = 6


@dataclass(frozen=True)
class Given:
    """What the user says of the period."""

    between_s: float | None = None
    uptime_s: float | None = None
    host_written_bytes: int | None = None


def of_one(sample: Sample, given: Given) -> Period:
    """Return the period up to one sample."""
    if given.between_s is not None:
        raise HintedError(
            "`--seconds-between` needs two samples",
            "give a later one as the second file, or `--uptime` for how long the counters have run",
        )
    if given.uptime_s is not None:
        return Period(sample, None, given.uptime_s, "given", given.host_written_bytes)
    known: Provenance | None = "measured" if sample.covers_s else None
    return Period(sample, None, sample.covers_s, known, given.host_written_bytes)


def of(samples: Sequence[Sample], given: Given) -> Period:
    """Return the period of one sample, or between two. Raises `InputError` as these do."""
    return of_one(samples[0], given) if len(samples) == 1 else of_two(samples[0], samples[1], given)


def of_two(first: Sample, last: Sample, given: Given) -> Period:
    """Return the period between two samples. Raises `InputError` where they are not of one run of one cache."""
    if given.uptime_s is not None:
        raise HintedError(
            "`--uptime` is of one sample, here are two",
            "`--seconds-between` says how far apart they are",
        )
    _same_cache(first, last)
    seconds = _apart(first, last)
    _only_rises(first, last, seconds)
    if given.between_s is not None:
        return Period(last, first, given.between_s, "given", given.host_written_bytes)
    if seconds is None or seconds <= 0:
        raise HintedError(
            f"{first.place} and {last.place}: no time between the two samples"
            + ("" if seconds is None else f": {seconds:,.0f} s by their files"),
            "`--seconds-between` says how far apart they are, such as 300 or 5min",
        )
    if first.clock_s is None and last.time_from == "file-time" and seconds < SHORT_S:
        raise HintedError(
            f"{first.place} and {last.place}: the files were written {seconds:.2f} s apart, as copies are",
            "`--seconds-between` says how far apart the samples are, such as 300 or 5min",
        )
    return Period(last, first, seconds, "measured", given.host_written_bytes)


def _same_cache(first: Sample, last: Sample) -> None:
    if first.kind != last.kind:
        raise HintedError(
            f"{first.place} is of {first.kind}, {last.place} of {last.kind}", "give two samples of one cache"
        )
    for name in first.identity.keys() & last.identity.keys():
        mine, its = first.identity[name], last.identity[name]
        if mine == its:
            continue
        if name == "created":
            raise HintedError(
                f"{last.place}: `created` is {its}, and {mine} in {first.place}: ZFS was loaded again in between",
                "take both samples after the reboot, or explain the later one alone",
            )
        raise HintedError(
            f"{last.place}: `{name}` is `{its}`, and `{mine}` in {first.place}: two different caches",
            "give two samples of one cache",
        )


def _apart(first: Sample, last: Sample) -> float | None:
    """Seconds from the first to the last; none where their times are not of one kind."""
    if first.clock_s is not None and last.clock_s is not None:
        return last.clock_s - first.clock_s
    if first.time is None or last.time is None or first.time_from != last.time_from:
        return None
    return (last.time - first.time).total_seconds()


def _only_rises(first: Sample, last: Sample, seconds: float | None) -> None:
    names = first.counters.keys() & last.counters.keys()
    fell = sorted(
        name
        for name in names
        if last.counters[name] < first.counters[name] - max(first.steps.get(name, 0), last.steps.get(name, 0))
    )
    if not fell:
        return
    shown = ", ".join(
        f"`{name}` from {first.counters[name]:,.0f} to {last.counters[name]:,.0f}"
        for name in fell[:_NAMED_MAX]
    )
    rose = any(last.counters[name] > first.counters[name] for name in names)
    if not rose and (seconds is None or seconds <= 0):
        raise HintedError(
            f"{last.place}: every counter that changed fell ({shown}): the samples are swapped",
            f"give the earlier one first: {last.place} {first.place}",
        )
    raise HintedError(
        f"{last.place}: counters went backwards since {first.place}: {shown}",
        "they were zeroed in between, by a reboot or by hand: explain the later sample alone, with `--uptime` of "
        "the time since then"
        + ("" if rose else "; or the samples are swapped: then give the earlier one first"),
    )
