"""Chance that an array loses data, by Monte Carlo. Thin over `_core` and `assess`.

The interval spans the failure rates of sheet and fleets, the range of rated cycles, of write amplification
and of latent errors, all at their good ends and all at their bad ends, each with the sampling error on top.
It is no confidence interval: these are bounds of what is published, and the first of them is most of it.
"""

import json
import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

from drivecast import _core
from drivecast.assess.endurance import Endurance
from drivecast.assess.hazard import (
    Growth,
    disk_causes,
    disk_latent_per_h,
    flash_causes,
    flash_latent_per_h,
    growing,
    grown,
)
from drivecast.assess.mttdl import (
    Array,
    DataLoss,
    Redundancy,
    data_loss,
    mean_time_between_failures_h,
)
from drivecast.assess.policy import Policy, Wearing, places, replaces
from drivecast.assess.rating import failure_rate
from drivecast.catalog import Drive
from drivecast.catalog.sheet import HddSheet
from drivecast.document.reliability import GroupLoss
from drivecast.document.wear import Amplification
from drivecast.errors import HintedError, InputError
from drivecast.quantity.interval import Interval
from drivecast.quantity.year import HOURS_PER_YEAR
from drivecast.stage.design import Design

Corner = Literal["low", "value", "high"]
CORNERS: tuple[Corner, ...] = ("low", "value", "high")
SCRUB_DAYS = 30.0
OPERATOR_H = 72.0
SECTOR_BYTES = 4096
USES_MAX = 500
"""Sets of drives that may be worn out over a service."""

PRECISION = 0.01
MISSIONS_MAX = 300_000


@dataclass(frozen=True)
class Service:
    """How an array is looked after."""

    years: float
    rebuild_h: float
    scrub_days: float | None = SCRUB_DAYS
    """A scrub reads all of every drive once in this time; `None`: never."""
    spares: int = 0
    operator_h: float = OPERATOR_H
    """From a failure until somebody has put in a new drive."""
    policy: Policy = "one-age"
    limit: float = 1.0
    """Share of the rated cycles at which the policy replaces drives."""
    replacement: Literal["copied", "rebuilt"] = "rebuilt"
    """Whether a drive at the limit is copied while it serves, or pulled and rebuilt from the others."""

    @property
    def hours(self) -> float:
        """Length of the service."""
        return self.years * HOURS_PER_YEAR

    @property
    def repair_h(self) -> float:
        """From a failure until redundancy is back."""
        return self.rebuild_h + (0.0 if self.spares else self.operator_h)


@dataclass(frozen=True)
class Loss:
    """What an array loses over its service."""

    probability: Interval
    """Of any loss of data."""
    failure_probability: Interval
    """Of a loss by failed drives."""
    unreadable_probability: Interval
    """Of an unreadable sector in a rebuild without redundancy."""
    lost_bytes: Interval
    degraded_fraction: Interval
    availability: Interval
    relative_error: float
    """Of sampling, of `probability.value`."""
    missions: int
    closed: DataLoss
    """The birth-death chain at the same failure rate and repair time."""


def latent_per_h(drive: Drive) -> Interval:
    """Latent errors that arise on a new drive, an hour."""
    if isinstance(drive.sheet, HddSheet):
        return disk_latent_per_h(drive.sheet.disk.rpm.value)
    return flash_latent_per_h()


def wear_per_day(drive: Drive, lasts: Endurance | None) -> Interval | None:
    """Share of the rated cycles that a drive uses in a day of the first year; `None` where nothing wears."""
    cycles = drive.pe_cycles
    if lasts is None or cycles is None or lasts.pe_cycles_per_day.high <= 0:
        return None
    used = lasts.pe_cycles_per_day
    return Interval(used.low / cycles.high, used.value / cycles.typical, used.high / cycles.low)


def wearing(
    a_day: Interval | None, shares: tuple[float, ...], growth_per_year: float, years: float
) -> dict[Corner, Wearing] | None:
    """How fast the drives of a group wear at each corner; `None` where they do not."""
    if a_day is None:
        return None
    grows = [
        (year * HOURS_PER_YEAR, (1 + growth_per_year) ** (year + 0.5) if growth_per_year else 1.0)
        for year in range(math.ceil(years))
    ]

    return {
        corner: Wearing(tuple((hour, getattr(a_day, corner) / 24 * factor) for hour, factor in grows), shares)
        for corner in CORNERS
    }


def shares(found: Amplification, group: Redundancy) -> tuple[float, ...]:
    """Give the writes of each place of a group over their mean, from a wear run; even where there are many groups.

    Spares come last in a wear run, and have no place.
    """
    written = [float(drive.written_bytes) for drive in found.drives[: group.groups * group.drives]]
    if group.groups != 1 or len(written) != group.drives or not sum(written):
        return (1.0,) * group.drives
    return tuple(bytes_ * len(written) / sum(written) for bytes_ in written)


