"""Fit what no sheet states by running the simulated drive through its sheet's tests.

Model. Four figures of a sheet decide a parameter of the controller each, one after another, all else held:

- random reads: `link_command_ns` where commands take the link in line with their data, else `read_command_ns`; within
  0 and twice the sheet's time a request;
- random writes: where cleaning is measurable and the drive would be too fast, `copy_cost`, from 1 to 8; where it would
  be too fast without cleaning, `link_write_command_ns` or `write_command_ns`; where it would be too slow though copies
  cost no more than host pages, `program_mb_s`, from the sheet's sequential rate (which is then the link's limit, not
  that of the flash) to what all dies program together. Only where the sheet's sequential rate is within the tolerance
  of the link's may the two differ: else the sheet gives the program rate, and the dies have more blocks than their
  nominal size says: `effective_gib`, up to 1.08 times the raw capacity (a 7450 PRO was measured to have 1.035);
- latencies of lone reads and writes: the overheads, at least 0.

Each is found by false position (Illinois) on the time a request takes over what the sheet says, which is nearly linear
in the parameter (of a rate: in its inverse); the simulation is deterministic, so equal files give equal fits. A closed
form (`device`) that leaves its figure within [`FINE`] is kept, and so is one whose figure no value within the bounds
would show. Flash times and geometry are never fitted.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from drivecast.calibration.sheet_check import TOLERANCE, SheetTest, run, sheet_tests
from drivecast.catalog.catalog import Catalog
from drivecast.catalog.command_time import MEASURABLE_AMPLIFICATION, in_line
from drivecast.catalog.device import device_spec
from drivecast.catalog.drive import GIB, Drive
from drivecast.catalog.family import with_table
from drivecast.catalog.figure import NonNegative, Positive
from drivecast.catalog.full_amplification import full_drive_amplification
from drivecast.catalog.sheet import Fitted, Nand, SsdSheet
from drivecast.document.calibration import FittedParameter, SheetFits
from drivecast.files import read_text, write_whole
from drivecast.thread import over_cores

FINE = 0.03
"""A simulated figure this near its sheet needs no fit; a fit ends at a tenth of it."""
EXTRA_FLASH_MAX = 1.08
"""Times the raw capacity that a drive may have in flash. Assumed: some blocks of a die replace those that fail."""
COPY_COST_MAX = 8.0
"""A copied page is read, checked, moved and programmed: more than this many times a host page is another mechanism."""
EVALUATIONS_MAX = 10


@dataclass
class _Bench:
    """A drive under test, with what has been fitted so far."""

    drive: Drive
    sheet: SsdSheet
    nand: Nand
    catalog: Catalog

    def value(self, parameter: str) -> float:
        """Return the parameter as the drive has it now."""
        if parameter == "program_mb_s":
            return float(device_spec(self.drive)["write_bytes_per_s"]) / 1e6
        if parameter == "effective_gib":
            return float(device_spec(self.drive)["physical_bytes"]) / GIB
        return float(device_spec(self.drive)[parameter])

    def set(self, parameter: str, value: float | None, to: str = "") -> None:
        """Fit the parameter, or with none return to the closed form."""
        kind = Positive if parameter in ("copy_cost", "program_mb_s", "effective_gib") else NonNegative
        figure = None if value is None else kind(value=value, fitted=to)
        fitted = self.sheet.fitted.model_copy(update={parameter: figure})
        self.sheet = self.sheet.model_copy(update={"fitted": fitted})
        self.drive = replace(self.drive, sheet=self.sheet)

    def ratio(self, test: SheetTest) -> float:
        """Simulate the drive as it is now; return simulated over stated."""
        return run(test, self.drive, self.catalog).ratio


def _rounded(parameter: str, value: float) -> float:
    if parameter == "copy_cost":
        return round(value, 3)
    return round(value, 1) if parameter in ("program_mb_s", "effective_gib") else float(round(value))


def _root(f: Callable[[float], float], low: tuple[float, float], high: tuple[float, float]) -> float:
    """Find where `f` is 0 between two points (x, f(x)) of opposite sign, by the Illinois method."""
    (a, fa), (b, fb) = low, high
    for _ in range(EVALUATIONS_MAX):
        c = b - fb * (b - a) / (fb - fa)
        fc = f(c)
        if abs(fc) < FINE / 10:
            return c
        if fc * fb < 0:
            a, fa = b, fb
        else:
            fa /= 2
        b, fb = c, fc
    return b


def _fit_within(bench: _Bench, parameter: str, test: SheetTest, far: float) -> FittedParameter:
    """Fit the parameter between its value now and `far`; ends at `far` where the figure lies beyond."""
    before = bench.value(parameter)
    ratio_before = bench.ratio(test)

    def straight(x: float) -> float:
        """Turn a rate into a time and back."""
        return 1 / x if parameter == "program_mb_s" else x

    def miss(x: float) -> float:
        bench.set(parameter, _rounded(parameter, straight(x)), to(test))
        return 1 / bench.ratio(test) - 1

    at_far = miss(straight(far))
    at_near = 1 / ratio_before - 1
    if at_far * at_near > 0:
        bench.set(parameter, None)
        note = f"not met even at its bound of {far:,.6g}, ratio {1 / (1 + at_far):.2f}"
        return _fitted(bench, parameter, test, (before, ratio_before), (before, ratio_before), note)
    root = _root(miss, (straight(before), at_near), (straight(far), at_far))
    after = _rounded(parameter, straight(root))
    bench.set(parameter, after, to(test))
    return _fitted(bench, parameter, test, (before, ratio_before), (after, bench.ratio(test)))


def _fitted(
    bench: _Bench,
    parameter: str,
    test: SheetTest,
    before: tuple[float, float],
    after: tuple[float, float],
    note: str = "",
) -> FittedParameter:
    """The parameter and the ratio, before and after."""
    return FittedParameter(
        drive=bench.drive.name,
        parameter=parameter,
        before=before[0],
        after=after[0],
        fitted_to=f"{test.name}, {test.stated:g} {test.unit}",
        ratio_before=round(before[1], 4),
        ratio_after=round(after[1], 4),
        note=note,
    )


def to(test: SheetTest) -> str:
    """Return what a parameter was fitted to, for the drive's file."""
    return f"{test.name}: {test.stated:,.6g} {test.unit}; made by `drivecast catalog fit`"


