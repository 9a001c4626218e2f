"""What is required of the storage: given by the user, or derived from the workload and shown.

Model: the data grow by a factor (1 + g) a year and are never to fill more than 80 % of the usable capacity, so
capacity = extent · (1 + g)^years / 0.8. Load grows as data do, so a design must sustain (1 + g)^years times the
measured peak, and a margin on top: the busiest minute of a log is not the busiest that there will be. Flash is to last
the years, within a tolerance: its life is not known so well that 4.97 of 5 years would be a difference. Left out:
growth that is not geometric, seasons longer than the log.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from drivecast.catalog.latency_error import Op
from drivecast.document.option import Defined, Shape, defined
from drivecast.document.plan_options import PlanOptions
from drivecast.document.profile import Profile
from drivecast.errors import HintedError, InputError
from drivecast.quantity import parse
from drivecast.quantity.year import DAY_S

FILL_MAX = 0.8
"""Share of the usable capacity that data may fill: file systems and databases slow down beyond it (assumed)."""

P99_SMALL_NS = 5_000_000
P99_LARGE_NS = 20_000_000
SMALL_BYTES = 64 * 1024
"""Up to this mean size a workload is taken for transactional and wants 5 ms; above, for streaming, 20 ms (assumed)."""
STREAM_BYTES_PER_S = 10e6
"""At which rate a request moves that takes just as long (assumed): who reads a file 1 MiB at a time wants its rate."""

GROWTH_PER_YEAR = 0.20
YEARS = 5.0
DRIVE_LOSSES = 1
HOURS_PER_DAY = 24.0
WHOLE_DAY = 0.98
"""Share of a day that a log must cover to be one: collectors lose a sample or two."""
HEADROOM_MARGIN = 1.2
"""Of the load to sustain over that of the last year (assumed): days that were not recorded may be busier, and headroom
is searched for in steps of 1.1."""
ENDURANCE_TOLERANCE = 0.05
"""Share of the years by which a life may fall short (assumed): rated cycles are known within a fifth or so."""
DATA_LOSS = 1.0
"""No limit: what a loss is expected to cost is a part of the cost, unless a limit is stated."""
SCRUB_DAYS = 7.0
"""Weekly, as hardware RAID controllers read patrol by default (assumed); Debian scrubs md arrays monthly."""


Origin = Literal["given", "derived", "assumed"]


@dataclass(frozen=True)
class Given:
    """The requirements a person stated; `None` where they did not."""

    capacity_bytes: int | None = None
    p99_read_ns: int | None = None
    p99_write_ns: int | None = None
    years: float | None = None
    growth_per_year: float | None = None
    budget_usd: float | None = None
    power_w_max: float | None = None
    drive_losses: int | None = None
    headroom: float | None = None
    headroom_margin: float | None = None
    endurance_tolerance: float | None = None
    hours_per_day: float | None = None
    data_loss: float | None = None
    scrub_days: float | None = None


@dataclass(frozen=True)
class Requirements:
    """All requirements, with where each came from.

    Units come last in the names; `headroom` is a multiple of the measured peak, `hours_per_day` says how many hours of
    a day look like the log.
    """

    capacity_bytes: int
    data_bytes: int
    p99_read_ns: int | None
    p99_write_ns: int | None
    years: float
    growth_per_year: float
    drive_losses: int
    headroom: float
    """With its margin."""
    headroom_margin: float
    endurance_tolerance: float
    """Share of the years by which a life may fall short."""
    hours_per_day: float
    budget_usd: float | None
    power_w_max: float | None
    data_loss: float
    """The chance of losing data over the years, at most."""
    scrub_days: float
    """A scrub reads all of every drive once in this time; part of every design."""
    origins: tuple[tuple[str, Origin, str], ...]
    """(name, given | derived | assumed, why) of each, in the order to show."""

    @property
    def limits(self) -> tuple[tuple[Op, int | None], ...]:
        """The limits on p99, in ns."""
        return ("read", self.p99_read_ns), ("write", self.p99_write_ns)

    @property
    def limits_data_loss(self) -> bool:
        """Whether designs are ruled out by the chance that they lose data."""
        return self.data_loss < 1

    @property
    def growth(self) -> float:
        """How many times the data and the load of today there are at the end."""
        return float((1 + self.growth_per_year) ** self.years)

    @property
    def growth_bounds(self) -> tuple[float, float]:
        """What growth may be: what was given is exact, what was assumed may be from none to twice as much."""
        is_assumed = ("growth", "assumed") in [(name, how) for name, how, _ in self.origins]
        return (0.0, 2 * self.growth_per_year) if is_assumed else (self.growth_per_year,) * 2

    @property
    def endures_years(self) -> float:
        """How long drives must last: the years, less the tolerance."""
        return self.years * (1 - self.endurance_tolerance)

    def write_bytes_per_day(self, profile: Profile) -> float:
        """Host writes of a day in the first year: the log's rate for as many hours as look like it."""
        return (profile.write_bytes_per_day or 0) * self.hours_per_day / 24


