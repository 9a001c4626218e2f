"""Changes for good: found where two levels are, and not where a ramp, a day and a night, or chance is."""

import math
import random

import polars as pl
import pytest

from drivecast.model import level_shift

HOURS = 24


def _requests(rate: object, reads: object, seed: int = 0) -> pl.DataFrame:
    """Requests over a day, `rate(hour)` a second at most, of which `reads(hour)` read."""
    rng = random.Random(seed)
    rows = []
    for _ in range(40_000):
        hour = rng.random() * HOURS
        if rng.random() < rate(hour):  # type: ignore[operator]
            op = "read" if rng.random() < reads(hour) else "write"  # type: ignore[operator]
            rows.append((int(hour * 3600e9), op, 4096))
    return pl.DataFrame(sorted(rows), schema=["time_ns", "op", "size_bytes"], orient="row")


def _found(rate: object, reads: object) -> level_shift.Shift | None:
    return level_shift.found(_requests(rate, reads), HOURS * 3600)


@pytest.mark.parametrize("hour", [4, 12, 20])
def test_a_step_is_found_at_its_moment(hour: int) -> None:
    found = _found(lambda at: 0.2 if at < hour else 0.6, lambda _at: 0.5)
    assert found.at_s / 3600 == pytest.approx(hour, abs=HOURS / level_shift.INTERVALS)
    assert found.iops[1] / found.iops[0] == pytest.approx(3, rel=0.05)
    turned = _found(lambda _at: 0.5, lambda at: 0.9 if at < hour else 0.2)
    assert turned.read_fraction == (pytest.approx(0.9, abs=0.02), pytest.approx(0.2, abs=0.02))


def test_a_ramp_is_no_step() -> None:
    """Two levels explain 3/4 of a ramp's variance, of its logarithm no more."""
    assert _found(lambda at: 0.3 + 0.5 * at / HOURS, lambda _at: 0.5) is None


def test_a_day_and_its_night_are_no_step() -> None:
    assert _found(lambda at: 0.5 - 0.4 * math.cos(2 * math.pi * at / HOURS), lambda _at: 0.5) is None


def test_chance_is_no_step() -> None:
    assert _found(lambda _at: 0.05, lambda _at: 0.5) is None
