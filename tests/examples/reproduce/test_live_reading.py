"""Live experiments: what is planned, ratios from made-up points, and what is not judged."""

import json
from typing import Any

import pytest

from drivecast.catalog import load
from drivecast.document.attached import Carried, Lateness
from drivecast.document.live_reproduction import LiveReproduction
from drivecast.document.result import Point, Processor, Result, Transactions
from drivecast.present.live_reproduction import text
from drivecast.reproduce.experiment import published
from drivecast.reproduce.live import DEFAULT, LIVE
from drivecast.reproduce.live.scaled_drives import smaller
from drivecast.reproduce.live.study import LiveExperiment, reproduction, unjudged
from drivecast.stage.design import shape
from drivecast.stage.simulate import controller_specs, drive_specs

NAMES = sorted(LIVE)


def carried(late_share: float = 0.01, fault: str | None = None) -> Carried:
    """What a disk did in a made-up run."""
    times = dict.fromkeys(
        ("read_p50_ns", "read_p99_ns", "write_p50_ns", "write_p99_ns", "flush_p50_ns", "flush_p99_ns"), 1e6
    )
    rates = dict.fromkeys(("read_bytes_per_s", "written_bytes_per_s"), 1e6)
    late = Lateness(
        requests=1000,
        late=10,
        mean_ns=1000,
        p50_ns=0,
        p99_ns=50_000,
        p999_ns=1e5,
        max_ns=1e6,
        transport_ns=20_000,
    )
    return Carried(
        design="made up",
        holds="data",
        elapsed_s=20,
        reads_per_s=100,
        writes_per_s=50,
        flushes_per_s=10,
        write_amplification=1.0,
        fault=fault,
        lateness=late,
        late_share=late_share,
        **times,
        **rates,
    )


def made_up(experiment: LiveExperiment, rates: dict[str, float], **wrong: Any) -> Result:
    """A result of an experiment in which every setup has this many transactions in a second of its design.

    `wrong` is what a setup's disk did instead.
    """
    plan = experiment.plan(load(), seed=0)
    setups = {setup.site.name: (name, setup) for name, setup in experiment.setups.items()}
    pools = [tuning.buffer_bytes for tuning in plan.tunings]
    points = []
    for step in plan.steps():
        name, setup = setups[step.site.name]
        per_s = rates[name] * (1 + pools.index(step.tuning.buffer_bytes)) * setup.speed
        points.append(
            Point(
                target=step.site.name,
                settings=plan.settings(step),
                workload=None,
                started="2026-01-01T00:00:00+00:00",
                transactions=Transactions(per_s=per_s, latency_ns={}, seconds=[]),
                processor=Processor(user=0.5, system=0.1, iowait=0.1, steal=0.0),
                devices={"loop0": {"busy": 1.0, "queue_depth_mean": 16.0}},
                attached=[wrong.get(name.replace("-", "_"), carried())],
            )
        )
    return Result(
        kind="database",
        title="made up",
        version="0",
        seed=0,
        plan_hash="",
        command=[],
        started="2026-01-01T00:00:00+00:00",
        environment={},
        targets=[{"name": name, "data_bytes": 10**9} for name in setups],  # type: ignore[list-item]
        points=points,
    )


def read(name: str, rates: dict[str, float], **wrong: Any) -> LiveReproduction:
    """The reproduction of a made-up result."""
    return reproduction([(LIVE[name], made_up(LIVE[name], rates, **wrong))], seed=0)


AS_PUBLISHED = {
    "ssd-raid10": 1230.0,
    "ssd-raid5": 1000.0,
    "ssd-one": 166.0,
    **dict.fromkeys(("sas-eight", "sas-ssd-log"), 100.0),
    "sas-ten": 130.0,
}


@pytest.mark.parametrize("name", NAMES)
def test_every_setup_holds_its_data(name: str) -> None:
    """Designs that cannot be built, or are too small once scaled, are found before an hour is spent."""
    experiment = LIVE[name]
    plan = experiment.plan(load(), seed=0)
    for site in plan.sites:
        for target, need in zip((site.on, site.log_on), plan.need_bytes, strict=True):
            if target is not None:
                usable = shape(target.line, plan.drives()).usable_bytes  # type: ignore[union-attr]
                assert usable > 1.15 * need, str(target)
    for setup in experiment.setups.values():
        assert setup.site.on.speed == setup.speed  # type: ignore[union-attr]
        assert setup.site.log_on is None or setup.site.log_on.speed == setup.speed  # type: ignore[union-attr]
    assert len(plan.steps()) == experiment.points
    assert len({site.name for site in plan.sites}) == len(experiment.setups)


def test_data_and_pool_keep_their_published_shares() -> None:
    mysql, sweep = (LIVE[name].plan(load(), seed=0) for name in DEFAULT)
    assert mysql.tunings[0].buffer_bytes / mysql.load.data_bytes == pytest.approx(1.07 / 23, rel=0.05)
    shares = [tuning.buffer_bytes / sweep.load.data_bytes for tuning in sweep.tunings]
    assert shares == pytest.approx([13 / 250, 0.1, 0.2, 0.3], rel=0.05)


