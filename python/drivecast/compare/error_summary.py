"""The errors so far of a prediction: by drive and kind of workload, the nearest that there are.

The nearest first: the same drive under the same kind; the same drive under any; the same kind on any drive. Figures are
medians of the ratios of predicted to measured, one a comparison, with the range of all (a range, and no interval: few
comparisons make no distribution, and those of one drive are not independent).
"""

from collections.abc import Sequence
from statistics import median
from typing import Any

from drivecast.document.error_log import ComparisonRow, KindRow, Record, Scope, Spread, Standing

FIGURES = {"iops": ("all", "iops"), "p50": (None, "q0.5"), "p99": (None, "q0.99")}
"""What is summarised; quantiles of reads and of writes together."""
COLUMNS = {
    "iops": ("all", "iops"),
    "read_p50": ("read", "q0.5"),
    "read_p99": ("read", "q0.99"),
    "write_p50": ("write", "q0.5"),
    "write_p99": ("write", "q0.99"),
}
"""Ratios that are listed of a comparison."""


def standing(records: Sequence[Record], drives: Sequence[str], kind: str) -> Standing:
    """The errors that matter for a design of these drives under this kind of workload."""
    wanted = sorted(set(drives))
    of_drive = [record for record in records if sorted(record.drives) == wanted]
    scopes: tuple[tuple[Scope, list[Record]], ...] = (
        ("drive and kind", [record for record in of_drive if record.kind == kind]),
        ("drive", of_drive),
        ("kind", [record for record in records if record.kind == kind]),
    )
    return next(
        (summary(scope, found) for scope, found in scopes if found), Standing(scope="none", n=0, within=0)
    )


def summary(scope: Scope, records: Sequence[Record]) -> Standing:
    """Median and range of the ratios of records."""
    spreads = {name: _spread(records, *figure) for name, figure in FIGURES.items()}
    within = sum(record.outcome == "within" for record in records)
    return Standing(scope=scope, n=len(records), within=within, **spreads)


def _spread(records: Sequence[Record], op: str | None, figure: str) -> Spread | None:
    ratios = [ratio for record in records for ratio in record.ratios if ratio.figure == figure]
    found = [ratio.ratio for ratio in ratios if op is None or ratio.op == op]
    return Spread(n=len(found), median=median(found), low=min(found), high=max(found)) if found else None


def by_kind(records: Sequence[Record]) -> list[KindRow]:
    """One row for each design's drives and kind of workload."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((" + ".join(record.drives), record.kind), []).append(record)
    found = []
    for (drive, kind), members in sorted(groups.items()):
        of = summary("drive and kind", members)
        spreads = {
            f"{name}{end}": getattr(getattr(of, name), figure, None)
            for name in FIGURES
            for end, figure in (("", "median"), ("_low", "low"), ("_high", "high"))
        }
        found.append(KindRow(drive=drive, kind=kind, comparisons=of.n, within=of.within, **spreads))
    return found


def each(records: Sequence[Record]) -> list[ComparisonRow]:
    """One row a comparison: what it is of, and its main ratios."""
    found = []
    for record in records:
        ratios = {(ratio.op, ratio.figure): ratio.ratio for ratio in record.ratios}
        shown: dict[str, Any] = {name: ratios.get(figure) for name, figure in COLUMNS.items()}
        own = record.model_dump(include=set(ComparisonRow.model_fields) - {"drive"})
        found.append(ComparisonRow(drive=" + ".join(record.drives) or record.design, **own, **shown))
    return found
