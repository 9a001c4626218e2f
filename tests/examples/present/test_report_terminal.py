"""The table in the terminal: 100 columns, every row accounted for."""

import re
from typing import get_args

import pytest

from drivecast.document.miss import Miss, MissKind
from drivecast.document.plan import Plan
from drivecast.present import grid, reason, terminal
from drivecast.quantity import number
from real_plan import plan


def text(shown: Plan | None = None, *, width: int = 100) -> str:
    return terminal.render(shown or plan(), width, report="report.html").plain


@pytest.mark.parametrize("width", [100, 120])
def test_no_line_is_longer_than_the_width(width: int) -> None:
    assert max(len(line) for line in text(width=width).splitlines()) <= width


def test_without_unicode_the_lines_are_as_long() -> None:
    plain = grid.to_ascii(text())
    assert plain.isascii()
    assert "<=5 ms" in plain
    assert [len(line) for line in plain.splitlines()] == [len(line) for line in text().splitlines()]


def test_the_best_come_first_and_each_kind_of_miss_has_one_example() -> None:
    lines = text().splitlines()
    best = plan().ranked()[0]
    (at,) = [at for at, line in enumerate(lines) if line.startswith(f"1  {best.line}")]
    assert " ".join(line.strip() for line in lines[at + 1 : at + 3]).startswith(reason.text(best))
    assert reason.text(best).startswith("cheapest that fits")
    reasons = [line.strip().partition(":")[0] for line in lines if re.match(" {6}(yours; )?too", line)]
    assert sorted(reasons) == ["too slow", "too slow over the whole log", "yours; too slow"]


def test_where_nothing_fits_the_nearest_and_what_they_miss_are_shown() -> None:
    miss = Miss(kind="budget", found=402, limit=300, shortfall=1.34)
    nearest = plan().ranked()[0].model_copy(update={"verdict": "misses", "rank": None, "misses": [miss]})
    shown = text(plan().model_copy(update={"designs": [nearest], "winner": None, "nearest": [nearest.line]}))
    assert "Nothing fits" in shown
    assert "$402 > $300" in shown


@pytest.mark.parametrize("length", range(15, 25))
def test_a_reason_that_does_not_fit_behind_its_row_has_its_own_line(
    monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    monkeypatch.setattr(reason, "text", lambda design: "y" * length + str(design.rank))
    lines = text(plan().model_copy(update={"designs": plan().ranked()[:2]})).splitlines()
    assert max(len(line) for line in lines) <= 100
    assert sum("y" * length in line for line in lines) == 2


def test_control_characters_in_names_reach_no_terminal() -> None:
    named = plan().workload.model_copy(update={"name": "a\x1b[2Jb"})
    design = plan().ranked()[0].model_copy(update={"line": "x\x1b]0;y\x07"})
    shown = text(plan().model_copy(update={"workload": named, "designs": [design]}))
    assert not {"\x1b", "\x07"} & set(shown)


def test_the_profile_has_a_sketch_and_its_key_figures() -> None:
    shown = terminal.render_profile(plan().workload.profile, "recorded").plain
    assert "█" in shown
    written = number.size(plan().workload.profile.write_bytes_per_day)
    assert re.search(rf"^Written per day +{written} ", shown, re.MULTILINE)
    assert max(len(line) for line in shown.splitlines()) <= 100
    assert grid.to_ascii(shown).isascii()


def test_a_sparkline_shows_the_largest_of_each_stretch() -> None:
    assert terminal.sparkline([0, 0, 8, 0, 4, 4], 3) == "▁█▅"
    assert terminal.sparkline([], 10) == ""
    assert terminal.sparkline([0, 0], 10) == "▁▁"


def test_every_miss_has_a_text_and_a_heading() -> None:
    """Also one of which a first look said no more than that it is one."""
    design = plan().designs[-1]
    for kind in get_args(MissKind):
        miss = Miss(kind=kind, load=3.0, is_bound=True)
        assert reason.miss_text(miss, "USD")
        assert reason.kind(design.model_copy(update={"misses": [miss], "verdict": "pruned"}))
