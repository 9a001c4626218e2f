"""The share of the load that one of several volumes gets, and what is required of the volume.

What must fit on it follows from the addresses that its share uses; of a capacity that was given it gets the share of
its addresses. Its busiest stretch is that of the whole log, and so are the length of the log and the hours of a day.
Budget and power are limits on all volumes together.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from drivecast.document.profile import Profile
from drivecast.plan import result
from drivecast.plan.bound import Limits
from drivecast.plan.candidate import Options
from drivecast.plan.load import Replay, load, spread
from drivecast.plan.requirement import Given, Requirements, derive
from drivecast.plan.trial import Bench
from drivecast.plan.volume_split import Part, Selector, parted
from drivecast.quantity.year import DAY_S
from drivecast.stage import trace


@dataclass(frozen=True)
class Whole:
    """The plan that designs of several volumes are judged for."""

    context: result.Context
    bench: Bench
    limits: Limits
    given: Given
    options: Options


@dataclass(frozen=True)
class Share:
    """What a volume is judged by."""

    part: Part
    profile: Profile
    requirements: Requirements
    bench: Bench
    limits: Limits
    context: result.Context

    def requiring(self, data_loss: float) -> "Share":
        """The same with another limit on the chance of losing data."""
        needs = replace(self.requirements, data_loss=data_loss)
        return replace(
            self,
            requirements=needs,
            bench=replace(self.bench, requirements=needs),
            limits=replace(self.limits, requirements=needs),
        )


@contextmanager
def shares(names: Sequence[str], chosen: Mapping[str, Selector], whole: Whole) -> Iterator[list[Share]]:
    """The shares of these volumes, in order, while the block runs.

    Raises `InputError` for volumes that cannot be, and for parts of the load that are empty.
    """
    options = whole.options
    with parted(whole.context.logs, options.reading, names, chosen) as parts:
        profiles = [
            trace.profile(part.files, part.reading, peak_window_s=options.peak_window_s) for part in parts
        ]
        used = sum(profile.extent_bytes or 0 for profile in profiles)
        found = {
            part.name: _share(part, profile, (profile.extent_bytes or 0) / used if used else 1.0, whole)
            for part, profile in zip(parts, profiles, strict=True)
        }
        yield [found[name] for name in names]


def _share(part: Part, profile: Profile, of_addresses: float, whole: Whole) -> Share:
    of_all, bench = whole.context.profile, whole.bench
    profile = profile.model_copy(
        update={
            "duration_s": of_all.duration_s,
            "write_bytes_per_day": _a_day(profile, of_all),
            "iops_mean": profile.requests / of_all.duration_s if of_all.duration_s else profile.iops_mean,
        }
    )
    capacity = whole.given.capacity_bytes
    given = replace(
        whole.given,
        capacity_bytes=None if capacity is None else max(1, math.ceil(capacity * of_addresses)),
        budget_usd=None,
        power_w_max=None,
        hours_per_day=bench.requirements.hours_per_day,
    )
    needs = replace(
        derive(given, profile),
        p99_read_ns=bench.requirements.p99_read_ns if profile.reads else None,
        p99_write_ns=bench.requirements.p99_write_ns if profile.writes else None,
    )
    played = load(part.files, profile, part.reading)
    if isinstance(played, Replay) and of_all.peak_window is not None:
        played = replace(played, start_s=of_all.peak_window.start_s)
    if whole.options.spread and capacity is not None:
        played = spread(played, needs.capacity_bytes)
    return Share(
        part,
        profile,
        needs,
        Bench(bench.catalog, needs, played, bench.seed, bench.trimmed, profile=profile),
        replace(whole.limits, requirements=needs, profile=profile),
        replace(whole.context, requirements=needs, profile=profile),
    )


def _a_day(profile: Profile, of_all: Profile) -> float:
    """Bytes that a part writes a day, over the length of the whole log."""
    if profile.source == "counters" or not of_all.duration_s:
        return profile.write_bytes_per_day or 0.0
    return profile.bytes_written / of_all.duration_s * DAY_S
