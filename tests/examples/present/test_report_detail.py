"""The figures of a profile's details: each has what it says on its axes, and files are whole."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Run
from drivecast.document.profile import Profile
from drivecast.present import drawing, style
from drivecast.present.figure import detail
from drivecast.stage import trace

TITLES = {
    "miss-ratio": {"size of the cache (MiB)", "share that misses (%)"},
    "working-set": {"time (s)", "distinct data so far (GB)"},
    "popularity": {"of the footprint, the most accessed", "share of the accesses (%)"},
    "reuse-distance": {
        "distinct data accessed since the block was last (MiB)",
        "share of the block accesses (%)",
    },
    "succession": {"time since the last access of the block (s)", "share of the accesses of the kind (%)"},
    "update-interval": {"time to the next write of the block (s)", "share (%)"},
    "update-distance": {"bytes written until the next write of the block (MiB)", "share (%)"},
    "writes-per-block": {"writes of a block, fewer than", "share of the written blocks (%)"},
    "run-length": {"bytes of a sequential run (KiB)", "share of the runs (%)"},
    "interleave": {"run continued, 1 the latest", "share of the requests (%)"},
    "seek-distance": {"distance of a jump (MiB)", "share of the jumps (%)"},
    "alignment": {"multiples of", "share of reads or writes (%)"},
    "dispersion": {"time scale (s)", "variance / mean of requests"},
    "streams": {"stream", "requests"},
    "response": {"read size, up to", "write size, up to", "requests outstanding, up to"},
}


@pytest.fixture(scope="module")
def checked(recording: Path) -> Profile:
    return trace.profile([recording])


def titles(value: Any) -> set[str]:
    """The titles of all axes of a chart."""
    if isinstance(value, list):
        return set().union(*map(titles, value))
    if not isinstance(value, dict):
        return set()
    axes = [value.get("encoding", {}).get(axis, {}).get("title") for axis in ("x", "y")]
    return {title for title in axes if title}.union(*map(titles, value.values()))


def test_every_figure_has_its_axes(checked: Profile) -> None:
    found = {figure.name: figure for figure in drawing.of_detail(checked)}
    assert set(found) == set(TITLES)
    for name, figure in found.items():
        assert titles(style.spec(figure.chart)) == TITLES[name], name
        assert figure.caption.endswith(".")


def test_the_day_of_a_long_recording() -> None:
    hours = [{"hour": hour, "read_iops": 10.0 + hour, "write_iops": 5.0} for hour in range(24)]
    long = Profile.check({"schema_version": 1, "source": "counters", "diurnal": {"hours": hours}})
    [figure] = drawing.of_detail(long)
    assert figure.name == "diurnal"


def test_curves_fall_and_shares_rise(checked: Profile) -> None:
    curves = detail.miss_ratios(checked).partition_by("cache", "of", "by")
    assert len(curves) == 10
    assert all(curve["miss_ratio"].is_sorted(descending=True) for curve in curves)
    rows = detail.shares_below(detail.successions(checked), 1e-9)
    for line in rows.partition_by("name"):
        assert line["share"].is_sorted()
        assert line["share"][-1] == 1


def test_a_profile_of_counters_has_none(drivecast: Callable[..., Run], example: Path, tmp_path: Path) -> None:
    run = drivecast("profile", example / "iostat.json.xz", "--figures", tmp_path, "--output-format", "json")
    assert run.code == 0, run.err
    assert {path.stem for path in tmp_path.iterdir()} == {"iops", "throughput", "queue-depth"}


def test_figures_as_files(drivecast: Callable[..., Run], recording: Path, tmp_path: Path) -> None:
    folder = tmp_path / "figures"
    page = tmp_path / "profile.html"
    run = drivecast("profile", recording, "--figures", folder, "-o", page, "--output-format", "json")
    assert run.code == 0, run.err
    assert "20 figures" in run.err
    assert json.loads(run.out)["followed"]["rate"] == 1
    assert set(TITLES) < {path.stem for path in folder.iterdir()}
    assert all(path.read_text(encoding="utf-8").startswith("<svg") for path in folder.iterdir())
    assert page.read_text(encoding="utf-8").count("<figure") == 20
    refused = drivecast("profile", recording, "--figures", page)
    assert refused.code == 2
    assert f"`{page}`" in refused.err
