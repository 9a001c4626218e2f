"""A test of steady state on the page of a result: what is said first, its tables, and its figures.

By which rules it was measured stands in the first sentence, and what was not as specified in those that follow.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from drivecast.document.result import Result
from drivecast.present import steady_state
from drivecast.present.answer import Tile
from drivecast.present.drawing import Figure
from drivecast.present.figure import convergence, saturation
from drivecast.quantity import number

Part = Mapping[str, Any]
Laid = tuple[str, tuple[str, ...], list[tuple[str, ...]], int]
"""A table: title, heads, rows, and how many columns from the left hold words."""
LOADS = {
    "iops": "random writes of 4 KiB a second",
    "throughput": "written in order in blocks of 1024 KiB",
    "latency": "for a random write of 4 KiB, one at a time",
}


def said(result: Result) -> tuple[str, list[str], list[Tile]] | None:
    """The title, the sentences below it, and the tiles; none where nothing was judged."""
    findings = result.findings
    if not findings.get("parts"):
        return None
    claim = steady_state.claim(findings)
    sentences = [
        f"Measured {claim}" if not findings["quick"] else f"A quick look, not {findings['specification']}"
    ]
    sentences += [
        f"{part['part'][:1].upper()}{part['part'][1:]}: {steady_state.verdict(part)}"
        for part in findings["parts"]
    ]
    sentences += [f"Not as specified: {one}".replace("`", "") for one in findings["deviations"]]
    tiles = [tile for part in findings["parts"] for tile in _tiles(part)]
    return _title(findings), sentences, tiles


def tables(result: Result) -> list[Laid]:
    """What was tracked, and the cells of all parts over their measurement windows."""
    parts = result.findings.get("parts", [])
    tracked: list[tuple[str, ...]] = [
        (
            part["part"],
            one["name"],
            steady_state.WORDS[one["quantity"]](one["mean"]),
            number.percent(one["range"]),
            number.percent(one["excursion"]),
            "steady" if one["steady"] else "not steady",
        )
        for part in parts
        for one in part["variables"]
        if "mean" in one
    ]
    made: list[Laid] = [
        ("Tracked", ("part", "R/W, block", "mean", "range, ≤ 20 %", "slope, ≤ 10 %", "verdict"), tracked, 2)
    ]
    cells = [cell for part in parts for cell in part["matrix"]]
    for name, key, word in steady_state.FIGURES[result.findings["test"]] if cells else ():
        heads, rows = steady_state.grid(cells, key, word)
        made.append((f"{name[:1].upper()}{name[1:]} by reads and writes", heads, rows, 1))
    return [one for one in made if one[2]]


def figures(result: Result) -> list[Figure]:
    """The convergence of each part, and write saturation over what was written."""
    parts = result.findings.get("parts", [])
    made: list[Figure] = []
    for part in parts:
        if series := part.get("series"):
            chart = saturation.chart(pl.DataFrame(series), result.findings["span_bytes"], part["cliff"])
            made.append(Figure(_numbered("write-saturation", made), chart))
        if any(one["values"] for one in part["variables"]):
            unit = steady_state.SCALES[part["variables"][0]["quantity"]][0]
            drawn = convergence.chart(
                steady_state.rounds(part),
                steady_state.windows(part),
                unit,
                "step" if "series" in part else "round",
            )
            made.append(Figure(_numbered("convergence", made), drawn, part["part"] if len(parts) > 1 else ""))
    return made


def _numbered(name: str, made: Sequence[Figure]) -> str:
    count = sum(one.name.startswith(name) for one in made)
    return name if count == 0 else f"{name}-{count + 1}"


def _title(findings: Mapping[str, Any]) -> str:
    part = findings["parts"][0]
    if findings["test"] == "saturation":
        return _fall(part)
    if not findings["reached"]:
        rounds = max(one["rounds"] for one in findings["parts"])
        return f"No steady state in {rounds} rounds"
    one = part["variables"][0]
    return f"Steady at {steady_state.WORDS[one['quantity']](one['mean'])} {LOADS[findings['test']]}"


def _fall(part: Part) -> str:
    fall = part["cliff"]
    if fall is None:
        return (
            f"No cliff within {number.size(part['series'][-1]['written_bytes'])} written"
            if part["series"]
            else "Nothing yet"
        )
    return (
        f"Random writes fall from {number.iops(fall['iops_before'])} to {number.iops(fall['iops_settled'])} IOPS "
        f"after {number.size(fall['written_bytes'])}"
    )


def _tiles(part: Part) -> list[Tile]:
    return [
        Tile(
            one["name"]
            if part["part"] in ("IOPS", "latency")
            else f"{part['part']}, {one['name'].split(' ')[0]}",
            steady_state.WORDS[one["quantity"]](one["mean"]),
            [f"range {number.percent(one['range'])}", f"slope {number.percent(one['excursion'])}"],
        )
        for one in part["variables"]
        if "mean" in one
    ]
