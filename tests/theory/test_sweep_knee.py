"""The knee against closed forms and against a simulated drive whose parallelism is known."""

import pytest

from drivecast.bench.sweep.knee import Knee, Step, bounds, knee
from drivecast.catalog import load
from drivecast.stage import simulate

DEPTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


def found(steps: list[Step]) -> Knee:
    at = knee(steps)
    assert at is not None
    return at


@pytest.mark.parametrize(("servers", "service_s"), [(1, 8e-3), (4, 5e-3), (32, 1e-4)])
def test_servers_without_chance_have_their_number_as_the_knee(servers: int, service_s: float) -> None:
    at = found([Step(depth, min(depth, servers) / service_s) for depth in DEPTHS])
    assert at.depth == pytest.approx(servers)
    assert at.round_ns == pytest.approx(service_s * 1e9)
    assert at.reached
    assert at.depth_enough == servers


@pytest.mark.parametrize("stations", [2, 8])
def test_a_balanced_closed_network_has_its_stations_as_the_knee(stations: int) -> None:
    """Mean value analysis: X(N) = N / (N + M − 1) · 1/s, so that X_max · R tends to M stations."""
    service_s = 1e-4
    steps = [Step(depth, depth / (depth + stations - 1) / service_s) for depth in DEPTHS]
    at = found(steps)
    assert at.depth == pytest.approx(stations, rel=0.05)
    assert at.depth < stations, "a finite depth never carries all"
    for step in steps:
        assert step.iops <= bounds(at, step.depth) * (1 + 1e-9)


@pytest.mark.parametrize("dies", [4, 16])
def test_a_simulated_drive_has_its_dies_as_the_knee(dies: int) -> None:
    design = (
        f"ssd(logical=1GiB, physical=1.25GiB, channels=1, dies_per_channel={dies}, read=500us, read_overhead=0ns, "
        "read_command=0ns, channel_throughput=100GB/s, link_throughput=100GB/s, queue_depth=1024)"
    )
    steps = []
    for depth in (1, 4, 16, 64, 256):
        line = simulate.workload(f"random(4KiB, read=1, iodepth={depth})")
        outcome = simulate.simulate(design, line, load(), simulate.Options(requests=4000, state="laid-out"))
        steps.append(Step(depth, outcome.iops))
    at = found(steps)
    assert at.reached
    assert at.depth == pytest.approx(dies, rel=0.12)
