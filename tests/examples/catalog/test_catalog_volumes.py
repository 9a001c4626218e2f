"""Volumes of the catalog: what comes with the program, a fitted file of one's own, and what volumes are not."""

import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agreed import agreed_refusals
from bundled import CATALOG
from drivecast.catalog import CatalogError, check, load, volume_provenance, volume_spec
from drivecast.cli.main import app
from drivecast.stage.design import parse
from drivecast.stage.simulate import Options, simulate, workload

DOCUMENT = Path(__file__).parents[3] / "docs/reference/catalog.md"
runner = CliRunner()


def worked_example() -> str:
    """The fitted volume that the reference shows."""
    lines = DOCUMENT.read_text().partition("## A volume\n")[2].splitlines()
    block = [line for line in lines if line.startswith("    ") or not line]
    text = "\n".join(line.removeprefix("    ") for line in block)
    return text[: text.index("p99_error_max = 0.19")] + "p99_error_max = 0.19\n"


@pytest.fixture
def fitted(tmp_path: Path) -> Path:
    file = tmp_path / "this-disk.toml"
    file.write_text(worked_example())
    return file


def edited(file: Path, old: str, new: str) -> Path:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    return file


def test_bundled_volumes_are_sound_and_say_where_each_figure_is_from() -> None:
    assert len(CATALOG.volumes) >= 10
    assert not [doubt for doubt in check(CATALOG) if "volumes" in doubt.file]
    for volume in CATALOG.volumes.values():
        assert all(row.source for row in volume_provenance(volume)), volume.name


@pytest.mark.parametrize("name", sorted(CATALOG.volumes))
def test_bundled_volumes_reach_the_limits_they_publish(name: str) -> None:
    caps = CATALOG.volumes[name].sheet.caps
    start = caps.iops.burst_per_s or caps.iops.per_s
    small = simulate(name, workload("random(4KiB, iodepth=256)"), CATALOG, Options(requests=20_000))
    assert small.iops == pytest.approx(start.value, rel=0.02)
    rate = caps.bytes.burst_per_s or caps.bytes.per_s
    unit = caps.io_unit_bytes.value if caps.io_unit_bytes is not None else 0
    whole = workload(f"random({max(256, unit // 1024)}KiB, iodepth=256)")
    large = simulate(name, whole, CATALOG, Options(requests=5_000))
    assert large.throughput_bytes_per_s == pytest.approx(rate.value, rel=0.03)


def test_a_fitted_file_is_a_name_in_designs(fitted: Path) -> None:
    catalog = load([fitted])
    spec = volume_spec(catalog.volumes["this-disk"])
    assert spec["front"]["batch_max"] == 256
    assert spec["read"] == {"service_ns": 21000, "sigma": 0.19}
    assert "held_out" not in spec
    alone = simulate("this-disk", workload("random(4KiB, iodepth=8)"), catalog, Options(requests=5_000))
    four = simulate(
        "raid0(4 * this-disk)", workload("random(4KiB, iodepth=256)"), catalog, Options(requests=5_000)
    )
    assert alone.latency_of("read", "q0.5") == pytest.approx(31_000 + 8 * 8_600 + 21_000, rel=0.1)
    assert four.iops > 2 * alone.iops


def test_volumes_are_listed_and_shown(fitted: Path) -> None:
    listed = json.loads(runner.invoke(app, ["catalog", "list", "--output-format", "json"]).stdout)
    assert "aws-gp3-1tb" in [row["name"] for row in listed["volumes"]]
    assert "aws-gp3-1tb" not in [row["name"] for row in listed["drives"]]
    shown = runner.invoke(app, ["catalog", "show", "this-disk", "--catalog", str(fitted)])
    assert "front.wake_ns" in shown.stdout
    assert runner.invoke(app, ["catalog", "list", "--on-sale", "--catalog", str(fitted)]).exit_code == 0


def test_what_needs_a_drive_refuses_a_volume_by_name() -> None:
    done = runner.invoke(app, ["wear", "aws-gp3-1tb", "--workload", "random(4KiB, read=0.5)"])
    assert done.exit_code == 2
    assert "`aws-gp3-1tb`" in done.stderr
    with pytest.raises(CatalogError) as refused:
        parse("raid10(4 * aws-gp3-1tb)", load())
    assert "aws-gp3-1tb" in refused.value.problems[0].what


def test_what_is_no_volume_is_refused_with_its_place(fitted: Path) -> None:
    edits = [
        ('kind = "volume"', 'kind = "disk"'),
        ("service_ns = { value = 21000", "latency_ns = { value = 21000"),
        ("value = 21000, low = 19500", "value = 21000, low = 25000"),
        ("value = 21000, low = 19500", "value = -1, low = -2"),
        ("value = 256", "value = 0"),
        ("value = 256", "value = 25.6"),
        ('fitted = "to 18 runs', 'source = "x", fitted = "to 18 runs'),
        ('fitted = "to 18 runs of 8 s: medians and p99 by depth and size"', 'source = "lost"'),
        ("runs = 6", "runs = 0"),
        ("value = 274.9", "value = 1e308"),
        ("[write]", "[write2]"),
    ]

    def loaded(old: str, new: str) -> None:
        fitted.write_text(worked_example())
        load([edited(fitted, old, new)])

    tries = [partial(loaded, *edit) for edit in edits]
    agreed_refusals("volume-files.txt", tries, {str(fitted.parent): "FOLDER"})


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ("[caps.iops]\nper_s = {v100}\ncredits = {v5}\nburst_per_s = {v50}", "caps.iops.burst_per_s"),
        ("[caps.iops]\nper_s = {v100}\nburst_per_s = {v500}", "caps.iops.burst_per_s"),
        ("[caps.iops]\nper_s = {v100}\ncredits = {v5}\nburst_per_s = {v100}", "caps.iops.credits"),
        ("[stalls]\nevery_ns = {v5}\nstall_ns = {v50}", "stalls.stall_ns"),
    ],
)
def test_sums_that_cannot_be_are_found(fitted: Path, more: str, key: str) -> None:
    for number in (5, 50, 100, 500):
        more = more.replace(f"{{v{number}}}", f'{{ value = {number}, assumed = "a test" }}')
    fitted.write_text(fitted.read_text() + more + "\n")
    found = [doubt for doubt in check(load([fitted])) if doubt.file == str(fitted)]
    assert [doubt.key for doubt in found] == [key]