def derive(given: Given, profile: Profile) -> Requirements:
    """Complete what is given from the workload's profile.

    Raises `InputError` where something given is impossible, or the capacity can be neither read nor derived.
    """
    check(given)
    years = given.years if given.years is not None else YEARS
    rate = given.growth_per_year if given.growth_per_year is not None else GROWTH_PER_YEAR
    growth = (1 + rate) ** years
    extent = int(profile.extent_bytes or 0)
    if given.capacity_bytes is None and not extent:
        raise HintedError(
            "the log does not say how much data there is",
            "say how much must fit, such as `--capacity 320GB`",
        )
    capacity = given.capacity_bytes or round_up(extent * growth / FILL_MAX)
    p99 = _p99_ns(profile.block_size_mean_bytes or 0)
    margin = given.headroom_margin
    if margin is None:
        margin = HEADROOM_MARGIN if given.headroom is None else 1.0
    tolerance = given.endurance_tolerance
    return Requirements(
        capacity_bytes=capacity,
        data_bytes=min(extent or capacity, capacity),
        p99_read_ns=(given.p99_read_ns or p99) if profile.reads else None,
        p99_write_ns=(given.p99_write_ns or p99) if profile.writes else None,
        years=years,
        growth_per_year=rate,
        drive_losses=given.drive_losses if given.drive_losses is not None else DRIVE_LOSSES,
        headroom=(given.headroom or growth) * margin,
        headroom_margin=margin,
        endurance_tolerance=ENDURANCE_TOLERANCE if tolerance is None else tolerance,
        hours_per_day=given.hours_per_day if given.hours_per_day is not None else HOURS_PER_DAY,
        budget_usd=given.budget_usd,
        power_w_max=given.power_w_max,
        data_loss=given.data_loss if given.data_loss is not None else DATA_LOSS,
        scrub_days=given.scrub_days if given.scrub_days is not None else SCRUB_DAYS,
        origins=_origins(given, profile, years, growth, margin),
    )


def _p99_ns(size_bytes: float) -> int:
    """What is usual for requests of this mean size; in whole milliseconds."""
    if size_bytes <= SMALL_BYTES:
        return P99_SMALL_NS
    return max(P99_LARGE_NS, round(size_bytes / STREAM_BYTES_PER_S * 1e3) * 1_000_000)


def footprint_within(profile: Profile, needs: Requirements) -> Profile:
    """The profile with a footprint of no more than all data: of counters it is assumed, as if none were met again."""
    names = ("working_set_bytes", "working_set_read_bytes", "working_set_write_bytes")
    sizes = {name: getattr(profile, name) for name in names}
    most = {name: min(size, needs.capacity_bytes) for name, size in sizes.items() if size is not None}
    return profile.model_copy(update=most) if profile.source == "counters" else profile


