"""Drives in service as a table to be judged, from what is said of each."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import polars as pl

from drivecast.document.drive_health import DriveInService, Horizons
from drivecast.health import concern

REASON = pl.Struct(
    {
        "kind": pl.String,
        **dict.fromkeys(("wear_ratio", "written_bytes", "rated_bytes", "span_days"), pl.Float64),
        "samples": pl.Int64,
        **dict.fromkeys(("end", "end_low", "end_high"), pl.Date),
    }
)
MORE = {
    **dict.fromkeys(("gap_s", "error_window_days", "days_before"), pl.Float64),
    **dict.fromkeys(("error_days", "error_days_before"), pl.Int64),
    "forecast_reason": REASON,
}
STALE = timedelta(days=2)


def table(rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """The table; what a row leaves out is null, and every drive is silent after two days."""
    schema = {**concern.NEEDED, **MORE}
    filled = [{"silent_after_s": STALE.total_seconds(), **row} for row in rows]
    return pl.DataFrame([{name: row.get(name) for name in schema} for row in filled], schema=schema)


def judged(rows: Sequence[dict[str, Any]], horizons: Horizons) -> list[DriveInService]:
    """The drives judged, in the order of a list."""
    return DriveInService.rows(concern.judged(table(rows), horizons))
