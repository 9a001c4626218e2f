"""Loss of data by Monte Carlo against closed forms, and the ages of differential RAID against its paper."""

import json
import math
from dataclasses import asdict
from typing import Any

import pytest

from drivecast import _core
from drivecast.assess import hazard
from drivecast.assess.mttdl import (
    Array,
    data_loss,
    redundancy,
    unreadable_probability,
)
from drivecast.assess.policy import Place, Wearing, places
from drivecast.document.design import Level
from drivecast.quantity.year import HOURS_PER_YEAR, MTBF_HOURS_PER_YEAR

NONE = {"new": 0.0, "worn": 0.0, "shape": 1.0}


def groups(
    level: Level, drives: int, rate: float, rebuild_h: float, years: float, uber: float = 0.0
) -> dict[str, Any]:
    """Return groups as the closed form sees them: constant rates, exponential rebuilds, a drive at hand."""
    group = redundancy(level, drives)
    return {
        "drives": group.drives,
        "failures": group.failures,
        "groups": group.groups,
        "hours": years * HOURS_PER_YEAR,
        "drive_bytes": 4e12,
        "causes": [asdict(hazard.Cause("age", -MTBF_HOURS_PER_YEAR / math.log1p(-rate), 1.0))],
        "rebuild": {"min_h": 0.0, "scale_h": rebuild_h, "shape": 1.0},
        "operator": {"min_h": 0.0, "scale_h": 0.0, "shape": 1.0},
        "spares": 0,
        "sectors": {
            "latent_per_h": NONE,
            "uber": {"new": uber, "worn": uber, "shape": 1.0},
            "scrub_h": None,
            "bytes": 4096,
        },
        "slots": [],
        "replace_at": None,
        "replacement": "rebuilt",
    }


def lose(spec: dict[str, Any], precision: float = 0.004) -> dict[str, Any]:
    """Simulate them."""
    return _core.lose(json.dumps(spec), seed=1, precision=precision, missions_max=1_000_000)


@pytest.mark.parametrize(("rate", "rebuild_h"), [(0.004, 48), (0.03, 8)])
@pytest.mark.parametrize(
    ("level", "drives"),
    [
        ("single", 1),
        ("raid0", 4),
        ("raid1", 2),
        ("raid5", 8),
        ("raid6", 8),
        ("raid10", 12),
        ("raid50", 8),
        ("raid60", 12),
    ],
)
def test_where_assumptions_coincide_it_is_the_closed_form(
    level: Level, drives: int, rate: float, rebuild_h: float
) -> None:
    uber = 1e-15 if level in ("raid1", "raid5", "raid10", "raid50") else 0.0
    mtbf_h = -MTBF_HOURS_PER_YEAR / math.log1p(-rate)
    closed = data_loss(Array(level, drives, mtbf_h, rebuild_h, drive_bytes=4e12, uber=uber), 10)
    found = lose(groups(level, drives, rate, rebuild_h, 10, uber))
    assert found["failure_probability"]["value"] == pytest.approx(closed.failure_probability, rel=0.02)
    assert found["unreadable_probability"]["value"] == pytest.approx(closed.unreadable_probability, rel=0.02)
    assert found["probability"]["value"] == pytest.approx(closed.probability, rel=0.02)


def test_failure_rates_are_the_mean_of_five_years_and_fall() -> None:
    def cumulative(years: float) -> float:
        aged = [cause for cause in hazard.flash_causes(0.009) if cause.clock == "age"]
        left = [
            1
            - cause.share
            + cause.share * math.exp(-((years * MTBF_HOURS_PER_YEAR / cause.scale) ** cause.shape))
            for cause in aged
        ]
        return -math.log(math.prod(left))

    assert cumulative(5) == pytest.approx(-5 * math.log1p(-0.009), rel=1e-3)
    assert cumulative(1) / ((cumulative(5) - cumulative(1)) / 4) == pytest.approx(2.5, rel=0.01)
    (disk,) = hazard.disk_causes(0.015)
    assert (5 * MTBF_HOURS_PER_YEAR / disk.scale) ** disk.shape == pytest.approx(
        -5 * math.log1p(-0.015), rel=1e-9
    )
    worn = hazard.flash_causes(0.009)[-1]
    assert 1 - math.exp(-((1 / worn.scale) ** worn.shape)) == pytest.approx(0.03)


def ages_at_replacements(placed: tuple[Place, ...], hours: int) -> list[list[float]]:
    """Return the ages of the others, sorted, each time a place reaches the limit of 1; by small steps."""
    ages, found = [0.0] * len(placed), []
    for hour in range(hours):
        for index, place in enumerate(placed):
            ages[index] += next(rate for start, rate in reversed(place.wear_per_h) if start <= hour)
        oldest = max(range(len(ages)), key=lambda index: ages[index])
        if ages[oldest] >= 1 - 1e-6:
            found.append(sorted(age for index, age in enumerate(ages) if index != oldest))
            ages[oldest] = 0.0
    return found


def test_uneven_parity_settles_at_the_ages_of_the_paper() -> None:
    """Four drives, all parity on the oldest: the others stand at 1/6, 1/3 and 1/2 of the limit when it goes."""
    placed = places("uneven", Wearing(((0.0, 2e-4),), (1.0,) * 4), 1.0, 60_000)
    assert ages_at_replacements(placed, 60_000)[-1] == pytest.approx([1 / 6, 1 / 3, 1 / 2], abs=0.01)


def test_staggered_replacement_spreads_the_ages_evenly() -> None:
    placed = places("staggered", Wearing(((0.0, 1e-4),), (1.0,) * 4), 1.0, 30_000)
    assert [place.replace_first_at for place in placed] == [0.25, 0.5, 0.75, 1.0]


def test_a_group_worn_out_together_meets_errors_as_the_paper_counts_them() -> None:
    """Five drives of 80 GB, UBER 10⁻¹⁴ at the limit: the first one replaced meets 1 − (1 − UBER)^bits, 2.5 %."""
    slot = {"age_h": 0.0, "wear": 0.0, "wear_per_h": [[0.0, 1e-4]], "replace_first_at": 1.5}
    spec = groups("raid5", 5, 1e-12, 10, 1.2) | {
        "drive_bytes": 80e9,
        "slots": [slot | {"replace_first_at": 1.0}, *[slot] * 4],
        "rebuild": {"min_h": 10.0, "scale_h": 0.0, "shape": 1.0},
    }
    spec["sectors"]["uber"] = {"new": 0.0, "worn": 1e-14, "shape": 1.0}
    chance = lose(spec)["unreadable_probability"]["value"]
    assert chance == pytest.approx(unreadable_probability(4 * 80e9, 1e-14), rel=0.003)
    assert chance == pytest.approx(0.025, abs=0.0005)
