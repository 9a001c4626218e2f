"""The drives in service, a row each: identity, newest figures, ratings, forecast, signs, and what is to be done.

Metrics, reports, checks and fleets are views of this one table, so that they never disagree. Drives that were not seen
for long are left out: they were taken away, and nobody wants to hear of them for ever.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

import polars as pl

from drivecast.document.drive_health import Horizons

if TYPE_CHECKING:
    from drivecast.health.history import History

FORGET = timedelta(days=30)
SILENT_TIMES = 2
"""A drive that is read seldom is forgotten after so many times the age at which it is silent."""
TIME = pl.Datetime("ms", "UTC")
Done = Callable[[int], None]
"""Hears how many drives have been read."""


class InService:
    """The drives of a history in batches for a forecast, and what the samples say besides."""

    def __init__(self, history: "History", horizons: Horizons) -> None:
        self._history, self._horizons = history, horizons
        self._known: list[pl.DataFrame] = []

    def batches(self) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """Drives and their samples, those that were taken away left out."""
        now = self._horizons.now
        for drives, samples in self._history.batches():
            # Of the lives of one drive, which begin where its counters did, the last.
            current = drives.sort("last_seen", "drive")
            current = current.unique(["serial", "model", "capacity_bytes"], keep="last", maintain_order=True)
            recent = samples.join(current.select("drive"), on="drive", how="semi", maintain_order="left")
            recent = recent.filter(pl.col("time") <= now)
            current, recent = self._remembered(current, recent)
            if current.height:
                self._known.append(self._signs(current, recent))
                yield current, recent

    def _remembered(self, drives: pl.DataFrame, samples: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Drives with `gap_s` that were seen recently, and their samples."""
        from drivecast.health.signs import reading_interval  # noqa: PLC0415

        known = drives.join(reading_interval.gaps(samples), on="drive", how="left", maintain_order="left")
        stated = self._horizons.forget
        age = pl.lit(self._horizons.now) - pl.col("last_seen")
        seldom_s = SILENT_TIMES * reading_interval.FACTOR * pl.col("gap_s").fill_null(0.0)
        limit_s = pl.max_horizontal(FORGET.total_seconds(), seldom_s)
        limit = limit_s if stated is None else pl.lit(stated.total_seconds())
        kept = known.filter(age.dt.total_seconds() <= limit)
        if kept.height < known.height:
            samples = samples.join(kept.select("drive"), on="drive", how="semi", maintain_order="left")
        return kept, samples

    def _signs(self, drives: pl.DataFrame, samples: pl.DataFrame) -> pl.DataFrame:
        from drivecast.health.signs.error_growth import error_growth  # noqa: PLC0415
        from drivecast.health.signs.spare_left import spare_left  # noqa: PLC0415

        gaps = drives.select("drive", "gap_s")
        for found in (error_growth(samples, gaps), spare_left(samples, self._horizons.level)):
            drives = drives.join(found, on="drive", how="left", maintain_order="left")
        return drives

    def judged(self, forecasts: pl.DataFrame) -> pl.DataFrame:
        """The rows of `forecasts` with all else that is known, judged, in the order of a list."""
        from drivecast.health.concern import judged  # noqa: PLC0415
        from drivecast.health.forecast.limit_dates import SHARES  # noqa: PLC0415
        from drivecast.health.signs.reading_interval import silent_after  # noqa: PLC0415

        drives = silent_after(pl.concat(self._known), self._horizons.stale).with_columns(time="last_seen")
        added = forecasts.select("drive", pl.exclude(drives.columns))  # of both, the drive's own word counts
        table = drives.join(added, on="drive", how="inner")
        median = SHARES.index(0.5)
        sooner = pl.col("spare_days").arr.get(median) < pl.col("end_days").arr.get(median)
        ends = pl.when(sooner | pl.col("end_days").is_null()).then("spare_days").otherwise("end_days")
        return judged(table.with_columns(end_days=ends), self._horizons)


def drives_in_service(
    history: "History", horizons: Horizons, done: Done = lambda _drives: None
) -> pl.DataFrame:
    """The drives of a history that were seen recently, judged, in the order of a list."""
    from drivecast.health import warranty  # noqa: PLC0415
    from drivecast.health.forecast import forecast_batches  # noqa: PLC0415

    service = InService(history, horizons)
    forecasts = forecast_batches(
        service.batches(), warranty.ratings, now=horizons.now, level=horizons.level, done=done
    )
    if forecasts.is_empty():
        return pl.DataFrame(
            schema={"drive": pl.Int64, "serial": pl.String, "status": pl.String, "time": TIME}
        )
    return service.judged(forecasts)
