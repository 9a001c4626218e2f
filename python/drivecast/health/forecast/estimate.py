"""What the samples of some drives say, small enough to keep for a whole fleet.

One pass: counter → grid of days → changes of workload → blocks → filter → wear and write amplification. The counter
is host bytes written; flash bytes where a drive does not report those; the wear gauge itself where it reports neither
and the gauge is fine. Changes that the filter's drift explains as well are dropped, and those drives filtered again.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from drivecast.document.drive_health import LIFETIME_DAYS_MIN, SAMPLES_MIN, SPAN_DAYS_MIN
from drivecast.health.forecast import amplification, change, gauge, prior, weeks
from drivecast.health.forecast.day_grid import Floats, Grid, cleaned, grid, moment
from drivecast.health.forecast.local_level import DRIFT, LocalLevel, filtered
from drivecast.quantity.year import DAY_S

STEPS = {"host_written_bytes": 512_000.0, "nand_written_bytes": 512_000.0, "wear_ratio": 0.01}
"""What a counter moves by where its source does not state it: an NVMe data unit, a whole percent."""
SHORT = {"host_written_bytes": "host_step", "nand_written_bytes": "nand_step", "wear_ratio": "wear_step"}


@dataclass(frozen=True)
class Estimate:
    """Some drives, in the order of `table`."""

    table: pl.DataFrame
    """A row a drive that has a counter: what it counts now and over its life, wear, and its last change of workload."""
    level: LocalLevel
    changes: Floats
    """Changes of workload found, a drive."""
    steps: pl.DataFrame
    """Every change found: `drive`, `time`, `factor` of the mean daily bytes."""
    mute: pl.DataFrame
    """A row a drive that has samples and no counter."""


def estimate(drives: pl.DataFrame, samples: pl.DataFrame) -> Estimate:
    """Read `samples` (sorted by drive and time) of `drives`; both as the history gives them."""
    figures = [pl.col(name) for name in (*STEPS, "power_on_hours") if name in samples.columns]
    samples = samples.with_columns(pl.when(figure.is_finite()).then(figure) for figure in figures)
    state = _state(drives, samples)
    counted = state.filter(pl.col("counter").is_not_null())
    rows = cleaned(_counted(samples, counted), "counter")
    laid = grid(rows)
    mine = np.isin(laid.drives, counted["drive"].to_numpy())
    laid = laid if mine.all() else laid.of(np.flatnonzero(mine))  # samples of a drive that is not requested
    mine_only = pl.DataFrame({"drive": laid.drives})
    counted = counted.join(mine_only, on="drive", how="inner", maintain_order="right")
    step = counted["step"].to_numpy().astype(np.float64)
    lifetime = _lifetime(counted, laid)
    level, steps, marks = _filtered(laid, step, lifetime)
    counted = _described(counted, laid, lifetime, steps)
    ratio = amplification.recent(rows, counted.filter(pl.col("counter") == "host_written_bytes"))
    counted = counted.join(ratio, on="drive", how="left", maintain_order="left")
    counted = counted.with_columns(write_amplification_lifetime=_lifetime_ratio())
    amplified = pl.col("write_amplification") / pl.col("write_amplification_lifetime")
    amplified = pl.when(amplified.is_finite() & (amplified > 0)).then(amplified)
    media = gauge.remaining(rows, counted.with_columns(amplified=amplified))
    counted = counted.join(media, on="drive", how="left", maintain_order="left")
    return Estimate(
        counted,
        level,
        marks.sum(axis=1).astype(np.float64),
        _dated(laid, steps),
        state.filter(pl.col("counter").is_null()),
    )


def _state(drives: pl.DataFrame, samples: pl.DataFrame) -> pl.DataFrame:
    """One row a drive: its counter and the steps of its figures, and its latest reading."""
    figures = {**dict.fromkeys((*STEPS, "power_on_hours"), pl.Float64), "passed": pl.Boolean}
    last = samples.group_by("drive", maintain_order=True).agg(
        *(pl.col(name).drop_nulls().last() for name in figures if name in samples.columns),
        last_s=pl.col("time").last().dt.epoch("s"),
    )
    last = _complete(last, figures)
    drives = _complete(drives, {"capacity_bytes": pl.Int64, "sources": pl.String})
    state = drives.select("drive", "serial", "capacity_bytes", *(_step(name) for name in STEPS))
    state = state.join(last, on="drive", how="inner", maintain_order="left")
    fine = (pl.col("wear_step") <= gauge.FINE_STEP) & pl.col("wear_ratio").is_not_null()
    usable = {**{name: pl.col(name).is_not_null() for name in STEPS}, "wear_ratio": fine}
    counter = pl.coalesce(pl.when(usable[name]).then(pl.lit(name)) for name in STEPS)
    step = pl.coalesce(pl.when(pl.col("counter") == name).then(SHORT[name]) for name in STEPS)
    return state.sort("drive").with_columns(counter=counter).with_columns(step=step)


def _complete(table: pl.DataFrame, columns: dict[str, type[pl.DataType]]) -> pl.DataFrame:
    """The table with nulls for columns that it leaves out."""
    return table.with_columns(
        pl.lit(None, kind).alias(name) for name, kind in columns.items() if name not in table.columns
    )


def _step(name: str) -> pl.Expr:
    counted = pl.col("sources").str.json_path_match(f"$.{name}.step").cast(pl.Float64, strict=False)
    return pl.when(counted > 0).then(counted).otherwise(STEPS[name]).alias(SHORT[name])


def _counted(samples: pl.DataFrame, counted: pl.DataFrame) -> pl.DataFrame:
    """The samples with the counter of each drive as `counter`."""
    kept = _complete(samples, dict.fromkeys(STEPS, pl.Float64)).select("drive", "time", *STEPS)
    if (counted["counter"] == "host_written_bytes").all():
        return kept.rename({"host_written_bytes": "counter"})
    kinds = counted.select("drive", pl.col("counter").alias("kind"))
    joined = kept.join(kinds, on="drive", maintain_order="left")
    chosen = pl.coalesce(pl.when(pl.col("kind") == name).then(name) for name in STEPS)
    return joined.select("drive", "time", "nand_written_bytes", "wear_ratio", counter=chosen)


def _lifetime(counted: pl.DataFrame, laid: Grid) -> tuple[Floats, Floats]:
    """What was counted, and over how many days, before the history began; NaN where the drive does not report it."""
    hours = counted["power_on_hours"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    days = hours / 24 - laid.span
    written = np.where(laid.resets == 0, laid.first, np.nan)
    return written, np.where(days > 0, days, np.nan)


def _filtered(
    laid: Grid, step: Floats, lifetime: tuple[Floats, Floats]
) -> tuple[LocalLevel, change.Steps, NDArray[np.bool_]]:
    z = change.logarithms(laid.total, step)
    flat = change.without_weekdays(z)
    variance = change.long_run_variance(flat, z, step)
    marks = change.changes(change.without_spikes(flat), variance)
    level = filtered(weeks.blocks(laid, marks, step, lifetime), prior.PRIOR_JUMP)
    drift = prior.weights(level.likelihood, prior.shares(level.likelihood)) @ DRIFT
    steps = change.steps(laid.total, z, marks, step, variance, drift)
    weak = steps.score < change.penalty(z)[steps.row]
    if weak.any():
        marks[steps.row[weak], steps.day[weak]] = False
        rows = np.unique(steps.row[weak])
        part = lifetime[0][rows], lifetime[1][rows]
        again = filtered(weeks.blocks(laid.of(rows), marks[rows], step[rows], part), prior.PRIOR_JUMP)
        for name in ("mean", "variance", "likelihood"):
            getattr(level, name)[rows] = getattr(again, name)
        steps = change.steps(laid.total, z, marks, step, variance, drift)
    return level, steps, marks


def _dated(laid: Grid, steps: change.Steps) -> pl.DataFrame:
    columns = {
        "drive": laid.drives[steps.row],
        "time": _begins_s(laid, steps),
        "factor": np.exp(steps.height),
    }
    return pl.DataFrame(columns).with_columns(moment(pl.col("time").cast(pl.Int64)))


def _begins_s(laid: Grid, steps: change.Steps) -> NDArray[np.int64]:
    """When each new level begins."""
    return np.asarray(laid.last_s[steps.row] - (laid.total.shape[1] - 1 - steps.day) * DAY_S)


def _described(
    counted: pl.DataFrame, laid: Grid, lifetime: tuple[Floats, Floats], steps: change.Steps
) -> pl.DataFrame:
    """Put what the grid knows beside each drive."""
    changed, factor = np.full((2, len(laid.drives)), np.nan)
    # Steps of a drive come in order of time: the last one stays.
    changed[steps.row] = _begins_s(laid, steps)
    factor[steps.row] = np.exp(steps.height)
    columns = {
        "total": laid.total[:, -1],
        "span_days": laid.span,
        "samples": laid.samples,
        "resets": laid.resets,
        "first_total": laid.first,
        "last_s": laid.last_s,
        "changed_s": changed,
        "changed_by": factor,
        "lifetime_days": lifetime[1] + laid.span,
    }
    added = pl.DataFrame(columns, nan_to_null=True).with_columns(pl.col("changed_s").round().cast(pl.Int64))
    old_enough = (pl.col("span_days") >= SPAN_DAYS_MIN) & (pl.col("samples") >= SAMPLES_MIN)
    lived = (pl.col("lifetime_days") - pl.col("span_days")) >= LIFETIME_DAYS_MIN
    return pl.concat([counted.drop("last_s"), added], how="horizontal").with_columns(
        lifetime_total=pl.when(pl.col("resets") == 0).then("total"),
        writes=pl.when(old_enough)
        .then(pl.col("total") - pl.col("first_total") > 2 * pl.col("step"))
        .otherwise(pl.col("total") > 2 * pl.col("step")),
        enough=old_enough | lived.fill_null(value=False) & (pl.col("resets") == 0),
    )


def _lifetime_ratio() -> pl.Expr:
    """Flash bytes over host bytes of the whole life."""
    busy = pl.col("total") >= pl.max_horizontal(
        pl.col("capacity_bytes").fill_null(0) * 0.1, amplification.COUNTS_MIN * pl.col("step")
    )
    host = pl.col("counter") == "host_written_bytes"
    ratio = pl.col("nand_written_bytes") / pl.col("lifetime_total")
    return pl.when(host & busy).then(ratio)
