"""Each kind of impossible data is found, at the right key."""

import re
import shutil
from contextlib import nullcontext
from datetime import date
from pathlib import Path

import pytest

from drive_file import copied
from drivecast.catalog import CatalogError, bundled, check, load
from drivecast.catalog.plausibility import refuse_impossible

SSD, DISK, PRICES = "drives/solidigm-d7-p5520-7.68tb.toml", "drives/seagate-exos-x20-20tb.toml", "prices.toml"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name in (SSD, DISK, "nand.toml", "interfaces.toml", "failures.toml", "latency.toml", PRICES):
        copied(Path(name).stem, (tmp_path / name).parent)
    shutil.copytree(bundled() / "prices", tmp_path / "prices")
    prices = (tmp_path / PRICES).read_text()
    kept = [
        line
        for line in prices.splitlines()
        if not line.startswith('"')
        or line.startswith('"20')
        or Path(SSD).stem in line
        or Path(DISK).stem in line
    ]
    (tmp_path / PRICES).write_text("\n".join(kept))
    return tmp_path


def test_the_small_catalog_is_clean(base: Path) -> None:
    assert check(load(base=base)) == []


IMPOSSIBLE = [
    (SSD, "raw_gib = 7000", "error", "capacity.raw_gib"),
    (SSD, "raw_gib = 30000", "warning", "capacity.raw_gib"),
    (SSD, "sequential_read_mb_s = 9000", "error", "performance.sequential_read_mb_s"),
    (SSD, "random_write_iops = 3000000", "error", "performance.random_write_iops"),
    (SSD, "read_latency_us = 30", "error", "performance.read_latency_us"),
    (SSD, "read_latency_us = 1100000", "error", "performance.read_latency_us"),
    (SSD, "tbw_tb = 18000", "error", "endurance.tbw_tb"),
    (SSD, "tbw_tb = 140000", "error", "endurance.tbw_tb"),
    (SSD, "idle_w = 30", "error", "power.idle_w"),
    (SSD, "uber = 1e-9", "error", "reliability.uber"),
    (SSD, "dies_per_channel = 1", "warning", "flash.dies_per_channel"),
    (DISK, "afr = 0.02", "warning", "reliability.afr"),
    (DISK, "outer_mb_s = 900", "error", "disk.outer_mb_s"),
    (DISK, "inner_mb_s = 400", "error", "disk.inner_mb_s"),
    (DISK, "seek_track_ms = 9", "error", "disk.seek_mean_ms"),
]
"""File, changed value, severity, key of the finding."""


@pytest.mark.parametrize(("file", "change", "severity", "found"), IMPOSSIBLE)
def test_impossible_data_is_found(base: Path, file: str, change: str, severity: str, found: str) -> None:
    key, value = change.split(" = ")
    pattern = re.compile(rf"^({key} = {{ value = )[^,]+", re.MULTILINE)
    text, count = pattern.subn(rf"\g<1>{value}", (base / file).read_text())
    assert count == 1
    (base / file).write_text(text)
    catalog = load(base=base)
    findings = check(catalog)
    assert (severity, str(base / file), found) in {(f.severity, f.file, f.key) for f in findings}
    refused = pytest.raises(CatalogError) if severity == "error" else nullcontext()
    with refused as error:
        refuse_impossible(catalog)
    assert error is None or error.value.problems[0].line, "a plan names the line"
    assert all(finding.what and finding.limit for finding in findings)


def test_old_and_missing_prices_are_found(base: Path) -> None:
    later = check(load(base=base), today=date(2028, 1, 1))
    assert {finding.key for finding in later} == {f"drives.{Path(SSD).stem}", f"drives.{Path(DISK).stem}"}
    disk, nothing = (
        f'"{name}" = {{ value = 700, assumed = "so" }}' for name in (Path(DISK).stem, "acme-nothing-1tb")
    )
    shutil.rmtree(base / "prices")
    text = (base / PRICES).read_text().replace("\n[drives]", f"\n[drives]\n{disk}\n{nothing}")
    (base / PRICES).write_text(text)
    assert {finding.key for finding in check(load(base=base))} == {
        f"drives.{Path(SSD).stem}",
        "drives.acme-nothing-1tb",
    }


def test_a_drive_entered_twice_is_found(base: Path) -> None:
    shutil.copy(base / SSD, base / "drives" / "solidigm-p5520-7680gb.toml")
    assert "there twice" in " ".join(str(finding) for finding in check(load(base=base)))
