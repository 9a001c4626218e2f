"""Rows of SATA drives and disks: the design they become, which were fitted, and what is not known."""

from pathlib import Path

import pytest

from drivecast.calibration.load_table import any_drive
from drivecast.catalog import Catalog, load
from drivecast.errors import InputError
from drivecast.reproduce import sata_table
from drivecast.reproduce.measured_run import Run

HEAD = "device,array,rw,bs_bytes,iodepth,numjobs,size_bytes," + ",".join(
    f"{op}_{name}"
    for op in ("read", "write")
    for name in ("iops", "lat_mean_us", "p50_us", "p95_us", "p99_us", "p999_us")
)
READ = "{device},{path},randread,4096,{depth},{jobs},{size},{iops},{mean},1,2,3,1e9,,,,,,"
M1015 = "single; IBM M1015 HBA"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """Return the bundled catalog."""
    return load()


def _row(
    device: str, path: str = M1015, depth: int = 1, jobs: int = 1, size: str = "", iops: float = 100.0
) -> str:
    mean = depth * jobs / iops * 1e6
    return READ.format(device=device, path=path, depth=depth, jobs=jobs, size=size, iops=iops, mean=mean)


def _runs(folder: Path, catalog: Catalog, *rows: str) -> list[Run]:
    path = folder / "fio-sata-and-disks.csv"
    path.write_text("\n".join([HEAD, *rows]) + "\n")
    return list(sata_table.SATA.runs(path, catalog, any_drive))


def test_a_drive_is_simulated_behind_its_controller(tmp_path: Path, catalog: Catalog) -> None:
    rows = [
        _row("Intel D3-S4610 480GB SATA (SSDSC2KG48)", depth=4, jobs=8),
        _row("Samsung 860 PRO SATA", "single; P420i RAID mode; write cache disabled"),
        _row("WD Raptor 74GB 10k HDD", "single sdc"),
    ]
    drive, through, disk = _runs(tmp_path, catalog, *rows)
    assert drive.design == "raid0(1 * intel-d3-s4610-480gb, controller=ibm-m1015)"
    assert drive.workload == "random(4096B, read=1, iodepth=4, jobs=8)"
    assert [name for name, *_ in drive.figures] == ["read IOPS", "read p50", "read p99", "read p999"]
    assert through.design == "raid0(1 * samsung-860-pro-512gb[write_cache=off], controller=hp-p420i-raid)"
    assert disk.design == disk.drive == "wd-raptor-74gb"
    assert next(name for name, *_ in disk.figures) == "disk read IOPS"


def test_rows_that_were_fitted_are_known_by_the_catalog(tmp_path: Path, catalog: Catalog) -> None:
    drive = "Samsung 860 PRO SATA"
    rows = [_row(drive), _row(drive, jobs=32), _row(drive, jobs=16), _row(drive, depth=32)]
    assert [run.fitted for run in _runs(tmp_path, catalog, *rows)] == [True, True, False, False]


def test_only_rows_without_a_queue_show_the_error_of_a_drive(tmp_path: Path, catalog: Catalog) -> None:
    rows = [_row("Samsung 860 PRO SATA", depth=depth, jobs=jobs) for depth, jobs in ((2, 2), (8, 1))]
    rows += [_row("Samsung 860 PRO SATA", f"{M1015}; write cache disabled"), _row("WD Raptor 74GB 10k HDD")]
    assert [run.light for run in _runs(tmp_path, catalog, *rows)] == [True, False, False, None]


def test_every_fitted_run_of_the_catalog_names_what_there_is(catalog: Catalog) -> None:
    for name, drive in catalog.drives.items():
        own = [] if drive.calibrated is None else drive.calibrated.fitted_runs
        for run in own:
            controller, pattern, depths = run.split()
            assert catalog.controller(controller), name
            assert pattern in {"randread", "randwrite"}
            assert all(count.isdecimal() for count in depths.split("x"))


def test_the_place_of_a_file_follows_from_the_row_with_one_outstanding(
    tmp_path: Path, catalog: Catalog
) -> None:
    device = "8x HDD 2TB 7.2k (model not named)"
    path = "mdadm RAID5 8 disks behind IBM M1015 HBA; 100GiB file"
    size = str(100 << 30)
    rows = [_row(device, path, size=size), _row(device, path, depth=8, size=size, iops=600.0)]
    alone, deep = _runs(tmp_path, catalog, *rows)
    assert alone.design == deep.design
    assert (alone.design or "").startswith("raid5(8 * raid0(1 * hdd(capacity=2TB, rpm=7200, ")
    assert (alone.fitted, deep.fitted) == (True, False)
    outcome = alone.play(catalog, 0)
    assert outcome.read.iops == pytest.approx(100.0, rel=0.05)
    (whole,) = _runs(tmp_path, catalog, _row(device, path))
    assert "span" not in whole.workload, "without a size the whole device is used"


@pytest.mark.parametrize(
    ("device", "path", "unknown"),
    [
        ("Samsung 999 PRO SATA", M1015, "drive `Samsung 999 PRO SATA`"),
        ("Samsung 860 PRO SATA", "single; Dell H730", "array `single; Dell H730`"),
        ("HDD (model not named)", M1015, "`HDD (model not named)`"),
    ],
)
def test_what_the_catalog_does_not_know_is_named(
    tmp_path: Path, catalog: Catalog, device: str, path: str, unknown: str
) -> None:
    with pytest.raises(InputError) as refused:
        _runs(tmp_path, catalog, _row(device, path))
    assert unknown in str(refused.value)
