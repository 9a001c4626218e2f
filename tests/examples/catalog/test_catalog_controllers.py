"""Controllers of the catalog: read strictly, named everywhere, and carried to the simulator."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from drivecast import _core
from drivecast.catalog import (
    Catalog,
    CatalogError,
    Provenance,
    check,
    controller_provenance,
    controller_spec,
    load,
)
from drivecast.catalog.controller import ControllerFile
from drivecast.cli.main import app
from drivecast.stage.simulate import Options, controller_specs, simulate

MINE = """
[sources]
sheet = "a data sheet"

[controllers.mine]
title = "Mine"
processors = {{ value = 1, source = "sheet" }}
host_command_us = {{ value = 10, source = "sheet" }}
member_command_us = {{ value = 10, assumed = "the other half" }}
stripe_us = {{ value = 0, assumed = "none" }}
xor_mb_s = {{ value = 1000, assumed = "a guess" }}
q_mb_s = {{ value = 500, assumed = "a guess" }}
queue_depth = {{ value = 64, assumed = "a guess" }}
member_queue_depth = {{ value = 32, assumed = "a guess" }}
{more}
"""

DRIVE = "ssd(logical=1GiB, spare_factor=0.2, channels=8, dies_per_channel=8)"


def with_mine(path: Path, more: str = "") -> Catalog:
    """Give the bundled catalog with one controller more."""
    (path / "controllers.toml").write_text(MINE.format(more=more))
    return load([path])


def test_figures_become_parameters(tmp_path: Path) -> None:
    catalog = with_mine(
        tmp_path,
        'cache_mib = { value = 256, source = "sheet" }\n'
        'cache_mode = { value = "write-back", source = "sheet" }\n'
        'cache_battery = { value = true, source = "sheet" }',
    )
    spec = controller_spec(catalog.controller("mine"))
    assert (spec["cores"], spec["host_command_ns"], spec["q_bytes_per_s"]) == (1, 10_000, 5e8)
    assert spec["cache"]["bytes"] == 256 << 20
    assert spec["cache"]["battery"]
    assert spec["host_bytes_per_s"] is None
    rows = {
        row.name: row for row in controller_provenance(catalog.controller("mine"), {"sheet": "a data sheet"})
    }
    assert rows["processors"].provenance is Provenance.PUBLISHED
    assert rows["processors"].source == "a data sheet"
    assert rows["member_command_us"].provenance is Provenance.ASSUMED


def test_every_bundled_controller_runs_an_array() -> None:
    catalog = load()
    load_line = _core.Workload.line("random(4KiB, read=0.5, iodepth=16)")
    for name in catalog.controllers.controllers:
        design = f"raid5(3 * {DRIVE}, controller={name})"
        assert list(controller_specs(design, catalog)) == [name]
        assert simulate(design, load_line, catalog, Options(requests=2000, state="fresh")).iops > 1000


@pytest.mark.parametrize("level", ["raid0", "raid1", "raid10", "raid5", "raid6"])
def test_software_runs_an_array_that_names_no_controller(level: str) -> None:
    catalog = load()
    writes = _core.Workload.line("random(4KiB, read=0, iodepth=64)")

    def iops(option: str) -> float:
        design = f"{level}(4 * {DRIVE}{option})"
        return simulate(design, writes, catalog, Options(requests=4000, state="fresh")).iops

    assert iops("") == iops(", controller=software") < iops(", controller=none")
    assert controller_specs(f"{level}(4 * {DRIVE}, controller=none)", catalog) == {}
    assert controller_specs(DRIVE, catalog) == {}


def test_a_catalog_without_software_raid_has_arrays_that_take_no_time() -> None:
    catalog = replace(load(), controllers=ControllerFile(sources={}, controllers={}))
    assert controller_specs(f"raid5(4 * {DRIVE})", catalog) == {}


def test_the_operating_systems_queue_is_a_part_of_a_host_path() -> None:
    (spec,) = controller_specs(f"raid0(1 * {DRIVE}, controller=ibm-m1015)", load()).values()
    assert json.loads(spec)["block_layer"] == {"scheduler": "cfq", "requests": 128, "device_depth": None}


def test_its_processor_sets_the_rate(tmp_path: Path) -> None:
    catalog = with_mine(tmp_path)
    reads = _core.Workload.line("random(4KiB, read=1, iodepth=64)")
    options = Options(requests=20_000, state="fresh")
    found = simulate(f"raid0(4 * {DRIVE}, controller=mine)", reads, catalog, options)
    assert found.iops == pytest.approx(1e6 / 20, rel=0.01)


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError) as refused:
        controller_specs(f"raid5(3 * {DRIVE}, controller=iop384)", load())
    assert "`iop348`" in str(refused.value.hint)
    for figure, hint in (
        ('port_mbs = { value = 1, assumed = "x" }', "`port_mb_s`"),
        ('port_mb_s = { value = 1, source = "shet" }', "`sheet`"),
    ):
        with pytest.raises(CatalogError) as refused:
            with_mine(tmp_path, figure)
        assert hint in str(refused.value.hint)
    doubtful = with_mine(
        tmp_path,
        'memory_mb_s = { value = 1000, assumed = "x" }\nhost_mb_s = { value = 2000, assumed = "x" }\n'
        'cache_mode = { value = "write-back", assumed = "x" }',
    )
    keys = [finding.key for finding in check(doubtful)]
    assert keys == ["controllers.mine.memory_mb_s", "controllers.mine.cache_mode"]


def test_list_and_show_name_them() -> None:
    listed = CliRunner().invoke(app, ["catalog", "list", "--output-format", "json"])
    assert "iop348" in [row["name"] for row in json.loads(listed.stdout)["controllers"]]
    shown = CliRunner().invoke(app, ["catalog", "show", "software", "--output-format", "json"])
    parameters = {row["name"]: row["value"] for row in json.loads(shown.stdout)["parameters"]}
    assert parameters["stripe_threads"] == 1
