"""A result of `drivecast bench` as one self-contained HTML page: verdict, tables, figures, and how to repeat it.

The first screen is for buyers: a sentence, key figures, the tables of findings. Then come the figures, every point, and
all that it takes to measure it again. Everything on the page was measured, which it states once.
"""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drivecast.document.result import Result
from drivecast.files import write_whole
from drivecast.present.measured import figures, tables
from drivecast.present.measured.result_summary import headline
from drivecast.present.page import filled
from drivecast.quantity import number

ROWS_MAX = 400


def render(result: Result) -> str:
    """The page of a result."""
    found = [(table.title in tables.LONG, table.slim()) for table in tables.of_result(result)]
    return filled(
        "result.html",
        result=result,
        head=headline(result),
        first=[table for long, table in found if not long],
        rest=[table for long, table in found if long],
        rows_max=ROWS_MAX,
        figures=figures.of_result(result),
        warnings=result.findings.warnings,
        chosen=result.findings.chosen,
        command=shlex.join(["drivecast", *result.command]),
        machine=facts(result.environment),
        places=[(row.name, facts(row.known)) for row in result.targets],
        notes=list(dict.fromkeys(note for point in result.points for note in point.notes)),
        noise=disturbances(result),
    )


def write(result: Result, path: Path) -> None:
    """Write the page of a result, whole or not at all."""
    write_whole(path, render(result))


def facts(document: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Everything in a document that is known, as name and value, nested ones after the name that they lie in."""
    made: list[tuple[str, str]] = []
    for key, value in document.items():
        name = f"{prefix}{key.replace('_', ' ')}"
        match value:
            case None | []:
                continue
            case dict():
                made += facts(value, f"{name}: ")
            case [dict(), *_]:
                for inner in value:
                    made += facts(inner, f"{name}: ")
            case int() if name.endswith("bytes") and value >= 1 << 20:
                part, _, last = name.rpartition(": ")
                last = last.removesuffix("bytes").strip() or "size"
                made.append((f"{part}: {last}" if part else last, number.size(value)))
            case bool():
                made.append((name, "yes" if value else "no"))
            case _:
                made.append((name, str(value)))
    return made


def disturbances(result: Result) -> list[str]:
    """What others did meanwhile, at its worst."""
    made = []
    known = [point.noise for point in result.points if point.noise]
    for key, name in (
        ("others_read_bytes", "others read up to"),
        ("others_written_bytes", "others (and the file system itself) wrote up to"),
    ):
        most = max((noise.get(key, 0.0) for noise in known), default=0.0)
        if most:
            made.append(f"{name} {number.size(most)} during one point")
    hot = [noise["temperature_c_after"] for noise in known if "temperature_c_after" in noise]
    if hot:
        made.append(f"the disk was {min(hot):.0f} to {max(hot):.0f} °C warm")
    if any(noise.get("processor_throttled") for noise in known):
        made.append("the processor was throttled by its heat")
    steal = max((point.processor.steal for point in result.points if point.processor), default=0.0)
    if steal > 0.01:
        made.append(f"other guests took up to {number.percent(steal)} of the processors' time")
    return made
