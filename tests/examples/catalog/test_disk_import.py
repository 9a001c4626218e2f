"""Published descriptions of disks become catalog files; what is wrong with one is said with file and line."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drivecast.catalog import Provenance, device_parameters, device_spec, load


@pytest.fixture
def described(tmp_path: Path) -> Path:
    """A folder with a whole description."""
    shutil.copytree(Path(__file__).parents[2] / "data/disk", tmp_path, dirs_exist_ok=True)
    return tmp_path


def spec_of(folder: Path, drivecast: Callable[..., Any], *names: str) -> dict[str, Any]:
    out = folder / "some-disk.toml"
    run = drivecast("catalog", "import", *(folder / name for name in names), "-o", out)
    assert run.code == 0, run.err
    return device_spec(load([out]).get("some-disk"))


def test_a_whole_description(described: Path, drivecast: Callable[..., Any]) -> None:
    spec = spec_of(described, drivecast, "some.model", "some.seek", "some.diskspecs")
    ranges = {"range_cylinders": 10, "spare_sectors": 4}
    assert spec["measured"]["layout"] == [
        {
            "cylinders": 100,
            "sectors_per_track": 200,
            "track_skew": 20,
            "cylinder_skew": 40,
            "empty_cylinders": 2,
            **ranges,
        },
        {
            "cylinders": 50,
            "sectors_per_track": 140,
            "track_skew": 14,
            "cylinder_skew": 28,
            "empty_cylinders": 0,
            **ranges,
        },
    ]
    assert spec["measured"]["surface_order"] == "serpentine"
    assert spec["seek"] == {"distances": [1, 10, 151], "times_ns": [800_000, 2_000_000, 9_000_000]}
    assert spec["measured"]["overheads"]["write_hit"] == {"after_read_ns": 500_000, "after_write_ns": 600_000}
    assert spec["measured"]["buffer"] == {
        "segments": 4,
        "write_segments": 1,
        "segment_sectors": 256,
        "read_ahead": "next-track",
        "keeps_passing": True,
        "keeps_delivered": False,
        "reads_on_arrival": True,
    }
    assert spec["capacity_bytes"] == (100 * 2 * 200 - 40 + 50 * 2 * 140 - 20) * 512
    assert spec["link_bytes_per_s"] == pytest.approx(10e6)
    assert (spec["queue_depth"], spec["scheduler"], spec["write_cache"]) == (4, "look", True)
    assert (spec["write_settle_ns"], spec["rpm"], spec["cache_bytes"]) == (500_000, 6000, 4 * 256 * 512)
    # Settling takes the shortest seek, 0.8 ms, within a track skew of 1 ms: longer than the published switch of 0.1 ms.
    assert spec["head_switch_ns"] == 800_000


def test_a_model_and_its_seek_table_are_enough(described: Path, drivecast: Callable[..., Any]) -> None:
    (described / "some.diskspecs").unlink()
    spec = spec_of(described, drivecast, "some.model")
    assert "overheads" not in spec["measured"]
    drive = load([described / "some-disk.toml"]).get("some-disk")
    known = {row.name: row.provenance for row in device_parameters(drive)}
    assert (known["seek"], known["cache_bytes"]) == (Provenance.MEASURED, Provenance.ASSUMED)


def test_a_layout_that_is_elsewhere_leaves_the_mean_rate(
    described: Path, drivecast: Callable[..., Any]
) -> None:
    whole = (described / "some.model").read_text()
    start, end = whole.index("Layout Model"), whole.index("   Mechanical")
    (described / "some.model").write_text(f"{whole[:start]}Layout Model = source lost.model,\n{whole[end:]}")
    spec = spec_of(described, drivecast, "some.model", "some.seek")
    mean = 53_960 / (2 * 152) * 512 * 6000 / 60
    assert spec["outer_bytes_per_s"] == spec["inner_bytes_per_s"] == pytest.approx(mean)


def test_an_imported_disk_is_simulated(described: Path, drivecast: Callable[..., Any]) -> None:
    spec_of(described, drivecast, "some.model", "some.seek", "some.diskspecs")
    run = drivecast(
        "simulate",
        "some-disk",
        "--catalog",
        described / "some-disk.toml",
        "-w",
        "random(4KiB, read=1, iodepth=4)",
    )
    assert run.code == 0, run.err
    (described / "some.trace").write_text(
        "R Hit 100 8 5000.0 20000.0\nW Hit 9000 8 900.0 20000.0\nR Hit 108 8 700 20000\n"
    )
    run = drivecast(
        "catalog",
        "validate",
        "some-disk",
        described / "some.trace",
        "--catalog",
        described / "some-disk.toml",
        "--output-format",
        "json",
    )
    assert [row["class"] for row in run.json["classes"]] == ["all", "read, far", "write, far"]


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "model:14",
            "Blocks per track = 200",
            "Blocks per track = x",
            "a number for `Blocks per track`, found `x`",
        ),
        ("model:13", "number = 99", "number = 102", "`Last cylinder number` from 0 to 101, found `102`"),
        ("model:8", "scheme used = 8", "scheme used = 3", "a sparing scheme other than 3, found `3`"),
        ("model:2", "Number of cylinders = 152,", "", "`Number of cylinders = …` in `dm_disk`"),
        ("seek:3", "10,\t2.0", "10 2.0", "`distance, milliseconds`, found `10 2.0`"),
        ("seek:4", "151,\t9.0", "9,\t9.0", "rising distances"),
        (
            "diskspecs:10",
            "continuous read = 4",
            "continuous read = 2",
            "`Buffer continuous read` 0, 1, 3 or 4",
        ),
    ],
)
def test_what_is_wrong_is_named(
    described: Path, drivecast: Callable[..., Any], file: str, old: str, new: str, said: str
) -> None:
    broken = described / f"some.{file.split(':', maxsplit=1)[0]}"
    broken.write_text(broken.read_text().replace(old, new))
    files = (described / name for name in ("some.model", "some.seek", "some.diskspecs"))
    run = drivecast("catalog", "import", *files, "-o", described / "out.toml")
    assert run.code == 2
    assert f"some.{file}: expected {said}" in run.err, run.err
    assert not (described / "out.toml").exists()
