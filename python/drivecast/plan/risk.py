"""The chance that a design loses data, simulated: for designs that are refined.

Model. Bounds and value as in `data_loss`. The simulation (`stage.loss`) adds age, the wear of this workload with its
interval, and for the first designs of the ranking a rebuild that is simulated under the peak of the load, the hard
case: its first two seconds where the load does not slow it down, else its first ten, in which a rebuild comes as far
within 2 % as in sixty; of a load made up from counters no more requests than say as much. Others rebuild at rest, which
is a few hours at most beside days of waiting for a new drive.
"""

import math

from drivecast.assess.endurance import Endurance
from drivecast.errors import InputError
from drivecast.plan.data_loss import Risk
from drivecast.plan.load import ENOUGH, Synthetic, first
from drivecast.plan.requirement import Requirements
from drivecast.plan.trial import Bench, Trial
from drivecast.stage import rebuild
from drivecast.stage.design import Design
from drivecast.stage.loss import Service, lose, shares, wear_per_day, wearing

PRECISION = 0.02
"""Relative standard error of the simulation: a small part of the interval."""
FIRST_LOOK_S = 2.0
UNSLOWED = 0.99
"""A rebuild that keeps this share of the rate that it may take, in its first two seconds, is not slowed by the load."""
WATCHED_S = 10.0
"""Of the peak, in which the rebuild is watched. Of six arrays one, loaded enough to slow it down, differs from the
whole peak of sixty seconds by 2 %."""
WATCHED_REQUESTS = 3 * ENOUGH
"""Of a load that is the same all the time. Where it takes all that drives can do, a rebuild hardly moves, however long
it is watched."""


def simulated(
    design: Design,
    trial: Trial,
    lasts: Endurance | None,
    bench: Bench,
    *,
    at_rest: bool = False,
    share: float = rebuild.SHARE,
) -> Risk:
    """Assess a design by simulation, under its own wear and with a rebuild under its load, or by arithmetic."""
    needs: Requirements = bench.requirements
    group = design.redundancy
    spread = shares(trial.wear, group) if trial.wear else (1.0,) * group.drives
    hours, under_load = (rebuild.idle_h(design.drive), False) if at_rest else _rebuild_h(design, bench, share)
    found = lose(
        design,
        Service(needs.years, hours, needs.scrub_days, spares=math.ceil(design.spares / group.groups)),
        wearing(wear_per_day(design.drive, lasts), spread, needs.growth_per_year, needs.years),
        seed=bench.seed,
        precision=PRECISION,
    )
    return Risk(found.probability, found.unreadable_probability.value, "simulated", hours, under_load, share)


def _rebuild_h(design: Design, bench: Bench, share: float) -> tuple[float, bool]:
    """Hours of a rebuild at the peak, or by arithmetic for designs whose rebuild cannot be simulated; and which."""
    load, options = bench.load.peak(bench.fill(design), 1.0)
    hours = least = rebuild.idle_h(design.drive, share)
    most_s = bench.load.enough_s(1.0, WATCHED_REQUESTS) if isinstance(bench.load, Synthetic) else WATCHED_S
    try:
        for seconds in sorted({min(FIRST_LOOK_S, most_s), min(WATCHED_S, most_s)}):
            watched = first(options, seconds)
            hours = rebuild.loaded_h(
                design.serving, load, bench.catalog, watched, share=share, kept=bench.kept
            )
            if hours <= least / UNSLOWED:
                break
    except InputError:
        return least, False
    return hours, design.failures_tolerated > 0
