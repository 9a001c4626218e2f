"""Fits against what is known: closed forms of exact laws, and devices whose parameters are given."""

import math

import pytest

from drivecast import catalog
from drivecast.compare.fit import drive_file, forward, observation, refine, volume_variants
from drivecast.compare.fit.observation import Observation
from drivecast.compare.fit.variant import Parameter, Target
from drivecast.document import result
from measured_runs import CAPACITY, VOLUME, depths, written


def exact(depth: int, block_bytes: int, median_ns: float) -> Observation:
    line = f"random({block_bytes}, read=1, iodepth={depth})"
    iops = depth / median_ns * 1e9
    figures = {"iops": iops, "read.iops": iops, "bytes_per_s": iops * block_bytes, "read.q0.5": median_ns}
    return Observation("", "t", line, {}, None, 1, 10_000, 1.0, figures)


def test_the_law_of_batches_is_found_exactly():
    """R(N) = B + N (c + k b) + a b has one solution in B, c, k and a."""
    runs = [
        exact(depth, size, 60e3 + depth * (8e3 + 0.4 * size) + 0.1 * size)
        for depth in (1, 4, 16, 64)
        for size in (4096, 65536)
    ]
    assert volume_variants.medians(runs, "read") == pytest.approx((60e3, 8e3, 0.4, 0.1), rel=1e-6)


def test_a_rate_that_no_size_moves_is_a_cap():
    """16,000 requests a second at 4, 8 and 16 KiB; larger ones meet 256 MB/s, at three sizes."""
    runs = []
    for size in (4096, 8192, 16384, 65536, 131072, 262144):
        iops = min(16_000.0, 256e6 / size)
        runs.append(exact(32, size, 32 / iops * 1e9))
    found = {cap.name: cap.start for cap in volume_variants.caps(runs)}
    assert found["caps.iops.per_s"] == pytest.approx(15_906, rel=0.02)
    assert found["caps.bytes.per_s"] == pytest.approx(256e6, rel=0.02)


def test_a_rate_that_falls_with_size_is_no_cap():
    runs = [exact(32, size, 32 * (5e3 + 0.5 * size)) for size in (4096, 16384, 65536, 262144)]
    assert volume_variants.caps(runs) == []


def test_a_known_volume_is_found_again(tmp_path):
    """Search from the closed forms; all that the runs determine lies within a tenth, and most within its interval."""
    path = written(
        tmp_path / "runs.json", depths(VOLUME, (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64), (1.0,), seed=3)
    )
    runs = observation.observations([(path, result.read(path))])
    variant = next(
        variant
        for variant in volume_variants.variants(runs, Target("t", CAPACITY, {}))
        if variant.name == "batches"
    )
    known = catalog.load()

    def made(values):
        return drive_file.spec(
            "t", variant.content(lambda name: {"value": values[name], "fitted": "x"}), known
        )

    simulator = forward.Simulator([forward.play(run, 1) for run in runs], made, CAPACITY)
    found = {
        estimate.parameter.name: estimate
        for estimate in refine.refine(simulator, variant.parameters, lambda *_: None).estimates
    }
    command, lone = found["front.read_command_ns"], found["read.service_ns"]
    assert command.value == pytest.approx(60e3, rel=0.1)
    assert lone.value + found["front.wake_ns"].value == pytest.approx(400e3, rel=0.1)
    assert command.low is not None
    assert command.high is not None
    assert command.low < command.high < 1.5 * command.low


def test_what_no_run_determines_is_assumed(tmp_path):
    """A parameter without effect is left at its default, with the run that would determine it."""
    path = written(tmp_path / "runs.json", depths(VOLUME, (1, 4, 16, 64), (1.0,)))
    runs = observation.observations([(path, result.read(path))])
    idle = Parameter("idle", 1.0, 0.1, 10.0, "", "nothing", "no run", 0.5)
    command = Parameter("command", 50e3, 1e3, 1e6, "ns", "time in line", "depths")

    def made(values):
        return {**VOLUME, "front": {**VOLUME["front"], "read_command_ns": values["command"]}}

    simulator = forward.Simulator([forward.play(run, 1) for run in runs], made, CAPACITY)
    found = {
        estimate.parameter.name: estimate
        for estimate in refine.refine(simulator, [idle, command], lambda *_: None).estimates
    }
    assert (found["idle"].value, found["idle"].low) == (0.5, None)
    assert "no run would" in found["idle"].why
    assert math.isclose(found["command"].value, 60e3, rel_tol=0.05)
