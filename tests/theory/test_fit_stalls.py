"""Stalls of a volume, from far tails: exactly from exact counts, nearly from runs of a volume that has them."""

import math
from collections.abc import Sequence
from itertools import product
from statistics import NormalDist
from typing import Any

import pytest

from drivecast.compare.fit import stall
from drivecast.compare.fit.observation import Observation, bins_of, figures_of
from measured_runs import VOLUME, outcome

NORMAL = NormalDist()


def observed(depth: int, time_s: float, median_ns: float, bins: list[tuple[float, float]]) -> Observation:
    line = f"random(4096, read=1, iodepth={depth})"
    figures = {"iops": depth / median_ns * 1e9, "read.q0.5": median_ns}
    return Observation("", "t", line, {}, None, 1, 10_000, time_s, figures, bins={"read": bins})


def stalled(depth: int, per_s: float, length_ns: float, sigma: float) -> Observation:
    """An hour whose tail is made of stalls alone, each of which hits all that is outstanding."""
    median_ns, time_s = depth * 10e3, 3600.0
    bins = []
    for low, high in zip(stall.EDGES_NS, stall.EDGES_NS[1:], strict=False):
        share = NORMAL.cdf(math.log(high / length_ns) / sigma) - NORMAL.cdf(math.log(low / length_ns) / sigma)
        bins.append((median_ns + math.sqrt(low * high), depth * time_s * per_s * share))
    return observed(depth, time_s, median_ns, bins)


def test_exact_counts_give_the_stalls_exactly():
    runs = [stalled(depth, 20.0, 2e6, 0.8) for depth in (1, 2, 4, 8, 16)]
    every, length, sigma = stall.stalls(runs)
    assert every.value == pytest.approx(1e9 / 20, rel=0.01)
    assert length.value == pytest.approx(2e6, rel=0.01)
    assert sigma.value == pytest.approx(0.8, rel=0.01)


def played(spec: dict[str, Any], mixes: Sequence[float]) -> list[Observation]:
    runs = []
    for seed, (mix, depth) in enumerate(product(mixes, (1, 2, 4, 8, 16, 32))):
        line = f"random(4KiB, read={mix:g}, iodepth={depth})"
        done = outcome(spec, line, seed, requests=200_000)
        figures, bins = figures_of(done), bins_of([done])
        runs.append(Observation("", "t", line, {}, None, 1, 200_000, done.duration_s, figures, bins=bins))
    return runs


FRONT = {**VOLUME["front"], "wake_ns": 5e3, "read_command_ns": 9e3}
QUICK = {**VOLUME, "front": FRONT, "read": {"service_ns": 50e3, "sigma": 0.2}}


@pytest.mark.parametrize(
    ("every_ns", "stall_ns", "sigma"), [(80e6, 3e6, 0.5), (30e6, 1e6, 1.0), (30e6, 1e6, 0.1)]
)
def test_runs_of_a_volume_that_stalls_show_its_stalls(every_ns: float, stall_ns: float, sigma: float):
    """Six runs of 200,000 requests meet hundreds of stalls: a fifth is twice what chance does to their number."""
    stalls = {"every_ns": every_ns, "stall_ns": stall_ns, "sigma": sigma}
    found = {
        estimate.parameter.name: estimate
        for estimate in stall.stalls(played({**QUICK, "stalls": stalls}, (1.0,)))
    }
    for name, truth in stalls.items():
        estimate = found[f"stalls.{name}"]
        assert estimate.value == pytest.approx(truth, rel=0.2), name
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low / 1.05 < truth < estimate.high * 1.05, name


def test_requests_that_hold_up_all_are_separated_from_stalls_in_time():
    held = {"read_tail_probability": 4e-4, "tail_ns": 2e6, "tail_sigma": 0.4}
    spec = {**QUICK, "front": {**FRONT, **held}, "write": QUICK["read"]}
    found = {
        estimate.parameter.name: estimate.value for estimate in stall.stalls(played(spec, (1.0, 0.5, 0.0)))
    }
    assert "stalls.every_ns" not in found
    for name, truth in held.items():
        assert found[f"front.{name}"] == pytest.approx(truth, rel=0.2), name
    assert found["front.write_tail_probability"] < 4e-5


def test_stalls_in_time_and_by_requests_are_separated():
    """Short ones follow time, long ones reads; half as many of either would show."""
    held = {"read_tail_probability": 4e-4, "tail_ns": 3e6, "tail_sigma": 0.4}
    stalls = {"every_ns": 15e6, "stall_ns": 0.4e6, "sigma": 0.3}
    spec = {**QUICK, "front": {**FRONT, **held}, "write": QUICK["read"], "stalls": stalls}
    found = {
        estimate.parameter.name: estimate.value for estimate in stall.stalls(played(spec, (1.0, 0.5, 0.0)))
    }
    for name, truth in [*((f"front.{key}", value) for key, value in held.items()), *stalls.items()]:
        value = found[name if name.startswith("front.") else f"stalls.{name}"]
        assert value == pytest.approx(truth, rel=0.3), name


def test_even_runs_show_no_stalls():
    runs = [
        observed(depth, 10.0, depth * 10e3, [(depth * 12e3, 1e5), (depth * 39e3, 1e3)])
        for depth in (1, 2, 4, 8)
    ]
    assert stall.stalls(runs) == ()
