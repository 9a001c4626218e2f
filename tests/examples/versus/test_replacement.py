"""Whether a design replaces another: by made-up runs, and by a comparison of which each run is known."""

import pytest

from compared import DISKS, FLASH, found, made
from drivecast import _core
from drivecast.document.array_state import Condition
from drivecast.document.versus import Run
from drivecast.plan.headroom import PRECISION
from drivecast.present import replacement_text as replacing_text
from drivecast.quantity.interval import Span
from drivecast.versus import contest
from drivecast.versus.replacement import replacing

AT = (1.0, 2.0, 5.0)


def run(
    design: str, at: float, p99_ms: float, condition: Condition = "healthy", *, behind: bool = False
) -> Run:
    span = Span(value=p99_ms * 1e6, low=p99_ms * 0.8e6, high=p99_ms * 1.2e6)
    return Run(design=design, condition=condition, at=at, keeps_up=not behind, iops=1.0, read_p99_ns=span)


def reached(mine: dict[float, Run], today_ms: float = 10.0) -> tuple[float | None, float | None]:
    runs = {("a", "healthy", at): mine[at] for at in AT}
    runs |= {("b", "healthy", at): run("b", at, today_ms * at) for at in AT}
    found = replacing("a", "b", runs, "speedup", AT, ["healthy"])  # type: ignore[arg-type]
    (only,) = found.reached
    assert found.holds == (only.at is not None)
    return only.at, only.clear_at


def test_the_largest_load_below_which_all_p99s_are_within_those_of_the_other_at_the_least() -> None:
    assert reached({at: run("a", at, at) for at in AT}) == (5.0, 5.0)
    assert reached({1.0: run("a", 1, 1), 2.0: run("a", 2, 11), 5.0: run("a", 5, 5)}) == (1.0, 1.0)
    assert reached({at: run("a", at, 10.5) for at in AT}) == (None, None)


def test_intervals_that_overlap_are_not_clear() -> None:
    assert reached({at: run("a", at, 9.0) for at in AT}) == (5.0, None)
    assert reached({at: run("a", at, 4 + at) for at in AT}) == (5.0, 2.0)


@pytest.mark.parametrize(
    ("p99_ms", "behind", "undecided"),
    [(10.5, False, True), (14.9, False, True), (15.1, False, False), (9.0, False, False), (11, True, False)],
)
def test_a_p99_that_is_longer_within_the_intervals_leaves_it_undecided_where_it_keeps_up(
    p99_ms: float, behind: bool, undecided: bool
) -> None:
    mine = run("a", 1, p99_ms, behind=behind)
    runs = {("a", "healthy", 1.0): mine, ("b", "healthy", 1.0): run("b", 1, 10)}
    found = replacing("a", "b", runs, "speedup", (1.0,), ["healthy"])  # type: ignore[arg-type]
    assert found.undecided == undecided
    assert found.holds == (p99_ms == 9.0)


def test_what_falls_behind_replaces_nothing_however_fast_it_looks() -> None:
    assert reached({at: run("a", at, 1, behind=at > 1) for at in AT}) == (1.0, 1.0)
    assert reached({at: run("a", at, 1, behind=True) for at in AT}) == (None, None)


def test_writes_count_as_reads_do() -> None:
    slow = run("a", 1, 1).model_copy(update={"write_p99_ns": Span(value=9e6)})
    today = run("b", 1, 2).model_copy(update={"write_p99_ns": Span(value=8e6)})
    runs = {("a", "healthy", 1.0): slow, ("b", "healthy", 1.0): today}
    assert not replacing("a", "b", runs, "speedup", (1.0,), ["healthy"]).holds  # type: ignore[arg-type]


def test_a_design_that_survives_less_replaces_nothing_that_survives_more() -> None:
    runs = {(name, "healthy", 1.0): run(name, 1, 1) for name in "ab"}
    runs |= {
        ("a", "degraded", 1.0): Run(design="a", condition="degraded", at=1, lost=True),
        ("b", "degraded", 1.0): run("b", 1, 1, "degraded"),
    }
    conditions: list[Condition] = ["healthy", "degraded"]
    assert not replacing("a", "b", runs, "speedup", (1.0,), conditions).holds  # type: ignore[arg-type]
    assert replacing("b", "a", runs, "speedup", (1.0,), conditions).holds  # type: ignore[arg-type]


def test_ssds_take_the_place_of_disks_that_fall_behind() -> None:
    (each,) = found().replacements
    assert (each.design, each.other, each.holds) == (FLASH, DISKS, True)
    assert [reached.at for reached in each.reached] == [40.0, 40.0, 40.0]
    behind = found().run(DISKS, "healthy", 40.0)
    assert behind.keeps_up is False
    assert behind.read_p99_ns.high is None, "the latency of what falls behind has no interval"


def test_headroom_is_the_load_up_to_which_a_design_keeps_up() -> None:
    disks = found().contender(DISKS)
    for condition in ("healthy", "degraded", "rebuilding"):
        headroom = disks.carries(condition)
        assert 1 <= headroom.times < 40
        beyond = headroom.times * PRECISION
        run = made(DISKS, FLASH, speedups=(headroom.times, beyond), conditions=(condition,)).runs[0]
        assert run.keeps_up
    degraded, healthy = disks.carries("degraded"), disks.carries("healthy")
    assert (degraded.times or 0) <= (healthy.times or 0)


def test_loads_and_flash_times_share_a_steady_state(monkeypatch: pytest.MonkeyPatch) -> None:
    shelves: list[_core.Kept] = []

    class Core:
        @staticmethod
        def Kept(bytes_max: int) -> _core.Kept:  # noqa: N802 (as the core has it)
            shelves.append(_core.Kept(bytes_max))
            return shelves[-1]

    monkeypatch.setattr(contest, "_core", Core)
    pair = "raid1(2 * samsung-pm893-480gb)"
    made(pair, DISKS, speedups=(1.0, 2.0, 5.0, 10.0), conditions=("healthy", "degraded"))
    # One of each condition, and the rebuild that data loss is worked out with; disks have no state.
    assert [shelf.preconditioned for shelf in shelves] == [2, 1, 0, 0]


def test_either_order_gives_both_answers() -> None:
    turned = made(DISKS, FLASH)
    assert turned.reverse == found().replacements
    assert turned.replacements == found().reverse
    assert not turned.replacements[0].holds
    title, other = (replacing_text.title(turned, turned.replacements[0]), found().contender(FLASH))
    assert title.startswith(replacing_text.brief(turned.contender(DISKS)))
    assert f"{replacing_text.brief(other)} can replace it" in title
