"""What holds of every forecast, whatever the samples."""

import math
import random
from datetime import UTC, datetime, timedelta

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from drivecast.document.drive_health import Horizons
from drivecast.health import concern
from drivecast.health.forecast import fleet as ask
from drivecast.health.forecast import forecast

NOW = datetime(2026, 11, 21, tzinfo=UTC)
FIGURES = ("host_written_bytes", "nand_written_bytes", "wear_ratio", "power_on_hours")
number = st.one_of(st.none(), st.floats(0, 1e16), st.just(math.nan), st.just(math.inf), st.just(0.0))
share = st.one_of(st.none(), st.floats(0, 2.55), st.just(math.nan))
sample = st.tuples(st.integers(0, 3 * 365 * 86_400), number, number, share, number)
drive = st.lists(sample, max_size=40)


def tables(drives: list[list[tuple[float | None, ...]]]) -> tuple[pl.DataFrame, pl.DataFrame]:
    rows = [(key, *row) for key, samples in enumerate(drives) for row in samples]
    schema = {"drive": pl.Int64, "second": pl.Int64, **dict.fromkeys(FIGURES, pl.Float64)}
    samples = (
        pl.DataFrame(rows, schema=schema, orient="row").unique(["drive", "second"]).sort("drive", "second")
    )
    time = pl.lit(NOW) - timedelta(days=3 * 365) + pl.duration(seconds="second")
    known = {
        "drive": range(len(drives)),
        "serial": [str(key) for key in range(len(drives))],
        "capacity_bytes": 10**12,
    }
    return pl.DataFrame(known, schema_overrides={"drive": pl.Int64}), samples.with_columns(time=time).drop(
        "second"
    )


def rated(drives: int, rated_bytes: float) -> pl.DataFrame:
    ends = {"rated_bytes": [rated_bytes] * drives, "warranty_years": [5.0] * drives}
    return pl.DataFrame({"drive": range(drives), **ends}, schema_overrides={"drive": pl.Int64})


@settings(max_examples=25)
@given(st.lists(drive, min_size=1, max_size=5))
def test_every_drive_gets_a_row_and_bounds_in_order(drives: list[list[tuple[float | None, ...]]]) -> None:
    known, samples = tables(drives)
    found = forecast(known, samples, rated(len(drives), 1e15), now=NOW)
    assert found["drive"].sort().to_list() == list(range(len(drives)))
    assert found["forecast_reason"].struct.field("kind").null_count() == 0
    for row in found.iter_rows(named=True):
        for name in ("media_end", "warranty_end"):
            days = [row[f"{name}{part}"] for part in ("_low", "", "_high")]
            told = [day for day in days if day is not None]
            assert told == sorted(told)
            assert days[0] is not None or days[1] is None
        assert row["wear_ratio"] is None or row["wear_ratio"] < 1 or row["forecast_reason"]["kind"] == "worn"
        rate = row["written_bytes_per_day"]
        assert rate is None or (
            0 <= row["written_bytes_per_day_low"] <= rate <= row["written_bytes_per_day_high"]
        )
    judged = concern.judged(found.with_columns(time="last_seen"), Horizons(NOW))
    counted = ask.quarters(judged, now=NOW, level=0.8)
    assert counted[-1].cumulative <= len(drives) + 1e-6
    assert all(quarter.replacements >= -1e-9 for quarter in counted)


steady = st.tuples(st.floats(1e9, 1e13), st.floats(0.01, 1.5), st.integers(20, 200), st.integers(0, 2**31))


def written(
    rate: float, noise: float, days: int, seed: int, scale: float = 1.0
) -> list[tuple[float | None, ...]]:
    draw = random.Random(seed)
    total, rows = 50 * rate, []
    for day in range(days):
        total += rate * draw.lognormvariate(0, noise)
        rows.append(((3 * 365 - days + day) * 86_400, total * scale, None, None, None))
    return rows


@settings(max_examples=8)
@given(steady, st.integers(1, 9))
def test_dates_depend_on_ratios_of_bytes_alone(drive: tuple[float, float, int, int], power: int) -> None:
    scale = 2.0**power
    rows, larger = written(*drive), written(*drive, scale=scale)
    limit = max(row[1] or 0.0 for row in rows) * 3
    first = forecast(*tables([rows]), rated(1, limit), now=NOW).row(0, named=True)
    second = forecast(*tables([larger]), rated(1, limit * scale), now=NOW).row(0, named=True)
    for name in ("warranty_end", "warranty_end_low"):
        if first[name] is not None and second[name] is not None:
            ahead = (first[name] - NOW.date()).days
            assert abs((first[name] - second[name]).days) <= 1 + 0.01 * abs(ahead)


@settings(max_examples=8)
@given(steady)
def test_more_rated_writes_end_later(drive: tuple[float, float, int, int]) -> None:
    rows = written(*drive)
    now_bytes = max(row[1] or 0.0 for row in rows)
    ends = [
        forecast(*tables([rows]), rated(1, now_bytes * times), now=NOW).row(0, named=True)["warranty_end"]
        for times in (1.5, 3.0)
    ]
    assert ends[0] is None or ends[1] is None or ends[0] <= ends[1]
