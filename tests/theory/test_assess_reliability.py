"""Reliability against closed forms, the Markov chain solved exactly, and tables computed elsewhere."""

import math
from fractions import Fraction

import pytest

from drivecast.assess.mttdl import (
    Array,
    Level,
    annual_failure_rate,
    data_loss,
    mean_time_between_failures_h,
    rebuild_time_h,
    unreadable_probability,
)
from drivecast.quantity.year import HOURS_PER_YEAR


def absorption_time_h(drives: int, failures: int, mtbf_h: int, rebuild_h: int) -> float:
    """Solve Q t = −1 by exact elimination, for 0 … `failures` failed drives, absorbed by one more."""
    size = failures + 1
    fail, repair = Fraction(1, mtbf_h), Fraction(1, rebuild_h)
    rows = [[Fraction(0)] * size + [Fraction(-1)] for _ in range(size)]
    for state in range(size):
        up, down = (drives - state) * fail, repair if state else Fraction(0)
        rows[state][state] = -(up + down)
        if state + 1 < size:
            rows[state][state + 1] = up
        if state:
            rows[state][state - 1] = down
    for pivot in range(size):
        for row in range(pivot + 1, size):
            factor = rows[row][pivot] / rows[pivot][pivot]
            rows[row] = [a - factor * b for a, b in zip(rows[row], rows[pivot], strict=True)]
    solution = [Fraction(0)] * size
    for row in reversed(range(size)):
        known = sum(rows[row][column] * solution[column] for column in range(row + 1, size))
        solution[row] = (rows[row][size] - known) / rows[row][row]
    return float(solution[0])


SHAPES: list[tuple[Level, int, int, int]] = [
    ("raid0", 5, 1, 0),
    ("raid1", 2, 2, 1),
    ("raid1", 3, 3, 2),
    ("raid5", 8, 8, 1),
    ("raid6", 12, 12, 2),
    ("raid10", 8, 2, 1),
]
"""Level, drives, drives a group, failures a group stands."""


@pytest.mark.parametrize("mtbf_h", [500_000, 1_200_000])
@pytest.mark.parametrize("rebuild_h", [1, 24, 400])
@pytest.mark.parametrize("shape", SHAPES)
def test_mttdl_is_the_chain_solved(shape: tuple[Level, int, int, int], mtbf_h: int, rebuild_h: int) -> None:
    level, drives, group, failures = shape
    exact = absorption_time_h(group, failures, mtbf_h, rebuild_h) / (drives / group)
    ours = data_loss(Array(level, drives, mtbf_h, rebuild_h), 1).mttdl_h
    assert ours == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(
    ("level", "drives", "mtbf_h", "rebuild_h", "expected_h"),
    [
        ("raid5", 8, 1e6, 24, 7.443e8),
        ("raid6", 8, 1e6, 24, 5.169e12),
        ("raid1", 2, 1e6, 24, 2.083e10),
        ("raid10", 8, 1e6, 24, 5.209e9),
        ("raid5", 8, 1e6, 100, 1.788e8),
        ("raid6", 8, 1e6, 100, 2.98e11),
        ("raid5", 12, 1.2e6, 24, 4.548e8),
        ("raid6", 12, 1.2e6, 24, 2.274e12),
        ("raid10", 12, 1.2e6, 24, 5e9),
        ("raid6", 6, 1.2e6, 24, 2.501e13),
    ],
)
def test_mttdl_table(level: Level, drives: int, mtbf_h: float, rebuild_h: float, expected_h: float) -> None:
    """Values of an independent program, printed to four digits."""
    ours = data_loss(Array(level, drives, mtbf_h, rebuild_h), 1).mttdl_h
    assert ours == pytest.approx(expected_h, rel=5e-4)


@pytest.mark.parametrize(
    ("read_tb", "uber", "expected"),
    [
        (1, 1e-14, 0.07688365361336458),
        (12, 1e-14, 0.6171071140248898),
        (12, 1e-15, 0.09153598393129392),
        (100, 1e-15, 0.5506710358827787),
        (100, 1e-17, 0.007968085162939342),
        (140, 1e-15, 0.6737202053769608),
    ],
)
def test_unreadable_table(read_tb: float, uber: float, expected: float) -> None:
    """1 − (1 − UBER)^bits, also where the UBER is below the spacing of floating-point numbers near 1."""
    assert unreadable_probability(read_tb * 1e12, uber) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("mtbf_h", "expected"),
    [
        (1.0e6, 0.008721742992),
        (1.2e6, 0.007273419718),
        (1.4e6, 0.006237607705),
        (2.0e6, 0.004370421789),
        (2.5e6, 0.003497868156),
    ],
)
def test_failure_rate_table(mtbf_h: float, expected: float) -> None:
    assert annual_failure_rate(mtbf_h) == pytest.approx(expected, rel=1e-9)
    assert mean_time_between_failures_h(expected) == pytest.approx(mtbf_h, rel=1e-8)


def test_unreadable_sectors_in_rebuilds_approach_the_simple_form() -> None:
    """Losses by sectors come every M / (N p) hours; p is the chance of an error in N − 1 drives."""
    array = Array("raid5", 8, 1e6, 24, drive_bytes=12e12, uber=1e-15)
    chance = unreadable_probability(7 * 12e12, 1e-15)
    expected = -math.expm1(-5 * HOURS_PER_YEAR / (1e6 / (8 * chance)))
    assert data_loss(array, 5).unreadable_probability == pytest.approx(expected, rel=1e-9)


def test_a_second_parity_outweighs_unreadable_sectors() -> None:
    """The reason RAID 6 exists: with large disks one parity loses to a sector error, two do not."""
    raid5 = data_loss(Array("raid5", 8, 1e6, 24, drive_bytes=20e12, uber=1e-15), 5)
    raid6 = data_loss(Array("raid6", 8, 1e6, 24, drive_bytes=20e12, uber=1e-15), 5)
    assert raid5.unreadable_probability > 0.1
    assert raid6.probability < 1e-3


@pytest.mark.parametrize(("grouped", "of_one", "groups"), [("raid50", "raid5", 3), ("raid60", "raid6", 2)])
def test_groups_are_in_series(grouped: Level, of_one: Level, groups: int) -> None:
    """None of them may lose data, and each does so on its own: 1 − (1 − p)^g."""
    drive = {"mtbf_h": 1e6, "rebuild_h": 24.0, "drive_bytes": 12e12, "uber": 1e-15}
    each = data_loss(Array(of_one, 6, **drive), 5).probability
    whole = data_loss(Array(grouped, 6 * groups, **drive, groups=groups), 5).probability
    assert whole == pytest.approx(1 - (1 - each) ** groups, rel=1e-9)


def test_mirrors_of_three_copies_are_groups_of_raid_1() -> None:
    each = data_loss(Array("raid1", 3, 1e6, 24.0), 5).probability
    whole = data_loss(Array("raid10", 12, 1e6, 24.0, groups=4), 5).probability
    assert whole == pytest.approx(4 * each, rel=1e-6)
    assert data_loss(Array("raid10", 12, 1e6, 24.0), 5).probability > 100 * whole, "pairs"


def test_rebuild_time() -> None:
    assert rebuild_time_h(20e12, 250e6) == pytest.approx(22.2, abs=0.03)
