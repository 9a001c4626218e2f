"""The options of a plan: what `drivecast plan` takes, the API of `drivecast serve`, and its form; see `option`."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from drivecast.document.option import Option

LIMITS, DESIGNS, WORKLOAD = "Requirements", "Designs", "Workload"
MONEY, READING, RUN = "Prices and upkeep", "How the log is read", "Run and report"
_DESIGN = "raid10(4 * samsung-pm893-480gb)"
SEED_MAX = 2**63 - 1

Where = Literal["metal", "cloud", "any"]
"""Whether designs are bought, rented, or either."""
Commitment = Literal["none", "1y", "3y"]


@dataclass(frozen=True, kw_only=True)
class LogOptions:
    """How a log is to be read."""

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "allow_inf_nan": False}

    event: Annotated[
        Literal["Q", "D"] | None,
        Option(
            "blktrace event",
            READING,
            "blktrace: rows and latencies from the block layer (Q, to completion) or the drive (D, default).",
            choices={"": "D, or what there is", "D": "D, at the drive", "Q": "Q, at the block layer"},
        ),
    ] = None
    disk: Annotated[
        str | None,
        Option(
            "Disk",
            READING,
            "The disk of a log that holds several: a name in counters (default: the busiest), or several to add up"
            " (sdb,sdc); a number in traces (8:16 of block events; else all).",
            example="sdb",
        ),
    ] = None
    interval: Annotated[
        float | None,
        Option(
            "Interval, seconds",
            READING,
            "Seconds between the samples, or requests, of a log without times.",
            example="10",
            low=1e-9,
            high=1e7,
        ),
    ] = None
    skip_first: Annotated[
        bool,
        Option(
            "Skip the first report",
            READING,
            "Leave out iostat's first report, the average since boot without `-y`.",
        ),
    ] = False
    format: Annotated[
        str | None,
        Option(
            "Format",
            READING,
            "The text format, where the content leaves a doubt: `mqsim`, `fio-lat`, …",
            example="mqsim",
        ),
    ] = None
    csv: Annotated[
        str | None,
        Option(
            "Columns of a table",
            READING,
            "What the columns of a table are: `time=ts:us,op=type:R/W,offset=lba:512,size=len:1`; see `convert`.",
            example="time=ts:us,size=len:1",
        ),
    ] = None
    strict: Annotated[
        bool,
        Option(
            "Refuse what is incomplete",
            READING,
            "Refuse a log that lacks something or has lines that cannot be read.",
        ),
    ] = False


@dataclass(frozen=True, kw_only=True)
class PlanOptions(LogOptions):
    """What a plan is made by, as it is typed; what is not required is derived from the workload."""

    capacity: Annotated[
        str | None,
        Option(
            "Usable capacity",
            LIMITS,
            "Usable capacity needed, such as 320GB.",
            shape="size",
            example="320GB",
            requires="capacity_bytes",
        ),
    ] = None
    p99_read: Annotated[
        str | None,
        Option(
            "p99 of reads",
            LIMITS,
            "Longest 99th percentile of reads, such as 5ms.",
            shape="time",
            example="5ms",
            requires="p99_read_ns",
        ),
    ] = None
    p99_write: Annotated[
        str | None,
        Option(
            "p99 of writes",
            LIMITS,
            "Longest 99th percentile of writes.",
            shape="time",
            example="2ms",
            requires="p99_write_ns",
        ),
    ] = None
    years: Annotated[
        str | None,
        Option(
            "Years in service",
            LIMITS,
            "Time in service, such as 5 or 3y.",
            shape="years",
            example="5",
            low=0.1,
            high=30,
            requires="years",
        ),
    ] = None
    growth: Annotated[
        str | None,
        Option(
            "Growth",
            LIMITS,
            "Growth of data and load, such as 20%/y.",
            shape="growth",
            example="20%/y",
            low=0,
            high=10,
            requires="growth_per_year",
        ),
    ] = None
    budget: Annotated[
        str | None,
        Option(
            "Budget, USD",
            LIMITS,
            "Most that may be spent over the years, in USD.",
            shape="money",
            example="20000",
            low=0.01,
            high=1e12,
            requires="budget_usd",
        ),
    ] = None
    power: Annotated[
        float | None,
        Option(
            "Power, W",
            LIMITS,
            "Most that the drives may draw, in watts.",
            example="120",
            low=0.01,
            high=1e9,
            requires="power_w_max",
        ),
    ] = None
    drive_losses: Annotated[
        int | None,
        Option(
            "Drive failures tolerated",
            LIMITS,
            "Drives that may fail without loss of data: 0, 1 or 2.",
            low=0,
            high=2,
            requires="drive_losses",
            choices={"": "1, as usual", "0": "0", "1": "1", "2": "2"},
        ),
    ] = None
    data_loss: Annotated[
        str | None,
        Option(
            "Data loss",
            LIMITS,
            "Greatest chance of losing data over the years, such as 1e-4 or 0.01% (default: no limit).",
            shape="share",
            example="1e-4",
            low=1e-12,
            high=1,
            requires="data_loss",
        ),
    ] = None
    scrub: Annotated[
        str | None,
        Option(
            "Scrub",
            MONEY,
            "How often every drive is read whole, such as 7d (the default) or 30d.",
            shape="days",
            example="7d",
            low=0.1,
            high=3650,
            requires="scrub_days",
        ),
    ] = None
    headroom: Annotated[
        float | None,
        Option(
            "Headroom",
            LIMITS,
            "Load to sustain, as a multiple of the peak.",
            example="2",
            low=0.01,
            high=1000,
            requires="headroom",
        ),
    ] = None
    headroom_margin: Annotated[
        float | None,
        Option(
            "Margin of headroom",
            WORKLOAD,
            "Load to sustain over the peak's after growth: 1.2 unless `--headroom` is given.",
            example="1.2",
            low=1,
            high=10,
            requires="headroom_margin",
        ),
    ] = None
    endurance_tolerance: Annotated[
        str | None,
        Option(
            "Tolerance of life",
            MONEY,
            "Share of the years by which a life may fall short, such as 5% (the default) or 0.",
            shape="share",
            example="5%",
            low=0,
            high=0.5,
            requires="endurance_tolerance",
        ),
    ] = None
    hours_per_day: Annotated[
        float | None,
        Option(
            "Hours a day",
            WORKLOAD,
            "Hours of a day that look like the log.",
            example="24",
            low=0.01,
            high=24,
            requires="hours_per_day",
        ),
    ] = None
    peak_window: Annotated[
        float,
        Option(
            "Peak, seconds",
            WORKLOAD,
            "Length of the busiest stretch, in seconds.",
            example="60",
            low=1,
            high=1e7,
        ),
    ] = 60.0
    today: Annotated[
        str | None,
        Option(
            "Design of today",
            DESIGNS,
            "The design that runs now: judged beside the others, with what was recorded on it.",
            example=_DESIGN,
        ),
    ] = None
    designs: Annotated[
        tuple[str, ...],
        Option(
            "Designs to judge besides",
            DESIGNS,
            "A design to judge besides those searched.",
            flag="--design",
            example=_DESIGN,
        ),
    ] = ()
    volumes: Annotated[
        tuple[str, ...],
        Option(
            "Volumes",
            DESIGNS,
            "Search for volumes apart, and say which requests go to one: `log=range:0..64GiB`,"
            " `log=process:ib_log*`, `log=stream:1204+1207` or `log=disk:8:16`; one may be without, for what is"
            " left.",
            flag="--volume",
            example="log=range:0..64GiB",
            several=16,
        ),
    ] = ()
    caches: Annotated[
        bool | None,
        Option(
            "Flash caches before disks",
            DESIGNS,
            "Consider flash caches before disks (default: where there are disks, and a trace says what is met"
            " again).",
            choices={"": "where it may help", "true": "yes", "false": "no"},
        ),
    ] = None
    where: Annotated[
        Where,
        Option(
            "Where",
            DESIGNS,
            "Drives that are bought (metal), volumes that are rented (cloud), or both (any).",
            choices={"metal": "drives that are bought", "cloud": "volumes that are rented", "any": "both"},
        ),
    ] = "metal"
    instance: Annotated[
        str | None,
        Option(
            "Instance",
            DESIGNS,
            "The instance whose limits rented volumes are behind, such as m6i.2xlarge.",
            example="m6i.2xlarge",
        ),
    ] = None
    time_limit: Annotated[
        str | None,
        Option(
            "Time limit",
            RUN,
            "The best answer within this time, such as 30s: designs that were not tried by then are counted.",
            shape="time",
            example="30s",
        ),
    ] = None
    detail: Annotated[
        bool,
        Option(
            "All designs, every second",
            DESIGNS,
            "List every design that a bound rules out, and the seconds of the log and of runs in JSON.",
        ),
    ] = False
    include_old: Annotated[bool, Option("Old drives, too", DESIGNS, "Consider drives no longer sold.")] = (
        False
    )
    consumer: Annotated[
        bool,
        Option(
            "Consumer drives, too", DESIGNS, "Consider drives for desktops, without power-loss protection."
        ),
    ] = False
    trimmed: Annotated[
        bool,
        Option(
            "Free space is not trimmed",
            DESIGNS,
            "The file system does not discard what is free (no fstrim, no `discard` option).",
            flag="--no-trim",
        ),
    ] = True
    prices: Annotated[
        Literal["low", "typical", "high"],
        Option(
            "Prices",
            MONEY,
            "Drives at the low, typical or high end of their prices.",
            choices={"low": "low", "typical": "typical", "high": "high"},
        ),
    ] = "typical"
    prices_on: Annotated[
        str | None,
        Option(
            "Prices of a day",
            MONEY,
            "The day whose prices count, such as 2025-10-01: drives on sale have that of their class by its index,"
            " and the plan says what is otherwise with the prices of today.",
            example="2025-10-01",
        ),
    ] = None
    quotes: Annotated[
        str | None,
        Option(
            "Quoted prices",
            MONEY,
            "Prices that suppliers quoted (CSV: drive, price, currency, date, supplier); `catalog quotes` writes a"
            " file to fill in. Other drives of a class that was quoted are priced from its quotes.",
            shape="file",
            example="drive,price,currency,date,supplier",
        ),
    ] = None
    commitment: Annotated[
        Commitment,
        Option(
            "Commitment",
            MONEY,
            "Price of instances with drives: on demand (none), or committed for 1 or 3 years. Volumes stay on demand.",
            choices={"none": "none, on demand", "1y": "1 year", "3y": "3 years"},
        ),
    ] = "none"
    rates: Annotated[
        tuple[str, ...],
        Option(
            "Rates of currencies",
            MONEY,
            "Dollars for one unit of a currency, such as EUR=1.08.",
            flag="--rate",
            example="EUR=1.08",
        ),
    ] = ()
    together: Annotated[
        bool,
        Option(
            "Superpose the logs",
            WORKLOAD,
            "Superpose several logs in time on one array, each with addresses of its own; else they are parts of"
            " one log.",
        ),
    ] = False
    spread: Annotated[
        bool,
        Option(
            "Spread over the capacity",
            WORKLOAD,
            "Spread a trace that covers a small part of `--capacity` over it: a small part of a disk is fast.",
        ),
    ] = True
    fsync_rate: Annotated[
        float | None,
        Option(
            "Durable writes a second",
            WORKLOAD,
            "Writes a second that must outlive a power loss before they count as done (fsync), at the peak of a"
            " counter log; default: the log's flushes.",
            example="400",
            low=0,
            high=1e9,
        ),
    ] = None
    backup: Annotated[
        Literal["meet", "exclude"],
        Option(
            "A backup in the log",
            WORKLOAD,
            "What to do with a backup found in a log of six hours or more: designs must keep up with it, or it is"
            " left out.",
            choices={"meet": "designs keep up with it", "exclude": "is left out"},
        ),
    ] = "meet"
    accept_model: Annotated[
        bool,
        Option("Accept the model as it is", WORKLOAD, "Plan with a model that is not validated, or failed."),
    ] = False
    seed: Annotated[
        int,
        Option(
            "Seed",
            RUN,
            "Seed of all random numbers; equal seeds give equal bytes.",
            example="0",
            low=0,
            high=SEED_MAX,
        ),
    ] = 0
    history: Annotated[
        str | None,
        Option(
            "Errors of predictions so far",
            RUN,
            "Say how far predictions have been off so far, from what `compare` kept in this file (`default`: its own).",
            shape="file",
            own=True,
        ),
    ] = None
    what_if: Annotated[
        Literal["simulate", "rank", "nothing"],
        Option(
            "What the report answers by itself",
            RUN,
            "What the .html report answers by itself in a browser: with `simulate` other requirements, prices and"
            " designs, for which it carries times, addresses and sizes of the recording; with `rank` other"
            " requirements and prices as far as the runs reach, without the recording; or nothing.",
            choices={
                "simulate": "all questions",
                "rank": "all but new designs",
                "nothing": "nothing",
            },
        ),
    ] = "simulate"
