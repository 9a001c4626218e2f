"""A measured drive as it would be known from its sheet alone: left out of everything that was fitted to it.

Represented: the drive without its table `[calibrated]`; of its flash generation, the wait for a suspension and the
time of a program, and of its interface what the time of a write varies by, each, where it was fitted to drives, the
geometric mean of the other calibrated drives of the generation (what a lone request takes besides flash and transfers:
the mean, since it may be nearly 0); and fitted to its sheet anew, as drives are that
nobody measured (`calibration.fitting`). Left out: the streams of the generation, chosen on
the PM9A3, which decide no latency below saturation.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, geometric_mean

from drivecast.calibration import fitting
from drivecast.catalog import Catalog, device_spec
from drivecast.catalog.calibrated import Calibrated
from drivecast.catalog.drive import Drive
from drivecast.catalog.figure import Figure
from drivecast.catalog.latency_error import LatencyErrors
from drivecast.catalog.sheet import Interface, Nand, Overhead, SsdSheet


def catalog_without(catalog: Catalog, name: str) -> Catalog:
    """Return the catalog with this drive as its sheet and the other measured drives leave it."""
    drive = catalog.get(name)
    sheet = drive.sheet
    if not isinstance(sheet, SsdSheet) or drive.nand is None:
        return catalog
    others = [
        other
        for other in catalog.drives.values()
        if other.name != name and other.calibrated is not None and _same_flash(other, sheet)
    ]
    measured = [other.calibrated for other in others if other.calibrated is not None]
    blind = replace(
        drive,
        sheet=sheet.model_copy(update={"calibrated": None}),
        latency_errors=_sheet_errors(catalog, sheet.identity.interface, name),
    )
    if others:
        link = _interface(_overheads(drive.interface, others), measured)
        blind = replace(blind, nand=_nand(drive.nand, measured), interface=link)
    fitted, _ = fitting.fit(blind, catalog)
    return replace(catalog, drives={**catalog.drives, name: fitted})


def _sheet_errors(catalog: Catalog, interface: str, name: str) -> LatencyErrors | None:
    """Return how far drives known from their sheets are off, those but this one."""
    if catalog.latency is None:
        return None
    return catalog.latency.of_interface(interface).sheet_only.without(name)


def without_errors_of(catalog: Catalog, name: str) -> Catalog:
    """Return the catalog in which how far this drive may be off comes from other drives alone."""
    drive = catalog.drives.get(name)
    if drive is None or drive.latency_errors is None:
        return catalog
    judged = replace(drive, latency_errors=drive.latency_errors.without(name))
    return replace(catalog, drives={**catalog.drives, name: judged})


def _same_flash(other: Drive, sheet: SsdSheet) -> bool:
    return isinstance(other.sheet, SsdSheet) and other.sheet.flash.nand == sheet.flash.nand


def _nand(nand: Nand, others: Sequence[Calibrated]) -> Nand:
    found: dict[str, object] = {}
    if nand.program_us.fitted is not None:
        typical = geometric_mean(each.program_us.value for each in others)
        found["program_us"] = nand.program_us.model_copy(update={"typical": typical})
    if nand.suspend_wait_us is not None and nand.suspend_wait_us.fitted is not None:
        found["suspend_wait_us"] = _mean([each.suspend_wait_us for each in others])
    return nand.model_copy(update=found)


def _interface(interface: Interface, others: Sequence[Calibrated]) -> Interface:
    known = [each.write_jitter_us for each in others if each.write_jitter_us is not None]
    return interface.model_copy(update={"write_jitter_us": _mean(known)}) if known else interface


def _overheads(interface: Interface, others: Sequence[Drive]) -> Interface:
    """The interface with what lone requests of the others take besides flash and transfers, where it has that."""
    specs = [device_spec(other) for other in others]
    found = {}
    for way in ("read", "write"):
        overhead: Overhead | None = getattr(interface, f"{way}_overhead")
        if overhead is not None:
            measured = _fitted(fmean(spec[f"{way}_overhead_ns"] for spec in specs) / 1e3)
            found[f"{way}_overhead"] = overhead.model_copy(update={"measured_us": measured})
    return interface.model_copy(update=found)


def _mean(figures: Sequence[Figure[float]]) -> Figure[float]:
    return _fitted(geometric_mean(figure.value for figure in figures))


def _fitted(value: float) -> Figure[float]:
    return Figure[float](value=value, fitted="the other measured drives of the generation")
