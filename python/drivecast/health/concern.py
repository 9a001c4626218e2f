"""What is to be done about a drive: the one definition that lists, counts, checks, reports and metrics are made of.

    replace    it is failing or worn, its errors grow, or its flash or its spare may end within the nearer horizon
    watch      within the farther horizon, or something without a date: errors of one day, sectors that wait
    silent     no recent sample, by the rhythm of its host's readings
    no date    nothing speaks against it, and the end of its flash cannot be dated
    warranty   well, but its warranty ends within the nearer horizon or its rated writes are used up: renew, or accept
    ok         all else

Horizons are compared with the early end of an interval: to order a drive takes time, and half of all drives end before
the middle of theirs. A warranty is a contract: its end replaces no drive and comes after all that may fail. Only where
a drive reports no wear its rated writes stand in for it, and it is watched beyond them.

    rule                                  source
    failing                               the drive's own verdict: ATA SMART status, NVMe critical warning
    spare low, spare ends                 its own threshold; 10 % assumed where it states none (`signs/spare_left.py`)
    errors grow, new errors               a test against what it had before (`signs/error_growth.py`)
    pending sectors                       reason to investigate (Backblaze, "Hard Drive SMART Stats", 2014)
    worn                                  its maker's rating: JESD218 promises retention up to it. No cliff is seen
                                          there ("Flash Reliability in Production", FAST 2016): it waits for the horizon
    nearly worn                           90 % of it without a date; assumed
    flash ends                            the forecast (`forecast`)

A check for Nagios, Icinga and compatible monitoring systems has a state, whose place is its exit code:

    0 OK   1 WARNING: watch   2 CRITICAL: replace   3 UNKNOWN: silent

Of many drives the worst decides, and CRITICAL and WARNING come before UNKNOWN. A drive without a date makes a check of
its own serial number UNKNOWN; among others it is counted and does not decide, or no fleet were ever OK.
"""

from datetime import timedelta
from typing import get_args

import polars as pl

from drivecast.document.drive_health import (
    Checked,
    DriveInService,
    Horizons,
    Kind,
    SilentHost,
    State,
    Status,
)
from drivecast.health.signs.spare_left import THRESHOLD

STATUSES: tuple[Status, ...] = get_args(Status)
"""The most urgent first."""
STATES: tuple[State, ...] = get_args(State)
"""By their exit codes."""
STATE: dict[Status, State] = {"replace": "CRITICAL", "watch": "WARNING", "silent": "UNKNOWN"}
SEVERITY: tuple[State, ...] = ("OK", "UNKNOWN", "WARNING", "CRITICAL")
NOW: tuple[Kind, ...] = ("failing", "spare low", "errors grow")
"""What cannot wait for the horizon."""
NEARLY_WORN = 0.9
SHELF = timedelta(days=30)
"""A drive not seen for longer is judged as of then: what it no longer gets does not wear it."""
TIME = pl.Datetime("ms", "UTC")
NEEDED: dict[str, pl.DataType | type[pl.DataType]] = {
    **dict.fromkeys(("serial", "model", "host", "device", "group", "warranty_end_limit"), pl.String),
    "time": TIME,
    "passed": pl.Boolean,
    **dict.fromkeys(("wear_ratio", "spare_ratio", "spare_threshold_ratio", "errors_recent"), pl.Float64),
    **dict.fromkeys(("pending_sectors", "written_bytes", "rated_bytes", "silent_after_s"), pl.Float64),
    "errors_grow": pl.Boolean,
    **dict.fromkeys(
        (f"{end}_end{part}" for end in ("media", "spare", "warranty") for part in ("", "_low")), pl.Date
    ),
}
"""Columns that are judged; null where a table leaves one out."""
UNDATED: dict[str, Kind] = {
    "too young": "too young",
    "nothing reported": "no date",
    "whole percents": "no date",
    "no limit known": "no date",
    "no step yet": "no date",
}
"""By the reason of the forecast."""


def judged(drives: pl.DataFrame, horizons: Horizons) -> pl.DataFrame:
    """Return the drives with `status`, `concerns` and `by`, in the order of a list: what fails now first.

    `drives` has the columns of `NEEDED` as far as they are known, and `forecast_reason`.
    """
    absent = {name: kind for name, kind in NEEDED.items() if name not in drives.columns}
    table = drives.with_columns(pl.lit(None, kind).alias(name) for name, kind in absent.items())
    if "forecast_reason" not in table.columns:
        table = table.with_columns(forecast_reason=pl.struct(kind=pl.lit(None, pl.String)))
    rules = [(status, kind, holds.fill_null(value=False)) for status, kind, holds in _rules(horizons)]
    found = table.with_columns(
        concerns=pl.concat_list(
            pl.when(holds).then(pl.struct(status=pl.lit(status), kind=pl.lit(kind)))
            for status, kind, holds in rules
        ).list.drop_nulls(),
        status=pl.coalesce(
            *(pl.when(holds).then(pl.lit(status)) for status, _, holds in rules), pl.lit("ok")
        ),
        now=pl.any_horizontal(holds for _, kind, holds in rules if kind in NOW),
    )
    today, end = pl.lit(horizons.now.date()), pl.lit((horizons.now + horizons.act).date())
    first = pl.min_horizontal(_early("media"), _early("spare"))
    due = pl.when("now").then(today).otherwise(pl.max_horizontal(today, pl.min_horizontal(first, end)))
    found = found.with_columns(by=pl.when(pl.col("status") == "replace").then(due), first=first)
    place = pl.col("status").cast(pl.Enum(STATUSES))
    order = (place, ~pl.col("now"), "by", "first", "warranty_end", "host", "device", "serial")
    return found.sort(*order, nulls_last=True).drop("now", "first", *absent)


