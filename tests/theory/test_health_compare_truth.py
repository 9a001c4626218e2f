"""Drives of known truth against a prediction with one wrong input: the comparison names that input and no other."""

import math
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl
import pytest

from drivecast.document.wear_comparison import Prediction
from drivecast.health import compare as comparison
from drivecast.health.compare.wear_observation import student, track
from drivecast.present import wear_comparison
from drivecast.quantity.interval import Interval

RAW = 549_755_813_888
CYCLES = Interval(2700, 3000, 3300)
TRUE = Prediction(
    source="plan",
    design="raid5(4 * invented)",
    drive="invented",
    members=4,
    array_bytes_per_day=1e12,
    growth_per_year=0.2,
    hours_per_day=24.0,
    member_share=2 / 4,
    write_amplification=Interval(1.9, 2.0, 2.1),
    pe_cycles=CYCLES,
    raw_bytes=RAW,
)
START = datetime(2026, 1, 1, tzinfo=UTC)


def drives(
    seed: int,
    *,
    days: int = 240,
    years: float = 1.0,
    wear_step: float = 0.01,
    nand: bool = True,
    members: int = 4,
) -> list[Any]:
    """Samples a day of drives that do exactly what `TRUE` says, on days that vary; wear counts in whole steps."""
    generator = random.Random(seed)
    week = [generator.lognormvariate(-0.02, 0.2) for _ in range(days // 7 + 1)]
    busy = [week[day // 7] * generator.lognormvariate(-0.02, 0.2) for day in range(days)]
    first_hours = (years * 365 - days / 2) * 24
    found = []
    for member in range(members):
        host, rows = 1e13, []
        wear = 0.0123 + 0.003 * member
        for day in range(days + 1):
            if day:
                written = TRUE.array_bytes_per_day * 1.2**years * TRUE.member_share * busy[day - 1]
                host += written
                wear += written * 2.0 / (RAW * 3000)
            rows.append(
                {
                    "time": (START + timedelta(days=day)).replace(tzinfo=None),
                    "host_written_bytes": math.floor(host / 512_000) * 512_000.0,
                    "nand_written_bytes": math.floor(2 * host / 2**25) * 2.0**25 if nand else None,
                    "wear_ratio": math.floor(wear / wear_step) * wear_step,
                    "power_on_hours": float(round(first_hours + 24 * day)),
                }
            )
        frame = pl.DataFrame(rows, schema_overrides={"nand_written_bytes": pl.Float64})
        found.append(comparison.seen(f"S{member}", frame))
    return found


WRONG = {
    "load": {"array_bytes_per_day": 0.5e12},
    "share": {"member_share": 1.3 / 4},
    "amplification": {"write_amplification": Interval(1.2, 1.3, 1.4)},
    "wear per flash byte": {"pe_cycles": Interval(1500, 1600, 1700)},
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("seed", range(5))
def test_the_one_wrong_input_is_named(name: str, seed: int) -> None:
    predicted = replace(TRUE, **WRONG[name])
    made = comparison.compare(predicted, comparison.observe(drives(seed)), written_per_day=1.2e12)
    assert [fault.name for fault in made.wrong] == [name]
    assert made.outcome == "wrong"
    assert wear_comparison.change(made, made.wrong[0])


@pytest.mark.parametrize("seed", range(10))
def test_a_prediction_that_is_right_is_never_wrong(seed: int) -> None:
    made = comparison.compare(TRUE, comparison.observe(drives(seed)), written_per_day=1.2e12)
    assert not made.wrong
    assert made.total.outcome in {"holds", "undetermined"}


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Of 95 % intervals 19 in 20 hold 1; of sixty each, 51 or fewer would come once in two hundred times."""
    held = {"load x share": 0, "amplification": 0, "wear per flash byte": 0}
    for seed in range(60):
        made = comparison.compare(TRUE, comparison.observe(drives(seed, days=170)))
        for factor in made.factors:
            # Lifetimes end at samples a day apart and in units, so amplification is exact to a part in a million.
            held[factor.name] += factor.ratio.low * (1 - 1e-5) <= 1 <= factor.ratio.high * (1 + 1e-5)
    assert all(count >= 52 for count in held.values()), held


def test_without_the_arrays_own_writes_load_and_share_are_one() -> None:
    predicted = replace(TRUE, array_bytes_per_day=0.5e12)
    made = comparison.compare(predicted, comparison.observe(drives(1)))
    assert [fault.name for fault in made.wrong] == ["load x share"]
    assert "--write-per-day" in wear_comparison.change(made, made.wrong[0])


def test_a_drive_alone_tells_its_load() -> None:
    predicted = replace(
        TRUE, design="invented", members=1, member_share=1.0, array_bytes_per_day=0.2e12, hours_per_day=6.0
    )
    made = comparison.compare(predicted, comparison.observe(drives(1, members=1)))
    assert [fault.name for fault in made.wrong] == ["load"]
    # 0.6 TB a day instead of 0.2 TB grown to 0.24 TB: three times the hours like the log.
    assert "--hours-per-day" in wear_comparison.change(made, made.wrong[0])


def test_without_flash_writes_amplification_and_cycles_are_one() -> None:
    predicted = replace(TRUE, write_amplification=Interval(1.0, 1.1, 1.2))
    made = comparison.compare(predicted, comparison.observe(drives(1, nand=False)))
    assert [fault.name for fault in made.wrong] == ["amplification x wear"]
    assert "ambiguous" in wear_comparison.change(made, made.wrong[0])
    assert "flash writes" in made.observation.missing


def test_inputs_that_err_against_each_other_hold_by_luck() -> None:
    predicted = replace(TRUE, array_bytes_per_day=2e12, write_amplification=Interval(0.8, 1.0, 1.2))
    made = comparison.compare(predicted, comparison.observe(drives(1)), written_per_day=1.2e12)
    assert {fault.name for fault in made.wrong} == {"load", "amplification"}
    assert made.outcome == "wrong"
    assert made.by_luck
    more = comparison.compare(replace(predicted, array_bytes_per_day=1e12), comparison.observe(drives(1)))
    assert more.wrong
    assert not more.by_luck


def test_growth_is_part_of_the_prediction() -> None:
    late = comparison.observe(drives(1, years=4.0))
    assert not comparison.compare(TRUE, late).wrong
    assert comparison.compare(replace(TRUE, growth_per_year=0.0), late).wrong[0].name == "load x share"
    told = comparison.compare(TRUE, late, years_in_service=0.0)
    assert told.wrong[0].ratio.value == pytest.approx(1.2**4, rel=0.1)


def test_the_ratios_multiply_to_that_of_the_wear() -> None:
    made = comparison.compare(TRUE, comparison.observe(drives(3)), written_per_day=1.2e12)
    product = math.prod(factor.ratio.value for factor in made.factors if factor.ratio)
    assert product == pytest.approx(made.total.ratio.value)


def test_wear_that_has_hardly_moved_cannot_be_told() -> None:
    made = comparison.compare(TRUE, comparison.observe(drives(1, days=20, members=1)))
    assert made.total.outcome == "undetermined"
    assert "wear steps" in made.observation.missing
    assert made.outcome == "undetermined"


@pytest.mark.parametrize("step", [0.01, 1e-5])
def test_a_coarse_gauge_tells_as_much_as_a_fine_one(step: float) -> None:
    """Between its changes a whole percent is exact: either gauge tells the cycles of one drive within 3 %.

    Taken from end to end, the coarse one would err by up to a percent of wear, a tenth of what these drives wear.
    """
    for seed in range(12):
        worn = comparison.observe(drives(seed, days=150, wear_step=step, members=1)).wear_per_nand_byte
        assert worn.value * RAW * 3000 == pytest.approx(1, rel=0.03)
        assert worn.low < 1 / (RAW * 3000) < worn.high


def test_a_counter_that_falls_back_begins_anew() -> None:
    found = track([0, 1, 2, 3, 4, 5], [10.0, 20.0, 5.0, None, 6.0, 9.0])
    assert (found.days, found.totals) == ([2, 4, 5], [5.0, 6.0, 9.0])
    assert track([0, 1], [1.0, 2.0]) is None, "a day is too short"


@pytest.mark.parametrize(("freedom", "quantile"), [(3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042)])
def test_students_quantile(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, rel=0.01)
