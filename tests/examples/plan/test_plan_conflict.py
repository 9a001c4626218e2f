"""Requirements that exclude each other: named where nothing fits."""

from dataclasses import replace
from typing import Any

import pytest

import real_plan
from bundled import CATALOG
from drivecast.document.plan import Design as Judged
from drivecast.document.plan import Miss, Plan
from drivecast.plan.bound import Limits, missed, rule_out
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.conflict import excluding, remedies, requirement
from drivecast.plan.load import Stated
from drivecast.plan.requirement import Given, derive
from drivecast.plan.trial import Bench
from drivecast.present import answer
from drivecast.present.conflict_text import conflict
from drivecast.stage.design import parse
from made_up_load import PROFILE


def _limits(**given: Any) -> Limits:
    profile = PROFILE.model_copy(update={"reads": 9})
    return Limits(CATALOG, derive(Given(years=5, **given), profile), profile, include_old=True, trimmed=True)


def _ruled_out(limits: Limits, *lines: str) -> list[Candidate]:
    designs = [parse(line, CATALOG) for line in lines]
    return [Candidate(design, rule_out(design, limits)) for design in designs]


def test_two_requirements_that_no_design_meets_are_named() -> None:
    limits = _limits(budget_usd=900.0, p99_read_ns=10**6)
    flash, disks = "raid1(2 * samsung-pm9a3-1.92tb)", "raid1(2 * seagate-exos-x20-20tb)"
    disks_cheap = "raid1(2 * seagate-exos-15e900-300gb)"
    candidates = _ruled_out(limits, flash, disks, disks_cheap)
    assert candidates[0].misses[0].kind == "budget"
    assert excluding(candidates, [], limits) == ["budget", "p99_read"]


def test_a_requirement_that_no_design_meets_is_named_alone() -> None:
    limits = _limits(budget_usd=1.0)
    candidates = _ruled_out(limits, "samsung-pm9a3-1.92tb", "raid1(2 * seagate-exos-x20-20tb)")
    kinds = {miss.kind for miss in missed(candidates[0].design, limits)}
    assert kinds == {"failures-tolerated", "budget"}, "a design may miss more than the first bound"
    assert excluding(candidates, [], limits) == ["budget"]
    slow = Judged(line="v", title="v", verdict="misses", misses=[Miss(kind="latency", op="read", load=2.0)])
    assert excluding(candidates, [slow], limits) == ["budget", "headroom"]
    assert excluding([], [], limits) == []


@pytest.mark.parametrize(
    ("miss", "name"),
    [
        (Miss(kind="latency", op="write"), "p99_write"),
        (Miss(kind="latency", op="write", load=2.5), "headroom"),
        (Miss(kind="rated-writes"), "years"),
        (Miss(kind="saturated"), "load"),
        (Miss(kind="link"), "load"),
    ],
)
def test_a_miss_belongs_to_a_requirement(miss: Miss, name: str) -> None:
    assert requirement(miss) == name


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["budget"], "No design meets the budget: relax it (`--budget`), or extend the catalog."),
        (
            ["budget", "p99_read"],
            "No design meets both the budget and the limit on p99 of reads: relax one of them"
            " (`--budget`, `--p99-read`).",
        ),
        (
            ["capacity", "load", "power"],
            "No design meets all of the capacity, the load at the measured peak and the limit on power: relax one"
            " of them (`--capacity`, `--power`).",
        ),
    ],
)
def test_what_excludes_each_other_is_said_with_what_to_do(names: list[str], said: str) -> None:
    made = real_plan.document() | {"winner": None, "conflict": names}
    plan = Plan.check(made)
    assert conflict(plan) == said
    assert answer.sentence(plan).startswith(said)


def test_a_remedy_is_what_fits_without_the_requirement() -> None:
    few = ("samsung-pm893-960gb", "samsung-pm9a3-960gb")
    catalog = replace(CATALOG, drives={name: CATALOG.get(name) for name in few})
    needs = derive(Given(years=5, budget_usd=1.0, capacity_bytes=500 * 10**9), PROFILE)
    load = Stated("random(16KiB, read=0.7, rate=500iops)", length_s=1.0)
    limits = Limits(catalog, needs, PROFILE, include_old=False, trimmed=True)
    bench = Bench(catalog, needs, load, 1, trimmed=True)
    (remedy,) = remedies(["budget"], bench, limits, Options())
    assert remedy.requirement == "budget"
    assert remedy.line in {f"raid1(2 * {name})" for name in few}
    assert remedy.cost > 2 * catalog.price_usd(few[0])
    assert not [*remedies(["capacity"], bench, limits, Options())], "less data is no remedy"
