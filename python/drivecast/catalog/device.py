"""From a drive's sheet to the simulated device: its parameters with provenance, its specification, its ratings."""

from typing import Any

from drivecast.catalog.disk_device import disk_parameters
from drivecast.catalog.drive import Drive
from drivecast.catalog.figure import Figure, known
from drivecast.catalog.sheet import HddSheet, SsdSheet
from drivecast.catalog.ssd_device import Corner, ssd_parameters
from drivecast.document.catalog import Parameter


def device_parameters(drive: Drive, corner: Corner = "typical") -> list[Parameter]:
    """List the parameters of the simulated device, with provenance."""
    if isinstance(drive.sheet, HddSheet):
        return disk_parameters(drive, drive.sheet)
    if drive.nand is None:  # the loader joins every flash drive with its generation
        raise AssertionError(f"`{drive.name}` has no flash generation")
    return ssd_parameters(drive, drive.sheet, drive.nand, corner)


def device_spec(drive: Drive, corner: Corner = "typical") -> dict[str, Any]:
    """Return the specification of the simulated device, as the simulator reads it from JSON."""
    spec: dict[str, Any] = {"kind": drive.sheet.kind}
    for row in device_parameters(drive, corner):
        part, _, name = row.name.rpartition(".")
        (spec.setdefault(part, {}) if part else spec)[name] = row.value
    return spec


def ratings(drive: Drive) -> list[Parameter]:
    """List the figures that assessments use, endurance, reliability and power, with provenance."""
    sheet = drive.sheet
    rows: list[tuple[str, Figure[float] | None]] = [
        ("mtbf_mh", sheet.reliability.mtbf_mh),
        ("uber", sheet.reliability.uber),
        ("idle_w", sheet.power.idle_w),
        ("active_w", sheet.power.active_w),
        ("warranty_years", sheet.endurance.warranty_years),
    ]
    if isinstance(sheet, SsdSheet):
        rows += [("tbw_tb", sheet.endurance.tbw_tb), ("dwpd", sheet.endurance.dwpd)]
    found = [known(name, figure.value, figure, sheet.sources) for name, figure in rows if figure is not None]
    field = drive.field_failure_rate
    found.append(known("field_failure_rate", field.value, field, drive.shared_sources))
    if isinstance(sheet, SsdSheet) and drive.pe_cycles is not None:
        span = drive.pe_cycles
        text = {**drive.shared_sources, **sheet.sources}
        found.append(known("pe_cycles", [span.low, span.typical, span.high], span, text))
    return found


def provenance(drive: Drive) -> list[Parameter]:
    """List everything that a result about this drive rests on, with provenance."""
    return device_parameters(drive) + ratings(drive)
