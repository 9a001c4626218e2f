"""The questions that buyers ask by name: the best of either side, what decides, and where the answer flips."""

import pytest

from bundled import CATALOG
from drivecast.document.miss import Miss
from drivecast.document.plan import Cost, Design
from drivecast.plan.buyers_question import comparisons
from drivecast.quantity.interval import Span

QLC, TLC, SATA = "solidigm-d5-p5336-15.36tb", "samsung-pm9a3-3.84tb", "samsung-pm893-3.84tb"


def design(drive: str, total: float, **said: object) -> Design:
    drives = 0.8 * total
    made = {
        "line": f"raid1(2 * {drive})",
        "title": f"2 × {drive}",
        "level": "raid1",
        "drive": drive,
        "count": 2,
        "flash": CATALOG.get(drive).medium,
        "verdict": "fits",
        "fits": True,
        "tier": 2,
        "rank": 1,
        "cost": Cost(total=total, purchase=drives + 50.0, hosting=50.0, replacement=0.0, residual=0.0),
        "read_p99_ns": Span(value=2e5),
    }
    return Design.model_validate(made | said)


def answered(*designs: Design) -> dict[str, object]:
    return {each.question: each for each in comparisons(designs, CATALOG)}


def test_the_dearer_side_says_at_which_price_of_its_drives_it_costs_as_little() -> None:
    found = answered(design(TLC, 1000.0, tier=1), design(QLC, 1200.0, rank=2))["QLC or TLC"]
    assert (found.answer, found.decides) == (f"raid1(2 * {TLC})", "cost")
    assert [side.line for side in found.sides] == [f"raid1(2 * {QLC})", f"raid1(2 * {TLC})"]
    (flip,) = found.flips_at
    assert (flip.input, flip.line) == ("price", f"raid1(2 * {QLC})")
    drives = 0.8 * 1200.0
    assert 1200.0 - drives + flip.times * drives == pytest.approx(1000.0)


def test_the_side_with_more_headroom_is_the_answer_above_what_the_other_carries() -> None:
    found = answered(design(SATA, 900.0, headroom=4.0), design(TLC, 1000.0, rank=2, headroom=20.0))
    assert [(flip.input, flip.times) for flip in found["SATA or NVMe"].flips_at][-1] == ("load", 4.0)


def test_a_side_of_which_none_fits_is_its_cheapest_with_what_it_misses() -> None:
    missed = Miss(kind="latency", op="read", found=9e6, limit=5e6)
    named = {"verdict": "misses", "fits": False, "misses": [missed], "rank": None, "tier": None}
    near, dear = design(QLC, 800.0, **named), design("solidigm-d5-p5316-30.72tb", 990.0, **named)
    found = answered(design(TLC, 1000.0), dear, near)["QLC or TLC"]
    assert (found.decides, found.answer, found.flips_at) == ("fits", f"raid1(2 * {TLC})", [])
    assert found.sides[0].line == near.line
    assert found.sides[0].misses == [missed]


def test_what_is_tied_on_cost_is_decided_by_the_ranking() -> None:
    tied = answered(design(TLC, 1010.0, tier=1, rank=1), design(SATA, 1000.0, tier=1, rank=2))
    assert (tied["SATA or NVMe"].answer, tied["SATA or NVMe"].decides) == (f"raid1(2 * {TLC})", "ranking")


def test_a_question_with_one_side_is_not_asked_nor_any_where_nothing_fits() -> None:
    assert "disks or flash" not in answered(design(TLC, 1000.0), design(QLC, 1200.0))
    assert not answered(design(TLC, 1000.0, fits=False, verdict="misses"))
