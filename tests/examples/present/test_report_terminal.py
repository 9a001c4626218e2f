"""The table in the terminal: 100 columns, every row accounted for."""

from typing import get_args

import pytest

from drivecast.document.miss import Miss, MissKind
from drivecast.document.plan import Plan
from drivecast.present import reason, terminal
from real_plan import plan


def text(shown: Plan | None = None, *, width: int = 100) -> str:
    return terminal.render(shown or plan(), width, report="report.html").plain


@pytest.mark.parametrize("width", [100, 120])
def test_no_line_is_longer_than_the_width(width: int) -> None:
    assert max(len(line) for line in text(width=width).splitlines()) <= width


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


def test_every_miss_has_a_text_and_a_heading() -> None:
    """Also one of which a first look said no more than that it is one."""
    design = plan().designs[-1]
    for kind in get_args(MissKind):
        miss = Miss(kind=kind, load=3.0, is_bound=True)
        assert reason.miss_text(miss, "USD")
        assert reason.kind(design.model_copy(update={"misses": [miss], "verdict": "pruned"}))
