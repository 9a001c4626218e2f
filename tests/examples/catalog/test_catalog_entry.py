"""A drive is entered from what its owner has: reports say what it is, runs how fast, and the class the rest."""

import json
from pathlib import Path
from typing import Any

import pytest

from bundled import CATALOG
from drivecast.catalog import CatalogError, load
from drivecast.catalog.entry import Seen, like, made
from drivecast.document.catalog import Provenance
from drivecast.errors import HintedError

SMART = {
    "device": {"protocol": "NVMe"},
    "model_name": "ACME ZX9000",
    "nvme_total_capacity": 1_920_383_410_176,
    "rotation_rate": 0,
}
DISK = {
    "device": {"protocol": "ATA"},
    "model_name": "ACME Spin",
    "user_capacity": {"bytes": 20_000_588_955_648},
    "rotation_rate": 7200,
}


def _file(folder: Path, content: Any, name: str = "report.json") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def _job(rw: str, depth: int, **way: Any) -> dict[str, Any]:
    side = "write" if rw.endswith("write") else "read"
    return {"job options": {"rw": rw, "bs": "4k", "iodepth": str(depth)}, side: way}


def test_a_drive_from_a_report_and_runs(tmp_path: Path) -> None:
    seen = Seen()
    seen.smart(_file(tmp_path, SMART))
    jobs = [
        _job("randread", 64, iops=512_000.0),
        _job("randread", 64, iops=500_000.0),
        _job("randwrite", 1, lat_ns={"mean": 14_000}),
        _job("write", 8, bw_bytes=1.9e9),
        _job("randrw", 64, iops=9e6),
    ]
    seen.fio(_file(tmp_path, {"global options": {"numjobs": "2"}, "jobs": jobs}, "runs.json"))
    path = _file(tmp_path, made(CATALOG, seen), "acme.toml")
    drive = load([path]).get("acme")
    rate = drive.sheet.performance.random_read_iops
    assert (rate.value, rate.outstanding, rate.provenance) == (512_000.0, 128, Provenance.MEASURED)
    assert drive.sheet.performance.sequential_write_mb_s.value == 1900
    latency = drive.sheet.performance.write_latency_us
    assert latency.provenance is Provenance.ASSUMED, "2 jobs are 2 outstanding"
    near = like(CATALOG, seen, None)
    assert (near.drive_class, near.user_bytes) == ("nvme-tlc-ri", 1_920e9)
    assumed = drive.sheet.performance.random_write_iops
    assert (assumed.provenance, near.title in assumed.reason) == (Provenance.ASSUMED, True)
    assert round(drive.user_bytes / 1e9) == 1920
    assert [found.name for found in load([path]).part("ACME ZX9000")] == ["acme"]


def test_a_disk_from_a_report(tmp_path: Path) -> None:
    seen = Seen()
    seen.smart(_file(tmp_path, DISK))
    seen.fio(_file(tmp_path, {"jobs": [_job("read", 1, bw_bytes=270e6)]}, "runs.json"))
    drive = load([_file(tmp_path, made(CATALOG, seen), "spin.toml")]).get("spin")
    assert (drive.sheet.disk.outer_mb_s.value, drive.drive_class) == (270.0, "nearline")


@pytest.mark.parametrize(
    ("gb", "protocol", "expected"),
    [
        (3200, "NVMe", "nvme-tlc-mu"),
        (61_440, "NVMe", "qlc"),
        (2000, "NVMe", "consumer-nvme"),
        (1000, "ATA", "consumer-sata"),
        (960, "ATA", "sata"),
        (3840, "SCSI", "sas"),
    ],
)
def test_the_class_follows_from_link_and_capacity(
    tmp_path: Path, gb: int, protocol: str, expected: str
) -> None:
    seen = Seen()
    size = {"nvme_total_capacity": gb * 10**9}
    seen.smart(_file(tmp_path, {"device": {"protocol": protocol}, "model_name": "x", **size}))
    assert like(CATALOG, seen, None).drive_class == expected
    assert like(CATALOG, seen, "slc").drive_class == "slc"


def test_an_identity_alone_will_do(tmp_path: Path) -> None:
    seen = Seen()
    seen.nvme_id(_file(tmp_path, {"mn": "SAMSUNG MZQL21T9HCJR-00A07   ", "tnvmcap": 1_920_383_410_176}))
    assert [drive.name for drive in CATALOG.with_part_number(seen.model or "")] == ["samsung-pm9a3-1.92tb"]
    assert "[performance]" in made(CATALOG, seen)


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"jobs": []}', '{"jobs": [{"read": {"iops": -1}}]}', '{"jobs": [{}]}']
)
def test_what_is_no_run_of_fio_is_refused_by_file(tmp_path: Path, content: str) -> None:
    path = _file(tmp_path, content)
    with pytest.raises(HintedError) as refused:
        Seen().fio(path)
    assert path.name in str(refused.value)


def test_what_cannot_be_known_is_said(tmp_path: Path) -> None:
    with pytest.raises(HintedError, match="capacity"):
        made(CATALOG, Seen())
    seen = Seen()
    seen.smart(_file(tmp_path, SMART))
    with pytest.raises(HintedError, match="nvme-tlc-ro"):
        made(CATALOG, seen, "nvme-tlc-ro")


def test_parts_are_found_with_and_without_what_follows() -> None:
    assert [drive.name for drive in CATALOG.part("mzql21t9hcjr-00a07")] == ["samsung-pm9a3-1.92tb"]
    assert [drive.name for drive in CATALOG.part("MZQL21T9HCJR")] == ["samsung-pm9a3-1.92tb"]
    with pytest.raises(CatalogError) as refused:
        CATALOG.part("MZQL21T9HCJX")
    assert "MZQL21T9HCJR" in str(refused.value.hint)


def test_no_two_drives_share_a_part_number() -> None:
    parts = [part for drive in CATALOG.drives.values() for part in drive.sheet.part_numbers]
    assert len(parts) == len(set(parts))
    assert len(parts) > 100
