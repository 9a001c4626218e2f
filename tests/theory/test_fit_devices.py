"""A disk fitted to a simulated one: what is behind the runs is known."""

from collections.abc import Sequence

import pytest

from bundled import CATALOG
from drivecast.catalog import device_spec
from drivecast.compare.fit import disk_variants, forward, hold_out
from drivecast.compare.fit import fit as fitting
from drivecast.compare.fit.observation import Observation
from drivecast.compare.fit.variant import Target


def measured(spec: forward.Spec, capacity: int, lines: Sequence[str], requests: int) -> list[Observation]:
    """Runs of the device, as if they had been measured."""
    found = []
    for line in lines:
        blank = Observation("", "t", line, {}, None, 1, requests, 10.0, {"iops": 1.0})
        figures = forward.figures(spec, capacity, forward.Play(blank, requests, "laid-out", 99))
        found.append(Observation("", "t", line, {}, None, 1, requests, 10.0, figures))
    return found


def test_a_disk_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The speed of two exactly, the mean seek nearly: a lone read's median gives it once half a turn is known.

    A thousand requests of each run suffice for that.
    """
    monkeypatch.setattr(forward, "REQUESTS_MIN", 1000)
    monkeypatch.setattr(forward, "REQUESTS_MAX", 1000)
    spec = dict(device_spec(CATALOG.get("seagate-exos-x20-20tb")))
    capacity = spec["capacity_bytes"]
    lines = [f"random(4096, read=1, iodepth={depth})" for depth in (1, 2, 4, 8, 16, 32)]
    runs = measured(spec, capacity, [*lines, "sequential(131072, read=1, iodepth=4)"], 1000)
    split = hold_out.split(runs, [], [])
    target = Target("t", capacity, {})
    usual = [
        variant
        for variant in disk_variants.variants(split.fitted, target)
        if variant.name in ("7200 rpm", "10000 rpm")
    ]
    found = fitting.fit("again", ("disk", "it is"), usual, split, target, CATALOG, 1, lambda *_: None)
    assert found.variant == f"{spec['rpm']:.0f} rpm"
    seek = next(known for known in found.parameters if known.name == "disk.seek_mean_ms")
    assert seek.value == pytest.approx(spec["seek"]["mean_ns"] / 1e6, rel=0.05)
    errors = {error.quantity: error for error in found.errors}
    assert errors["read.q0.5"].error_max < 0.1
    assert errors["iops"].error_max < 0.1
