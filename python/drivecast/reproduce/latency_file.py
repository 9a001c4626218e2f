"""The catalog's `latency.toml`, from figures of measured drives.

Represented: errors of latency under load, below saturation, by operation and quantile; as calibrated, rows that were
fitted among them, and as each drive would be known from its sheet, left out of every fit.
"""

from collections.abc import Sequence

from drivecast.catalog.latency_error import DriveErrors, QuantileErrors, Spread
from drivecast.document.measured_drives import MeasuredFigure
from drivecast.errors import NoAnswer
from drivecast.reproduce import nvme_tables
from drivecast.reproduce.real_drives import spread

HEAD = """# How far predicted latencies are off real drives below saturation: measured over predicted, or, beyond twice,
# by how many microseconds. Written by `drivecast reproduce measured --latency-errors`. `measured`: drives as
# calibrated, rows that were fitted among them. `sheet_only`: each drive left out of every fit in turn, predicted from
# its sheet.

[sources]
"""
SOURCE = (
    "SSD-iq, raw data (Proceedings of the VLDB Endowment 18, 2025): four drives filled, reads beside writes at fixed "
    "rates, medians of three runs"
)
KEY = "ssd-iq"


def toml(figures: Sequence[MeasuredFigure]) -> str:
    """Return the file. Raises `NoAnswer` where a quantile has figures of fewer than two drives below saturation."""
    lines = [f'{HEAD}{KEY} = "{SOURCE}"']
    for name, calibrated in (("measured", True), ("sheet_only", False)):
        for op in ("read", "write"):
            for quantile in QuantileErrors.model_fields:
                found = _of(figures, f"{op} {quantile}", calibrated=calibrated)
                drives = ",\n".join(f"    {_line(each)}" for each in found.drives)
                lines += ["", f"[{name}.{op}.{quantile}]", f'measured = "{KEY}"', f"drives = [\n{drives},\n]"]
    return "\n".join(lines) + "\n"


def _of(figures: Sequence[MeasuredFigure], quantity: str, *, calibrated: bool) -> Spread:
    found = [
        figure
        for figure in figures
        if figure.source == nvme_tables.LATENCY.file
        and figure.quantity == quantity
        and figure.calibrated == calibrated
        and not figure.saturated
    ]
    if len({figure.drive for figure in found}) < 2:
        raise NoAnswer(f"expected {quantity} of two drives or more below saturation, found fewer")
    return spread(found, KEY)


def _line(errors: DriveErrors) -> str:
    ratios = ", ".join(f"{ratio:.4g}" for ratio in errors.ratios)
    excess = ", ".join(f"{us:.1f}" for us in errors.excess_us)
    return f'{{ drive = "{errors.drive}", ratios = [{ratios}], excess_us = [{excess}] }}'
