"""What other settings of a running cache would do: the cache as a design line, and the trace on it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import cache_samples as samples
from agreed import agreed_refusals
from cache_verb import Shown
from conftest import Run
from drivecast import _core
from drivecast.caching import explanation, running_design, sample_period, source_file
from drivecast.catalog import load
from drivecast.stage.simulate import drive_specs

BACKING = "raid10(8 * seagate-exos-x20-20tb)"
LINES = {
    "flashcache": "policy=flashcache, size=85899345920, block=4KiB, mode=writeback, assoc=512, skip_seq_thresh_kb=0",
    "bcache": "policy=bcache, size=240006463488, mode=writeback, sequential_cutoff=4194304, writeback_percent=10",
    "open-cas": "policy=opencas, size=4096000000, mode=wb, promotion=always, cleaning=alru",
    "dm-cache": "policy=dm-cache, size=114085068800, block=65536, mode=writeback, migration_threshold=2048",
    "dm-writecache": "policy=dm-writecache, size=16384000000, block=4096, high_watermark=60, low_watermark=55",
}


def running(tmp_path: Path, text: str) -> running_design.RunningDesign:
    (tmp_path / "now.txt").write_text(text)
    period = sample_period.of_one(
        source_file.read(tmp_path / "now.txt", None), sample_period.Given(None, None, None)
    )
    status = explanation.explain(period, explanation.Known())
    return running_design.of(status, period.last, "samsung-pm9a3-960gb", BACKING)


@pytest.mark.parametrize("kind", LINES)
def test_a_running_cache_is_a_design_that_can_be(tmp_path: Path, kind: str) -> None:
    design = running(tmp_path, samples.WHOLE[kind])
    assert design.line == f"cache(fast=samsung-pm9a3-960gb, slow={BACKING}, {LINES[kind]})"
    catalog = load([])
    tried = [design.changed(name, value) for name, value in running_design.usual(design)]
    lines = [changed.line for changed in tried]
    assert len({*lines} - {design.line}) == len(lines) >= 3
    for line in [design.line, *lines]:
        assert _core.design_shape(line, drive_specs(line, catalog))


def test_what_is_no_design_is_said(tmp_path: Path) -> None:
    texts = (samples.WHOLE["zfs-arc"], samples.WHOLE["cachelib-navy"], samples.flashcache())
    tries = [partial(running, tmp_path, text) for text in texts]
    agreed_refusals("cache-designs.txt", tries, {str(tmp_path): "FOLDER"})


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Four MiB in turn, read and written: half of them fit in a cache of two."""
    path = tmp_path / "trace.csv"
    rows = (
        f"{at * 1_000_000},{('read', 'write')[at % 3 == 0]},{at % 1000 * 4096},4096,0," for at in range(3000)
    )
    path.write_text("time_ns,op,offset_bytes,size_bytes,stream,latency_ns\n" + "\n".join(rows) + "\n")
    return path


def test_a_smaller_cache_misses_more_of_the_trace(tmp_path: Path, trace: Path) -> None:
    found = Shown(tmp_path).json(
        samples.flashcache_table() + samples.flashcache(),
        options=(
            *(
                "--trace",
                str(trace),
                "--drive",
                "samsung-pm893-480gb",
                "--backing",
                "seagate-exos-15e900-300gb",
            ),
            *("--try", "size=3MiB", "--try", "dirty_thresh_pct=80"),
        ),
    )
    rows = found["what_if"]["rows"]
    assert [row["setting"] for row in rows] == [None, "size", "dirty_thresh_pct"]
    assert rows[0]["read_hit_ratio"] > 0.99
    assert rows[1]["read_hit_ratio"] < 0.9
    assert rows[1]["life_years_rated_writes"] < rows[0]["life_years_rated_writes"]
    assert "dirty_thresh_pct=80" in rows[2]["design"]
    assert rows[2]["read_hit_ratio"] == pytest.approx(rows[0]["read_hit_ratio"], abs=0.02)  # busy blocks
    assert rows[2]["dirty_bytes"] != rows[0]["dirty_bytes"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--try", "size=1GiB"), "name a recording of the load with `--trace`"),
        (("--trace", "TRACE"), "--trace needs both devices"),
        (("--trace", "TRACE", "--drive", "samsung-pm893-480gb"), "--trace needs both devices"),
        (
            ("--trace", "TRACE", "--drive", "samsung-pm893-480gb", "--backing", BACKING, "--try", "80"),
            "expected a setting such as `dirty_thresh_pct=50`, found `80`",
        ),
        (
            ("--trace", "TRACE", "--drive", "samsung-pm893-480gb", "--backing", BACKING, "--try", "dirty=80"),
            "unknown option `dirty`",
        ),
    ],
)
def test_what_cannot_be_tried_is_refused(
    drivecast: Callable[..., Run], tmp_path: Path, trace: Path, options: tuple[str, ...], message: str
) -> None:
    (tmp_path / "now.txt").write_text(samples.WHOLE["flashcache"])
    words = [str(trace) if word == "TRACE" else word for word in options]
    run = drivecast("cache", "status", tmp_path / "now.txt", *words)
    assert run.code == 2
    assert message in run.err


def test_settings_of_dirty_data_are_tried_only_where_some_may_be() -> None:
    """Without a mode that a design takes (OpenCAS's `pt`), the program's own counts: OpenCAS writes through."""
    tried = {
        mode: {
            name
            for name, _ in running_design.usual(
                running_design.RunningDesign(
                    "fast", "slow", {"policy": "opencas", "size": "4096", **mode_given}
                )
            )
        }
        for mode, mode_given in (("none", {}), ("wb", {"mode": "wb"}), ("wt", {"mode": "wt"}))
    }
    assert tried["wb"] == {"size", "promotion", "cleaning"}
    assert tried["none"] == tried["wt"] == {"size", "promotion"}
