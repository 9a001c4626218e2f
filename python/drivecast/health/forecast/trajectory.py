"""One drive in full: what it wrote, what it will have written, and where that meets its limits.

The fan holds, for each total of bytes still to come, the days by which it is written with the chances of the interval's
ends and one half: the same distribution as the dates of the table, asked at many limits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from drivecast.health.forecast import amplification
from drivecast.health.forecast.day_grid import cleaned
from drivecast.health.forecast.estimate import Estimate
from drivecast.health.forecast.fleet_prior import FleetPrior
from drivecast.health.forecast.horizon import YEAR_DAYS, Jumps, arrival

POINTS_MAX = 400
FAN_POINTS = 40
FAN_YEARS = 10.0


@dataclass(frozen=True)
class Trajectory:
    """One drive's past and future; totals are host bytes written."""

    drive: dict[str, Any]
    """Its row of the forecast."""
    past: pl.DataFrame
    """`time`, `written_bytes`."""
    fan: pl.DataFrame
    """`written_bytes`, and the times `early`, `middle`, `late` by which they are written."""
    limits: pl.DataFrame
    """`limit` (a name), `written_bytes`."""
    changes: pl.DataFrame
    """`time`, `factor`."""
    amplification: pl.DataFrame
    """Windows with `start`, `end`, `host_bytes`, `nand_bytes`, `write_amplification`."""


def trajectory(
    estimate: Estimate, fleet: FleetPrior, samples: pl.DataFrame, row: dict[str, Any], level: float
) -> Trajectory:
    """Give the trajectory of the drive of `row`, whose `samples` are all of it."""
    key = row["drive"]
    place = estimate.table["drive"].to_list().index(key) if key in estimate.table["drive"] else None
    told = estimate.table.row(place, named=True) if place is not None else {}
    host = told.get("counter") == "host_written_bytes"
    past = (
        _past(samples)
        if host
        else pl.DataFrame(schema={"time": pl.Datetime("us", "UTC"), "written_bytes": pl.Float64})
    )
    limits = _limits(told, row) if host else []
    fan = pl.DataFrame()
    if place is not None and host and told["enough"] and told["writes"]:
        fan = _fan(estimate, fleet, place, told, [limit for _, limit in limits], level)
    named = [name for name in ("host_written_bytes", "nand_written_bytes") if name in samples.columns]
    windows = (
        amplification.over_time(samples, told.get("capacity_bytes")) if len(named) == 2 else pl.DataFrame()
    )
    steps = estimate.steps.filter(pl.col("drive") == key).select("time", "factor")
    schema = {"limit": pl.String, "written_bytes": pl.Float64}
    return Trajectory(row, past, fan, pl.DataFrame(limits, schema=schema, orient="row"), steps, windows)


def _past(samples: pl.DataFrame) -> pl.DataFrame:
    rows = cleaned(samples.select("drive", "time", "host_written_bytes"), "host_written_bytes")
    rows = rows.gather_every(max(1, rows.height // POINTS_MAX)) if rows.height > POINTS_MAX else rows
    return rows.select(_time("second").alias("time"), pl.col("total").alias("written_bytes"))


def _limits(told: dict[str, Any], row: dict[str, Any]) -> list[tuple[str, float]]:
    found = []
    if told.get("media_remaining") is not None:
        found.append(("flash worn out", told["total"] + told["media_remaining"]))
    if row.get("rated_bytes") is not None:
        found.append(("rated writes", float(row["rated_bytes"])))
    return found


def _fan(
    estimate: Estimate,
    fleet: FleetPrior,
    place: int,
    told: dict[str, Any],
    limits: Sequence[float],
    level: float,
) -> pl.DataFrame:
    one = slice(place, place + 1)
    states, weight = estimate.level.heaviest(fleet.weights(estimate), estimate.level.mean.shape[1])
    jumps = fleet.jumps(estimate)
    rate = float(np.exp((weight[one] * states.mean[one]).sum()))
    reach = rate * YEAR_DAYS * FAN_YEARS
    far = max(
        [limit - told["total"] for limit in limits if limit > told["total"]], default=rate * YEAR_DAYS * 2
    )
    ahead = np.linspace(0.0, min(far * 1.15, reach), FAN_POINTS + 1)[1:]
    many = np.zeros(FAN_POINTS, dtype=np.int64) + place
    spread = states.rows(many)
    found = arrival(
        spread, weight[many], Jumps(jumps.weight[many], jumps.variance), ahead, np.zeros(FAN_POINTS)
    )
    tail = (1 - level) / 2
    start = {"written_bytes": [told["total"]], **{name: [0.0] for name in ("early", "middle", "late")}}
    days = {"early": found.quantile(tail), "middle": found.quantile(0.5), "late": found.quantile(1 - tail)}
    table = pl.concat([pl.DataFrame(start), pl.DataFrame({"written_bytes": told["total"] + ahead, **days})])
    ends = [
        _time(
            (pl.lit(told["last_s"]) + pl.col(name).clip(upper_bound=100 * YEAR_DAYS) * 86_400)
            .round()
            .cast(pl.Int64)
        ).alias(name)
        for name in days
    ]
    return table.with_columns(ends)


def _time(second: str | pl.Expr) -> pl.Expr:
    column = pl.col(second) if isinstance(second, str) else second
    return pl.from_epoch(column, time_unit="s").dt.cast_time_unit("us").dt.replace_time_zone("UTC")