def _origins(
    given: Given, profile: Profile, years: float, growth: float, margin: float
) -> tuple[tuple[str, Origin, str], ...]:
    """Where each requirement comes from."""
    mean = profile.block_size_mean_bytes or 0
    kind = "transactional" if mean <= SMALL_BYTES else "streaming"
    p99_why = f"usual for {kind} load (mean size {mean / 1024:.0f} KiB)"

    def origin(name: str, value: object, how: Origin, why: str) -> tuple[str, Origin, str]:
        return (name, how, why) if value is None else (name, "given", "required by an option")

    return (
        origin(
            "capacity",
            given.capacity_bytes,
            "derived",
            f"highest address used × growth {growth:.2f} ÷ {FILL_MAX:.0%} full at most",
        ),
        origin("growth", given.growth_per_year, "assumed", "of data and load, a year"),
        origin("p99 read", given.p99_read_ns, "assumed", p99_why),
        origin("p99 write", given.p99_write_ns, "assumed", p99_why),
        origin(
            "headroom",
            given.headroom,
            "derived",
            f"growth {growth:.2f} of the peak's load over {years:g} years × margin {margin:g}",
        ),
        origin("headroom margin", given.headroom_margin, "assumed", _margin_why(given)),
        origin("years", given.years, "assumed", "usual time in service"),
        origin(
            "endurance tolerance",
            given.endurance_tolerance,
            "assumed",
            "by which a life may fall short of the years: rated cycles are not known better",
        ),
        origin("drive losses", given.drive_losses, "assumed", "drives that may fail without loss of data"),
        origin(
            "data loss", given.data_loss, "assumed", "what a loss is expected to cost is part of the cost"
        ),
        origin(
            "scrub",
            given.scrub_days,
            "assumed",
            "every drive is read whole this often, as RAID controllers do by default",
        ),
        origin(
            "hours a day",
            given.hours_per_day,
            *(
                ("derived", "the log covers a whole day")
                if covers_a_day(profile)
                else ("assumed", "hours of a day that look like the log")
            ),
        ),
    )


def _margin_why(given: Given) -> str:
    if given.headroom is not None:
        return "none: `--headroom` is taken as it is"
    return "days that were not recorded may be busier"


def covers_a_day(profile: Profile) -> bool:
    """Whether the log has the hours of a whole day in it, night included."""
    return profile.duration_s >= WHOLE_DAY * DAY_S


def round_up(value: float) -> int:
    """The next capacity a person would write: two significant digits, upwards."""
    unit = 10 ** (math.floor(math.log10(value)) - 1)
    return int(math.ceil(value / unit) * unit)


_PARSED: Mapping[Shape, Callable[[str], Any]] = {
    "size": parse.size_bytes,
    "time": parse.time_ns,
    "years": parse.years,
    "growth": parse.growth_per_year,
    "money": parse.money_usd,
    "share": parse.fraction_or_more,
    "days": parse.days,
}
_OPTIONS = tuple(each for each in defined(PlanOptions) if each.option.requires is not None)


def flag(option: Defined) -> str:
    """An option as a command line calls it."""
    return option.flag


def given(options: PlanOptions, called: Callable[[Defined], str] = flag) -> Given:
    """What the options require.

    Raises `InputError`, which names the option as it is `called`, for what is no quantity.
    """
    found = {}
    for each in _OPTIONS:
        value = getattr(options, each.name)
        if each.option.shape is not None:
            value = parse.option(called(each), _PARSED[each.option.shape], value)
        found[str(each.option.requires)] = value
    return Given(**found)


def check(given: Given, called: Callable[[Defined], str] = flag) -> None:
    """Raise `InputError` for a requirement beyond what can be meant."""
    for each in _OPTIONS:
        value, low, high = getattr(given, str(each.option.requires)), each.option.low, each.option.high
        if value is not None and low is not None and high is not None and not low <= value <= high:
            raise InputError(f"{called(each)}: expected {low:g} to {high:g}, found {value:g}")
