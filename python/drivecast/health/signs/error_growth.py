"""Whether a drive's errors grow: days with new errors of late, against what it had before.

Errors come in bursts, so days are counted and not errors: a day on which a counter rose is one event, however far it
rose. Counters: media errors and reallocated sectors, by their largest value so far, and pending sectors, which may
fall.

Model. Days with new errors are a Poisson process of rate λ. Before the window, n of them came in L days. A drive about
which nothing is known has the rate of a study of flash in the field: 2 to 6 of 1,000 drive days have an uncorrectable
error ("Flash Reliability in Production", FAST 2016, section 3); the upper end is taken, with the weight of one such
day:

    λ ~ Gamma(1 + n, 1 / 0.006 + L)         P(k or more in t days) = I_q(k, 1 + n),  q = t / (1 / 0.006 + L + t)

by the negative binomial predictive of Gamma and Poisson; I is the regularised incomplete beta function. Errors grow
where all of these hold:

    new         k is at least `DAYS_MIN`, and the chance below `CHANCE` (assumed)
    going on    of the days since the first of them the later half has at least half as many as the earlier (assumed)
    no burst    k is beyond `BURST_DAYS`, or the later half has `RISE` times as many errors as the earlier (assumed)

Errors that come slowly and do not end are judged over `LONG` too: there they grow where k is beyond two bursts.

L has the drive's life before its history where the counters began it at zero. Days with errors come in bursts: the same
study has errors on up to 6 of 1,000 days but in 2.8 % of months (2 %, 30 % of those that follow one), which is 6 days
in a month that has any. So some days with errors are no growth yet: they are reported, and watched.

What it rests on. Errors foretell errors: 30 % of the months after one with an uncorrectable error have another (the
same study, section 5). After its first scan error a disk fails within 60 days 39 times as often as others ("Failure
Trends in a Large Disk Drive Population", FAST 2007); of disks that failed 76.7 % had errors in at least one of five
attributes, of others 4.2 % (Backblaze, "What SMART Stats Tell Us About Hard Drives", 2016), so of 100 with errors ≈
20 fail within a year at an AFR of 1.5 %. But 20 to 63 % of drives with flash have an uncorrectable error within four
years, and 4 to 10 % are replaced: most that have errors stay. A drive whose errors are those of the study is named
within four years with a chance of 4 to 22 % (43 % where they come as often and on as many days as it found at most;
`benches/health_faults.py`): of what is named some would have stayed well.

Left out: how many errors came on a day, but for the third condition.
"""

import math
from datetime import timedelta

import polars as pl

from drivecast.quantity.year import DAY_S

COUNTERS = ("media_errors", "reallocated_sectors")
GAUGE = "pending_sectors"
WINDOW = timedelta(days=30)
GAPS_MIN = 4
"""A window holds at least so many readings of a drive that is read seldom."""
USUAL_PER_DAY = 0.006
DAYS_MIN = 3
CHANCE = 1e-4
LONG = timedelta(days=90)
BURST_DAYS = 6
"""Days with errors of a month that has any: 0.006 of 30 days in 2.8 % of months."""
RISE = 2.0
SCHEMA = {
    "drive": pl.Int64,
    "errors_recent": pl.Float64,
    "error_days": pl.Int64,
    "error_window_days": pl.Float64,
    "error_days_before": pl.Int64,
    "days_before": pl.Float64,
    "error_chance": pl.Float64,
    "errors_grow": pl.Boolean,
}


