"""The catalog's `latency.toml`, from figures of measured drives.

Represented: errors of latency under load, below saturation, by operation and quantile; as calibrated, rows that were
fitted among them, and as each drive would be known from its sheet, left out of every fit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from drivecast.catalog.latency_error import DriveErrors, QuantileErrors, Spread
from drivecast.document.measured_drives import MeasuredFigure
from drivecast.errors import NoAnswer
from drivecast.reproduce import nvme_tables, sata_table
from drivecast.reproduce.real_drives import spread

HEAD = """# How far predicted latencies are off real drives: measured over predicted, or, beyond twice, by how many
# microseconds. `saturated`: where more is offered than the drive carries; `capacity`: what it then carries, and its
# steady writes. Written by `drivecast reproduce measured --latency-errors`. `measured`: drives as
# calibrated, rows that were fitted among them. `sheet_only`: each drive left out of every fit in turn, predicted from
# its sheet. First NVMe drives, reads beside writes; then, in `sata`, SATA drives on the host paths they were measured
# on, reads alone and writes alone, at most four outstanding; to their tails of reads those of the NVMe drives are
# added, since no SATA drive was measured with reads beside writes, and their capacity is that of NVMe drives.

[sources]
"""


@dataclass(frozen=True)
class Class:
    """Drives whose errors are put together: the table they are from, what the file calls it, and whose it is."""

    file: str
    prefix: str
    key: str
    source: str


NVME = Class(
    nvme_tables.LATENCY.file,
    "",
    "ssd-iq",
    "SSD-iq, raw data (Proceedings of the VLDB Endowment 18, 2025): four drives filled, reads beside writes at fixed "
    "rates, medians of three runs",
)
SATA = Class(
    sata_table.SATA.file,
    "sata.",
    "fio-plot",
    "fio-plot, benchmark data (github.com/louwrentius/fio-plot-data): five drives by depth and processes, 4 KiB, on "
    "four host paths, a minute a run",
)


BESIDE_WRITES = ("read p99", "read p999")
"""Of SATA drives, what waits for programs decides, which no table of theirs shows: NVMe drives are added."""
BOTH = "fio-plot-ssd-iq"
BOTH_SOURCE = "the two above: no SATA drive was measured with reads beside writes"


def toml(figures: Sequence[MeasuredFigure]) -> str:
    """Return the file, with SATA drives where the figures have some.

    Raises `NoAnswer` where a quantile has figures of fewer than two drives below saturation.
    """
    classes = [NVME, *([SATA] if any(figure.source == SATA.file for figure in figures) else [])]
    sources = [(each.key, each.source) for each in classes]
    sources += [(BOTH, BOTH_SOURCE)] if SATA in classes else []
    lines = [HEAD + "\n".join(f'{key} = "{source}"' for key, source in sources)]
    for each in classes:
        lines += _tables(figures, each)
    return "\n".join(lines) + "\n"


def _tables(figures: Sequence[MeasuredFigure], of: Class) -> list[str]:
    lines = []
    for name, calibrated in (("measured", True), ("sheet_only", False)):
        for op in ("read", "write"):
            for quantile in QuantileErrors.model_fields:
                of_class = (figures, of, f"{op} {quantile}", calibrated)
                lines += _table(f"{of.prefix}{name}.{op}.{quantile}", _below(*of_class))
                if of is NVME:
                    lines += _table(f"{name}.saturated.{op}.{quantile}", _saturated(*of_class))
        lines += _table(f"{of.prefix}{name}.capacity", _capacity(figures, calibrated))
    return lines


def _table(head: str, found: Spread) -> list[str]:
    drives = ",\n".join(f"    {_line(each)}" for each in found.drives)
    return ["", f"[{head}]", f'measured = "{found.measured}"', f"drives = [\n{drives},\n]"]


def _below(figures: Sequence[MeasuredFigure], of: Class, quantity: str, calibrated: bool) -> Spread:
    both = of is SATA and quantity in BESIDE_WRITES
    files = (SATA.file, NVME.file) if both else (of.file,)
    found = [
        figure
        for figure in figures
        if figure.source in files
        and (figure.quantity, figure.calibrated) == (quantity, calibrated)
        and not figure.saturated
    ]
    return _of_two(found, BOTH if both else of.key, f"{quantity} below saturation")


def _saturated(figures: Sequence[MeasuredFigure], of: Class, quantity: str, calibrated: bool) -> Spread:
    found = [
        figure
        for figure in figures
        if (figure.source, figure.quantity, figure.calibrated) == (of.file, quantity, calibrated)
        and figure.saturated
    ]
    return _of_two(found, of.key, f"{quantity} in saturation")


def _capacity(figures: Sequence[MeasuredFigure], calibrated: bool) -> Spread:
    found = [
        figure
        for figure in figures
        if figure.calibrated == calibrated
        and (
            (figure.quantity == nvme_tables.CARRIED and figure.saturated)
            or (figure.quantity == nvme_tables.WRITES_PER_S and figure.workload == nvme_tables.FULL)
        )
    ]
    return _of_two(found, NVME.key, "what is carried")


def _of_two(figures: Sequence[MeasuredFigure], measured: str, what: str) -> Spread:
    if len({figure.drive for figure in figures}) < 2:
        raise NoAnswer(f"expected {what} of two drives or more, found fewer")
    return spread(figures, measured)


def _line(errors: DriveErrors) -> str:
    ratios = ", ".join(f"{ratio:.4g}" for ratio in errors.ratios)
    excess = ", ".join(f"{us:.1f}" for us in errors.excess_us)
    return f'{{ drive = "{errors.drive}", ratios = [{ratios}], excess_us = [{excess}] }}'
