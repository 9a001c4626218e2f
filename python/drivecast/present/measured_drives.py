"""Real drives next to ours, as text: drive by drive, then how far the figures are off by kind."""

import re
from collections.abc import Iterator
from itertools import groupby

from rich.text import Text

from drivecast.document.measured_drives import Agreement, LeftOut, MeasuredDrives, MeasuredFigure
from drivecast.present import grid
from drivecast.present.reproduction import rounded

QUANTILE = re.compile(r" p\d+$")
"""What ends the name of a latency: `read p99`."""
HEADS = ("<", "measured", "ours", "80 % interval", "ratio", "<")
BY_LOAD = ("<", "<load", "figures", "median error", "beyond 3 times", "in interval", "width")
SUMMARY = ("<", "figures", "median error", "within 10 %", "25 %", "factor 2", "worst", "in interval", "<")


def verdict(found: MeasuredDrives) -> str:
    """One line: which kinds of figures miss their goals."""
    missed = [each for each in found.summary if not each.passed]
    if not missed:
        return "errors within the goals"
    return "; ".join(map(_miss, missed))


def _miss(each: Agreement) -> str:
    parts = []
    if each.error_goal is not None:
        parts.append(f"median error {each.error_median:.0%} (goal {each.error_goal:.0%})")
    if each.factor_goal is not None:
        parts.append(f"worst factor {each.factor_worst:.3g} (goal {each.factor_goal:.3g})")
    if each.coverage_goal is not None and each.coverage is not None:
        low, high = each.coverage_goal
        parts.append(f"{each.coverage:.0%} in the interval (goal {low:.0%} to {high:.0%})")
    if each.width_goal is not None and each.width_reads is not None:
        parts.append(f"intervals of reads up to {each.width_reads:.2g} times wide (goal {each.width_goal:g})")
    return f"{each.quantities}: {', '.join(parts)}"


def text(found: MeasuredDrives) -> Text:
    """Tables by drive and workload, the summary, the verdict."""
    lines = list(_sections(found))
    lines += grid.table(SUMMARY, [_summary(each) for each in found.summary])
    if found.left_out:
        lines += ["", "drives left out, from their sheets, by load", ""]
        lines += grid.table(BY_LOAD, [_by_load(each) for each in found.left_out])
    lines += ["", *(f"left out: {each}" for each in found.skipped)] if found.skipped else []
    return grid.page([*lines, "", verdict(found)])


def _sections(found: MeasuredDrives) -> Iterator[str | Text]:
    for (drive, calibrated), of_drive in groupby(found.figures, key=lambda row: (row.drive, row.calibrated)):
        known = "latency measured" if calibrated else "sheet only"
        yield Text(f"{drive} ({known})", style="bold")
        for workload, rows in groupby(of_drive, key=lambda row: row.workload):
            yield f"  {workload}"
            yield from grid.table(HEADS, map(_row, rows), indent=4)
        yield ""


def _row(row: MeasuredFigure) -> tuple[str | Text, ...]:
    interval = "" if row.low is None else f"{rounded(row.low)} or more"
    if row.low is not None and row.high is not None:
        interval = f"{rounded(row.low)}–{rounded(row.high)}"
    near = 0.8 <= row.ratio <= 1.25
    return (
        f"{row.quantity} µs" if QUANTILE.search(row.quantity) else row.quantity,
        rounded(row.measured),
        rounded(row.predicted),
        interval,
        Text(f"{row.ratio:.2f}", style="" if near else "red"),
        "fitted" if row.fitted else "",
    )


def _by_load(each: LeftOut) -> tuple[str, ...]:
    least, below = f"{each.load_least:.0%}", each.load_below
    return (
        each.quantity,
        f"from {least}" if below is None else f"{least} to {below:.0%}",
        str(each.figures),
        f"{each.error_median:.0%}",
        f"{each.beyond_3:.0%}",
        "" if each.coverage is None else f"{each.coverage:.0%}",
        "" if each.width_median is None else f"{each.width_median:.3g} times",
    )


def _summary(each: Agreement) -> tuple[str | Text, ...]:
    return (
        each.quantities,
        str(each.figures),
        f"{each.error_median:.0%}",
        f"{each.within_10_percent:.0%}",
        f"{each.within_25_percent:.0%}",
        f"{each.within_factor_2:.0%}",
        f"{each.factor_worst:.3g}",
        "" if each.coverage is None else f"{each.coverage:.0%}",
        "" if each.passed else Text("above the goal", style="red"),
    )
