"""The chance that a design loses data: in closed form for all designs, simulated for those looked at closely.

Model. Both span the failure rates of sheet and fleets, with the fleets' as the value. The closed form knows
constant rates, and the repair as the rebuild and the operator's delay together. The simulation (`loss`) adds
age, the wear of this workload with its interval, latent errors, a monthly scrub, and a rebuild that is
simulated under the peak of the load, the hard case: its first two seconds where the load does not slow it down, else
its first ten, in which a rebuild comes as far within 2 % as in sixty.
"""

from dataclasses import dataclass, replace
from typing import Literal

from drivecast.assess.endurance import Endurance
from drivecast.assess.mttdl import Array, data_loss, mean_time_between_failures_h, redundancy
from drivecast.errors import InputError
from drivecast.plan.requirement import Requirements
from drivecast.plan.trial import Bench, Trial
from drivecast.quantity.interval import Interval
from drivecast.stage import rebuild
from drivecast.stage.design import Design
from drivecast.stage.loss import OPERATOR_H, Service, lose, shares, wear_per_day, wearing
from drivecast.stage.simulate import Options

PRECISION = 0.02
"""Relative standard error of the simulation: a small part of the interval."""
FIRST_LOOK_S = 2.0
UNSLOWED = 0.99
"""A rebuild that keeps this share of the rate that it may take, in its first two seconds, is not slowed by the load."""
WATCHED_S = 10.0
"""Of the peak, in which the rebuild is watched. Of six arrays one, loaded enough to slow it down, differs from the
whole peak of sixty seconds by 2 %."""


@dataclass(frozen=True)
class Risk:
    """The chance of losing data over the years asked for."""

    probability: Interval
    unreadable_probability: float
    """Of an unreadable sector in a rebuild, a part of it."""
    method: Literal["closed form", "simulated"]
    rebuild_h: float
    rebuilt_under_load: bool = False
    """Whether that is of a rebuild simulated at the peak; else by arithmetic."""


def closed(design: Design, failures: Interval, years: float) -> Risk:
    """Assess a design by the closed form."""
    hours = rebuild.idle_h(design.drive)

    def array(rate: float) -> Array:
        return Array(
            level=design.level,
            drives=design.count,
            mtbf_h=mean_time_between_failures_h(rate),
            rebuild_h=hours + OPERATOR_H,
            drive_bytes=design.drive.user_bytes,
            uber=design.drive.uber,
        )

    def chance(rate: float) -> float:
        return data_loss(array(rate), years).probability if rate > 0 else 0.0

    unreadable = data_loss(array(failures.value), years).unreadable_probability
    return Risk(failures.rising(chance), unreadable, "closed form", hours)


def simulated(design: Design, trial: Trial, lasts: Endurance | None, bench: Bench) -> Risk:
    """Assess a design by simulation, under its own wear and with a rebuild under its load."""
    needs: Requirements = bench.requirements
    group = redundancy(design.level, design.count)
    spread = shares(trial.wear, group) if trial.wear else (1.0,) * group.drives
    hours, under_load = _rebuild_h(design, bench)
    found = lose(
        design.drive,
        design.level,
        design.count,
        Service(years=needs.years, rebuild_h=hours),
        wearing(wear_per_day(design.drive, lasts), spread, needs.growth_per_year, needs.years),
        seed=bench.seed,
        precision=PRECISION,
    )
    return Risk(found.probability, found.unreadable_probability.value, "simulated", hours, under_load)


def _rebuild_h(design: Design, bench: Bench) -> tuple[float, bool]:
    """Hours of a rebuild at the peak, or by arithmetic for designs whose rebuild cannot be simulated; and which."""
    load, options = bench.load.peak(bench.fill(design), 1.0)
    hours = least = rebuild.idle_h(design.drive)
    try:
        for seconds in (FIRST_LOOK_S, WATCHED_S):
            watched = _first(options, seconds)
            hours = rebuild.loaded_h(design.line, design.level, design.drive, load, bench.catalog, watched)
            if hours <= least / UNSLOWED:
                break
    except InputError:
        return least, False
    return hours, redundancy(design.level, design.count).failures > 0


def _first(options: Options, seconds: float) -> Options:
    """The same run, of at most so many seconds."""
    length, duration = (limit and min(limit, seconds) for limit in (options.length_s, options.duration_s))
    return replace(options, length_s=length, duration_s=duration)
