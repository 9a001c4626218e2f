"""Simulated drives show what their data sheets state, one of each class, and the fits in their files regenerate."""

import pytest

from bundled import CATALOG
from drivecast.calibration.fitting import fit, table
from drivecast.calibration.sheet_check import TOLERANCE, run, sheet_tests
from drivecast.catalog.sheet import SsdSheet

CLASSES = [
    "samsung-pm893-480gb",
    "micron-7450-max-800gb",
    "solidigm-d5-p5336-15.36tb",
    "intel-x25-e-32gb",
    "intel-dc-s3500-480gb",
    "seagate-exos-15e900-600gb",
    "seagate-exos-x20-20tb",
]
"""SATA, NVMe and QLC flash, an old drive with fitted parameters, one whose sheet reads at two sizes, two disks."""

SHEET_TESTS = [
    (name, test) for name in CLASSES for test in sheet_tests(CATALOG.get(name)) if test.unmet is None
]


@pytest.mark.parametrize(("name", "test"), SHEET_TESTS, ids=lambda value: str(getattr(value, "name", value)))
def test_the_simulated_drive_is_within_ten_per_cent_of_its_sheet(name: str, test: object) -> None:
    wanted = next(wanted for wanted in sheet_tests(CATALOG.get(name)) if wanted == test)
    assert run(wanted, CATALOG.get(name), CATALOG).ratio == pytest.approx(1, abs=TOLERANCE)


def test_a_fit_gives_what_is_in_the_file() -> None:
    drive = CATALOG.get("intel-x25-e-32gb")
    again, fits = fit(drive, CATALOG)
    assert isinstance(drive.sheet, SsdSheet)
    assert isinstance(again.sheet, SsdSheet)
    assert [row.parameter for row in fits] == ["copy_cost"]
    assert table(again.sheet.fitted) == table(drive.sheet.fitted)
    assert table(drive.sheet.fitted) in drive.file.read_text()
