"""What the ends mean for a drive: dates, a status, and one sentence that says why.

    alarm             worn past what the flash is rated for, the drive's own judgement is bad, or an end is due
    soon              the early end of an interval falls within `SOON_DAYS`, or the rated writes are used up
    not enough data   no end can be determined, and the sentence states what is missing
    ok                all else, among them a drive that writes nothing and a disk with platters

What is due is judged as of now, for a drive that was last seen longer ago than `STALE_DAYS` as of so long after that: a
drive on a shelf raises no alarm for writes that it no longer gets.

The warranty ends where the rated writes are used up or its term is over, whichever is first. The term counts from the
first powered-on hour or the first sample, whichever is earlier, so its end is the latest that it can be; a term that
is over is reported and is no alarm. Dates more than `YEARS_MAX` years away are left out.
"""

from datetime import datetime, timedelta

import polars as pl

from drivecast.document.forecast import DriveForecast
from drivecast.health.forecast.day_grid import ENDS, moment
from drivecast.health.forecast.estimate import SAMPLES_MIN, SPAN_DAYS_MIN
from drivecast.health.forecast.horizon import YEAR_DAYS, YEARS_MAX
from drivecast.health.forecast.weeks import LIFETIME_DAYS_MIN

SOON_DAYS = 90
"""Time to notice, order and exchange a drive."""
STALE_DAYS = 30
COLUMNS = (*DriveForecast.model_fields, "end_days")


def forecast_table(drives: pl.DataFrame, ends: pl.DataFrame, now: datetime) -> pl.DataFrame:
    """Return the table of the forecast, a row for each of `drives`; `ends` are rows of `outlook`."""
    optional = {**dict.fromkeys(("model", "host", "group"), pl.lit(None)), "rotating": pl.lit(value=False)}
    who = drives.with_columns(**{name: none for name, none in optional.items() if name not in drives.columns})
    who = who.select("drive", "serial", pl.col("model", "host", "group").cast(pl.String), "rotating")
    table = who.join(ends.drop("serial"), on="drive", how="left", maintain_order="left")
    table = table.with_columns(
        enough=pl.col("enough").fill_null(value=False),
        writes=pl.col("writes").fill_null(value=False),
        last_seen=moment("last_s"),
        changed_at=moment("changed_s"),
    )
    stale = (pl.col("last_seen") + timedelta(days=STALE_DAYS)).dt.date()
    table = table.with_columns(
        *_dates("media"), *_dates("writes"), _term(), judged=pl.min_horizontal(stale, now.date())
    )
    table = _warranty(table).with_columns(*_figures(), status=_status(), why=_why())
    return table.select(COLUMNS)


def empty() -> pl.DataFrame:
    """Return the table of no drives at all."""
    return pl.DataFrame(schema=COLUMNS)


def _dates(name: str) -> list[pl.Expr]:
    """Days from the last sample as dates, null where there is none."""
    found = []
    for part in ENDS:
        days = pl.col(f"{name}_days{part}")
        near = days.is_finite() & (days <= YEARS_MAX * YEAR_DAYS)
        whole = pl.when(near).then((days.clip(upper_bound=1e5) * 86_400).round()).cast(pl.Int64)
        found.append((pl.col("last_seen") + pl.duration(seconds=whole)).dt.date().alias(f"{name}_end{part}"))
    return found


def _term() -> pl.Expr:
    """The end of the warranty's term."""
    age = pl.max_horizontal("lifetime_days", "span_days", pl.col("power_on_hours") / 24)
    far = YEARS_MAX * YEAR_DAYS
    left_s = ((pl.col("warranty_years") * YEAR_DAYS - age).clip(-far, far) * 86_400).round().cast(pl.Int64)
    return (pl.col("last_seen") + pl.duration(seconds=left_s)).dt.date().alias("term_end")


def _warranty(table: pl.DataFrame) -> pl.DataFrame:
    """The earlier of writes and term; what is used up already ended by the last sample at the latest."""
    used = (pl.col("total") >= pl.col("rated_bytes")) & (pl.col("counter") == "host_written_bytes")
    table = table.with_columns(used_up=used.fill_null(value=False))
    writes = [f"writes_end{part}" for part in ENDS]
    last = pl.col("last_seen").dt.date()
    table = table.with_columns(pl.when("used_up").then(last).otherwise(name).alias(name) for name in writes)
    end, term = pl.col("writes_end"), pl.col("term_end")
    by_writes = end.is_not_null() & (term.is_null() | (end <= term))
    by_term = pl.when(term.is_not_null()).then(pl.lit("term"))
    return table.with_columns(
        *(pl.min_horizontal(f"writes_end{part}", term).alias(f"warranty_end{part}") for part in ENDS),
        warranty_end_limit=pl.when(by_writes).then(pl.lit("writes")).otherwise(by_term),
    )