def _reads(bench: _Bench, test: SheetTest) -> FittedParameter | None:
    ratio = bench.ratio(test)
    if abs(ratio - 1) <= FINE:
        return None
    parameter = "link_command_ns" if in_line(bench.drive) else "read_command_ns"
    return _fit_within(bench, parameter, test, 0.0 if ratio < 1 else 2e9 / test.stated)


def programs_mb_s(sheet: SsdSheet, nand: Nand) -> float:
    """The rate at which all dies program together, at typical times."""
    dies = sheet.flash.channels.value * sheet.flash.dies_per_channel.value
    page_us = nand.program_us.typical / nand.pages_per_program.value
    return dies * nand.planes.value * nand.page_kib.value * 1024 / page_us


def _writes(bench: _Bench, test: SheetTest) -> list[FittedParameter]:
    speed, raw = bench.sheet.performance, bench.drive.raw_bytes or 0
    ratio = bench.ratio(test)
    if abs(ratio - 1) <= FINE:
        return []
    amplification = full_drive_amplification(raw / bench.drive.user_bytes)
    cleaning = speed.random_write_iops.state != "fresh" and amplification >= MEASURABLE_AMPLIFICATION
    if ratio > 1:
        if cleaning:
            return [_fit_within(bench, "copy_cost", test, COPY_COST_MAX)]
        parameter = "link_write_command_ns" if in_line(bench.drive) else "write_command_ns"
        return [_fit_within(bench, parameter, test, 2e9 / test.stated)]
    found = []
    if cleaning and bench.value("copy_cost") > 1:
        found.append(_fit_within(bench, "copy_cost", test, 1.0))
        if not found[0].note:
            return found
        bench.set("copy_cost", 1.0, to(test))
    stream = speed.sequential_write_mb_s.value * 1e6
    if bench.drive.interface.bytes_per_s <= stream * (1 + TOLERANCE):
        found.append(_fit_within(bench, "program_mb_s", test, programs_mb_s(bench.sheet, bench.nand)))
    elif cleaning:
        most = EXTRA_FLASH_MAX * bench.value("effective_gib")
        found.append(_fit_within(bench, "effective_gib", test, most))
    return found


