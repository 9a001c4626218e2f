"""How long a rebuild takes in a plan, and whether that is of a rebuild under the load."""

from types import SimpleNamespace
from typing import Any

import pytest

from drivecast.catalog import load
from drivecast.document.outcome import Outcome, Rebuild
from drivecast.plan.risk import _rebuild_h
from drivecast.stage import rebuild
from drivecast.stage.design import parse
from drivecast.stage.simulate import Options

BENCH: Any = SimpleNamespace(
    load=SimpleNamespace(peak=lambda _fill, _times: (None, Options())), fill=lambda _design: 1.0, catalog=None
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
    monkeypatch.setattr(rebuild, "simulate", lambda *_: done)
    design = parse(line, load())
    expected_h = 10.0 if under_load else rebuild.idle_h(design.drive)
    assert _rebuild_h(design, BENCH) == (expected_h, under_load)