def _figures() -> list[pl.Expr]:
    host = pl.col("counter") == "host_written_bytes"
    day = 24 * pl.col("total") / pl.col("power_on_hours")
    whole = host & (pl.col("power_on_hours") >= 24) & (pl.col("resets") == 0)
    return [
        pl.when(host).then("total").alias("written_bytes"),
        *(
            pl.when(host & pl.col("enough"))
            .then(pl.when("writes").then(f"rate{part}").otherwise(0.0))
            .alias(f"written_bytes_per_day{part}")
            for part in ENDS
        ),
        pl.when(whole).then(day).alias("lifetime_bytes_per_day"),
    ]


def _status() -> pl.Expr:
    soon = pl.col("judged") + timedelta(days=SOON_DAYS)
    past = (pl.col("wear_ratio") >= 1) | ~pl.col("passed") | (pl.col("media_end") <= pl.col("judged"))
    early = (pl.col("media_end_low") <= soon) | (pl.col("writes_end_low") <= soon)
    dated = pl.col("media_end").is_not_null() | pl.col("writes_end").is_not_null()
    beyond = pl.col("media_remaining").is_not_null() | (
        pl.col("rated_bytes").is_not_null() & (pl.col("counter") == "host_written_bytes")
    )
    fine = pl.col("rotating") | (pl.col("enough") & (dated | beyond | ~pl.col("writes")))
    return (
        pl.when(past.fill_null(value=False))
        .then(pl.lit("alarm"))
        .when(early.fill_null(value=False) | pl.col("used_up"))
        .then(pl.lit("soon"))
        .when(fine.fill_null(value=False))
        .then(pl.lit("ok"))
        .otherwise(pl.lit("not enough data"))
    )


def _why() -> pl.Expr:
    """One sentence, the first that applies."""
    percent = pl.format(
        "{} %", (pl.col("wear_ratio") * 100).round(1).cast(pl.Float64).cast(pl.String).str.strip_suffix(".0")
    )
    media, writes = (
        pl.format(
            "{} ({} to {})",
            *(pl.col(f"{name}_end{part}").dt.strftime("%Y-%m-%d").fill_null("later") for part in ENDS),
        )
        for name in ("media", "writes")
    )
    used = pl.format(
        "rated writes are used up: {} of {} TB",
        *((pl.col(name) / 1e12).round(1) for name in ("total", "rated_bytes")),
    )
    earlier = pl.col("writes_end").is_null() | (pl.col("media_end") <= pl.col("writes_end"))
    return (
        pl.when(pl.col("wear_ratio") >= 1)
        .then(pl.format("worn past its rating: {} used", percent))
        .when(~pl.col("passed"))
        .then(pl.lit("the drive judges itself failing"))
        .when(pl.col("media_end") <= pl.col("judged"))
        .then(pl.format("by its rate the flash was worn out on {}", media))
        .when("used_up")
        .then(used)
        .when(pl.col("rotating") & pl.col("media_end").is_null() & pl.col("writes_end").is_null())
        .then(pl.lit("a disk with platters: writes do not wear it out"))
        .when(pl.col("counter").is_null())
        .then(pl.when(pl.col("wear_ratio").is_null()).then(pl.lit(NOTHING)).otherwise(pl.lit(PERCENT_ONLY)))
        .when(~pl.col("enough"))
        .then(pl.format(YOUNG, pl.col("samples"), pl.col("span_days").round(1)))
        .when(~pl.col("writes"))
        .then(pl.lit("writes nothing, so nothing wears out"))
        .when(pl.col("media_end").is_not_null() & earlier)
        .then(pl.format("flash worn out on {}", media))
        .when(pl.col("writes_end").is_not_null())
        .then(pl.format("rated writes used up on {}", writes))
        .when(pl.col("media_remaining").is_null() & pl.col("rated_bytes").is_null())
        .then(pl.when(pl.col("wear_ratio").is_null()).then(pl.lit(NO_LIMIT)).otherwise(pl.lit(NO_STEP)))
        .otherwise(pl.lit(f"more than {YEARS_MAX:.0f} years away at this rate"))
    )


NOTHING = "reports neither bytes written nor wear"
PERCENT_ONLY = "reports wear in whole percents only: a date needs bytes written too"
YOUNG = (
    f"samples: {{}} over {{}} days; a rate needs {SAMPLES_MIN} over {SPAN_DAYS_MIN:.0f} days, "
    f"or {LIFETIME_DAYS_MIN:.0f} days powered on before them"
)
NO_LIMIT = "reports no wear, and its rated writes are not known"
NO_STEP = "its wear gauge has not moved yet, and its rated writes are not known"