def _overhead(bench: _Bench, parameter: str, test: SheetTest) -> FittedParameter | None:
    """Fit what a lone request takes besides its work: it adds to the latency as it is."""
    if test.unmet is not None:
        return None
    result = run(test, bench.drive, bench.catalog)
    if abs(result.ratio - 1) <= FINE:
        return None
    before = bench.value(parameter)
    after = _rounded(parameter, max(0.0, before + (test.stated - result.simulated) * 1e3))
    if after == before:
        return None
    bench.set(parameter, after, to(test))
    return _fitted(bench, parameter, test, (before, result.ratio), (after, bench.ratio(test)))


def fit(drive: Drive, catalog: Catalog) -> tuple[Drive, list[FittedParameter]]:
    """Fit a drive anew, whatever its file has in `[fitted]`; the drive so fitted, and each parameter.

    Disks have nothing to fit; of drives that were measured the table `[calibrated]` says how they are.
    """
    if not isinstance(drive.sheet, SsdSheet) or drive.nand is None or drive.calibrated is not None:
        return drive, []
    sheet = drive.sheet.model_copy(update={"fitted": Fitted()})
    stated = replace(drive, sheet=sheet, interface=drive.interface.as_stated)
    bench = _Bench(stated, sheet, drive.nand, catalog)
    tests = {test.key.removeprefix("performance."): test for test in sheet_tests(drive)}
    found = [
        _reads(bench, tests["random_read_iops"]),
        *_writes(bench, tests["random_write_iops"]),
        _overhead(bench, "read_overhead_ns", tests["read_latency_us"]),
        _overhead(bench, "write_overhead_ns", tests["write_latency_us"]),
    ]
    return replace(drive, sheet=bench.sheet), [fitted for fitted in found if fitted is not None]


def fit_all(
    catalog: Catalog,
    names: Sequence[str],
    update: Callable[[float, str], None],
    *,
    written: bool,
) -> SheetFits:
    """Fit the drives named on all cores, each by itself; `written`: and put the results into their files.

    Raises `CatalogError` for a name that the catalog does not have, `InputError` where a file cannot be written.
    """
    drives = [catalog.get(name) for name in names]
    fitted = over_cores(
        lambda drive: fit(drive, catalog), drives, lambda share, drive: update(share, drive.name)
    )
    if written:
        for drive, _ in fitted:
            write(drive)
    return SheetFits(drives=len(drives), written=written, fits=[row for _, rows in fitted for row in rows])


def table(fitted: Fitted) -> str:
    """The table `[fitted]` as text; empty where nothing is fitted."""
    rows = []
    for name in type(fitted).model_fields:
        figure = getattr(fitted, name)
        if figure is not None:
            rows.append(
                f"{name} = {{ value = {figure.value:.10g}, fitted = {json.dumps(figure.reason, ensure_ascii=False)} }}"
            )
    return "\n".join(["[fitted]", *rows, "", ""]) if rows else ""


def write(drive: Drive) -> None:
    """Put what was fitted into the drive's file.

    Raises `InputError` where the file cannot be written, or has no place for it.
    """
    if not isinstance(drive.sheet, SsdSheet):
        return
    text = read_text(drive.file)
    made = with_table(text, drive.row, table(drive.sheet.fitted), "fitted")
    if made != text:
        write_whole(drive.file, made)
