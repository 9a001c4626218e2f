"""The table in the terminal: 100 columns, every row accounted for."""

import json
from pathlib import Path

import pytest

from drivecast.document.plan import Plan
from drivecast.present import grid, terminal

PLAN = Plan.check(
    json.loads((Path(__file__).parents[2] / "data" / "plan-sample.json").read_text(encoding="utf-8"))
)


def text(plan: Plan = PLAN, *, width: int = 100) -> str:
    return terminal.render(plan, width, report="report.html").plain


@pytest.mark.parametrize("width", [100, 120])
def test_no_line_is_longer_than_the_width(width: int) -> None:
    assert max(len(line) for line in text(width=width).splitlines()) <= width


def test_without_unicode_the_lines_are_as_long() -> None:
    plain = grid.to_ascii(text())
    assert plain.isascii()
    assert "p99 read <=5 ms" in plain
    assert [len(line) for line in plain.splitlines()] == [len(line) for line in text().splitlines()]


def test_the_best_come_first_and_each_kind_of_miss_has_one_example() -> None:
    lines = text().splitlines()
    (best,) = [at for at, line in enumerate(lines) if line.startswith("1  raid1(2 * example-m1-480gb)")]
    assert lines[best + 1] == "      cheapest that fits"
    reasons = [
        line.strip().partition(":")[0] for line in lines if line.startswith(("      too", "      wears"))
    ]
    assert sorted(reasons) == ["too large", "too slow", "too slow", "wears out"]


def test_given_needs_stand_apart_from_derived_ones_with_the_options_that_set_them() -> None:
    lines = text().splitlines()
    assert "required       5 years" in lines
    assert "to set: --capacity, --growth, --p99-read, --p99-write, …" in text()


def test_where_nothing_fits_the_nearest_and_what_they_miss_are_shown() -> None:
    nearest = PLAN.ranked()[0].model_copy(
        update={"verdict": "misses", "rank": None, "why": "too dear: $402 > $300"}
    )
    shown = text(PLAN.model_copy(update={"designs": [nearest], "winner": None, "nearest": [nearest.design]}))
    assert "Nothing fits" in shown
    assert "too dear: $402 > $300" in shown


@pytest.mark.parametrize("length", range(15, 25))
def test_a_reason_that_does_not_fit_behind_its_row_has_its_own_line(length: int) -> None:
    designs = [
        design.model_copy(update={"why": "y" * length + str(design.rank)}) for design in PLAN.ranked()[:2]
    ]
    lines = text(PLAN.model_copy(update={"designs": designs})).splitlines()
    assert max(len(line) for line in lines) <= 100
    assert sum("y" * length in line for line in lines) == 2


def test_control_characters_in_names_reach_no_terminal() -> None:
    named = PLAN.workload.model_copy(update={"name": "a\x1b[2Jb"})
    design = PLAN.ranked()[0].model_copy(update={"design": "x\x1b]0;y\x07", "why": "r\x1b[0m\n"})
    shown = text(PLAN.model_copy(update={"workload": named, "designs": [design]}))
    assert not {"\x1b", "\x07"} & set(shown)


def test_the_profile_has_a_sketch_and_its_key_figures() -> None:
    shown = terminal.render_profile(PLAN.workload.profile, "invented-oltp").plain
    assert "█" in shown
    assert "Written per day           620 GB" in shown
    assert max(len(line) for line in shown.splitlines()) <= 100
    assert grid.to_ascii(shown).isascii()


def test_a_sparkline_shows_the_largest_of_each_stretch() -> None:
    assert terminal.sparkline([0, 0, 8, 0, 4, 4], 3) == "▁█▅"
    assert terminal.sparkline([], 10) == ""
    assert terminal.sparkline([0, 0], 10) == "▁▁"
