"""A test of steady state as text and as tables: the verdict first, then what the drive did in the window.

Input is a result of `drivecast bench pts`, or a part of its findings, see `docs/reference/json.md`. A run that is
not the specification's says so in its heading, whatever else is printed.
"""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from drivecast.document.result import Result
from drivecast.present import terminal
from drivecast.quantity import number

TESTS = {
    "iops": "IOPS test",
    "throughput": "throughput test",
    "latency": "latency test",
    "saturation": "write saturation test",
}
FIGURES = {
    "iops": (("IOPS", "iops", number.iops),),
    "throughput": (("throughput", "throughput_bytes_per_s", number.throughput),),
    "latency": (
        ("mean latency, ms", "latency_ns_mean", number.milliseconds),
        ("longest latency, ms", "latency_ns_max", number.milliseconds),
        ("IOPS", "iops", number.iops),
    ),
    "saturation": (),
}
"""What the tables of a test show."""
SCALES = {"iops": ("IOPS", 1.0), "throughput_bytes_per_s": ("MB/s", 1e6), "latency_ns_mean": ("ms", 1e6)}
"""Unit of a tracked quantity where it is drawn, and how many of its own are one."""
WORDS = {
    "iops": number.iops,
    "throughput_bytes_per_s": number.throughput,
    "latency_ns_mean": number.latency,
}


def title(findings: Mapping[str, Any], target: str) -> str:
    """What was tested, and by which rules: `IOPS test of /dev/sdx by SNIA SSS PTS 2.0.2`."""
    name = TESTS[findings["test"]]
    if findings["quick"]:
        return f"quick {name} of {target}, not {findings['specification']}"
    return f"{name} of {target} {claim(findings)}"


def claim(findings: Mapping[str, Any]) -> str:
    """How far it follows the specification, in a few words."""
    if findings["quick"]:
        return f"quick, not {findings['specification']}"
    exceptions = len(findings["deviations"])
    if not exceptions:
        return f"by {findings['specification']}"
    return f"after {findings['specification']}, with {exceptions} exception{'s' * (exceptions > 1)}"


def text(result: Result) -> str:
    """Return a test in lines."""
    findings = result.findings
    lines = [terminal.clean(title(findings, result.targets[0]["name"]))]
    if result.partial:
        lines.append(f"  partial: {terminal.clean(result.partial)}")
    if findings["deviations"]:
        lines.append("  not as specified:")
    for one in findings["deviations"]:
        lines += textwrap.wrap(one, terminal.WIDTH - 6, initial_indent="    - ", subsequent_indent="      ")
    for part in findings["parts"]:
        lines += ["", f"{part['part']}: {verdict(part)}", *_variables(part)]
        if "series" in part:
            lines += ["", *_saturation(part)]
        for name, key, word in FIGURES[findings["test"]]:
            lines += ["", *_matrix(part["matrix"], name, key, word)]
        lines += _histogram(part)
    return terminal.joined(lines)


def verdict(part: Mapping[str, Any]) -> str:
    """Whether steady state was reached, in a sentence."""
    window = part["window"]
    if part["reached"]:
        unit = "steps" if "series" in part else "rounds"
        return f"steady state reached, measured in {unit} {window[0]} to {window[1]}"
    if "series" in part and not part["matrix"]:
        return f"{part['rounds']} steps, too few to judge steady state by"
    if part["ended_by"] is None:
        return f"not over: {part['rounds']} of at most {part['rounds_max']} rounds"
    told = "; figures are of the last five looked at" if part["matrix"] else ""
    unit = "steps" if "series" in part else "rounds"
    return f"steady state NOT reached in {part['rounds']} {unit}{told}"


def rows(result: Result) -> list[dict[str, Any]]:
    """Return a table: a row a cell of the measurement window, or of write saturation a row a step."""
    findings = result.findings
    table = []
    for part in findings["parts"]:
        window = part["window"] or [None, None]
        head = {
            "target": result.targets[0]["name"],
            "rules": claim(findings),
            "part": part["part"],
            "steady_state": "reached" if part["reached"] else "not reached",
            "window_first": window[0],
            "window_last": window[1],
        }
        table += [head | dict(row) for row in part.get("series") or part["matrix"]]
    return table


def rounds(part: Mapping[str, Any]) -> pl.DataFrame:
    """Return the tracked values by round, in the unit they are drawn in: `name`, `round`, `value`."""
    scale = SCALES[part["variables"][0]["quantity"]][1]
    return pl.DataFrame(
        [
            {"name": one["name"], "round": count * one["spacing"], "value": value / scale}
            for one in part["variables"]
            for count, value in enumerate(one["values"], 1)
        ],
        schema={"name": pl.String, "round": pl.Int64, "value": pl.Float64},
    )


