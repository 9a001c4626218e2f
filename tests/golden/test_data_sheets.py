"""Simulated drives show what their data sheets state, one of each class.

That the fits in their files regenerate is in tests/examples/catalog/test_catalog_fit.py.
"""

import pytest

from bundled import CATALOG
from drivecast.calibration.sheet_check import TOLERANCE, run, sheet_tests

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
