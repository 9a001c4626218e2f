"""Designs that a person names: judged once, and which of them runs now."""

from pathlib import Path
from typing import Any

import pytest

import real_plan
from drivecast.document.plan import Plan
from drivecast.plan import search, space
from drivecast.plan.candidate import Options
from drivecast.plan.requirement import Given
from drivecast.present import answer
from drivecast.quantity import number
from small_traces import mixed, write

PAIR, OTHER = "raid1(2 * samsung-pm9a3-1.92tb)", "raid1(2 * micron-7450-pro-1.92tb)"
VOLUME = "aws-gp3-1tb"
CHEAP = "raid1(2 * samsung-pm9a3-960gb)"
"""For less than half of what five years of the volume cost."""


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """400 random requests."""
    return write(tmp_path, mixed())


@pytest.fixture
def named_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is searched: the plan judges what is named."""
    monkeypatch.setattr(space, "ladders", lambda _catalog: iter(()))


def plan(trace: Path, **options: Any) -> Plan:
    given = Given(capacity_bytes=200 * 10**9)
    return search.plan([trace], given, Options(threads=1, **options), lambda _share, _what: None)


@pytest.mark.usefixtures("named_alone")
def test_what_runs_now_stays_the_first_that_was_named(trace: Path) -> None:
    found = plan(trace, today=PAIR, designs=(OTHER, "raid1(2*samsung-pm9a3-1.92tb)"))
    assert sorted(design.line for design in found.yours()) == sorted([PAIR, OTHER])
    assert [design.line for design in found.designs if design.today] == [PAIR]


@pytest.mark.usefixtures("named_alone")
def test_what_runs_now_may_be_rented(trace: Path) -> None:
    found = plan(trace, today=VOLUME, designs=(CHEAP, VOLUME))
    (now,) = (design for design in found.designs if design.today)
    assert (now.line, now.where, now.yours) == (VOLUME, "cloud", True)
    assert now.outcome is not None
    assert len(found.designs) == 2, "a volume that is named twice is judged once"
    said = answer.today(found)
    winner = found.find(found.winner)
    assert said.startswith(f"Today, {now.title}, against the recommended design: $74 a month against $")
    assert f"headroom {number.headroom(now.headroom)} against {number.headroom(winner.headroom)}" in said
    assert said.count("0.20 ms") == 2, "the measured p99 of reads and of writes"


@pytest.mark.usefixtures("named_alone")
def test_whether_the_winner_changes_is_said_of_what_is_bought(trace: Path) -> None:
    assert plan(trace, designs=(PAIR,)).flips
    cloud = plan(trace, where="cloud", designs=(PAIR,))
    assert not cloud.flips, "no volume is searched for again"


def test_what_is_rented_needs_no_bays() -> None:
    found = real_plan.with_rented()
    bought = next(design for design in found.ranked() if design.where == "metal")
    rented = next(design for design in found.ranked() if design.where == "cloud")
    assert "bays" in str(answer.bought(found.model_copy(update={"winner": bought.line})))
    assert answer.bought(found.model_copy(update={"winner": rented.line})) is None
