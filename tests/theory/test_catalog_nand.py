"""Flash times lie within what is published of their generation, and what was fitted within what is physical."""

import pytest

from bundled import CATALOG
from drivecast.calibration.fitting import COPY_COST_MAX, programs_mb_s
from drivecast.calibration.sheet_check import sheet_tests
from drivecast.catalog import Drive
from drivecast.catalog.sheet import SsdSheet

PUBLISHED = {
    "slc-50nm": ((25, 25), (200, 250), (1.5, 2), (40, 50)),
    "slc-34nm": ((30, 35), (230, 350), (0.7, 2), (166, 166)),
    "mlc-50nm": ((50, 50), (800, 1200), (1.5, 3), (33, 50)),
    "mlc-34nm": ((50, 50), (900, 1200), (2, 3), (133, 166)),
    "mlc-25nm": ((50, 75), (400, 2000), (3, 3.8), (166, 200)),
    "mlc-25nm-het": ((50, 75), (400, 2000), (3, 3.8), (166, 200)),
    "mlc-20nm": ((75, 100), (1300, 1600), (3, 3.8), (333, 333)),
    "mlc-vnand-24l": ((35, 60), (320, 450), (3, 5), (333, 400)),
    "tlc-64l": ((60, 78), (660, 900), (3.5, 10), (667, 800)),
    "tlc-128-176l": ((40, 56), (613, 754), (5, 10), (1200, 1600)),
    "slc-144l": ((20, 35), (150, 250), (3, 10), (1200, 1600)),
    "tlc-232l": ((40, 50), (338, 400), (5, 10), (2400, 3600)),
    "qlc-144-192l": ((85, 110), (1600, 2000), (10, 15), (1200, 1600)),
    "3d-xpoint": ((0.1, 1), (4, 16), (0, 1e-6), (900, 1100)),
}
"""Read µs, program µs a page, erase ms, bus MT/s: general knowledge of each generation (`docs/explanation/drives.md`).

25 nm flash: 75 µs is the most its sheets allow, fast pages take 50; lower pages program in 400 µs, upper ones in 2 ms.
128 to 176 layers: one-shot programs of three pages took 1.84 to 2.26 ms on four measured drives.
232 layers: the 194 MB/s of a four-plane die in the title of ISSCC 2023 28.2 are 338 µs a page.
"""


def test_every_generation_has_its_ranges() -> None:
    assert set(CATALOG.nand.generations) == set(PUBLISHED)


@pytest.mark.parametrize("generation", PUBLISHED)
def test_times_lie_within_the_ranges(generation: str) -> None:
    nand = CATALOG.nand.generations[generation]
    pages = (1, nand.pages_per_program.value, 1, 1)
    times = (nand.read_us, nand.program_us, nand.erase_ms, nand.bus_mt_s)
    for time, shared, (low, high) in zip(times, pages, PUBLISHED[generation], strict=True):
        assert low <= time.low / shared <= time.high / shared <= high


DURABLE = {"samsung-860-pro-512gb"}
"""The time of a program was measured of durable writes, which program the map besides: twice that of the sheet."""
FITTED = [drive for drive in CATALOG.drives.values() if isinstance(drive.sheet, SsdSheet)]


@pytest.mark.parametrize("drive", FITTED, ids=lambda drive: drive.name)
def test_fitted_values_are_physical(drive: Drive) -> None:
    """Copies cost no less than host pages; programs no faster than all dies together, nor slower than in sequence.

    What others measured of small writes may lie up to 10 % below what the sheet states of large ones.
    """
    assert drive.nand is not None
    fitted = drive.sheet.fitted
    if fitted.copy_cost is not None:
        assert 1 <= fitted.copy_cost.value <= COPY_COST_MAX
    if fitted.program_mb_s is not None:
        most = programs_mb_s(drive.sheet, drive.nand)
        least = 0.9 if fitted.program_mb_s.provenance == "measured" else 1.0
        stated = drive.sheet.performance.sequential_write_mb_s.value
        if not drive.is_consumer:  # their sheets are of the fast mode of one bit a cell
            assert least * stated <= fitted.program_mb_s.value
        assert fitted.program_mb_s.value <= most
    for figure in (fitted.copy_cost, fitted.program_mb_s, fitted.read_command_ns, fitted.write_command_ns):
        # One that measurements do not determine is assumed, and says why.
        assert figure is None or figure.provenance in ("fitted", "measured") or figure.assumed


@pytest.mark.parametrize("drive", CATALOG.drives.values(), ids=lambda drive: drive.name)
def test_dies_can_do_what_the_sheet_says(drive: Drive) -> None:
    """All dies together program at least at the sheet's sequential rate: else the assumed dies are too few."""
    if (
        isinstance(drive.sheet, SsdSheet)
        and drive.nand is not None
        and not drive.name.startswith("intel-520")
        and drive.name not in DURABLE
        and not drive.is_consumer
    ):
        stated = drive.sheet.performance.sequential_write_mb_s.value
        measured = drive.sheet.calibrated
        if measured is None or measured.program_us.provenance == "assumed":
            assert programs_mb_s(drive.sheet, drive.nand) >= stated
        else:  # the time of a program was found apart from the sheet, by random writes: they agree within 10 %
            pages = measured.pages_per_program.value / drive.nand.pages_per_program.value
            at_typical = programs_mb_s(drive.sheet, drive.nand) * drive.nand.program_us.typical * pages
            assert at_typical / measured.program_us.value == pytest.approx(stated, rel=0.1)


def test_no_drive_on_sale_is_excused() -> None:
    """A figure that the model cannot show is a flaw of the model: none may touch a drive on sale for servers.

    What others measured of a lone request is no such figure: it replaces the sheet's.
    """
    on_sale = [drive for drive in CATALOG.drives.values() if drive.available_today and not drive.is_consumer]
    assert [test for drive in on_sale for test in sheet_tests(drive) if test.figure.unmet is not None] == []
