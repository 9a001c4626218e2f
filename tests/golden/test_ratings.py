"""The page of ratings is what the program finds: all drives are there, and two kinds are rated again."""

import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drivecast.assess import Interval
from drivecast.catalog import load
from drivecast.stage.rating import Rating

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/ratings.md"
QUICK = ("samsung-pm893-480gb", "solidigm-d7-p5520-7.68tb", "micron-7450-max-800gb")


def test_every_rated_flash_drive_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for drive in load().drives.values():
        assert (f"| {drive.name} |" in page) == (drive.is_flash and drive.tbw_bytes is not None)


def test_rated_again_they_are_the_same(drivecast: Callable[..., Any]) -> None:
    done = drivecast("catalog", "rating", *QUICK, "--output-format", "json")
    assert done.code == 0, done.err
    script = runpy.run_path(str(ROOT / "scripts/ratings.py"))
    page = PAGE.read_text(encoding="utf-8")
    for row in json.loads(done.out)["ratings"]:
        assert script["line"](row) in page, "run scripts/ratings.py"
        # theory of three mixed zones cleaned in order of age: 8.0 at a spare factor of 0.07, 4.1 at 0.15, 2.5 at 0.28
        assert 2.4 < row["write_amplification"] / row["rounding_factor"] < 5.3


def test_a_disk_has_no_rated_writes(drivecast: Callable[..., Any]) -> None:
    done = drivecast("catalog", "rating", "seagate-exos-x20-20tb")
    assert done.code == 2
    assert "has no rated writes" in done.err


@pytest.mark.parametrize(
    ("rated_tb", "rounding", "expected"),
    [
        (1000, 1.0, "agrees"),
        (2000, 1.0, "within what is known of the flash: the rating takes 2,000 cycles"),
        (100, 1.0, "promised less than the flash could take: 100 cycles do for it"),
        (3600, 1.0, "takes 3,600 cycles, a little more than the 3,000 known of the flash"),
        (9000, 3.0, "rated for writes of whole mapping units: then 3,000 cycles do"),
        (5000, 1.0, "rated for a kinder load: a write amplification of 1.2 at most, not 2"),
        (9000, 1.0, "rated for more than its flash is known to take at all"),
    ],
)
def test_why_a_rating_departs(rated_tb: float, rounding: float, expected: str) -> None:
    """A thousand cycles of 2 TB at a write amplification of 2 are a thousand TB."""
    cycles = Interval(500, 1000, 3000)
    rating = Rating("x", "X", rated_tb, "assumed", cycles, 2.0, rounding, cycles, 2.0)
    assert rating.reason == expected
