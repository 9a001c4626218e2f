"""SNIA's tests on a simulated drive: steady state and the cliff are found where the simulator has them."""

from dataclasses import replace

import pytest

from bench_engines import SimulatedDrive
from drivecast.bench.pts.procedure import run
from drivecast.bench.pts.pts_run import Tools
from drivecast.bench.pts.purge import Purged
from drivecast.bench.pts.specification import Choice, Plan, planned
from drivecast.catalog import load
from drivecast.document.findings import SteadyPart, SteadyState
from drivecast.document.result import Result
from drivecast.stage.simulate import Options, simulate, workload

SPAN = 256 << 20


def design(spare: float) -> str:
    return f"ssd(logical=256MiB, spare_factor={spare})"


def first_part(plan: Plan, drive: SimulatedDrive) -> SteadyPart:
    """The findings of the first part of a test."""
    place = {"name": "simulated", "kind": "device", "bytes": SPAN}
    begun = Result(
        kind="steady-state", title="", version="", seed=0, plan_hash="", command=[], started="", environment={},
        targets=[place], points=[],
    )  # fmt: skip
    tools = Tools(drive.measure, lambda _target: Purged("none", "a simulated drive begins new"))
    done = run(plan, drive.target, begun, tools, lambda result: result, lambda _share, _what: None)
    assert isinstance(done.findings, SteadyState)
    return done.findings.parts[0]


@pytest.mark.parametrize("spare", [0.1, 0.28])
def test_the_cliff_is_where_all_flash_was_written_once(spare: float) -> None:
    """A new drive writes freely until its flash is full: 1 / (1 − S_f) times its capacity."""
    drive = SimulatedDrive(design(spare), SPAN, state="fresh", history_s=450)
    part = first_part(planned(Choice("saturation", step_s=1), SPAN), drive)
    assert part.cliff.spans == pytest.approx(1 / (1 - spare), rel=0.05)
    assert part.cliff.iops_settled < 0.5 * part.cliff.iops_before


def test_writes_end_steady_at_the_rate_that_the_simulator_is_steady_at() -> None:
    # Four spans are not enough to settle with little spare; the operator may go on.
    drive = SimulatedDrive(design(0.28), SPAN, state="fresh", history_s=450)
    plan = planned(Choice("saturation", step_s=2), 4 * SPAN)
    part = first_part(replace(plan, parts=(replace(plan.parts[0], histogram_s=0),)), drive)
    assert part.reached
    line = workload("random(4KiB, read=0, iodepth=32)")
    steady = simulate(design(0.28), line, load([]), Options(duration_s=60, state="steady"))
    assert part.variables[0].mean == pytest.approx(steady.iops, rel=0.1)


def test_rounds_after_writing_in_order_settle_at_the_steady_rate() -> None:
    """The IOPS test: what was written in order is first fast, then slow, and the window leaves the fast rounds out."""
    drive = SimulatedDrive(design(0.1), SPAN, state="laid-out", history_s=120)
    plan = planned(Choice("iops", quick=True, step_s=4), SPAN)
    part = first_part(plan, drive)
    writes = next(variable for variable in part.variables if variable.name == "0/100 4 KiB")
    assert part.reached
    assert part.window[0] > 1
    assert writes.mean is not None
    assert writes.values[0] > 1.25 * writes.mean
    line = workload("random(4KiB, read=0, iodepth=32)")
    steady = simulate(design(0.1), line, load([]), Options(duration_s=60, state="steady"))
    assert writes.mean == pytest.approx(steady.iops, rel=0.15)
    reads = next(variable for variable in part.variables if variable.name == "100/0 1024 KiB")
    assert reads.range is not None
    assert reads.range < 0.01
