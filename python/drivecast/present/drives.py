"""The catalog as text: lists, parameters, doubts, comparisons with data sheets and measurements, ratings."""

from collections.abc import Iterator, Mapping

from rich.text import Text

from drivecast.document.calibration import (
    DiskValidation,
    Rating,
    RatingReason,
    SheetCheck,
    SheetFigure,
    SheetFits,
)
from drivecast.document.catalog import Findings, Inventory, Shown
from drivecast.present import grid
from drivecast.present.grid import Line
from drivecast.quantity import number

VALUE_WIDTH = 48
"""Characters of a value, such as a table of seek times, that are printed; JSON has all."""


def inventory(found: Inventory) -> list[Text]:
    """List drives, volumes and controllers."""
    rows = [
        (
            drive.name,
            drive.drive_class,
            f"{number.significant(drive.dwpd, 2)} DWPD" if drive.dwpd else None,
            number.money(drive.price_usd),
            number.percent(drive.assumed_share),
            "" if drive.available_today else "no longer sold",
        )
        for drive in (*found.drives, *found.volumes)
    ]
    listed = grid.table(("<drive", "<class", "rated writes", "price", "assumed", "<"), rows)
    controllers = [(controller.name, controller.title) for controller in found.controllers]
    return [*listed, Text(), *grid.table(("<controller", "<"), controllers)] if controllers else listed


def shown(found: Shown) -> list[Line]:
    """Show one drive with every parameter."""
    rows = [
        (row.name, grid.cut(_value(row.value), VALUE_WIDTH), row.provenance.value, row.source)
        for row in found.parameters
    ]
    table = grid.table(("<parameter", "<value", "<known by", "<source"), rows, indent=2)
    return [f"{found.title} ({found.drive_class})", *table]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,.10g}" if isinstance(value, int | float) else str(value)


def findings(found: Findings) -> list[Line]:
    """List what is impossible or doubtful."""
    lines = [Text(str(doubt), style="red" if doubt.severity == "error" else "") for doubt in found.findings]
    return [*lines, f"{found.drives} drives, {found.volumes} volumes, {len(found.findings)} findings"]


def sheet_check(found: SheetCheck, titles: Mapping[str, str]) -> Iterator[Line]:
    """Print each drive's figures: stated, simulated, ratio; `titles` are the drives' names for people."""
    heads = ("<test", "sheet", "<", "<known by", "simulated", "ratio", "<")
    drives = list(dict.fromkeys(row.drive for row in found.tests))
    rows = []
    for drive in drives:
        rows.append(grid.Row((f"{drive}  ({titles[drive]})", *[""] * 6), style="bold"))
        rows += [_sheet_figure(row) for row in found.tests if row.drive == drive]
    yield from grid.table(heads, rows)
    counts = found.counts
    yield (
        f"{len(found.tests)} tests of {len(drives)} drives: {counts.within} within {found.tolerance:.0%} of the sheet, "
        f"{counts.beyond} beyond, {counts.excused} excused"
    )


def _sheet_figure(row: SheetFigure) -> grid.Row:
    cells = (
        f"  {row.test}",
        _figure(row.stated),
        row.unit,
        row.provenance.value,
        _figure(row.simulated),
        f"{row.ratio:.2f}",
        "" if row.verdict == "within" else row.verdict,
    )
    notes = [Text(f"    {row.reason}", style="dim")] if row.verdict == "excused" else []
    return grid.Row(cells, style="red" if row.verdict == "beyond" else "", notes=notes)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def sheet_fits(found: SheetFits) -> list[Line]:
    """Print each fitted parameter, before and after."""
    rows = [
        (
            fit.drive,
            fit.parameter,
            *(f"{value:,.6g}" for value in (fit.before, fit.after)),
            *(f"{ratio:.2f}" for ratio in (fit.ratio_before, fit.ratio_after)),
            "; ".join(filter(None, (fit.fitted_to, fit.note))),
        )
        for fit in found.fits
    ]
    heads = ("<drive", "<parameter", "before", "after", "ratio\nbefore", "\nafter", "<fitted to")
    done = "written" if found.written else "not written; hint: `--write` puts them into the drives' files"
    summary = f"{len(rows)} parameters of {found.drives} drives fitted, {done}"
    return [*(grid.table(heads, rows) if rows else []), summary]


def validation(found: DiskValidation) -> list[Line]:
    """Print the demerit figure of each class of requests."""
    rows: list[tuple[grid.Cell, ...]] = []
    for of in found.classes:
        times_ms = (of.demerit_ms, of.mean_measured_ms, of.mean_simulated_ms)
        rows.append((of.requests_of, of.requests, *(f"{time_ms:.3f}" for time_ms in times_ms)))
    table = grid.table(("<requests", "count", "demerit", "measured", "simulated"), rows)
    return [*table, "demerit: rms distance of the two distributions; then the mean response times; in ms"]


def ratings(found: list[Rating]) -> list[Text]:
    """Print rated writes next to computed ones."""
    rows = [
        (
            rating.drive,
            number.count(rating.rated_tb),
            number.count(rating.computed_tb),
            f"{rating.computed_tb_low:,.0f}–{rating.computed_tb_high:,.0f}",
            f"{rating.ratio:.2f}",
            rating_reason(rating),
        )
        for rating in found
    ]
    return grid.table(("<drive", "rated\nTB", "computed\nTB", "low–high", "ratio", "<why"), rows)


def rating_reason(rating: Rating) -> str:
    """Say why rated and computed writes differ."""
    implied, whole = rating.pe_cycles_implied, rating.pe_cycles_implied / rating.rounding_factor
    kinder = rating.pe_cycles_high * rating.raw_tb / rating.rated_tb
    reasons: dict[RatingReason, str] = {
        "agrees": "agrees",
        "within-cycles": f"within the known range of the flash: the rating takes {implied:,.0f} cycles",
        "below-cycles": f"rated below what the flash can take: {implied:,.0f} cycles suffice",
        "slightly-above-cycles": (
            f"takes {implied:,.0f} cycles, slightly more than the known {rating.pe_cycles_high:,.0f}"
        ),
        "whole-units": f"rated for writes of whole mapping units: {whole:,.0f} cycles suffice for these",
        "kinder-load": (
            f"rated for a kinder load: write amplification of {kinder:.2g} at most, "
            f"not {rating.write_amplification:.2g}"
        ),
        "above-flash": "rated for more than its flash is known to take",
    }
    return reasons[rating.reason]