def test_a_scaled_drive_is_the_same_drive_of_less_capacity() -> None:
    design = "raid10(2 * seagate-cheetah-15k5-300gb, controller=iop348-bbu)"
    flash = "intel-x25-e-32gb"
    whole, small = load(), smaller(load(), [design, flash], disks_by=10, flash_by=5, caches_by=20)

    def spec(line: str, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
        first, second = (json.loads(drive_specs(line, catalog)[name]) for catalog in (whole, small))
        return first, second

    disk, less = spec(design, "seagate-cheetah-15k5-300gb")
    changed = {key for key in disk if disk[key] != less[key]}
    assert changed == {"capacity_bytes", "cache_bytes"}
    assert less["capacity_bytes"] == disk["capacity_bytes"] / 10
    assert less["cache_bytes"] == round(disk["cache_bytes"] / 20)
    ssd, fewer = spec(flash, flash)
    assert {key for key in ssd if ssd[key] != fewer[key]} == {"logical_bytes", "physical_bytes"}
    assert ssd["physical_bytes"] / ssd["logical_bytes"] == pytest.approx(
        fewer["physical_bytes"] / fewer["logical_bytes"], rel=1e-3
    )
    caches = [
        json.loads(controller_specs(design, catalog)["iop348-bbu"])["cache"]["bytes"] >> 20
        for catalog in (whole, small)
    ]
    assert caches == [512, 26]
    assert drive_specs("samsung-pm9a3-960gb", small) == drive_specs("samsung-pm9a3-960gb", whole)


def test_published_ratios_come_out_of_points_that_have_them() -> None:
    found = read("x25e-mysql", AS_PUBLISHED)
    assert [row.ratio for row in found.rows] == pytest.approx([1.0, 1.0, 1.0])
    assert all(row.judged and row.within and not row.why for row in found.rows)
    assert found.orderings_judged == found.orderings_right == len(found.orderings)
    assert found.share_within == 1.0
    assert found.passed


@pytest.mark.parametrize(
    ("disk", "why"), [(carried(late_share=0.2), "late"), (carried(fault="two drives failed"), "fault")]
)
def test_a_point_that_was_not_carried_is_shown_and_not_judged(disk: Carried, why: str) -> None:
    slow = AS_PUBLISHED | {"ssd-raid5": 10_000.0}
    found = read("x25e-mysql", slow, ssd_raid5=disk)
    assert {point.setup: point.unjudged for point in found.points if point.unjudged} == {"ssd-raid5": why}
    parity = found.rows[0]
    assert not parity.within
    assert not parity.judged
    assert found.passed, "what is not judged is not counted"
    assert not read("x25e-mysql", slow).passed
    shown = text(found).plain
    assert "not judged" in shown


def test_lateness_is_of_the_waits_for_data_and_log_together() -> None:
    """A log that is late, and hardly waited for, delays no transaction: its waits are a hundredth of the data's."""
    data = carried(late_share=0.001).model_copy(update={"waited_s": 99.0})
    log = carried(late_share=0.1).model_copy(update={"waited_s": 1.0})
    assert unjudged([data, log], 0.5, 1.0) is None
    assert unjudged([carried(late_share=0.1)], 0.5, 1.0) == "late"


def test_busy_processors_count_where_the_disks_had_nothing_to_do() -> None:
    assert unjudged([carried()], 0.95, 0.5) == "processors"
    assert unjudged([carried()], 0.95, 0.99) is None, "others were busy: the server waited for its disks"
    assert unjudged([carried()], 0.5, 0.5) is None


def test_nothing_judged_is_no_success() -> None:
    late = {name.replace("-", "_"): carried(late_share=1.0) for name in AS_PUBLISHED}
    found = read("x25e-mysql", AS_PUBLISHED, **late)
    assert found.share_within is None
    assert not found.passed


def test_the_sweep_has_a_row_for_each_published_pool() -> None:
    found = read("tpcc-pools", {"disks": 100.0, "intel-910": 600.0, "fusionio": 800.0, "flashmax": 900.0})
    paper = published()["percona"]["tpcc"]
    quantities = [row.quantity for row in found.rows]
    assert len(found.points) == 16
    assert not [quantity for quantity in quantities if "flashmax" in quantity.lower()], "not published"
    assert len(found.rows) == len(paper["ratio"]) + len(paper["transactions_1h_fusionio"]) + 3
    assert found.rows[0].published == 7.1
    assert found.rows[0].ours == pytest.approx(6.0)
    assert "Fusion-io over Intel 910, pool of 13 GB" in quantities
    grown = next(row for row in found.rows if row.quantity.startswith("Intel 910, pool of 75 GB"))
    assert grown.ours == pytest.approx(4 / 2), "made up: the n-th pool has n times the rate"
    assert all(ordering.right for ordering in found.orderings)
