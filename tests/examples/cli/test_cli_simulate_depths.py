"""`simulate` at several queue depths."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from bundled import CATALOG
from drivecast import _core
from drivecast.stage import simulate

Program = Callable[..., Any]
DESIGN = "raid10(4 * ssd(logical=256MiB, pages_per_block=64))"
LOAD = "random(4KiB, read=0.7, iodepth=3)"
DEPTHS = (1, 2, 4, 8, 16)


def test_five_depths_cost_one_preconditioning_and_change_no_byte() -> None:
    load, options = simulate.workload(LOAD), simulate.Options(requests=2_000)
    kept = _core.Kept(simulate.KEPT_BYTES_MAX)
    found = simulate.simulate_depths(DESIGN, load, CATALOG, options, DEPTHS, kept=kept)
    assert kept.preconditioned == 1
    assert [run.iodepth for run in found.runs] == list(DEPTHS)
    for run in (found.runs[0], found.runs[-1]):
        alone = simulate.workload(LOAD.replace("iodepth=3", f"iodepth={run.iodepth}"))
        assert run.outcome == simulate.simulate(DESIGN, alone, CATALOG, options)
    assert found.runs[0].outcome.iops < found.runs[-1].outcome.iops


def test_depths_as_text_json_and_csv(drivecast: Program) -> None:
    command = (
        "simulate",
        "raid1(2 * ssd(logical=128MiB, pages_per_block=64))",
        "-w",
        LOAD,
        "--requests",
        "2000",
    )
    text = drivecast(*command, "--iodepth", "1,4")
    assert text.code == 0, text.err
    assert "depth 1" in text.out
    assert "depth 4" in text.out
    document = json.loads(drivecast(*command, "--iodepth", "1,4", "--output-format", "json").out)
    assert [run["iodepth"] for run in document["runs"]] == [1, 4]
    rows = drivecast(*command, "--iodepth", "1,4", "--output-format", "csv").out.splitlines()
    assert len(rows) == 3
    assert rows[0].startswith("iodepth,")
    alone = json.loads(drivecast(*command, "--iodepth", "4", "--output-format", "json").out)
    assert alone["iops"] == document["runs"][1]["outcome"]["iops"]


@pytest.mark.parametrize("depths", ["0", "1,none", "70000", "1,,2"])
def test_a_depth_that_is_none(drivecast: Program, depths: str) -> None:
    done = drivecast("simulate", "ssd(logical=128MiB)", "-w", LOAD, "--iodepth", depths)
    assert done.code == 2
    assert "--iodepth" in done.err
