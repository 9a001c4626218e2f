"""Signs of failure where the answer is known: chances against sums, intervals against futures, gaps against rhythms."""

from datetime import UTC, datetime, timedelta

import numpy as np
import polars as pl
import pytest

from drivecast.health.signs import error_growth, reading_interval, spare_left

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TIME = pl.Datetime("ms", "UTC")


def samples(days: list[float], **figures: list[float | None]) -> pl.DataFrame:
    """One drive read on these days before now."""
    return pl.DataFrame(
        {"drive": 0, "time": [NOW - timedelta(days=day) for day in days], **figures},
        schema={"drive": pl.Int64, "time": TIME, **dict.fromkeys(figures, pl.Float64)},
    ).sort("time")


NO_GAPS = pl.DataFrame(schema=reading_interval.SCHEMA)


def grown(errors: list[float], hours: float = 0.0) -> dict[str, object]:
    """What is found of a drive read each day, with so many new errors on each, the last day last."""
    days = [float(len(errors) - at) for at in range(len(errors) + 1)]
    counts = [0.0, *np.cumsum(errors).tolist()]
    worked = [hours + 24.0 * at for at in range(len(days))]
    table = samples(days, media_errors=counts, power_on_hours=worked)
    found = error_growth.error_growth(table, NO_GAPS)
    return found.row(0, named=True) if found.height else {}


@pytest.mark.parametrize(
    ("days", "before", "recent", "past"), [(3, 0, 30.0, 560.0), (5, 2, 30.0, 0.0), (1, 9, 30.0, 300.0)]
)
def test_the_chance_of_days_with_errors_is_that_of_gamma_and_poisson(
    days: int, before: int, recent: float, past: float
) -> None:
    random = np.random.default_rng(1)
    rate = random.gamma(1 + before, 1 / (1 / error_growth.USUAL_PER_DAY + past), 2_000_000)
    drawn = (random.poisson(rate * recent) >= days).mean()
    told = error_growth._chance(days, before, recent, past)
    assert told == pytest.approx(drawn, rel=0.05, abs=3e-6)


def test_errors_that_come_as_before_do_not_grow_and_errors_that_begin_do() -> None:
    quiet = [0.0] * 60
    assert grown(quiet) == {}
    assert grown([*quiet, 50.0, *[0.0] * 9], 24 * 800)["errors_grow"] is False, "a day of errors alone"
    assert grown([*quiet, *[1.0, 0.0, 2.0, 0.0, 5.0, 9.0]], 24 * 800)["errors_grow"] is True
    assert grown([1.0, 0.0, 0.0] * 120)["errors_grow"] is False, "one in three days, as ever in a year"
    ended = [*quiet, *[3.0] * 4, *[0.0] * 24]
    assert grown(ended, 24 * 800)["errors_grow"] is False, "they have stopped"
    burst = [*quiet, 4.0, 9.0, 0.0, 5.0, 2.0, 6.0]
    assert grown(burst, 24 * 800)["errors_grow"] is False, "a burst, as the field has them"
    assert grown([*burst, 5.0, 3.0], 24 * 800)["errors_grow"] is True, "more days than a burst has"


def test_errors_that_come_slowly_and_do_not_end_grow() -> None:
    slow = grown([*[0.0] * 60, *[1.0, 0.0, 0.0, 0.0, 0.0] * 18], 24 * 800)
    assert (slow["errors_grow"], slow["error_days"], slow["error_window_days"]) == (True, 18, 90.0)
    twice = [*[0.0] * 60, *[1.0] * 5, *[0.0] * 25, *[1.0] * 5, *[0.0] * 15]
    assert grown(twice, 24 * 800)["errors_grow"] is False, "two bursts"


def test_a_drive_without_a_past_needs_more_days_than_one_with_a_clean_life() -> None:
    days = [0.0, 1.0, 1.0, 0.0, 4.0]
    assert grown([*[0.0] * 25, *days], 24 * 800)["errors_grow"] is True
    assert grown([*[0.0] * 25, *days])["errors_grow"] is False


def test_healthy_drives_are_named_as_rarely_as_was_promised() -> None:
    """Days with errors at the rate that is assumed, on 600 drives: one in ten thousand, so none or one."""
    random = np.random.default_rng(5)
    errors = (random.random((600, 120)) < error_growth.USUAL_PER_DAY).astype(float)
    days = np.arange(121.0)
    table = pl.DataFrame(
        {
            "drive": np.repeat(np.arange(600), 121),
            "time": [NOW - timedelta(days=120 - day) for day in days] * 600,
            "media_errors": np.hstack([np.zeros((600, 1)), errors.cumsum(axis=1)]).ravel(),
            "power_on_hours": np.tile(24 * (600 + days), 600),
        },
        schema_overrides={"time": TIME},
    )
    found = error_growth.error_growth(table, NO_GAPS)
    assert found.height > 50
    new = (found["error_days"] >= error_growth.DAYS_MIN) & (found["error_chance"] < error_growth.CHANCE)
    assert new.sum() <= 1
    assert found["errors_grow"].sum() <= new.sum()


@pytest.mark.parametrize("shape", [0.3, 0.5, 1.0, 4.0, 90.0])
def test_quantiles_of_gamma_are_those_of_draws(shape: float) -> None:
    told = spare_left._gamma(shape, 20)
    drawn = np.quantile(np.random.default_rng(2).gamma(shape, size=400_000), (np.arange(20) + 0.5) / 20)
    assert np.abs(np.log(told / drawn)).max() < 0.06


