"""Profiles of public traces, which are not part of the project: `DRIVECAST_CORPUS` names the folder that has them.

The counts are those published with the traces or counted by other programs; the miss ratios of caches are recounted
here by a cache of one size, written plainly.
"""

import os
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from conftest import Run
from drivecast import _core

CORPUS = os.environ.get("DRIVECAST_CORPUS")
pytestmark = pytest.mark.needs("corpus")


def profile(drivecast: Callable[..., Run], path: str, *options: str) -> Any:
    run = drivecast("profile", Path(CORPUS or "") / "traces" / path, *options, "--output-format", "json")
    assert run.code == 0, run.err
    return run.json


def misses(path: Path, size_blocks: int) -> tuple[float, float]:
    """Miss ratios of an LRU cache by block and by request."""
    cache: OrderedDict[int, None] = OrderedDict()
    blocks = missed_blocks = requests = missed_requests = 0
    rows = pl.DataFrame(_core.read([str(path)], None)).filter(pl.col("size_bytes") > 0)
    for offset, size in rows.select("offset_bytes", "size_bytes").iter_rows():
        missed = 0
        for block in range(offset // 4096, (offset + size - 1) // 4096 + 1):
            missed += block not in cache
            cache[block] = None
            cache.move_to_end(block)
            if len(cache) > size_blocks:
                cache.popitem(last=False)
            blocks += 1
        requests += 1
        missed_blocks += missed
        missed_requests += missed > 0
    return missed_blocks / blocks, missed_requests / requests


def test_cloudphysics(drivecast: Callable[..., Run]) -> None:
    found = profile(drivecast, "cloudphysics/cloudPhysicsIO.vscsi")
    assert found["requests"] == 113_872
    assert 1 - found["read_fraction"] == pytest.approx(0.5875, abs=5e-5)
    assert found["block_size_mean_bytes"] / 1024 == pytest.approx(36.07, abs=0.005)
    assert found["working_set_bytes"] / 1e6 == pytest.approx(1102.7, abs=0.05)
    assert found["duration_s"] == pytest.approx(7200.09, abs=0.005)
    assert found["sequential_fraction"] == pytest.approx(0.2596, abs=5e-5)
    assert found["followed"]["rate"] == 1
    assert found["followed"]["working_set_bytes"] == found["working_set_bytes"]
    assert found["working_set_growth"][-1]["touched_bytes"] == found["working_set_bytes"]
    path = Path(CORPUS or "") / "traces/cloudphysics/cloudPhysicsIO.vscsi"
    curves = {(row["cache"], row["of"], row["by"]): row["points"] for row in found["miss_ratio_curves"]}
    for size_blocks in (4096, 65_536, 196_608):
        by_block, by_request = misses(path, size_blocks)
        for by, expected in (("block", by_block), ("request", by_request)):
            points = {row["size_bytes"]: row["miss_ratio"] for row in curves["all", "all", by]}
            assert points[size_blocks * 4096] == pytest.approx(expected, abs=1e-9)


def test_hadoop(drivecast: Callable[..., Run]) -> None:
    found = profile(drivecast, "hadoop/eternity10.blktrace.tar.xz", "--event", "Q")
    assert found["block_size_mean_bytes"] / 1024 == pytest.approx(289.5, abs=0.05)
    assert found["writes"] / found["requests"] == pytest.approx(0.0139, abs=5e-5)
    assert found["duration_s"] == pytest.approx(169.3, abs=0.05)
    # 39 GB are read, more than is followed whole: what the sample stands for must meet what was counted.
    assert found["followed"]["rate"] < 1
    assert found["provenance"]["miss_ratio_curves"] == "derived"
    assert found["followed"]["working_set_bytes"] == pytest.approx(found["working_set_bytes"], rel=0.01)


def test_arc_oltp(drivecast: Callable[..., Run]) -> None:
    found = profile(drivecast, "arc/OLTP.lis.zst")
    assert found["working_set_bytes"] == 186_880 * 4096
    curve = next(
        c for c in found["miss_ratio_curves"] if (c["cache"], c["of"], c["by"]) == ("all", "all", "block")
    )
    assert curve["accesses"] == 914_145
    # Published at sizes between those that a profile tells; the ratio falls from one to the next.
    for pages, published in (
        (1000, 0.6717),
        (2000, 0.5753),
        (5000, 0.4635),
        (10_000, 0.3930),
        (15_000, 0.3537),
    ):
        above = next(p["miss_ratio"] for p in reversed(curve["points"]) if p["size_bytes"] <= pages * 4096)
        below = next(p["miss_ratio"] for p in curve["points"] if p["size_bytes"] >= pages * 4096)
        assert below - 5e-5 <= published <= above + 5e-5
        assert above - below < 0.05