def _early(name: str) -> pl.Expr:
    """The early end of an interval, or the date itself where there is none."""
    return pl.coalesce(f"{name}_end_low", f"{name}_end")


def _rules(horizons: Horizons) -> list[tuple[Status, Kind, pl.Expr]]:
    """Everything that is reported, the most urgent first."""
    now = pl.lit(horizons.now, TIME)
    seen = pl.min_horizontal(now, pl.col("time").cast(TIME) + SHELF).fill_null(now)
    wear, spare, written = pl.col("wear_ratio"), pl.col("spare_ratio"), pl.col("written_bytes")
    worn = (wear >= 1).fill_null(value=False)
    low = (spare <= pl.col("spare_threshold_ratio").fill_null(THRESHOLD)).fill_null(value=False)
    spare_left, flash = (_early(name).cast(TIME) - seen for name in ("spare", "media"))
    beyond = (written >= pl.col("rated_bytes")).fill_null(value=False)
    limit_s = (
        timedelta(days=1_000_000).total_seconds()
        if horizons.stale is None
        else horizons.stale.total_seconds()
    )
    silent_s = pl.col("silent_after_s").fill_null(limit_s) if horizons.stale is None else pl.lit(limit_s)
    silent = (now - pl.col("time").cast(TIME)).dt.total_seconds() > silent_s
    warranty = pl.coalesce("warranty_end_low", "warranty_end").cast(TIME) - now
    running = pl.col("warranty_end").cast(TIME) > now
    reason = pl.col("forecast_reason").struct.field("kind")
    dated = pl.coalesce("media_end", "media_end_low", "spare_end_low").is_not_null()
    grow, errors = pl.col("errors_grow").fill_null(value=False), pl.col("errors_recent") > 0
    act, watch = horizons.act, horizons.watch
    return [
        ("replace", "failing", ~pl.col("passed")),
        ("replace", "spare low", low),
        ("replace", "errors grow", grow),
        ("replace", "spare ends", ~low & (spare_left <= act)),
        ("replace", "worn", worn),
        ("replace", "flash ended", ~worn & (flash <= timedelta())),
        ("replace", "flash ends", ~worn & (flash > timedelta()) & (flash <= act)),
        ("watch", "spare ends", ~low & (spare_left > act) & (spare_left <= watch)),
        ("watch", "flash ends", ~worn & (flash > act) & (flash <= watch)),
        ("watch", "new errors", errors & ~grow),
        ("watch", "pending sectors", pl.col("pending_sectors") > 0),
        ("watch", "nearly worn", ~worn & (wear >= NEARLY_WORN) & ~dated),
        ("watch", "beyond rated writes", beyond & wear.is_null()),
        ("silent", "no sample", pl.col("time").is_null()),
        ("silent", "stale", silent),
        *(
            ("no date", kind, (reason == name) & ~silent.fill_null(value=False))
            for name, kind in UNDATED.items()
        ),
        ("warranty", "rated writes exhausted", beyond & wear.is_not_null()),
        ("warranty", "warranty ends", running & ~beyond & (warranty <= act)),
    ]


def counts(drives: pl.DataFrame) -> dict[Status, int]:
    """Return the number of drives of each status, in the order of urgency."""
    found = dict(drives.group_by("status").len().iter_rows()) if drives.height else {}
    return {status: found.get(status, 0) for status in STATUSES}


def silent_hosts(drives: pl.DataFrame) -> list[SilentHost]:
    """Return the machines of which no drive has a recent sample, the longest silent first."""
    if drives.is_empty() or "host" not in drives.columns:
        return []
    stale = pl.col("concerns").list.eval(pl.element().struct.field("kind") == "stale").list.any()
    table = drives.filter(pl.col("host").is_not_null()).group_by("host")
    gap = pl.col("gap_s").first() if "gap_s" in drives.columns else pl.lit(None, pl.Float64)
    hosts = table.agg(pl.len().alias("drives"), pl.col("time").max(), gap.alias("gap_s"), silent=stale.all())
    return SilentHost.rows(hosts.filter("silent").sort("time", "host"))


def check(drives: pl.DataFrame, horizons: Horizons, *, named: bool = False) -> Checked:
    """Judge drives; `named` where serial numbers were given, so that none may be silent."""
    found = DriveInService.rows(judged(drives, horizons))
    states = [_state(drive, named=named) for drive in found]
    worst: State = max(states, key=SEVERITY.index, default="UNKNOWN")
    young = sum(concern.status == "no date" for drive in found for concern in drive.concerns[:1])
    if not named and worst == "OK" and young == len(found):
        worst = "UNKNOWN"
    bad = [drive for drive, state in zip(found, states, strict=True) if state == worst]
    return Checked(worst, states, found, bad, 0 if named else young, horizons)


def _state(drive: DriveInService, *, named: bool) -> State:
    if named and drive.status == "no date":
        return "UNKNOWN"
    return STATE.get(drive.status, "OK")
