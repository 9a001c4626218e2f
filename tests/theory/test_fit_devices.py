"""A disk and a solid-state drive fitted to simulated ones: what is behind the runs is known."""

from collections.abc import Sequence

import pytest

from drivecast import catalog
from drivecast.catalog import device_spec
from drivecast.compare.fit import disk, forward, hold_out, ssd
from drivecast.compare.fit import fit as course
from drivecast.compare.fit.kind import Target, Variant
from drivecast.compare.fit.observation import Observation

KNOWN = catalog.load()


def measured(spec: forward.Spec, capacity: int, lines: Sequence[str], requests: int) -> list[Observation]:
    """Runs of the device, as if they had been measured."""
    found = []
    for line in lines:
        blank = Observation("", "t", line, {}, None, 1, requests, 10.0, {"iops": 1.0})
        figures = forward.figures(spec, capacity, forward.Play(blank, requests, "laid-out", 99))
        found.append(Observation("", "t", line, {}, None, 1, requests, 10.0, figures))
    return found


def fitted(kind: str, runs: list[Observation], found: list[Variant], capacity: int) -> course.Fit:
    split = hold_out.split(runs, [], [])
    target = Target("t", capacity, {})
    return course.fit("again", (kind, "it is"), found, split, target, KNOWN, 1, lambda *_: None)


def test_a_disk_is_found_again():
    """The speed exactly; the mean seek, which a lone read's median tells, and the controller's time nearly."""
    spec = dict(device_spec(KNOWN.get("seagate-exos-x20-20tb")))
    capacity = spec["capacity_bytes"]
    lines = [f"random(4096, read={mix}, iodepth={depth})" for depth in (1, 2, 4, 16) for mix in (1, 0.7, 0)]
    runs = measured(spec, capacity, [*lines, "sequential(131072, read=1, iodepth=4)"], 4000)
    told = hold_out.split(runs, [], []).fitted
    found = fitted("disk", runs, disk.variants(told, Target("t", capacity, {})), capacity)
    assert found.variant == f"{spec['rpm']:.0f} rpm"
    seek = next(one for one in found.refined.estimates if one.parameter.name == "disk.seek_mean_ms")
    assert seek.value == pytest.approx(spec["seek"]["mean_ns"] / 1e6, rel=0.05)
    errors = {one.quantity: one for one in found.errors}
    assert errors["read.q0.5"].worst < 0.1
    assert errors["iops"].worst < 0.1


def test_the_medians_of_a_solid_state_drive_are_found_again():
    """Medians and rates; tails of mixes at depth are not (docs/explanation/fit.md)."""
    spec = dict(device_spec(KNOWN.get("micron-7450-pro-960gb")))
    capacity = spec["logical_bytes"]
    lines = [f"random(4096, read={mix}, iodepth={depth})" for depth in (1, 4, 16, 64) for mix in (1, 0.7, 0)]
    more = [f"random(65536, read={mix}, iodepth=16)" for mix in (1, 0)]
    runs = measured(spec, capacity, [*lines, *more], 10_000)
    told = hold_out.split(runs, [], []).fitted
    found = fitted("ssd", runs, ssd.variants(told, Target("t", capacity, {})), capacity)
    errors = {one.quantity: one for one in found.errors}
    assert errors["iops"].median < 0.1
    assert errors["read.q0.5"].median < 0.1
