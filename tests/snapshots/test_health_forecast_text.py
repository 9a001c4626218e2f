"""All the words of a small fleet's forecast.

After a change that is meant, run with `UPDATE_SNAPSHOTS=1` and read the difference.
"""

from datetime import UTC, datetime, timedelta

import polars as pl

from agreed import agreed
from drivecast.document.drive_health import Horizons, SilentHost
from drivecast.document.forecast import DriveForecast
from drivecast.health import concern
from drivecast.health.forecast import fleet, forecast, trajectory_of
from drivecast.present import forecast as page
from drivecast.present.drive_words import worded

NOW = datetime(2026, 11, 21, tzinfo=UTC)
TB = 1e12
# serial, model, bytes a day, bytes before, bytes that wear it out, rated bytes, days of history
DRIVES = (
    ("A1", "EVEN 1T", 0.5 * TB, 100 * TB, 400 * TB, 600 * TB, 200),
    ("A2", "EVEN 1T", 0.5 * TB, 103 * TB, 400 * TB, 600 * TB, 200),
    ("B1", "BUSY 2T", 4 * TB, 900 * TB, 1760 * TB, 3000 * TB, 200),
    ("C1", "WORN 1T", 0.5 * TB, 300 * TB, 300 * TB, None, 200),
    ("D1", "IDLE 1T", 0.0, 1 * TB, 400 * TB, 600 * TB, 200),
    ("E1", "YOUNG 1T", 0.5 * TB, 1 * TB, 400 * TB, 600 * TB, 3),
    ("F1", "USED 1T", 0.5 * TB, 550 * TB, 2000 * TB, 600 * TB, 200),
)


def text() -> str:
    rows = []
    for key, (_, _, rate, before, full, _, days) in enumerate(DRIVES):
        for day in range(days + 1):
            written = before + rate * (day + max(0, day - 150) * (key == 0))
            wear = int(written / full * 100 + 1e-9) / 100
            rows.append((key, NOW - timedelta(days=days - day), written, written * 1.5, wear, day * 24.0))
    figures = dict.fromkeys(
        ("host_written_bytes", "nand_written_bytes", "wear_ratio", "power_on_hours"), pl.Float64
    )
    samples = pl.DataFrame(
        rows, schema={"drive": pl.Int64, "time": pl.Datetime("ms", "UTC"), **figures}, orient="row"
    )
    drives = pl.DataFrame(
        {
            "drive": range(len(DRIVES)),
            "serial": [row[0] for row in DRIVES],
            "model": [row[1] for row in DRIVES],
            "host": [None if row[0] == "D1" else f"db{number}" for number, row in enumerate(DRIVES)],
            "group": ["md0" if row[0][0] == "A" else None for row in DRIVES],
            "capacity_bytes": 10**12,
        }
    )
    rated = pl.DataFrame(
        {"drive": range(len(DRIVES)), "rated_bytes": [row[5] for row in DRIVES], "warranty_years": 5.0}
    )

    def judged(table: pl.DataFrame) -> pl.DataFrame:
        known = table.with_columns(time="last_seen", device=pl.lit("/dev/sda"), silent_after_s=pl.lit(2e5))
        return concern.judged(known, Horizons(NOW))

    table = judged(forecast(drives, samples, rated, now=NOW))
    quarters = fleet.quarters(table, now=NOW, level=0.8, count=6)
    silent = SilentHost(host="db9", drives=4, time=NOW - timedelta(days=9), gap_s=86_400.0)
    warned = page.warning_lines(fleet.groups(table, 60), [silent] * 3, 60, 2)
    drive = trajectory_of("A1", [(drives, samples)], lambda _drives: rated, now=NOW, complete=judged)
    assert drive is not None
    told = [
        *page.lines([*map(worded, DriveForecast.rows(table))]),
        *page.quarter_lines(quarters, 0.8),
        *warned,
        *page.trajectory_lines(worded(drive)),
    ]
    return "\n".join(map(str, told)) + "\n"


def test_the_text_is_the_one_that_was_read() -> None:
    agreed("health-forecast.txt", text())
