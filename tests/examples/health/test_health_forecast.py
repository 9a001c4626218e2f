"""Forecasts of single drives and small fleets."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from drivecast.document.drive_health import ForecastReason, Horizons
from drivecast.health import concern
from drivecast.health.forecast import fleet as ask
from drivecast.health.forecast import forecast, forecast_batches, trajectory_of
from drivecast.health.history import History
from drivecast.present.drive_words import reason_text
from text_boxes import Fault

NOW = datetime(2026, 11, 21, tzinfo=UTC)
TB = 1e12


def history(
    days: int = 120,
    *,
    rate: float = 1 * TB,
    start: float = 100 * TB,
    wear: Callable[[float], float | None] = lambda _written: None,
    amplification: float | None = None,
    every: int = 1,
    hours: bool = True,
    host: bool = True,
    last: datetime = NOW,
) -> list[dict[str, Any]]:
    """Samples of one drive that writes evenly."""
    rows = []
    for day in range(-days, 1, every):
        written = start + rate * (day + days)
        rows.append(
            {
                "time": last + timedelta(days=day),
                "host_written_bytes": written if host else None,
                "nand_written_bytes": written * amplification if amplification else None,
                "wear_ratio": wear(written),
                "power_on_hours": (start / rate + day + days) * 24 if hours and rate else None,
            }
        )
    return rows


def table(*drives: Sequence[dict[str, Any]], **more: Any) -> tuple[pl.DataFrame, pl.DataFrame]:
    known = pl.DataFrame(
        {
            "drive": range(len(drives)),
            "serial": [f"S{number}" for number in range(len(drives))],
            "capacity_bytes": 10**12,
        }
        | more
    )
    schema = {
        "time": pl.Datetime("ms", "UTC"),
        **dict.fromkeys(
            ("host_written_bytes", "nand_written_bytes", "wear_ratio", "power_on_hours"), pl.Float64
        ),
        "passed": pl.Boolean,
    }
    parts = [
        pl.DataFrame(list(rows), schema=schema).select(pl.lit(number, pl.Int64).alias("drive"), pl.all())
        for number, rows in enumerate(drives)
    ]
    return known, pl.concat(parts)


def judged(
    rows: Sequence[dict[str, Any]], rated: float | None = None, years: float | None = None
) -> dict[str, Any]:
    ratings = pl.DataFrame(
        {"drive": [0], "rated_bytes": [rated], "warranty_years": [years]},
        schema={"drive": pl.Int64, "rated_bytes": pl.Float64, "warranty_years": pl.Float64},
    )
    return listed(forecast(*table(rows), ratings, now=NOW)).row(0, named=True)


def listed(found: pl.DataFrame) -> pl.DataFrame:
    """The drives of a forecast with the lists that they are in."""
    return concern.judged(found.with_columns(time="last_seen"), Horizons(NOW, stale=timedelta(days=9999)))


def reason_of(row: dict[str, Any]) -> str:
    """Why a drive has its status, in words."""
    return reason_text(ForecastReason.model_validate(row["forecast_reason"]))


def percent(full: float) -> Callable[[float], float]:
    """A gauge of whole percents that reads 1 when `full` bytes are written."""
    return lambda written: int(written / full * 100 + 1e-9) / 100


def test_an_even_writer_ends_when_its_rated_writes_are_written() -> None:
    row = judged(history(), rated=320 * TB)
    assert row["status"] == "ok"
    assert row["media_end"] is None
    assert row["warranty_end_limit"] == "writes"
    assert abs((row["warranty_end"] - date(2027, 3, 1)).days) <= 3
    assert row["warranty_end_low"] <= row["warranty_end"] <= row["warranty_end_high"]
    assert row["written_bytes_per_day"] == pytest.approx(1 * TB, rel=0.01)
    assert row["lifetime_bytes_per_day"] == pytest.approx(1 * TB, rel=0.01)


def test_whole_percents_and_bytes_together_give_the_end_of_the_flash() -> None:
    row = judged(history(wear=percent(400 * TB)))
    assert abs((row["media_end"] - (NOW.date() + timedelta(days=180))).days) <= 8
    assert row["warranty_end"] is None


def test_whole_percents_alone_give_no_date() -> None:
    row = judged(history(wear=percent(400 * TB), host=False))
    assert row["status"] == "no date"
    assert row["media_end"] is None
    assert "whole percents" in reason_of(row)


def test_a_fine_gauge_alone_gives_a_date() -> None:
    sources = json.dumps({"wear_ratio": {"step": 1e-5}})
    known, samples = table(history(wear=lambda written: written / (400 * TB), host=False), sources=[sources])
    rated = pl.DataFrame({"drive": [0], "rated_bytes": [1e15], "warranty_years": [5.0]})
    row = forecast(known, samples, rated, now=NOW).row(0, named=True)
    assert abs((row["media_end"] - (NOW.date() + timedelta(days=180))).days) <= 3
    assert row["written_bytes_per_day"] is None
    assert row["warranty_end_limit"] == "term"


def test_a_young_drive_with_two_samples_has_no_date() -> None:
    row = judged(history(1, start=0.5 * TB), rated=320 * TB)
    assert row["status"] == "no date"
    assert row["warranty_end"] is None
    assert (row["forecast_reason"]["samples"], row["forecast_reason"]["span_days"]) == (2, 1.0)


def test_an_old_drive_with_one_sample_is_judged_by_its_lifetime_rate_and_widely() -> None:
    row, long = judged(history(0), rated=320 * TB), judged(history(), rated=320 * TB)
    width = (row["warranty_end_high"] - row["warranty_end_low"]).days
    assert row["status"] == "warranty", "the early end is near"
    assert width > 5 * (long["warranty_end_high"] - long["warranty_end_low"]).days


def test_the_term_ends_the_warranty_where_it_comes_first() -> None:
    row = judged(history(rate=1e9, start=200e9), rated=1e15, years=1)
    assert row["warranty_end_limit"] == "term"
    assert abs((row["warranty_end"] - (NOW.date() + timedelta(days=365 - 320))).days) <= 1


def test_after_a_change_of_workload_the_new_rate_counts_and_the_change_is_told() -> None:
    rows = history()
    for number, row in enumerate(rows[-30:]):
        row["host_written_bytes"] = rows[-31]["host_written_bytes"] + 5 * TB * (number + 1)
    row = judged(rows, rated=2000 * TB)
    assert row["written_bytes_per_day"] == pytest.approx(5 * TB, rel=0.05)
    assert row["changed_by"] == pytest.approx(5.0, rel=0.05)
    assert abs((row["changed_at"] - (NOW - timedelta(days=30))).days) <= 1


def test_a_rebuild_of_one_day_is_no_change_of_workload() -> None:
    rows = history()
    for row in rows[70:]:
        row["host_written_bytes"] += 60 * TB
    row = judged(rows, rated=2000 * TB)
    assert row["changed_at"] is None
    assert row["written_bytes_per_day"] == pytest.approx(1 * TB, rel=0.5)


def test_a_glitch_is_left_out_and_a_reset_is_bridged() -> None:
    glitch, reset = history(), history()
    glitch[60]["host_written_bytes"] = 3.0
    glitch[80]["host_written_bytes"] = 1e18
    for row in reset[70:]:
        row["host_written_bytes"] -= 170 * TB
    for rows in (glitch, reset):
        row = judged(rows, rated=320 * TB)
        assert row["written_bytes_per_day"] == pytest.approx(1 * TB, rel=0.02)
        assert abs((row["warranty_end"] - date(2027, 3, 1)).days) <= 4


def test_write_amplification_is_told_by_differences_and_not_of_an_idle_drive() -> None:
    rows = history(amplification=2.0)
    for row in rows[60:]:
        row["nand_written_bytes"] += 2.0 * (row["host_written_bytes"] - rows[60]["host_written_bytes"])
    row = judged(rows, rated=1e15)
    assert row["write_amplification"] == pytest.approx(4.0, rel=1e-6)
    assert row["write_amplification_lifetime"] == pytest.approx(2.545, rel=0.01)
    assert (
        judged(history(rate=1e8, start=100 * TB, hours=False, amplification=40.0))["write_amplification"]
        is None
    )


def test_drives_of_one_array_that_end_together_are_told() -> None:
    drives = [history(start=100 * TB + shift * TB, wear=percent(500 * TB)) for shift in (0, 3, 200)]
    known, samples = table(*drives, group=["md0", "md0", "md0"])
    (row,) = ask.groups(listed(forecast(known, samples, unrated(3), now=NOW)))
    assert (row.group, row.drives, row.within_window, row.at_risk) == ("md0", 3, 2, True)


def unrated(drives: int) -> pl.DataFrame:
    """Drives of which nothing is rated."""
    schema = {"drive": pl.Int64, "rated_bytes": pl.Float64, "warranty_years": pl.Float64}
    return pl.DataFrame([(number, None, None) for number in range(drives)], schema, orient="row")


def test_a_drive_on_a_shelf_is_not_worn_out_by_writes_it_does_not_get() -> None:
    shelved = history(wear=percent(400 * TB), last=NOW - timedelta(days=900))
    row = judged(shelved, rated=1e18)
    assert row["media_end"] < NOW.date()
    assert row["status"] == "watch", "nobody knows, and it is not to be replaced"
    assert judged(history(wear=percent(222 * TB), last=NOW - timedelta(days=20)))["status"] == "replace"


def test_a_disk_with_platters_is_well_without_a_date() -> None:
    known, samples = table(history(), rotating=[True])
    row = listed(forecast(known, samples, unrated(1), now=NOW)).row(0, named=True)
    assert (row["status"], row["media_end"]) == ("ok", None)
    assert "platters" in reason_of(row)


def test_rated_writes_that_end_are_no_replacement() -> None:
    known, samples = table(history(), history())
    ratings = pl.DataFrame({"drive": [0, 1], "rated_bytes": [230 * TB, 90 * TB], "warranty_years": [9.0] * 2})
    found = listed(forecast(known, samples, ratings, now=NOW))
    assert found["warranty_end"].to_list()[0] < NOW.date() + timedelta(days=40)
    assert ask.quarters(found, now=NOW, level=0.8)[-1].cumulative == 0.0
    assert ask.ending(found, date(2036, 1, 1), least=0.01).is_empty()


def test_a_fleet_without_drives_is_an_empty_table() -> None:
    found = forecast_batches([], lambda drives: drives, now=NOW)
    assert found.is_empty()
    assert "media_end_low" in found.columns
    assert trajectory_of("S0", [], lambda drives: drives, now=NOW) is None


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("history") / "health.sqlite3"
    drives = {
        "S3EVNX0K": history(wear=percent(450 * TB), amplification=2.0),
        "WORN": history(wear=lambda _written: 1.3),
        "YOUNG": history(1, start=0.5 * TB),
    }
    with History.open(str(path)) as opened:
        for serial, rows in drives.items():
            samples = pl.DataFrame(rows, infer_schema_length=None).select(
                pl.lit(serial).alias("serial"),
                pl.lit("MODEL X").alias("model"),
                pl.lit(10**12).alias("capacity_bytes"),
                pl.col("time").dt.cast_time_unit("ms"),
                *(pl.col(name).cast(pl.Float64) for name in rows[0] if name != "time"),
            )
            opened.add_table(samples)
    return path


def test_the_verb_lists_the_most_urgent_first(drivecast: Callable[..., Any], kept: Path) -> None:
    run = drivecast("health", "forecast", "--history", kept, "--now", "2026-11-21")
    assert run.code == 0
    lines = run.out.splitlines()
    assert [line.split()[2] for line in lines if line[:1] == "–"] == ["WORN", "YOUNG", "S3EVNX0K"]
    run = drivecast("health", "forecast", "--history", kept, "--now", "2026-11-21", "--output-format", "json")
    assert [drive["status"] for drive in run.json["drives"]] == ["replace", "no date", "ok"]
    assert run.json["level"] == 0.8
    run = drivecast("health", "forecast", "--history", kept, "--by", "2027-12-31", "--output-format", "csv")
    assert run.out.splitlines()[0].endswith(",chance")
    run = drivecast("health", "forecast", "--history", kept, "--by", "2027-12-31", "--now", "2026-11-21")
    assert [line.split()[-2:] for line in run.out.splitlines() if "WORN" in line] == [["100", "%"]]


@pytest.mark.parametrize("faults", ["wide"], indirect=True)
def test_the_pages_of_a_drive_and_of_the_fleet(
    drivecast: Callable[..., Any], kept: Path, tmp_path: Path, faults: Callable[[dict[str, str]], list[Fault]]
) -> None:
    drive, fleet = tmp_path / "drive.html", tmp_path / "fleet.html"
    of_drive = ("health", "forecast", "--history", kept, "--drive", "S3EVNX0K")
    run = drivecast(*of_drive, "-o", drive, "--output-format", "json")
    assert run.code == 0
    assert {"fan", "limits", "changes", "amplification"} <= run.json.keys()
    of_fleet = ("health", "fleet", "--history", kept, "--now", "2026-12-05")
    run = drivecast(*of_fleet, "-o", fleet, "--output-format", "json")
    assert run.code == 0
    assert (run.json["counts"]["watch"], run.json["counts"]["silent"]) == (0, 2)
    pages = {page.stem: page.read_text(encoding="utf-8") for page in (drive, fleet)}
    assert 'id="figure-written"' in pages["drive"]
    assert 'id="figure-replacements"' in pages["fleet"]
    assert faults(pages) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--by", "soon"), "--by: expected a date such as 2026-11-21, found `soon`"),
        (("--now", "2026-13-01"), "--now: expected a date such as 2026-11-21, found `2026-13-01`"),
        (("--level", "80"), "--level 80: expected a share"),
        (("--drive", "NONE"), "no drive `NONE`"),
        (("--drive", "YOUNG", "--quarter"), "exclude each other"),
        (("-o", "/nowhere/page.html"), "no such directory"),
    ],
)
def test_wrong_use_says_what_is_expected(
    drivecast: Callable[..., Any], kept: Path, arguments: tuple[str, ...], message: str
) -> None:
    run = drivecast("health", "forecast", "--history", kept, *arguments)
    assert run.code == 2
    assert message in run.err
    assert run.out == ""
