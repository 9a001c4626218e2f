"""A test of steady state as text, tables and figures: the verdict first, then the measurement window.

A run that does not follow the specification says so in its heading, whatever else is shown.
"""

from collections.abc import Sequence
from typing import Any

import polars as pl
from rich.text import Text

from drivecast.document.findings import CellMean, Findings, SteadyPart, SteadyState, Tracked
from drivecast.document.result import Result
from drivecast.present import grid
from drivecast.present.answer import Headline, Tile
from drivecast.present.drawing import Figure, numbered
from drivecast.present.figure import convergence
from drivecast.present.measured.cells import Table
from drivecast.present.measured.naming import LAGS
from drivecast.quantity import number

TESTS = {
    "iops": "IOPS test",
    "throughput": "throughput test",
    "latency": "latency test",
    "saturation": "write saturation test",
}
FIGURES = {
    "iops": (("IOPS", "iops", number.iops),),
    "throughput": (("Throughput", "throughput_bytes_per_s", number.throughput),),
    "latency": (
        ("Mean latency, ms", "latency_ns_mean", number.milliseconds),
        ("Maximum latency, ms", "latency_ns_max", number.milliseconds),
        ("IOPS", "iops", number.iops),
    ),
    "saturation": (),
}
"""What the tables of a test show."""
WORDING = {
    "iops": number.iops,
    "throughput_bytes_per_s": number.throughput,
    "latency_ns_mean": number.latency,
}
LOADS = {
    "iops": "random writes of 4 KiB a second",
    "throughput": "written in order in blocks of 1024 KiB",
    "latency": "for a random write of 4 KiB, one at a time",
}
ENDS = {"capacity": "four times the span", "rounds": "time", "steady": "steady state"}


def title(findings: SteadyState, target: str) -> str:
    """Return what was tested, and by which rules: `IOPS test of /dev/sdx by SNIA SSS PTS 2.0.2`."""
    name = TESTS[findings.test]
    if findings.quick:
        return f"quick {name} of {target}, not {findings.specification}"
    return f"{name} of {target} {claim(findings)}"


def claim(findings: SteadyState) -> str:
    """Return how far it follows the specification, in a few words."""
    if findings.quick:
        return f"quick, not {findings.specification}"
    exceptions = len(findings.deviations)
    if not exceptions:
        return f"by {findings.specification}"
    return f"after {findings.specification}, with {exceptions} exception{'s' * (exceptions > 1)}"


def verdict(part: SteadyPart) -> str:
    """Return whether steady state was reached, in a sentence."""
    unit = "rounds" if part.series is None else "steps"
    if part.reached and part.window:
        return f"steady state reached, measured in {unit} {part.window[0]} to {part.window[1]}"
    if part.series is not None and not part.matrix:
        return f"{part.rounds} steps, too few to judge steady state by"
    if part.ended_by is None:
        return f"not finished: {part.rounds} of at most {part.rounds_max} rounds"
    window = "; figures are of the last five rounds judged" if part.matrix else ""
    return f"steady state NOT reached in {part.rounds} {unit}{window}"


def text(result: Result, findings: SteadyState) -> Text:
    """Return a test in lines."""
    lines: list[str | Text] = [grid.clean(title(findings, result.targets[0].name))]
    if result.partial:
        lines.append(f"  partial: {grid.clean(result.partial)}")
    if findings.deviations:
        lines.append("  not as specified:")
    for deviation in findings.deviations:
        lines += grid.wrapped(f"- {deviation}", indent=4, hanging=2)
    for part in findings.parts:
        lines += ["", f"{part.part}: {verdict(part)}", *_tracked_lines(part), *_saturation(part)]
        for name, key, wording in FIGURES[findings.test]:
            lines += _matrix(part.matrix, name, key, wording)
        lines += _histogram(part)
    return grid.page(lines)


def rows(result: Result, findings: SteadyState) -> list[dict[str, Any]]:
    """Return a row a cell of the measurement window, or of write saturation a row a step."""
    table = []
    for part in findings.parts:
        first, last = part.window or (None, None)
        head = {
            "target": result.targets[0].name,
            "rules": claim(findings),
            "part": part.part,
            "steady_state": "reached" if part.reached else "not reached",
            "window_first": first,
            "window_last": last,
        }
        table += [head | row.model_dump() for row in part.series or part.matrix]
    return table


def headline(findings: SteadyState) -> Headline:
    """Return the title of the page, the sentences below it, and the tiles."""
    rules = claim(findings)
    sentences = [
        f"A quick look, not {findings.specification}" if findings.quick else f"Measured {rules}",
        *(f"{part.part[:1].upper()}{part.part[1:]}: {verdict(part)}" for part in findings.parts),
        *(f"Not as specified: {deviation}".replace("`", "") for deviation in findings.deviations),
    ]
    return Headline(
        _headline(findings), sentences, [tile for part in findings.parts for tile in _tiles(part)]
    )


