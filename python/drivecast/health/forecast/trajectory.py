"""One drive in full: what it wrote, what it will have written, and where that meets its limits.

The fan holds, for each total of bytes still to come, the days by which it is written with the chances of the interval's
ends and one half: the same distribution as the dates of the table, asked at many limits.
"""

from collections.abc import Iterable
from datetime import date
from typing import Any

import numpy as np
import polars as pl

from drivecast.document.forecast import AmplificationWindow, Change, FanPoint, Trajectory, WriteLimit, Written
from drivecast.health.forecast import amplification
from drivecast.health.forecast.day_grid import cleaned, moment
from drivecast.health.forecast.estimate import Estimate
from drivecast.health.forecast.horizon import YEAR_DAYS, Jumps, arrival
from drivecast.health.forecast.limit_dates import FleetPrior
from drivecast.quantity.year import DAY_S

POINTS_MAX = 400
FAN_POINTS = 40
FAN_YEARS = 10.0


def trajectory(
    estimate: Estimate, fleet: FleetPrior, samples: pl.DataFrame, row: dict[str, Any], now: date, level: float
) -> Trajectory:
    """Return the trajectory of the drive of `row`, whose `samples` are all of it."""
    key, keys = row["drive"], estimate.table["drive"].to_list()
    at = keys.index(key) if key in keys else None
    state = estimate.table.row(at, named=True) if at is not None else {}
    host = state.get("counter") == "host_written_bytes"
    limits = _limits(state, row) if host else {}
    fan = pl.DataFrame()
    if at is not None and host and state["enough"] and state["writes"]:
        fan = _fan(estimate, fleet, at, state, limits.values(), level)
    counted = {"host_written_bytes", "nand_written_bytes"} <= {*samples.columns}
    windows = amplification.over_time(samples, state.get("capacity_bytes")) if counted else pl.DataFrame()
    changes = estimate.steps.filter(pl.col("drive") == key).select("time", "factor")
    return Trajectory(
        schema_version=2,
        as_of=now,
        level=level,
        **{name: value for name, value in row.items() if name in Trajectory.model_fields},
        past=Written.rows(_past(samples)) if host else [],
        changes=Change.rows(changes),
        limits=[WriteLimit(limit=name, written_bytes=round(value)) for name, value in limits.items()],
        fan=FanPoint.rows(fan),
        amplification=AmplificationWindow.rows(windows),
    )


def _past(samples: pl.DataFrame) -> pl.DataFrame:
    rows = cleaned(samples.select("drive", "time", "host_written_bytes"), "host_written_bytes")
    rows = rows.gather_every(max(1, rows.height // POINTS_MAX))
    return rows.select(moment("second").alias("time"), pl.col("total").alias("written_bytes"))


def _limits(state: dict[str, Any], row: dict[str, Any]) -> dict[str, float]:
    found = {}
    if state.get("media_remaining") is not None:
        found["flash worn out"] = state["total"] + state["media_remaining"]
    if row.get("rated_bytes") is not None:
        found["rated writes"] = float(row["rated_bytes"])
    return found


def _fan(
    estimate: Estimate,
    fleet: FleetPrior,
    at: int,
    state: dict[str, Any],
    limits: Iterable[float],
    level: float,
) -> pl.DataFrame:
    drive = slice(at, at + 1)
    states, weight = estimate.level.heaviest(fleet.weights(estimate), estimate.level.mean.shape[1])
    jumps = fleet.jumps(estimate)
    rate = float(np.exp((weight[drive] * states.mean[drive]).sum()))
    reach = rate * YEAR_DAYS * FAN_YEARS
    away = (limit - state["total"] for limit in limits)
    far = max((left for left in away if left > 0), default=rate * YEAR_DAYS * 2)
    ahead = np.linspace(0.0, min(far * 1.15, reach), FAN_POINTS + 1)[1:]
    many = np.full(FAN_POINTS, at, dtype=np.int64)
    mine = Jumps(jumps.weight[many], jumps.variance)
    found = arrival(states.rows(many), weight[many], mine, ahead, np.zeros(FAN_POINTS))
    tail = (1 - level) / 2
    start = {"written_bytes": [state["total"]], **{name: [0.0] for name in ("early", "middle", "late")}}
    days = {"early": found.quantile(tail), "middle": found.quantile(0.5), "late": found.quantile(1 - tail)}
    table = pl.concat([pl.DataFrame(start), pl.DataFrame({"written_bytes": state["total"] + ahead, **days})])
    seconds = pl.col(*days).clip(upper_bound=100 * YEAR_DAYS) * DAY_S + state["last_s"]
    return table.with_columns(moment(seconds.round().cast(pl.Int64)))
