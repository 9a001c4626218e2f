"""The states of the best designs of a plan: what they leave, how long they last, and that `versus` says the same."""

from pathlib import Path
from unittest import mock

import pytest

import drivecast
import real_plan
from drivecast.catalog import load
from drivecast.document.array_state import ArrayState
from drivecast.document.plan import Design
from drivecast.plan import modelled, search, space
from drivecast.plan.candidate import Options
from drivecast.plan.requirement import Given
from drivecast.quantity.year import MTBF_HOURS_PER_YEAR
from drivecast.stage import rebuild
from drivecast.stage.design import parse
from drivecast.stage.loss import OPERATOR_H


@pytest.fixture(scope="module")
def best() -> Design:
    return real_plan.plan().ranked()[0]


def states(design: Design) -> dict[str, ArrayState]:
    return {state.condition: state for state in design.states or ()}


def test_a_state_lasts_as_often_as_drives_fail(best: Design) -> None:
    assert best.count
    assert best.annual_failure_rate
    assert best.rebuild_h
    for condition, hours in (("degraded", OPERATOR_H), ("rebuilding", best.rebuild_h)):
        share = states(best)[condition].time_share
        expected = best.count * best.annual_failure_rate * hours / MTBF_HOURS_PER_YEAR
        assert share.value == pytest.approx(expected)
        assert share.low <= share.value <= share.high
    assert states(best)["healthy"].time_share is None


def test_with_a_drive_lost_there_is_no_more_headroom_and_reads_are_no_faster(best: Design) -> None:
    healthy = states(best)["healthy"]
    assert healthy.headroom == best.headroom
    assert healthy.read_p99_ns
    assert best.read_p99_ns
    assert healthy.read_p99_ns.value == best.read_p99_ns.value
    for condition in ("degraded", "rebuilding"):
        state = states(best)[condition]
        assert state.headroom <= healthy.headroom
        assert (state.read_p99_ns.value or 0) >= 0.98 * (healthy.read_p99_ns.value or 0)


def test_versus_says_the_same(best: Design) -> None:
    plan = real_plan.plan()
    other = plan.ranked()[1].line
    found = drivecast.versus(
        [best.line, other], str(real_plan.RECORDING), speedup=[1.0], years=5.0, peak_window_s=5.0
    )
    runs = {run.condition: run for run in found.runs if run.design == best.line}
    for condition, state in states(best).items():
        theirs = runs[condition]
        for ours, other_span in (
            (state.read_p99_ns, theirs.read_p99_ns),
            (state.write_p99_ns, theirs.write_p99_ns),
        ):
            assert ours.value == pytest.approx(other_span.value, rel=1e-9), condition


DISKS = parse("raid10(8 * seagate-ironwolf-pro-8tb)", load())


def served(p99_ms: int) -> Design:
    """The disks as a plan with this limit on p99 has them, under a load that keeps them a third busy."""
    limit_ns = p99_ms * 1_000_000
    given = Given(8 * 10**12, limit_ns, limit_ns, years=5.0, growth_per_year=0.0, headroom=1.2)
    with (
        mock.patch.object(space, "ladders", return_value=[(DISKS,)]),
        modelled.played([Path("random(64KiB, read=0.67, rate=270iops)")], 0, 60.0, accepted=False) as of,
    ):
        plan = search.plan(
            of.logs, given, of.over(Options(threads=1, spread=False)), lambda _share, _what: None
        )
    return plan.ranked()[0]


def test_a_rebuild_that_would_miss_the_limits_is_slowed_down_and_takes_longer() -> None:
    slow, fast = served(50), served(1000)
    assert states(fast)["rebuilding"].slowed_to_bytes_per_s is None
    assert states(fast)["rebuilding"].read_p99_ns.value > 50e6
    rates = {rebuild.bytes_per_s(DISKS.drive, share): share for share in rebuild.SHARES[1:]}
    share = rates[states(slow)["rebuilding"].slowed_to_bytes_per_s]
    assert states(slow)["rebuilding"].holds
    assert slow.rebuild_h >= rebuild.idle_h(DISKS.drive, share) > fast.rebuild_h
    assert slow.data_loss.value > fast.data_loss.value
