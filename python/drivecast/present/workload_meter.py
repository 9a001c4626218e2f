"""A measurement of the workload meter, one figure a line."""

from rich.text import Text

from drivecast.document.meter import Measurement
from drivecast.present import grid
from drivecast.quantity import number
from drivecast.quantity.interval import Span

DAYS_PER_YEAR = 365.25
UNKNOWN = "unknown"
TOO_SHORT = "measurement too short"


def lines(found: Measurement) -> list[Text]:
    """Return the lines of a measurement."""
    by = "its workload timer" if found.method == "timer" else "differences"
    reads = number.percent(found.read_ratio)
    return grid.table(
        ("<", "<"),
        [
            ("drive", f"{found.device or ''} {found.model}, serial {found.serial}".strip()),
            ("measured", f"{found.minutes:.0f} min, by {by}"),
            *([("wear", _wear(found))] if found.wear_ratio and found.wear_ratio.value is not None else []),
            *([("reads", f"{reads} of operations")] if reads != number.ABSENT else []),
            ("host writes", _bytes(found.host_written_bytes)),
            ("NAND writes", _bytes(found.nand_written_bytes)),
            *([("write amplification", _amplification(found))] if found.write_amplification else []),
            ("media life", f"{_years(found.life_years_media)} from new, under this workload alone"),
            ("media life left", _years(found.left_years_media)),
            *([("warranty left", _warranty(found))] if found.rated_source else []),
            *(("note", note) for note in found.notes),
        ],
    )


def _wear(found: Measurement) -> str:
    wear = found.wear_ratio or Span()
    value, step = wear.value or 0, (wear.high or 0) - (wear.value or 0)
    return f"{100 * value:.4f} % (step {100 * step:.2g} %, {found.wear_attribute})"


def _amplification(found: Measurement) -> str:
    span = found.write_amplification or Span()
    top = "more" if span.high is None else f"{span.high:.2f}"
    shown = TOO_SHORT if span.value is None else f"{span.value:.2f} ({span.low:.2f} to {top})"
    return f"{shown}, {found.write_amplification_by}"


def _warranty(found: Measurement) -> str:
    written, rated = found.written_bytes or 0, found.rated_bytes or 0
    left = f"{_years(found.left_years_warranty)} at this rate of writes"
    if 0 < rated <= written:
        left = f"none: {number.size(written)} written"
    return f"{left} ({number.size(rated)} rated, {found.rated_provenance}: {found.rated_source})"


def _years(span: Span | None) -> str:
    """Years, or days where they are few."""
    if span is None:
        return UNKNOWN
    known = span.value if span.value is not None else span.low
    scale, unit = (DAYS_PER_YEAR, "days") if known is not None and known < 0.25 else (1, "years")
    if span.value is None:
        return TOO_SHORT + (f"; more than {span.low * scale:.2g} {unit}" if span.low else "")
    high = f"{span.high * scale:.3g}" if span.high is not None else "more"
    return f"{span.value * scale:.3g} {unit} ({(span.low or 0) * scale:.3g} to {high})"


def _bytes(span: Span | None) -> str:
    return "not counted" if span is None or span.value is None else f"{span.value / 1e9:,.2f} GB"