def test_spare_that_falls_evenly_ends_where_its_line_meets_the_threshold() -> None:
    days = [float(day) for day in range(90, -1, -1)]
    left = [min(100.0, 11.0 + 3.0 * day) / 100 for day in days]
    (found,) = spare_left.spare_left(samples(days, spare_ratio=left), 0.8).to_dicts()
    assert NOW.date() <= found["spare_end_low"] <= found["spare_end"] <= NOW.date() + timedelta(days=3)
    slow = [min(100.0, 40.0 + day) / 100 for day in days]  # a percent a day for sixty days, thirty to go
    (found,) = spare_left.spare_left(samples(days, spare_ratio=slow), 0.8).to_dicts()
    assert (found["spare_end_low"] - NOW.date()).days < 30 < (found["spare_end_high"] - NOW.date()).days
    assert found["spare_lost_per_day"] == pytest.approx(0.01, rel=0.1)


def test_the_threshold_is_the_drives_own() -> None:
    days = [float(day) for day in range(60, -1, -1)]
    left = [(30.0 + day) / 100 for day in days]
    ends = [
        spare_left.spare_left(samples(days, spare_ratio=left, spare_threshold_ratio=[own] * 61), 0.8)[
            "spare_end"
        ][0]
        for own in (0.05, 0.10, 0.25)
    ]
    assert ends[2] < ends[1] < ends[0]
    assert spare_left.spare_left(samples(days, spare_ratio=left), 0.8)["spare_end"][0] == ends[1]


def test_spare_that_never_fell_has_no_end_that_matters_and_one_reading_of_none_is_left_out() -> None:
    days = [float(day) for day in range(30, -1, -1)]
    hours = [24 * (700 - day) for day in days]
    whole: list[float | None] = [1.0] * 31
    (found,) = spare_left.spare_left(samples(days, spare_ratio=whole, power_on_hours=hours), 0.8).to_dicts()
    assert found["spare_end_low"] is None or (found["spare_end_low"] - NOW.date()).days > 3650
    whole[12] = 0.0
    (dipped,) = spare_left.spare_left(samples(days, spare_ratio=whole, power_on_hours=hours), 0.8).to_dicts()
    assert dipped == found
    young = samples([2.0, 1.0, 0.0], spare_ratio=[1.0, 1.0, 1.0])
    assert spare_left.spare_left(young, 0.8).is_empty()
    failing = samples([4.0, 3.0, 2.0, 1.0, 0.0], spare_ratio=[1.0, 0.96, 0.9, 0.83, 0.77])
    (found,) = spare_left.spare_left(failing, 0.8).to_dicts()
    assert (found["spare_end_low"] - NOW.date()).days < 14, "a new drive that loses 6 % a day"


def test_four_in_five_intervals_of_falling_spare_hold_the_true_day() -> None:
    """Drives that lose a few percent at a time, half of them since a day within the history."""
    random = np.random.default_rng(11)
    held, tries = 0, 0
    while tries < 150:
        days, every, size = random.choice([30, 90, 180]), random.choice([1, 7]), random.choice([1, 2, 5])
        rate = 10 ** random.uniform(-1.5, 0.3) / size
        begins = int(random.uniform(0, 0.8) * days) * (random.random() < 0.5)
        lam = np.where(np.arange(days + 3000) < begins, rate / 20, rate)
        events = random.poisson(lam)
        lost = events + random.poisson((size - 1) * events)
        left = 100 - np.concatenate([[0], np.cumsum(lost)])
        if left[days] <= 10 or (lost[:days] > 0).sum() < 3 or left[-1] > 10:
            continue
        ends = int(np.flatnonzero(left[days:] <= 10)[0])
        read = np.arange(days % every, days + 1, every)
        table = samples((days - read).astype(float).tolist(), spare_ratio=(left[read] / 100).tolist())
        (found,) = spare_left.spare_left(table, 0.8).to_dicts()
        low, high = ((found[f"spare_end_{end}"] or NOW.date().replace(year=2100)) for end in ("low", "high"))
        held += (low - NOW.date()).days <= ends + 1 and ends - 1 <= (high - NOW.date()).days
        tries += 1
    assert 0.75 <= held / tries <= 0.95


def test_a_rhythm_is_the_median_of_the_latest_gaps_and_a_host_the_median_of_its_drives() -> None:
    hourly = [at / 24 for at in range(60)]
    older = [float(day) for day in range(4, 40)]
    rows = [samples([*hourly, *older]), samples(older).with_columns(drive=pl.lit(1, pl.Int64))]
    found = reading_interval.gaps(pl.concat(rows)).sort("drive")["gap_s"].to_list()
    assert found == [3600.0, 86_400.0]
    drives = pl.DataFrame({"drive": [0, 1, 2, 3, 4], "host": ["a", "a", "a", None, "b"]})
    gaps = pl.DataFrame({"drive": [0, 1, 3], "gap_s": [86_400.0, 7 * 86_400.0, 3600.0]})
    known = reading_interval.silent_after(drives.join(gaps, on="drive", how="left", maintain_order="left"))
    days = [round(seconds / 86_400, 3) for seconds in known["silent_after_s"]]
    assert days == [12.0, 12.0, 12.0, 2.0, 3.0]
    stated = reading_interval.silent_after(drives.join(gaps, on="drive", how="left"), timedelta(days=9))
    assert stated["silent_after_s"].unique().to_list() == [9 * 86_400.0]