def lose(
    design: Design,
    service: Service,
    wear: dict[Corner, Wearing] | None = None,
    *,
    seed: int = 0,
    precision: float = PRECISION,
) -> Loss:
    """Simulate a design over its service, whose spares each of its groups has.

    Raises `InputError` for a service that cannot be, such as uneven parity without parity.
    """
    if service.policy == "uneven" and design.level != "raid5":
        raise InputError(f"--policy uneven: needs the one parity of RAID 5, found {design.level}")
    if replaces(service.policy) and wear is None:
        raise HintedError(
            f"--policy {service.policy}: nothing wears, so nothing is replaced",
            "`--workload` or `--write-per-day`, and a flash drive",
        )
    _check_wear(wear, service)
    found: dict[Corner, GroupLoss] = {}
    for corner in CORNERS:
        of = specification(design, service, wear[corner] if wear else None, corner)
        estimated = _core.lose(json.dumps(of), seed=seed, precision=precision, missions_max=MISSIONS_MAX)
        found[corner] = GroupLoss.model_validate(estimated)
    failure = _over(found, "failure_probability")
    of_found = ("probability", "unreadable_probability", "lost_bytes", "degraded_fraction")
    # After a loss the array is down until drives are there and written again.
    down = (service.operator_h + service.rebuild_h) / service.hours
    return Loss(
        **{name: _over(found, name) for name in of_found},
        failure_probability=failure,
        availability=Interval(
            *(_available(chance, down) for chance in (failure.high, failure.value, failure.low))
        ),
        relative_error=found["value"].relative_error,
        missions=found["value"].missions,
        closed=data_loss(_chain(design, service), service.years),
    )


def _check_wear(wear: dict[Corner, Wearing] | None, service: Service) -> None:
    """Refuse writes under which drives would last for days: that is not a service, and no simulation ends."""
    fastest = max((rate for _, rate in wear["high"].per_h), default=0.0) if wear else 0.0
    uses = fastest * service.hours / min(1.0, service.limit)
    if uses > USES_MAX:
        raise InputError(
            f"these writes use up the rated cycles {uses:,.0f} times in {service.years:g} years, {USES_MAX} at most"
        )


def specification(design: Design, service: Service, wear: Wearing | None, corner: Corner) -> dict[str, Any]:
    """The groups as `_core.lose` takes them."""
    drive, group = design.drive, design.redundancy
    rate, latent = getattr(failure_rate(drive), corner), getattr(latent_per_h(drive), corner)
    if isinstance(drive.sheet, HddSheet):
        causes = disk_causes(rate)
        errors = (Growth(latent, latent), Growth(drive.uber, drive.uber))
    else:
        causes = flash_causes(rate)
        errors = (growing(latent), grown(drive.uber))
    planned = places(service.policy, wear, service.limit, service.hours) if wear else ()
    return {
        "drives": group.drives,
        "failures": group.failures,
        "groups": group.groups,
        "hours": service.hours,
        "drive_bytes": drive.user_bytes,
        "causes": [asdict(cause) for cause in causes],
        "rebuild": _fixed(service.rebuild_h),
        "operator": _fixed(service.operator_h),
        "spares": service.spares,
        "sectors": {
            "latent_per_h": asdict(errors[0]),
            "uber": asdict(errors[1]),
            "scrub_h": service.scrub_days * 24 if service.scrub_days else None,
            "bytes": SECTOR_BYTES,
        },
        "slots": [{"age_h": 0.0, **asdict(place)} for place in planned],
        "replace_at": service.limit if replaces(service.policy) else None,
        "replacement": service.replacement,
    }


def _fixed(hours: float) -> dict[str, float]:
    return {"min_h": hours, "scale_h": 0.0, "shape": 1.0}


def _over(found: dict[Corner, GroupLoss], name: str) -> Interval:
    """The value, between the least and the most of all corners and their sampling."""
    spans = [getattr(found[corner], name) for corner in CORNERS]
    low, high = min(span.low for span in spans), max(span.high for span in spans)
    return Interval(low, getattr(found["value"], name).value, high)


def _available(chance: float, down: float) -> float:
    """Share of the time in which data can be had: losses come at a constant rate, each with its time down."""
    losses = -math.log1p(-min(chance, 0.999))
    return 1 / (1 + losses * down)


def _chain(design: Design, service: Service) -> Array:
    drive = design.drive
    return Array(
        level=design.level,
        drives=design.count,
        mtbf_h=mean_time_between_failures_h(failure_rate(drive).value),
        # Without redundancy nothing is repaired in time.
        rebuild_h=service.repair_h if design.failures_tolerated else 1.0,
        drive_bytes=drive.user_bytes,
        uber=drive.uber,
        groups=design.groups,
    )
