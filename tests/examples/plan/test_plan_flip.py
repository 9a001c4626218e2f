"""Whether the winner changes with what nobody measured: a small real plan, and what a scenario simulates again."""

from dataclasses import replace
from typing import Any
from unittest import mock

import pytest

import real_plan
from bundled import CATALOG
from drivecast.document.outcome import Outcome
from drivecast.document.plan import Plan
from drivecast.plan import trial
from drivecast.plan.requirement import Given, derive
from drivecast.plan.trial import Bench
from drivecast.present import scenarios
from drivecast.quantity import number
from drivecast.stage.design import parse
from drivecast.stage.simulate import Options
from made_up_load import PEAK, PROFILE


def _plan() -> Plan:
    return Plan.check(real_plan.document())


def test_each_assumption_is_moved_once_and_the_winner_of_each_is_named() -> None:
    plan = _plan()
    assert [(flip.input, flip.value) for flip in plan.flips] == [
        ("growth", "0 %/y"),
        ("growth", "10 %/y"),
        ("growth", "40 %/y"),
        ("prices", "low"),
        ("prices", "high"),
        ("peak", "2"),
        ("hours a day", "12 h"),
        ("limits on p99", "halved"),
        ("seed", "1"),
    ]
    winner = plan.find(plan.winner)
    bought = (winner.cost.purchase or 0.0) - (winner.cost.hosting or 0.0)
    for flip in plan.flips:
        assert flip.changed == (flip.winner != plan.winner)
        if flip.misses:
            assert flip.changed, "a winner that no longer fits is replaced"
            assert flip.regret == pytest.approx(bought)
        else:
            assert 0 <= (flip.regret or 0.0) < bought
    worst = max(plan.flips, key=lambda flip: flip.regret or 0.0)
    (said,) = (change.then for change in scenarios.changes(plan) if change.when == "at worst")
    assert number.money(worst.regret or 0.0) in said


def test_what_nothing_simulates_takes_the_runs_from_before() -> None:
    runs: list[str] = []

    def simulate(line: str, *_: Any, **__: Any) -> Outcome:
        runs.append(line)
        return PEAK

    load: Any = mock.Mock()
    load.peak.return_value = (None, Options())
    bench = Bench(CATALOG, derive(Given(years=5), PROFILE), load, seed=0, trimmed=True)
    design = parse("raid1(2 * samsung-pm9a3-1.92tb)", CATALOG)
    with mock.patch.object(trial, "simulate", simulate):
        bench.run(design)
        needs = replace(bench.requirements, hours_per_day=12.0)
        other = replace(bench, requirements=needs)
        other.run(design)
        assert len(runs) == 1, "hours change nothing that is simulated"
        replace(bench, seed=1).run(design)
        replace(bench, times=2.0).run(design)
        bench.run(design, 2.0)
        assert len(runs) == 3, "another seed, and twice the load, once"
