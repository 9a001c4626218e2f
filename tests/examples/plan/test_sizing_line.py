"""A workload line in place of a log: what is planned for is what the line says."""

from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

import real_plan
from conftest import Run
from drivecast.document.outcome import Outcome
from drivecast.document.plan import Plan
from drivecast.errors import InputError
from drivecast.plan import modelled, search, sizing_line, space
from drivecast.plan.candidate import Options
from drivecast.plan.requirement import Given
from drivecast.present import answer
from drivecast.stage import trace

MIX = "random(3 * 16KiB[read=0.8], 4KiB[read=0], rate=8000iops)"


def test_counters_say_what_the_line_says(tmp_path: Path) -> None:
    log = sizing_line.write_log(MIX, tmp_path, 0)
    found = trace.profile([log])
    window = found.peak_window
    assert found.duration_s == 3600
    assert found.iops_mean == pytest.approx(8000, rel=1e-6)
    assert found.read_fraction == pytest.approx(0.6, rel=0.01)
    assert found.bytes_read / found.reads == pytest.approx(16384, rel=1e-6)
    assert found.bytes_written / found.writes == pytest.approx((0.15 * 16384 + 0.25 * 4096) / 0.4, rel=0.01)
    assert window.iops_mean == pytest.approx(found.iops_mean)
    assert trace.log_name([log]) == MIX


def test_equal_lines_give_equal_logs(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    first, second = (sizing_line.write_log(MIX, place, 7) for place in (tmp_path, tmp_path / "other"))
    assert first.read_bytes() == second.read_bytes()


def planned(line: str, capacity_bytes: int, options: Options) -> Plan:
    """A plan for a line, over few designs."""
    with (
        mock.patch.object(space, "ladders", real_plan.few),
        modelled.played([Path(line)], 0, 60.0, accepted=False) as of,
    ):
        given = Given(capacity_bytes=capacity_bytes)
        return search.plan(of.logs, given, of.over(options), lambda _share, _what: None)


LINE = "random(4KiB, read=0, rate=200iops)"
STORED_BYTES = 2_000_000_000
VOLATILE, PROTECTED = PAIRS = ("raid1(2 * intel-x25-m-g2-160gb)", "raid1(2 * samsung-pm893-480gb)")


@pytest.fixture(scope="module")
def found() -> Plan:
    return planned(LINE, STORED_BYTES, Options(threads=1, designs=PAIRS))


def test_a_line_is_planned_for(found: Plan) -> None:
    assert found.workload.source == "line"
    assert found.workload.profile.working_set_bytes == STORED_BYTES, "2.9 GB are written over it"
    assert answer.sentence(found).startswith("At the stated load")
    assert found.workload.name == LINE
    assert found.workload.profile.iops_mean == pytest.approx(200)
    assert found.workload.profile.read_fraction == 0
    winner = found.find(found.winner)
    assert winner.level == "raid1"


def played(found: Plan, line: str) -> Outcome:
    """What was played on a design of a plan."""
    design = found.find(line)
    assert design.outcome is not None
    return design.outcome


def test_durable_writes_wait_for_flash_without_power_loss_protection(found: Plan) -> None:
    durable = planned(LINE, STORED_BYTES, Options(threads=1, designs=PAIRS, fsync_rate=100.0))
    p99s = [played(of, pair).latency("write", "q0.99") or 0 for pair in PAIRS for of in (found, durable)]
    assert p99s[1] > 5 * p99s[0] > 0
    assert p99s[3] == p99s[2]
    assert played(found, VOLATILE).write_cache is None
    assert played(durable, VOLATILE).write_cache == "volatile"
    assert played(durable, PROTECTED).write_cache is None


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("zipf(4KiB, theta=0.8, rate=100iops)", "versus"),
        ("sequential(128KiB, rate=100iops)", "versus"),
        ("random(4KiB, iodepth=8)", "rate="),
        ("random(4KiB, read=0, rate=100iops, fua=0.5)", "--fsync-rate"),
        ("random(4KiB, rate=4000iop)", ""),
    ],
)
def test_what_counters_cannot_say_is_refused(line: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        sizing_line.write_log(line, tmp_path, 0)
    assert hint in (getattr(refused.value, "hint", None) or "")
    assert not [*tmp_path.iterdir()]


def test_the_verb_refuses_it(drivecast: Callable[..., Run]) -> None:
    assert drivecast("plan", "random(4KiB, iodepth=8)", "--capacity", "200GB").code == 2
