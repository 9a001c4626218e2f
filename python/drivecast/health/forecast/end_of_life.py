"""What the ends mean for a drive: dates, and what the forecast rests on or lacks.

What is due is judged as of now, for a drive that was last seen longer ago than `STALE_DAYS` as of so long after that: a
drive on a shelf is not worn out by writes that it no longer gets.

The warranty ends where the rated writes are used up or its term is over, whichever is first. The term counts from the
first powered-on hour or the first sample, whichever is earlier, so its end is the latest that it can be. Dates more
than `YEARS_MAX` years away are left out. What is to be done about a drive is not said here: `health.concern`.
"""

from datetime import datetime, timedelta

import polars as pl

from drivecast.document.drive_health import ReasonKind
from drivecast.health.forecast.day_grid import ENDS, moment
from drivecast.health.forecast.horizon import YEAR_DAYS, YEARS_MAX

STALE_DAYS = 30
COLUMNS = (
    *(
        "drive",
        "serial",
        "model",
        "host",
        "group",
        "forecast_reason",
        "wear_ratio",
        "written_bytes",
        "rated_bytes",
    ),
    *(f"written_bytes_per_day{part}" for part in ENDS),
    *("lifetime_bytes_per_day", "write_amplification", "write_amplification_lifetime"),
    *(f"media_end{part}" for part in ENDS),
    *(f"warranty_end{part}" for part in ENDS),
    *("warranty_end_limit", "changed_at", "changed_by", "last_seen", "end_days"),
)


def forecast_table(drives: pl.DataFrame, ends: pl.DataFrame, now: datetime) -> pl.DataFrame:
    """Return the table of the forecast, a row for each of `drives`; `ends` are rows of `limit_dates`."""
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
    return _warranty(table).with_columns(*_figures(), forecast_reason=_reason()).select(COLUMNS)


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


def _reason() -> pl.Expr:
    """The first that applies, with its figures."""
    wear, media, writes = pl.col("wear_ratio"), pl.col("media_end"), pl.col("writes_end")
    unlimited = pl.col("media_remaining").is_null() & pl.col("rated_bytes").is_null()
    reasons: list[tuple[pl.Expr, ReasonKind]] = [
        (wear >= 1, "worn"),
        (~pl.col("passed"), "failing"),
        (media <= pl.col("judged"), "flash ended"),
        (pl.col("used_up"), "writes used up"),
        (pl.col("rotating") & media.is_null() & writes.is_null(), "platters"),
        (pl.col("counter").is_null() & wear.is_null(), "nothing reported"),
        (pl.col("counter").is_null(), "whole percents"),
        (~pl.col("enough"), "too young"),
        (~pl.col("writes"), "writes nothing"),
        (media.is_not_null() & (writes.is_null() | (media <= writes)), "flash ends"),
        (writes.is_not_null(), "writes end"),
        (unlimited & wear.is_null(), "no limit known"),
        (unlimited, "no step yet"),
        (pl.lit(value=True), "far away"),
    ]
    kind = pl.coalesce(pl.when(holds).then(pl.lit(kind)) for holds, kind in reasons)
    ends = (
        pl.when(kind == "writes end")
        .then(f"writes_end{part}")
        .otherwise(f"media_end{part}")
        .alias(f"end{part}")
        for part in ENDS
    )
    written = pl.col("total").alias("written_bytes")
    return pl.struct(kind.alias("kind"), "wear_ratio", written, "rated_bytes", "samples", "span_days", *ends)