def tables(findings: Findings) -> list[Table]:
    """Return what was tracked, and the cells of all parts over their measurement windows."""
    if not isinstance(findings, SteadyState):
        return []
    tracked = [
        (
            part.part,
            variable.name,
            WORDING[variable.quantity](variable.mean),
            number.percent(variable.range),
            number.percent(variable.excursion),
            "steady" if variable.steady else "not steady",
        )
        for part in findings.parts
        for variable in _judged(part)
    ]
    heads = ("part", "R/W, block", "mean", "range, ≤ 20 %", "slope, ≤ 10 %", "verdict")
    cells = [cell for part in findings.parts for cell in part.matrix]
    return [
        Table("Tracked", heads, tracked, 2),
        *(
            Table(f"{name} by reads and writes", *_laid(cells, key, wording), 1)
            for name, key, wording in FIGURES[findings.test]
        ),
    ]


def figures(result: Result) -> list[Figure]:
    """Return the convergence of each part, and write saturation over what was written."""
    findings = result.findings
    if not isinstance(findings, SteadyState):
        return []
    several = len(findings.parts) > 1
    saturated = (
        (convergence.saturation(pl.DataFrame(part.series), findings.span_bytes, part.cliff), "")
        for part in findings.parts
        if part.series
    )
    tracked = (
        (convergence.convergence(part), part.part if several else "")
        for part in findings.parts
        if any(variable.values for variable in part.variables)
    )
    return [*numbered("write-saturation", saturated), *numbered("convergence", tracked)]


def _judged(part: SteadyPart) -> list[Tracked]:
    """Return the variables of a part that have a measurement window."""
    return [variable for variable in part.variables if variable.mean is not None]


def _headline(findings: SteadyState) -> str:
    part = findings.parts[0]
    if findings.test != "saturation":
        if not findings.reached:
            return f"No steady state in {max(part.rounds for part in findings.parts)} rounds"
        variable = part.variables[0]
        return f"Steady at {WORDING[variable.quantity](variable.mean)} {LOADS[findings.test]}"
    if fall := part.cliff:
        rates = f"{number.iops(fall.iops_before)} to {number.iops(fall.iops_settled)} IOPS"
        return f"Random writes fall from {rates} after {number.size(fall.written_bytes)}"
    written = number.size(part.series[-1].written_bytes) if part.series else None
    return f"No cliff within {written} written" if written else "Nothing yet"


def _tiles(part: SteadyPart) -> list[Tile]:
    made = []
    for variable in _judged(part):
        alone = part.part in ("IOPS", "latency")
        name = variable.name if alone else f"{part.part}, {variable.name.split(' ')[0]}"
        notes = [f"range {number.percent(variable.range)}", f"slope {number.percent(variable.excursion)}"]
        made.append(Tile(name, WORDING[variable.quantity](variable.mean), notes))
    return made


def _tracked_lines(part: SteadyPart) -> list[Text]:
    rows = [
        (
            variable.name,
            WORDING[variable.quantity](variable.mean),
            f"{number.percent(variable.range)} {'ok' if variable.range_holds else 'NO'}",
            f"{number.percent(variable.excursion)} {'ok' if variable.slope_holds else 'NO'}",
        )
        for variable in _judged(part)
    ]
    heads = ("<tracked", "mean", "range, ≤ 20 %", "slope, ≤ 10 %")
    return grid.table(heads, rows, indent=2) if rows else []


def _laid(
    cells: Sequence[CellMean], key: str, wording: number.Text
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Lay cells out as the specification does: a line a block size, a column a mix, writes alone first."""
    mixes = list(dict.fromkeys(cell.name.split(" ")[0] for cell in reversed(cells)))
    sizes = sorted({cell.block_bytes for cell in cells})
    shown = {(cell.name.split(" ")[0], cell.block_bytes): wording(getattr(cell, key)) for cell in cells}
    rows = [
        (f"{size / 1024:g} KiB", *(shown.get((mix, size), number.ABSENT) for mix in mixes)) for size in sizes
    ]
    return ("R/W", *mixes), rows


def _matrix(cells: Sequence[CellMean], name: str, key: str, wording: number.Text) -> list[str | Text]:
    if not cells:
        return []
    heads, rows = _laid(cells, key, wording)
    return ["", *grid.table((f"<{name} by {heads[0]}", *heads[1:]), rows, indent=2)]


def _saturation(part: SteadyPart) -> list[str | Text]:
    if not part.series:
        return []
    last, fall = part.series[-1], part.cliff
    ended = f"ended by {ENDS[part.ended_by]}" if part.ended_by else "not finished"
    pairs = [
        ("written", f"{number.size(last.written_bytes)} in {number.duration(last.end_s)}, {ended}"),
        ("cliff", "none: no lasting fall by more than a fifth"),
    ]
    if fall is not None:
        after = f"after {number.duration(fall.start_s)} and {number.size(fall.written_bytes)}"
        pairs[1:] = [
            ("cliff", f"{after}, {number.multiple(fall.spans)} the span"),
            ("", f"from {number.iops(fall.iops_before)} to {number.iops(fall.iops_settled)} IOPS at the end"),
        ]
    return ["", *grid.pairs(pairs)]


def _histogram(part: SteadyPart) -> list[str]:
    if part.histogram is None or part.histogram.latency_ns is None:
        return []
    latency = part.histogram.latency_ns.figures()
    cells = ", ".join(
        f"{name} {number.latency(latency[key])}" for name, key in LAGS.items() if key in latency
    )
    return ["", f"  0/100 4 KiB at the end: {cells}"]
