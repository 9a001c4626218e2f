"""How long a rebuild takes in a plan, whether that is of a rebuild under the load, and how often data are lost."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bundled import CATALOG
from drivecast import _core
from drivecast.assess.rating import failure_rate
from drivecast.catalog import load
from drivecast.document.outcome import Outcome, Rebuild
from drivecast.plan import data_loss
from drivecast.plan.bound import Limits, rule_out
from drivecast.plan.data_loss import CLOSED_FORM_SLACK
from drivecast.plan.requirement import Given, derive
from drivecast.plan.risk import _rebuild_h
from drivecast.quantity.interval import Interval
from drivecast.stage import rebuild
from drivecast.stage.design import parse
from drivecast.stage.loss import Service, lose
from drivecast.stage.simulate import Options
from made_up_load import PROFILE

BENCH: Any = SimpleNamespace(
    load=SimpleNamespace(peak=lambda _fill, _times: (None, Options())),
    fill=lambda _design: 1.0,
    catalog=None,
    kept=None,
)


@pytest.mark.parametrize(
    ("line", "whole_s", "under_load"),
    [
        ("raid5(3 * samsung-pm893-480gb)", 36_000.0, True),
        ("raid5(3 * samsung-pm893-480gb)", None, False),
        ("samsung-pm893-480gb", 36_000.0, False),
    ],
)
def test_a_rebuild_says_whether_it_was_under_the_load(
    monkeypatch: pytest.MonkeyPatch, line: str, whole_s: float | None, under_load: bool
) -> None:
    done = Outcome(iops=1.0, rebuild=Rebuild(bytes=1, bytes_per_s=1.0, whole_s=whole_s))
    monkeypatch.setattr(rebuild, "simulate", lambda *_, **__: done)
    design = parse(line, load())
    expected_h = 10.0 if under_load else rebuild.idle_h(design.drive)
    assert _rebuild_h(design, BENCH, rebuild.SHARE) == (expected_h, under_load)


def test_a_rebuild_that_ends_within_a_run_takes_no_longer_in_a_longer_run() -> None:
    catalog = load()
    design = parse("raid1(2 * solidigm-d7-p5620-1.6tb)", catalog)
    light = _core.Workload.line("random(4KiB, read=0.9, rate=2000iops)")
    short, long = (
        rebuild.loaded_h(design, light, catalog, Options(duration_s=seconds, seed=1))
        for seconds in (1.0, 20.0)
    )
    assert long == pytest.approx(short, rel=0.02)


def _closed(line: str, scrub_days: float = 7.0) -> data_loss.Risk:
    needs = derive(Given(years=5, scrub_days=scrub_days), PROFILE)
    design = parse(line, CATALOG)
    return data_loss.closed(design, failure_rate(design.drive), needs)


@pytest.mark.parametrize(
    "line",
    [
        "raid1(2 * samsung-pm9a3-1.92tb)",
        "raid5(4 * samsung-pm9a3-960gb)",
        "raid6(6 * samsung-pm9a3-960gb)",
        "raid10(6 * samsung-pm893-480gb)",
        "raid10(24 * seagate-exos-15e900-300gb)",
        "raid6(12 * seagate-exos-x24-24tb)",
        "raid50(12 * samsung-pm9a3-960gb, groups=3)",
        "raid60(16 * seagate-exos-x24-24tb, groups=2)",
        "raid0(4 * raid1(3 * samsung-pm893-480gb))",
        "raid5(9 * samsung-pm9a3-960gb, spares=1)",
        "raid6(13 * seagate-exos-x24-24tb, spares=1)",
    ],
)
@pytest.mark.parametrize("scrub_days", [7.0, 30.0])
def test_the_closed_form_knows_latent_errors_as_the_simulation_does(line: str, scrub_days: float) -> None:
    design = parse(line, CATALOG)
    service = Service(5, rebuild.idle_h(design.drive), scrub_days, spares=design.spares)
    simulated = lose(design, service, precision=0.05)
    ratio = _closed(line, scrub_days).probability.value / simulated.probability.value
    assert 1 / CLOSED_FORM_SLACK < ratio < CLOSED_FORM_SLACK


def test_data_loss_spans_what_the_sheet_promises_and_what_fleets_saw() -> None:
    monthly = _closed("raid5(4 * samsung-pm9a3-960gb)", 30.0).probability
    assert monthly.high / monthly.low > 100
    weekly = _closed("raid5(4 * samsung-pm9a3-960gb)").probability
    assert 3 < monthly.value / weekly.value < 4.3, "a scrub each week meets latent errors sooner"


def test_a_stated_limit_on_data_loss_is_one_of_every_design() -> None:
    needs = derive(Given(years=5, data_loss=1e-4), PROFILE)
    limits = Limits(CATALOG, needs, PROFILE, include_old=True, trimmed=True)
    lossy = rule_out(parse("raid5(4 * samsung-pm9a3-960gb)", CATALOG), limits)
    assert lossy.kind == "data-loss"
    assert rule_out(parse("raid1(2 * samsung-pm9a3-1.92tb)", CATALOG), limits) is None
    wide = replace(limits, requirements=derive(Given(years=5), PROFILE))
    assert rule_out(parse("raid5(4 * samsung-pm9a3-960gb)", CATALOG), wide) is None


def test_what_no_redundancy_covers_follows_the_failures_of_one_drive() -> None:
    a_year = data_loss.beyond_redundancy(Interval(0.005, 0.01, 0.02), 1.0)
    assert a_year.value == pytest.approx(0.01 * 42 / 40, rel=0.01)
    assert a_year.low < a_year.value < a_year.high
    assert data_loss.beyond_redundancy(Interval(0.0, 0.01, 0.9), 30.0).high <= 1
