"""Intervals of the forecast against truth, and what its parts give where the answer is known."""

import math
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from drivecast.health.forecast import change, fleet, horizon, local_level, prior
from drivecast.health.forecast.estimate import estimate
from drivecast.health.forecast.limit_dates import fleet_prior, outlook

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
from drive_histories import KINDS, Drive, day_reached, drive, tables

LENGTHS = (14, 30, 90, 180, 365, 730)
DRIVES = 792


@pytest.fixture(scope="module")
def simulated() -> tuple[list[Drive], pl.DataFrame, np.ndarray]:
    """A mixed fleet, its outlook, and the true days on which a limit of the rated writes is reached."""
    random = np.random.default_rng(20)
    drives = [
        drive(KINDS[number % len(KINDS)], LENGTHS[number // len(KINDS) % len(LENGTHS)], random)
        for number in range(DRIVES)
    ]
    estimates = estimate(*tables(drives))
    away = np.array([drive.rate for drive in drives]) * np.exp(
        random.uniform(math.log(30), math.log(1095), DRIVES)
    )
    rated = pl.DataFrame(
        {
            "drive": range(DRIVES),
            "rated_bytes": estimates.table["total"].to_numpy() + away,
            "warranty_years": 5.0,
        }
    )
    truth = np.array([day_reached(drive.future, limit) for drive, limit in zip(drives, away, strict=True)])
    return drives, outlook(estimates, fleet_prior([estimates]), rated, 0.8), truth


def held(table: pl.DataFrame, name: str, truth: np.ndarray, last_day: float) -> np.ndarray:
    """Whether each interval holds its truth; what is not reached within the known future is held by a later end."""
    low, high = (table[f"{name}_days_{end}"].to_numpy() for end in ("low", "high"))
    reached = np.isfinite(truth)
    return np.where(reached, (low <= truth) & (truth <= high), (low <= last_day) & (high >= last_day))


def test_four_in_five_intervals_of_the_rated_writes_hold_the_true_day(
    simulated: tuple[list[Drive], pl.DataFrame, np.ndarray],
) -> None:
    drives, table, truth = simulated
    assert 0.75 <= held(table, "writes", truth, drives[0].future.size - 1).mean() <= 0.85


def test_four_in_five_intervals_of_the_worn_flash_hold_the_true_day(
    simulated: tuple[list[Drive], pl.DataFrame, np.ndarray],
) -> None:
    drives, table, _ = simulated
    truth = np.array([day_reached(drive.worn, 1.0) for drive in drives])
    told = np.isfinite(table["media_days"].to_numpy())
    assert told.mean() > 0.95
    assert 0.75 <= held(table, "media", truth, drives[0].future.size - 1)[told].mean() <= 0.85


def test_the_expected_replacements_are_those_that_happen(
    simulated: tuple[list[Drive], pl.DataFrame, np.ndarray],
) -> None:
    _, table, truth = simulated
    for days in (180.0, 365.0, 730.0):
        chance = [
            np.interp(
                days,
                np.concatenate([[0.0], ends]),
                [0.0, *SHARES],
                right=1.0 if np.isfinite(ends[-1]) else None,
            )
            for ends in _writes(table)
        ]
        happened = (truth <= days).sum()
        # A drive is counted with its chance: the error of the sum is that of as many coins, with a margin of 4.
        error = 4 * math.sqrt(sum(p * (1 - p) for p in chance) + 1)
        assert abs(sum(chance) - happened) < error


SHARES = (0.1, 0.5, 0.9)


def _writes(table: pl.DataFrame) -> np.ndarray:
    columns = [table[f"writes_days{part}"].to_numpy() for part in ("_low", "", "_high")]
    return np.stack([np.where(np.isfinite(column), column, 1e9) for column in columns], axis=1)


def state(mean: float, variance: float) -> local_level.LocalLevel:
    single = np.zeros((1, 1))
    return local_level.LocalLevel(single + mean, single + variance, single, single + 1e-9, single)


def test_without_noise_or_changes_the_day_is_log_normal_about_the_remaining_bytes_over_the_rate() -> None:
    sd = 0.2
    rates = np.eye(1, prior.CHANGES_PER_DAY.size)
    found = horizon.arrival(
        state(math.log(50.0), sd**2),
        np.ones((1, 1)),
        horizon.Jumps(rates, 0.0),
        np.array([5000.0]),
        np.zeros(1),
    )
    assert found.quantile(0.5)[0] == pytest.approx(100.0, rel=2e-3)
    assert found.quantile(0.1)[0] == pytest.approx(100.0 * math.exp(-1.2816 * sd), rel=5e-3)
    assert found.quantile(0.9)[0] == pytest.approx(100.0 * math.exp(1.2816 * sd), rel=5e-3)


def test_a_drifting_level_spreads_as_the_mean_of_a_random_walk() -> None:
    random = np.random.default_rng(3)
    drift, days = 1e-3, 400
    walks = np.cumsum(random.normal(size=(4000, days)) * math.sqrt(drift), axis=1)
    spread = np.log(np.exp(walks).mean(axis=1))
    assert spread.var() == pytest.approx(drift * days / 3, rel=0.08)
    assert np.median(spread) == pytest.approx(drift * days / 12, abs=0.02)


def test_the_filter_finds_the_level_and_prefers_the_noise_that_made_it() -> None:
    random = np.random.default_rng(5)
    drives, blocks = 200, 60
    noise_days = 5.0
    spread = math.log1p(noise_days / 7)
    y = 20.0 - spread / 2 + random.normal(size=(drives, blocks)) * math.sqrt(spread)
    days = np.full_like(y, 7.0)
    centre = np.broadcast_to((blocks - np.arange(blocks)) * 7.0 - 3.5, y.shape)
    sampled = local_level.Blocks(y, days, np.zeros_like(y), centre, np.zeros(y.shape, dtype=bool))
    found = local_level.filtered(sampled, 0.5)
    shares = prior.shares(found.likelihood)
    usual_noise = math.exp((shares * np.log(local_level.NOISE)).sum())
    assert usual_noise == pytest.approx(noise_days, rel=0.3)
    assert shares[local_level.DRIFT < 1e-4].sum() > 0.9
    mean = (prior.weights(found.likelihood, shares) * found.mean).sum(axis=1)
    assert mean.mean() == pytest.approx(20.0, abs=0.03)


@pytest.mark.parametrize(("count", "chance"), [(20, 0.3), (400, 0.01), (150, 0.5), (3000, 0.2)])
def test_the_interval_of_a_count_is_that_of_independent_draws(count: int, chance: float) -> None:
    low, high = fleet.bounds(np.full(count, chance), 0.8)
    draws = np.random.default_rng(1).binomial(count, chance, 200_000)
    assert abs(low - np.quantile(draws, 0.1)) <= 1
    assert abs(high - np.quantile(draws, 0.9)) <= 1


def test_steady_and_weekly_writers_raise_few_false_changes_and_a_doubling_is_found_within_a_week() -> None:
    random = np.random.default_rng(7)
    drives, days = 300, 365
    weekly = np.where(np.arange(days) % 7 < 5, 1.0, 0.3)
    daily = 1e11 * weekly * random.gamma(1 / 0.15**2, 0.15**2, (drives, days))
    step = np.full(drives, 512_000.0)

    def found(bytes_a_day: np.ndarray) -> np.ndarray:
        total = np.concatenate([np.zeros((drives, 1)), np.cumsum(bytes_a_day, axis=1)], axis=1)
        z = change.logarithms(total, step)
        flat = change.without_weekdays(z)
        return change.changes(change.without_spikes(flat), change.long_run_variance(flat, z, step))

    assert found(daily).sum() / drives < 0.1
    doubled = daily.copy()
    doubled[:, -7:] *= 2.0
    assert found(doubled)[:, -8:-5].any(axis=1).mean() > 0.9