def error_growth(samples: pl.DataFrame, gaps: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each drive with new errors in its window: how many, on how many days, and whether they grow.

    `samples` has `drive`, `time` and any of the counters and `power_on_hours`, sorted by both; `gaps` is that of
    `rhythm.gaps`.
    """
    names = [name for name in (*COUNTERS, GAUGE) if name in samples.columns]
    if not names or samples.is_empty():
        return pl.DataFrame(schema=SCHEMA)
    moves = pl.any_horizontal(pl.col(name).max() > pl.col(name).min() for name in names)
    moving = samples.group_by("drive").agg(moves.fill_null(value=False).alias("moves")).filter("moves")
    if moving.is_empty():
        return pl.DataFrame(schema=SCHEMA)
    mine = samples.join(moving.select("drive"), on="drive", how="semi", maintain_order="left")
    rises = _rises(mine, names)
    lately, long = (_judged(rises, _spans(mine, names, gaps, window)) for window in (WINDOW, LONG))
    days, late = pl.col("error_days"), pl.col("late_errors")
    no_burst = (days > BURST_DAYS) | (late >= RISE * (pl.col("errors_recent") - late))
    lately = lately.with_columns(pl.col("errors_grow") & no_burst)
    slowly = long.filter(pl.col("errors_grow") & (days > 2 * BURST_DAYS))
    slowly = slowly.join(lately.filter("errors_grow"), on="drive", how="anti")
    table = pl.concat([lately.join(slowly, on="drive", how="anti"), slowly])
    return table.sort("drive").select(*SCHEMA)


def _judged(rises: pl.DataFrame, spans: pl.DataFrame) -> pl.DataFrame:
    """What came in a window, with `errors_grow` where it is new and goes on, a burst or not."""
    table = _counted(rises, spans)
    chance = [
        _chance(*row)
        for row in table.select("error_days", "error_days_before", "recent", "days_before").rows()
    ]
    table = table.with_columns(error_chance=pl.Series(chance, dtype=pl.Float64))
    new = (pl.col("error_days") >= DAYS_MIN) & (pl.col("error_chance") < CHANCE)
    goes_on = 3 * pl.col("late_days") >= pl.col("error_days")
    return table.with_columns(errors_grow=new & goes_on)


def _rises(samples: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """`drive`, `time` and `rise`, the errors that each sample adds."""
    drive = pl.col("drive")
    known = [pl.col(name).forward_fill().over(drive) for name in names]
    highest = [
        value if name == GAUGE else value.cum_max().over(drive)
        for name, value in zip(names, known, strict=True)
    ]
    new = [value.diff().over(drive).clip(lower_bound=0).fill_null(0) for value in highest]
    return samples.select("drive", "time", rise=pl.sum_horizontal(new))


def _spans(samples: pl.DataFrame, names: list[str], gaps: pl.DataFrame, window: timedelta) -> pl.DataFrame:
    """Of each drive: where its window begins, and the days in it and before it, its life included if it began clean."""
    hours = pl.col("power_on_hours") if "power_on_hours" in samples.columns else pl.lit(None, pl.Float64)
    clean = pl.all_horizontal(
        (pl.col(name).drop_nulls().first() == 0).fill_null(value=True) for name in names
    )
    spans = samples.group_by("drive").agg(
        first=pl.col("time").first(),
        last=pl.col("time").last(),
        clean=clean,
        hours=hours.drop_nulls().first(),
    )
    spans = spans.join(gaps, on="drive", how="left")
    least_s = window.total_seconds()
    window_s = pl.max_horizontal(least_s, GAPS_MIN * pl.col("gap_s")).fill_null(least_s)
    spans = spans.with_columns(start=pl.col("last") - pl.duration(seconds=window_s.round().cast(pl.Int64)))
    inside = pl.max_horizontal("start", "first")

    def days(span: pl.Expr) -> pl.Expr:
        return span.dt.total_seconds() / DAY_S

    life = pl.when("clean").then(pl.col("hours") / 24).fill_null(0.0)
    return spans.select(
        "drive",
        "start",
        "last",
        recent=days(pl.col("last") - inside),
        days_before=days(inside - pl.col("first")) + life,
        error_window_days=days(pl.col("last") - pl.col("start")),
    )


def _counted(rises: pl.DataFrame, spans: pl.DataFrame) -> pl.DataFrame:
    """Errors and days with errors, in the window and before it; of drives with any in it."""
    risen = rises.filter(pl.col("rise") > 0).join(spans, on="drive")
    time, late, day = pl.col("time"), pl.col("time") > pl.col("start"), pl.col("time").dt.date()
    first = time.filter(late).min()
    later = late & (time >= first + (pl.col("last").first() - first) / 2)
    counted = risen.group_by("drive").agg(
        late_days=day.filter(later).n_unique(),
        late_errors=pl.col("rise").filter(later).sum(),
        errors_recent=pl.col("rise").filter(late).sum(),
        error_days=day.filter(late).n_unique().cast(pl.Int64),
        error_days_before=day.filter(~late).n_unique().cast(pl.Int64),
    )
    return counted.filter(pl.col("error_days") > 0).join(spans, on="drive").sort("drive")


def _chance(days: int, before: int, recent: float, past: float) -> float:
    """P(`days` or more), the regularised incomplete beta function with whole parameters as a binomial tail."""
    q = recent / (1 / USUAL_PER_DAY + past + recent)
    if q <= 0:
        return 1.0
    trials = days + before
    logs = (
        math.lgamma(trials + 1)
        - math.lgamma(hits + 1)
        - math.lgamma(trials - hits + 1)
        + hits * math.log(q)
        + (trials - hits) * math.log1p(-q)
        for hits in range(days, trials + 1)
    )
    return min(1.0, sum(math.exp(log) for log in logs))