def windows(part: Mapping[str, Any]) -> pl.DataFrame:
    """Return the window of each variable: `name`, `first`, `last`, `mean`, `low`, `high`, the fitted ends."""
    scale = SCALES[part["variables"][0]["quantity"]][1]
    return pl.DataFrame(
        [
            {
                "name": one["name"],
                "first": part["window"][0],
                "last": part["window"][1],
                "mean": one["mean"] / scale,
                "low": 0.9 * one["mean"] / scale,
                "high": 1.1 * one["mean"] / scale,
                "fit_first": one["fit_first"] / scale,
                "fit_last": one["fit_last"] / scale,
                "steady": one["steady"],
            }
            for one in part["variables"]
            if "mean" in one
        ],
        schema={
            "name": pl.String,
            "first": pl.Int64,
            "last": pl.Int64,
            **dict.fromkeys(("mean", "low", "high", "fit_first", "fit_last"), pl.Float64),
            "steady": pl.Boolean,
        },
    )


def _variables(part: Mapping[str, Any]) -> list[str]:
    known = [one for one in part["variables"] if "mean" in one]
    if not known:
        return []
    lines = [f"  {'tracked':<18}{'mean':>12}{'range, <= 20 %':>18}{'slope, <= 10 %':>18}"]
    for one in known:
        cells = [
            f"{number.percent(one['range'])} {_mark(one['range_holds'])}",
            f"{number.percent(one['excursion'])} {_mark(one['slope_holds'])}",
        ]
        lines.append(
            f"  {one['name']:<18}{WORDS[one['quantity']](one['mean']):>12}{cells[0]:>18}{cells[1]:>18}"
        )
    return lines


def _mark(holds: bool) -> str:
    return "ok" if holds else "NO"


def grid(
    cells: Sequence[Mapping[str, Any]], key: str, word: number.Text
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Lay cells out as the specification does: a line a block size, a column a mix, writes alone first."""
    mixes = list(dict.fromkeys(one["name"].split(" ")[0] for one in reversed(cells)))
    sizes = sorted({one["block_bytes"] for one in cells})
    shown = {(one["name"].split(" ")[0], one["block_bytes"]): word(one[key]) for one in cells}
    rows = [
        (f"{size / 1024:g} KiB", *(shown.get((mix, size), number.ABSENT) for mix in mixes)) for size in sizes
    ]
    return ("R/W", *mixes), rows


def _matrix(cells: Sequence[Mapping[str, Any]], name: str, key: str, word: number.Text) -> list[str]:
    if not cells:
        return []
    heads, rows = grid(cells, key, word)
    width = max(10, 2 + max(len(cell) for row in rows for cell in row[1:]))
    table = [(f"{name} by {heads[0]}", *heads[1:]), *rows]
    return [f"  {row[0]:<26}" + "".join(f"{cell:>{width}}" for cell in row[1:]) for row in table]


def _saturation(part: Mapping[str, Any]) -> list[str]:
    series, fall = part["series"], part["cliff"]
    if not series:
        return []
    last = series[-1]
    ends = {"capacity": "four times the span", "rounds": "the time", "steady": "steady state"}
    lines = [
        f"  written   {number.size(last['written_bytes'])} in {number.duration(last['end_s'])}, "
        f"ended by {ends.get(part['ended_by'], 'nothing yet')}"
    ]
    if fall is None:
        return [*lines, "  cliff     none: no fall by more than a fifth that lasts"]
    return [
        *lines,
        f"  cliff     after {number.duration(fall['start_s'])} and {number.size(fall['written_bytes'])}, "
        f"{number.multiple(fall['spans'])} the span",
        f"            from {number.iops(fall['iops_before'])} IOPS, in the end {number.iops(fall['iops_settled'])}",
    ]


def _histogram(part: Mapping[str, Any]) -> list[str]:
    latency = (part["histogram"] or {}).get("latency_ns")
    if not latency:
        return []
    told = (
        ("median", "q0.5"),
        ("p99", "q0.99"),
        ("p99.9", "q0.999"),
        ("p99.99", "q0.9999"),
        ("longest", "max"),
    )
    cells = ", ".join(f"{name} {number.latency(latency[key])}" for name, key in told if key in latency)
    return ["", f"  0/100 4 KiB in the end: {cells}"]
